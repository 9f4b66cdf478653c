"""Nobody with the public tables of dialogues does better than chance: whatever is tried says the gold as often as its opposite.

Many releases of the same dialogues are made, each under another key; every attack is a number per item, measured over all of
them. Deliberately leaky variants show that it would be seen.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.builders.attacker import auroc, bits, spread
from tests.support.voiced import voiced_dialogues

from earmark.builders.dialogues.releasing.items import tables
from earmark.builders.dialogues.releasing.prompts import read_templates
from earmark.builders.plan import Rows
from earmark.manifests.declarations import AUDIO
from earmark.manifests.families.dialogues import DIALOGUES, DIRECT, SEQUENTIAL_2, SEQUENTIAL_4
from earmark.manifests.findings import Findings
from earmark.manifests.tables import Side

RELEASES, LEAKY, COUNT = 60, 24, 9
SIGMAS = 4.5
"""Bound of each attack, in standard deviations by chance: one of a hundred harmless ones would pass it once in 1,500 runs."""

PUBLIC = {name: table for name, table in DIALOGUES.tables().items() if table.side is Side.PUBLIC}
WORDS = read_templates(None, Findings())

Leak = Callable[[dict[str, Rows]], None]


def release(number: int, leak: Leak | None = None) -> tuple[Mapping[str, list[dict[str, Any]]], Mapping[str, str]]:
    """The public tables as they are read, and the golds."""
    key = hashlib.sha256(b"key %d" % number).digest()
    made = tables(
        voiced_dialogues(COUNT, subscales=2),
        WORDS,
        key=key,
        seed=1,
        chains=(SEQUENTIAL_2, SEQUENTIAL_4, DIRECT),
        modalities=(AUDIO,),
    )
    rows = {
        name: sorted(made[name], key=lambda row, t=table: [str(row[k]) for k in t.key])
        for name, table in PUBLIC.items()
    }  # type: ignore[misc]  # a default is how a lambda keeps it
    if leak is not None:
        leak({**rows, "answers": made["answers"], "sources": made["sources"]})
    return rows, {str(row["item_id"]): str(row["gold"]) for row in made["answers"]}


def features(rows: Mapping[str, list[dict[str, Any]]]) -> dict[str, dict[str, float]]:
    """Item → everything that might say which option it is."""
    told: dict[str, dict[str, float]] = defaultdict(dict)
    place = {row["clip_id"]: n for n, row in enumerate(rows["clips"])}
    options: dict[str, list[str]] = defaultdict(list)
    for row in rows["item_clips"]:
        if row["role"] == "option":
            options[row["item_id"]].append(row["clip_id"])
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    by_id = {row["presentation_id"]: row for row in rows["presentations"]}
    for row in rows["presentations"]:
        asked[row["item_id"]].append(row)
    for n, row in enumerate(rows["items"]):
        item, tell = row["item_id"], told[row["item_id"]]
        first, second = options[item]
        tell["row of the item"] = n
        tell["parity of the row"] = n % 2
        tell["which clip stands first in the table"] = float(place[first] < place[second])
        tell["turn"] = float(row["target"] == "turn 4")
        for name, id in (("item", item), ("first option", first), ("second option", second), ("group", row["group"])):
            tell |= {f"bit {at} of the {name}": bit for at, bit in enumerate(islice(bits(id), 6))}
        orders = [entry["order"] for entry in asked[item]]
        tell["order of the first presentation"] = float(orders[0] == "12")
        tell["orders as they stand"] = float(int("".join(str(int(order == "21")) for order in orders), 2))
        linked = [entry for entry in asked[item] if entry["after"] and SEQUENTIAL_2 in entry["protocols"]]
        tell["which sequence"] = float(any(by_id[entry["after"]]["order"] == entry["order"] for entry in linked))
        prompt = {id["prompt_id"]: n for n, id in enumerate(rows["prompts"])}
        tell["row of the prompt"] = min(prompt[entry["prompt_id"]] for entry in asked[item])
    return told


@cache
def success(leak: Leak | None = None) -> dict[str, float]:
    """How far each attack is from chance, in standard deviations of chance."""
    told, gold = [], []
    for number in range(RELEASES if leak is None else LEAKY):
        rows, answers = release(number, leak)
        for item, tell in sorted(features(rows).items()):
            told.append(tell)
            gold.append(answers[item] == "first")
    names = sorted(told[0])
    table = np.array([[tell[name] for name in names] for tell in told], dtype=np.float64)
    positive, groups = np.array(gold), np.arange(len(gold))
    assert 0.45 < positive.mean() < 0.55
    sigma = spread(groups, positive)
    return {name: _excess(table[:, at], positive, sigma) for at, name in enumerate(names)}


def _excess(scores: NDArray[np.float64], positive: NDArray[np.bool_], sigma: float) -> float:
    return float(abs(auroc(scores, positive) - 0.5) / sigma)


def test_nothing_that_is_public_says_which_option_is_right() -> None:
    found = success()
    assert len(found) > 30
    assert {name: excess for name, excess in found.items() if excess > SIGMAS} == {}


def gold_rows_first(rows: dict[str, Rows]) -> None:
    gold = {row["item_id"]: row["gold"] for row in rows["answers"]}
    rows["items"].sort(key=lambda row: gold[row["item_id"]] == "first")


def right_clips_first(rows: dict[str, Rows]) -> None:
    option = {row["clip_id"]: row["option"] for row in rows["sources"]}
    rows["clips"].sort(key=lambda row: option[row["clip_id"]] == "resonant")


def sequence_by_gold(rows: dict[str, Rows]) -> None:
    """Crossed where the gold is the first: what a pairing that is not drawn would be."""
    gold = {row["item_id"]: row["gold"] for row in rows["answers"]}
    by_id = {row["presentation_id"]: row for row in rows["presentations"]}
    for row in rows["presentations"]:
        after = row["after"]
        if after is not None:
            same = by_id[after]["order"] == row["order"]  # type: ignore[index]  # an id
            row["protocols"] = [SEQUENTIAL_4, *([SEQUENTIAL_2] if same == (gold[row["item_id"]] == "first") else [])]


@pytest.mark.parametrize("leak", [gold_rows_first, right_clips_first, sequence_by_gold])
def test_what_tells_would_be_seen(leak: Leak) -> None:
    assert max(success(leak).values()) > 1.5 * SIGMAS
