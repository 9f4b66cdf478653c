"""Where SpeechEQ's dialogues lie: `<subscale>/<id>/metadata.json` or `<id>/metadata.json`, each with a folder `audio`."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from earmark.builders.corpora.speecheq.names import ID_FORM, is_id
from earmark.builders.corpora.speecheq.records import METADATA
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

AUDIO = "audio"

NO_CORPUS = declare("speecheq.no-corpus", Severity.ERROR, "the folder holds no dialogue of SpeechEQ's layout")
NO_RECORD = declare("speecheq.no-record", Severity.ERROR, "a folder has clips and no record; passed over")
BAD_ID = declare("speecheq.bad-id", Severity.ERROR, "the dialogue's name cannot be one; the dialogue is dropped")
REPEATED_ID = declare("speecheq.repeated-id", Severity.ERROR, "two folders have one name; none of them is used")

_WITHIN = ("data", "speecheq", "SpeechEQ")  # folders that people may have meant
_SLUGS = frozenset(subscale.slug for subscale in SUBSCALES)


def find_dialogues(root: Path, findings: Findings) -> dict[str, str]:
    """The folder of each dialogue, as a POSIX path within the corpus, by its name; in the order of the names.

    Args:
        root: The corpus's folder.
        findings: Told of names that cannot be used, and of folders without a record.

    Raises:
        Refused: If it holds no dialogue.
    """
    by_name: dict[str, list[str]] = defaultdict(list)
    for folder in _folders(root):
        within = folder.relative_to(root).as_posix()
        if (folder / METADATA).is_file():
            if is_id(folder.name):
                by_name[folder.name].append(within)
            else:
                findings.add(BAD_ID, file=within, found=folder.name, expected=ID_FORM)
        elif (folder / AUDIO).is_dir():
            findings.add(NO_RECORD, file=within, expected=f"{within}/{METADATA}")
    if not by_name:
        inner = next((name for name in _WITHIN if _holds_dialogues(root / name)), None)
        expected = f"did you mean {root / inner}?" if inner else f"<subscale>/<id>/{METADATA} or <id>/{METADATA}"
        findings.add(NO_CORPUS, file=str(root), expected=expected)
        raise Refused(findings)
    for name, places in sorted(by_name.items()):
        if len(places) > 1:
            findings.add(REPEATED_ID, id=name, found=", ".join(sorted(places)), expected="one folder of that name")
    return {name: places[0] for name, places in sorted(by_name.items()) if len(places) == 1}


def subscale_folder(folder: str) -> str | None:
    """The subscale whose folder a dialogue lies in; None where it lies in none.

    >>> subscale_folder("interpersonal_empathy/20260308_233506_18b6f6a17e59"), subscale_folder("20260308_233506_18b6f6a17e59")
    ('interpersonal_empathy', None)
    """
    above, slash, _ = folder.rpartition("/")
    return above if slash and above in _SLUGS else None


def _folders(root: Path) -> list[Path]:
    """Folders in the corpus's folder, and those in them that are no dialogue's own."""
    found: list[Path] = []
    for folder in _inner(root):
        found.append(folder)
        if not (folder / METADATA).is_file() and not (folder / AUDIO).is_dir():
            found += _inner(folder)
    return found


def _inner(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError:
        return []


def _holds_dialogues(folder: Path) -> bool:
    return any((inner / METADATA).is_file() for inner in _folders(folder))
