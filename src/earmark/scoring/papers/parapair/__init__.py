"""ParaPairAudioBench's printed tables, and what whole numbers of right answers stand behind them.

`tables` has what is printed, `counts` the numbers that give it, `constructed` answers with those numbers, which `marked` lets the
family's scorer mark. `verdicts` says what is above chance, `effect` what is left of the transcript's where ties are left out;
both stand as tables in `derived`. The paper's definitions are the family's, and it leaves out nothing: no filters to follow.
"""

from earmark.scoring.papers.parapair.derived import sections
from earmark.scoring.papers.parapair.figures import paper_metrics
from earmark.scoring.papers.parapair.marked import paper_values
from earmark.scoring.papers.parapair.printed import CAVEAT, page, printed_figures
from earmark.scoring.papers.records import Paper

__all__ = ["PARAPAIR", "paper_metrics"]

PARAPAIR = Paper(
    name="parapair",
    family="pairs",
    means="whole numbers of right answers that the tables imply, and constructed answers with those numbers, in percent",
    caveat=CAVEAT,
    evaluate=paper_metrics,
    cells=paper_values,
    example=tuple,
    follow=None,
    printed=printed_figures(),
    glossary={},
    worked="Tables 2 to 4 of ParaPairAudioBench beside ours",
    columns=("printed", "counted", "scored"),
    sections=sections,
    page=page,
)
