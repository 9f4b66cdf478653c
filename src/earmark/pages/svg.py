"""Matplotlib's drawing as a small, deterministic, accessible SVG that takes its colours from the page around it.

Matplotlib is given placeholder colours; afterwards each becomes `var(--name, fallback)`, so that one drawing is legible on
light and dark pages and still stands alone. Text stays text, in the page's own face. Metadata, dates and unused ids go, the
ids that are left get a prefix made from the drawing's content, and coordinates are rounded to a hundredth of a pixel, which
also hides the last digits in which two machines may differ. One unit of the drawing is one CSS pixel.
"""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

SVG = "http://www.w3.org/2000/svg"
DPI = 72
SMALL, BODY = 9.5, 11.0
"""Sizes of text in pixels."""


@dataclass(frozen=True)
class Colour:
    """A colour of the page.

    Args:
        name: Name of the CSS variable.
        placeholder: What Matplotlib draws it as; no two colours share one.
        fallback: What it is where no page defines the variable.
    """

    name: str
    placeholder: str
    fallback: str


INK = Colour("ink", "#010101", "#1c2128")
MUTED = Colour("muted", "#010102", "#59636e")
FAINT = Colour("faint", "#010103", "#c9d0d8")
PAPER = Colour("paper", "#010104", "#ffffff")
POSITIVE = Colour("positive", "#010105", "#0067a5")
NEGATIVE = Colour("negative", "#010106", "#b34700")
ACCENT = Colour("accent", "#010107", "#5b3fa8")
SERIES = tuple(
    Colour(f"series-{place}", f"#0102{place:02d}", fallback)
    for place, fallback in enumerate(("#2f7d5b", "#8a8f98", "#b3261e", "#c47a00", "#0067a5", "#7a3fa0", "#59636e"))
)
COLOURS = (INK, MUTED, FAINT, PAPER, POSITIVE, NEGATIVE, ACCENT, *SERIES)

_MEASURED = "font-family:'DejaVu Sans';"
_ROOT_STYLE = "stroke-linejoin:round;stroke-linecap:butt;font-family:var(--face,system-ui,sans-serif)"
_ROUNDED = ("d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "transform", "viewBox")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NO_TURN = re.compile(r"^rotate\(-?0(?:\.0+)?(?:[ ,][^)]*)?\)$")


@dataclass(frozen=True)
class Table:
    """The numbers of a figure, spelled out.

    Args:
        head: Column heads; the first column names the row.
        rows: One text per column.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A figure as pages take it.

    Args:
        panels: One or more SVG documents, drawn by this room; they stand side by side where there is space.
        table: The numbers in them.
        note: How it was drawn, in a sentence or two; stands under the caption.
    """

    panels: tuple[str, ...]
    table: Table
    note: str = ""

    @property
    def svg(self) -> str:
        """The panels, one after the other, ready to be put into a page."""
        return "\n".join(self.panels)


