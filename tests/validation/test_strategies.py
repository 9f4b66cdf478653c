"""Strategies: what they draw is what it says, for a family of somebody else's as well."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pyarrow as pa
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from earmark.manifests import registry
from earmark.manifests.family import Family, Protocol
from earmark.manifests.grammars import MarksGrammar
from earmark.manifests.tables import Column
from earmark.validation import strategies
from earmark.validation.invariants import validate
from earmark.validation.strategies import (
    ASSIGNMENT_COLUMNS,
    Broken,
    Conversation,
    Drawn,
    broken_releases,
    releases,
    write_broken,
    write_release,
)

TOY = Family(
    name="toy",
    title="Toy: which of two is it?",
    choices=("A", "B"),
    golds=("A", "B"),
    kinds=("easy", "hard"),
    roles=("first", "second"),
    judged=("first", "second"),
    orders=("AB", "BA"),
    protocols=(Protocol(name="once", modality="audio", orders=("AB", "BA"), means="Both orders."),),
    grammar=MarksGrammar({"[A]": "A", "[B]": "B"}),
    probability=False,
    headline="accuracy",
    label_source="Made up.",
    limits="None.",
    item_columns=(Column(name="colour", type=pa.string(), choices=("red", "blue"), means="Colour."),),
    answer_columns=(Column(name="sure", type=pa.bool_(), gold=True, means="Whether it is sure."),),
    source_columns=(Column(name="mood", type=pa.float64(), low=0.0, high=1.0, nullable=True, means="Mood."),),
)


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """The toy family is installed, as if a package had it as an entry point; its validation module says nothing of its own."""
    module = ModuleType("toy_validation")
    module.__dict__["INVARIANTS"] = ()
    family, family_module = registry.family, registry.family_module
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "family", lambda name: TOY if name == "toy" else family(name))
        patch.setattr(
            registry, "family_module", lambda room, name: module if name == "toy" else family_module(room, name)
        )
        yield


@settings(max_examples=10, deadline=None)
@given(drawn=releases("toy"))
def test_a_family_that_says_nothing_of_its_own_has_sound_releases_too(drawn: Drawn) -> None:
    with TemporaryDirectory() as folder:
        release = write_release(drawn, Path(folder) / "release")
        assert list(validate(release)) == []
        assert {row["colour"] for row in release.table("items").to_pylist()} <= {"red", "blue"}
        assert release.table("answers").num_rows == release.table("items").num_rows >= 2


@settings(max_examples=20, deadline=None)
@given(broken=broken_releases("toy") | broken_releases("stance"))
def test_a_broken_release_is_found_broken(broken: Broken) -> None:
    assert broken.corruption.family in (None, broken.drawn.family.name)
    with TemporaryDirectory() as folder:
        findings = validate(write_broken(broken, Path(folder) / "release"))
    assert broken.corruption.code in findings.counts


@settings(max_examples=10, deadline=None)
@given(broken=broken_releases("stance"))
def test_what_was_drawn_is_left_as_it_was(broken: Broken) -> None:
    with TemporaryDirectory() as folder:
        write_broken(broken, Path(folder) / "broken")
        assert list(validate(write_release(broken.drawn, Path(folder) / "sound"))) == []


@settings(max_examples=5, deadline=None)
@given(st.data())
def test_a_strategy_is_found_by_name_or_by_record(data: st.DataObject) -> None:
    assert data.draw(releases(TOY)).family is TOY
    assert data.draw(releases()).family.name == "stance"


@settings(max_examples=30, deadline=None)
@given(conversation=strategies.conversations())
def test_conversations_keep_to_their_time(conversation: Conversation) -> None:
    for side in (conversation.a, conversation.b):
        assert all(0 <= start < end <= conversation.seconds for start, end in side.vad)
        assert all(before[1] < after[0] for before, after in pairwise(side.vad))
        timed = [word for word in side.words or () if word.start is not None]
        assert all(word.start < word.end for word in timed if word.start is not None and word.end is not None)
    a, b = conversation.a.file_id, conversation.b.file_id
    assert a != b
    assert a.rpartition("_")[0] == b.rpartition("_")[0]


def test_both_speak_at_once_at_times() -> None:
    """The strategy reaches what segmentation is tried by: overlap, silence, words without times."""

    def overlaps(talk: Conversation) -> bool:
        return any(a < d and c < b for a, b in talk.a.vad for c, d in talk.b.vad)

    def reached(wanted: Callable[[Conversation], bool]) -> Conversation:
        generate = settings(phases=[Phase.generate], database=None, max_examples=500)
        return find(strategies.conversations(), wanted, settings=generate)

    assert overlaps(reached(overlaps))
    assert reached(lambda talk: not talk.a.vad).a.vad == ()
    assert reached(lambda talk: any(word.start is None for word in talk.b.words or ())).b.words


@settings(max_examples=30, deadline=None)
@given(strategies.assignments(least=2))
def test_assignments_have_stancebenchs_columns(rows: list[dict[str, str]]) -> None:
    assert len(rows) >= 2
    for row in rows:
        assert tuple(row) == ASSIGNMENT_COLUMNS
        assert row["role_a"]
    assert len({row["a_id"].rpartition("_")[0] for row in rows}) == len(rows)


def test_without_hypothesis_it_says_what_to_install() -> None:
    script = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from earmark.manifests.errors import MissingExtra\n"
        "import earmark.validation.invariants, earmark.validation.stance\n"
        "try:\n    import earmark.validation.strategies\n"
        "except MissingExtra as missing:\n    print(missing)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "this needs the package 'hypothesis': pip install 'earmark[test]'"
