"""Writing a mirror out in a corpus's layout.

A file is written under another name and renamed when it is whole, so that what lies under its own name is complete: a second run
takes up where a first one was stopped. The tables that list the recordings come last. What lies there already and holds
something else is never overwritten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from earmark.builders.corpora.mirrors.layouts import Layout, Mirror, MirrorRows, Placed, Wrong
from earmark.builders.corpora.mirrors.wav_bytes import NoLosslessCopy, as_wav
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

MISSING_COLUMN = declare("mirror.missing-column", Severity.ERROR, "the mirror lacks a column that is needed")
LACKS = declare("mirror.lacks", Severity.ERROR, "the mirror lacks something that the corpus's reader needs")
REPEATED_ID = declare("mirror.repeated-id", Severity.ERROR, "the mirror has the id twice; all its rows are dropped")
NO_BYTES = declare("mirror.no-bytes", Severity.ERROR, "the row holds no audio; dropped")
BAD_AUDIO = declare("mirror.bad-audio", Severity.ERROR, "no WAV file with the same samples can be made of it; dropped")
OUTSIDE = declare("mirror.outside", Severity.ERROR, "the file would lie outside the folder; dropped")
OTHER_FILE = declare("mirror.other-file", Severity.ERROR, "another file lies there already; left as it is")
MISSING_FILE = declare(
    "mirror.missing-file", Severity.ERROR, "a file that mirrors lack cannot be read where it was said to be"
)
UNWRITABLE = declare("mirror.unwritable", Severity.ERROR, "the file cannot be written")


class Extracted(NamedTuple):
    """What became of the rows.

    Attributes:
        written: recordings that were written.
        kept: recordings that were there already, whole and the same.
        dropped: rows that are in neither, each of them a finding.
    """

    written: int
    kept: int
    dropped: int


def extract_mirror(
    mirror: Mirror,
    layout: Layout,
    out: Path,
    *,
    audio: str = "audio",
    findings: Findings,
    progress: Callable[[int, int], None] | None = None,
) -> Extracted:
    """Write a mirror's recordings, and the tables that go with them, in the layout of the corpus.

    Args:
        mirror: Its splits by name, audio undecoded; see `load_mirror`.
        layout: Where each row belongs.
        out: The folder; it may hold what an earlier run wrote, or other splits.
        audio: The column of the audio.
        findings: What is wrong is added to them.
        progress: Told after every row how many are done, and of how many.

    Returns:
        How many recordings were written, kept and dropped.

    Raises:
        Refused: If a file cannot be written, or at the first error if `findings` is strict.
        MissingExtra: If audio has to be decoded and soundfile is not installed.
    """
    placed = _without_repeated(
        {split: _places(rows, split, layout, audio, findings) for split, rows in sorted(mirror.items())}, findings
    )
    total, done = sum(len(rows) for rows in mirror.values()), 0
    there: list[Placed] = []
    counts: Counter[str] = Counter()
    for split, places in placed.items():
        if not any(places):
            done += len(places)
            continue
        for place, row in zip(places, mirror[split].select_columns([audio]), strict=True):
            if place is not None and (data := _wav(row[audio], place, findings)) is not None:
                how = _put(out, place.path, data, findings, id=place.id)
                counts[how] += 1
                if how != "dropped":
                    there.append(place)
            done += 1
            if progress is not None:
                progress(done, total)
    for path, source in layout.copies().items():
        try:
            _put(out, path, source.read_bytes(), findings)
        except OSError as error:
            findings.add(MISSING_FILE, file=str(source), found=error.strerror or type(error).__name__, expected=path)
    if (lacking := layout.lacks(sorted(mirror))) is not None:
        findings.add(LACKS, found=f"the splits {', '.join(sorted(mirror)) or 'none'}", expected=lacking)
    for path, lines in sorted(layout.tables(there, sorted(mirror)).items()):
        _merge(out, path, lines, findings)
    return Extracted(counts["written"], counts["kept"], total - counts["written"] - counts["kept"])


def _places(rows: MirrorRows, split: str, layout: Layout, audio: str, findings: Findings) -> Sequence[Placed | None]:
    """Where each row belongs; nowhere where it is a finding, and none at all where a column is missing."""
    missing = [column for column in (*layout.columns, audio) if column not in rows.column_names]
    for column in missing:
        shown = ", ".join(rows.column_names)
        findings.add(MISSING_COLUMN, file=split, column=column, found=shown, expected=", ".join(layout.columns))
    if missing:
        return [None] * len(rows)
    read = [column for column in (*layout.columns, *layout.further) if column in rows.column_names]
    places: list[Placed | None] = []
    for n, row in enumerate(rows.select_columns(read), start=1):
        try:
            places.append(layout.place(row, split))
        except Wrong as wrong:
            findings.add(wrong.code, file=split, row=n, column=wrong.column, found=wrong.found, expected=wrong.expected)
            places.append(None)
    return places


def _without_repeated(
    placed: Mapping[str, Sequence[Placed | None]], findings: Findings
) -> Mapping[str, Sequence[Placed | None]]:
    """No place for rows that share an id, since nothing says which of them is right and order must not decide."""
    counted = Counter(place.id for places in placed.values() for place in places if place is not None)
    for id, count in sorted(counted.items()):
        if count > 1:
            findings.add(REPEATED_ID, id=id, found=f"{count} rows", expected="one row")
    return {
        split: [None if place is None or counted[place.id] > 1 else place for place in places]
        for split, places in placed.items()
    }


def _wav(value: object, place: Placed, findings: Findings) -> bytes | None:
    """The WAV file of a row; None, and a finding, if there is none."""
    data = value.get("bytes") if isinstance(value, Mapping) else None
    if not isinstance(data, bytes) or not data:
        # A path alone would have to be followed, and it is the mirror's word where it leads.
        findings.add(NO_BYTES, id=place.id, found="a path" if isinstance(value, Mapping) else "nothing")
        return None
    try:
        return as_wav(data)
    except NoLosslessCopy as error:
        findings.add(BAD_AUDIO, id=place.id, found=error, expected="a whole WAV or FLAC file")
        return None


def _put(out: Path, path: str, data: bytes, findings: Findings, *, id: str | None = None) -> str:
    """Write a file that must not differ from one that lies there; "written", "kept" or "dropped"."""
    target = _inside(out, path)
    if target is None:
        findings.add(OUTSIDE, file=path, id=id, expected="a path below the folder, without ..")
        return "dropped"
    if target.exists():
        if target.is_file() and target.read_bytes() == data:
            return "kept"
        findings.add(OTHER_FILE, file=path, id=id, expected="the mirror's file, or none")
        return "dropped"
    _write(target, data, path, findings)
    return "written"


def _merge(out: Path, path: str, lines: Sequence[str], findings: Findings) -> None:
    """Write a table, or add its lines to one that an earlier run wrote of other splits."""
    target = _inside(out, path)
    if target is None:
        findings.add(OUTSIDE, file=path, expected="a path below the folder, without ..")
        return
    try:
        there = target.read_bytes().decode("utf-8").split("\n") if target.exists() else []
    except (OSError, UnicodeDecodeError):
        findings.add(OTHER_FILE, file=path, expected="a table of an earlier run, or none")
        return
    data = "".join(f"{line}\n" for line in sorted({*there, *lines} - {""})).encode()
    if not (target.is_file() and target.read_bytes() == data):
        _write(target, data, path, findings)


def _write(target: Path, data: bytes, path: str, findings: Findings) -> None:
    """Write a file whole or not at all."""
    partial = target.with_name(f".{target.name}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        findings.add(UNWRITABLE, file=path, found=error.strerror or type(error).__name__)
        raise Refused(findings) from error


def _inside(out: Path, path: str) -> Path | None:
    """The file of a POSIX path below a folder; None if it leads out of it, be it by a link that lies there."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or not pure.parts or ".." in pure.parts or "\\" in path or "\0" in path or ":" in path:
        return None
    target = out.joinpath(*pure.parts)
    return target if target.parent.resolve().is_relative_to(out.resolve()) and not target.is_symlink() else None
