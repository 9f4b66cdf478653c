"""The page of a leaderboard as a document: safe whatever it holds, the same for the same, with everything on it."""

from __future__ import annotations

import base64
import hashlib
import re
from xml.etree import ElementTree as ET

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.pages.samples import parsed
from tests.support.leaderboards import HEADLINE, RULES, report

from earmark.manifests.leaderboard import Board, Kind, Leaderboard, Standing
from earmark.manifests.report import BaselineEntry, Report, UseEntry
from earmark.pages.leaderboard_dots import MOST_ROWS, Dot, leaderboard_dots
from earmark.pages.leaderboard_page import leaderboard_html
from earmark.pages.leaderboard_rows import labels, rows_of
from earmark.pages.svg import SVG


def standing(of: Report, *, kind: Kind = Kind.JUDGE) -> Standing:
    judge = of.submission["judge"]
    assert isinstance(judge, dict)
    return Standing(
        kind=kind,
        name=str(judge["name"]),
        judge=judge,
        run={},
        draws={"resamples": 200, "seed": 1},
        report=f"blake2b-256:{hashlib.sha256(repr(of).encode()).hexdigest()}",
        counts=of.counts,
        metrics=of.metrics,
    )


def board(*standings: Standing, baselines: tuple[BaselineEntry, ...] = RULES, modality: str = "audio") -> Leaderboard:
    ground = {"release": "mini@1.0.0", "family": "stance"}
    table = Board(
        ground=ground,
        protocol="both-orders",
        modality=modality,
        headline=HEADLINE,
        label_source="Role prompts.",
        standings=standings,
        baselines=baselines,
    )
    return Leaderboard(boards=(table,))


def words(root: ET.Element) -> str:
    return " ".join(" ".join(root.itertext()).split())


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]>--><!--",
    "\x1b[31mred\x1b[0m",
    "\u202egnp.exe",
    "[link](javascript:alert(1)) **bold**",
    "{{ 7 * 7 }}{% x %}",
    "x" * 10_000,
    "\ufffe\x00\x7f",
)


@settings(max_examples=5)
@given(st.text(min_size=1, max_size=40))
@example("".join(HOSTILE[:7]))
@example(HOSTILE[7])
@example(HOSTILE[8])
def test_whatever_a_judge_is_called_the_page_stays_a_page(name: str) -> None:
    persona = f"{name}!"
    page = leaderboard_html(board(standing(report(name, judge={"persona": persona, "access": name}))))
    root = parsed(page)
    assert all(letter.isprintable() or letter in "\n\N{NO-BREAK SPACE}" for letter in page)
    assert [len(list(root.iter(tag))) for tag in ("script", "img", "a")] == [1, 0, 1]
    assert not [value for element in root.iter() for key, value in element.attrib.items() if key.startswith("on")]
    assert len(page) < 60_000
    if name.isprintable() and len(name) <= 120:
        found = root.find(".//tbody/tr/th/bdi")
        assert found is not None
        assert found.text == name


def test_the_page_loads_nothing_and_runs_its_own_script_only() -> None:
    page = leaderboard_html(board(standing(report())))
    root = parsed(page)
    assert not re.search(r"https?://(?!www\.w3\.org/)", page)
    assert not [element for element in root.iter() if {"src", "srcset"} & set(element.attrib)]
    (script,) = root.iter("script")
    digest = base64.b64encode(hashlib.sha256((script.text or "").encode()).digest()).decode()
    policy = next(e.attrib["content"] for e in root.iter("meta") if e.get("http-equiv") == "Content-Security-Policy")
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert page == leaderboard_html(board(standing(report())))


