"""What the author has to compose from: plots by subscale, settings by scenario type, tones, lines and names, all of it data."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from earmark.builders.dialogues.offline.entries import Lines, Names, Plot, Plots, Record, Setting, ToneMaterial
from earmark.manifests.eqi import SCENARIO_TYPES, SUBSCALES, VALENCES
from earmark.manifests.errors import UnknownName

RecordT = TypeVar("RecordT", bound=msgspec.Struct)


class _Settings(Record, frozen=True):
    settings: tuple[Setting, ...]


@lru_cache(maxsize=len(SUBSCALES))
def plots_of(subscale: str) -> Plots:
    """What there is of a subscale.

    Raises:
        UnknownName: If there is no such subscale.
    """
    _known("subscale", subscale, tuple(entry.slug for entry in SUBSCALES))
    return _read(f"plots/{subscale}.toml", Plots)


@lru_cache(maxsize=len(SCENARIO_TYPES))
def settings_of(type: str) -> tuple[Setting, ...]:
    """The settings of a scenario type.

    Raises:
        UnknownName: If there is no such type.
    """
    _known("scenario type", type, tuple(entry.slug for entry in SCENARIO_TYPES))
    return _read(f"settings/{type}.toml", _Settings).settings


def plots_about(subscale: str, valence: str) -> tuple[Plot, ...]:
    """The plots of a subscale and valence.

    Raises:
        UnknownName: If there is no such subscale or valence.
    """
    _known("valence", valence, VALENCES)
    return plots_of(subscale).of(valence)


@lru_cache(maxsize=1)
def tone_material() -> ToneMaterial:
    """The tones."""
    return _read("tones.toml", ToneMaterial)


@lru_cache(maxsize=1)
def lines() -> Lines:
    """The words that go with any plot."""
    return _read("lines.toml", Lines)


@lru_cache(maxsize=1)
def names() -> Names:
    """The names."""
    return _read("names.toml", Names)


def _read(path: str, record: type[RecordT]) -> RecordT:
    text = files(__package__).joinpath(path).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), record)


def _known(what: str, name: str, valid: tuple[str, ...]) -> None:
    if name not in valid:
        raise UnknownName(what, name, valid)
