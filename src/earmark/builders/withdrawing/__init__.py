"""Withdrawing: the next version of a release without some of its items, and a list of what it no longer holds.

`request` reads who or what is withdrawn, `naming` finds what that is, `remaining` takes it out of every table, `writing` writes
what is left, and `withdrawal` leads them. A family whose own tables or recipe speak of items has a function
`withdrawn(remaining)` in its module of this room.
"""

from earmark.builders.withdrawing.remaining import Gone, Remaining
from earmark.builders.withdrawing.withdrawal import Withdrawal, Withdrew, withdraw

__all__ = ["Gone", "Remaining", "Withdrawal", "Withdrew", "withdraw"]
