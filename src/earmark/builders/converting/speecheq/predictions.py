"""Reading a prediction file of SpeechEQ's: who judged, what stood for a clip, and every run at both turns of each dialogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from earmark.builders.converting.reading import NOT_JSON, UNREADABLE, converted
from earmark.builders.converting.speecheq.shapes import MOST_BYTES, File, Response, Result, Sentence
from earmark.builders.corpora.speecheq.names import ID_FORM, is_id
from earmark.manifests.declarations import AUDIO, CASCADE_NUMBERS, CASCADE_WORDS
from earmark.manifests.eqi import Subscale, subscale_of
from earmark.manifests.errors import Refused, UnknownName
from earmark.manifests.families.dialogues import ONE, TURN_4, TURN_6, TWO
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.strict import NotStrictJson, read_strict_json

NOT_PREDICTIONS = declare("convert.not-predictions", Severity.ERROR, "the file is no prediction file of SpeechEQ's")
NO_RESPONSE = declare("convert.no-response", Severity.ERROR, "the file holds no response that can be used")
BAD_RESPONSE = declare("convert.bad-response", Severity.ERROR, "a response cannot be used; it is left out")
BAD_RUN = declare("convert.bad-run", Severity.ERROR, "a run cannot be used; it is left out")
REPEATED = declare("convert.repeated-dialogue", Severity.ERROR, "a file answers a dialogue twice; neither is used")
UNANSWERED = declare(
    "convert.unanswered", Severity.WARNING, "the file has no result for a turn; nothing is written for it"
)
MODALITY = declare("convert.modality", Severity.WARNING, "the file does not say what stood for a clip; taken for audio")
VERDICT = declare(
    "convert.other-verdict", Severity.WARNING, "the file calls right or wrong what by its own account is not; not used"
)

_TURNS = {TURN_4: "sentence_4", TURN_6: "sentence_6"}
_OPTIONS = {"option1": ONE, "option2": TWO}
_CASCADES = {"_ser_raw_llm": CASCADE_NUMBERS, "_ser_llm": CASCADE_WORDS}
"""What stands at the end of `source_file`, and what the cascade was then given."""

PartT = TypeVar("PartT")


@dataclass(frozen=True)
class PredictedRun:
    """One answer.

    Args:
        number: From 0.
        choice: "1" or "2"; None where the authors could read none.
        gold_first: Whether the resonant option was shown first.
        reasoning: What was said besides; None where nothing was.
        response: All that was said; None where the file does not have it.
    """

    number: int
    choice: str | None
    gold_first: bool
    reasoning: str | None
    response: str | None

    @property
    def right(self) -> bool:
        """Whether it is the resonant option."""
        return self.choice == (ONE if self.gold_first else TWO)


@dataclass(frozen=True)
class PredictedDialogue:
    """What was answered to a dialogue.

    Args:
        name: The dialogue.
        subscale: Its subscale.
        title: What people call it.
        runs: By target turn, the runs.
    """

    name: str
    subscale: Subscale
    title: str
    runs: Mapping[str, tuple[PredictedRun, ...]]


@dataclass(frozen=True)
class Predicted:
    """A prediction file.

    Args:
        stem: Its name without the ending.
        data_set: The data that were judged.
        model: Who judged.
        modality: What stood for a clip.
        dialogues: By name, in the order of the names.
        path: Where it lies.
        left_out: By finding code, how much of it could not be used: runs, and responses of whose runs nothing is known.
    """

    stem: str
    data_set: str
    model: str
    modality: str
    dialogues: Mapping[str, PredictedDialogue]
    path: Path
    left_out: Counter[str]


def read_predictions(path: Path, findings: Findings) -> Predicted:
    """Read a prediction file.

    Args:
        path: The file.
        findings: Told of everything that is wrong; responses and runs that cannot be used are left out.

    Raises:
        Refused: If the file as a whole is of no use, or at the first error if `findings` is strict.
    """
    file = path.name
    try:
        value = read_strict_json(path, most_bytes=MOST_BYTES)
    except OSError as error:
        findings.add(UNREADABLE, file=file, found=error.strerror or type(error).__name__, expected="a JSON file")
        raise Refused(findings) from None
    except NotStrictJson as error:
        findings.add(NOT_JSON, file=file, found=error, expected="a JSON object, each key once")
        raise Refused(findings) from None
    try:
        read = converted(value, File)
    except msgspec.ValidationError as error:
        expected = "an object with dataset_name, model and responses"
        findings.add(NOT_PREDICTIONS, file=file, found=error, expected=expected)
        raise Refused(findings) from None
    reader = _Reader(file, findings)
    found = [dialogue for row, entry in enumerate(read.responses) if (dialogue := reader.dialogue(row, entry))]
    counts = Counter(dialogue.name for dialogue in found)
    for name, count in sorted(counts.items()):
        if count > 1:
            findings.add(REPEATED, file=file, id=name, found=count, expected="one response")
            runs = (runs for dialogue in found if dialogue.name == name for runs in dialogue.runs.values())
            reader.left_out[REPEATED.name] += sum(map(len, runs))
    dialogues = {dialogue.name: dialogue for dialogue in found if counts[dialogue.name] == 1}
    if not dialogues:
        findings.add(NO_RESPONSE, file=file, found=len(read.responses), expected="responses with a dataset_id each")
        raise Refused(findings)
    modality = _modality(read, dialogues, file, findings)
    named = dict(sorted(dialogues.items()))
    return Predicted(path.stem, read.dataset_name, read.model, modality, named, path, reader.left_out)


class _Reader:
    """Reads the parts of one file, each judged by itself."""

    def __init__(self, file: str, findings: Findings) -> None:
        self._file, self._findings = file, findings
        self.left_out: Counter[str] = Counter()

    def dialogue(self, row: int, entry: object) -> PredictedDialogue | None:
        """A response; None, and a finding, where it cannot be used."""
        place = f"responses[{row}]"
        try:
            response = converted(entry, Response)
            subscale = _subscale(response)
        except (msgspec.ValidationError, UnknownName, ValueError) as error:
            self._findings.add(
                BAD_RESPONSE, file=self._file, column=place, found=error, expected="as in the authors' files"
            )
            self.left_out[BAD_RESPONSE.name] += 1
            return None
        name = response.dataset_id
        runs = {
            TURN_4: self._runs(name, TURN_4, response.sentence_4, place),
            TURN_6: self._runs(name, TURN_6, response.sentence_6, place),
        }
        verdicts = [sentence.correct if sentence else None for sentence in (response.sentence_4, response.sentence_6)]
        level = response.sample_level.correct if response.sample_level else None
        if level is not None and None not in verdicts and level != all(verdicts):
            self._told_otherwise(name, f"{place}.sample_level", level)
        return PredictedDialogue(name, subscale, response.scenario_title, runs)

    def _runs(self, name: str, target: str, sentence: Sentence | None, place: str) -> tuple[PredictedRun, ...]:
        here = f"{place}.{_TURNS[target]}"
        if sentence is None or not sentence.individual_results:
            why = "nothing" if sentence is None or sentence.error is None else sentence.error
            self._findings.add(UNANSWERED, file=self._file, column=here, id=name, found=why, expected="results")
            return ()
        runs = []
        for number, entry in enumerate(sentence.individual_results):
            run = self._run(name, number, entry, f"{here}.individual_results[{number}]")
            if run is not None:
                runs.append(run)
        votes = sum(run.right for run in runs)
        whole = len(runs) == len(sentence.individual_results)
        if sentence.correct is not None and whole and sentence.correct != (2 * votes > len(runs)):
            self._told_otherwise(name, f"{here}.correct", sentence.correct)
        return tuple(runs)

    def _run(self, name: str, number: int, entry: object, place: str) -> PredictedRun | None:
        try:
            result = converted(entry, Result)
        except msgspec.ValidationError as error:
            expected = "selected_option, and high_eq_option that is option1 or option2"
            self._findings.add(BAD_RUN, file=self._file, column=place, id=name, found=error, expected=expected)
            self.left_out[BAD_RUN.name] += 1
            return None
        choice = _OPTIONS.get("".join(result.selected_option.split()).lower())
        run = PredictedRun(
            number, choice, result.high_eq_option == "option1", result.reasoning or None, result.raw_response
        )
        if result.correct is not None and result.correct != run.right:
            self._told_otherwise(name, f"{place}.correct", result.correct)
        return run

    def _told_otherwise(self, name: str, place: str, said: bool) -> None:
        self._findings.add(
            VERDICT, file=self._file, column=place, id=name, found=str(said).lower(), expected=str(not said).lower()
        )


def _subscale(response: Response) -> Subscale:
    """The subscale of a response.

    Raises:
        UnknownName: If there is none of its slug.
        ValueError: If it names another one too, or its dialogue's name cannot be one.
    """
    subscale = subscale_of(response.subscale_slug)
    if not is_id(response.dataset_id):
        raise ValueError(f"dataset_id is {response.dataset_id!r}: {ID_FORM}")
    if response.eq_scale not in (None, subscale.label):
        raise ValueError(f"eq_scale is {response.eq_scale!r} beside the subscale {subscale.slug}")
    return subscale


def _modality(read: File, dialogues: Mapping[str, PredictedDialogue], file: str, findings: Findings) -> str:
    stem = read.source_file.removesuffix(".json")
    for ending, modality in _CASCADES.items():
        if stem.endswith(ending):
            return modality
    runs = (run for dialogue in dialogues.values() for turn in dialogue.runs.values() for run in turn)
    if all(run.response is None for run in runs):
        expected = f"a source_file that ends in {' or '.join(_CASCADES)}, or raw responses"
        findings.add(MODALITY, file=file, found=read.source_file, expected=expected)
    return AUDIO
