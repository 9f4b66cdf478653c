"""A user's mapping: what is right comes back as it was, and every slip is found, all at once."""

from __future__ import annotations

import csv
import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.stance.dimensions import CATEGORY_OF, Dimension, Framework, Pole, frameworks_of
from earmark.builders.stance.mapping import PAPER, RoleMapping, check_role, poles, read_mapping
from earmark.manifests.findings import Findings

NAMES = st.text("abcdefghij", min_size=1, max_size=6)


@st.composite
def mappings(draw: st.DrawFn) -> RoleMapping:
    ids = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    roles = draw(st.permutations(sorted(CATEGORY_OF)))
    dimensions = []
    for id in ids:
        sides = []
        for _ in range(2):
            taken = tuple(roles.pop() for _ in range(draw(st.integers(1, 4))))
            categories = tuple(dict.fromkeys(CATEGORY_OF[role] for role in taken))
            frameworks = draw(st.lists(st.sampled_from(Framework), min_size=1, unique=True))
            sides.append(Pole(taken, categories, tuple(frameworks)))
        mode = draw(st.sampled_from(["single", "interaction"]))
        dimensions.append(Dimension(id, draw(NAMES), mode, *sides, draw(st.none() | st.integers(0, 99))))
    return RoleMapping(tuple(dimensions))


@given(mappings())
def test_a_mapping_comes_back_from_its_recipe_without_a_word(mapping):
    findings = Findings()
    stored = json.loads(json.dumps(mapping.as_recipe()))
    assert read_mapping(stored, findings) == mapping
    assert not len(findings)


def test_so_does_the_paper_s():
    findings = Findings()
    assert read_mapping(PAPER.as_recipe(), findings) == PAPER
    assert not len(findings)


def test_where_a_role_stands():
    assert [(entry.id, label) for entry, label in PAPER.places("Forceful")] == [("S7", "N")]
    assert PAPER.places("Cheerful") == ()
    assert PAPER.dimension("S8").name == "Conflict Regulation"
    assert len(PAPER.roles) == 68
    assert [label for label, _ in poles(PAPER.dimension("S0"))] == ["P", "N"]
    with pytest.raises(KeyError, match="no dimension 'S9'; there is S0, S1"):
        PAPER.dimension("S9")


