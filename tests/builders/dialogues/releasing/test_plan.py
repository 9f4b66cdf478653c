"""A release of dialogues: sound, whole, and the same whatever the order of what it is made of."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.miniature import files_of
from tests.support.voiced import KEY, voiced

from earmark.builders.dialogues.releasing.plan import release_plan
from earmark.builders.dialogues.releasing.prompts import read_templates
from earmark.builders.dialogues.sections import AdoptSection, LedgerSection, PresentationsSection
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release
from earmark.validation.invariants import validate


def planned(made: Voiced, findings: Findings, **offered: tuple[str, ...]) -> Plan:
    return release_plan(
        made,
        read_templates(None, findings),
        release=ReleaseSection(name="toy", version="1.0.0"),
        presentations=PresentationsSection(**offered),
        key=KEY,
        findings=findings,
    )


def test_it_is_sound(toy_dialogues: Release) -> None:
    assert [finding.text() for finding in validate(toy_dialogues)] == []
    manifest = toy_dialogues.manifest
    assert sum(facet.items for facet in manifest.facets) == 6
    assert manifest.protocols[0].name == "sequential-2"
    owed = {entry.name: entry.presentations for entry in manifest.protocols}
    assert len(owed) == 18
    assert {owed["sequential-2"], owed["direct-oracle"], owed["sequential-4-cascade-words"]} == {12, 18}
    assert manifest.media is not None
    assert manifest.media.files == 24


def test_its_private_tables_hold_what_came_and_what_was_dropped(toy_dialogues: Release) -> None:
    written = toy_dialogues.table("dialogues").to_pylist()
    assert [row["dropped"] for row in written].count(None) == 3
    assert toy_dialogues.table("attempts").num_rows == 24
    names = {row["conversation"] for row in toy_dialogues.table("sources").to_pylist()}
    assert names == {row["dialogue"] for row in written if row["dropped"] is None}
    assert b"made of" in files_of(toy_dialogues.path)["private/build.json"]


def test_the_order_of_dialogues_changes_nothing(tmp_path: Path) -> None:
    made = voiced(5, tmp_path)
    shuffled = list(made.dialogues)
    random.Random(1).shuffle(shuffled)  # noqa: S311
    other = replace(made, dialogues=tuple(shuffled))
    assert planned(made, Findings()).recipe == planned(other, Findings()).recipe
    rows = [
        {name: sorted(map(repr, rows)) for name, rows in planned(one, Findings()).tables.items()}
        for one in (made, other)
    ]
    assert rows[0] == rows[1]


def test_without_tones_no_oracle_is_on_offer(tmp_path: Path) -> None:
    findings = Findings()
    plan = planned(voiced(2, tmp_path, tones=False), findings)
    assert {row["modality"] for row in plan.tables["presentations"]} == {
        "audio",
        "audio-text-history",
        "transcript",
        "cascade-numbers",
        "cascade-words",
    }
    assert [finding.code.name for finding in findings] == ["dialogues.no-tones"]
    assert not findings.failed
    planned(voiced(2, tmp_path, tones=False), findings, modalities=("oracle",))
    assert findings.counts["dialogues.no-modality"] == 1


def test_no_path_of_this_machine_is_in_the_recipe(tmp_path: Path) -> None:
    assert str(tmp_path) not in repr(planned(voiced(1, tmp_path), Findings()).recipe)


@pytest.mark.parametrize(
    ("section", "fields", "says"),
    [
        (PresentationsSection, {"chains": ("sequential-3",)}, "sequential-2"),
        (PresentationsSection, {"chains": ("direct", "direct")}, "'direct' twice"),
        (PresentationsSection, {"modalities": ()}, "modalities is empty"),
        (PresentationsSection, {"modalities": ("smell",)}, "smell"),
        (LedgerSection, {"max_cost": -1.0}, "max_cost is -1.0"),
        (LedgerSection, {"max_cost": float("nan")}, "max_cost is nan"),
        (LedgerSection, {"concurrency": 0}, "concurrency is 0"),
        (AdoptSection, {"root": ""}, "root is ''"),
    ],
)
def test_a_section_out_of_range_is_refused(section: type, fields: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        section(**fields)


def test_a_limit_is_never_rounded_up() -> None:
    assert LedgerSection().limit is None
    assert LedgerSection(max_cost=0.0).limit == 0
    assert LedgerSection(max_cost=1.5).limit == 1_500_000_000
    assert LedgerSection(max_cost=0.1 + 0.2).limit == 300_000_000
