"""What a stranger wrote, made safe to look at: control and direction characters visible, length bounded.

Escaping for HTML is the template's work; this is about what survives escaping and still misleads, such as a
right-to-left override in a judge's name, and about what no encoder can write, such as half a surrogate pair.
"""

from __future__ import annotations

from collections.abc import Mapping

from earmark.manifests.canonical import Json


def shown(text: str, most: int = 200) -> str:
    r"""One line of text, at most `most` characters of it, every character visible.

    Args:
        text: Anything at all.
        most: Characters kept, at least 1; how many there were is said where some were dropped.

    >>> shown("two\nlines")
    'two\\nlines'
    >>> shown("abcdef", 3)
    'abc… (6 characters)'
    """
    clipped = text if len(text) <= most else text[:most]
    visible = "".join(letter if letter.isprintable() else _escape(letter) for letter in clipped)
    return visible if len(text) <= most else f"{visible}… ({len(text):,} characters)"


def brief(text: str, most: int) -> str:
    """A label for a drawing, where there is no room to say how much was dropped.

    >>> brief("Calmness + Avoidance", 10)
    'Calmness …'
    """
    return shown(text, most) if len(text) <= most else f"{shown(text[: most - 1], most)}…"


def shown_lines(text: str) -> str:
    """The same for a whole text: its line ends stay, nothing is dropped."""
    return "\n".join(
        "".join(letter if letter.isprintable() else _escape(letter) for letter in line) for line in text.split("\n")
    )


def flattened(value: Mapping[str, Json], most: int = 200) -> tuple[tuple[str, str], ...]:
    """A nested mapping as dotted names and shown values, nulls left out, in the mapping's own order.

    >>> flattened({"judge": {"name": "ears", "revision": None}, "runs": 2})
    (('judge.name', 'ears'), ('runs', '2'))
    """
    pairs: list[tuple[str, str]] = []
    for name, entry in value.items():
        match entry:
            case None:
                continue
            case Mapping():
                pairs += [(f"{shown(name, most)}.{inner}", text) for inner, text in flattened(entry, most)]
            case bool():
                pairs.append((shown(name, most), "yes" if entry else "no"))
            case str() | int() | float():
                pairs.append((shown(name, most), shown(str(entry), most)))
            case _:
                pairs.append((shown(name, most), shown(", ".join(map(str, entry)), most)))
    return tuple(pairs)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
