"""Profiles: shipped, written and read again, one's own, and wrong ones."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.builders.contrast.strategies import profiles

from earmark.builders.contrast.calibration import as_toml
from earmark.builders.contrast.profile import MAXIMA, NAMES, Profile, check_profile, read_profile, shipped, source
from earmark.manifests.errors import EarmarkError, Refused, UnknownName


def test_the_shipped_ones() -> None:
    for name in NAMES:
        profile = shipped(name)
        assert (profile.name, profile.pass_at) == (name, 4)
        assert {dim: worth.points[-1] for dim, worth in profile.dimensions().items()} == MAXIMA
        assert source(name).startswith("#")
    assert shipped("paper").rate.measure == "zero_crossing_rate"
    with pytest.raises(UnknownName, match="default, paper"):
        shipped("ours")


@settings(max_examples=25)
@given(profile=profiles())
def test_what_is_written_is_read_again(profile: Profile, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "own.toml"
    path.write_text(as_toml(profile), encoding="utf-8")
    assert read_profile(path) == profile


def test_ones_own_is_named_by_its_file_and_all_that_is_wrong_is_said(tmp_path: Path) -> None:
    text = "\n".join(line for line in source("default").splitlines() if not line.startswith("name"))
    own = tmp_path / "quiet-voice.toml"
    own.write_text(text, encoding="utf-8")
    assert read_profile(own).name == "quiet-voice"
    own.write_text(
        text.replace("[timbre]", "[timber]").replace("thresholds = [1.3, 2.1]", "thresholds = [2.1, 1.3]"),
        encoding="utf-8",
    )
    with pytest.raises(Refused) as refused:
        read_profile(own)
    assert {finding.id for finding in refused.value.findings} == {"[timber]", "[timbre]", "[level]"}
    with pytest.raises(EarmarkError, match="cannot read"):
        read_profile(tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('measure = "f0"', 'measure = "seconds"', "pitch: measure is 'seconds'"),
        (
            'measure = "syllables_per_second"',
            'measure = "zero_crossing_rate"',
            "syllables_per_second, words_per_second",
        ),
        ("points = [1.0, 2.0]", "points = [1.0, 3.0]", "at most 2"),
        ('unit = "dB"', 'unit = "share"', "level: unit is 'share'"),
        ("pass_at = 4.0", "pass_at = 9.0", "at most the 8 points"),
        ("pass_at = 4.0", "pass_at = 0.0", "above 0"),
        ('tracker = "praat"', 'tracker = "pyin"', "there is praat"),
        ('scale = "absolute"', 'scale = "relative"', "is absolute"),
        ("thresholds = [1.3, 2.1]", "thresholds = [1.3]", "1 thresholds and 2 points"),
        ("thresholds = [1.3, 2.1]", "thresholds = [1.3, inf]", "finite"),
        ("thresholds = [1.3, 2.1]", "thresholds = [nan, 2.1]", "ascending"),
    ],
)
def test_a_wrong_profile_is_refused(before: str, after: str, said: str) -> None:
    assert before in source("default")
    with pytest.raises(Refused) as refused:
        check_profile(tomllib.loads(source("default").replace(before, after)), file="own.toml")
    assert said in str([finding.found for finding in refused.value.findings])
