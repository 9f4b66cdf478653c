"""The layout of Seamless Interaction, written: prompts, casts, one member's files, and rows of the three tables."""

from __future__ import annotations

import json
from csv import writer
from dataclasses import dataclass
from io import StringIO
from math import exp
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.builders.miniatures.conversation import RATE, Member, Speaker, Track, hum, lay_out, plan
from earmark.builders.voices.espeak import render_script

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from earmark.builders.miniatures.deliveries import Pole
    from earmark.builders.miniatures.dice import Dice, Key

INTERACTION_COLUMNS = (
    "",
    "prompt_hash",
    "prompt_id_unique",
    "participant_a_prompt_text",
    "participant_b_prompt_text",
    "ipc_a",
    "ipc_b",
    "interaction_type",
)
FILELIST_COLUMNS = (
    "file_id",
    "label",
    "split",
    "batch_idx",
    "archive_idx",
    "has_imitator_movement",
    "has_annotation_1p",
    "has_annotation_3p",
)
ASSIGNMENT_COLUMNS = (
    "prompt_id_unique",
    "a_id",
    "b_id",
    "role_a",
    "role_b",
    "ipc_a",
    "ipc_b",
    "participant_a_prompt_text",
    "participant_b_prompt_text",
    "interaction_type",
)

_ARCHIVES = 6
_SINGLE_SECONDS, _INTERACTION_SECONDS = (34.0, 40.0), (12.0, 16.0)
_VOICES = ("f1", "m1", "f2", "m3", "f3", "m4", "f4", "m6", "f5", "m7", "m8", "m2")
_SETTINGS = (
    ("tenant", "neighbour", "who waters the plants in the stairwell"),
    ("clerk", "visitor", "which counter the form belongs to"),
    ("driver", "passenger", "which way to take to the station"),
    ("cook", "guest", "what is left in the kitchen"),
    ("librarian", "reader", "where the atlas has gone"),
    ("gardener", "neighbour", "where the new hedge should stand"),
    ("coach", "player", "when the hall is free"),
    ("baker", "customer", "how many loaves were ordered"),
    ("teacher", "parent", "what to bring on the day out"),
    ("mechanic", "owner", "when the bicycle will be ready"),
)


class Prompt(NamedTuple):
    """A row of interactions.csv for a role play, with the poles that its roles stand for."""

    number: int
    prompt_id: str
    roles: tuple[str, str]
    poles: tuple[Pole, Pole]
    codes: tuple[str, str]
    texts: tuple[str, str]


class Cast(NamedTuple):
    """A conversation before it is spoken: prompt, members (A first) and the archives that will hold their files."""

    prompt: Prompt
    members: tuple[Member, Member]
    speakers: tuple[str, str]
    split: str
    archives: tuple[int, int]

    def path(self, side: int) -> str:
        """Where a member's WAV file goes, relative to the root."""
        return f"improvised/{self.split}/0000/{self.archives[side]:04d}/{self.members[side].file_id}.wav"


@dataclass
class Tables:
    """The rows of the three CSV files, and how they are written.

    Attributes:
        interactions: rows of `INTERACTION_COLUMNS`.
        filelist: rows of `FILELIST_COLUMNS`.
        assignment: rows of `ASSIGNMENT_COLUMNS`.
        line_end: what ends a line, inside quoted texts too.
        mark: what stands before the first column.
        without: a column of the assignment that is left out.
    """

    interactions: list[Sequence[str]]
    filelist: list[Sequence[str]]
    assignment: list[Sequence[str]]
    line_end: str = "\n"
    mark: str = ""
    without: str | None = None

    def write(self, root: Path) -> None:
        """Write the three files."""
        for name, columns, rows in (
            ("interactions", INTERACTION_COLUMNS, self.interactions),
            ("filelist", FILELIST_COLUMNS, self.filelist),
            ("assignment", ASSIGNMENT_COLUMNS, self.assignment),
        ):
            text = StringIO()
            table = writer(text, lineterminator="\n")
            kept = [n for n, column in enumerate(columns) if name != "assignment" or column != self.without]
            table.writerows([row[n] for n in kept] for row in [columns, *rows])
            whole = self.mark + text.getvalue().replace("\n", self.line_end)
            (root / f"{name}.csv").write_bytes(whole.encode())


def perform(dice: Dice, cast: Cast, speech: bool) -> tuple[Track, Track]:
    """Speak a conversation."""
    scene = dice.within(*cast.members[0].file_id.split("_")[:3])
    planned = plan(scene, cast.members)
    return lay_out(scene, planned, render_script(planned.script) if speech else [hum(said) for said in planned.script])


def write_side(root: Path, cast: Cast, side: int, track: Track, dice: Dice) -> None:
    """Write a member's WAV and JSON files."""
    path = root / cast.path(side)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_wav(path, track.samples)
    described = json.dumps(annotation(cast.members[side].file_id, track, dice))
    path.with_suffix(".json").write_text(described, encoding="utf-8", newline="\n")


