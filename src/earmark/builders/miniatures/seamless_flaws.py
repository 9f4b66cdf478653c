"""What is wrong with real corpora, put into a miniature one on purpose, each thing in a place of its own."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.audio.decode import as_float
from earmark.audio.resample import quantise, resample
from earmark.builders.miniatures.conversation import RATE, Track
from earmark.builders.miniatures.deliveries import POLES
from earmark.builders.miniatures.seamless_layout import (
    ASSIGNMENT_COLUMNS,
    Cast,
    Prompt,
    Tables,
    annotation,
    assignment_row,
    cast_of,
    file_row,
    perform,
    prompt_of,
    prompt_row,
    write_side,
    write_wav,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from earmark.builders.miniatures.dice import Dice

_VENDOR = 3  # no sound conversation is from here
_FIRST_PROMPT = 1100
_SCALE = 0.4  # at most: a flaw needs no long conversation


class Flaw(NamedTuple):
    """Something that is wrong on purpose.

    Attributes:
        name: one of `FLAWS`.
        where: the file id, prompt id or file name that it is in.
    """

    name: str
    where: str


@dataclass(frozen=True, slots=True)
class _Scene:
    """A conversation that was written whole and may now be damaged; its member A bears the flaw."""

    root: Path
    dice: Dice
    tables: Tables
    cast: Cast
    tracks: tuple[Track, Track]

    @property
    def a_id(self) -> str:
        return self.cast.members[0].file_id

    def wav(self, side: int = 0) -> Path:
        return self.root / self.cast.path(side)

    def rewrite(self, track: Track) -> None:
        write_side(self.root, self.cast, 0, track, self.dice)

    def assign(self, **changes: str) -> None:
        """Change columns of the conversation's row in assignment.csv, the last one."""
        row = dict(zip(ASSIGNMENT_COLUMNS, self.tables.assignment[-1], strict=True)) | changes
        self.tables.assignment[-1] = tuple(row.values())


def _missing_partner(scene: _Scene) -> str:
    scene.wav(1).unlink()
    scene.wav(1).with_suffix(".json").unlink()
    return scene.cast.members[1].file_id


def _silent(scene: _Scene) -> str:
    scene.rewrite(Track(np.zeros_like(scene.tracks[0].samples), [], []))
    return scene.a_id


def _vad_beyond_end(scene: _Scene) -> str:
    track = scene.tracks[0]
    seconds = len(track.samples) / RATE
    scene.rewrite(track._replace(vad=[*track.vad, (round(seconds - 0.2, 2), round(seconds + 2.5, 2))]))
    return scene.a_id


def _overlapping_vad(scene: _Scene) -> str:
    track = scene.tracks[0]
    (start, end), *others = track.vad
    scene.rewrite(track._replace(vad=[(start, end), (round((start + end) / 2, 2), round(end + 0.05, 2)), *others]))
    return scene.a_id


def _words_without_times(scene: _Scene) -> str:
    track = scene.tracks[0]
    lines = [
        line._replace(
            words=tuple(word if n % 3 else word._replace(start=None, end=None) for n, word in enumerate(line.words))
        )
        for line in track.lines
    ]
    scene.rewrite(track._replace(lines=lines))
    return scene.a_id


