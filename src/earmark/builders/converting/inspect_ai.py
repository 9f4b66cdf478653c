"""Inspect AI's eval logs in JSON: a sample is a presentation, an epoch is a run, and its scores are not looked at.

A sample's presentation is its `id`, or `presentation_id` in its `metadata`. A sample that ended in an error or at a limit failed;
one whose completion a filter withheld abstained; one without a completion failed. Seconds and tokens are those of the model call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from earmark.builders.converting.conversion import Account, Conversion, Wanted, judge_name
from earmark.builders.converting.presented import Answered, id_in, take_presented
from earmark.builders.converting.reading import converted, read_json
from earmark.builders.converting.saying import Said, said_in
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.grammars import Grammar
from earmark.manifests.release import Release

NOT_A_LOG = declare("convert.not-a-log", Severity.ERROR, "the file is no eval log of Inspect AI with its samples")
BAD_SAMPLE = declare("convert.bad-sample", Severity.ERROR, "a sample cannot be read; it is left out")
UNFINISHED = declare(
    "convert.unfinished", Severity.WARNING, "the run did not end well; what it never asked will count as missing"
)

MOST_EPOCHS = 1 << 20
WITHHELD = "content_filter"
"""Stop reason of a completion that a provider's filter withheld."""

INSTEAD = "JSON: inspect log convert --to json --output-dir DIR FILE, or inspect log dump FILE > FILE.json"

_Count = Annotated[int, Meta(ge=0, le=10**12)] | None


class Usage(msgspec.Struct, frozen=True):
    """Tokens of a call."""

    input_tokens: _Count = None
    output_tokens: _Count = None


class Message(msgspec.Struct, frozen=True):
    """What was said: a text, or parts of which some are texts."""

    content: str | list[dict[str, object]] | None = None


class Choice(msgspec.Struct, frozen=True):
    """A completion and why it ended."""

    message: Message = Message()
    stop_reason: str | None = None


class Output(msgspec.Struct, frozen=True):
    """What the model call came to."""

    completion: str | None = None
    choices: list[Choice] = []
    usage: Usage | None = None
    time: Annotated[float, Meta(ge=0, le=10**9)] | None = None
    error: str | None = None


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of `samples`; what is not named here is let be."""

    id: str | int | None = None
    epoch: Annotated[int, Meta(ge=1, le=MOST_EPOCHS)] = 1
    metadata: dict[str, object] | None = None
    output: Output | None = None
    error: dict[str, object] | str | None = None
    limit: dict[str, object] | str | None = None


def read(files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    """Read logs of one judge.

    Args:
        files: The logs.
        release: The release whose requests were the samples; its public side is enough.
        wanted: What the user settles.
        findings: Told of everything that is wrong.

    Raises:
        Refused: If a file is no log.
    """
    account, answers, model = Account(findings), list[Answered](), None
    for file in files:
        log = _log(file, findings)
        samples = log["samples"]
        ran = log.get("eval")
        model = model or (ran.get("model") if isinstance(ran, Mapping) else None)
        answers += _answers(samples if isinstance(samples, list) else [], file.name, release.family.grammar, account)
    protocol = take_presented(answers, release, wanted, account)
    return Conversion(account, protocol, {"name": judge_name(wanted, model), "modality": protocol.modality})


def _log(path: Path, findings: Findings) -> Mapping[str, Json]:
    log = read_json(path, findings, instead=INSTEAD)
    if not isinstance(log, dict) or not isinstance(log.get("samples"), list):
        found = "no samples" if isinstance(log, dict) and "eval" in log else type(log).__name__
        expected = "an object with eval and samples, which --no-log-samples leaves out"
        findings.add(NOT_A_LOG, file=path.name, found=found, expected=expected)
        raise Refused(findings)
    if log.get("status") not in ("success", None):
        findings.add(UNFINISHED, file=path.name, found=log.get("status"), expected="success")
    return log


def _answers(samples: Sequence[Json], file: str, grammar: Grammar, account: Account) -> Iterator[Answered]:
    for number, entry in enumerate(samples, 1):
        try:
            sample = converted(entry, Sample)
        except msgspec.ValidationError as error:
            account.leave(BAD_SAMPLE, file=file, row=number, found=error, expected="as Inspect AI writes it")
            continue
        id = id_in([sample.id], [sample.metadata])  # type: ignore[list-item]  # JSON, as it was read
        said = _said(sample, grammar, account.findings, file=file, place=f"{id} epoch {sample.epoch}")
        yield Answered(id, sample.epoch - 1, said, file, number)


def _said(sample: Sample, grammar: Grammar, findings: Findings, *, file: str, place: str) -> Said:
    output = sample.output or Output()
    completion = output.completion or "".join(_words(choice) for choice in output.choices[:1])
    said = said_in(completion, grammar, findings, file=file, place=place) if completion.strip() else None
    usage = output.usage or Usage()
    spent = {"latency_s": output.time, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    if sample.error is not None or sample.limit is not None or output.error is not None:
        return Said(status="failed", response=said.response if said else None, **spent)  # type: ignore[arg-type]  # numbers
    if said is None:
        withheld = any(choice.stop_reason == WITHHELD for choice in output.choices)
        return Said(status="abstained" if withheld else "failed", **spent)  # type: ignore[arg-type]  # numbers
    return msgspec.structs.replace(said, **spent)


def _words(choice: Choice) -> str:
    content = choice.message.content
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in content or () if part.get("type") == "text"]
    return "\n".join(part for part in parts if isinstance(part, str))
