"""Sections of a recipe of dialogues that say what a clip must pass: `[gate]` and `[words]`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from earmark.builders.contrast.features import TRACKERS
from earmark.builders.contrast.gate import REGENERATIONS
from earmark.builders.contrast.profile import NAMES, Profile, read_profile, shipped
from earmark.builders.dialogues.voicing.listeners import FASTER, OPENAI, WhisperListener
from earmark.builders.dialogues.voicing.listening import WordsCheck
from earmark.builders.dialogues.voicing.synthesis import Gate
from earmark.builders.dialogues.voicing.words import ACCEPTANCE
from earmark.builders.recipes import SECTION
from earmark.manifests.findings import Findings, nearest

CALIBRATED: Literal["calibrated"] = "calibrated"
MOST_REGENERATIONS = 20
MOST_LIMIT = 1.0


class GateSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[gate]`: what the two options of a turn must pass.

    Args:
        profile: default, paper, or a TOML file that ends in .toml.
        most: Regenerations that a turn may have.
        tracker: Who finds F0 in place of the profile's; the profile's without.

    Raises:
        ValueError: If a value is none of these.
    """

    profile: str = "default"
    most: int = REGENERATIONS
    tracker: str | None = None

    def __post_init__(self) -> None:
        if self.profile not in NAMES and (not self.profile.endswith(".toml") or "\0" in self.profile):
            known = nearest(self.profile, NAMES)
            raise ValueError(f"profile is {self.profile!r}; {known}, or a file that ends in .toml")
        if not 0 <= self.most <= MOST_REGENERATIONS:
            raise ValueError(f"most is {self.most}; it must be in 0 … {MOST_REGENERATIONS}")
        if self.tracker is not None and self.tracker not in TRACKERS:
            raise ValueError(f"tracker is {self.tracker!r}; {nearest(self.tracker, TRACKERS)}")

    def gate(self, base: Path) -> Gate:
        """The gate.

        Args:
            base: Folder that a relative path starts from.

        Raises:
            Refused: The profile, or the tracker in it, is wrong; all of it is said.
            EarmarkError: There is no such file.
        """
        own = self.profile not in NAMES
        profile = read_profile(base / self.profile) if own else shipped(self.profile)
        return Gate(profile=self._tracked(profile), most=self.most)

    def _tracked(self, profile: Profile) -> Profile:
        if self.tracker is None:
            return profile
        findings = Findings()
        try:
            return msgspec.structs.replace(profile, tracker=self.tracker)
        except ValueError as error:
            findings.add(SECTION, id="[gate]", found=f"profile {profile.name!r} with tracker {self.tracker!r}: {error}")
        findings.require_none()
        raise AssertionError("a finding refuses")


class WordsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[words]`: who listens to whether both options say the script.

    Args:
        engine: none, faster-whisper or openai-whisper; with none the words are unchecked, and the release says so.
        weights: For faster-whisper a folder, for openai-whisper a .pt file or a folder with one.
        limit: Word error rate above which a clip is rejected, 0 to 1, or calibrated: on the voice's own lines.
        acceptance: Share of lines that a calibrated limit lets pass, in (0, 1].

    Raises:
        ValueError: If a value is none of these, or the weights are missing.
    """

    engine: Literal["none", "faster-whisper", "openai-whisper"] = "none"
    weights: str | None = None
    limit: float | Literal["calibrated"] = CALIBRATED
    acceptance: float = ACCEPTANCE

    def __post_init__(self) -> None:
        if self.engine != "none" and not self.weights:
            raise ValueError(f"weights are missing; {self.engine} downloads nothing and needs a path")
        if self.engine == "none" and self.weights is not None:
            raise ValueError(f"weights without an engine; {FASTER} or {OPENAI}")
        if self.weights is not None and "\0" in self.weights:
            raise ValueError(f"weights is {self.weights!r}; no path has a NUL")
        if not isinstance(self.limit, str) and not 0 <= self.limit <= MOST_LIMIT:
            raise ValueError(f"limit is {self.limit:g}; it must be in 0 … {MOST_LIMIT:g}, or {CALIBRATED}")
        if not 0 < self.acceptance <= 1:
            raise ValueError(f"acceptance is {self.acceptance:g}; it must be above 0 and at most 1")

    def check(self, base: Path) -> WordsCheck | None:
        """The words check; None where nobody listens.

        Args:
            base: Folder that a relative path starts from.

        Raises:
            NoListener: The weights are not there.
        """
        if self.engine == "none" or self.weights is None:
            return None
        listener = WhisperListener(self.engine, base / self.weights)
        limit = None if isinstance(self.limit, str) else self.limit
        return WordsCheck(listener=listener, limit=limit, acceptance=self.acceptance)
