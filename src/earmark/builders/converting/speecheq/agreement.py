"""Several prediction files held against each other: they must be of the same dialogues, and say the same of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from earmark.builders.converting.speecheq.predictions import Predicted
from earmark.manifests.eqi import Subscale
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

OTHER_DATA = declare("convert.other-data", Severity.ERROR, "the files are of different data")
OTHER_SCALE = declare("convert.other-scale", Severity.ERROR, "the files give a dialogue different subscales")
OTHER_TITLE = declare(
    "convert.other-title", Severity.WARNING, "the files give a dialogue different titles; the first one is kept"
)
LACKING = declare(
    "convert.lacking", Severity.WARNING, "a file lacks a dialogue that another one has; it will count as missing"
)
ONE_NAME = declare("convert.one-name", Severity.ERROR, "two files have one name, and so would what is written of them")


@dataclass(frozen=True)
class Named:
    """A dialogue that prediction files name.

    Args:
        name: Its name.
        subscale: Its subscale.
        title: What people call it; empty where no file says.
    """

    name: str
    subscale: Subscale
    title: str


def agreed(files: Sequence[Predicted], findings: Findings) -> tuple[Named, ...]:
    """The dialogues of all files, by name.

    Args:
        files: At least one.
        findings: Told of everything in which the files differ.

    Raises:
        Refused: If they are of different data, put a dialogue under two subscales, or have one name.
    """
    before = findings.count(Severity.ERROR)
    for file in files[1:]:
        if file.data_set != files[0].data_set:
            findings.add(OTHER_DATA, file=file.path.name, found=file.data_set, expected=files[0].data_set)
    stems: dict[str, list[str]] = defaultdict(list)
    for file in files:
        stems[file.stem.casefold()].append(str(file.path))
    for paths in stems.values():
        if len(paths) > 1:
            findings.add(ONE_NAME, file=paths[0], found=", ".join(paths), expected="files of different names")
    names = sorted({name for file in files for name in file.dialogues})
    named = []
    for name in names:
        said = [(file, file.dialogues[name]) for file in files if name in file.dialogues]
        first = said[0][1]
        for file, dialogue in said[1:]:
            if dialogue.subscale != first.subscale:
                expected = f"{first.subscale.slug}, as in {said[0][0].path.name}"
                findings.add(OTHER_SCALE, file=file.path.name, id=name, found=dialogue.subscale.slug, expected=expected)
            if dialogue.title != first.title:
                findings.add(OTHER_TITLE, file=file.path.name, id=name, found=dialogue.title, expected=first.title)
        for file in files:
            if name not in file.dialogues:
                findings.add(
                    LACKING, file=file.path.name, id=name, expected=f"a response, as in {said[0][0].path.name}"
                )
        named.append(Named(name, first.subscale, first.title))
    if findings.count(Severity.ERROR) > before:
        raise Refused(findings)
    return tuple(named)
