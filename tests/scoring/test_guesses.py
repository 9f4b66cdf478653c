"""Baselines beside a headline are computed once for many files of a release, and anew for whatever else is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.support.tiny import write_tiny_release

from earmark.manifests.release import Release, open_release
from earmark.scoring import stance
from earmark.scoring.baselines import Baseline, Guesses, uniform
from earmark.scoring.decisions import Owed, owed_presentations
from earmark.scoring.guesses import baseline_entries, remembered_entries


class Counted:
    """A rule that says how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Release, str]] = []

    def guess(self, release: Release, owed: Owed) -> Guesses:
        self.asked.append((release, owed.protocol))
        return uniform(release, owed)


def marks(*rules: Baseline) -> SimpleNamespace:
    return SimpleNamespace(BASELINES=rules, headline=stance.headline)


def owed_by(release: Release) -> Sequence[Owed]:
    return [owed_presentations(release, release.protocol(entry.name)) for entry in release.manifest.protocols]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("tiny") / "r", items=4, transcripts=True)


def test_many_files_of_a_release_ask_each_rule_once(tiny: Release) -> None:
    counted = Counted()
    family = marks(Baseline("counted", "…", counted.guess))
    owed, _ = owed_by(tiny)
    first = remembered_entries(tiny, owed, family)
    assert remembered_entries(tiny, owed_presentations(tiny, tiny.protocol()), family) == first
    assert counted.asked == [(tiny, "both-orders")]
    assert baseline_entries(tiny, owed, family) == first


def test_another_protocol_release_or_rule_is_asked_anew(tiny: Release, tmp_path: Path) -> None:
    counted, other = Counted(), Counted()
    rule = Baseline("counted", "…", counted.guess)
    audio, words = owed_by(tiny)
    again = open_release(tiny.path)
    larger = write_tiny_release(tmp_path / "r", items=6)
    for release, owed in ((tiny, audio), (tiny, words), (again, words), (larger, owed_by(larger)[0])):
        before = len(counted.asked)
        remembered_entries(release, owed, marks(rule))
        assert counted.asked[before:] == [(release, owed.protocol)]
        assert counted.asked[-1][0] is release
    entries = remembered_entries(larger, owed_by(larger)[0], marks(rule, Baseline("other", "…", other.guess)))
    assert [entry.name for entry in entries] == ["counted", "other"]
    assert len(other.asked) == 1
