"""Semantic versions of data: their parts, their order, and what a step from one to the next says."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from earmark.manifests.errors import EarmarkError
from earmark.manifests.release import VERSION_PATTERN

_SEMVER = re.compile(VERSION_PATTERN)


class Step(IntEnum):
    """How far a version is from the one before it, as Croissant 1.1 has it for data."""

    NONE = 0
    """Nothing differs."""

    PATCH = 1
    """The same data, written another way."""

    MINOR = 2
    """Additions alone: all that was there is there unchanged."""

    MAJOR = 3
    """Something was edited, removed or dealt anew."""


class Version(NamedTuple):
    """A version MAJOR.MINOR.PATCH; those that come later are greater.

    >>> Version.of("1.10.0") > Version.of("1.9.3")
    True
    """

    major: int
    minor: int
    patch: int

    @classmethod
    def of(cls, text: str) -> Version:
        """A version from its spelling.

        Raises:
            EarmarkError: If it is none.
        """
        match = _SEMVER.fullmatch(text)
        if match is None:
            raise EarmarkError(f"{text[:80]!r} is no version MAJOR.MINOR.PATCH")
        return cls(*map(int, match.groups()))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def after(self, step: Step) -> Version:
        """The next version that is a step away.

        >>> str(Version.of("1.2.3").after(Step.MINOR))
        '1.3.0'
        """
        match step:
            case Step.MAJOR:
                return Version(self.major + 1, 0, 0)
            case Step.MINOR:
                return Version(self.major, self.minor + 1, 0)
            case Step.PATCH:
                return Version(self.major, self.minor, self.patch + 1)
            case _:
                return self

    def step_to(self, later: Version) -> Step:
        """The step that the numbers say it is to a later version; none where it is not later.

        >>> Version.of("1.2.3").step_to(Version.of("1.4.0")).name
        'MINOR'
        """
        if later <= self:
            return Step.NONE
        if later.major > self.major:
            return Step.MAJOR
        return Step.MINOR if later.minor > self.minor else Step.PATCH
