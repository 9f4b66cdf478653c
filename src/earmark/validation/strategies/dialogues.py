"""How a release of dialogues looks: a few dialogues in several modalities and every chain, with what was made for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from hypothesis import strategies as st

from earmark.manifests import keys
from earmark.manifests.acoustics import MEASURES
from earmark.manifests.attempts import ATTEMPTS, CONTEXT, DISSONANT, RESONANT
from earmark.manifests.canonical import canonical_json
from earmark.manifests.declarations import AUDIO, MODALITIES
from earmark.manifests.eqi import FAILURES, SUBSCALES, VALENCES
from earmark.manifests.families.dialogues import (
    CONTEXT_TURNS,
    DIALOGUES,
    DIRECT,
    FIRST,
    REVERSED,
    SECOND,
    SEQUENTIAL_2,
    SEQUENTIAL_4,
    SHOWN,
    STORED,
    TARGETS,
    TURN_4,
    TURN_6,
    UNLINKED,
    protocol_name,
)
from earmark.validation.strategies.cells import Row
from earmark.validation.strategies.sketches import Rows, Sketch, SketchedClip

_NAMES = {subscale.slug: subscale.name for subscale in SUBSCALES}
_AFFECT = ("affect_valence", "affect_arousal", "affect_dominance")


@dataclass(frozen=True, kw_only=True)
class SketchedDialogue:
    """A dialogue before it is rows.

    Args:
        number: Tells it from others.
        subscale: Slug.
        valence: None where it is not known.
        failures: Slugs of the failures at turns 4 and 6; None where they are not known.
        gold_first: Whether the resonant option is stored first, at turns 4 and 6.
        crossed: Whether its two chains go from one order to the other.
        seconds: Length of each clip, in hundredths of a second.
        attempts: How many attempts stand before the one that was used; None where nothing is known of attempts.
    """

    number: int
    subscale: str
    valence: str | None
    failures: tuple[str | None, str | None]
    gold_first: tuple[bool, bool]
    crossed: bool
    seconds: int
    attempts: int | None

    @property
    def name(self) -> str:
        """Its name."""
        return f"{self.subscale}-{self.number:04d}"


def sketches(key: bytes) -> st.SearchStrategy[Sketch]:  # noqa: ARG001  # nothing of it is drawn with the key
    """Releases of one to three dialogues, as audio and in at most one other modality."""
    others = st.sets(st.sampled_from(MODALITIES[1:]), max_size=1)
    return st.builds(_sketch, st.lists(_dialogues(), min_size=1, max_size=3), others, st.booleans())


def _dialogues() -> st.SearchStrategy[SketchedDialogue]:
    failure = st.none() | st.sampled_from([failure.slug for failure in FAILURES])
    return st.builds(
        SketchedDialogue,
        number=st.just(0),
        subscale=st.sampled_from([subscale.slug for subscale in SUBSCALES]),
        valence=st.none() | st.sampled_from(VALENCES),
        failures=st.tuples(failure, failure),
        gold_first=st.tuples(st.booleans(), st.booleans()),
        crossed=st.booleans(),
        seconds=st.integers(1, 2000),
        attempts=st.none() | st.integers(0, 3),
    )


def _sketch(drawn: list[SketchedDialogue], others: set[str], dropped: bool) -> Sketch:
    told = [replace(one, number=n) for n, one in enumerate(drawn)]
    modalities = tuple(modality for modality in MODALITIES if modality == AUDIO or modality in others)
    return Sketch(facets=_NAMES, rows=partial(rows_of, told, modalities, dropped))


def rows_of(dialogues: list[SketchedDialogue], modalities: tuple[str, ...], dropped: bool, key: bytes) -> Rows:
    """The rows of every table.

    Args:
        dialogues: What the release holds.
        modalities: In which they are asked.
        dropped: Whether another dialogue was given up.
        key: The release key.
    """
    rows: Rows = {name: [] for name in DIALOGUES.tables()}
    for dialogue in dialogues:
        _add(rows, dialogue, modalities, key)
        rows["dialogues"].append(_written(dialogue, None))
    if dropped and dialogues:
        lost = replace(dialogues[0], number=9999)
        rows["dialogues"].append(_written(lost, "no pair of turn 4 passes"))
        rows["attempts"].append(_attempt(lost, 4, RESONANT, 0, used=False))
    return rows


def _add(rows: Rows, dialogue: SketchedDialogue, modalities: tuple[str, ...], key: bytes) -> None:
    context = {turn: _put_clip(rows, dialogue, turn, CONTEXT, None, key) for turn in CONTEXT_TURNS[TURN_6]}
    group, items, options = keys.keyed_id(key, "g", [dialogue.name]), {}, {}
    for target, first, failure in zip(TARGETS, dialogue.gold_first, dialogue.failures, strict=True):
        turn = int(target[-1])
        right = _put_clip(rows, dialogue, turn, RESONANT, None, key)
        wrong = _put_clip(rows, dialogue, turn, DISSONANT, failure, key)
        options[target] = [right, wrong] if first else [wrong, right]
        before = [context[place] for place in CONTEXT_TURNS[target]]
        clips = [*before, *options[target]]
        item = keys.item_id(key, family="dialogues", facet=dialogue.subscale, target=target, clips=clips, script=None)
        items[target] = item
        rows["items"].append({"item_id": item, "facet": dialogue.subscale, "group": group, "target": target})
        rows["answers"].append(
            {
                "item_id": item,
                "gold": FIRST if first else SECOND,
                "kind": None,
                "valence": dialogue.valence,
                "scenario_type": None,
                "failure": failure,
            }
        )
        placed = [*enumerate(before)], [*enumerate(options[target])]
        for role, some in zip(DIALOGUES.roles, placed, strict=True):
            rows["item_clips"] += [
                {"item_id": item, "role": role, "position": position, "clip_id": clip} for position, clip in some
            ]
    for modality in modalities:
        _present(rows, dialogue, items, context, options, modality, key)


def _present(
    rows: Rows,
    dialogue: SketchedDialogue,
    items: dict[str, str],
    context: dict[int, str],
    options: dict[str, list[str]],
    modality: str,
    key: bytes,
) -> None:
    def put(target: str, order: str, after: str | None, chains: list[str]) -> str:
        id = keys.presentation_id(key, item=items[target], order=order, after=after, modality=modality)
        turns = CONTEXT_TURNS[target] if after is None else (5,)
        shown = options[target][::-1] if order == REVERSED else options[target]
        prompt = f"{items[target]}-{modality}-{'asked' if after is None else 'next'}"
        rows["presentations"].append(
            {
                "presentation_id": id,
                "item_id": items[target],
                "order": order,
                "after": after,
                "modality": modality,
                "prompt_id": prompt,
                "protocols": [protocol_name(chain, modality) for chain in chains],
                "labels": [*(f"Turn {turn}" for turn in turns), *SHOWN],
                "clips": [*(context[turn] for turn in turns), *shown],
            }
        )
        if prompt not in {row["prompt_id"] for row in rows["prompts"]}:
            answer = canonical_json(DIALOGUES.grammar.describe()).decode()
            rows["prompts"].append(
                {"prompt_id": prompt, "system": "You judge.", "user": f"Which one? ({prompt})", "answer": answer}
            )
        return id

    orders = (STORED, REVERSED)
    for order in orders:
        first = put(TURN_4, order, None, [SEQUENTIAL_2, SEQUENTIAL_4, DIRECT, UNLINKED])
        put(TURN_6, order, None, [DIRECT, UNLINKED])
        for later in orders:
            taken = (order != later) == dialogue.crossed
            put(TURN_6, later, first, [*([SEQUENTIAL_2] if taken else []), SEQUENTIAL_4])


def _put_clip(rows: Rows, dialogue: SketchedDialogue, turn: int, option: str, failure: str | None, key: bytes) -> str:
    speaker = "S1" if turn % 2 else "S2"
    attempt = dialogue.attempts or 0
    clip = SketchedClip(
        path=f"{dialogue.name}/{turn}-{option}.wav",
        rate=24_000,
        spans=((0, 240 * dialogue.seconds + turn),),
        joining_silence=0,
        speaker=f"{dialogue.name}/{speaker}",
        conversation=dialogue.name,
    )
    id = clip.id(key)
    rows["clips"].append({"clip_id": id, "duration": clip.duration, "rate": clip.rate, "licence": "CC0-1.0"})
    rows["sources"].append(
        {
            "clip_id": id,
            "corpus": clip.corpus,
            "corpus_version": clip.corpus_version,
            "path": clip.path,
            "channel": 0,
            "rate": clip.rate,
            "starts": [0],
            "ends": [clip.spans[0][1]],
            "joining_silence": 0,
            "speaker": clip.speaker,
            "conversation": dialogue.name,
            "prompt": None,
            "script": f"{dialogue.name} turn {turn}",
            "text": f"Line {turn} of {dialogue.number}.",
            "text_source": "script",
            "tone_text": f"Speak as somebody {option} would at turn {turn}.",
            "pcm_hash": None,
            "level": None,
            "turn": turn,
            "option": option,
            "failure": failure,
            "voice": f"voice-{speaker}",
            "provider": "made up",
            "model": "none",
            "attempt": attempt,
            "wer": None,
            **dict.fromkeys(_AFFECT),
            **{measure.name: None for measure in MEASURES},
        }
    )
    if dialogue.attempts is not None:
        rows["attempts"] += _attempts(dialogue, turn, option)
    return id


def _attempts(dialogue: SketchedDialogue, turn: int, option: str) -> Iterator[Row]:
    for attempt in range((dialogue.attempts or 0) + 1):
        yield _attempt(dialogue, turn, option, attempt, used=attempt == dialogue.attempts)


def _attempt(dialogue: SketchedDialogue, turn: int, option: str, attempt: int, *, used: bool) -> Row:
    empty: Row = {column.name: None for column in ATTEMPTS.columns}
    return {
        **empty,
        "dialogue": dialogue.name,
        "turn": turn,
        "option": option,
        "attempt": attempt,
        "provider": "made up",
        "model": "none",
        "voice": "voice-S1" if turn % 2 else "voice-S2",
        "tone": f"Speak as somebody {option} would at turn {turn}.",
        "valence": dialogue.valence,
        "rejected": None if used else "points",
        "used": used,
    }


def _written(dialogue: SketchedDialogue, dropped: str | None) -> Row:
    return {
        "dialogue": dialogue.name,
        "subscale": dialogue.subscale,
        "valence": dialogue.valence,
        "scenario_type": None,
        "title": "Made up",
        "record": "{}",
        "dropped": dropped,
    }
