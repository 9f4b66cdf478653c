"""Markdown as it is written into a published copy: whatever a stranger called things stays text, on one line and in one cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from earmark.pages.shown import shown

if TYPE_CHECKING:
    from jinja2 import Environment

MOST = 2000
"""Characters of one text that are written."""

_SPECIAL = re.compile(r"[\\`*_\[\]<>~&$|]")
_AT_A_LINE_START = re.compile(r"^(\d{1,9}(?=[.)](\s|$))|(?=[#=]|[+-](\s|$)|--))")
_URL = re.compile(r"https?://[A-Za-z0-9.-]+(:\d+)?(/[A-Za-z0-9._~!$&'()*+,;=:@%/?#-]*)?")
_CODE = re.compile(r"[A-Za-z0-9 _.,:;/@#=+()-]*[A-Za-z0-9_.,:;/@#=+()-]")


def plain(text: str) -> str:
    r"""A text that no Markdown reader takes for more than text: no emphasis, link, HTML, heading, list, code or cell end.

    >>> plain("a_b <b> | c")
    'a\\_b \\<b\\> &#124; c'
    >>> plain("- one\n# two"), plain("1. one")
    ('\\- one\\\\n# two', '1\\. one')
    """
    escaped = _SPECIAL.sub(lambda found: "&#124;" if found[0] == "|" else f"\\{found[0]}", shown(text, MOST).strip())
    return _AT_A_LINE_START.sub(lambda found: f"{found[0]}\\", escaped)


def code(text: str) -> str:
    r"""A name as code, or as plain text if it holds what code cannot show in a cell.

    >>> code("both-orders"), code("a`b")
    ('`both-orders`', 'a\\`b')
    """
    return f"`{text}`" if _CODE.fullmatch(text) else plain(text)


def link(url: str) -> str:
    """An address that can be followed, or plain text if it is none of the web.

    >>> link("https://example.org/a?b=c"), link("javascript:alert(1)")
    ('<https://example.org/a?b=c>', 'javascript:alert(1)')
    """
    return f"<{url}>" if _URL.fullmatch(url) else plain(url)


def one_line(text: str) -> str:
    """A text for a file that is no Markdown: one line, every character visible."""
    return shown(text, MOST).strip()


def render_markdown(name: str, values: Mapping[str, object]) -> str:
    """Fill a template of this room; everything in it is written as `plain` does, but what `code` and `link` make.

    Args:
        name: File name of the template.
        values: What it may name.

    Returns:
        The text, with one line end at its end.
    """
    text = _environment().get_template(name).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("earmark.builders.publishing.texts", "templates"),
        autoescape=True,
        finalize=_finalised,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"code": _marked(code), "link": _marked(link), "number": "{:,}".format}
    return environment


def _finalised(value: object) -> object:
    return value if isinstance(value, Markup) else Markup(plain(str(value)))  # noqa: S704  # escaped, for Markdown


def _marked(write: Callable[[str], str]) -> Callable[[object], Markup]:
    return lambda value: Markup(write(str(value)))  # noqa: S704  # written so that it stays text
