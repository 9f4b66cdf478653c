"""SpeechEQ's printed tables, and the whole numbers of right answers that stand behind them.

`tables` has what is printed and the counts, `cells` the figures that the counts give, `ranks` the correlations with people,
`costs` what latencies cost, `figures` what the authors would make of a submission; what follows beyond that stands as tables in
`derived`. SEQ is against the norm `speecheq-table3`.
"""

from earmark.scoring.papers.records import Paper
from earmark.scoring.papers.speecheq.cells import paper_values
from earmark.scoring.papers.speecheq.derived import sections
from earmark.scoring.papers.speecheq.figures import paper_metrics
from earmark.scoring.papers.speecheq.printed import CAVEAT, printed_figures

__all__ = ["SPEECHEQ", "paper_metrics"]

SPEECHEQ = Paper(
    name="speecheq",
    family="dialogues",
    means="whole numbers of dialogues that the tables imply; by default ranks of the public predictions, and exact p",
    caveat=CAVEAT,
    evaluate=paper_metrics,
    cells=paper_values,
    example=tuple,
    follow=None,
    printed=printed_figures(),
    glossary={},
    worked="Tables 1 to 4 and 6 of SpeechEQ beside ours",
    columns=("printed", "counted", "default"),
    sections=sections,
)
