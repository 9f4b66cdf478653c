"""Pairing at the true sizes of the corpora, from their published lists of clips."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from earmark.builders.pairing.allocation import allocate
from earmark.builders.pairing.candidates import count_pairs
from earmark.builders.pairing.cells import Caps, Cell, Selection
from earmark.builders.pairing.pool import Pool
from earmark.manifests.keys import rank

TARGETS = ("confused", "enunciated", "happy", "laughing", "sad", "whisper")
PACES = ("fast", "regular", "slow")


@dataclass(frozen=True, eq=False)
class Clips:
    """Speaker, style and sentence of each clip, with made-up nuisances."""

    pool: Pool
    style: np.ndarray
    sentence: np.ndarray


def clips_of(rows: list[tuple[str, str, str]]) -> Clips:
    rows = sorted(rows, key="_".join)
    ids = tuple("_".join(row) for row in rows)
    columns = [np.unique(column, return_inverse=True)[1].astype(np.int64) for column in zip(*rows, strict=True)]
    ranks = np.array([rank(b"", 1, "pairing", id) for id in ids], np.uint64)
    values = np.random.default_rng(0).normal(size=(len(ids), 3))
    return Clips(Pool(ids, columns[0], values, ranks), np.array([row[1] for row in rows]), columns[2])


def expresso(shared_data: Path) -> Iterator[tuple[str, str, str]]:
    """Speaker, sub-style and sentence number of the base clips in the test split."""
    for line in (shared_data / "expresso" / "test.txt").read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r"(ex\d\d)_([a-z_]+)_(\d{5})", line.strip())
        if found:
            yield found[1], found[2], found[3]


def style_cells(clips: Clips, *, same_speaker: bool) -> list[Cell]:
    """Six targets, two transcripts, 60 non-ties and 30 of either tie."""
    cells = []
    for target in TARGETS:
        good = clips.style == target
        for transcript in ("same", "cross"):
            for kind, demand in (("non_tie", 60), ("both_good", 30), ("both_bad", 30)):
                bad = ~good
                left, right = {"non_tie": (good, bad), "both_good": (good, good), "both_bad": (bad, bad)}[kind]
                equal = (clips.pool.speaker,) if same_speaker else ()
                differ: tuple[np.ndarray, ...] = ()
                if transcript == "same":
                    equal = (*equal, clips.sentence)
                else:
                    differ = (clips.sentence,)
                selection = Selection(target, left, right, equal, differ)
                cells.append(Cell((target, transcript, kind), "style", (selection,), demand))
    return cells


@pytest.mark.slow
def test_style_fully_crossed_fits_expresso_s_test_clips_and_is_proven_cheapest(shared_data: Path):
    clips = clips_of([row for row in expresso(shared_data) if row[1] in {"default", *TARGETS}])
    assert len(clips.pool.ids) == 495
    allocation = allocate(clips.pool, style_cells(clips, same_speaker=False), {"style": Caps(clip=9)}, nearest=12)
    assert [cell.binding for cell in allocation.cells] == [None] * 36
    uses = np.bincount(np.concatenate([allocation.pairs.left, allocation.pairs.right]))
    assert uses.max() <= 9
    (report,) = allocation.solves
    assert report.filled == 1440
    assert 0.0 <= report.gap <= 1e-6


def test_one_speaker_never_says_one_sentence_twice_in_one_style(shared_data: Path):
    clips = clips_of([row for row in expresso(shared_data) if row[1] in {"default", *TARGETS}])
    cells = [cell for cell in style_cells(clips, same_speaker=True) if cell.key[1:] == ("same", "both_good")]
    allocation = allocate(clips.pool, cells, {"style": Caps(clip=9)}, nearest=4)
    assert [(cell.candidates, cell.filled, cell.binding) for cell in allocation.cells] == [(0, 0, "candidates")] * 6


def test_pairs_of_one_speaker_and_sentence_are_those_counted_in_the_real_split(shared_data: Path):
    base = list(expresso(shared_data))
    clips = clips_of([row for row in base if row[1] in {"default", *TARGETS}])
    everyone = np.ones(len(clips.pool.ids), np.bool_)
    _, style = np.unique(clips.style, return_inverse=True)
    codes = style.astype(np.int64)
    one_voice = Selection("any", everyone, everyone, (clips.pool.speaker, clips.sentence), (codes,))
    any_voice = Selection("any", everyone, everyone, (clips.sentence,), (codes,))
    one_style = Selection("any", everyone, everyone, (clips.sentence, codes), (clips.pool.speaker,))
    assert [count_pairs(clips.pool, s) for s in (one_voice, any_voice, one_style)] == [1319, 5148, 670]
    emphasis = clips_of([row for row in base if row[1] == "default_emphasis"])
    everyone = np.ones(len(emphasis.pool.ids), np.bool_)
    assert len(everyone) == 77
    assert count_pairs(emphasis.pool, Selection("any", everyone, everyone, (emphasis.pool.speaker,))) == 704


@pytest.mark.parametrize(("clip_pair", "filled"), [(1, 180), (2, 360)])
def test_the_375_rate_pairs_of_the_paper_cannot_be_had_of_six_speakers(shared_data: Path, clip_pair: int, filled: int):
    """Ten texts at three paces by six speakers: each unordered pair once, or once for either of its two paces."""
    files = json.loads((shared_data / "ears" / "test_files.json").read_text(encoding="utf-8"))
    rows = []
    for speaker, names in files.items():
        for name in names:
            text, _, pace = Path(name).stem.rpartition("_")
            if pace in PACES and re.fullmatch(r"rainbow_\d\d|sentences_0[12]", text):
                rows.append((speaker, pace, text))
    clips = clips_of(rows)
    assert len(clips.pool.ids) == 180
    selections = tuple(
        Selection(pace, clips.style == pace, clips.style != pace, (clips.pool.speaker, clips.sentence))
        for pace in PACES
    )
    cell = Cell(("rate",), "rate", selections, 375)
    (report,) = allocate(clips.pool, [cell], {"rate": Caps(clip_pair=clip_pair)}, nearest=2).cells
    assert (report.candidates, report.feasible, report.filled) == (360, filled, filled)
    assert report.binding == ("clip pair cap" if clip_pair == 1 else "candidates")
