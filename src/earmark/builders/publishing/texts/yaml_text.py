"""YAML as it is written into a published copy: block mappings and lists, every text quoted, whatever a stranger called things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from earmark.manifests.canonical import Json

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def yaml_text(value: Mapping[str, Json]) -> str:
    r"""A mapping as a YAML document without its marks, keys in their own order, with a line end at its end.

    Args:
        value: Keys are plain words; a number must be finite.

    Raises:
        ValueError: If a key is no plain word.

    >>> print(yaml_text({"name": "no: \"such\"", "tasks": [{"id": "a", "parts": [1, None]}], "empty": []}), end="")
    name: "no: \"such\""
    tasks:
      - id: "a"
        parts:
          - 1
          - null
    empty: []
    """
    return "".join(f"{line}\n" for line in _mapping(value))


def quoted(text: str) -> str:
    r"""A text between double quotation marks, on one line, every character that YAML would not print escaped.

    >>> print(quoted("two\nlines\u2028and 😀"))
    "two\nlines\u2028and 😀"
    """
    return f'"{"".join(_letter(letter) for letter in text)}"'


def comment(text: str) -> str:
    """A comment line for each line of a text, with a line end at its end."""
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


def _letter(letter: str) -> str:
    if letter in _SHORT:
        return _SHORT[letter]
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _mapping(value: Mapping[str, Json]) -> Iterator[str]:
    for key, entry in value.items():
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is no key that is written plainly")
        if isinstance(entry, Mapping | list | tuple) and entry:
            yield f"{key}:"
            yield from (f"  {line}" for line in _block(entry))
        else:
            yield f"{key}: {_scalar(entry)}"


def _block(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from _mapping(value)
        return
    for entry in value if isinstance(value, Sequence) else ():
        if isinstance(entry, Mapping | list | tuple) and entry:
            first, *others = _block(entry)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
        else:
            yield f"- {_scalar(entry)}"


def _scalar(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value)
        case int():
            return str(value)
        case float():
            return repr(value) if "." in repr(value) else repr(value).replace("e", ".0e")  # without a dot it is a text
        case Mapping():
            return "{}"
        case _:
            return "[]"
