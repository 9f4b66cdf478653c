"""Comparisons of submissions: `entrants` are read, `differences` measured, `standing` says who stands where."""

from __future__ import annotations

from earmark.scoring.comparing.comparison import Compared, compare
from earmark.scoring.comparing.entrants import MOST_JUDGES
from earmark.scoring.comparing.writing import write_comparison, write_tables

__all__ = ["MOST_JUDGES", "Compared", "compare", "write_comparison", "write_tables"]
