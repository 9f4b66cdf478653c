"""Tables of utterances and of sound pairs, for tests of other people's pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import product
from typing import cast

import msgspec
from hypothesis import strategies as st

from earmark.manifests.families.pairs import CRITERIA, FIRST, KINDS, NON_TIE, SECOND, TRANSCRIPTS
from earmark.manifests.families.pairs_recipe import MAIN, Caps, Cell, Criterion, Rules
from earmark.manifests.findings import Findings
from earmark.validation.pairing import PairInvariant, PairTables, check_pairs
from earmark.validation.strategies.cells import Row
from earmark.validation.strategies.stock import Candidate, Sort, candidates, stock

_SPELLINGS = (str, str.upper, "{}!".format, "<laugh> {}".format, "  {} ".format)


@dataclass(repr=False)
class DrawnPairs:
    """Tables with the terms that they keep to; a test may change any of them before it asks.

    Args:
        utterances: Rows of UTTERANCES, with `pcm_hash` and `words_per_second` beside.
        pairs: Rows of PAIRS.
        rules: The rules in force.
        caps: The caps of each criterion, so tight that none could be lower.
        cells: The cells, every pair in one.
    """

    utterances: list[Row]
    pairs: list[Row]
    rules: Rules = field(default_factory=Rules)
    caps: dict[Criterion, Caps] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)

    def __repr__(self) -> str:
        """Its size: written out it would fill pages."""
        return f"<DrawnPairs: {len(self.utterances)} utterances, {len(self.pairs)} pairs, {len(self.cells)} cells>"

    def tables(self) -> PairTables:
        """The tables as `check_pairs` takes them."""
        return PairTables.of(self.utterances, self.pairs)

    def check(self, invariants: Sequence[PairInvariant] | None = None) -> Findings:
        """What `check_pairs` finds under these terms."""
        return check_pairs(self.tables(), self.rules, caps=self.caps, cells=self.cells, invariants=invariants)


@st.composite
def utterances(draw: st.DrawFn, *, least: int = 0, most: int = 60, corpora: Sequence[str] | None = None) -> list[Row]:
    """Utterances with labels for all five criteria, in any order, spelled in different ways.

    Several share a text, a speaker, or both; the sex of some is undisclosed. Five corpora, one for each criterion, have speakers
    of their own: "toy-acted" styles, "toy-marked" emphasis, "toy-paced" paces, "toy-asked" ages, "toy-read" both sexes.

    Args:
        draw: Given by Hypothesis.
        least: Fewest rows.
        most: Most rows, 78 or fewer.
        corpora: Names of the corpora to draw from; all five if None.

    Example:
        >>> @given(utterances())                                    # doctest: +SKIP
        ... def test_my_pairing(rows): ...
    """
    every = [n for n, row in enumerate(stock()) if corpora is None or row["corpus"] in corpora]
    taken = draw(st.lists(st.sampled_from(every), min_size=least, max_size=min(most, len(every)), unique=True))
    return _dressed(taken, draw(st.integers(0, 99)))


@st.composite
def pair_tables(draw: st.DrawFn) -> DrawnPairs:
    """Utterances and sound pairs of them under all rules: `check_pairs` finds nothing wrong with them.

    Every criterion and every kind that it can have occurs, so that every fault can be put into every table.

    Example:
        >>> @given(pair_tables())                                   # doctest: +SKIP
        ... def test_my_own_checker_is_content(drawn): ...
    """
    salt = draw(st.integers(0, 99))
    chosen = {sort: draw(_some(sort)) for sort in draw(_sorts())}
    every = _dressed(range(len(stock())), salt)
    names = {n: str(row["utterance"]) for n, row in enumerate(every)}
    pairs = [row for sort, taken in chosen.items() for row in draw(_stored(sort, taken, names))]
    pairs.sort(key=lambda row: _hash(salt, str(row)))
    for n, row in enumerate(pairs):
        row["pair"] = f"pair-{n:03d}"
    used = {name for row in pairs for name in (row["first"], row["second"])}
    spare = draw(st.integers(0, 4))
    spoken = [row for n, row in enumerate(every) if row["utterance"] in used or n % 5 < spare]
    spoken.sort(key=lambda row: _hash(salt, str(row["utterance"])))
    return DrawnPairs(spoken, pairs, caps=_tight_caps(spoken, pairs), cells=[_cell(*entry) for entry in chosen.items()])


@st.composite
def _sorts(draw: st.DrawFn) -> list[Sort]:
    """Cells with two pairs or more: of each criterion, kind and transcript that have any, a main one, and a hard one at times."""
    taken = [draw(st.sampled_from(main)) for main, _ in _choices()]
    for _, hard in _choices():
        if bool(hard) and draw(st.booleans()):
            taken.append(draw(st.sampled_from(hard)))
    return taken


@cache
def _choices() -> list[tuple[list[Sort], list[Sort]]]:
    """For each criterion, kind and transcript, the cells of main pairs and the others."""
    able = [sort for sort, pairs in candidates().items() if len(pairs) > 1]
    grouped = [
        [sort for sort in able if (sort.criterion, sort.kind, sort.transcript) == place]
        for place in product(CRITERIA, KINDS, TRANSCRIPTS)
    ]
    split = [([s for s in sorts if s.variant == MAIN], [s for s in sorts if s.variant != MAIN]) for sorts in grouped]
    return [(main, others) for main, others in split if main]


@cache
def _some(sort: Sort) -> st.SearchStrategy[list[Candidate]]:
    return st.lists(st.sampled_from(candidates()[sort]), min_size=2, max_size=4, unique=True)


@st.composite
def _stored(draw: st.DrawFn, sort: Sort, taken: list[Candidate], names: Mapping[int, str]) -> list[Row]:
    """Rows of one cell, the preferred utterance stored first in every other one."""
    rows: list[Row] = []
    turn = draw(st.booleans())
    for n, (target, good, other) in enumerate(taken):
        swapped = (n % 2 == 1) != turn if sort.kind == NON_TIE else draw(st.booleans())
        first, second = (other, good) if swapped else (good, other)
        rows.append(
            {
                "criterion": sort.criterion,
                "target": target,
                "first": names[first],
                "second": names[second],
                "kind": sort.kind,
                "preferred": (SECOND if swapped else FIRST) if sort.kind == NON_TIE else None,
                "transcript": sort.transcript,
                "variant": sort.variant,
            }
        )
    return rows


def _dressed(taken: Sequence[int], salt: int) -> list[Row]:
    """Rows of the stock under other names, their texts spelled in other ways, with hashes of samples that nobody shares."""
    rows = []
    for n in taken:
        row = stock()[n]
        code = _hash(salt, str(row["utterance"]))
        spell = _SPELLINGS[int(code, 16) % len(_SPELLINGS)]
        speed = None if row["pace"] is None else 60.0 / cast("int", row["end"])
        rows.append(
            {
                **row,
                "utterance": f"{row['corpus']}/{code}",
                "text": spell(str(row["text"])),
                "emphasised": list(cast("list[str]", row["emphasised"])),
                "pcm_hash": f"blake2b-256:{code:0>64}",
                "words_per_second": speed,
            }
        )
    return rows


def _cell(sort: Sort, taken: Sequence[Candidate]) -> Cell:
    able, count = len(candidates()[sort]), len(taken)
    numbers = {"demand": count, "candidates": able, "feasible": able, "filled": count}
    return msgspec.convert({**vars(sort), **numbers}, Cell)


def _tight_caps(spoken: Sequence[Row], pairs: Sequence[Row]) -> dict[Criterion, Caps]:
    speaker = {row["utterance"]: row["speaker"] for row in spoken}
    caps: dict[Criterion, Caps] = {}
    for criterion in cast("tuple[Criterion, ...]", CRITERIA):
        both = [(row["first"], row["second"]) for row in pairs if row["criterion"] == criterion]
        caps[criterion] = Caps(
            clip=_most(name for pair in both for name in pair),
            clip_pair=_most(frozenset(pair) for pair in both),
            speaker=_most(name for pair in both for name in {speaker[side] for side in pair}),
        )
    return caps


def _most(used: Iterable[object]) -> int:
    return max(Counter(used).values(), default=0)


def _hash(salt: int, name: str) -> str:
    return blake2b(name.encode(), digest_size=6, salt=salt.to_bytes(2, "big")).hexdigest()
