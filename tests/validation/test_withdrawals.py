"""Invariants of later versions: the list fits the release, whatever a hand did to either; less balance is no fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.support.editions import next_version, rewritten, with_manifest
from tests.support.golden import GOLDENS

from earmark.builders.withdrawing import Withdrawal, withdraw
from earmark.manifests.families.pairs_recipe import SECTION, Cell, stored_pairing
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import Release, WithdrawnEntry, open_release
from earmark.manifests.revisions import Predecessor, Withdrawn, read_withdrawn
from earmark.manifests.revisions.withdrawn import withdrawn_file
from earmark.validation.contents import Contents
from earmark.validation.invariants import COMMON, validate
from earmark.validation.withdrawals import WITHDRAWALS

replace = msgspec.structs.replace


def copied(tmp_path: Path) -> Release:
    """A later version that a test may change."""
    shutil.copytree(next_version("stance").path, tmp_path / "next")
    return open_release(tmp_path / "next")


def found_in(release: Release) -> dict[str, int]:
    """What the one invariant finds."""
    findings = Findings()
    WITHDRAWALS.check(Contents(release, {name: release.table(name) for name in release.family.tables()}), findings)
    return findings.counts


def relisted(release: Release, change: Callable[[Release, Withdrawn], Withdrawn]) -> Release:
    """The release with another list, which its manifest names."""
    found = change(release, read_withdrawn(release))
    withdrawn_file(release).write_text(found.text(), encoding="utf-8", newline="\n")
    entry = WithdrawnEntry(items=len(found.withdrawn), file_hash=file_hash(withdrawn_file(release)))
    return with_manifest(release.path, replace(release.manifest, withdrawn=entry))


def _item_here(release: Release, found: Withdrawn) -> Withdrawn:
    here = release.table("items")["item_id"][0].as_py()
    return replace(found, withdrawn=(replace(found.withdrawn[0], item=here),))


def _sent_here(release: Release, found: Withdrawn) -> Withdrawn:
    here = release.table("presentations")["presentation_id"][0].as_py()
    return replace(found, withdrawn=(replace(found.withdrawn[0], presentations=(here,)),))


def _clip_here(release: Release, found: Withdrawn) -> Withdrawn:
    return replace(
        found, withdrawn=(replace(found.withdrawn[0], clips=(release.table("clips")["clip_id"][0].as_py(),)),)
    )


def _twice(_: Release, found: Withdrawn) -> Withdrawn:
    return replace(found, withdrawn=found.withdrawn * 2)


def _later(_: Release, found: Withdrawn) -> Withdrawn:
    return replace(found, predecessors=(replace(found.predecessors[0], version="2.0.0"),))


def _out_of_order(_: Release, found: Withdrawn) -> Withdrawn:
    earlier = Predecessor(version="0.1.0", content_hash=found.predecessors[0].content_hash)
    return replace(found, predecessors=(*found.predecessors, earlier))


def _of_no_version(_: Release, found: Withdrawn) -> Withdrawn:
    return replace(found, withdrawn=(replace(found.withdrawn[0], version="0.5.0"),))


FAULTS = (_item_here, _sent_here, _clip_here, _twice, _later, _out_of_order, _of_no_version)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__.strip("_"))
def test_a_list_that_does_not_fit_is_found(fault: Callable[[Release, Withdrawn], Withdrawn], tmp_path: Path) -> None:
    release = copied(tmp_path)
    assert found_in(release) == {}
    assert set(found_in(relisted(release, fault))) == {"release.withdrawn"}


def test_a_list_that_is_changed_lost_or_unnamed_is_found(tmp_path: Path) -> None:
    release = copied(tmp_path)
    unnamed = Release(release.path, replace(release.manifest, withdrawn=None))
    assert found_in(unnamed)["release.withdrawn"] == 1
    file = withdrawn_file(release)
    file.write_text(file.read_text(encoding="utf-8").replace("Asked", "Never"), encoding="utf-8")
    assert found_in(release) == {"release.withdrawn": 1}
    file.unlink()
    assert found_in(release) == {"release.withdrawn": 1}


def _with_wide_cells(release: Release, out: Path) -> Release:
    """The release with its cells of style joined over the targets, so that each has more than a pair stored either way."""
    pairing = stored_pairing(release.manifest)
    wide: dict[tuple[str, ...], Cell] = {}
    for cell in (cell for cell in pairing.cells if cell.criterion == "style"):
        place = (cell.kind, cell.transcript, cell.speakers, cell.sex, cell.variant)
        before = wide.get(place)
        sums = {
            name: (getattr(cell, name) or 0) + (getattr(before, name) or 0 if before else 0)
            for name in ("demand", "candidates", "feasible", "filled")
        }
        wide[place] = replace(cell, target=None, **sums)
    cells = [*wide.values(), *(cell for cell in pairing.cells if cell.criterion != "style")]
    recipe = {**release.manifest.recipe, SECTION: msgspec.to_builtins(replace(pairing, cells=tuple(cells)))}
    return rewritten(release, out, {}, "1.0.0", recipe=recipe)


def test_what_is_said_to_all_tells_no_kind_of_what_was_withdrawn(tmp_path: Path) -> None:
    """Were cells counted anew, whoever has both versions would know whether the one pair was a tie."""
    release = open_release(GOLDENS["pairs"].path / "release")
    items = [row for row in release.table("answers").to_pylist() if row["variant"] == "main"]
    kinds = {row["kind"]: row["item_id"] for row in items}
    said = set()
    for kind, item in sorted(kinds.items()):
        (tmp_path / f"{kind}.txt").write_text(item, encoding="utf-8")
        order = Withdrawal(ids=tmp_path / f"{kind}.txt", reason="Asked for.", out=tmp_path / kind)
        made = withdraw(release, order).release
        assert not validate(made).failed
        said.add(msgspec.json.encode({**made.manifest.recipe, "release": None}))
    assert len(kinds) == 3
    assert said == {msgspec.json.encode({**release.manifest.recipe, "release": None})}


def test_cells_may_lack_what_was_withdrawn_and_no_more(tmp_path: Path) -> None:
    release = open_release(GOLDENS["pairs"].path / "release")
    item = next(row["item_id"] for row in release.table("answers").to_pylist() if row["variant"] == "main")
    (tmp_path / "ids.txt").write_text(item, encoding="utf-8")
    made = withdraw(release, Withdrawal(ids=tmp_path / "ids.txt", reason="Asked for.", out=tmp_path / "next")).release
    pairing = stored_pairing(made.manifest)
    for n, more in ((0, 1), (0, -1), (1, 2)):
        cells = list(pairing.cells)
        cells[n] = replace(cells[n], **{name: getattr(cells[n], name) + more for name in ("feasible", "filled")})
        recipe = {**made.manifest.recipe, SECTION: msgspec.to_builtins(replace(pairing, cells=tuple(cells)))}
        told = validate(Release(made.path, replace(made.manifest, recipe=recipe)))
        assert told.counts.get("pairs.quotas"), (n, more)


def test_validate_asks_it() -> None:
    assert validate(next_version("stance")).counts == {}
    assert WITHDRAWALS in COMMON


@pytest.mark.slow
def test_pairs_out_of_balance_are_a_warning_after_withdrawals_alone(tmp_path: Path) -> None:
    release = _with_wide_cells(open_release(GOLDENS["pairs"].path / "release"), tmp_path / "wide")
    assert validate(release).counts == {}
    facets = dict(zip(*(release.table("items")[name].to_pylist() for name in ("item_id", "facet")), strict=True))
    gold = dict(zip(*(release.table("answers")[name].to_pylist() for name in ("item_id", "gold")), strict=True))
    gone = [item for item, facet in facets.items() if facet == "style" and gold[item] == "second"]
    (tmp_path / "ids.txt").write_text("\n".join(gone), encoding="utf-8")
    made = withdraw(release, Withdrawal(ids=tmp_path / "ids.txt", reason="Asked for.", out=tmp_path / "next"))
    assert set(made.findings.counts) == {"withdrawn.less-balanced"}
    found = validate(made.release)
    assert (set(found.counts), found.failed) == ({"withdrawn.less-balanced"}, False)
    # The same of a release of which nobody withdrew anything is a fault.
    withdrawn_file(made.release).unlink()
    unnamed = Release(made.release.path, replace(made.release.manifest, withdrawn=None))
    assert "pairs.first-balanced" in validate(unnamed).counts
