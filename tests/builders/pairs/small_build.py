"""A build of style pairs from two blocks over a few made-up utterances: too few for some quotas, none for one target."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tests.support.true_sizes import row

from earmark.builders.pairing.balance import Balance
from earmark.builders.pairs.balance_report import balances, pages
from earmark.builders.pairs.choosing import Chosen, choose, plan_blocks
from earmark.builders.pairs.columns import Columns
from earmark.builders.pairs.presets import with_preset
from earmark.builders.pairs.recipe import PairsRecipe
from earmark.builders.pairs.report import summary
from earmark.builders.pairs.sound import measures
from earmark.builders.plan import Rows
from earmark.builders.recipes import check_recipe
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings

KEY = bytes(range(32))

QUOTAS: dict[str, Json] = {
    "corpora": ["expresso"],
    "nuisances": ["seconds", "words", "loudness"],
    "non_tie": {"same": 12, "cross": 12},
    "both_good": {"same": 6},
    "both_bad": {"same": 6, "cross": 90},
}
RECIPE = check_recipe(
    with_preset(
        {
            "release": {"name": "x", "version": "1.0.0"},
            "corpora": {"expresso": {"root": "e"}},
            "pairing": {"allow_shortfall": True},
            "blocks": {
                "style": {**QUOTAS, "targets": ["happy"], "foils": {"default": 1, "other": 1}, "total": None},
                "more": {**QUOTAS, "criterion": "style", "targets": ["sad", "laughing"]},
            },
        }
    ),
    PairsRecipe,
)


@dataclass(frozen=True)
class Build:
    """What a build of the recipe above came to."""

    chosen: Sequence[Chosen]
    found: Sequence[Balance]
    report: Mapping[str, Json]
    files: Mapping[str, str]


def utterances() -> Rows:
    """Four speakers, four sentences in four styles, the happy ones longer."""
    dice = random.Random(3)  # noqa: S311
    return [
        row(
            f"expresso/ex0{speaker}_{style}_{sentence}",
            f"ex0{speaker}",
            seconds=dice.uniform(1, 5) + (style == "happy"),
            rate=48_000,
            sex=("male", "female")[speaker % 2],
            style=style,
            substyle=style,
            text=f"sentence {'and so ' * sentence}on",
        )
        for speaker in range(1, 5)
        for style in ("default", "happy", "sad", "whisper")
        for sentence in range(4)
    ]


@cache
def small_build() -> Build:
    """Made once; read it, never change it."""
    rows = sorted(utterances(), key=lambda entry: str(entry["utterance"]))
    columns = Columns(rows, measures(rows, [None] * len(rows)))
    blocks = plan_blocks(RECIPE, columns, ["style", "more"], Findings())
    chosen = [choose(criterion, planned, RECIPE, KEY, Findings()) for criterion, planned in blocks.items()]
    found = balances(chosen)
    report = summary(chosen, found, {"expresso": len(rows)})
    return Build(chosen, found, report, pages(RECIPE, chosen, found, report))
