"""What every whole page is held to, and how tests find their way in one."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree as ET


class Lenient(HTMLParser):
    """What a browser's more forgiving parser sees."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def words(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def section(root: ET.Element, name: str) -> ET.Element:
    return next(one for one in root.iter("section") if one.get("aria-labelledby") == name)


def rows_of(element: ET.Element) -> list[list[str]]:
    return [[words(one) for one in row] for row in element.findall(".//tbody/tr")]


def check_needs_nothing_else(page: str) -> None:
    """No script, no file and no address from elsewhere, and none allowed."""
    for tag, attributes in tags(page):
        assert tag not in {"script", "img", "link", "iframe", "object", "embed", "form", "base", "audio", "video"}
        assert not [name for name in attributes if name.startswith("on") or name in {"src", "srcset", "action"}]
        assert (attributes.get("href") or "#").startswith("#")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert "default-src 'none'; style-src 'unsafe-inline'" in page


def check_headings_and_links(root: ET.Element) -> None:
    """One title, no level of headings left out, and whatever is pointed at is there, once."""
    levels = [int(one.tag[1]) for one in root.iter() if re.fullmatch(r"h[1-6]", one.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
    assert len(ids) == len(set(ids))
    links = {one.attrib["href"].removeprefix("#") for one in root.iter("a")}
    labelled = {one.attrib["aria-labelledby"] for one in root.iter() if "aria-labelledby" in one.attrib}
    assert links
    assert links | labelled <= set(ids)
    assert root.get("lang") == "en"


def tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Lenient()
    parser.feed(text)
    parser.close()
    return parser.tags
