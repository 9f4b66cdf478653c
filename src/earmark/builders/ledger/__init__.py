"""A ledger of paid calls in SQLite: intent before, answer, cost and latency after, and nothing recorded is paid for again."""

from earmark.builders.ledger.budget import CostLimit
from earmark.builders.ledger.calls import Answer, CallRequest, GaveUp, Place, Recorded, Send, Unanswered, Usage
from earmark.builders.ledger.ledger import Ledger
from earmark.builders.ledger.prices import ModelPrice, Prices
from earmark.builders.ledger.retries import RetriesSection
from earmark.builders.ledger.store import LedgerError, State
from earmark.builders.ledger.totals import CallRow, Doubtful, StageTotals, Totals

__all__ = [
    "Answer",
    "CallRequest",
    "CallRow",
    "CostLimit",
    "Doubtful",
    "GaveUp",
    "Ledger",
    "LedgerError",
    "ModelPrice",
    "Place",
    "Prices",
    "Recorded",
    "RetriesSection",
    "Send",
    "StageTotals",
    "State",
    "Totals",
    "Unanswered",
    "Usage",
]
