"""Quotas come out exactly, whatever is asked for."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.quotas import DialoguesSection, commissions, demand, further, quota_report
from earmark.manifests.eqi import SCENARIO_TYPES, SUBSCALES, VALENCES


def some(names: Collection[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(sorted(names)), min_size=1, unique=True).map(tuple)


SECTIONS = st.builds(
    DialoguesSection,
    per_subscale=st.integers(1, 70),
    subscales=some([subscale.slug for subscale in SUBSCALES]),
    valences=some(VALENCES),
    types=some([type.slug for type in SCENARIO_TYPES]),
    spare=st.integers(0, 4),
)


def spread(counts: Collection[int]) -> int:
    return max(counts) - min(counts)


@given(SECTIONS)
@settings(max_examples=25)
def test_cells_and_margins_differ_by_at_most_one(section: DialoguesSection) -> None:
    asked = demand(section)
    valences, types, subscales = (Counter[str]() for _ in range(3))
    for subscale in section.subscales:
        cells = {cell: count for cell, count in asked.items() if cell.subscale == subscale}
        assert len(cells) == len(section.valences) * len(section.types)
        assert sum(cells.values()) == section.per_subscale
        assert spread(cells.values()) <= 1
        for what, names in (("valence", section.valences), ("type", section.types)):
            margin = Counter(dict.fromkeys(names, 0))
            for cell, count in cells.items():
                margin[getattr(cell, what)] += count
            assert spread(margin.values()) <= 1, what
            (valences if what == "valence" else types).update(margin)
        subscales[subscale] += sum(cells.values())
    assert spread(valences.values()) <= 1
    assert spread(types.values()) <= 1
    assert spread(subscales.values()) == 0


@given(SECTIONS, st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_order_of_names_in_a_recipe_changes_nothing(section: DialoguesSection, shuffled: random.Random) -> None:
    others = {
        what: tuple(shuffled.sample(getattr(section, what), len(getattr(section, what))))
        for what in ("subscales", "valences", "types")
    }
    made = commissions(section)
    assert commissions(msgspec.structs.replace(section, **others)) == made
    assert len({commission.name for commission in made}) == len(made) == section.per_subscale * len(section.subscales)


def test_the_paper_has_as_many() -> None:
    made = commissions(DialoguesSection(per_subscale=151))
    assert len(made) == 2265
    overall = Counter((commission.cell.valence, commission.cell.type) for commission in made)
    assert (len(overall), spread(overall.values())) == (30, 1)


@given(SECTIONS, st.data())
@settings(max_examples=25)
def test_a_replacement_is_of_the_same_cell_and_there_are_no_more_than_allowed(
    section: DialoguesSection, data: st.DataObject
) -> None:
    cells = list(demand(section))
    taken = [commission.name for commission in commissions(section)]
    made: Counter[str] = Counter()
    for _ in range(section.spare + 2):
        cell = data.draw(st.sampled_from(cells))
        commission = further(section, cell, taken)
        if made[cell.subscale] == section.spare:
            assert commission is None
            continue
        assert commission is not None
        assert commission.cell == cell
        assert commission.name not in taken
        made[cell.subscale] += 1
        taken.append(commission.name)


def test_what_a_replacement_is_called_does_not_depend_on_other_cells() -> None:
    section = DialoguesSection()
    one, other = Cell("interpersonal_empathy", "Positive", "family"), Cell("interpersonal_empathy", "Conflict", "sport")
    first = further(section, one, [])
    assert first is not None
    second = further(section, other, [first.name])
    assert second == further(section, other, [])


def test_the_report_counts_what_is_there_and_names_what_is_short() -> None:
    section = DialoguesSection(per_subscale=4, subscales=("interpersonal_empathy", "stress_management_optimism"))
    made = [commission.cell for commission in commissions(section)]
    whole = quota_report(section, made)
    assert (whole["demand"], whole["filled"], whole["short"]) == (8, 8, [])
    lost = made.pop(3)
    report = quota_report(section, made)
    assert report["filled"] == 7
    assert report["short"] == [
        {"subscale": lost.subscale, "valence": lost.valence, "type": lost.type, "demand": 1, "filled": 0}
    ]
    for margin in ("by_subscale", "by_valence", "by_type"):
        counts = report[margin]
        assert isinstance(counts, dict)
        lacking = [name for name, c in counts.items() if isinstance(c, dict) and c["filled"] != c["demand"]]
        assert lacking == [getattr(lost, margin.removeprefix("by_"))]


def test_whatever_is_wrong_is_said_at_once() -> None:
    value = {
        "per_subscale": 0,
        "subscales": ["interpersonal_empaty"],
        "valences": ["Positive", "Positive"],
        "types": [],
    }
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(value, DialoguesSection)
    for part in ("per_subscale 0", "did you mean interpersonal_empathy?", "'Positive' twice", "types is empty"):
        assert part in str(raised.value)
