"""Leaderboards: reports that strangers may have written, checked, held against each other and merged into tables.

`read_reports` takes what is a report and could have come of marking; `merge` puts together what can be compared; the rest writes
it: JSON and a page, a flat CSV, and the records of Every Eval Ever.
"""

from earmark.scoring.leaderboard.merging import merge
from earmark.scoring.leaderboard.reading import Reported, read_reports

__all__ = ["Reported", "merge", "read_reports"]
