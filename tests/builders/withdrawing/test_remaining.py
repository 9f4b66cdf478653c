"""What is left of tables, before anything is written: groups whole, samples in their ranks."""

from __future__ import annotations

import msgspec
import pyarrow as pa
from tests.support.editions import in_memory, loaded, tables_of
from tests.support.golden import GOLDENS

from earmark.builders.withdrawing.naming import Named
from earmark.builders.withdrawing.remaining import remaining
from earmark.manifests.findings import Findings
from earmark.manifests.keys import rank
from earmark.manifests.release import Release, WithdrawnEntry, open_release
from earmark.manifests.revisions.earlier import CommonSubset
from earmark.validation import stance
from earmark.validation.contents import Contents

RELEASES = {family: loaded(open_release(golden.path / "release")) for family, golden in GOLDENS.items()}
NOBODY = Named(frozenset(), frozenset(), frozenset())


def named(items: list[str] | None = None, clips: list[str] | None = None) -> Named:
    return Named(frozenset(items or ()), frozenset(clips or ()), frozenset())


def test_nothing_named_is_nothing_gone() -> None:
    for release in RELEASES.values():
        left = remaining(release, NOBODY)
        assert all(left.tables[name].equals(rows) for name, rows in tables_of(release).items())
        assert not len(left.gone.items)


def test_both_turns_of_a_dialogue_go_with_one() -> None:
    release = RELEASES["dialogues"]
    rows = release.table("items").to_pylist()
    left = remaining(release, named([rows[0]["item_id"]]))
    assert sorted(left.gone.items.to_pylist()) == sorted(
        row["item_id"] for row in rows if row["group"] == rows[0]["group"]
    )
    assert left.gone.along == 1


def test_what_is_asked_after_an_item_goes_with_it() -> None:
    release, tables = RELEASES["dialogues"], tables_of(RELEASES["dialogues"])
    items = tables["items"]
    loose = items.set_column(2, items.schema.field("group"), pa.nulls(items.num_rows, pa.string()))
    first = next(row["item_id"] for row in items.to_pylist() if row["target"] == "turn 4")
    left = remaining(in_memory(release, {"items": loose}, hashes=False), named([first]))
    after = {
        row["item_id"]
        for row in tables["presentations"].to_pylist()
        if row["after"]
        in {sent["presentation_id"] for sent in tables["presentations"].to_pylist() if sent["item_id"] == first}
    }
    assert set(left.gone.items.to_pylist()) == {first} | after
    assert after


def _half_drawn(release: Release) -> Release:
    """The release with as many conversations that were not drawn as were: they rank behind those that were."""
    rows = release.table("selection").to_pylist()
    seed = release.manifest.seed

    def ranks(id: str) -> int:
        return rank(release.key, seed, "sample", id)

    more: list[dict[str, object]] = []
    for stratum in sorted({row["stratum"] for row in rows}):
        drawn = [row["id"] for row in rows if row["stratum"] == stratum]
        last = max(map(ranks, drawn))
        behind = [id for id in (f"other-{n}" for n in range(1000)) if ranks(id) > last][: len(drawn)]
        more += [{"stratum": stratum, "id": id, "drawn": False} for id in behind]
    selection = release.family.tables()["selection"].from_rows([*rows, *more])
    sample = {"share": 0.5, "floor": 0, "method": "hash"}
    manifest = msgspec.structs.replace(release.manifest, recipe={**release.manifest.recipe, "sample": sample})
    return CommonSubset(path=release.path, manifest=manifest, tables={**tables_of(release), "selection": selection})


def _sample_faults(release: Release, tables: dict[str, pa.Table], *, withdrawn: bool) -> dict[str, int]:
    entry = WithdrawnEntry(items=1, file_hash="sha256:0") if withdrawn else None
    manifest = msgspec.structs.replace(release.manifest, withdrawn=entry)
    findings = Findings()
    asked = next(invariant for invariant in stance.INVARIANTS if invariant.name == "stance-sample")
    asked.check(Contents(Release(release.path, manifest), tables), findings)
    return findings.counts


def test_a_sample_that_lost_a_conversation_is_still_the_first_of_its_ranks() -> None:
    release = _half_drawn(RELEASES["stance"])
    assert _sample_faults(release, tables_of(release), withdrawn=False) == {}
    sources = release.table("sources").to_pylist()
    clips = [row["clip_id"] for row in sources if row["conversation"] == sources[0]["conversation"]]
    tables = dict(remaining(release, named(clips=clips)).tables)
    assert tables["selection"].num_rows < release.table("selection").num_rows
    assert _sample_faults(release, tables, withdrawn=True) == {}
    # Without a withdrawal the same is a fault, and so is somebody drawn in another's place.
    assert set(_sample_faults(release, tables, withdrawn=False)) == {"stance.sample"}
    rows = tables["selection"].to_pylist()
    drawn = next(row for row in rows if row["drawn"])
    next(row for row in rows if row["stratum"] == drawn["stratum"] and not row["drawn"])["drawn"] = True
    drawn["drawn"] = False
    swapped = {**tables, "selection": pa.Table.from_pylist(rows, schema=tables["selection"].schema)}
    assert "stance.sample" in _sample_faults(release, swapped, withdrawn=True)
