"""What is asked of each pair and what is right: its answer, its clips, and what sets it apart from other pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.choices import marks_of
from earmark.manifests.errors import ReleaseError
from earmark.manifests.families.pairs import CRITERIA, FIRST, SECOND, STORED, TIE
from earmark.manifests.rows import optional_text, text, whole
from earmark.scoring.measuring import FEWEST_CLUSTERS, Codes, Figure, Numbering, Options
from earmark.statistics.dyads import Dyads

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.rows import Row
    from earmark.statistics.statistic import Floats

Texts = NDArray[np.str_]
Bools = NDArray[np.bool_]

GOLDS = (FIRST, SECOND, TIE)
"""What a decision counts."""

UNDISCLOSED = "undisclosed"
"""Stands for the sex of a pair in which one is not known."""

SPEAKER, CLIP, PAIR = "speaker", "clip", "pair"
"""Units of resampling, from the largest down."""


@dataclass(frozen=True, eq=False)
class Gold:
    """Pairs, ordered by facet and item id.

    Args:
        items: (k,) item ids.
        facet: (k,) facet of each.
        gold: (k,) index of the right decision in `GOLDS`.
        kind: (k,) non_tie, both_good or both_bad.
        transcript: (k,) same or cross.
        speakers: (k,) same or different.
        sex: (k,) female, male, mixed or undisclosed.
        variant: (k,) main, hard, or what a control is.
        clip: (k, 2) number of the clip stored first, and of the other.
        speaker: (k, 2) number of who speaks in each.
        offered: Presentation id → the choices that its prompt offers.
    """

    items: tuple[str, ...]
    facet: Texts
    gold: Codes
    kind: Texts
    transcript: Texts
    speakers: Texts
    sex: Texts
    variant: Texts
    clip: Codes
    speaker: Codes
    offered: Mapping[str, frozenset[str]]

    def narrowed(self, owed: Collection[str]) -> Gold:
        """The gold of those items alone that a protocol owes."""
        kept = np.array([item in owed for item in self.items], np.bool_)
        if kept.all():
            return self
        columns = ("facet", "gold", "kind", "transcript", "speakers", "sex", "variant", "clip", "speaker")
        fewer: dict[str, NDArray[np.generic]] = {name: getattr(self, name)[kept] for name in columns}
        return replace(self, items=tuple(np.array(self.items, object)[kept].tolist()), **fewer)  # type: ignore[arg-type]  # by name, each of its own type

    def levels(self, pairs: Codes) -> dict[str, Codes]:
        """For each unit of resampling, what pairs are in or made of."""
        return {PAIR: pairs, CLIP: self.clip[pairs], SPEAKER: self.speaker[pairs]}

    def number(self, level: str, figures: Iterable[Figure]) -> Numbering:
        """The pairs of some figures, drawn by one unit."""
        return Numbering(PAIR, figures) if level == PAIR else DyadNumbering(self, level, figures)


class DyadNumbering(Numbering):
    """Pairs that are drawn with what they are made of.

    Args:
        gold: The pairs.
        by: SPEAKER, and clips within each, or CLIP, every speaker being there once. Where pairs of several criteria are drawn
            together, the speakers of those that have fewer than 20 are there once too: in a criterion of four speakers one
            replicate in fifty would have none of them.
        figures: Figures over all the rows concerned.
    """

    numbers_level = False

    def __init__(self, gold: Gold, by: str, figures: Iterable[Figure]) -> None:
        super().__init__(PAIR, figures)
        self._by = by
        speaker, facet = gold.speaker[self.present], gold.facet[self.present]
        self._dyads = Dyads.of(gold.clip[self.present], speaker)
        by_facet = {name: np.unique(speaker[facet == name]) for name in CRITERIA if (facet == name).any()}
        few = {name: those for name, those in by_facet.items() if by == SPEAKER and len(those) < FEWEST_CLUSTERS}
        # Speakers are numbered from 0 in the order of their numbers in the gold.
        self._held = np.isin(np.unique(speaker), np.concatenate([np.zeros(0, np.int64), *few.values()]))
        self.condition = f"the few speakers of {', '.join(few)}" if few else None

    @property
    def factors(self) -> Sequence[Codes]:
        """Which of the speakers or clips that are drawn each pair is made of."""
        if not len(self.present):
            return super().factors
        return self._dyads.factors(self._held if self._by == SPEAKER else np.ones(self._dyads.speakers, np.bool_))

    def weights(self, options: Options) -> Iterable[Floats]:
        """How often each pair is drawn, block by block."""
        if not len(self.present):
            return super().weights(options)
        if self._by == SPEAKER:
            return self._dyads.by_speaker(options.resamples, options.seed, held=self._held)
        return self._dyads.by_clip(options.resamples, options.seed)


def read_gold(release: Release) -> Gold:
    """The gold of a release.

    Raises:
        PrivateSideMissing: If this copy has none.
        ReleaseError: If an item has no gold or not two clips, nothing says who speaks in one, or a prompt not what it offers.
    """
    answers = {text(row, "item_id"): row for row in release.table("answers").to_pylist()}
    speaker = {text(row, "clip_id"): text(row, "speaker") for row in release.table("sources").to_pylist()}
    clips = stored_clips(release)
    facets = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    items = tuple(sorted(facets, key=lambda item: (facets[item], item)))
    for item in items:
        if item not in answers or answers[item]["gold"] not in GOLDS:
            raise _unsound(release, f"item {item} has no gold")
        if len(clips.get(item, ())) != 2 or not all(clip in speaker for clip in clips[item]):
            raise _unsound(release, f"item {item} has not two clips with sources")
    rows = [answers[item] for item in items]
    names = [clip for item in items for clip in clips[item]]
    return Gold(
        items=items,
        facet=np.array([facets[item] for item in items], np.str_),
        gold=np.array([GOLDS.index(text(row, "gold")) for row in rows], np.int64),
        **{name: _texts(rows, name) for name in ("kind", "transcript", "speakers", "sex", "variant")},
        clip=_numbers(names),
        speaker=_numbers([speaker[name] for name in names]),
        offered=offered_choices(release),
    )


def stored_clips(release: Release) -> Mapping[str, tuple[str, ...]]:
    """The clips of each item, in the order that they are stored in."""
    rows = sorted(release.table("item_clips").to_pylist(), key=lambda row: whole(row, "position"))
    clips: dict[str, tuple[str, ...]] = {}
    for row in rows:
        item = text(row, "item_id")
        clips[item] = (*clips.get(item, ()), text(row, "clip_id"))
    return clips


def shown(order: str, clips: tuple[str, ...]) -> tuple[str, ...]:
    """The clips of an item in the order that a presentation shows them in.

    >>> shown("12", ("c1", "c2")), shown("21", ("c1", "c2"))
    (('c1', 'c2'), ('c2', 'c1'))
    """
    return clips if order == STORED else clips[::-1]


def _texts(rows: list[Row], name: str) -> Texts:
    return np.array([optional_text(row, name) or UNDISCLOSED for row in rows], np.str_)


def _numbers(names: list[str]) -> Codes:
    return np.unique(np.array(names, np.str_), return_inverse=True)[1].reshape(-1, 2).astype(np.int64)


def offered_choices(release: Release) -> Mapping[str, frozenset[str]]:
    """The choices that the prompt of each presentation offers.

    Raises:
        ReleaseError: If a prompt does not say which.
    """
    of_prompt = {}
    for row in release.table("prompts").to_pylist():
        choices = frozenset(marks_of(text(row, "answer")).values())
        if not choices:
            raise _unsound(release, f"prompt {row['prompt_id']} does not say which marks it offers")
        of_prompt[text(row, "prompt_id")] = choices
    table = release.table("presentations")
    pairs = zip(table["presentation_id"].to_pylist(), table["prompt_id"].to_pylist(), strict=True)
    return {id: of_prompt[prompt] for id, prompt in pairs if prompt in of_prompt}


def _unsound(release: Release, what: str) -> ReleaseError:
    return ReleaseError(f"{what} in {release.path}; `earmark validate` says what else is wrong")
