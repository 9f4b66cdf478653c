"""DATASHEET.md: the groups of questions of Gebru et al., "Datasheets for datasets" (2021), answered as far as the release can.

What nobody told Earmark is said not to be known, and never guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.builders.publishing.texts.card import ANSWERS, MOST_FACETS, length_text, rates_text
from earmark.builders.publishing.texts.markdown import render_markdown
from earmark.builders.publishing.texts.recipe_text import recipe_sections
from earmark.manifests.licences import licence

if TYPE_CHECKING:
    from earmark.builders.publishing.texts.facts import Facts

UNKNOWN = "The recipe does not say."
"""What stands where only people know."""


def datasheet(facts: Facts) -> str:
    """The whole datasheet, as Markdown."""
    errors, warnings = (
        sum(entry.count for entry in facts.audit if entry.severity == severity) for severity in ("error", "warning")
    )
    return render_markdown(
        "datasheet.md.j2",
        {
            "facts": facts,
            "unknown": UNKNOWN,
            "answers": ANSWERS[facts.gold],
            "length": length_text(facts.seconds),
            "rates": rates_text(facts.rates),
            "facets": facts.facets[:MOST_FACETS],
            "more_facets": max(0, len(facts.facets) - MOST_FACETS),
            "corpora": [(corpus, licence(corpus.licence)) for corpus in facts.corpora],
            "settled": [section.name for section in recipe_sections(facts.recipe)],
            "neither": facts.clips - facts.shipped - facts.cut,
            "errors": errors,
            "warnings": warnings,
            "tables": [(config, config.columns) for config in facts.configs if config.facet is None],
        },
    )
