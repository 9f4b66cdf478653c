"""Utterances in the numbers of the real test splits; their texts, lengths and marks are made up.

Counts are facts that the corpora publish; no row of any of them is here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from earmark.builders.plan import Rows

STYLES: dict[str, tuple[tuple[int, int, int, int], int]] = {
    "confused": ((15, 14, 20, 14), 380),
    "default": ((23, 18, 25, 19), 380),
    "default_emphasis": ((18, 20, 20, 19), 200),
    "default_essentials": ((4, 4, 4, 4), 40),
    "enunciated": ((15, 11, 12, 11), 380),
    "happy": ((24, 18, 22, 18), 380),
    "laughing": ((16, 14, 21, 14), 380),
    "sad": ((23, 18, 18, 17), 380),
    "whisper": ((22, 17, 21, 15), 380),
}
"""Expresso: test clips of ex01 … ex04 by sub-style, and the last id; they are the last ones of each."""

EXPRESSO_SEXES = ("male", "female", "male", "female")

EARS_SEXES = ("male", None, "female", "male", "female", "male")

SVC = {
    "9-16": (164, 15_788),
    "17-28": (129, 25_414),
    "29-41": (149, 28_920),
    "42-54": (74, 14_528),
    "55-100": (56, 9_854),
}
"""Sonos SVC: speakers and clips of its test split by age group."""

SVC_WOMEN, SVC_SPEAKERS, SVC_TEXTS = 336, 572, 9_040

_WORDS = "they never said that she would leave before noon and nobody asked about it until".split()  # noqa: SIM905
_BOUNDS = {"9-16": (9, 16), "17-28": (17, 28), "29-41": (29, 41), "42-54": (42, 54), "55-100": (55, 90)}


def row(utterance: str, speaker: str, *, seconds: float, rate: int, **labels: object) -> dict[str, object]:
    """A row of the utterances table with what is given, and nothing where it is not."""
    corpus, _, name = utterance.partition("/")
    return {
        "utterance": utterance,
        "corpus": corpus,
        "path": f"{name}.wav",
        "channel": 0,
        "rate": rate,
        "start": 0,
        "end": max(1, round(seconds * rate)),
        "speaker": f"{corpus}/{speaker}",
        "session": None,
        "script": None,
        "text": None,
        "text_source": "made up",
        "sex": None,
        "age": None,
        "age_group": None,
        "style": None,
        "substyle": None,
        "pace": None,
        "emphasised": [],
        "split": "test",
        **labels,
    }


def expresso(seed: int = 1) -> Rows:
    """588 utterances; the same id is the same sentence, and five emphasis ids share one with another word marked."""
    return sorted(_expresso(random.Random(seed)), key=lambda entry: str(entry["utterance"]))  # noqa: S311


def _expresso(dice: random.Random) -> Iterator[dict[str, object]]:
    for substyle, (counts, last) in STYLES.items():
        for number, count in enumerate(counts):
            for id in range(last - count + 1, last + 1):
                text, marked = f"sentence number {id} of {substyle.partition('_')[2] or 'all'}", []
                if substyle == "default_emphasis":
                    sentence, place = divmod(id - 181, 5)
                    words = [*_WORDS[sentence : sentence + 7], str(sentence)]
                    marked = [words[place + 1]]
                    text = " ".join(f"*{word}*" if word == marked[0] else word for word in words)
                yield row(
                    f"expresso/ex0{number + 1}_{substyle}_{id:05}",
                    f"ex0{number + 1}",
                    seconds=dice.lognormvariate(1.1, 0.35),
                    rate=48_000,
                    sex=EXPRESSO_SEXES[number],
                    style=substyle.partition("_")[0],
                    substyle=substyle,
                    text=text,
                    emphasised=[word.casefold() for word in marked],
                )


def ears(seed: int = 1) -> Rows:
    """180 utterances: six speakers, ten texts, three paces."""
    dice = random.Random(seed)  # noqa: S311
    rows = []
    for number, sex in enumerate(EARS_SEXES, start=102):
        for text in range(10):
            for pace, factor in (("fast", 0.7), ("regular", 1.0), ("slow", 1.4)):
                rows.append(
                    row(
                        f"ears/p{number}/t{text:02}_{pace}",
                        f"p{number}",
                        seconds=factor * dice.uniform(11, 13),
                        rate=48_000,
                        sex=sex,
                        pace=pace,
                        text=f"text number {text}",
                    )
                )
    return sorted(rows, key=lambda entry: str(entry["utterance"]))


def svc(seed: int = 1, share: float = 1.0) -> Rows:
    """94,504 utterances of 572 speakers, or a share of each speaker's."""
    dice = random.Random(seed)  # noqa: S311
    rows: Rows = []
    sexes = ["female"] * SVC_WOMEN + ["male"] * (SVC_SPEAKERS - SVC_WOMEN)
    dice.shuffle(sexes)
    number = 0
    for group, (speakers, clips) in SVC.items():
        for place in range(speakers):
            age = dice.randint(*_BOUNDS[group])
            own = clips // speakers + (place < clips % speakers)
            for clip in range(max(1, round(own * share))):
                # Short commands are said by nearly all, and song titles by few.
                text = int(SVC_TEXTS * dice.random() ** 4)
                rows.append(
                    row(
                        f"svc/audio_{number:04}x{clip:04}",
                        f"{number:04}",
                        seconds=dice.lognormvariate(0.8, 0.3),
                        rate=16_000,
                        sex=sexes[number],
                        age=age,
                        age_group=group,
                        text=f"command {text}",
                    )
                )
            number += 1
    return sorted(rows, key=lambda entry: str(entry["utterance"]))
