"""What a dialogue must be: each check gives the reasons against what was written, in words that whoever wrote it can act on."""

from earmark.builders.dialogues.checks.apathy import apathetic_allowed, check_apathetic_share, is_apathetic
from earmark.builders.dialogues.checks.scenarios import check_scenario, check_told
from earmark.builders.dialogues.checks.scripts import check_neutral, check_script
from earmark.builders.dialogues.checks.selections import check_selection, is_monotone
from earmark.builders.dialogues.checks.tones import (
    check_context_tones,
    check_target_tones,
    check_tones,
    leaks,
    word_count,
)
from earmark.builders.dialogues.checks.whole import check_dialogue
from earmark.builders.dialogues.checks.word_lists import DEFAULT_WORDS, WordLists, read_word_lists

__all__ = [
    "DEFAULT_WORDS",
    "WordLists",
    "apathetic_allowed",
    "check_apathetic_share",
    "check_context_tones",
    "check_dialogue",
    "check_neutral",
    "check_scenario",
    "check_script",
    "check_selection",
    "check_target_tones",
    "check_told",
    "check_tones",
    "is_apathetic",
    "is_monotone",
    "leaks",
    "read_word_lists",
    "word_count",
]
