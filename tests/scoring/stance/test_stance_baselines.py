"""Rules that do not listen: what each says, and why one cannot."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from statistics import median

import pytest
from tests.support.tiny import TINY_KEY, tiny_manifest, tiny_rows, write_tiny_release

from earmark.manifests.building import building
from earmark.manifests.families.stance import STANCE
from earmark.manifests.release import Release, open_release
from earmark.scoring.baselines import Guess, uniform
from earmark.scoring.decisions import Owed, owed_presentations
from earmark.scoring.stance.baselines import BASELINES, coin, louder


def release_with(out: Path, levels: list[float | None], facets: int = 1) -> Release:
    """A tiny release whose item i has a target of level i."""
    rows = tiny_rows(items=len(levels), facets=facets)
    level = dict(zip([row["clip_id"] for row in rows["clips"]], levels, strict=True))
    for row in rows["sources"]:
        row["level"] = level[row["clip_id"]]
    key = out.with_suffix(".key")
    key.write_bytes(TINY_KEY)
    with building(out, STANCE, key=key) as work:
        for name, table in rows.items():
            work.write_table(name, table)
        work.write_manifest(tiny_manifest(work, rows))
    return open_release(out)


def owed(release: Release) -> Owed:
    return owed_presentations(release, release.protocol())


def guesses(out: Path, levels: list[float | None], facets: int = 1) -> list[Guess]:
    """What the rule says of each item, in the order of the levels; both orders are told the same."""
    release = release_with(out, levels, facets)
    said = louder(release, owed(release))
    assert not isinstance(said, str)
    by_item: dict[str, set[Guess]] = {}
    for id, item in zip(owed(release).ids, owed(release).item, strict=True):
        by_item.setdefault(item, set()).add(said[id])
    assert all(len(each) == 1 for each in by_item.values())
    items = [str(row["item_id"]) for row in tiny_rows(items=len(levels), facets=facets)["items"]]
    return [by_item[item].pop() for item in items]


def test_louder_than_the_median_is_p_and_the_surer_the_further(tmp_path: Path) -> None:
    assert guesses(tmp_path / "r", [-10.0, -40.0, -20.0, -30.0]) == [
        Guess("P", 1.0),
        Guess("N", 1.0),
        Guess("P", 0.6667),
        Guess("N", 0.6667),
    ]


def test_the_median_itself_is_not_louder_and_not_sure(tmp_path: Path) -> None:
    assert guesses(tmp_path / "odd", [-30.0, -20.0, -10.0]) == [Guess("N", 1.0), Guess("N", 0.5), Guess("P", 1.0)]
    assert guesses(tmp_path / "tied", [-30.0, -20.0, -20.0, -20.0]) == [Guess("N", 1.0), *[Guess("N", 0.5)] * 3]
    assert guesses(tmp_path / "one", [-20.0]) == [Guess("N", 0.5)]


def test_equal_levels_are_equally_sure(tmp_path: Path) -> None:
    assert guesses(tmp_path / "r", [-30.0, -30.0, -20.0, -10.0, -10.0]) == [
        *[Guess("N", 0.875)] * 2,
        Guess("N", 0.5),
        *[Guess("P", 0.875)] * 2,
    ]


def test_each_dimension_has_its_own_median(tmp_path: Path) -> None:
    levels: list[float | None] = [-50.0, -10.0, -40.0, -5.0]  # dealt to two facets by turns
    assert median([-50, -10, -40, -5]) == -25
    assert [guess.choice for guess in guesses(tmp_path / "r", levels, facets=2)] == ["N", "N", "P", "P"]


def test_without_levels_it_says_why(tmp_path: Path) -> None:
    release = release_with(tmp_path / "r", [-20.0, None, -10.0])
    assert louder(release, owed(release)) == "no level was measured; build the release with --media"
    shutil.rmtree(release.path / "private")
    assert louder(release, owed(release)) == "this copy has no private side, where levels stand"


def test_a_coin_is_drawn_by_hash_even_and_without_probability(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "r")
    ids = tuple(f"p{n}" for n in range(4000))
    guesses = coin(release, Owed("both-orders", ids, ids, ids))
    counts = Counter(guesses.values())
    assert set(counts) == {Guess("P"), Guess("N")}
    assert abs(counts[Guess("P")] - 2000) < 4 * (4000 / 4) ** 0.5
    fewer = coin(release, Owed("both-orders", ids[:7], ids[:7], ids[:7]))
    assert {id: guesses[id] for id in fewer} == fewer
    drawn = uniform(release, Owed("both-orders", ids, ids, ids))
    same = sum(guesses[id].choice == drawn[id].choice for id in ids)
    assert abs(same - 2000) < 4 * (4000 / 4) ** 0.5  # a draw of its own, not that of `uniform`


def test_the_rules_in_their_order() -> None:
    assert [rule.name for rule in BASELINES] == ["uniform", "coin", "always P", "always N", "louder is positive"]


@pytest.mark.parametrize("choice", ["P", "N"])
def test_rules_that_say_one_thing(tmp_path: Path, choice: str) -> None:
    release = write_tiny_release(tmp_path / "r")
    [rule] = [rule for rule in BASELINES if rule.name == f"always {choice}"]
    assert rule.guess(release, owed(release)) == {id: Guess(choice) for id in owed(release).ids}