def test_without_the_script_it_is_a_table_in_the_order_of_the_headline() -> None:
    rows = (
        standing(report("best", 0.9)),
        standing(report("people", 0.8, judge={"architecture": "human"}), kind=Kind.PEOPLE),
        standing(report("nothing", None)),
    )
    root = parsed(leaderboard_html(board(*rows)))
    table = next(found for found in root.iter("table") if found.get("class") == "board")
    body = [words(row) for row in table.findall("tbody/tr")]
    assert [line.split()[0] for line in body] == ["best", "people", "uniform", "nothing", "louder"]
    assert "people people" in body[1]
    assert "uniform does not listen" in body[2]
    assert "one pole is absent" in body[3]
    assert "no level" in body[4]
    assert "0.900 [0.800, 1.000] 76 / 80 0.500 40 4 0 0 0 0" in body[0].replace("\N{NO-BREAK SPACE}", " ")
    heads = table.findall("thead/tr/th")
    assert [head.get("aria-sort") for head in heads][:3] == [None, "descending", None]
    assert [len(row.findall("th") + row.findall("td")) for row in table.findall("tbody/tr")] == [len(heads)] * 5
    assert "Positions are not ranks." in words(root)
    assert not re.search(r"\brank(ed)? ?#?[0-9]", words(root))


def test_a_table_that_may_not_be_read_across_says_so() -> None:
    both = Leaderboard(
        boards=board(standing(report())).boards + board(standing(report()), modality="transcript").boards
    )
    assert "not all comparable" not in leaderboard_html(both)
    assert "transcript in place of a clip" in leaderboard_html(both)
    first, second = both.boards
    other = Board(**{**second.__dict__, "ground": {**second.ground, "release": "mini@2.0.0"}})
    assert "They are of 2 grounds" in leaderboard_html(Leaderboard(boards=(first, other)))
    assert "No report was given." in leaderboard_html(Leaderboard(boards=()))


def test_what_figures_may_be_used_for_stands_below_the_tables() -> None:
    one = UseEntry("For comparing judges.", "".join(HOSTILE[:7]))
    root = parsed(leaderboard_html(board(standing(report())), uses={"stance": one}))
    (section,) = [found for found in root.iter("section") if found.get("aria-labelledby") == "use-1"]
    assert [words(title) for title in section.iter("h3")] == ["Intended use", "Out of scope"]
    assert words(section).startswith("What these figures are for Intended use For comparing judges.")
    assert not [found.tag for found in section.iter() if found.tag in ("script", "img")]
    both = words(parsed(leaderboard_html(board(standing(report())), uses={"pairs": one, "stance": one})))
    assert both.index("What these figures are for: pairs") < both.index("What these figures are for: stance")
    assert "What these figures are for" not in leaderboard_html(board(standing(report())))


def test_names_that_several_have_say_what_sets_them_apart() -> None:
    one, other = (standing(report("a", judge={"revision": revision, "persona": "nurse"})) for revision in ("1", "2"))
    assert labels([one, other, standing(report("b"))]) == ("a (1)", "a (2)", "b")
    same = [standing(report("a", value)) for value in (0.5, 0.6)]
    assert len(set(labels(same))) == 2


def test_a_rule_that_was_submitted_does_not_stand_beside_itself() -> None:
    rows = rows_of(board(standing(report("uniform", 0.5), kind=Kind.RULE)).boards[0], {})
    assert sorted(row.name for row in rows.rows) == ["louder", "uniform"]
    rows = rows_of(board(standing(report("uniform", 0.6), kind=Kind.RULE)).boards[0], {})
    assert sorted(row.name for row in rows.rows) == ["louder", "uniform", "uniform"]


def test_dots_are_one_axis_with_every_number_in_the_table() -> None:
    entries = [report("a", value).find(HEADLINE) for value in (0.9, 0.4, None)]
    dots = [Dot("open", f"judge {n}", Kind.JUDGE, entry) for n, entry in enumerate(entries)]
    figure = leaderboard_dots(dots, RULES, metric=HEADLINE)
    root = ET.fromstring(figure.svg)  # noqa: S314 - we wrote it
    text = [element.text for element in root.iter(f"{{{SVG}}}text")]
    assert {"judge 0", "judge 1", "judge 2", "undefined", "uniform", "chance", "open"} <= set(text)
    assert "louder" not in text  # undefined rules stand in the table alone
    assert [row[2] for row in figure.table.rows] == ["0.900", "0.400", "—", "0.500", "—"]
    many = leaderboard_dots(dots * MOST_ROWS, (), metric=HEADLINE)
    assert many.note.endswith(f"The first {MOST_ROWS} of {3 * MOST_ROWS} are drawn.")
