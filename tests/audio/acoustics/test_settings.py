"""Settings are what the results depend on, so that each of them shows in the digest."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from earmark.audio.acoustics import settings as module
from earmark.audio.acoustics.settings import DEFAULTS, Settings


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_moves_the_digest(name: str) -> None:
    value = getattr(DEFAULTS, name)
    other = replace(DEFAULTS, **{name: value + "x" if isinstance(value, str) else value + 1})
    assert other.digest() != DEFAULTS.digest()


def test_the_digest_is_of_the_values_and_of_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    before = DEFAULTS.digest()
    assert Settings().digest() == before
    monkeypatch.setattr(module, "version", lambda name: "0.0.0")
    assert DEFAULTS.digest() != before


def test_a_package_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise module.PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", absent)
    assert len(Settings().digest()) == 32


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"pitch_floor": 600.0}, "pitch_floor and pitch_ceiling are 600.0 and 600.0"),
        ({"pitch_floor": 0.0}, "10 to 2000"),
        ({"pitch_step": 0.0}, "pitch_step is 0.0; it must be above 0"),
        ({"hop": float("nan")}, "hop is nan"),
        ({"f0_high": 101.0}, "0 to 100"),
    ],
)
def test_what_cannot_be_measured_with_is_refused(settings: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(DEFAULTS, **settings)


def test_they_are_json_and_come_back() -> None:
    assert Settings(**json.loads(json.dumps(DEFAULTS.as_json()))) == DEFAULTS
