"""What a file decides: its rows read, held against the presentations owed, and every owed one given exactly one outcome."""

from earmark.scoring.decisions.deciding import (
    Decisions,
    Outcome,
    Owed,
    Unparsed,
    check_declared_release,
    decide,
    owed_presentations,
)

__all__ = ["Decisions", "Outcome", "Owed", "Unparsed", "check_declared_release", "decide", "owed_presentations"]
