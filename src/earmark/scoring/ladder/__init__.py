"""Hidden-answers mode: a host marks strangers' files and gives back one number, which cannot be used to find out the answers.

`rule` says when a new score is released, `credit` what a score is made of, `state` is what the host keeps, `marking` is the verb.
"""

from earmark.scoring.ladder.credit import CreditedMarks, Credits, credited_marks
from earmark.scoring.ladder.marking import Laddered, score_laddered
from earmark.scoring.ladder.rule import Standing, advanced, start
from earmark.scoring.ladder.state import LadderError, Quotas

__all__ = [
    "CreditedMarks",
    "Credits",
    "LadderError",
    "Laddered",
    "Quotas",
    "Standing",
    "advanced",
    "credited_marks",
    "score_laddered",
    "start",
]
