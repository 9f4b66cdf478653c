"""Dialogues whose voices are tones: what goes into a release of dialogues, without anybody who wrote or spoke it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from earmark.builders.dialogues.records import RENDERINGS, Person
from earmark.builders.dialogues.releasing.plan import release_plan
from earmark.builders.dialogues.releasing.prompts import read_templates
from earmark.builders.dialogues.sections import PresentationsSection
from earmark.builders.dialogues.voiced import Voiced, VoicedClip, VoicedDialogue
from earmark.builders.making import write
from earmark.builders.media import cut_clips
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.attempts import DISSONANT
from earmark.manifests.building import building
from earmark.manifests.eqi import FAILURES, SUBSCALES, VALENCES
from earmark.manifests.families.dialogues import DIALOGUES
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import folder_hash
from earmark.manifests.release import MediaEntry, Release, open_release

KEY = bytes(range(50, 82))
"""The key of every release made here."""

RATE = 8_000
CORPUS, LICENCE = "toy-voices", "CC0-1.0"


def voiced_dialogues(
    count: int, *, subscales: int = 2, tones: bool = True, affect: bool = False
) -> list[VoicedDialogue]:
    """Dialogues that are dealt to subscales by turns; their files are another function's.

    Args:
        count: How many.
        subscales: To how many subscales.
        tones: Whether it is known how each clip was to be said.
        affect: Whether a model was asked for valence, arousal and dominance.
    """
    made = []
    for n in range(count):
        subscale = SUBSCALES[n % subscales].slug
        name = f"{subscale}-{n:04d}"
        clips = tuple(
            VoicedClip(
                turn=turn,
                option=option,
                path=f"{name}/{turn}-{option}-0.wav",
                rate=RATE,
                frames=2_000 + 97 * place + 11 * n,
                text=f"These are the words of dialogue {n} at its turn {turn}.",
                tone=f"Say {turn} of {n} in the {option} way." if tones else None,
                failure=FAILURES[(n + turn) % len(FAILURES)].slug if tones and option == DISSONANT else None,
                voice=f"voice {turn % 2}",
                provider="tones",
                model="tones 1",
                pcm_hash=None,
                wer=None,
                sound={},
                affect=(0.1 + place / 10, 0.5, 1.0 - n / 100) if affect else None,
            )
            for place, (turn, option) in enumerate(RENDERINGS)
        )
        made.append(
            VoicedDialogue(
                name=name,
                corpus=CORPUS,
                corpus_version="1.0",
                licence=LICENCE,
                subscale=subscale,
                valence=VALENCES[n % 3],
                type="workplace",
                title=f"Title of {n}",
                context=f"A small office number {n}, late in the day.",
                description=f"Somebody brings a thing of kind {n} to a colleague.",
                first=Person(name="Ada", role="clerk", gender="female"),
                second=Person(name="Bo", role="colleague", gender="male"),
                clips=clips,
                record=f'{{"intent":"secret intent {n}"}}',
            )
        )
    return made


def write_clips(dialogues: Sequence[VoicedDialogue], root: Path) -> None:
    """Write the files of dialogues, each a tone of its own pitch."""
    import numpy as np
    import soundfile

    for dialogue in dialogues:
        for place, clip in enumerate(dialogue.clips):
            path = root / clip.path
            path.parent.mkdir(parents=True, exist_ok=True)
            phase = 2 * math.pi * (150 + 40 * place) / clip.rate * np.arange(clip.frames)
            soundfile.write(path, (8_000 * np.sin(phase)).astype(np.int16), clip.rate)


def voiced(count: int, root: Path, **told: bool | int) -> Voiced:
    """Everything a release is made of, with its files under a folder; one dialogue more was dropped."""
    *kept, dropped = voiced_dialogues(count + 1, **told)  # type: ignore[arg-type]  # each is as its parameter has it
    write_clips(kept, root)
    attempts = [
        {
            "dialogue": dialogue.name,
            "turn": clip.turn,
            "option": clip.option,
            "attempt": clip.attempt,
            "provider": clip.provider,
            "model": clip.model,
            "voice": clip.voice,
            "tone": clip.tone or "",
            "failure": clip.failure,
            "valence": dialogue.valence,
            "seed": None,
            "file_hash": None,
            "rejected": None,
            "wer": None,
            **dict.fromkeys(
                ("f0", "syllables_per_second", "words_per_second", "zero_crossing_rate", "centroid", "level", "seconds")
            ),
            "mfcc": None,
            "points": None,
            "remade": None,
            "used": True,
        }
        for dialogue in kept
        for clip in dialogue.clips
    ]
    lost = {
        "dialogue": dropped.name,
        "subscale": dropped.subscale,
        "valence": dropped.valence,
        "scenario_type": dropped.type,
        "title": dropped.title,
        "record": dropped.record,
        "dropped": "no voice",
    }
    return Voiced(
        dialogues=tuple(kept),
        root=root,
        attempts=attempts,
        dropped=[lost],
        report={"kept": count},
        recipe={"voice": {"engine": "tones"}},
        pages={"build.json": '{"made of": "tones"}\n'},
    )


def release_of(made: Voiced, out: Path, *, media: bool = True, **offered: tuple[str, ...]) -> Release:
    """A release of dialogues that have voices, as a build makes it.

    Args:
        made: The dialogues.
        out: Folder to be made; the key stands beside it.
        media: Whether the audio is cut.
        offered: Chains and modalities, where not all are.
    """
    key = out.with_name(f"{out.name}.key")
    key.write_bytes(KEY)
    findings = Findings(strict=True)
    section = ReleaseSection(name="toy-dialogues", version="1.0.0", seed=1)
    with building(out, DIALOGUES, key=key) as work:
        plan = release_plan(
            made,
            read_templates(None, findings),
            release=section,
            presentations=PresentationsSection(**offered),
            key=KEY,
            findings=findings,
        )
        entry = None
        if media:
            plan = cut_clips(plan, work, findings, rate=None, jobs=1, progress=lambda *_: None)
            folder = work.partial / "public" / "audio"
            entry = MediaEntry(rate=None, files=len(plan.tables["clips"]), hash=folder_hash(folder))
        write(work, DIALOGUES, section, plan, entry)
    return open_release(out)
