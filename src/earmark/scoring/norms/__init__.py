"""Norms: frozen cohorts that a standard score such as SEQ is relative to.

A norm is named, versioned and hashed, and its systems never change: another judge alters nobody's score. `speecheq-table3`, the
eleven rows of SpeechEQ's Table 3, is shipped; `freeze` and `freeze_reports` make others.
"""

from earmark.scoring.norms.files import SHIPPED, read_norm, shipped_norm, write_norm
from earmark.scoring.norms.freezing import freeze, freeze_reports
from earmark.scoring.norms.norm import CEILING, FLOOR, Limits, Norm, Score, System

__all__ = [
    "CEILING",
    "FLOOR",
    "SHIPPED",
    "Limits",
    "Norm",
    "Score",
    "System",
    "freeze",
    "freeze_reports",
    "read_norm",
    "shipped_norm",
    "write_norm",
]
