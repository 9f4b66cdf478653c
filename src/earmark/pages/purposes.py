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


def out_of_scope_line(use: UseEntry | None) -> str:
    """What the figures are not for, in one sentence for a terminal, the first of several; empty where the family says nothing.

    >>> out_of_scope_line(UseEntry("", "No hiring. Parts were played.")), out_of_scope_line(None)
    ('Out of scope: No hiring.', '')
    """
    if use is None or not use.out_of_scope:
        return ""
    first, full_stop, _ = use.out_of_scope.partition(". ")
    return f"{OUT_OF_SCOPE}: {shown(first + full_stop.rstrip(), 1000)}"