def render(width: float, height: float, draw: Callable[[Drawing], None], *, title: str, description: str) -> str:
    """Draw one SVG.

    Args:
        width: Width in CSS pixels, positive.
        height: Height in CSS pixels, positive.
        draw: Draws on the empty Matplotlib figure that it gets.
        title: Short name; also what a screen reader says first.
        description: What there is to be seen, in words.

    Returns:
        The document without an XML declaration, so that it can stand in a page or alone; equal drawings are equal text.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Drawing

    with mpl.rc_context(), warnings.catch_warnings():
        # A letter that the measuring font lacks is drawn all the same: the page's own face is used.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        mpl.rcdefaults()  # whatever the user's matplotlibrc says
        mpl.rcParams.update(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": "earmark",
                "text.parse_math": False,  # a judge may be called $x$
                "path.simplify": False,
                "font.family": ["DejaVu Sans"],
                "font.size": BODY,
                "hatch.linewidth": 0.8,
            }
        )
        drawing = Drawing(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="none")
        drawing.patch.set_visible(False)
        FigureCanvasSVG(drawing)
        draw(drawing)
        written = io.StringIO()
        drawing.savefig(written, format="svg", dpi=DPI, metadata={"Date": None})
    return _tidied(written.getvalue(), width, height, title, description)


def axes_over(drawing: Drawing, *, left: float = 0) -> Axes:
    """Axes over the whole drawing whose data units are pixels, x from `left` rightwards, y from the top downwards."""
    axes = drawing.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    width, height = drawing.get_size_inches() * DPI
    axes.set_xlim(-left, width - left)
    axes.set_ylim(height, 0)
    return axes


def write(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    colour: Colour = INK,
    *,
    side: Literal["left", "center", "right"] = "left",
    size: float = SMALL,
    bold: bool = False,
    italic: bool = False,
) -> None:
    """Write one line of text, centred on its height."""
    axes.text(
        x,
        y,
        text,
        size=size,
        color=colour.placeholder,
        ha=side,
        va="center",
        weight="bold" if bold else "normal",
        style="italic" if italic else "normal",
    )


def block(
    axes: Axes,
    left: float,
    right: float,
    level: float,
    height: float,
    colour: Colour,
    *,
    opacity: float,
    edge: float = 0,
    hatch: str = "",
) -> None:
    """Fill a rectangle centred on a level, with an edge and a hatch of the same colour where wanted."""
    top, bottom = level - height / 2, level + height / 2
    corners = [left, right, right, left], [top, top, bottom, bottom]
    if opacity:
        axes.fill(*corners, facecolor=(colour.placeholder, opacity), edgecolor="none", linewidth=0)
    if edge:  # apart, because the opacity would fade the hatch too
        axes.fill(*corners, facecolor="none", edgecolor=colour.placeholder, linewidth=edge, hatch=hatch)


def _tidied(text: str, width: float, height: float, title: str, description: str) -> str:
    root = ET.fromstring(text)  # noqa: S314 - matplotlib's own output
    for parent in root.iter():
        for child in list(parent):
            name = _local(child.tag)
            if name in {"metadata", "style", "clipPath"}:
                parent.remove(child)
    referenced = _referenced(root)
    for element in root.iter():
        _tidy(element, referenced)
    _drop_empty(root)
    root.attrib.clear()
    root.attrib.update(
        {
            "xmlns": SVG,
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "role": "img",
            "aria-label": f"{title}. {description}",
            "style": _ROOT_STYLE,
        }
    )
    for place, (name, words) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(name)
        element.text = words
        root.insert(place, element)
    _name_by_content(root, referenced)
    return ET.tostring(root, encoding="unicode")


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _referenced(root: ET.Element) -> set[str]:
    found: set[str] = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            if _local(name) == "href":
                found.add(value.removeprefix("#"))
            found.update(_REFERENCE.findall(value))
    return found


def _tidy(element: ET.Element, referenced: set[str]) -> None:
    element.tag = _local(element.tag)
    element.tail = None
    if element.text is not None and not element.text.strip():
        element.text = None
    tidy: dict[str, str] = {}
    for name, value in element.attrib.items():
        local = _local(name)
        if local == "clip-path" or (local == "id" and value not in referenced):
            continue  # nothing is drawn outside the axes, which are as large as the drawing
        if local == "transform" and _NO_TURN.match(value):
            continue
        words = " ".join(value.split())
        tidy[local] = _NUMBER.sub(_hundredths, words) if local in _ROUNDED else words
    if "style" in tidy:
        tidy["style"] = tidy["style"].replace("; ", ";").replace(": ", ":").replace(_MEASURED, "")
    for name in {"style", "fill", "stroke"} & tidy.keys():
        for colour in COLOURS:
            tidy[name] = tidy[name].replace(colour.placeholder, f"var(--{colour.name},{colour.fallback})")
    element.attrib.clear()
    element.attrib.update(tidy)


def _hundredths(match: re.Match[str]) -> str:
    text = f"{float(match.group()):.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _drop_empty(parent: ET.Element) -> None:
    for child in list(parent):
        _drop_empty(child)
        if child.tag in {"g", "defs"} and not len(child):
            parent.remove(child)
        elif child.tag == "g" and not child.attrib and len(child) == 1:
            parent[list(parent).index(child)] = child[0]


def _name_by_content(root: ET.Element, ids: set[str]) -> None:
    """Give the ids a prefix that no other drawing on the page has."""
    digest = hashlib.blake2b(ET.tostring(root), digest_size=3).hexdigest()
    fresh = {name: f"f{digest}-{place}" for place, name in enumerate(sorted(ids))}
    for element in root.iter():
        if "id" in element.attrib:
            element.set("id", fresh[element.attrib["id"]])
        if "href" in element.attrib:
            element.set("href", f"#{fresh[element.attrib['href'].removeprefix('#')]}")
        for name in element.attrib.keys() - {"id", "href", "aria-label"}:
            element.set(name, _REFERENCE.sub(lambda match: f"url(#{fresh[match.group(1)]})", element.attrib[name]))
