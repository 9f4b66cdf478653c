"""The templates of pages and how they are filled: everything is escaped, an unknown name is an error."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def render_template(name: str, values: Mapping[str, object]) -> str:
    """Fill one template.

    Args:
        name: File name of the template in this folder.
        values: What it may name; text is escaped, whatever it holds.

    Returns:
        The document, with one line end at its end.
    """
    return _environment().get_template(name).render(values).strip() + "\n"


@cache
def _environment() -> Environment:
    """Where templates stand; each is compiled once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("earmark.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
