"""eval.yaml, which makes a dataset repository a benchmark on the hub: what is evaluated, by what, on which config and split."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earmark.builders.publishing.data.configs import ITEMS_CONFIG, SPLIT
from earmark.builders.publishing.texts.yaml_text import comment, yaml_text

if TYPE_CHECKING:
    from earmark.builders.publishing.texts.facts import Facts
    from earmark.manifests.canonical import Json

FRAMEWORK = "earmark"
"""Identifier of the evaluation framework."""

_OF_THE_HUB = (
    "The hub keeps a list of the frameworks that it knows, and of the benchmarks that get a leaderboard. Until this one and",
    f"the framework {FRAMEWORK!r} are on them, the file says how to evaluate and no more.",
)


def eval_yaml(facts: Facts) -> str:
    """One task per protocol over all items, its value the headline; then one per facet of the first protocol."""
    first = facts.protocols[0]
    counted = [(protocol.name, ITEMS_CONFIG) for protocol in facts.protocols]
    counted += [(f"{first.name}-{config.name}", config.name) for config in facts.configs if config.facet is not None]
    ids = _distinct([id for id, _ in counted])
    tasks: list[Json] = [
        {"id": id, "config": config, "split": SPLIT} for id, (_, config) in zip(ids, counted, strict=True)
    ]
    head: dict[str, Json] = {
        "name": f"{facts.name} {facts.version}",
        "description": (
            f"{facts.title}. {facts.items} items in {len(facts.facets)} facets. The value of a task is the headline of a report, "
            f"{facts.headline.replace('_', ' ')}; its interval belongs into the notes, and the whole report behind the source."
        ),
        "evaluation_framework": FRAMEWORK,
        "tasks": tasks,
    }
    return comment("\n".join((facts.canary_sentence, *_OF_THE_HUB))) + yaml_text(head)


def _distinct(names: list[str]) -> list[str]:
    """Names of letters, digits, hyphens and underscores, no two of them the same."""
    made: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name)
        number = 1
        while (candidate := plain if number == 1 else f"{plain}-{number}") in made:
            number += 1
        made.append(candidate)
    return made
