"""Labels of SVC: an age that its group holds, a sex, and one of each for a speaker."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.svc.labels import Labels, contradicted, labels_of
from earmark.builders.corpora.svc.records import Speaker
from earmark.manifests.findings import Findings
from earmark.manifests.pairing import AGE_GROUPS, SEXES


def read(age: str, group: str = "17-28", gender: str = "female") -> tuple[Labels | None, dict[str, int]]:
    findings = Findings()
    return labels_of(Speaker("7", age, group, gender), findings, file="f", id="a"), codes_of(findings, "svc")


@settings(max_examples=50)
@given(age=st.integers(0, 120), group=st.sampled_from(AGE_GROUPS), gender=st.sampled_from(SEXES))
def test_an_age_is_accepted_just_where_its_group_holds_it(age: int, group: str, gender: str) -> None:
    low, _, high = group.partition("-")
    found, codes = read(str(age), group, gender)
    if age in range(int(low), int(high) + 1):
        assert found == Labels(age, group, gender)
        assert codes == {}
    else:
        assert found is None
        assert codes == {"age-disagrees": 1}


@pytest.mark.parametrize("age", ["", "025", "25.0", "-1", " 25", "25\n", "twenty", "121", "٢٥", "9" * 5000])
def test_an_age_that_is_no_whole_number_of_years(age: str) -> None:
    assert read(age) == (None, {"bad-age": 1})


def test_everything_wrong_is_said_at_once() -> None:
    assert read("x", "17-29", "Female") == (None, {"bad-age": 1, "bad-age-group": 1, "bad-sex": 1})


def test_the_right_group_is_named() -> None:
    findings = Findings()
    labels_of(Speaker("7", "25", "29-41", "male"), findings, file="f", id="a")
    labels_of(Speaker("7", "8", "9-16", "male"), findings, file="f", id="b")
    assert [finding.expected for finding in findings] == ["the age group 17-28", "an age that a group holds"]


def test_a_speaker_of_two_sexes_or_groups_is_told_and_a_birthday_is_not_held_against_anybody() -> None:
    findings = Findings()
    told = [
        ("1", Labels(25, "17-28", "female")),
        ("2", Labels(25, "17-28", "female")),
        ("3", Labels(28, "17-28", "male")),
        ("4", Labels(25, "17-28", "female")),
        ("1", Labels(25, "17-28", "male")),
        ("3", Labels(29, "29-41", "male")),
        ("2", Labels(26, "17-28", "female")),
        ("4", Labels(25, "17-28", "female")),
    ]
    assert contradicted(told, findings) == {"1", "3"}
    assert codes_of(findings, "svc") == {"speaker-disagrees": 2, "several-ages": 1}
    again = Findings()
    assert contradicted(reversed(told), again) == {"1", "3"}
    assert again.as_json() == findings.as_json()
