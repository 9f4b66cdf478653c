"""What a build would cost: every call of every stage, its price at most, and nothing sent, written or rendered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.miniature import quiet

from earmark.builders.dialogues import price
from earmark.builders.dialogues.records import RENDERINGS
from earmark.builders.dialogues.stages.largest import LARGEST_SCRIPT
from earmark.builders.making import Order, plan_only
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

pytest.importorskip("openai", reason="the extra `synthesis` is not installed")

TEXT, SPEECH = "text-1", "speech-1"
RECIPE: Mapping[str, Json] = {
    "release": {"name": "toy", "version": "1.0.0"},
    "dialogues": {"subscales": ["interpersonal_empathy"], "per_subscale": 2},
    "author": {"provider": "openai", "text": {"model": TEXT}},
    "oracle": {"provider": "openai", "model": TEXT},
    "voice": {"provider": "openai", "model": SPEECH},
    "prices": {TEXT: {"output_per_million_tokens": 1.0}, SPEECH: {"per_million_characters": 15.0}},
}


def priced(tmp_path: Path, findings: Findings, **sections: Json) -> dict[str, Any]:
    return dict(price({**RECIPE, **sections}, tmp_path, findings) or {})


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan needs none."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_every_stage_is_counted_and_priced(tmp_path: Path) -> None:
    findings = Findings()
    told = priced(tmp_path, findings)
    stages = {entry["stage"]: entry for entry in told["stages"]}
    assert {stage: entry["calls"] for stage, entry in stages.items()} == {"author": 14, "oracle": 24, "voice": 16}
    assert told["calls"] == 54
    characters = 2 * sum(len(LARGEST_SCRIPT.line(turn)) for turn, _ in RENDERINGS)
    assert stages["voice"]["at_most_usd"] == pytest.approx(characters * 15 / 1e6, rel=1e-6)
    assert stages["oracle"]["at_most_usd"] == pytest.approx(24 * 1024 / 1e6)
    assert told["at_most_usd"] == pytest.approx(sum(entry["at_most_usd"] for entry in stages.values()))
    assert [*findings] == []
    assert list(tmp_path.iterdir()) == []


def test_twice_as_many_cost_twice_as_much(tmp_path: Path) -> None:
    few = priced(tmp_path, Findings())
    many = priced(tmp_path, Findings(), dialogues={"subscales": ["interpersonal_empathy"], "per_subscale": 4})
    assert many["calls"] == 2 * few["calls"]
    assert many["at_most_usd"] == pytest.approx(2 * few["at_most_usd"], rel=0.05)  # names of cells are of many lengths


def test_a_model_without_a_price_is_named_and_the_sum_not_known(tmp_path: Path) -> None:
    findings = Findings()
    told = priced(tmp_path, findings, prices={TEXT: {}})
    assert told["at_most_usd"] is None
    assert {entry["stage"]: entry["at_most_usd"] for entry in told["stages"]}["voice"] is None
    assert [(finding.code.name, finding.id) for finding in findings] == [("dialogues.unpriced", SPEECH)]
    assert not findings.failed


@pytest.mark.parametrize(("limit", "warned"), [(0.01, True), (100.0, False)])
def test_a_limit_that_may_be_reached_is_said(tmp_path: Path, limit: float, warned: bool) -> None:
    findings = Findings()
    assert priced(tmp_path, findings, ledger={"max_cost": limit})["limit_usd"] == limit
    assert ("dialogues.above-limit" in findings.counts) == warned


def test_only_what_asks_a_server_costs(tmp_path: Path) -> None:
    told = priced(
        tmp_path, Findings(), oracle={"provider": "none"}, author={"provider": "openai", "text": {"model": TEXT}}
    )
    assert {entry["stage"] for entry in told["stages"]} == {"author", "voice"}
    told = priced(tmp_path, Findings(), oracle={}, voice={})
    assert {entry["stage"] for entry in told["stages"]} == {"author"}


def test_a_wrong_file_is_said_before_anything_is_priced(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('system = "x"\n[questions]\nround_1 = "y"\n', encoding="utf-8")
    with pytest.raises(Refused):
        priced(tmp_path, Findings(), prompts={"templates": "p.toml"})


def test_a_dry_run_reports_it(tmp_path: Path) -> None:
    made = plan_only(Order(family="dialogues", recipe=RECIPE, base=tmp_path, out=tmp_path / "out"), quiet)
    assert made.release is None
    assert made.report["calls"] == 54
