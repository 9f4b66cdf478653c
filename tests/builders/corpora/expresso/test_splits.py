"""Splits of Expresso: windows to the sample, nothing shared, and the counts that are published."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.expresso.ids import ConversationStem, ReadStem
from earmark.builders.corpora.expresso.splits import (
    SPLITS,
    WHOLE,
    Entry,
    NoEntry,
    Splits,
    Window,
    parse_entry,
    read_splits,
)
from earmark.manifests.findings import Findings

LONG, SHORT = "ex01_default_longform_00001", "ex01_happy_00379"
bounds = st.integers(0, 40).map(lambda tenths: Decimal(tenths) / 10)
windows = st.one_of(
    st.just(WHOLE),
    st.builds(Window, bounds, st.none()),
    st.builds(Window, st.none(), bounds.filter(bool)),
    st.tuples(bounds, bounds).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: Window(min(pair), max(pair))),
)


def spelt(window: Window) -> str:
    if window == WHOLE:
        return LONG
    start, end = ("" if bound is None else f"{bound}s" for bound in window)
    return f"{LONG}\t({start},{end})"


def write(root: Path, lines: Mapping[str, Sequence[str]], folder: str = "splits") -> None:
    (root / folder).mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        text = "".join(f"{line}\n" for line in ("# a comment", *lines.get(split, ())))
        (root / folder / f"{split}.txt").write_text(text, "utf-8")


def read(root: Path) -> tuple[Splits, dict[str, int]]:
    findings = Findings()
    return read_splits(root, findings), codes_of(findings, "expresso")


@given(windows)
def test_windows_are_read_as_they_are_spelt(window: Window) -> None:
    assert parse_entry(spelt(window), "test", 7) == Entry(
        ReadStem("ex01", "default_longform", "00001"), window, "test", 7
    )


@given(windows, windows)
def test_windows_overlap_where_they_share_a_sample(one: Window, other: Window) -> None:
    first, second = (set(range(*window.samples(10, 50))) for window in (one, other))
    assert one.overlaps(other) == other.overlaps(one) == bool(first & second)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("(,60.0s)", 0, 2_880_000), ("(16.49s,32.98s)", 791_520, 1_583_040), ("(2.98s,)", 143_040, 9_999_999)],
)
def test_samples_are_exact(text: str, start: int, end: int) -> None:
    assert parse_entry(f"{LONG}\t{text}", "test", 1).window.samples(48_000, 9_999_999) == (start, end)


@pytest.mark.parametrize(
    "bounds",
    [
        "(,)",
        "(1s,1s)",
        "(2s,1s)",
        "(-1s,2s)",
        "(1,2)",
        "(1s, 2s)",
        "(1s,2s",
        "1s,2s",
        "(1e3s,)",
        "(nans,)",
        "(,0s)",
        "(٣s,)",
    ],
)
def test_bounds_that_are_no_window(bounds: str) -> None:
    with pytest.raises(NoEntry) as raised:
        parse_entry(f"{LONG}\t{bounds}", "test", 1)
    assert raised.value.code.name == "expresso.bad-window"


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(SPLITS), windows), max_size=5), st.randoms(use_true_random=False))
def test_nothing_kept_shares_a_second_and_order_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, Window]], random: object
) -> None:
    root = tmp_path_factory.getbasetemp() / "shared"
    lines = {split: [spelt(window) for other, window in rows if other == split] for split in SPLITS}
    write(root, lines)
    found, codes = read(root)
    for split in SPLITS:
        random.shuffle(lines[split])  # type: ignore[attr-defined]  # it is a Random
    write(root, lines)
    again, _ = read(root)
    assert [entry[:3] for entry in again.entries] == [entry[:3] for entry in found.entries]
    assert again.metadata == found.metadata
    distinct = set(rows)
    assert codes.get("repeated-entry", 0) == len(rows) - len(distinct)
    clashing = {
        row
        for one, other in combinations(sorted(distinct, key=str), 2)
        if set(range(*one[1].samples(10, 50))) & set(range(*other[1].samples(10, 50)))
        for row in (one, other)
    }
    assert {(entry.split, entry.window) for entry in found.entries} == distinct - clashing
    assert codes.get("two-splits", 0) + codes.get("overlapping-windows", 0) == len(clashing)


def test_two_splits_and_one_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, {"test": [SHORT, f"{LONG}\t(,2s)", f"{LONG}\t(1s,3s)", "ex02_sad_00001"], "dev": [SHORT]})
    found, codes = read(tmp_path)
    assert [str(entry.stem) for entry in found.entries] == ["ex02_sad_00001"]
    assert codes == {"two-splits": 2, "overlapping-windows": 2}
    assert found.named == {SHORT, LONG, "ex02_sad_00001"}


def test_windows_that_touch_are_apart(tmp_path: Path) -> None:
    write(tmp_path, {"dev": [f"{LONG}\t(,1s)"], "test": [f"{LONG}\t(1s,2s)"], "train": [f"{LONG}\t(2s,)"]})
    found, codes = read(tmp_path)
    assert [entry.split for entry in found.entries] == ["dev", "test", "train"]
    assert codes == {}


def test_lines_that_are_no_entry(tmp_path: Path) -> None:
    write(tmp_path, {"test": [SHORT, "ex01 happy 00379", f"{LONG}\t(2s,1s)", f"{SHORT}\t"]})
    found, codes = read(tmp_path)
    assert [str(entry.stem) for entry in found.entries] == [SHORT]
    assert codes == {"bad-stem": 1, "bad-window": 1, "repeated-entry": 1}


def test_both_spellings_of_the_folder(tmp_path: Path) -> None:
    write(tmp_path, {"test": [SHORT]}, "expresso_splits")
    found, codes = read(tmp_path)
    assert set(found.metadata) == {f"expresso_splits/{split}.txt" for split in SPLITS}
    assert codes == {}
    write(tmp_path, {"test": [SHORT]}, "splits")
    again, codes = read(tmp_path)
    assert again.entries == found.entries
    assert set(again.metadata) == {f"splits/{split}.txt" for split in SPLITS}
    assert codes == {}
    write(tmp_path, {"test": ["ex02_sad_00001"]}, "splits")
    other, codes = read(tmp_path)
    assert [str(entry.stem) for entry in other.entries] == ["ex02_sad_00001"]
    assert codes == {"two-spellings": 1}


def test_a_split_that_is_absent(tmp_path: Path) -> None:
    write(tmp_path, {"test": [SHORT]})
    (tmp_path / "splits" / "dev.txt").unlink()
    found, codes = read(tmp_path)
    assert found.read == {"train", "test"}
    assert codes == {"unreadable-file": 1}


@pytest.fixture(scope="module")
def real(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Splits:
    root = tmp_path_factory.mktemp("real")
    (root / "splits").mkdir()
    for split in SPLITS:
        shutil.copyfile(shared_data / "expresso" / f"{split}.txt", root / "splits" / f"{split}.txt")
    found, codes = read(root)
    assert codes == {}
    return found


PUBLISHED = {
    "confused": (15, 14, 20, 14),
    "default": (23, 18, 25, 19),
    "default_emphasis": (18, 20, 20, 19),
    "default_essentials": (4, 4, 4, 4),
    "enunciated": (15, 11, 12, 11),
    "happy": (24, 18, 22, 18),
    "laughing": (16, 14, 21, 14),
    "sad": (23, 18, 18, 17),
    "whisper": (22, 17, 21, 15),
}
"""Clips of the test split by sub-style and speaker, ex01 to ex04."""


def base(real: Splits, split: str = "test") -> list[ReadStem]:
    """The single sentences of a split."""
    return [
        entry.stem
        for entry in real.entries
        if entry.split == split and isinstance(entry.stem, ReadStem) and not entry.stem.is_longform
    ]


def test_real_splits_have_the_sizes_that_are_published(real: Splits) -> None:
    test = [entry for entry in real.entries if entry.split == "test"]
    talk = [entry for entry in test if isinstance(entry.stem, ConversationStem)]
    long = [entry for entry in test if isinstance(entry.stem, ReadStem) and entry.stem.is_longform]
    assert (len(test), len(base(real)), len(long), len(talk)) == (648, 588, 8, 52)
    assert all(entry.window == WHOLE for entry in test if entry not in [*talk, *long])
    assert (len(base(real, "train")), len(base(real, "dev"))) == (10_380, 628)


def test_real_test_split_by_speaker_and_substyle(real: Splits) -> None:
    counted = Counter((stem.substyle, stem.speaker) for stem in base(real))
    assert counted == {
        (substyle, f"ex{n:02d}"): count
        for substyle, counts in PUBLISHED.items()
        for n, count in enumerate(counts, start=1)
    }
    assert sum(stem.substyle == "default_emphasis" for stem in base(real)) == 77


def test_real_pairs_that_equal_numbers_would_make(real: Splits) -> None:
    # Only if equal numbers stand for equal sentences, which the reader does not take for granted.
    styled = [stem for stem in base(real) if stem.substyle == stem.style]
    pairs = [(one, other) for one, other in combinations(styled, 2) if one.number == other.number]
    assert sum(one.speaker == other.speaker and one.style != other.style for one, other in pairs) == 1_319
    assert sum(one.speaker != other.speaker and one.style == other.style for one, other in pairs) == 670
