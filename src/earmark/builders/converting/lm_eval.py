"""lm-evaluation-harness's sample logs, `samples_*.jsonl`: a document is a presentation and each of its responses a run.

A line's presentation is `presentation_id` in its `doc`, else `id` there, else its `doc_id`. What is written is `resps`, what the
model said, and never `filtered_resps`, which a task's own filter read in it. A task of several choices has log-likelihoods in
place of words: there the likeliest choice is written, and none where two are equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from earmark.builders.converting.conversion import Account, Conversion, Wanted, judge_name
from earmark.builders.converting.presented import Answered, id_in, take_presented
from earmark.builders.converting.reading import BAD_LINE, read_lines
from earmark.builders.converting.saying import Said, said_in
from earmark.manifests.canonical import Json
from earmark.manifests.family import Family
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import Release

NO_RESPONSES = declare(
    "convert.no-responses", Severity.ERROR, "a line has neither responses nor likelihoods of choices; it is left out"
)

MOST_RUNS = 1 << 16


def read(files: Sequence[Path], release: Release, wanted: Wanted, findings: Findings) -> Conversion:
    """Read sample logs of one judge.

    Args:
        files: The logs, of one task or several.
        release: The release whose requests were the documents; its public side is enough.
        wanted: What the user settles; the files do not say who judged.
        findings: Told of everything that is wrong.

    Raises:
        Refused: If a file is of no use.
    """
    account, answers = Account(findings), list[Answered]()
    for file in files:
        for line in read_lines(file, findings):
            if line.problem is not None or not isinstance(line.value, dict):
                account.leave(BAD_LINE, file=file.name, row=line.number, found=line.problem)
            else:
                answers += _answers(line.value, file.name, line.number, release.family, account)
    protocol = take_presented(answers, release, wanted, account)
    return Conversion(account, protocol, {"name": judge_name(wanted, None), "modality": protocol.modality})


def _answers(sample: Mapping[str, Json], file: str, row: int, family: Family, account: Account) -> Iterator[Answered]:
    doc = sample.get("doc")
    id = id_in([doc.get("id") if isinstance(doc, Mapping) else None, sample.get("doc_id")], [doc])
    said = _said(sample, family, account.findings, file=file, place=f"{id}")
    if said is None:
        expected = f"texts, or the likelihood of each of {', '.join(family.choices)}"
        account.leave(NO_RESPONSES, file=file, row=row, id=id, found=sample.get("resps"), expected=expected)
        return
    for run, entry in enumerate(said):
        yield Answered(id, run, entry, file, row)


def _said(
    sample: Mapping[str, Json], family: Family, findings: Findings, *, file: str, place: str
) -> list[Said] | None:
    """What each run said; None where that cannot be told."""
    resps = sample.get("resps")
    if resps is None:
        return [Said(status="failed")]
    if not isinstance(resps, list) or not 0 < len(resps) <= MOST_RUNS:
        return None
    likelihoods = [_likelihood(entry) for entry in resps]
    if any(likelihood is not None for likelihood in likelihoods):
        return _likeliest(sample.get("arguments"), likelihoods, family)
    repeats = resps[0] if len(resps) == 1 and isinstance(resps[0], list) else resps
    if not repeats or not all(entry is None or isinstance(entry, str) for entry in repeats):
        return None
    return [
        said_in(entry, family.grammar, findings, file=file, place=f"{place} run {run}")
        if isinstance(entry, str) and entry.strip()
        else Said(status="failed")
        for run, entry in enumerate(repeats)
    ]


def _likelihood(entry: Json) -> float | None:
    """The log-likelihood in `[["-0.5", "False"]]`, in which the harness writes it, as text or number."""
    while isinstance(entry, list) and len(entry) == 1:
        entry = entry[0]
    if not isinstance(entry, list) or len(entry) != 2 or str(entry[1]) not in ("True", "False"):
        return None
    try:
        number = float(str(entry[0]))
    except ValueError:
        return None
    return number if number <= 0 else None


def _likeliest(arguments: Json, likelihoods: Sequence[float | None], family: Family) -> list[Said] | None:
    """The choice of the largest likelihood, if every choice has one and stands for itself."""
    given = list(arguments.values()) if isinstance(arguments, Mapping) else arguments
    if not isinstance(given, list) or len(given) != len(likelihoods):
        return None
    by_choice: dict[str, float] = {}
    for entry, likelihood in zip(given, likelihoods, strict=True):
        continued = (
            entry.get("arg_1") if isinstance(entry, Mapping) else entry[1:2] if isinstance(entry, list) else None
        )
        words = continued[0] if isinstance(continued, list) and continued else continued
        if not isinstance(words, str) or likelihood is None:
            return None
        by_choice[words.strip()] = likelihood
    if by_choice.keys() != set(family.choices) or len(by_choice) != len(likelihoods):
        return None
    best = max(by_choice.values())
    likeliest = [choice for choice, likelihood in by_choice.items() if likelihood == best]
    return [Said(choice=likeliest[0]) if len(likeliest) == 1 else Said(status="abstained")]
