"""What must hold in a release of dialogues besides."""

from __future__ import annotations

from earmark.validation.contents import Invariant

INVARIANTS: tuple[Invariant, ...] = ()
