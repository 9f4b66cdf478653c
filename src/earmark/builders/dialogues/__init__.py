"""Makes releases of the dialogues family: scenarios, scripts, tones and voices, or dialogues that others have made."""

from earmark.builders.dialogues.histories import histories
from earmark.builders.dialogues.personas import personas
from earmark.builders.dialogues.prompts import DEFAULT_TEMPLATES

__all__ = ["DEFAULT_TEMPLATES", "histories", "personas"]
