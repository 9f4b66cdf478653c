"""Everything that can be wrong with one dialogue."""

from __future__ import annotations

from earmark.builders.dialogues.checks.apathy import apathetic_allowed
from earmark.builders.dialogues.checks.scenarios import check_scenario
from earmark.builders.dialogues.checks.scripts import check_script
from earmark.builders.dialogues.checks.selections import check_selection
from earmark.builders.dialogues.checks.tones import check_tones
from earmark.builders.dialogues.checks.word_lists import DEFAULT_WORDS, WordLists
from earmark.builders.dialogues.records import TARGET_TURNS, Dialogue


def check_dialogue(dialogue: Dialogue, words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """What is wrong with a dialogue, stage by stage; none where it is sound.

    Args:
        dialogue: What was written.
        words: Lists of words.
    """
    scenario = check_scenario(dialogue.scenario, words, apathetic=apathetic_allowed(dialogue.name))
    script = check_script(dialogue.script, dialogue.scenario, words)
    if len(dialogue.script.lines) != 6:
        return (*scenario, *script)  # tones and selections have no lines to stand beside
    tones = check_tones(dialogue.tones, dialogue.script, dialogue.scenario, words)
    selections = tuple(
        reason
        for turn, selection in zip(TARGET_TURNS, dialogue.selections, strict=True)
        for reason in check_selection(selection, dialogue.tones.target(turn), words)
    )
    return (*scenario, *script, *tones, *selections)
