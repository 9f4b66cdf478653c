"""Submissions: prediction files read as data, quickly where they are good and with every problem named where they are not."""

from earmark.scoring.submissions.collecting import BadRow
from earmark.scoring.submissions.header import Header, Judge, Run
from earmark.scoring.submissions.rows import Limits, Row
from earmark.scoring.submissions.submission import Submission, read_submission

__all__ = ["BadRow", "Header", "Judge", "Limits", "Row", "Run", "Submission", "read_submission"]
