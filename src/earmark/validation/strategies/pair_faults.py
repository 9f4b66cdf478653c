"""Broken tables of pairs: sound ones with one named fault, and the code that must be found."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import cast

import msgspec
from hypothesis import strategies as st

from earmark.manifests.families.pairs import BOTH_BAD, BOTH_GOOD, CROSS, FIRST, NON_TIE, SAME, SECOND
from earmark.manifests.families.pairs_recipe import Caps
from earmark.manifests.pairing import AGE_GROUPS
from earmark.validation.strategies.cells import Row
from earmark.validation.strategies.pairing import DrawnPairs, pair_tables

COUNTED = ("pairs.in-one-cell", "pairs.quotas", "pairs.first-balanced", "pairs.speaker-share")
"""What follows where a pair is no longer of the sort that it was counted for."""

CAPPED = ("pairs.clip-cap", "pairs.clip-pair-cap", "pairs.speaker-cap")
"""What follows where more pairs share an utterance or a speaker, since the drawn caps are tight."""


@dataclass(frozen=True)
class PairFault:
    """A fault.

    Args:
        name: What is done, in a few words.
        code: The code that must be found.
        put: Changes the drawn tables or terms in place.
        also: Codes that may follow from it; no other one may.
    """

    name: str
    code: str
    put: Callable[[DrawnPairs], None]
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class BrokenPairs:
    """Tables with a fault in them, and the fault."""

    drawn: DrawnPairs
    fault: PairFault


def broken_pair_tables(fault: PairFault | None = None) -> st.SearchStrategy[BrokenPairs]:
    """Tables broken in exactly one way: in the one given, or in any of `PAIR_FAULTS`.

    Example:
        >>> @given(broken_pair_tables())                            # doctest: +SKIP
        ... def test_my_own_checker_finds_it_too(broken): ...
    """
    return st.builds(put_fault, pair_tables(), st.sampled_from(PAIR_FAULTS) if fault is None else st.just(fault))


def put_fault(drawn: DrawnPairs, fault: PairFault) -> BrokenPairs:
    """The same tables with a fault; what was drawn stays as it was."""
    broken = deepcopy(drawn)
    fault.put(broken)
    return BrokenPairs(broken, fault)


def _pair(drawn: DrawnPairs, **wanted: object) -> Row:
    """The first pair of a sort; the strategy sees to it that there is one."""
    return next(row for row in drawn.pairs if all(row[name] == value for name, value in wanted.items()))


def _utterance(drawn: DrawnPairs, name: object) -> Row:
    return next(row for row in drawn.utterances if row["utterance"] == name)


def _own(drawn: DrawnPairs, pair: Row, side: str) -> Row:
    """An utterance of this pair alone, so that whatever is done to it changes no other pair."""
    row = {**_utterance(drawn, pair[side]), "utterance": f"{pair[side]}-own-{len(drawn.utterances)}", "pcm_hash": None}
    drawn.utterances.append(row)
    pair[side] = row["utterance"]
    return row


def _good_side(pair: Row) -> tuple[str, str]:
    """The preferred side of a non-tie pair and the other one."""
    return (FIRST, SECOND) if pair["preferred"] == FIRST else (SECOND, FIRST)


def _one_name(drawn: DrawnPairs) -> None:
    drawn.pairs[1]["pair"] = drawn.pairs[0]["pair"]


def _utterance_twice(drawn: DrawnPairs) -> None:
    drawn.utterances.append(dict(drawn.utterances[0]))


def _nobody(drawn: DrawnPairs) -> None:
    drawn.pairs[0]["first"] = "nobody"


def _called_good(drawn: DrawnPairs) -> None:
    _pair(drawn, criterion="style", kind=BOTH_BAD)["kind"] = BOTH_GOOD


def _no_label(drawn: DrawnPairs) -> None:
    _own(drawn, _pair(drawn, criterion="style", kind=BOTH_BAD), FIRST)["style"] = None


def _other_side(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, kind=NON_TIE)
    pair["preferred"] = _good_side(pair)[1]


def _preferred_tie(drawn: DrawnPairs) -> None:
    _pair(drawn, kind=BOTH_GOOD)["preferred"] = FIRST


def _other_transcript(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="age")
    pair["transcript"] = CROSS if pair["transcript"] == SAME else SAME


def _no_text(drawn: DrawnPairs) -> None:
    _own(drawn, _pair(drawn, criterion="style", transcript=CROSS), SECOND)["text"] = None


def _one_clip(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="style", kind=BOTH_BAD, transcript=SAME)
    pair["second"] = pair["first"]


def _one_sound(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="gender")
    _own(drawn, pair, SECOND)["pcm_hash"] = _utterance(drawn, pair["first"])["pcm_hash"]


def _second_voice(drawn: DrawnPairs) -> None:
    _own(drawn, _pair(drawn, criterion="style"), SECOND)["speaker"] = "toy-acted/zoe"


def _one_voice(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="age")
    _own(drawn, pair, SECOND)["speaker"] = _utterance(drawn, pair["first"])["speaker"]


def _two_corpora(drawn: DrawnPairs) -> None:
    _own(drawn, _pair(drawn, criterion="rate"), FIRST)["corpus"] = "toy-elsewhere"


def _other_sex(drawn: DrawnPairs) -> None:
    row = _own(drawn, _pair(drawn, criterion="age"), FIRST)
    row["sex"] = "female" if row["sex"] == "male" else "male"


def _sex_unknown(drawn: DrawnPairs) -> None:
    _own(drawn, _pair(drawn, criterion="age"), FIRST)["sex"] = None


def _child(drawn: DrawnPairs) -> None:
    _own(drawn, _pair(drawn, criterion="gender"), FIRST)["age"] = 16


def _border(drawn: DrawnPairs) -> None:
    row = _own(drawn, _pair(drawn, criterion="age", variant="main"), FIRST)
    young, _, old = cast("str", row["age_group"]).partition("-")
    row["age"] = int(old) if row["age_group"] == AGE_GROUPS[0] else int(young)


def _unclear(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="age", kind=BOTH_GOOD, variant="main")
    pair["target"] = AGE_GROUPS[0]
    for side, age in ((FIRST, 14), (SECOND, 11)):
        _own(drawn, pair, side).update(age=age, age_group=AGE_GROUPS[0])


def _neighbour(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="age", kind=NON_TIE, variant="main")
    target = AGE_GROUPS.index(cast("str", pair["target"]))
    _own(drawn, pair, _good_side(pair)[1])["age_group"] = AGE_GROUPS[target + (1 if target == 0 else -1)]


def _far_called_hard(drawn: DrawnPairs) -> None:
    _pair(drawn, criterion="age", kind=NON_TIE, variant="main")["variant"] = "hard"


def _nearer_foil(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="age", kind=BOTH_BAD)
    row = _own(drawn, pair, FIRST)
    target, here = (AGE_GROUPS.index(cast("str", group)) for group in (pair["target"], row["age_group"]))
    others = (group for n, group in enumerate(AGE_GROUPS) if n != target and abs(n - target) != abs(here - target))
    row["age_group"] = next(others)


def _word_again(drawn: DrawnPairs) -> None:
    pair = _pair(drawn, criterion="emphasis", transcript=CROSS)
    row = _own(drawn, pair, FIRST)
    row["text"] = f"{row['text']} And {pair['target']}!"


def _word_gone(drawn: DrawnPairs) -> None:
    _own(drawn, _pair(drawn, criterion="emphasis", transcript=CROSS), SECOND)["text"] = "Nothing of the kind."


def _second_mark(drawn: DrawnPairs) -> None:
    row = _own(drawn, _pair(drawn, criterion="emphasis", kind=NON_TIE), SECOND)
    row["emphasised"] = [*cast("list[str]", row["emphasised"]), "she", "he"]


def _fast_is_slow(drawn: DrawnPairs) -> None:
    """Of both it is measured how fast they are, and the one that is called faster turns out slower."""
    pair = _pair(drawn, criterion="rate", transcript=SAME)
    rows = [_own(drawn, pair, side) for side in (FIRST, SECOND)]
    slow, fast = sorted(rows, key=lambda row: ("slow", "regular", "fast").index(cast("str", row["pace"])))
    for name in ("start", "end", "words_per_second"):
        slow[name], fast[name] = fast[name], slow[name]


def _lower(name: str) -> Callable[[DrawnPairs], None]:
    """Lower one cap of one criterion by one."""

    def put(drawn: DrawnPairs) -> None:
        caps = drawn.caps["gender"]
        drawn.caps["gender"] = msgspec.structs.replace(caps, **{name: getattr(caps, name) - 1})

    return put


def _turned_round(drawn: DrawnPairs) -> None:
    """A pair once more, the other way round and under another name."""
    pair = _pair(drawn, kind=BOTH_GOOD)
    drawn.caps["gender"] = Caps()
    more = {**pair, "pair": "once more", "first": pair["second"], "second": pair["first"]}
    drawn.pairs.append(more)
    for criterion in drawn.caps:
        drawn.caps[criterion] = Caps(clip_pair=1 if criterion == pair["criterion"] else None)


def _one_gone(drawn: DrawnPairs) -> None:
    drawn.pairs.remove(_pair(drawn, criterion="style", kind=BOTH_BAD))


def _wanted_more(drawn: DrawnPairs) -> None:
    cell = drawn.cells[0]
    drawn.cells[0] = msgspec.structs.replace(cell, demand=cell.filled + 1)


def _more_than_feasible(drawn: DrawnPairs) -> None:
    cell = drawn.cells[0]
    drawn.cells[0] = msgspec.structs.replace(cell, feasible=cell.filled - 1)


def _unasked(drawn: DrawnPairs) -> None:
    _pair(drawn, criterion="gender")["variant"] = "unasked"


def _two_cells(drawn: DrawnPairs) -> None:
    drawn.cells.append(drawn.cells[0])


def _all_first(drawn: DrawnPairs) -> None:
    for pair in drawn.pairs:
        if pair["preferred"] == SECOND:
            pair["first"], pair["second"], pair["preferred"] = pair["second"], pair["first"], FIRST


def _voices_tell_the_tie(drawn: DrawnPairs) -> None:
    """One speaker or two are allowed, and all that are both bad are of two."""
    rest = tuple(criterion for criterion in drawn.rules.same_speaker if criterion != "style")
    drawn.rules = msgspec.structs.replace(drawn.rules, same_speaker=rest)
    drawn.cells = [
        msgspec.structs.replace(cell, speakers="any") if cell.criterion == "style" else cell for cell in drawn.cells
    ]
    drawn.caps = {}
    for pair in drawn.pairs:
        if pair["criterion"] == "style" and pair["kind"] == BOTH_BAD:
            _own(drawn, pair, SECOND)["speaker"] = "toy-acted/zoe"


_FAULTS = (
    PairFault("two pairs of one name", "pairs.ids-unique", _one_name),
    PairFault("an utterance stands twice", "pairs.ids-unique", _utterance_twice),
    PairFault("an utterance that is not there", "pairs.utterances-known", _nobody, COUNTED),
    PairFault("both bad called both good", "pairs.kind-matches-labels", _called_good, COUNTED),
    PairFault("an utterance without a label", "pairs.kind-matches-labels", _no_label),
    PairFault("the other side preferred", "pairs.preferred-satisfies", _other_side, ("pairs.first-balanced",)),
    PairFault("one of two good ones preferred", "pairs.preferred-satisfies", _preferred_tie),
    PairFault("same and cross confused", "pairs.transcript-true", _other_transcript, COUNTED),
    PairFault("an utterance without a text", "pairs.transcript-true", _no_text),
    PairFault("one utterance on both sides", "pairs.two-clips", _one_clip, CAPPED),
    PairFault("one recording under two names", "pairs.two-clips", _one_sound),
    PairFault("a second voice", "pairs.same-speaker", _second_voice, COUNTED),
    PairFault("one voice on both sides", "pairs.different-speakers", _one_voice, (*COUNTED, *CAPPED)),
    PairFault("two corpora", "pairs.one-corpus", _two_corpora),
    PairFault("two sexes", "pairs.same-sex", _other_sex, COUNTED),
    PairFault("a sex that is not known", "pairs.same-sex", _sex_unknown, COUNTED),
    PairFault("a child", "pairs.adults-only", _child),
    PairFault("a year beside a border", "pairs.border-years", _border, ("pairs.clear-ages",)),
    PairFault("a child nearly grown up", "pairs.clear-ages", _unclear, COUNTED),
    PairFault("a foil of the next group", "pairs.group-distance", _neighbour, ("pairs.clear-ages",)),
    PairFault("a far foil called hard", "pairs.group-distance", _far_called_hard, COUNTED),
    PairFault("one foil is nearer", "pairs.equal-distance", _nearer_foil, ("pairs.clear-ages",)),
    PairFault("the word stands twice", "pairs.single-occurrence", _word_again),
    PairFault("the word is not there", "pairs.single-occurrence", _word_gone),
    PairFault("several marks", "pairs.single-mark", _second_mark),
    PairFault("fast is slower", "pairs.label-by-sound", _fast_is_slow),
    PairFault("a clip once too often", "pairs.clip-cap", _lower("clip")),
    PairFault("two clips once too often", "pairs.clip-pair-cap", _lower("clip_pair")),
    PairFault("a pair again, turned round", "pairs.clip-pair-cap", _turned_round, COUNTED),
    PairFault("a speaker once too often", "pairs.speaker-cap", _lower("speaker")),
    PairFault("a pair is gone", "pairs.quotas", _one_gone, ("pairs.speaker-share",)),
    PairFault("a demand that is not met", "pairs.quotas", _wanted_more),
    PairFault("more than feasible", "pairs.quotas", _more_than_feasible),
    PairFault("a pair that no cell asks for", "pairs.in-one-cell", _unasked, COUNTED),
    PairFault("a cell twice", "pairs.in-one-cell", _two_cells, COUNTED),
    PairFault("the preferred one always first", "pairs.first-balanced", _all_first),
    PairFault("two voices mean a tie", "pairs.speaker-share", _voices_tell_the_tie),
)

PAIR_FAULTS: tuple[PairFault, ...] = tuple(
    replace(fault, also=tuple(code for code in fault.also if code != fault.code)) for fault in _FAULTS
)
"""A fault for every code of `PAIR_INVARIANTS`, some for several ways to break it."""
