"""CHANGES.md: every version once, the newest first, and whatever stood in an earlier file stays text."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.editions import in_memory, loaded, next_version, set_cell, tables_of
from tests.support.golden import GOLDENS

from earmark.builders.publishing.texts.changes import MOST_PREVIOUS, changes
from earmark.builders.withdrawing import Withdrawal, withdraw
from earmark.manifests.release import Release, canary, open_release
from earmark.manifests.revisions import difference, read_withdrawn

RELEASE = loaded(open_release(GOLDENS["stance"].path / "release"))
CANARY = canary("mini", "1.0.0")
SAME = difference(RELEASE, RELEASE)
FIRST = changes(RELEASE, None, None, CANARY, "2026-01-01")


@cache
def edited(version: str = "2.0.0") -> Release:
    tables = tables_of(RELEASE)
    gold = {"P": "N", "N": "P"}[tables["answers"]["gold"][0].as_py()]
    return in_memory(
        RELEASE,
        {
            "answers": set_cell("gold", 0, gold)(tables["answers"]),
            "prompts": set_cell("user", 0, "Which?")(tables["prompts"]),
            "sources": set_cell("text", 0, "Other words.")(tables["sources"]),
        },
        version,
    )


def sections(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("## ")]


def test_the_first_version_says_what_it_holds() -> None:
    assert sections(FIRST) == ["## 1.0.0 - 2026-01-01"]
    assert f"canary {CANARY}" in FIRST
    assert "- 21 items, 84 presentations, 26 clips" in FIRST
    assert "  - S6 Social Engagement: 4" in FIRST


def test_a_later_version_stands_above_and_tells_what_changed() -> None:
    later = edited()
    text = changes(later, difference(RELEASE, later), FIRST, canary("mini", "2.0.0"), "2026-02-01")
    assert sections(text) == ["## 2.0.0 - 2026-02-01", "## 1.0.0 - 2026-01-01"]
    assert "Major step from 1.0.0" in text
    assert "- 1 item: answers corrected" in text
    assert "- prompts.user: 1 row" in text
    assert "- what is known of 1 clip" in text
    assert "Other words" not in text
    assert text.count("canary ") == 1
    assert CANARY not in text
    assert text.endswith(FIRST.partition("## 1.0.0")[2])


def test_publishing_a_version_again_says_it_once() -> None:
    later = edited()
    arguments = (later, difference(RELEASE, later))
    text = changes(*arguments, FIRST, CANARY, "2026-02-01")
    assert changes(*arguments, text, CANARY, "2026-02-01") == text


def test_what_was_withdrawn_is_told() -> None:
    later = next_version("stance")
    text = changes(later, difference(RELEASE, later), FIRST, CANARY, None)
    count = len(read_withdrawn(later).withdrawn)
    assert f"- {count} items\n" in text
    assert f"  - {count} withdrawn: Asked for.\n" in text


@pytest.mark.slow
def test_withdrawals_are_told_with_their_reasons(tmp_path: Path) -> None:
    old = open_release(GOLDENS["stance"].path / "release")
    versions, reasons = [old], ("A participant asked.", "The <b>label</b> was [wrong](javascript:x).")
    for n, reason in enumerate(reasons):
        (tmp_path / "ids.txt").write_text(versions[-1].table("items")["item_id"][n].as_py(), encoding="utf-8")
        asked = Withdrawal(ids=tmp_path / "ids.txt", reason=reason, out=tmp_path / f"v{n}")
        versions.append(withdraw(versions[-1], asked).release)
    text = changes(versions[2], difference(versions[0], versions[2]), None, CANARY, None)
    assert "- 2 items\n" in text
    assert "  - 1 withdrawn: A participant asked.\n" in text
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "](" not in text.replace("\\](", "")
    assert sections(text) == ["## 3.0.0"]
    # Of the step between, only what went in it.
    text = changes(versions[2], difference(versions[1], versions[2]), None, CANARY, None)
    assert "A participant asked." not in text
    assert "- 1 item\n" in text


@pytest.mark.slow
def test_additions_are_told_by_facet(tmp_path: Path) -> None:
    old = open_release(GOLDENS["stance"].path / "release")
    item = old.table("items").to_pylist()[0]
    (tmp_path / "ids.txt").write_text(item["item_id"], encoding="utf-8")
    fewer = withdraw(old, Withdrawal(ids=tmp_path / "ids.txt", reason="Gone.", out=tmp_path / "fewer")).release
    text = changes(old, difference(fewer, old), None, CANARY, None)
    name = next(facet.name for facet in old.manifest.facets if facet.id == item["facet"])
    assert f"### Added\n\n- 1 item\n  - {item['facet']} {name}: 1\n" in text


def test_nothing_is_said_where_nothing_differs() -> None:
    assert "Nothing differs from 1.0.0." in changes(RELEASE, difference(RELEASE, RELEASE), None, CANARY, None)


LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
    | st.sampled_from(
        [
            "## 0.9.0 - 2025-01-01",
            "## 2.0.0",
            "<script>",
            "- [x](javascript:y)",
            "### *a*",
            "canary x",
            "---",
            "# b",
            "```",
        ]
    ),
    max_size=12,
)
_HARMFUL = re.compile(r"(?<!\\)[<>`\[\]*_|$~]")


@settings(max_examples=12)
@given(lines=LINES)
def test_an_earlier_file_may_hold_anything(lines: list[str]) -> None:
    later = edited()
    found = SAME
    text = changes(later, found, "\n".join(["## 0.5.0", *lines]), CANARY, None)
    ours = changes(later, found, None, CANARY, None)
    assert text.startswith(ours)
    kept = text[len(ours) :]
    assert not _HARMFUL.search(kept.replace("\\\\", ""))
    assert "## 9.9.9" not in kept
    assert all(line.isprintable() for line in kept.splitlines())
    # What is kept once is kept as it is ever after.
    assert changes(later, found, text, CANARY, None) == text


@pytest.mark.parametrize("size", [MOST_PREVIOUS - 1000, 2 * MOST_PREVIOUS])
def test_an_earlier_file_is_bounded(size: int) -> None:
    section = "## 0.5.0\n\n" + "- much\n" * 200 + "\n"
    text = changes(RELEASE, None, section * (size // len(section)), CANARY, None)
    assert len(text) < 1.1 * MOST_PREVIOUS
    assert text.rstrip().endswith("- much")
