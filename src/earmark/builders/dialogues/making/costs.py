"""What calls cost, for a build's report: by stage, provider and model, and what may be billed twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.builders.ledger.prices import BILLION
from earmark.manifests.canonical import Json

if TYPE_CHECKING:
    from earmark.builders.ledger.ledger import Ledger


def costs_report(ledger: Ledger) -> dict[str, Json]:
    """Sums over a ledger, earlier runs included.

    Args:
        ledger: The ledger.

    Returns:
        Money in US dollars. Where a model has no price its calls are counted and its cost is 0; `unpriced_tries` says how many.
    """
    totals, doubtful = ledger.totals(), ledger.doubtful()
    return {
        "spent_usd": totals.spent / BILLION,
        "may_be_billed_besides_usd": totals.doubtful / BILLION,
        "calls": totals.calls,
        "answered": totals.answered,
        "tries": totals.tries,
        "unpriced_tries": totals.unpriced,
        "possibly_billed_twice": sum(doubt.twice for doubt in doubtful),
        "possibly_billed_without_an_answer": sum(not doubt.twice for doubt in doubtful),
        "stages": [
            {
                "stage": stage.stage,
                "provider": stage.provider,
                "model": stage.model,
                "calls": stage.calls,
                "answered": stage.answered,
                "tries": stage.tries,
                "spent_usd": stage.spent / BILLION,
                "may_be_billed_besides_usd": stage.doubtful / BILLION,
                "input_tokens": stage.input_tokens,
                "output_tokens": stage.output_tokens,
                "characters": stage.characters,
                "seconds": round(stage.seconds, 3),
            }
            for stage in ledger.stage_totals()
        ],
    }
