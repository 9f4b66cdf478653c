"""Norm files: written once, read strictly, and refused when a row was changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests.scoring.norms.cohorts import cohorts

from earmark.manifests.errors import DestinationExists, Refused, UnknownName
from earmark.scoring.norms import SHIPPED, Norm, read_norm, shipped_norm, write_norm


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cohorts())
def test_what_is_written_is_read_back(tmp_path: Path, norm: Norm) -> None:
    path = tmp_path / "norm.json"
    path.unlink(missing_ok=True)
    write_norm(norm, path)
    again = read_norm(path)
    assert again.id == norm.id
    assert sorted(again.systems, key=lambda s: s.name) == sorted(norm.systems, key=lambda s: s.name)
    first = path.read_bytes()
    path.unlink()
    write_norm(again, path)
    assert path.read_bytes() == first


def test_a_frozen_norm_is_not_written_over(tmp_path: Path) -> None:
    write_norm(shipped_norm(), tmp_path / "norm.json")
    with pytest.raises(DestinationExists, match="not written over"):
        write_norm(shipped_norm(), tmp_path / "norm.json")


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda norm: norm["systems"][0].update(correct=548), {"norm.changed"}),
        (lambda norm: norm["systems"].pop(), {"norm.changed"}),
        (lambda norm: norm.update(version="2.0.0"), {"norm.changed"}),
        (lambda norm: norm.update(version="2"), {"norm.changed", "norm.name"}),
        (lambda norm: norm["systems"].append(norm["systems"][0]), {"norm.changed", "norm.system-twice"}),
        (lambda norm: norm["systems"][0].update(total=0), {"norm.changed", "norm.counts"}),
        (lambda norm: norm.update(format=2), {"norm.unreadable"}),
        (lambda norm: norm.update(extra=1), {"norm.unreadable"}),
        (lambda norm: norm.pop("hash"), {"norm.unreadable"}),
        (lambda norm: norm["systems"][0].update(correct=1.5), {"norm.unreadable"}),
        (lambda norm: norm["systems"][0].update(correct=True), {"norm.unreadable"}),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, change: object, codes: set[str]) -> None:
    path = tmp_path / "norm.json"
    write_norm(shipped_norm(), path)
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)  # type: ignore[operator]  # each of the lambdas above
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(Refused) as caught:
        read_norm(path)
    assert set(caught.value.findings.counts) == codes
    assert all(finding.file == str(path) for finding in caught.value.findings)


@pytest.mark.parametrize("text", ["", "[]", "null", '{"format": 1, "format": 1}', '{"format": NaN}', "\xff"])
def test_what_is_no_norm_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "norm.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(Refused) as caught:
        read_norm(path)
    assert set(caught.value.findings.counts) == {"norm.unreadable"}


def test_shipped_norms_by_name() -> None:
    assert [shipped_norm(name).name for name in SHIPPED] == list(SHIPPED)
    with pytest.raises(UnknownName, match="there is speecheq-table3"):
        shipped_norm("speecheq")
