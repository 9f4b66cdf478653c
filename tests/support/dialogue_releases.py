"""A dialogues release made of plain records, in memory or on disk, for tests that need one and not the builder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyarrow as pa
import soundfile

from earmark.manifests import keys
from earmark.manifests.building import Building, building
from earmark.manifests.canonical import canonical_json
from earmark.manifests.declarations import AUDIO, ORACLE
from earmark.manifests.eqi import SUBSCALES, subscale_of
from earmark.manifests.families.dialogues import (
    CONTEXT_TURNS,
    DIALOGUES,
    DIRECT,
    REVERSED,
    SEQUENTIAL_2,
    SEQUENTIAL_4,
    STORED,
    TARGETS,
    UNLINKED,
    protocol_name,
)
from earmark.manifests.release import FacetEntry, Manifest, ProtocolEntry, Release, SourceEntry, canary, open_release

DIALOGUES_KEY = bytes(range(11, 43))
"""The key of every such release."""

CHAINS = (SEQUENTIAL_2, SEQUENTIAL_4, DIRECT)
MODALITIES = (AUDIO, ORACLE)

Rows = dict[str, list[dict[str, object]]]

_TURNS = {"turn 4": 4, "turn 6": 6}
_RATE = 24_000
_OTHER = {STORED: REVERSED, REVERSED: STORED}


@dataclass(frozen=True)
class Option:
    """What is measured of one option."""

    seconds: float = 4.0
    level: float | None = -20.0
    loudness: float | None = -22.0
    arousal: float | None = 0.5
    f0: float | None = 150.0


@dataclass(frozen=True)
class Spoken:
    """A dialogue: what is right at both turns, and the options as they are stored; `failure` is that of the wrong ones."""

    facet: str = "interpersonal_empathy"
    gold: tuple[str, str] = ("first", "second")
    options: tuple[tuple[Option, Option], tuple[Option, Option]] = ((Option(), Option()), (Option(), Option()))
    valence: str | None = "Positive"
    scenario_type: str | None = "home"
    failure: tuple[str | None, str | None] = ("anxious_spiraler", "impatient_evader")

    def stored_otherwise(self) -> Spoken:
        """The same dialogue, the options of both turns stored the other way round."""
        other = {"first": "second", "second": "first"}
        return replace(
            self,
            gold=(other[self.gold[0]], other[self.gold[1]]),
            options=(self.options[0][::-1], self.options[1][::-1]),
        )


@dataclass(frozen=True)
class Presented:
    """A presentation: of which dialogue and turn (0 or 1), in which order, after which other one, owed by which protocols."""

    id: str
    dialogue: int
    turn: int
    order: str
    after: str | None
    modality: str
    protocols: tuple[str, ...]


def some_dialogues(count: int) -> tuple[Spoken, ...]:
    """Dialogues of all subscales in turn; at each turn one option is quieter, calmer, longer and lower."""
    one, other = Option(), Option(5.0, -26.0, -29.0, 0.3, 110.0)
    return tuple(
        Spoken(
            facet=SUBSCALES[n % len(SUBSCALES)].slug,
            gold=(("first", "second")[n % 2], ("second", "first")[n // 2 % 2]),
            options=((one, other), (other, one)) if n % 3 else ((other, one), (one, other)),
            valence=("Positive", "Negative", "Conflict")[n % 3],
            scenario_type=("home", "workplace")[n % 2],
        )
        for n in range(count)
    )


def item_id(n: int, turn: int) -> str:
    """Id of an item of dialogue n; no two have the same clips, so the clips need not be in it."""
    return keys.keyed_id(DIALOGUES_KEY, "i", [n, turn])


def group_id(n: int) -> str:
    """Id of dialogue n."""
    return keys.keyed_id(DIALOGUES_KEY, "g", [n])


def clip_id(n: int, name: str) -> str:
    """Id of a clip of dialogue n, such as "3" or "4 first"."""
    return keys.keyed_id(DIALOGUES_KEY, "c", [n, name])


def presented(
    count: int, chains: Sequence[str] = CHAINS, modalities: Sequence[str] = MODALITIES
) -> tuple[Presented, ...]:
    """Every presentation of so many dialogues, by id; the two conversations of sequential-2 alternate."""
    made: dict[str, Presented] = {}

    def present(n: int, turn: int, order: str, after: str | None, modality: str, chain: str) -> str:
        id = keys.presentation_id(DIALOGUES_KEY, item=item_id(n, turn), order=order, after=after, modality=modality)
        before = made[id].protocols if id in made else ()
        name = protocol_name(chain, modality)
        protocols = before if name in before else (*before, name)
        made[id] = Presented(id, n, turn, order, after, modality, protocols)
        return id

    for n in range(count):
        for modality in modalities:
            for chain in chains:
                for order in (STORED, REVERSED):
                    first = present(n, 0, order, None, modality, chain)
                    if chain in (DIRECT, UNLINKED):
                        present(n, 1, order, None, modality, chain)
                        continue
                    orders = (STORED, REVERSED) if chain == SEQUENTIAL_4 else (order if n % 2 else _OTHER[order],)
                    for then in orders:
                        present(n, 1, then, first, modality, chain)
    return tuple(sorted(made.values(), key=lambda each: each.id))


def dialogue_rows(
    dialogues: Sequence[Spoken], chains: Sequence[str] = CHAINS, modalities: Sequence[str] = MODALITIES
) -> Rows:
    """The rows of each table."""
    rows: Rows = {name: [] for name in DIALOGUES.tables()}
    for n, dialogue in enumerate(dialogues):
        _add(rows, n, dialogue)
    for modality in modalities:
        rows["prompts"].append(
            {
                "prompt_id": modality,
                "system": "You listen.",
                "user": "Which fits?",
                "answer": canonical_json(DIALOGUES.grammar.describe()).decode(),
            }
        )
    clips = {(row["item_id"], row["role"], row["position"]): row["clip_id"] for row in rows["item_clips"]}
    for each in presented(len(dialogues), chains, modalities):
        item = item_id(each.dialogue, each.turn)
        context = CONTEXT_TURNS[TARGETS[each.turn]]
        sent = [at for at, turn in enumerate(context) if each.after is None or turn == 5]
        options = [clips[item, "option", place] for place in ((0, 1) if each.order == STORED else (1, 0))]
        rows["presentations"].append(
            {
                "presentation_id": each.id,
                "item_id": item,
                "order": each.order,
                "after": each.after,
                "modality": each.modality,
                "prompt_id": each.modality,
                "protocols": list(each.protocols),
                "labels": [*(f"Turn {context[at]}" for at in sent), "Option 1", "Option 2"],
                "clips": [*(clips[item, "context", at] for at in sent), *options],
            }
        )
    return rows


def in_memory(rows: Rows, *, private: bool = True) -> Release:
    """The tables of a release, as the scorer reads them, without a file."""
    tables = {name: DIALOGUES.tables()[name].from_rows(each) if each else pa.table({}) for name, each in rows.items()}
    facets = [SimpleNamespace(id=slug, name=subscale_of(slug).name) for slug in _facets(rows)]
    hashes = {"content_hash": "c", "answers_hash": "a"}
    manifest = SimpleNamespace(
        seed=1, facets=facets, name="toy", version="1.0.0", family="dialogues", withdrawn=None, **hashes
    )
    stands_for = SimpleNamespace(
        table=tables.__getitem__, family=DIALOGUES, manifest=manifest, path=Path("toy"), has_private_side=private
    )
    return cast("Release", stands_for)


def write_dialogue_release(
    out: Path,
    dialogues: Sequence[Spoken],
    chains: Sequence[str] = CHAINS,
    modalities: Sequence[str] = MODALITIES,
    *,
    audio: bool = False,
) -> Release:
    """Write such a release with both sides, and open it; with audio each clip has a tenth of a second of a tone."""
    rows = dialogue_rows(dialogues, chains, modalities)
    key = out.with_name(f"{out.name}.key")
    key.write_bytes(DIALOGUES_KEY)
    with building(out, DIALOGUES, key=key) as work:
        for name, table in rows.items():
            work.write_table(name, table)
        if audio:
            (work.partial / "public" / "audio").mkdir()
            for n, row in enumerate(rows["clips"]):
                (work.partial / "public" / "audio" / f"{row['clip_id']}.flac").write_bytes(_tone(40 + n % 50))
        work.write_manifest(_manifest(work, rows, chains, modalities))
    return open_release(out)


@cache
def _tone(half_period: int) -> bytes:
    """A tenth of a second of a square wave."""
    samples, file = np.where(np.arange(800) // half_period % 2, 0.25, -0.25), BytesIO()
    soundfile.write(file, samples, 8000, format="FLAC", subtype="PCM_16")
    return file.getvalue()


def _facets(rows: Rows) -> list[str]:
    present = {str(row["facet"]) for row in rows["items"]}
    return [subscale.slug for subscale in SUBSCALES if subscale.slug in present]


def _add(rows: Rows, n: int, dialogue: Spoken) -> None:
    for turn in (1, 2, 3, 5):
        _add_clip(rows, n, turn, "context", f"{turn}", Option(), None)
    for turn, target in enumerate(TARGETS):
        item = item_id(n, turn)
        rows["items"].append({"item_id": item, "facet": dialogue.facet, "group": group_id(n), "target": target})
        rows["answers"].append(
            {
                "item_id": item,
                "gold": dialogue.gold[turn],
                "kind": None,
                "valence": dialogue.valence,
                "scenario_type": dialogue.scenario_type,
                "failure": dialogue.failure[turn],
            }
        )
        for position, before in enumerate(CONTEXT_TURNS[target]):
            row = {"item_id": item, "role": "context", "position": position, "clip_id": clip_id(n, f"{before}")}
            rows["item_clips"].append(row)
        for position, (option, place) in enumerate(zip(dialogue.options[turn], ("first", "second"), strict=True)):
            name = f"{_TURNS[target]} {place}"
            rows["item_clips"].append(
                {"item_id": item, "role": "option", "position": position, "clip_id": clip_id(n, name)}
            )
            right = place == dialogue.gold[turn]
            kind = "resonant" if right else "dissonant"
            _add_clip(rows, n, _TURNS[target], kind, name, option, None if right else dialogue.failure[turn])


def _add_clip(rows: Rows, n: int, turn: int, kind: str, name: str, option: Option, failure: str | None) -> None:
    id, ends = clip_id(n, name), round(option.seconds * _RATE)
    rows["clips"].append({"clip_id": id, "duration": option.seconds, "rate": _RATE, "licence": "CC0-1.0"})
    source: dict[str, object] = {
        "clip_id": id,
        "corpus": "toy",
        "corpus_version": "1",
        "path": f"{n}/{name.replace(' ', '-')}.wav",
        "channel": 0,
        "rate": _RATE,
        "starts": [0],
        "ends": [ends],
        "joining_silence": 0,
        "speaker": f"d{n}/S{2 - turn % 2}",
        "conversation": f"d{n}",
        "script": f"d{n} turn {turn}",
        "text": f"words of turn {turn}",
        "text_source": "script",
        "tone_text": "warmly",
        "level": option.level,
        "loudness": option.loudness,
        "turn": turn,
        "option": kind,
        "failure": failure,
        "voice": "v",
        "provider": "toy",
        "model": "toy 1",
        "attempt": 0,
        "affect_arousal": option.arousal,
        "f0_median": option.f0,
    }
    rows["sources"].append({column.name: None for column in DIALOGUES.tables()["sources"].columns} | source)


def _manifest(work: Building, rows: Rows, chains: Sequence[str], modalities: Sequence[str]) -> Manifest:
    names = [(protocol_name(chain, modality), modality) for modality in modalities for chain in chains]
    return Manifest(
        format=1,
        name="hand",
        version="1.0.0",
        family="dialogues",
        builder="earmark tests",
        canary=canary("hand", "1.0.0"),
        seed=1,
        gold="hidden",
        recipe={},
        sources=[SourceEntry(corpus="toy", version="1", licence="CC0-1.0", metadata={})],
        facets=[
            FacetEntry(id=slug, name=subscale_of(slug).name, items=sum(row["facet"] == slug for row in rows["items"]))
            for slug in _facets(rows)
        ],
        protocols=[
            ProtocolEntry(
                name=name,
                modality=modality,
                orders=list(DIALOGUES.orders),
                presentations=sum(name in cast("list[str]", row["protocols"]) for row in rows["presentations"]),
            )
            for name, modality in names
        ],
        tables=work.entries,
        media=None,
    )
