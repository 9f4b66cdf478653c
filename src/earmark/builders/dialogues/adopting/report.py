"""What people want to know of dialogues that were read: what there is, which pairs pass the gate, and what tells the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from earmark.builders.contrast.profile import Profile
from earmark.builders.contrast.shortcuts import Chosen, Shortcut, shortcuts
from earmark.builders.contrast.signs import signed
from earmark.builders.corpora.speecheq import Given, GivenDialogue, GivenPerson
from earmark.builders.dialogues.adopting.sounds import Sound, clip_of, contrasts
from earmark.builders.dialogues.checks import check_told
from earmark.builders.dialogues.records import TARGET_TURNS, DissonantPersona, Person, Scenario
from earmark.manifests.attempts import DISSONANT, OPTIONS, RESONANT

FRAME = 576
"""Samples of a frame of MPEG-2 layer III: a file without a header of its encoder decodes to a multiple of them."""


def counted(given: Given, kept: Sequence[GivenDialogue], dropped: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """How many dialogues there are, of which generation, subscale and valence, and why some are not used.

    Args:
        given: What was read.
        kept: Those that are used.
        dropped: Reasons by name, of those that are not.
    """
    return {
        "found": len(given.dialogues) + len(given.dropped),
        "kept": len(kept),
        "dropped": [{"dialogue": name, "reasons": list(reasons)} for name, reasons in sorted(dropped.items())],
        "generations": _counts(dialogue.generation for dialogue in kept),
        "subscales": _counts(dialogue.subscale for dialogue in kept),
        "valences": _counts(dialogue.valence or "not known" for dialogue in kept),
        "failures_named": sum(dialogue.clips[-1].failure is not None for dialogue in kept),
    }


def gate(kept: Sequence[GivenDialogue], sounds: Mapping[str, Sound], profiles: Sequence[Profile]) -> dict[str, object]:
    """How many pairs and how many dialogues pass each profile, and which pairs do not."""
    report: dict[str, object] = {}
    for profile in profiles:
        found = contrasts(kept, sounds, profile)
        failing = [
            {"dialogue": name, "turn": turn, "points": result.total}
            for (name, turn), result in sorted(found.items())
            if not result.passed
        ]
        report[profile.name] = {
            "pairs": len(found),
            "passed": len(found) - len(failing),
            "dialogues_passed": sum(all(found[one.name, turn].passed for turn in TARGET_TURNS) for one in kept),
            "failing": failing,
        }
    return report


def found_without_listening(
    kept: Sequence[GivenDialogue], sounds: Mapping[str, Sound], profile: Profile
) -> dict[str, object]:
    """How well rules of one feature, and a probe of all of them, find the resonant option."""
    rows = [
        Chosen(
            dialogue.name,
            turn,
            signed(
                sounds[clip_of(dialogue, turn, RESONANT).path].by(profile),
                sounds[clip_of(dialogue, turn, DISSONANT).path].by(profile),
                front=profile.front,
            ),
        )
        for dialogue in kept
        for turn in TARGET_TURNS
    ]
    return {result.rule: _shortcut(result) for result in shortcuts(rows)} if rows else {}


def told(kept: Sequence[GivenDialogue]) -> list[dict[str, object]]:
    """What the title, place and description of a dialogue tell of the answer; only those that tell something."""
    found = [(dialogue.name, list(check_told(_scenario(dialogue)))) for dialogue in kept]
    return [{"dialogue": name, "tells": tells} for name, tells in sorted(found) if tells]


def traces(kept: Sequence[GivenDialogue], sounds: Mapping[str, Sound]) -> dict[str, object]:
    """What encoding left in the decoded clips, for each option: it must be the same of both.

    Audio in a release is a lossless copy of what was decoded, so that the files' own sizes and headers are gone; how long
    a clip is stays public.
    """
    report: dict[str, object] = {}
    for option in OPTIONS:
        of_option = [sounds[clip_of(dialogue, turn, option).path] for dialogue in kept for turn in TARGET_TURNS]
        report[option] = {
            "clips": len(of_option),
            "rates": _counts(str(sound.rate) for sound in of_option),
            "whole_frames": sum(sound.frames % FRAME == 0 for sound in of_option),
            "mean_seconds": round(sum(sound.frames / sound.rate for sound in of_option) / max(1, len(of_option)), 3),
        }
    return report


def person_of(given: GivenPerson) -> Person:
    """A speaker of a record as a scenario has it."""
    return Person(name=given.name, role=given.role, gender=given.gender)


def _shortcut(result: Shortcut) -> dict[str, object]:
    return {
        name: {"share": interval.value, "low": interval.low, "high": interval.high}
        for name, interval in (("turns", result.turns), ("dialogues", result.dialogues))
    }


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _scenario(dialogue: GivenDialogue) -> Scenario:
    """The texts that judges read as a scenario; of the rest a record says less than a scenario holds."""
    nobody = DissonantPersona(failure="", persona="")
    return Scenario(
        subscale=dialogue.subscale,
        valence=dialogue.valence or "",
        type="",
        title=dialogue.title,
        context=dialogue.context,
        description=dialogue.description,
        intent="",
        first=person_of(dialogue.first),
        second=person_of(dialogue.second),
        first_persona="",
        resonant_persona="",
        dissonant_personas=(nobody, nobody),
    )
