"""The common subset of two versions: the same from either of them, and nothing in it that is not the same in both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.editions import Tables, in_memory, loaded, set_cell, tables_of, without_private
from tests.support.golden import GOLDENS

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.release import MediaEntry, Release, open_release
from earmark.manifests.revisions.common import common_subset
from earmark.manifests.revisions.earlier import CommonSubset, earlier, whole

RELEASES = {family: loaded(open_release(golden.path / "release")) for family, golden in GOLDENS.items()}
TABLES = {family: tables_of(release) for family, release in RELEASES.items()}


def only(tables: Tables, items: set[str]) -> Tables:
    """Tables without all other items."""
    named = pa.array(sorted(items))
    return {
        name: rows.filter(pc.is_in(rows["item_id"], value_set=named)) if "item_id" in rows.column_names else rows
        for name, rows in tables.items()
    }


def items_of(release: Release) -> set[str]:
    return set(release.table("items")["item_id"].to_pylist())


@settings(max_examples=5)
@given(data=st.data())
def test_it_is_the_same_from_either_side(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from(sorted(RELEASES)))
    every = sorted(items_of(RELEASES[family]))
    sides = [data.draw(st.sets(st.sampled_from(every), min_size=len(every) // 2 + 1)) for _ in range(2)]
    versions = [in_memory(RELEASES[family], only(TABLES[family], side), f"{n + 1}.0.0") for n, side in enumerate(sides)]
    rows = TABLES[family]["items"].to_pylist()
    both = {row["item_id"] for row in rows if row["item_id"] in sides[0] & sides[1]}
    groups = {row["group"] for row in rows if row["item_id"] in (sides[0] | sides[1]) - both and row["group"]}
    expected = {row["item_id"] for row in rows if row["item_id"] in both and row["group"] not in groups}
    if not expected or sides[0] == sides[1]:
        return
    subsets = [common_subset(versions[n], versions[1 - n], Findings()) for n in range(2)]
    one, other = (subset.manifest for subset in subsets)
    assert items_of(subsets[0]) == items_of(subsets[1]) == expected
    assert (one.content_hash, one.answers_hash, one.version) == (other.content_hash, other.answers_hash, "1.0.0&2.0.0")
    assert one.tables["sources"].content_hash == other.tables["sources"].content_hash
    assert isinstance(subsets[0], CommonSubset)
    assert [entry.version for entry in subsets[0].between] == ["1.0.0", "2.0.0"]
    sent = set(TABLES[family]["presentations"]["presentation_id"].to_pylist())
    kept = set(subsets[0].table("presentations")["presentation_id"].to_pylist())
    shown = [set(version.table("presentations")["presentation_id"].to_pylist()) for version in versions]
    assert set(earlier(subsets[0]).presentations.to_pylist()) == (shown[0] | shown[1]) - kept <= sent
    assert whole(subsets[0]) is versions[0]


def _edit(table: str, column: str, at: int, value: object) -> Callable[[Tables], Tables]:
    return lambda tables: {**tables, table: set_cell(column, at, value)(tables[table])}


@pytest.mark.parametrize(
    ("family", "edit"),
    [
        ("stance", _edit("prompts", "user", 3, "Which?")),
        ("stance", _edit("answers", "gold", 3, "?")),
        ("stance", _edit("sources", "text", 3, "Other words.")),
        ("stance", _edit("clips", "duration", 3, 1.5)),
        ("stance", _edit("presentations", "labels", 3, ["OTHER"])),
        ("dialogues", _edit("answers", "gold", 3, "?")),
    ],
)
def test_items_that_changed_are_none_of_it(family: str, edit: Callable[[Tables], Tables]) -> None:
    release = RELEASES[family]
    changed = in_memory(release, edit(TABLES[family]), "2.0.0")
    findings = Findings()
    subset = common_subset(release, changed, findings)
    assert findings.counts == {"common.changed": 1}
    lost = items_of(release) - items_of(subset)
    (finding,) = findings
    assert lost
    assert int(finding.found or 0) <= len(lost)
    rows = {row["item_id"]: row["group"] for row in TABLES[family]["items"].to_pylist()}
    if family == "dialogues":
        assert len(lost) == 2
        assert len({rows[item] for item in lost}) == 1
    # Whatever changed is gone from it: from the other side it says the same.
    assert common_subset(changed, release, Findings()).manifest.content_hash == subset.manifest.content_hash


def test_a_protocol_that_only_one_offers_keeps_nothing_out() -> None:
    release = RELEASES["stance"]
    sent = TABLES["stance"]["presentations"]
    audio = sent.filter(pc.equal(sent["modality"], "audio"))
    used = TABLES["stance"]["prompts"].filter(
        pc.is_in(TABLES["stance"]["prompts"]["prompt_id"], value_set=audio["prompt_id"])
    )
    older = in_memory(release, {"presentations": audio, "prompts": used}, "0.1.0")
    older = CommonSubset(
        path=older.path,
        manifest=msgspec.structs.replace(older.manifest, protocols=release.manifest.protocols[:1]),
        tables={**TABLES["stance"], "presentations": audio, "prompts": used},
    )
    subset = common_subset(release, older, Findings())
    assert items_of(subset) == items_of(release)
    assert [entry.name for entry in subset.manifest.protocols] == ["both-orders"]
    assert subset.table("presentations").num_rows == audio.num_rows


def test_one_version_is_common_with_itself() -> None:
    assert common_subset(RELEASES["pairs"], RELEASES["pairs"], Findings()) is RELEASES["pairs"]


def test_where_answers_cannot_be_compared_it_is_said(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    golden = open_release(GOLDENS["stance"].path / "release")
    public = without_private(golden, tmp_path / "public")
    fewer = in_memory(release, only(TABLES["stance"], set(sorted(items_of(release))[4:])), "2.0.0")
    findings = Findings()
    common_subset(fewer, public, findings)
    assert set(findings.counts) == {"common.unsure"}
    findings = Findings()
    common_subset(public, fewer, findings)  # whose own private side tells nothing of what it does not hold
    assert set(findings.counts) == {"common.unsure"}


def test_versions_without_anything_in_common_are_refused() -> None:
    release = RELEASES["stance"]
    every = sorted(items_of(release))
    parts = [
        in_memory(release, only(TABLES["stance"], set(some)), f"{n}.0.0")
        for n, some in enumerate((every[:9], every[9:]), 1)
    ]
    with pytest.raises(EarmarkError, match="no item in common"):
        common_subset(parts[0], parts[1], Findings())
    media = [MediaEntry(rate=rate, files=1, hash="sha256:0") for rate in (16000, 24000)]
    others = [
        CommonSubset(
            path=release.path,
            manifest=msgspec.structs.replace(release.manifest, version=f"{n}.0.0", media=entry),
            tables=TABLES["stance"],
        )
        for n, entry in enumerate(media, 1)
    ]
    with pytest.raises(EarmarkError, match="different rates"):
        common_subset(others[0], others[1], Findings())
