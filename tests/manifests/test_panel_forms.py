"""Forms: what may be asked, what sheets call systems, and how questions of a unit stand together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.manifests.panel_forms import LETTERS, MOST_SYSTEMS, RIGHT_CHOICES, Criterion, System
from earmark.manifests.panels import Entry, Panel

NAMES = st.lists(st.text("abcxyz", min_size=1, max_size=6), max_size=4, unique=True)


def panel_of(
    criteria: tuple[Criterion, ...] = (), systems: tuple[str, ...] = (), *, chooses: bool = True, raters: int = 2
) -> Panel:
    """Three units: two groups of two items, and an item that stands alone."""
    entries = [Entry(item=f"i{n}", presentation=f"p{n}", group=f"g{n // 2}" if n < 4 else None) for n in range(5)]
    return Panel(
        format=2,
        name="p",
        release="r",
        content_hash="",
        protocol="x",
        raters=tuple(f"r{n}" for n in range(raters)),
        secret="5e" * 32,
        entries=tuple(entries),
        chooses=chooses,
        criteria=criteria,
        systems=tuple(System(name=name, file="", said=()) for name in systems),
    )


@settings(max_examples=25)
@given(NAMES, st.lists(st.sampled_from("ABCDEF"), max_size=4, unique=True), st.booleans())
def test_every_question_has_an_id_of_its_own(slugs: list[str], systems: list[str], chooses: bool) -> None:
    panel = panel_of(tuple(Criterion(slug=slug, asks="?") for slug in slugs), tuple(systems), chooses=chooses)
    sheets = [panel.questions(rater) for rater in panel.raters]
    ids = [asked.id for sheet in sheets for asked in sheet]
    assert len(set(ids)) == len(ids) == 2 * (5 * chooses + 3 * (len(slugs) + len(systems)))
    for sheet in sheets:
        units = [asked.unit for asked in sheet]
        assert list(dict.fromkeys(units)) == [unit for n, unit in enumerate(units) if n == 0 or units[n - 1] != unit]
        for unit in set(units):
            here = [asked for asked in sheet if asked.unit == unit]
            assert [asked.entry for asked in here if asked.entry] == (list(panel.units[unit]) if chooses else [])
            assert [asked.topic for asked in here if asked.criterion] == slugs
            assert sorted(asked.system.name for asked in here if asked.system) == sorted(systems)
            assert [asked.letter for asked in here if asked.system] == list(LETTERS[: len(systems)])
    assert list(panel.topics) == [*slugs, *systems]
    assert panel.sheet("r0") == [(asked.id, asked.entry) for asked in sheets[0] if asked.entry]


def test_letters_tell_nothing_across_units_and_raters() -> None:
    panel = panel_of(systems=tuple("ABCDEF"), raters=40)
    first = [next(asked for asked in panel.questions(rater) if asked.letter == "A") for rater in panel.raters]
    assert len({asked.system.name for asked in first if asked.system}) == 6
    orders = {
        tuple(asked.system.name for asked in panel.questions("r0") if asked.system and asked.unit == unit)
        for unit in panel.units
    }
    assert len(orders) == 3


def test_checks_have_no_form() -> None:
    panel = panel_of((Criterion(slug="words", asks="?"),))
    entries = tuple(
        Entry(item=e.item, presentation=e.presentation, check=e.item == "i4", group=e.group) for e in panel.entries
    )
    checked = Panel(**{name: getattr(panel, name) for name in panel.__struct_fields__} | {"entries": entries})
    assert [asked.topic for asked in checked.questions("r0") if asked.unit == "i4"] == [None]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"slug": "Words"}, "must match"),
        ({"slug": RIGHT_CHOICES}, "must match"),
        ({"asks": " "}, "must be words"),
        ({"asks": "$gold?"}, "must be words"),
        ({"asks": "5 $"}, "must be words"),
        ({"choices": ("yes",)}, "2 to 9"),
        ({"choices": ("yes", "yes")}, "2 to 9"),
        ({"choices": ("yes", "=1+1")}, "must match"),
        ({"choices": ("yes", "n\no")}, "must match"),
    ],
)
def test_a_wrong_criterion_is_said(changed: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Criterion(**{"slug": "words", "asks": "Is it $facet? $$", **changed})  # type: ignore[arg-type]


def test_what_cannot_be_told_apart() -> None:
    with pytest.raises(ValueError, match="'words' stands twice"):
        panel_of((Criterion(slug="words", asks="?"),) * 2)
    with pytest.raises(ValueError, match="'words' stands twice"):
        panel_of((Criterion(slug="words", asks="?"),), ("words",))
    with pytest.raises(ValueError, match="10 systems are to be ranked; at most 9"):
        panel_of(systems=tuple("ABCDEFGHIJ"[: MOST_SYSTEMS + 1]))
