"""What figures may be used for and what not, under the titles that every page has."""

from __future__ import annotations

from earmark.manifests.report import UseEntry
from earmark.pages.shown import shown

INTENDED, OUT_OF_SCOPE = "Intended use", "Out of scope"


def purposes(use: UseEntry | None) -> tuple[tuple[str, str], ...]:
    """Titles and paragraphs; nothing of what a family does not say.

    >>> purposes(UseEntry("For tests.", "")), purposes(None)
    ((('Intended use', 'For tests.'),), ())
    """
    if use is None:
        return ()
    said = ((INTENDED, use.intended), (OUT_OF_SCOPE, use.out_of_scope))
    return tuple((title, shown(text, 4000)) for title, text in said if text)