SMALL = """
[[dimension]]
id = "D0"
name = "Manners"
mode = "single"
positive = { roles = ["Polite", "Gracious"] }
negative = { roles = ["Impolite"] }
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mapping.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_categories_and_frameworks_follow_from_the_roles(tmp_path):
    findings = Findings()
    mapping = read_mapping(written(tmp_path, "\ufeff" + SMALL.replace("\n", "\r\n")), findings)
    assert not len(findings)
    assert mapping == RoleMapping(
        (
            Dimension(
                "D0",
                "Manners",
                "single",
                Pole(("Polite", "Gracious"), ("Politeness",), (Framework.BIG_FIVE_ASPECTS,)),
                Pole(("Impolite",), ("Rudeness",), (Framework.BIG_FIVE_ASPECTS,)),
            ),
        )
    )


def test_every_slip_at_once(tmp_path):
    findings = Findings()
    text = """
    colour = "red"
    [[dimension]]
    id = "D 0/x"
    name = "Manners"
    mode = "duet"
    positive = { roles = ["Polite", "polite", "Freindly"], role = ["x"] }
    negative = { roles = [] }
    [[dimension]]
    id = "Overall"
    mode = "single"
    positive = { roles = "Warm" }
    """
    assert read_mapping(written(tmp_path, text), findings) is None
    told = {(finding.code.name, finding.column, finding.found, finding.expected) for finding in findings}
    assert told == {
        ("mapping.unknown-key", "colour", "colour", "one of dimension"),
        ("mapping.bad-value", "dimension[1].id", "D 0/x", r"a text that matches [A-Za-z0-9][A-Za-z0-9 _.+-]*"),
        ("mapping.bad-value", "dimension[1].mode", "duet", "one of single, interaction"),
        ("mapping.role-case", "dimension[1].positive.roles", "polite", "write Polite"),
        ("mapping.unknown-role", "dimension[1].positive.roles", "Freindly", "did you mean Friendly?"),
        ("mapping.unknown-key", "dimension[1].positive.role", "role", "did you mean roles?"),
        ("mapping.empty-pole", "dimension[1].negative.roles", None, "one role or more"),
        (
            "mapping.bad-value",
            "dimension[2].id",
            "Overall",
            "another id: overall is what reports call all dimensions together",
        ),
        ("mapping.bad-value", "dimension[2].name", "nothing", "a text"),
        ("mapping.bad-value", "dimension[2].positive.roles", "Warm", "a list of texts"),
        ("mapping.bad-value", "dimension[2].negative", "nothing", "a table"),
    }
    assert {finding.file for finding in findings} == {str(tmp_path / "mapping.toml")}


def recipe(*dimensions: Dimension) -> dict[str, object]:
    return deepcopy(RoleMapping(dimensions).as_recipe())


def dimension(positive: list[str], negative: list[str], id: str = "D0") -> Dimension:
    return Dimension(id, "Name", "single", Pole(tuple(positive)), Pole(tuple(negative)))


@pytest.mark.parametrize(
    ("dimensions", "code", "found"),
    [
        ([dimension(["Warm", "Kind"], ["Cold", "Warm"])], "mapping.role-on-two-poles", "Warm"),
        ([dimension(["Warm"], ["Cold"]), dimension(["Kind"], ["Aloof"])], "mapping.repeated-id", "D0, D0"),
        ([dimension(["Warm"], ["Cold"]), dimension(["Kind"], ["Aloof"], "d0")], "mapping.repeated-id", "D0, d0"),
        ([dimension(["Warm"], [])], "mapping.empty-pole", None),
        ([dimension(["Warm"], ["Zzz"])], "mapping.unknown-role", "Zzz"),
        ([dimension(["Warm"], ["COLD"])], "mapping.role-case", "COLD"),
        ([dimension(["Warm"], [" Cold"])], "mapping.role-case", " Cold"),
        ([dimension(["Warm"], ["Cold\n"])], "mapping.bad-value", "Cold\n"),
    ],
)
def test_what_cannot_stand_is_refused(dimensions, code, found):
    findings = Findings()
    assert read_mapping(recipe(*dimensions), findings) is None
    assert [(finding.code.name, finding.found) for finding in findings] == [(code, found)]


@pytest.mark.parametrize(
    ("dimensions", "code", "found"),
    [
        ([dimension(["Warm", "Warm"], ["Cold"])], "mapping.repeated-role", "Warm"),
        ([dimension(["Warm", "Kind", "Affable", "Pleasant", "Friendly"], ["Cold"])], "mapping.many-roles", "5"),
        (
            [dimension(["Warm"], ["Cold"]), dimension(["Warm"], ["Aloof"], "D1")],
            "mapping.role-in-two-dimensions",
            "Warm",
        ),
        ([dimension(["Cheerful"], ["Sullen"])], "mapping.role-without-category", "Cheerful"),
        (
            [replace(dimension(["Warm"], ["Cold"]), positive=Pole(("Warm",), ("Compassion",)))],
            "mapping.categories-differ",
            "Compassion",
        ),
    ],
)
def test_what_is_only_doubtful_is_a_warning(dimensions, code, found):
    findings = Findings()
    mapping = read_mapping(recipe(*dimensions), findings, corpus_roles={"Cheerful", "Sullen"})
    assert mapping is not None
    assert set(findings.counts) == {code}
    assert found in {finding.found for finding in findings}
    assert not findings.failed
    roles = mapping.dimensions[0].positive.roles
    assert len(roles) == len(set(roles))


def test_a_role_on_both_poles_is_not_also_counted_as_in_two_dimensions():
    findings = Findings()
    read_mapping(recipe(dimension(["Warm"], ["Warm"])), findings)
    assert set(findings.counts) == {"mapping.role-on-two-poles"}


@pytest.mark.parametrize("key", ["categories", "frameworks"])
def test_names_of_categories_and_frameworks_are_checked(key):
    findings = Findings()
    table = recipe(dimension(["Warm"], ["Cold"]))
    table["dimension"][0]["positive"][key] = ["Warmht"]
    assert read_mapping(table, findings) is None
    told = [finding for finding in findings if finding.code.name == "mapping.bad-value"]
    assert [(finding.column, finding.found) for finding in told] == [(f"dimension[1].positive.{key}", "Warmht")]


@pytest.mark.parametrize(
    "table", [{}, {"dimension": []}, {"dimension": "D0"}, {"dimension": [3]}, {"dimension": [{"source_index": True}]}]
)
def test_no_dimension_is_no_mapping(table):
    findings = Findings()
    assert read_mapping(table, findings) is None
    assert set(findings.counts) == {"mapping.bad-value"}


@pytest.mark.parametrize(
    "data", [b"[[dimension", b"\xff\xfe", b"a = 1\na = 2", b"#" * (1 << 20) + b"#", b"a = " + b"[" * 5000]
)
def test_what_is_no_toml_is_a_finding(tmp_path, data):
    findings = Findings()
    path = tmp_path / "mapping.toml"
    path.write_bytes(data)
    assert read_mapping(path, findings) is None
    assert set(findings.counts) == {"mapping.unreadable"}


def test_so_is_a_file_that_is_not_there(tmp_path):
    findings = Findings()
    assert read_mapping(tmp_path / "none.toml", findings) is None
    assert set(findings.counts) == {"mapping.unreadable"}


def test_earlier_errors_do_not_spoil_a_good_mapping():
    findings = Findings()
    assert not check_role("warm", CATEGORY_OF, findings, file="assignments.csv", row=7, column="role_a", id="c1")
    (finding,) = findings
    assert finding.text() == (
        "error mapping.role-case assignments.csv:7 [role_a] c1: a role differs from the corpus's spelling in case or "
        "spaces; found warm; write Warm"
    )
    assert read_mapping(PAPER.as_recipe(), findings) == PAPER


@given(st.integers(0, 60), st.integers(0, 60))
def test_poles_are_out_of_balance_beyond_three_to_one(positive, negative):
    findings = Findings()
    mapping = RoleMapping((dimension(["Warm"], ["Cold"]),))
    mapping.check_balance({"D0": {"P": positive, "N": negative}}, findings)
    unbalanced = positive > 3 * negative or negative > 3 * positive
    empty = positive + negative == 0
    assert findings.counts == (
        {"sample.dimension-empty": 1} if empty else {"sample.poles-unbalanced": 1} if unbalanced else {}
    )
    assert not findings.failed


def test_what_the_sample_does_not_mention_counts_nothing():
    findings = Findings()
    PAPER.check_balance({"S0": {"P": 4, "N": 2}, "S1": {"P": 3}}, findings)
    assert findings.counts == {"sample.dimension-empty": 7, "sample.poles-unbalanced": 1}


def test_the_real_assignments_hold_only_known_roles(shared_data: Path):
    with (shared_data / "seamless" / "abmapped_proxy_dev_test.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    with (shared_data / "seamless" / "roleplay_prompts_roles.csv").open(encoding="utf-8", newline="") as stream:
        known = {row[side] for row in csv.DictReader(stream) for side in ("role_a", "role_b")} - {""}
    findings = Findings()
    roles = [row[side] for row in rows for side in ("role_a", "role_b")]
    assert all(check_role(role, known, findings) for role in roles)
    selected = [place for role in roles for place in PAPER.places(role)]
    # The published prompt counts give 194 speaker sides with a selected role in these conversations.
    with (shared_data / "seamless" / "stancebench_role_prompt_counts.csv").open(encoding="utf-8", newline="") as stream:
        assert len(selected) == sum(int(row["n_conversations_dev_test"]) for row in csv.DictReader(stream))


def test_frameworks_of_nothing_are_none():
    assert frameworks_of(()) == ()
