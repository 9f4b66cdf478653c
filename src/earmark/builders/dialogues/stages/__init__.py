"""The stages of writing a dialogue: scenario, script, tones of the context, tones of the targets, selection."""

from earmark.builders.dialogues.stages.context_tones import CONTEXT_TONES, Lines
from earmark.builders.dialogues.stages.scenario import SCENARIO
from earmark.builders.dialogues.stages.script import SCRIPT
from earmark.builders.dialogues.stages.selection import SELECTION, Candidates
from earmark.builders.dialogues.stages.stage import Stage
from earmark.builders.dialogues.stages.target_tones import TARGET_TONES, Target
from earmark.builders.dialogues.stages.templates import Templates, read_writing_templates

__all__ = [
    "CONTEXT_TONES",
    "SCENARIO",
    "SCRIPT",
    "SELECTION",
    "TARGET_TONES",
    "Candidates",
    "Lines",
    "Stage",
    "Target",
    "Templates",
    "read_writing_templates",
]
