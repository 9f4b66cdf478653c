"""StanceBench's own filters and definitions, as its notebook has them; the text of the paper does not state all of them.

`judged` has the scores, `filters` who is left out, `accuracy` the measures, `figures` all of it with intervals. `vectors` holds
what the released functions gave on small inputs, `prose` the figures that are printed, `following` what each filter does.
Where Earmark's defaults differ, and why, is said at each worked value. The filters depend on what one
judge answered, so that two judges' figures need not be over the same speakers.
"""

from earmark.scoring.papers.records import Paper
from earmark.scoring.papers.stancebench.figures import GLOSSARY, paper_metrics
from earmark.scoring.papers.stancebench.following import example, follow_submissions
from earmark.scoring.papers.stancebench.prose import CAVEAT, PRINTED
from earmark.scoring.papers.stancebench.vectors import worked_values

__all__ = ["STANCEBENCH", "paper_metrics"]

STANCEBENCH = Paper(
    name="stancebench",
    family="stance",
    means="speakers scored by every submission, less those who disagree with themselves; s·p; 0 is P",
    caveat=CAVEAT,
    evaluate=paper_metrics,
    cells=worked_values,
    example=example,
    follow=follow_submissions,
    printed=PRINTED,
    glossary=GLOSSARY,
)
