"""What a stranger wrote, made safe to look at: control and direction characters visible, length bounded.

Escaping for HTML is the template's work; this is about what survives escaping and still misleads, such as a
right-to-left override in a judge's name, and about what no encoder can write, such as half a surrogate pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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


def briefs(names: Iterable[str], most: int) -> Mapping[str, str]:
    """Short labels for names that stand side by side: of those that would read alike the ends, not the beginnings.

    Args:
        names: Any number of names.
        most: Characters of a label, at least 3.

    >>> briefs(["ears", "judge-of-speech-7B", "judge-of-speech-32B"], 10)
    {'ears': 'ears', 'judge-of-speech-7B': '…h-7B', 'judge-of-speech-32B': '…h-32B'}
    """
    labels = {name: brief(name, most) for name in names}
    for those in _alike(labels):
        labels |= _ends(those, most)
    # Ends of some may be those of others: then all of these together.
    if again := [name for those in _alike(labels) for name in those]:
        labels |= _ends([name for name in labels if labels[name] != brief(name, most) or name in again], most)
    return labels


def _alike(labels: Mapping[str, str]) -> list[list[str]]:
    """Names that have the same label."""
    found: dict[str, list[str]] = {}
    for name, label in labels.items():
        found.setdefault(label, []).append(name)
    return [those for those in found.values() if len(those) > 1]


def _ends(names: Sequence[str], most: int) -> Mapping[str, str]:
    """Labels that begin where names differ, or so little before that the first half of each has it."""
    shortest = min(map(len, names))
    differ = next((n for n in range(shortest) if len({name[n] for name in names}) > 1), shortest)
    start = max(0, min(differ, shortest - (most - 1) // 2))
    return {name: "…" + brief(name[start:], most - 1) for name in names}


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
