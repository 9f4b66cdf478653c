"""README.md of a published copy: metadata that the hub and `datasets` read, and all that a reader must know before using it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from earmark.builders.publishing.data.column_types import features
from earmark.builders.publishing.data.configs import CLIPS_CONFIG, ITEMS_CONFIG, SPLIT, Config
from earmark.builders.publishing.texts.citation import bibtex
from earmark.builders.publishing.texts.markdown import render_markdown
from earmark.builders.publishing.texts.recipe_text import recipe_sections
from earmark.builders.publishing.texts.yaml_text import yaml_text
from earmark.manifests.licences import licence
from earmark.pages.formats import metric_label, number

if TYPE_CHECKING:
    from earmark.builders.publishing.texts.facts import BaselineFacts, Facts
    from earmark.manifests.canonical import Json

MOST_FACETS = 300
"""Facets that the body lists; the metadata has all of them."""

ANSWERS = {
    "hidden": (
        "The answers are hidden: this copy holds none, nor which recording a clip was cut from. Whoever hosts the benchmark "
        "marks prediction files; anybody can check one beforehand."
    ),
    "open": "The answers are open: they stand in this copy, so anybody can mark a prediction file, or train on them.",
    "derivable": (
        "This copy says from which recordings clips are cut, because their audio cannot be shared. So whoever has the corpora "
        "can look up most answers: a score on it says as much as one on any public test set, and no more."
    ),
}
"""What it means that answers are hidden, open or derivable."""

_ON_THE_HUB = frozenset(
    {
        *("cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0"),
        *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
        *("cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "mit", "apache-2.0", "cdla-permissive-2.0"),
    }
)
"""Identifiers that the hub knows, of the licences that Earmark knows; they are SPDX's in lower case."""

_HUB_NAMES = {"ODC-By-1.0": "odc-by"}


def card(facts: Facts) -> str:
    """The whole card: YAML between two lines of hyphens, then Markdown."""
    body = render_markdown(
        "card.md.j2",
        {
            "facts": facts,
            "answers": ANSWERS[facts.gold],
            "length": length_text(facts.seconds),
            "rates": rates_text(facts.rates),
            "facets": facts.facets[:MOST_FACETS],
            "more_facets": max(0, len(facts.facets) - MOST_FACETS),
            "corpora": [(corpus, licence(corpus.licence)) for corpus in facts.corpora],
            "sections": recipe_sections(facts.recipe),
            "baselines": [(entry, _value(facts, entry)) for entry in facts.baselines],
            "headline": metric_label(facts.headline),
            "metric_label": metric_label,
            "has_clips": any(config.name == CLIPS_CONFIG for config in facts.configs),
            "split": SPLIT,
            "items_config": ITEMS_CONFIG,
            "answered": any(config.name == "answers" for config in facts.configs),
            "bibtex": Markup(bibtex(facts).rstrip()),  # noqa: S704  # in a block of code; no line of it can end one
        },
    )
    return f"---\n{yaml_text(metadata(facts))}---\n\n{body}"


def metadata(facts: Facts) -> dict[str, Json]:
    """The card's metadata, as the hub's specification of dataset cards names it."""
    return {
        **_licence(facts),
        "language": list(facts.languages),
        "pretty_name": f"{facts.title} ({facts.name} {facts.version})",
        "size_categories": [facts.size_category],
        "task_categories": ["audio-classification", "audio-text-to-text"],
        "annotations_creators": ["derived"],
        "source_datasets": [corpus.name for corpus in facts.corpora],
        "tags": ["benchmark", "audio", "speech", "paralinguistics", "croissant", "earmark", facts.family],
        "configs": [_config(config, default=number == 0) for number, config in enumerate(facts.configs)],
        "dataset_info": [
            {"config_name": config.name, "features": features(config.columns)} for config in facts.configs
        ],
    }


def length_text(seconds: float) -> str:
    """A length for people.

    >>> length_text(7384.5), length_text(75.0), length_text(4.25)
    ('2.05 h', '1.2 min', '4.2 s')
    """
    if seconds >= 3600:
        return f"{seconds / 3600:,.2f} h"
    return f"{seconds / 60:.1f} min" if seconds >= 60 else f"{seconds:.1f} s"


def rates_text(rates: Sequence[int]) -> str:
    """Sampling rates for people.

    >>> rates_text((16000, 48000))
    '16,000 Hz, 48,000 Hz'
    """
    return ", ".join(f"{rate:,} Hz" for rate in rates) or "none"


def _config(config: Config, *, default: bool) -> dict[str, Json]:
    path: Json = config.files[0] if len(config.files) == 1 else list(config.files)
    return {
        "config_name": config.name,
        **({"default": True} if default else {}),
        "data_files": [{"split": SPLIT, "path": path}],
    }


def _licence(facts: Facts) -> dict[str, Json]:
    own = facts.licence
    hub = _HUB_NAMES.get(own.id, own.id.lower())
    if hub in _ON_THE_HUB or own.id in _HUB_NAMES:
        return {"license": hub}
    name = re.sub(r"[^a-z0-9.]+", "-", own.id.lower()).strip("-")
    return {"license": "other", "license_name": name, "license_link": "LICENSE"}


def _value(facts: Facts, entry: BaselineFacts) -> str:
    """What a rule gets; with hidden gold two decimals are known, and a third would be made up."""
    return f"{entry.value:.2f}" if facts.gold == "hidden" and entry.value is not None else number(entry.value)