def annotation(file_id: str, track: Track, dice: Dice) -> dict[str, object]:
    """What the corpus's JSON file says of a member's channel."""
    transcript = []
    for line in track.lines:
        words = []
        for n, word in enumerate(line.words):
            times = {} if word.start is None else {"start": word.start, "end": word.end}
            score = round(dice.between(0.6, 0.99, file_id, "score", f"{line.start:.2f}", n), 3)
            words.append({"word": word.text, **times, **({"score": score} if times else {})})
        transcript.append({"words": words, "start": line.start, "end": line.end, "transcript": line.text})
    return {
        "id": file_id,
        "metadata:transcript": transcript,
        "metadata:vad": [{"start": start, "end": end} for start, end in track.vad],
    }


def write_wav(path: Path, samples: NDArray[np.int16] | NDArray[np.float32], rate: int = RATE) -> None:
    """Write one channel as a canonical WAV file, which names no writer and no time: int16 as PCM, float32 as IEEE floats."""
    width = samples.dtype.itemsize
    body = samples.astype(samples.dtype.newbyteorder("<"), copy=False).tobytes()
    kind = 1 if samples.dtype.kind == "i" else 3
    fields = (16, 4), (kind, 2), (1, 2), (rate, 4), (rate * width, 4), (width, 2), (8 * width, 2)
    form = b"".join(value.to_bytes(size, "little") for value, size in fields)
    size = (4 + 4 + len(form) + 8 + len(body)).to_bytes(4, "little")
    path.write_bytes(b"RIFF" + size + b"WAVEfmt " + form + b"data" + len(body).to_bytes(4, "little") + body)


def cast_of(
    dice: Dice, prompt: Prompt, vendor: int, session: int, pair: tuple[int, int], scale: float, *key: Key
) -> Cast:
    """Give a prompt's two roles to two participants of one vendor."""
    scene = dice.within("cast", vendor, session, prompt.number, *key)
    members, speakers = [], []
    order = pair if scene.chance(0.5, "order") else pair[::-1]
    for side, participant in enumerate(order):
        person = dice.within("participant", vendor, participant)
        # The first vendor's ids carry an A where its site re-registered people; the second's never do.
        name = f"P{participant + 1:04d}{'A' if vendor == 0 and person.chance(0.8, 'suffix') else ''}"
        pole = prompt.poles[side]
        seconds = scene.between(
            *(_INTERACTION_SECONDS if _is_interaction(prompt) else _SINGLE_SECONDS), "seconds", side
        )
        voice = _VOICES[(participant + 5 * vendor) % len(_VOICES)]
        speaker = Speaker(
            f"en-us+{voice}",
            person.whole(38, 58, "pitch"),
            exp(0.16 * person.normal("level")),
            exp(0.05 * person.normal("tempo")),
        )
        file_id = f"V{vendor:02d}_S{session + 1:04d}_I{prompt.number:08d}_{name}"
        members.append(Member(file_id, speaker, pole.delivery, scale * seconds * pole.delivery.share))
        speakers.append(f"V{vendor:02d}_{name}")
    split = dice.pick(("train", "dev", "test"), "split", vendor, session)
    return Cast(
        prompt,
        (members[0], members[1]),
        (speakers[0], speakers[1]),
        split,
        scene.pick_two(range(_ARCHIVES), "archives"),
    )


def file_row(cast: Cast, side: int) -> tuple[str, ...]:
    """A member's row of filelist.csv."""
    return (cast.members[side].file_id, "improvised", cast.split, "0", str(cast.archives[side]), "1", "0", "0")


def assignment_row(cast: Cast) -> tuple[str, ...]:
    """A conversation's row of assignment.csv."""
    ids = (member.file_id for member in cast.members)
    return (cast.prompt.prompt_id, *ids, *cast.prompt.roles, *cast.prompt.codes, *cast.prompt.texts, "ipc_conversation")


def prompt_row(index: int, prompt: Prompt) -> tuple[str, ...]:
    """A prompt's row of interactions.csv."""
    return (str(index), f"{prompt.number:08d}", prompt.prompt_id, *prompt.texts, *prompt.codes, "ipc_conversation")


def prompt_of(dice: Dice, number: int, poles: tuple[Pole, Pole], turn: int) -> Prompt:
    """Write a prompt for two poles; `turn` chooses among their roles."""
    roles, codes = [], []
    for pole in poles:
        role, code = pole.roles[turn % len(pole.roles)]
        roles.append(role)
        codes.append(code)
    own = dice.within("prompt", number)
    *parts, matter = own.pick(_SETTINGS, "setting")
    scenario = ""
    prompt_id = f"P{number:04d}_v3.2.{number % 5}.RP_{codes[0]}_{codes[1]}"
    if number % 2:
        prompt_id = f"RP{number % 4}.{number % 7}_{codes[0]}_{codes[1]}_{number}"
        scenario = f"Scenario: {matter.split()[-1].title()}: A {parts[0]} and a {parts[1]} talk about {matter}.\n"
    # A few real prompts have a space before the role, or something other than a colon after it.
    before = " " if number % 11 == 5 else ""
    texts = []
    for role, part in zip(roles, parts, strict=True):
        after = {3: " -", 8: f" ({part.title()}):"}.get(number % 13, ":")
        texts.append(
            f"{scenario}{before}({role}){after} As the {part}, talk with your partner about {matter}.\n"
            "Stay with the matter, and let it be heard who you are."
        )
    return Prompt(number, prompt_id, (roles[0], roles[1]), poles, (codes[0], codes[1]), (texts[0], texts[1]))


def _is_interaction(prompt: Prompt) -> bool:
    return any(pole.interaction for pole in prompt.poles)
