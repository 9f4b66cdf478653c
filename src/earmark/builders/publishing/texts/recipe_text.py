"""How a release was made, as its resolved recipe says: the settings of each section, as many as a reader will read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from earmark.pages.shown import shown

MOST_SETTINGS, _MOST_TEXT, _MOST_LISTED = 24, 120, 12


@dataclass(frozen=True)
class Section:
    """A section of a recipe.

    Args:
        name: Its name.
        settings: Names, with dots where they are nested, and values for people.
        more: How many settings are left out; all stand in `release.json`.
    """

    name: str
    settings: tuple[tuple[str, str], ...]
    more: int


def recipe_sections(recipe: Mapping[str, object]) -> tuple[Section, ...]:
    """The sections of a recipe but `[release]`, which says nothing of how; what is unset is left out.

    >>> recipe_sections({"release": {}, "sample": {"share": 0.5, "floor": None, "roles": ["a", "b"]}})
    (Section(name='sample', settings=(('share', '0.5'), ('roles', 'a, b')), more=0),)
    """
    made = []
    for name, section in recipe.items():
        if name == "release":
            continue
        settings = tuple(_settings(section if isinstance(section, Mapping) else {name: section}))
        if settings:
            made.append(Section(shown(name), settings[:MOST_SETTINGS], max(0, len(settings) - MOST_SETTINGS)))
    return tuple(made)


def _settings(section: Mapping[object, object], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in section.items():
        name = f"{before}{key}"
        match value:
            case None:
                continue
            case Mapping():
                yield from _settings(value, f"{name}.")
            case bool():
                yield name, "yes" if value else "no"
            case str():
                yield name, shown(" ".join(value.split()), _MOST_TEXT)
            case Sequence() if value:
                yield name, _listed(value)
            case int() | float():
                yield name, str(value)
            case _:
                continue


def _listed(values: Sequence[object]) -> str:
    if any(isinstance(value, Mapping | list | tuple) for value in values):
        return f"{len(values)} {'entry' if len(values) == 1 else 'entries'}"
    more = f", … ({len(values)} in all)" if len(values) > _MOST_LISTED else ""
    return shown(", ".join(map(str, values[:_MOST_LISTED])), 2 * _MOST_TEXT) + more