def _truncated_wav(scene: _Scene) -> str:
    whole = scene.wav().read_bytes()
    scene.wav().write_bytes(whole[: len(whole) * 3 // 5])
    return scene.a_id


def _wrong_rate(scene: _Scene) -> str:
    slower = quantise(resample(scene.tracks[0].samples, RATE, 44_100), 16).samples.astype(np.int16)
    write_wav(scene.wav(), slower, 44_100)
    return scene.a_id


def _nan_samples(scene: _Scene) -> str:
    floats = as_float(scene.tracks[0].samples).astype(np.float32)
    start, end = scene.tracks[0].vad[0]
    middle = round(RATE * (start + end) / 2)
    floats[middle : middle + 5] = np.nan
    write_wav(scene.wav(), floats)
    return scene.a_id


def _duplicate_id(scene: _Scene) -> str:
    archive = (scene.cast.archives[0] + 50) % 100
    copy = scene.root / scene.cast._replace(archives=(archive, archive)).path(0)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(scene.wav(), copy)
    shutil.copyfile(scene.wav().with_suffix(".json"), copy.with_suffix(".json"))
    scene.tables.filelist.append(file_row(scene.cast._replace(archives=(archive, archive)), 0))
    return scene.a_id


def _absent_file(scene: _Scene) -> str:
    absent = scene.a_id.replace("_P0", "_P9")
    scene.assign(a_id=absent)
    return absent


def _path_in_id(scene: _Scene) -> str:
    scene.assign(a_id=f"../{scene.a_id}")
    return f"../{scene.a_id}"


def _role_case(scene: _Scene) -> str:
    scene.assign(role_a=scene.cast.prompt.roles[0].lower())
    return scene.a_id


def _no_role_tag(scene: _Scene) -> str:
    prompt = scene.cast.prompt
    text = prompt.texts[1].replace("(", "Speaker 2 (", 1)  # no line opens with a parenthesis
    n = next(n for n, row in enumerate(scene.tables.interactions) if row[2] == prompt.prompt_id)
    untagged = prompt._replace(texts=(prompt.texts[0], text))
    scene.tables.interactions[n] = prompt_row(n, untagged)
    scene.assign(participant_b_prompt_text=text, role_b="")
    return prompt.prompt_id


def _broken_json(scene: _Scene) -> str:
    path = scene.wav().with_suffix(".json")
    path.write_bytes(path.read_bytes()[:-40])
    return scene.a_id


def _no_transcript(scene: _Scene) -> str:
    described = annotation(scene.a_id, scene.tracks[0], scene.dice)
    del described["metadata:transcript"]
    scene.wav().with_suffix(".json").write_text(json.dumps(described), encoding="utf-8", newline="\n")
    return scene.a_id


def _apple_double(scene: _Scene) -> str:
    for path in (scene.wav(), scene.wav().with_suffix(".json")):
        path.with_name(f"._{path.name}").write_bytes(b"\0\x05\x16\x07\0\x02\0\0Mac OS X        ")
    (scene.wav().parent / ".DS_Store").write_bytes(b"\0\0\0\x01Bud1")
    return f"._{scene.wav().name}"


def _windows_line_ends(tables: Tables) -> str:
    tables.line_end = "\r\n"
    return "*.csv"


def _byte_order_mark(tables: Tables) -> str:
    tables.mark = "\ufeff"
    return "*.csv"


def _not_downloaded(tables: Tables) -> str:
    tables.filelist.append(("V03_S0900_I00000001_P0900", "naturalistic", "dev", "0", "7", "0", "0", "0"))
    return "V03_S0900_I00000001_P0900"


def _missing_column(tables: Tables) -> str:
    tables.without = "role_b"
    return "assignment.csv"


_IN_A_CONVERSATION: dict[str, Callable[[_Scene], str]] = {
    "missing_partner": _missing_partner,
    "silent": _silent,
    "vad_beyond_end": _vad_beyond_end,
    "overlapping_vad": _overlapping_vad,
    "words_without_times": _words_without_times,
    "truncated_wav": _truncated_wav,
    "wrong_rate": _wrong_rate,
    "nan_samples": _nan_samples,
    "duplicate_id": _duplicate_id,
    "absent_file": _absent_file,
    "path_in_id": _path_in_id,
    "role_case": _role_case,
    "no_role_tag": _no_role_tag,
    "broken_json": _broken_json,
    "no_transcript": _no_transcript,
    "apple_double": _apple_double,
}
_IN_THE_TABLES: dict[str, Callable[[Tables], str]] = {
    "windows_line_ends": _windows_line_ends,
    "byte_order_mark": _byte_order_mark,
    "not_downloaded": _not_downloaded,
    "missing_column": _missing_column,
}

FLAWS = (*_IN_A_CONVERSATION, *_IN_THE_TABLES)
"""Their names. `missing_column` spoils the whole assignment table, so that it comes only when it is named."""


def chosen_flaws(flaws: bool | Collection[str]) -> tuple[str, ...]:
    """Names in the order of `FLAWS`; True stands for all that do not spoil a whole table.

    Raises:
        ValueError: there is no flaw of such a name.
    """
    if isinstance(flaws, bool):
        return tuple(name for name in FLAWS if flaws and name != "missing_column")
    if unknown := sorted(set(flaws) - set(FLAWS)):
        raise ValueError(f"no flaw named {', '.join(unknown)}; there is {', '.join(FLAWS)}")
    return tuple(name for name in FLAWS if name in flaws)


def add_flaws(
    root: Path, dice: Dice, tables: Tables, names: tuple[str, ...], *, speech: bool, scale: float
) -> list[Flaw]:
    """Add a conversation for each flaw that needs one, write it, and damage it; then damage the tables.

    Args:
        root: the corpus's folder.
        dice: draws the conversations, each by its flaw's name.
        tables: get the rows of the new conversations, and the damage.
        names: names from `FLAWS`.
        speech: False puts tones in place of the voice.
        scale: length of the conversations, as in `make_seamless`; never above 0.4.

    Returns:
        What was put where.
    """
    noted = []
    for name in names:
        if name in _IN_A_CONVERSATION:
            number = list(_IN_A_CONVERSATION).index(name)
            cast = cast_of(
                dice, _prompt(dice, number), _VENDOR, number, (2 * number, 2 * number + 1), min(scale, _SCALE), name
            )
            tracks = perform(dice, cast, speech)
            for side in (0, 1):
                write_side(root, cast, side, tracks[side], dice)
            tables.interactions.append(prompt_row(len(tables.interactions), cast.prompt))
            tables.filelist.extend(file_row(cast, side) for side in (0, 1))
            tables.assignment.append(assignment_row(cast))
            noted.append(Flaw(name, _IN_A_CONVERSATION[name](_Scene(root, dice, tables, cast, tracks))))
        else:
            noted.append(Flaw(name, _IN_THE_TABLES[name](tables)))
    return noted


def _prompt(dice: Dice, number: int) -> Prompt:
    pole = number % 9
    return prompt_of(dice, _FIRST_PROMPT + 2 * number, (POLES[2 * pole], POLES[2 * ((pole + 4) % 9) + 1]), number)
