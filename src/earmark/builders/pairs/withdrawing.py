"""What the manifest of a pairs release says of its cells, once pairs were withdrawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from earmark.manifests.families.pairs_recipe import SECTION, stored_pairing
from earmark.validation.contents import Contents
from earmark.validation.pairing.counts import cells_of
from earmark.validation.pairs import pair_tables

if TYPE_CHECKING:
    from earmark.builders.withdrawing import Remaining
    from earmark.manifests.canonical import Json


def withdrawn(left: Remaining) -> Remaining:
    """With as many pairs in each cell as are left, and why a cell has fewer than were wanted.

    Args:
        left: What the tables hold still.
    """
    pairing = stored_pairing(left.release.manifest)
    asked = pair_tables(Contents(left.release, left.tables)).asked
    filled = Counter(n for pair in asked for n in cells_of(pair, pairing.cells))
    cells = []
    for n, cell in enumerate(pairing.cells):
        lost = cell.filled - filled[n]
        binding = "; ".join(part for part in (cell.binding, f"{lost} withdrawn") if part) if lost else cell.binding
        cells.append(msgspec.structs.replace(cell, filled=filled[n], binding=binding))
    said = left.recipe.get(SECTION)
    section: Mapping[str, Json] = said if isinstance(said, Mapping) else {}
    recipe: Mapping[str, Json] = {**left.recipe, SECTION: {**section, "cells": msgspec.to_builtins(cells)}}
    return replace(left, recipe=recipe)
