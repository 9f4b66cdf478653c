"""Ids tell nothing and depend on every part; ranks depend on nothing else."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from earmark.manifests.errors import EarmarkError
from earmark.manifests.keys import (
    ID_PATTERN,
    choose,
    clip_id,
    item_id,
    keyed_id,
    new_key,
    presentation_id,
    rank,
    read_key,
)

KEYS = st.binary(min_size=32, max_size=32)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
SPANS = st.lists(st.tuples(st.integers(0, 99), st.integers(100, 199)), min_size=1, max_size=3)
CLIPS = st.fixed_dictionaries(
    {
        "corpus": TEXT,
        "version": TEXT,
        "path": TEXT,
        "channel": st.integers(0, 3),
        "rate": st.sampled_from([16_000, 48_000]),
        "spans": SPANS,
        "joining_silence": st.integers(0, 9),
    }
)
ITEMS = st.fixed_dictionaries(
    {
        "family": TEXT,
        "facet": TEXT,
        "target": st.none() | TEXT,
        "clips": st.lists(TEXT, max_size=3),
        "script": st.none() | TEXT,
    }
)
PRESENTATIONS = st.fixed_dictionaries({"item": TEXT, "order": TEXT, "after": st.none() | TEXT, "modality": TEXT})
MAKERS = st.sampled_from([(clip_id, CLIPS, "c"), (item_id, ITEMS, "i"), (presentation_id, PRESENTATIONS, "p")])
IDS = st.lists(TEXT, unique=True, max_size=30)


def composed(parts: object) -> object:
    match parts:
        case str():
            return unicodedata.normalize("NFC", parts)
        case dict():
            return {name: composed(sorted(part) if name == "clips" else part) for name, part in parts.items()}
        case list() | tuple():
            return [composed(part) for part in parts]
    return parts


@given(st.data(), KEYS)
def test_any_change_of_any_part_changes_the_id(data: st.DataObject, key: bytes) -> None:
    make, recipes, letter = data.draw(MAKERS)
    parts = data.draw(recipes)
    id = make(key, **parts)
    assert id[0] == letter
    assert re.fullmatch(ID_PATTERN, id)
    name = data.draw(st.sampled_from(sorted(parts)))
    changed = {**parts, name: data.draw(recipes)[name]}
    assert (make(key, **changed) == id) == (composed(changed) == composed(parts))


@given(st.data(), KEYS, KEYS)
def test_another_key_gives_other_ids(data: st.DataObject, key: bytes, other: bytes) -> None:
    assume(key != other)
    make, recipes, _ = data.draw(MAKERS)
    parts = data.draw(recipes)
    assert make(key, **parts) != make(other, **parts)


@given(CLIPS, KEYS)
def test_equal_paths_give_equal_ids(parts: dict[str, object], key: bytes) -> None:
    apart = {**parts, "path": unicodedata.normalize("NFD", str(parts["path"]))}
    assert clip_id(key, **apart) == clip_id(key, **parts)  # type: ignore[arg-type]  # drawn by the right types


@given(ITEMS, KEYS)
def test_the_order_of_clips_is_no_part_of_an_item(parts: dict[str, object], key: bytes) -> None:
    turned = {**parts, "clips": reversed(parts["clips"])}  # type: ignore[call-overload]  # a list
    assert item_id(key, **turned) == item_id(key, **parts)  # type: ignore[arg-type]  # drawn by the right types


def test_ids_stay_what_they_are() -> None:
    assert keyed_id(bytes(32), "c", ["toy", "1.0", "a.wav"]) == "c34et7evwywfjdi2uzwu7zmub3q"
    assert rank(b"", 7, "S0", "i1") == 13_349_460_453_646_571_970


@given(IDS, st.integers(0, 30), KEYS, st.integers(0, 9), st.randoms(use_true_random=False))
def test_choice_depends_on_no_order(ids: list[str], count: int, key: bytes, seed: int, random: object) -> None:
    assume(count <= len(ids))
    chosen = choose(ids, count, key=key, seed=seed)
    mixed = [*ids, *ids]
    random.shuffle(mixed)  # type: ignore[attr-defined]  # a random.Random
    assert choose(mixed, count, key=key, seed=seed) == chosen
    assert len(set(chosen)) == count
    assert choose(ids, len(ids), key=key, seed=seed)[:count] == chosen


@given(IDS, KEYS, st.integers(0, 9), TEXT)
def test_the_lowest_ranks_are_chosen(ids: list[str], key: bytes, seed: int, stratum: str) -> None:
    ranks = [rank(key, seed, stratum, id) for id in choose(ids, len(ids), key=key, seed=seed, stratum=stratum)]
    assert ranks == sorted(rank(key, seed, stratum, id) for id in ids)


def test_key_seed_and_stratum_each_make_another_choice() -> None:
    ids = [f"i{n}" for n in range(100)]
    drawn = [
        choose(ids, 50, key=key, seed=seed, stratum=stratum)
        for key, seed, stratum in ((b"", 0, "a"), (b"k", 0, "a"), (b"", 1, "a"), (b"", 0, "b"))
    ]
    for n, one in enumerate(drawn):
        assert all(15 < len(set(one) & set(other)) < 35 for other in drawn[:n]), "half of them by chance"


@given(IDS, TEXT, st.integers(0, 30), KEYS)
def test_an_added_id_displaces_at_most_one(ids: list[str], added: str, count: int, key: bytes) -> None:
    assume(added not in ids and count <= len(ids))
    before = choose(ids, count, key=key, seed=0)
    after = choose([*ids, added], count, key=key, seed=0)
    if added in after:
        after.remove(added)
        assert after == before[: count - 1]
    else:
        assert after == before


@given(IDS, st.data(), KEYS)
def test_a_removed_id_that_was_not_chosen_changes_nothing(ids: list[str], data: st.DataObject, key: bytes) -> None:
    count = data.draw(st.integers(0, len(ids)))
    chosen = choose(ids, count, key=key, seed=0, stratum="s")
    kept = [id for id in ids if id in chosen or data.draw(st.booleans())]
    assert choose(kept, count, key=key, seed=0, stratum="s") == chosen


def test_ranks_are_uniform_and_independent_of_each_other() -> None:
    ids = [f"i{n}" for n in range(4000)]
    ranks = [rank(b"", 0, "S0", id) / 2**64 for id in ids]
    assert stats.kstest(ranks, "uniform").pvalue > 0.001
    for other in (
        [rank(b"", 1, "S0", id) for id in ids],
        [rank(b"", 0, "S1", id) for id in ids],
        [rank(bytes(32), 0, "S0", id) for id in ids],
    ):
        assert abs(stats.spearmanr(ranks, other).statistic) < 0.06


@pytest.mark.parametrize("count", [3, -1])
def test_what_cannot_be_chosen_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"stratum 's'.*{count} "):
        choose(["a", "b", "a"], count, key=b"", seed=0, stratum="s")


def test_key_files(tmp_path: Path) -> None:
    key = new_key()
    assert len(key) == 32
    assert new_key() != key
    (tmp_path / "key").write_bytes(key)
    assert read_key(tmp_path / "key") == key
    (tmp_path / "short").write_bytes(key[:-1])
    with pytest.raises(EarmarkError, match="short has 31 bytes; a release key has 32"):
        read_key(tmp_path / "short")
    with pytest.raises(EarmarkError, match=r"cannot read the key file .*absent"):
        read_key(tmp_path / "absent")


def test_a_key_is_a_file(tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match="has 0 bytes"):
        read_key(tmp_path)
