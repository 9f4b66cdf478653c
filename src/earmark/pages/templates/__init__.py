"""The templates of pages and how they are filled: everything is escaped, an unknown name is an error."""

from __future__ import annotations

from collections.abc import Mapping


def render_template(name: str, values: Mapping[str, object]) -> str:
    """Fill one template.

    Args:
        name: File name of the template in this folder.
        values: What it may name; text is escaped, whatever it holds.

    Returns:
        The document, with one line end at its end.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("earmark.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name).render(values).strip() + "\n"
