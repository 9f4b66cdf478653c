"""The words check over a build: who listens, under which limit, and which clips it rejects.

Every new clip of an option is heard. One whose words are too far from the script is rejected, and so is one that is too far from
a clip of the other option that may be used; of two that are heard for the first time together, the one that is further from
the script. A limit that is calibrated is taken from the first attempts: that of each from the lines of context, which are
never rejected, and that between two from the options of each turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from earmark.builders.dialogues.makers import Listener
from earmark.builders.dialogues.records import TARGET_TURNS
from earmark.builders.dialogues.voicing.file_cache import FileCache
from earmark.builders.dialogues.voicing.takes import OTHER_WORDS, Rendering, Take, Takes
from earmark.builders.dialogues.voicing.words import (
    ACCEPTANCE,
    LEAST_CLIPS,
    LOOSE,
    CalibratedLimit,
    Limits,
    calibrate,
    rate_between,
    word_error_rate,
)
from earmark.builders.media import Progress
from earmark.manifests.attempts import CONTEXT, OPTIONS, RESONANT
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare

FEW = declare("words.few-clips", Severity.WARNING, "a limit of word errors was calibrated on few clips")
DEAF = declare(
    "words.loose-limit", Severity.WARNING, "the listener hardly understands the voice, and the words check says little"
)

LISTENING = "listening to the words"
"""What progress calls it."""

_AT_A_TIME = 32
"""Clips after which what was heard is kept."""


@dataclass(frozen=True, kw_only=True)
class WordsCheck:
    """Who listens, and what passes.

    Args:
        listener: Who writes down what a clip says.
        limit: Word error rate above which a clip is rejected; None calibrates it.
        acceptance: Share of clips that a calibrated limit lets pass, in (0, 1].
    """

    listener: Listener
    limit: float | None = None
    acceptance: float = ACCEPTANCE


class Listening:
    """A words check at work.

    Args:
        check: Who listens, and what passes.
        kept: What was heard before.
        findings: Where it is said that a limit says little.
        progress: Told how far it is.
    """

    def __init__(self, check: WordsCheck, kept: FileCache, findings: Findings, progress: Progress) -> None:
        self.check = check
        self.limits = None if check.limit is None else Limits(check.limit, check.limit)
        self.calibrated: tuple[CalibratedLimit, CalibratedLimit] | None = None
        self._kept, self._findings, self._progress = kept, findings, progress

    def listen(self, everybody: Sequence[Takes], new: Sequence[tuple[Takes, Rendering]], folder: Path) -> None:
        """Hear the latest takes of some renderings, and reject what does not say its words.

        Args:
            everybody: All dialogues, for the calibration.
            new: What was spoken in this round; the latest take of each is heard.
            folder: What the takes' paths start from.
        """
        calibrating = self.limits is None
        heard = [
            (takes, rendering)
            for takes, rendering in new
            if takes.made[rendering][-1].rejected is None and (calibrating or rendering[1] != CONTEXT)
        ]
        said = self._transcripts([takes.made[rendering][-1] for takes, rendering in heard], folder)
        for (takes, rendering), transcript in zip(heard, said, strict=True):
            wer = word_error_rate(takes.dialogue.script.line(rendering[0]), transcript)
            takes.made[rendering][-1] = replace(takes.made[rendering][-1], transcript=transcript, wer=wer)
        if calibrating:
            self.limits = self._calibrate(everybody)
        latest: dict[tuple[str, int], list[tuple[Takes, Rendering]]] = {}
        for takes, rendering in heard:
            if rendering[1] != CONTEXT:
                latest.setdefault((takes.dialogue.name, rendering[0]), []).append((takes, rendering))
        for turn in latest.values():
            order = sorted(turn, key=_nearest_first)
            for place, (takes, rendering) in enumerate(order):
                self._judge(takes, rendering, [other.made[further][-1] for other, further in order[place + 1 :]])

    def as_json(self) -> dict[str, Json]:
        """Who listened, the limits, and what they were taken from."""
        return words_json(self.check, self.limits, self.calibrated)

    def _judge(self, takes: Takes, rendering: Rendering, pending: Sequence[Take]) -> None:
        """Reject the latest take of a rendering, or let it be; those that are pending are judged after it."""
        take, limits = takes.made[rendering][-1], self.limits
        if limits is None or take.wer is None or take.transcript is None:
            return
        if take.wer > limits.each:
            why = f"{take.wer:g} word errors a word of the script, at most {limits.each:g}"
            takes.made[rendering][-1] = replace(take, rejected=f"{OTHER_WORDS}: {why}")
            return
        other = OPTIONS[1 - OPTIONS.index(rendering[1])]
        for beside in takes.usable((rendering[0], other)):
            if beside in pending or beside.transcript is None:
                continue
            rate = rate_between(take.transcript, beside.transcript)
            if rate > limits.between:
                why = f"{rate:g} word errors a word against the {other} option, at most {limits.between:g}"
                takes.made[rendering][-1] = replace(take, rejected=f"{OTHER_WORDS}: {why}")
                return

    def _transcripts(self, takes: Sequence[Take], folder: Path) -> list[str]:
        """What each take says."""
        files = {take.spoken.file_hash: folder / take.spoken.path for take in takes if take.spoken is not None}
        known = transcripts(self.check.listener, files, kept=self._kept, progress=self._progress)
        return [known[take.spoken.file_hash] if take.spoken is not None else "" for take in takes]

    def _calibrate(self, everybody: Sequence[Takes]) -> Limits:
        each, between = [], []
        for takes in everybody:
            first = {rendering: made[0] for rendering, made in takes.made.items() if made}
            each += [take.wer for (_, option), take in first.items() if option == CONTEXT and take.wer is not None]
            for turn in TARGET_TURNS:
                pair = [first[turn, option].transcript for option in OPTIONS if (turn, option) in first]
                texts = [text for text in pair if text is not None]
                if len(texts) == len(OPTIONS):
                    between.append(rate_between(*texts))
        self.calibrated = calibrated_limits(each, between, self.check.acceptance, self._findings)
        return Limits(*(found.limit for found in self.calibrated))


def transcripts(
    listener: Listener, files: Mapping[str, Path], *, kept: FileCache | None, progress: Progress
) -> dict[str, str]:
    """What files say; one that was heard before is not heard again.

    Args:
        listener: Who writes it down.
        files: Where they lie, by the sha256 of their bytes.
        kept: What was heard before; None where nothing is kept.
        progress: Told how far it is.

    Returns:
        Transcripts by hash, of these files and perhaps of others.
    """
    kind = f"words {listener.name}"
    known = {file_hash: said.decode() for file_hash, said in kept.of(kind).items()} if kept else {}
    new = sorted(files.keys() - known.keys())
    progress(LISTENING, len(files) - len(new), len(files))
    for start in range(0, len(new), _AT_A_TIME):
        batch = new[start : start + _AT_A_TIME]
        found = dict(zip(batch, listener.transcribe([files[file_hash] for file_hash in batch]), strict=True))
        known |= found
        if kept:
            kept.keep(kind, {file_hash: text.encode() for file_hash, text in found.items()})
        progress(LISTENING, len(files) - len(new) + start + len(batch), len(files))
    return known


def calibrated_limits(
    each: Sequence[float], between: Sequence[float], acceptance: float, findings: Findings
) -> tuple[CalibratedLimit, CalibratedLimit]:
    """The limit of a clip against its script, and that of two options against each other.

    Args:
        each: Word error rates of clips that say their text.
        between: Rates between two clips that say the same.
        acceptance: Share that each is to let pass.
        findings: Where it is said that a limit says little.
    """
    limits = calibrate(each, acceptance=acceptance), calibrate(between, acceptance=acceptance)
    for name, limit in zip(("script", "other option"), limits, strict=True):
        if limit.clips < LEAST_CLIPS:
            findings.add(FEW, id=name, found=limit.clips, expected=f"at least {LEAST_CLIPS}")
        if limit.limit > LOOSE:
            findings.add(DEAF, id=name, found=f"a limit of {limit.limit:g}", expected=f"at most {LOOSE:g}")
    return limits


def words_json(
    check: WordsCheck, limits: Limits | None, calibrated: tuple[CalibratedLimit, CalibratedLimit] | None
) -> dict[str, Json]:
    """Who listened, the limits, and what they were taken from."""
    listened: dict[str, Json] = {"listener": check.listener.name}
    if limits is not None:
        listened |= {"limit": limits.each, "limit between options": limits.between}
    if calibrated is not None:
        for name, found in zip(("calibration", "calibration between options"), calibrated, strict=True):
            listened[name] = {
                "acceptance": found.acceptance,
                "clips" if name == "calibration" else "pairs": found.clips,
                "rate at it": found.quantile,
                "share rejected": found.rejects,
            }
    return listened


def _nearest_first(entry: tuple[Takes, Rendering]) -> tuple[float, bool]:
    """Of two options the one whose words are nearer to the script comes first, of equal ones the resonant."""
    takes, rendering = entry
    return takes.made[rendering][-1].wer or 0.0, rendering[1] != RESONANT
