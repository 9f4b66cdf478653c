"""What raters said of whole units: how many meet each criterion, how raters agree, which units fail, and how many others may.

- `passed`: of all ratings of a criterion the share that says it is met. `cohen_kappa` and `observed_agreement` are those of
  `agreement`, on whether it is met; those over all criteria pool their ratings, each rater and unit counting once for each.
- The criterion `paralinguistic_accuracy` is asked of nobody: a rater's own choices in a unit meet it if all are right, and fail
  it as soon as one is wrong.
- `_reconciled`: the same after a second round, in which raters who discussed what they disagreed on answered that again.
- A unit fails a criterion if anybody says so in the last round. The limits say how many fail among the units nobody looked at,
  by the hypergeometric distribution: those are a finite number, and the sample was drawn from them without replacement. The
  binomial limit beside it is for units that the same recipe would go on to make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from earmark.manifests.canonical import Json
from earmark.manifests.panel_forms import RIGHT_CHOICES
from earmark.manifests.report import OVERALL, MetricEntry, rounded_floats
from earmark.manifests.rows import optional_text, text
from earmark.scoring.agreement import NO_ANSWERS, MeanOfDefined
from earmark.scoring.measuring import Figure, Part, measure
from earmark.statistics.kappa import MISSING, CohenKappa, label_counts, observed_agreement
from earmark.statistics.rates import Ratio
from earmark.statistics.upper_limits import failing_at_most, rate_at_most

if TYPE_CHECKING:
    from itertools import combinations  # noqa: F401

    from numpy.typing import NDArray

    from earmark.manifests.panels import Panel
    from earmark.manifests.release import Release
    from earmark.scoring.measuring import Codes, Options
    from earmark.scoring.sheets import Labels, Rated
    from earmark.statistics.statistic import Statistic
