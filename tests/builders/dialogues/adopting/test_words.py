"""The words check of dialogues that others have spoken: rates stand beside every option, and what is above a limit is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.support.voiced import voiced

from earmark.builders.dialogues.adopting.words import OTHER, with_words
from earmark.builders.dialogues.records import RENDERINGS
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing.listening import FEW, WordsCheck
from earmark.builders.dialogues.voicing.words import FLOOR, word_error_rate
from earmark.manifests.attempts import CONTEXT, DISSONANT, OPTIONS, RESONANT
from earmark.manifests.findings import Findings

pytest.importorskip("jiwer")
pytest.importorskip("soundfile")


@dataclass
class Told:
    """A listener that writes what a test says of a path, and the script otherwise."""

    scripts: Mapping[str, str]
    other: Mapping[str, str]
    heard: list[str] = field(default_factory=list)
    name: str = "told 1"

    def transcribe(self, paths: Sequence[Path]) -> Sequence[str]:
        names = [f"{path.parent.name}/{path.name}" for path in paths]
        self.heard += names
        return [self.other.get(name, self.scripts[name]) for name in names]


def told(given: Voiced, other: Mapping[str, str]) -> Told:
    return Told({clip.path: clip.text for one in given.dialogues for clip in one.clips}, other)


def checked(
    given: Voiced, listener: Told, findings: Findings, cache: Path | None = None, limit: float | None = 0.2
) -> Voiced:
    check = WordsCheck(listener=listener, limit=limit)
    return with_words(given, check, cache=cache, findings=findings, progress=lambda *_: None)


def test_rates_stand_beside_options_and_what_is_above_a_limit_is_said(tmp_path: Path) -> None:
    given = voiced(2, tmp_path)
    one = given.dialogues[0]
    wrong, near = one.clip(4, RESONANT), one.clip(6, DISSONANT)
    cut = " ".join(near.text.split()[:-1])
    listener = told(given, {wrong.path: "nothing of that", near.path: cut})
    findings = Findings()
    found = checked(given, listener, findings)
    assert found.dialogues[0].clip(4, RESONANT).wer == word_error_rate(wrong.text, "nothing of that") > 0.2
    assert found.dialogues[0].clip(6, DISSONANT).wer == word_error_rate(near.text, cut) > 0
    rates = {(clip.option, clip.wer) for clip in found.dialogues[1].clips}
    assert rates == {(CONTEXT, None), (RESONANT, 0.0), (DISSONANT, 0.0)}
    by_row = {(row["dialogue"], row["turn"], row["option"]): row["wer"] for row in found.attempts}
    for dialogue in found.dialogues:
        for clip, (turn, option) in zip(dialogue.clips, RENDERINGS, strict=True):
            assert by_row[dialogue.name, turn, option] == clip.wer
    # The wrong one, and the turn whose two options say two things.
    assert findings.counts == {OTHER.name: 2}
    assert {finding.id for finding in findings} == {one.name}
    words = found.report["words"]
    assert isinstance(words, dict)
    assert (words["options above"], words["turns above between options"]) == (1, 1)
    assert found.recipe["words"] == {"listener": "told 1", "limit": 0.2, "limit between options": 0.2}
    assert [dialogue.name for dialogue in found.dialogues] == [dialogue.name for dialogue in given.dialogues]


def test_a_limit_is_calibrated_on_context_and_nothing_is_heard_twice(tmp_path: Path) -> None:
    given = voiced(2, tmp_path / "clips")
    findings = Findings()
    first = told(given, {})
    found = checked(given, first, findings, tmp_path / "cache", limit=None)
    assert len(first.heard) == len(set(first.heard)) == 2 * len(RENDERINGS)
    words = found.report["words"]
    assert isinstance(words, dict)
    assert (words["limit"], words["calibration"]["clips"]) == (FLOOR, 8)
    assert words["calibration between options"]["pairs"] == 2 * len(OPTIONS)
    assert findings.counts == {FEW.name: 2}
    second = told(given, {})
    assert checked(given, second, Findings(), tmp_path / "cache", limit=None) == found
    assert second.heard == []


def test_where_nobody_listens_it_says_so(tmp_path: Path) -> None:
    given = voiced(1, tmp_path)
    found = with_words(given, None, cache=None, findings=Findings(strict=True), progress=lambda *_: None)
    assert found.report["words"] == found.recipe["words"] == "unchecked"
    assert found.dialogues == given.dialogues
