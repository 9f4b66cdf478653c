"""Files of templates: sections of one's own in place of Earmark's, and texts with just the placeholders that are filled in."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from string import Template
from typing import TypeVar

import msgspec

from earmark.builders.recipes import check_recipe, read_toml
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Findings

TemplatesT = TypeVar("TemplatesT", bound=msgspec.Struct)


def read_template_file(path: Path | None, own: str, shape: type[TemplatesT]) -> TemplatesT:
    """A file of templates, its texts not looked at yet.

    Args:
        path: A TOML file, whose sections stand in place of Earmark's own; None for all of those.
        own: Earmark's own file, its text.
        shape: Record of a whole file; each field is a section.

    Raises:
        Refused: If the file cannot be read, or a section is unknown or wrong.
    """
    value: Mapping[str, Json] = tomllib.loads(own)
    if path is None:
        return check_recipe(value, shape)
    return check_recipe({**value, **read_toml(path)}, shape, file=str(path))


def check_placeholders(
    text: str, needed: Collection[str], code: Code, *, id: str, file: Path | None, findings: Findings
) -> None:
    """Check that a text has every placeholder that is needed, and no other.

    Args:
        text: A template.
        needed: Names without the $; may be empty.
        code: Code of the finding.
        id: Where the text stands in the file.
        file: The file; None of Earmark's own.
        findings: Told of a $ that begins no placeholder, and of placeholders that are missing or not known.
    """
    template = Template(text)
    found, expected = (
        ", ".join(f"${name}" for name in names) or "no placeholder"
        for names in (template.get_identifiers(), sorted(needed))
    )
    if not template.is_valid():
        found, expected = "a $ that begins no placeholder", f"{expected}, and $$ for $"
    elif set(template.get_identifiers()) == set(needed):
        return
    else:
        expected += ", each at least once, and no other" if needed else ""
    findings.add(code, file=None if file is None else file.name, id=id, found=found, expected=expected)
