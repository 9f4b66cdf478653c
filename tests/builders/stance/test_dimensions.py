"""The taxonomy is the paper's: counts that hold anywhere, and equality with the published tables where they are at hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from earmark.builders.stance.dimensions import CATEGORIES, CATEGORY_OF, DIMENSIONS, Framework, frameworks_of

POLES = [pole for dimension in DIMENSIONS for pole in (dimension.positive, dimension.negative)]


def test_nineteen_categories_hold_122_roles_each_in_one():
    roles = [role for category in CATEGORIES for role in category.roles]
    assert len(CATEGORIES) == 19
    assert len(roles) == len(set(roles)) == len(CATEGORY_OF) == 122
    assert all(category.bases for category in CATEGORIES)


def test_nine_dimensions_select_68_roles_each_on_one_pole():
    selected = [role for pole in POLES for role in pole.roles]
    assert [dimension.id for dimension in DIMENSIONS] == [f"S{n}" for n in range(9)]
    assert len(selected) == len(set(selected)) == 68
    assert {len(pole.roles) for pole in POLES} == {3, 4}
    assert [dimension.mode for dimension in DIMENSIONS] == ["single"] * 6 + ["interaction"] * 3
    assert [dimension.source_index for dimension in DIMENSIONS] == [0, 1, 2, 3, 4, 5, 7, 8, 9]


def test_the_two_poles_that_are_easily_turned_round():
    power, conflict = DIMENSIONS[7:]
    assert (power.positive.categories, power.negative.categories) == (("Deference",), ("Dominance",))
    assert (conflict.positive.categories, conflict.negative.categories) == (("Calmness", "Avoidance"), ("Aggression",))


def test_every_pole_rests_on_something_and_only_attention_is_outside_the_paper_s_frameworks():
    outside = {
        pole.categories
        for pole in POLES
        if pole.frameworks == (Framework.AROUSAL,) or pole.frameworks[0] is Framework.AROUSAL
    }
    assert all(pole.frameworks for pole in POLES)
    assert outside == {("Focus",), ("Distraction",), ("Calmness", "Avoidance")}
    assert set(Framework) == {framework for pole in POLES for framework in pole.frameworks}
    assert frameworks_of(("Calmness", "Avoidance")) == (
        Framework.AROUSAL,
        Framework.BIG_FIVE_ASPECTS,
        Framework.CIRCUMPLEX,
    )


def test_categories_are_those_of_the_published_role_table(shared_data: Path):
    with (shared_data / "stancebench" / "category_roles.csv").open(encoding="utf-8-sig", newline="") as stream:
        published = {
            row["category_name"]: {role.strip() for role in row["Adjectives assigned"].split(",")}
            for row in csv.DictReader(stream)
        }
    assert {category.name: set(category.roles) for category in CATEGORIES} == published


def test_dimensions_are_those_of_the_published_question_file(shared_data: Path):
    published = json.loads((shared_data / "stancebench" / "questions_main.json").read_text(encoding="utf-8"))
    ours = [
        (entry.id, entry.source_index, [*entry.positive.categories, *entry.negative.categories]) for entry in DIMENSIONS
    ]
    assert ours == [
        (entry["stance_id"], entry["source_index"], entry["related_categories"]) for entry in published["outside_judge"]
    ]


def test_roles_and_poles_are_those_counted_in_the_real_prompts(shared_data: Path):
    with (shared_data / "seamless" / "stancebench_role_prompt_counts.csv").open(encoding="utf-8", newline="") as stream:
        published = [
            tuple(row[name] for name in ("dimension", "pole", "category", "role")) for row in csv.DictReader(stream)
        ]
    assert published == [
        (dimension.id, label, CATEGORY_OF[role], role)
        for dimension in DIMENSIONS
        for label, pole in (("P", dimension.positive), ("N", dimension.negative))
        for role in pole.roles
    ]


def test_every_role_of_the_categories_occurs_in_a_real_prompt_and_48_others_do(shared_data: Path):
    with (shared_data / "seamless" / "roleplay_prompts_roles.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    occurring = {row[side] for row in rows for side in ("role_a", "role_b")} - {""}
    assert len(rows) == 538
    assert set(CATEGORY_OF) <= occurring
    assert len(occurring - set(CATEGORY_OF)) == 48
