"""A stock of made-up utterances from five made-up corpora, one for each criterion, and every pair that the rules allow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import cast

from earmark.manifests.criteria import kind_of, satisfies, transcript_of
from earmark.manifests.families.pairs import BOTH_BAD, NON_TIE
from earmark.manifests.families.pairs_recipe import HARD, MAIN
from earmark.manifests.pairing import AGE_GROUPS, PACES, SEXES
from earmark.validation.strategies.cells import Row

RATE = 16_000

STYLES = ("happy", "sad", "default")
_SENTENCES = ("We left the keys at home.", "Did you see that?", "It's all right.")
_ORDERS = ("volume off", "play some jazz")
_MARKED = (
    "She never *said* it was mine.",
    "She never said it was *mine*.",
    "She never said it was mine.",
    "He *said* nothing at all.",
    "He said *nothing* at all.",
)
_AGES = {"9-16": 11, "17-28": 23, "29-41": 35, "42-54": 48, "55-100": 70}
_SECONDS = {"fast": 0.7, "regular": 1.0, "slow": 1.4}


@dataclass(frozen=True)
class Sort:
    """What the pairs of one cell have in common; the fields are those of `earmark.manifests.families.pairs_recipe.Cell`."""

    criterion: str
    target: str | None
    kind: str
    transcript: str
    speakers: str
    sex: str
    variant: str


Candidate = tuple[str, int, int]
"""A target and the places in the stock of two utterances, the one that satisfies it first where one does alone."""


@cache
def stock() -> tuple[Row, ...]:
    """All utterances; a name is the corpus, a slash and a number."""
    return tuple({**row, "utterance": f"{row['corpus']}/{n:03d}"} for n, row in enumerate(_utterances()))


def _utterances() -> Iterator[Row]:
    sex: str | None
    for speaker, sex in (("ann", "female"), ("bob", "male")):
        for sentence in _SENTENCES:
            for style in STYLES:
                yield _row("toy-acted", speaker, sentence, sex=sex, style=style)
        for text in _MARKED:
            word = text.split("*")[1:2]
            yield _row("toy-marked", speaker, text, sex=sex, style="default", emphasised=word)
    for speaker, sex in (("cat", "female"), ("dan", None)):
        for sentence in _SENTENCES[:2]:
            for pace in PACES:
                yield _row("toy-paced", speaker, sentence, sex=sex, pace=pace)
    for group, age in _AGES.items():
        for sex in SEXES:
            for n in range(2):
                for order in _ORDERS:
                    yield _row("toy-asked", f"{sex}-{age}-{n}", order, sex=sex, age=age + n, age_group=group)
    for speaker, sex in (("eve", "female"), ("fay", "female"), ("gus", "male"), ("hal", "male"), ("ira", None)):
        for order in _ORDERS:
            yield _row("toy-read", speaker, order, sex=sex, age=40)


def _row(corpus: str, speaker: str, text: str, **labels: object) -> Row:
    seconds = _SECONDS[cast("str", labels.get("pace") or "regular")]
    return {
        "corpus": corpus,
        "path": f"{corpus}/{speaker}.wav",
        "channel": 0,
        "rate": RATE,
        "start": 0,
        "end": round(seconds * RATE),
        "speaker": f"{corpus}/{speaker}",
        "session": None,
        "script": None,
        "text": text,
        "text_source": "made up",
        **dict.fromkeys(("sex", "age", "age_group", "style", "substyle", "pace")),
        "emphasised": [],
        "split": "test",
        **labels,
    }


@cache
def candidates() -> Mapping[Sort, tuple[Candidate, ...]]:
    """Every pair that the default rules allow, by its sort."""
    found: dict[Sort, list[Candidate]] = defaultdict(list)
    rows = stock()
    for first, second in combinations(range(len(rows)), 2):
        if rows[first]["corpus"] == rows[second]["corpus"]:
            for criterion, target in _questions(str(rows[first]["corpus"])):
                good = satisfies(rows[first], criterion, target), satisfies(rows[second], criterion, target)
                sort = _sort(rows[first], rows[second], criterion, target, good)
                if sort is not None:
                    found[sort].append((target, second, first) if good[1] and not good[0] else (target, first, second))
    return {sort: tuple(pairs) for sort, pairs in found.items()}


def _questions(corpus: str) -> list[tuple[str, str]]:
    return {
        "toy-acted": [("style", style) for style in STYLES],
        "toy-marked": [("emphasis", "said"), ("emphasis", "mine")],
        "toy-paced": [("rate", pace) for pace in PACES],
        "toy-asked": [("age", group) for group in AGE_GROUPS],
        "toy-read": [("gender", sex) for sex in SEXES],
    }[corpus]


def _sort(a: Row, b: Row, criterion: str, target: str, good: tuple[bool | None, bool | None]) -> Sort | None:
    """The sort of a pair, None where a rule forbids it; told anew here, so that the invariants have something to agree with."""
    one_voice = a["speaker"] == b["speaker"]
    if good[0] is None or good[1] is None or one_voice == (criterion in ("age", "gender")):
        return None
    kind, sex, variant = kind_of(good[0], good[1]), "any", MAIN
    if criterion == "emphasis" and not all(str(row["text"]).replace("*", "").count(target) == 1 for row in (a, b)):
        return None
    if criterion == "gender":
        sex = "mixed" if a["sex"] != b["sex"] else str(a["sex"])
    if criterion == "age":
        far = [abs(AGE_GROUPS.index(str(row["age_group"])) - AGE_GROUPS.index(target)) for row in (a, b)]
        if a["sex"] != b["sex"] or (kind == BOTH_BAD and far[0] != far[1]):
            return None
        sex, variant = str(a["sex"]), HARD if kind == NON_TIE and max(far) == 1 else MAIN
    if criterion == "rate" and kind != NON_TIE:
        return None
    return Sort(
        criterion=criterion,
        target=None if criterion == "emphasis" else target,
        kind=kind,
        transcript=transcript_of(str(a["text"]), str(b["text"])),
        speakers="same" if one_voice else "different",
        sex=sex,
        variant=variant,
    )
