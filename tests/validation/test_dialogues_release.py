"""A release of dialogues: sound ones are found without fault, and what befalls any release is found in one of them."""

from __future__ import annotations

import shutil
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.manifests.families.dialogues import CHAINS, DIALOGUES
from earmark.manifests.findings import Findings
from earmark.manifests.release import open_release
from earmark.validation import dialogues, strategies
from earmark.validation.invariants import validate
from earmark.validation.strategies import CORRUPTIONS, Broken, Corruption, Drawn, write_broken, write_release

OWN = [corruption for corruption in CORRUPTIONS if corruption.family == "dialogues"]


def validated(drawn: Drawn) -> Findings:
    with TemporaryDirectory() as folder:
        return validate(write_release(drawn, Path(folder) / "release"))


@settings(max_examples=10)
@given(drawn=strategies.releases("dialogues"))
def test_a_sound_release_is_found_without_fault(drawn: Drawn) -> None:
    with TemporaryDirectory() as folder:
        release = write_release(drawn, Path(folder) / "release")
        assert list(validate(release)) == []
        shutil.rmtree(release.path / "private")
        assert validate(open_release(release.path)).counts == {"release.no-private-side": 1}
    assert len(drawn.rows["items"]) == 2 * len({row["group"] for row in drawn.rows["items"]})
    assert set(CHAINS) <= {entry for row in drawn.rows["presentations"] for entry in row["protocols"]}


@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=strategies.releases("dialogues"), corruption=st.sampled_from(CORRUPTIONS))
def test_what_can_befall_any_release_is_found_in_one_of_dialogues(drawn: Drawn, corruption: Corruption) -> None:
    if corruption.family not in (None, "dialogues"):
        return
    with TemporaryDirectory() as folder:
        findings = validate(write_broken(Broken(drawn, corruption), Path(folder) / "release"))
    assert corruption.code in findings.counts


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=strategies.releases("dialogues"), data=st.data())
def test_no_swapped_cell_makes_it_raise(drawn: Drawn, data: st.DataObject) -> None:
    """Any cell of the family's tables may hold what another row of its column has, or nothing where it may be null."""
    rows = deepcopy(drawn.rows)
    tables = DIALOGUES.tables()
    for _ in range(3):
        name = data.draw(st.sampled_from(sorted(name for name in tables if rows[name])))
        column = data.draw(st.sampled_from(tables[name].columns))
        to, source = (data.draw(st.integers(0, len(rows[name]) - 1)) for _ in range(2))
        rows[name][to][column.name] = None if column.nullable and source % 3 == 0 else rows[name][source][column.name]
    findings = validated(Drawn(drawn.family, drawn.key, drawn.sketch, rows))
    assert findings.exit_code in (0, 1)


def test_invariants_have_faults_and_names_of_their_own() -> None:
    names = [invariant.name for invariant in dialogues.INVARIANTS]
    assert len(set(names)) == len(names)
    assert all(name.startswith("dialogues-") for name in names)
    assert len({corruption.code for corruption in OWN}) == len(OWN) >= 14
