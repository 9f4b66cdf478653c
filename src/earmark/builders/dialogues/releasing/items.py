"""The rows of a dialogues release: each dialogue becomes a group of two items, their answers, and its eight clips."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from earmark.builders.dialogues.releasing.ordering import Draws, draw, full_name
from earmark.builders.dialogues.releasing.presentations import Asked, Presentations
from earmark.builders.dialogues.releasing.prompts import Templates, render
from earmark.builders.dialogues.voiced import VoicedClip, VoicedDialogue
from earmark.builders.plan import Rows
from earmark.manifests import keys
from earmark.manifests.acoustics import MEASURES
from earmark.manifests.attempts import CONTEXT, DISSONANT, OPTIONS
from earmark.manifests.declarations import MODALITIES
from earmark.manifests.families.dialogues import (
    CHAINS,
    CONTEXT_TURNS,
    DIALOGUES,
    FIRST,
    SECOND,
    TARGETS,
    TURN_4,
    TURN_6,
)
from earmark.manifests.rows import text

TURN_OF = {TURN_4: 4, TURN_6: 6}
"""Number of a target turn."""

SCRIPT = "script"
"""Where the words are from: the line that was to be said."""


def tables(
    dialogues: Sequence[VoicedDialogue],
    templates: Templates,
    *,
    key: bytes,
    seed: int,
    chains: Collection[str],
    modalities: Collection[str],
) -> dict[str, Rows]:
    """The rows of every table that is about dialogues in the release; those of attempts and dropped ones are not.

    Args:
        dialogues: In any order; the rows follow from what they are alone.
        templates: The words of the prompts.
        key: The release key.
        seed: The seed.
        chains: How turns follow each other in the protocols on offer.
        modalities: What stands for a clip in them.
    """
    drawn = draw(dialogues, key=key, seed=seed)
    made: dict[str, Rows] = defaultdict(list)
    for dialogue in sorted(dialogues, key=full_name):
        _add(made, dialogue, drawn[full_name(dialogue)], templates, key, chains, modalities)
    names = ("items", "item_clips", "presentations", "prompts", "clips", "answers", "sources", "selection")
    return {name: made[name] for name in names}


def written_row(dialogue: VoicedDialogue) -> dict[str, object]:
    """The row of the table `dialogues` of one that is in the release."""
    return {
        "dialogue": dialogue.name,
        "subscale": dialogue.subscale,
        "valence": dialogue.valence,
        "scenario_type": dialogue.type,
        "title": dialogue.title,
        "record": dialogue.record,
        "dropped": None,
    }


def _add(
    made: dict[str, Rows],
    dialogue: VoicedDialogue,
    drawn: Draws,
    templates: Templates,
    key: bytes,
    chains: Collection[str],
    modalities: Collection[str],
) -> None:
    clips: dict[tuple[int, str], str] = {}
    for clip in dialogue.clips:
        id = clips[clip.turn, clip.option] = _clip_id(dialogue, clip, key)
        made["clips"].append(
            {"clip_id": id, "duration": clip.frames / clip.rate, "rate": clip.rate, "licence": dialogue.licence}
        )
        made["sources"].append({"clip_id": id, **_source(dialogue, clip)})
    group = keys.keyed_id(key, "g", [DIALOGUES.name, dialogue.subscale, sorted(clips.values())])
    asked: dict[str, Asked] = {}
    for target in TARGETS:
        turn, resonant_first = TURN_OF[target], drawn.resonant_first(target)
        stored = [clips[turn, option] for option in (OPTIONS if resonant_first else OPTIONS[::-1])]
        context = {before: clips[before, CONTEXT] for before in CONTEXT_TURNS[target]}
        all_clips = [*context.values(), *stored]
        # Its clips are of several scripts, so no script is its own.
        item = keys.item_id(
            key, family=DIALOGUES.name, facet=dialogue.subscale, target=target, clips=all_clips, script=None
        )
        asked[target] = Asked(item, target, context, stored)
        made["items"].append({"item_id": item, "facet": dialogue.subscale, "group": group, "target": target})
        for role, ids in (("context", [*context.values()]), ("option", stored)):
            made["item_clips"] += [
                {"item_id": item, "role": role, "position": position, "clip_id": id} for position, id in enumerate(ids)
            ]
        made["answers"].append(
            {
                "item_id": item,
                "gold": FIRST if resonant_first else SECOND,
                "kind": None,
                "valence": dialogue.valence,
                "scenario_type": dialogue.type,
                "failure": dialogue.clip(turn, DISSONANT).failure,
            }
        )
    for modality in sorted(modalities, key=MODALITIES.index):
        presentations = Presentations(asked, modality, key)
        for chain in sorted(chains, key=list(CHAINS).index):
            presentations.owe_chain(chain, drawn)
        prompts: dict[object, dict[str, object]] = {}
        for presented in presentations.all():
            made["presentations"].append(presented.row)
            item = text(presented.row, "item_id")
            prompt = render(templates, dialogue, item=item, round=presented.round, modality=modality)
            prompts[prompt["prompt_id"]] = prompt
        made["prompts"] += prompts.values()


def _clip_id(dialogue: VoicedDialogue, clip: VoicedClip, key: bytes) -> str:
    return keys.clip_id(
        key,
        corpus=dialogue.corpus,
        version=dialogue.corpus_version,
        path=clip.path,
        channel=0,
        rate=clip.rate,
        spans=[(0, clip.frames)],
        joining_silence=0,
    )


def _source(dialogue: VoicedDialogue, clip: VoicedClip) -> dict[str, object]:
    valence, arousal, dominance = clip.affect or (None, None, None)
    return {
        "corpus": dialogue.corpus,
        "corpus_version": dialogue.corpus_version,
        "path": clip.path,
        "channel": 0,
        "rate": clip.rate,
        "starts": [0],
        "ends": [clip.frames],
        "joining_silence": 0,
        "speaker": f"{dialogue.name}/S{2 - clip.turn % 2}",
        "conversation": dialogue.name,
        "prompt": None,
        "script": f"{dialogue.name} turn {clip.turn}",
        "text": clip.text,
        "text_source": SCRIPT,
        "tone_text": clip.tone,
        "pcm_hash": clip.pcm_hash,
        "level": None,
        "turn": clip.turn,
        "option": clip.option,
        "failure": clip.failure,
        "voice": clip.voice,
        "provider": clip.provider,
        "model": clip.model,
        "attempt": clip.attempt,
        "wer": clip.wer,
        "affect_valence": valence,
        "affect_arousal": arousal,
        "affect_dominance": dominance,
        **{measure.name: clip.sound.get(measure.name) for measure in MEASURES},
    }
