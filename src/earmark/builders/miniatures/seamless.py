"""A small Seamless Interaction: made-up conversations in the real corpus's layout, with offline speech.

    improvised/<split>/<batch>/<archive>/<file id>.{wav,json}    mono 48 kHz 16 bit; transcript and voice activity
    interactions.csv    the prompts, with the corpus's columns
    filelist.csv        where each file is
    assignment.csv      who played A and who B, in StanceBench's columns

Ten conversations make a round, in which every pole of the nine dimensions is played once; the prompts of one round return
two rounds later in other sessions. Everything depends on the seed alone: the same seed gives the same bytes on one platform.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from earmark.builders.miniatures.deliveries import BYSTANDER, POLES, Pole
from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.seamless_flaws import Flaw, add_flaws, chosen_flaws
from earmark.builders.miniatures.seamless_layout import (
    Cast,
    Tables,
    assignment_row,
    cast_of,
    file_row,
    perform,
    prompt_of,
    prompt_row,
    write_side,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

_ROUND = 10  # conversations in which every pole is played once
_PROMPT_ROUNDS = 3  # rounds of prompts before they return
_PLAIN_PROMPTS = (
    ("P9070_v3.4.fam_ANCP_XXXX", "Tell your partner how you get to work.", "Ask your partner about the way to work."),
    ("P9071_v3.4.fam_AMCP_XXXX", "Describe a room you know well.\nStart at the door.", "Try to draw what you hear."),
)


class Side(NamedTuple):
    """One member of a conversation, as the corpus knows them.

    Attributes:
        file_id: such as "V00_S0001_I00000634_P0001A".
        speaker: vendor and participant, such as "V00_P0001A".
        role: what the prompt asks for.
        pole: the pole that the role stands for.
        path: the WAV file, relative to the root, with slashes.
        speech: seconds of voice activity in the file.
    """

    file_id: str
    speaker: str
    role: str
    pole: Pole
    path: str
    speech: float


class Conversation(NamedTuple):
    """One conversation and its row in the assignment table.

    Attributes:
        prompt_id: `prompt_id_unique`.
        a: the member who had prompt A.
        b: the member who had prompt B.
    """

    prompt_id: str
    a: Side
    b: Side


@dataclass(frozen=True, slots=True)
class SeamlessMiniature:
    """What was written.

    Attributes:
        root: the corpus's folder.
        interactions: the prompts' CSV.
        filelist: the files' CSV.
        assignment: the CSV that says who played which prompt.
        conversations: the sound ones, in the assignment's order.
        flaws: what is wrong on purpose.
    """

    root: Path
    interactions: Path
    filelist: Path
    assignment: Path
    conversations: tuple[Conversation, ...]
    flaws: tuple[Flaw, ...] = ()


def make_seamless(
    root: Path,
    *,
    seed: int,
    dyads: int = 60,
    speech: bool = True,
    scale: float = 1.0,
    flaws: bool | Collection[str] = False,
    jobs: int | None = None,
) -> SeamlessMiniature:
    """Write a miniature corpus.

    Args:
        root: a folder that is absent or empty.
        seed: any integer; it alone decides every byte.
        dyads: conversations of two, >= 1; each ten play every pole once.
        speech: False puts tones in place of the voice: fast, and nothing needs to be installed.
        scale: length of the conversations; at 1, a member says 34 to 40 s for the dimensions that are judged from one
            speaker's clip and 12 to 16 s (less for the taciturn) for those that are judged from exchanges.
        flaws: names from `seamless_flaws.FLAWS`, or True for all that do not spoil a whole table. Each is put in a
            conversation, row or file of its own: the sound conversations stay as they are without it.
        jobs: conversations at a time; None is one for each processor, at most 8. It changes nothing but the time.

    Returns:
        What was written, with the truth about each conversation.

    Raises:
        ValueError: a count or scale is not positive, a flaw has no such name, or the folder is not empty.
        VoiceFailed: the voice failed.
        MissingExtra: soxr or the voice is not installed.
    """
    if dyads < 1 or scale <= 0:
        raise ValueError(f"dyads is at least 1 and scale is positive, not {dyads} and {scale:g}")
    names = chosen_flaws(flaws)
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise ValueError(f"{root} is not empty")
    dice = Dice(seed)
    casts = list(_casts(dice, dyads, scale))
    with ThreadPoolExecutor(jobs or min(8, os.cpu_count() or 1)) as pool:
        try:
            conversations = list(pool.map(lambda cast: _perform(root, dice, cast, speech), casts))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    tables = _tables(casts)
    noted = add_flaws(root, dice, tables, names, speech=speech, scale=scale)
    tables.write(root)
    return SeamlessMiniature(
        root,
        root / "interactions.csv",
        root / "filelist.csv",
        root / "assignment.csv",
        tuple(conversations),
        tuple(noted),
    )


def _perform(root: Path, dice: Dice, cast: Cast, speech: bool) -> Conversation:
    sides = []
    for side, track in enumerate(perform(dice, cast, speech)):
        write_side(root, cast, side, track, dice)
        seconds = sum(end - start for start, end in track.vad)
        prompt, member = cast.prompt, cast.members[side]
        sides.append(
            Side(member.file_id, cast.speakers[side], prompt.roles[side], prompt.poles[side], cast.path(side), seconds)
        )
    return Conversation(cast.prompt.prompt_id, sides[0], sides[1])


def _casts(dice: Dice, dyads: int, scale: float) -> Iterator[Cast]:
    sessions = max(1, dyads // 2)
    used: set[tuple[int, int]] = set()
    for n in range(dyads):
        within, turn = n % _ROUND, n // _ROUND % _PROMPT_ROUNDS
        prompt = prompt_of(dice, 634 + turn * _ROUND + within, _pairs(turn)[within], turn)
        # No session meets a prompt twice: what is left of a file id would be the same.
        session = next(s % sessions for s in range(n, n + sessions + 1) if (s % sessions, prompt.number) not in used)
        used.add((session, prompt.number))
        vendor, number = session % 2, session // 2
        ring = max(2, (sessions + 1 - vendor) // 2)
        yield cast_of(dice, prompt, vendor, number, (number % ring, (number + 1) % ring), scale)


def _pairs(turn: int) -> list[tuple[Pole, Pole]]:
    """Ten pairs in which every pole is played once and bystanders twice."""
    positive, negative = POLES[::2], POLES[1::2]
    if turn % 2:  # like with like
        single = [(side[k], side[k + 3]) for side in (positive, negative) for k in range(3)]
    else:
        single = [(positive[k], negative[(k + 1 + turn) % 6]) for k in range(6)]
    k = turn % 3
    exchanges = [
        (positive[6 + k], negative[6 + (k + 1) % 3]),
        (negative[6 + k], positive[6 + (k + 2) % 3]),
        (BYSTANDER, positive[6 + (k + 1) % 3]),
        (negative[6 + (k + 2) % 3], BYSTANDER),
    ]
    return single + exchanges


def _tables(casts: Sequence[Cast]) -> Tables:
    prompts = sorted({cast.prompt.number: cast.prompt for cast in casts}.items())
    plain = [
        (
            str(n),
            f"{n:08d}",
            prompt_id,
            a,
            b,
            prompt_id.split("_")[2],
            "",
            "ipc_conversation" if n else "grounded_gesture",
        )
        for n, (prompt_id, a, b) in enumerate(_PLAIN_PROMPTS)
    ]
    interactions = [*plain, *(prompt_row(len(plain) + n, prompt) for n, (_, prompt) in enumerate(prompts))]
    filelist = [file_row(cast, side) for cast in casts for side in (0, 1)]
    return Tables(list(interactions), list(filelist), [assignment_row(cast) for cast in casts])
