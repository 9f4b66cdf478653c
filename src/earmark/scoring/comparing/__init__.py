"""Comparisons of submissions: `entrants` are read, `differences` measured, `standing` says who stands where."""

from __future__ import annotations

from earmark.scoring.comparing.comparison import compare
from earmark.scoring.comparing.entrants import MOST_JUDGES

__all__ = ["MOST_JUDGES", "compare"]
