"""What SVC says of a speaker, checked: an age in years that agrees with its group, a sex, and one of each for every speaker."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from earmark.builders.corpora.svc.records import Speaker
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.pairing import AGE_GROUPS, SEXES

BAD_AGE = declare("svc.bad-age", Severity.ERROR, "the age is no whole number of years; dropped")
BAD_AGE_GROUP = declare("svc.bad-age-group", Severity.ERROR, "there is no such age group; dropped")
AGE_DISAGREES = declare("svc.age-disagrees", Severity.ERROR, "the age lies outside its age group; dropped")
BAD_SEX = declare("svc.bad-sex", Severity.ERROR, "there is no such gender; dropped")
SPEAKER_DISAGREES = declare(
    "svc.speaker-disagrees",
    Severity.ERROR,
    "records of one speaker give several sexes or age groups; all of that speaker's are dropped",
)
SEVERAL_AGES = declare("svc.several-ages", Severity.WARNING, "records of one speaker give several ages of one group")

_YEARS = re.compile(r"0|[1-9][0-9]{0,2}", re.ASCII)
_BOUNDS = {group: tuple(int(end) for end in group.split("-")) for group in AGE_GROUPS}


class Labels(NamedTuple):
    """What is asked of a speaker.

    Attributes:
        age: years.
        age_group: one of AGE_GROUPS.
        sex: one of SEXES.
    """

    age: int
    age_group: str
    sex: str


def labels_of(speaker: Speaker, findings: Findings, *, file: str, id: str) -> Labels | None:
    """The labels of a record; None if one of them is wrong, each of which is a finding."""
    known = _BOUNDS.get(speaker.age_group)
    age = int(speaker.age) if _YEARS.fullmatch(speaker.age) else None
    sound = True
    if age is None or age > 120:
        findings.add(BAD_AGE, file=file, column="age", id=id, found=speaker.age, expected="0 to 120, in digits")
        sound = False
    if known is None:
        expected = f"one of {', '.join(AGE_GROUPS)}"
        findings.add(BAD_AGE_GROUP, file=file, column="age_group", id=id, found=speaker.age_group, expected=expected)
        sound = False
    if speaker.gender not in SEXES:
        expected = f"one of {', '.join(SEXES)}"
        findings.add(BAD_SEX, file=file, column="gender", id=id, found=speaker.gender, expected=expected)
        sound = False
    if not sound or age is None or known is None:
        return None
    if not known[0] <= age <= known[1]:
        right = next((group for group, (low, high) in _BOUNDS.items() if low <= age <= high), None)
        expected = f"the age group {right}" if right else "an age that a group holds"
        found = f"age {age} in the group {speaker.age_group}"
        findings.add(AGE_DISAGREES, file=file, column="age_group", id=id, found=found, expected=expected)
        return None
    return Labels(age, speaker.age_group, speaker.gender)


def contradicted(told: Iterable[tuple[str, Labels]], findings: Findings) -> frozenset[str]:
    """Speakers whose records contradict one another.

    People have birthdays between recordings, so several ages are a warning as long as the group is one.

    Args:
        told: Speaker and labels of each record.
        findings: What is wrong is added to them.

    Returns:
        The speakers with several sexes or age groups.
    """
    by_speaker: Mapping[str, set[Labels]] = defaultdict(set)
    for speaker, labels in told:
        by_speaker[speaker].add(labels)
    wrong = set()
    for speaker, several in sorted(by_speaker.items()):
        if len(several) == 1:
            continue
        found = "; ".join(f"{entry.sex}, {entry.age}" for entry in sorted(several))
        if len({(entry.age_group, entry.sex) for entry in several}) > 1:
            findings.add(SPEAKER_DISAGREES, id=speaker, found=found, expected="one sex and one age group")
            wrong.add(speaker)
        else:
            findings.add(SEVERAL_AGES, id=speaker, found=found, expected="one age")
    return frozenset(wrong)
