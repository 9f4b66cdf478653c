"""The figures of a report, each a plain function from plain records to a `Figure`: SVG panels and the numbers in them."""

from __future__ import annotations

from earmark.pages.counts import OUTCOMES, CountsRow, counts_bar
from earmark.pages.forest import ForestRow, forest
from earmark.pages.nested_bars import BarPair, nested_bars
from earmark.pages.paired_dots import DotPair, paired_dots
from earmark.pages.plane import PlanePoint, disagreement_against_auroc, plane
from earmark.pages.profile_bars import Profile, profile_bars
from earmark.pages.radar import Spoke, radars
from earmark.pages.radar_dots import radar_dots
from earmark.pages.slopes import Slope, slopes
from earmark.pages.svg import Figure, Table
from earmark.pages.verdicts import VerdictCell, VerdictRow, verdicts
from earmark.pages.violins import ViolinGroup, split_violins

__all__ = [
    "OUTCOMES",
    "BarPair",
    "CountsRow",
    "DotPair",
    "Figure",
    "ForestRow",
    "PlanePoint",
    "Profile",
    "Slope",
    "Spoke",
    "Table",
    "VerdictCell",
    "VerdictRow",
    "ViolinGroup",
    "counts_bar",
    "disagreement_against_auroc",
    "forest",
    "nested_bars",
    "paired_dots",
    "plane",
    "profile_bars",
    "radar_dots",
    "radars",
    "slopes",
    "split_violins",
    "verdicts",
]
