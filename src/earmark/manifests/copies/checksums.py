"""`SHA256SUMS`: the hash of every other file of a published copy, in the form that `sha256sum --check` reads.

The first line is `# canary UUID`, which that program skips; then one line for each file, sorted by path. Every byte of the file
is settled by what the folder holds, so there is one right spelling and whatever differs from it is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

from earmark.manifests.copies.file_digests import digests, walk
from earmark.manifests.copies.published import CHECKSUMS
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare

LINE = declare("checksums.line", Severity.ERROR, "a line of SHA256SUMS is not of the form that is written")
TWICE = declare("checksums.twice", Severity.ERROR, "SHA256SUMS names a file twice")
OUTSIDE = declare("checksums.outside", Severity.ERROR, "SHA256SUMS names a path that leads out of the folder")
CANARY = declare("checksums.canary", Severity.ERROR, "the canary of SHA256SUMS is not that of the manifest")
LIST = declare("checksums.list", Severity.ERROR, "SHA256SUMS cannot be read")

PREFIX = "sha256:"
"""What a hash begins with everywhere but in the list."""

MOST_BYTES = 1 << 26
"""Bytes of a list that is read: some 400,000 files."""

_FORM = re.compile(r"(?P<escaped>\\?)(?P<hash>[0-9a-f]{64})  (?P<path>.+)")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_ESCAPED = re.compile(r"\\(.?)", re.DOTALL)


@dataclass
class Listed:
    """What a list says.

    Args:
        hashes: By POSIX path from the folder, `sha256:` and the hash.
        canary: The UUID of the first line; None where that says none.
    """

    hashes: dict[str, str] = field(default_factory=dict)
    canary: str | None = None


def write_checksums(
    folder: Path,
    canary: str,
    known: Mapping[str, str] | None = None,
    *,
    jobs: int = 2,
    besides: Collection[str] = (),
) -> Path:
    """Write the list of a folder that is whole but for it.

    Args:
        folder: The folder.
        canary: The manifest's.
        known: By POSIX path from the folder, hashes that need not be computed, as `file_hash` gives them; paths that are not
            there are left out.
        jobs: How many files are read at a time.
        besides: Names right below the folder that are left out, such as a journal that goes before it is whole.

    Returns:
        The list's file.

    Raises:
        EarmarkError: If the folder holds what is no plain file, or a name that is no Unicode.
        OSError: If a file cannot be read.
    """
    found = walk(folder, besides)
    others = sorted((*found.links, *found.special))
    if others or found.unreadable:
        raise EarmarkError(
            f"{folder} cannot be listed: {[*others, *found.unreadable][0]!r} is no file that can be read"
        )
    known = known or {}
    names = [name for name in found.files if name != CHECKSUMS]
    made = digests(folder, {name: found.files[name] for name in names if name not in known}, jobs=jobs)
    hashes = {name: known[name] if name in known else made.required(name) for name in names}
    try:
        text = checksums_text(hashes, canary).encode()
    except UnicodeEncodeError as error:
        raise EarmarkError(f"{folder} cannot be listed: a file's name is no Unicode ({error.reason})") from error
    path = folder / CHECKSUMS
    scratch = folder / f".{CHECKSUMS}.tmp"
    scratch.write_bytes(text)
    scratch.replace(path)
    return path


def checksums_text(hashes: Mapping[str, str], canary: str) -> str:
    r"""The list of some files.

    Args:
        hashes: By POSIX path, with `sha256:` before them or not.
        canary: The manifest's.

    >>> print(checksums_text({"b": "sha256:" + 64 * "0", "a\\n": 64 * "1"}, "0-0"), end="")  # doctest: +ELLIPSIS
    # canary 0-0
    \1111...1111  a\\n
    0000...0000  b
    """
    lines = [f"# canary {canary}\n"]
    for path in sorted(hashes):
        escaped = "".join(_ESCAPES.get(letter, letter) for letter in path)
        mark = "\\" if escaped != path else ""
        lines.append(f"{mark}{hashes[path].removeprefix(PREFIX)}  {escaped}\n")
    return "".join(lines)


def read_checksums(path: Path, findings: Findings) -> Listed:
    """Read a list; no path in it is followed.

    Args:
        path: Its file.
        findings: Told of every line that is not as it is written here.
    """
    listed, sound = Listed(), len(findings)
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            findings.add(LIST, file=CHECKSUMS, expected=f"at most {MOST_BYTES} bytes")
            return listed
        text = content.decode()
    except OSError as error:
        findings.add(LIST, file=CHECKSUMS, found=error.strerror)
        return listed
    except UnicodeDecodeError as error:
        findings.add(LIST, file=CHECKSUMS, found=f"byte {error.start} is not UTF-8", expected="UTF-8")
        return listed
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if number == 1 and (canary := re.fullmatch(r"# canary ([0-9a-f-]+)", line)):
            listed.canary = canary[1]
        else:
            _take(line, number, listed, findings)
    written = checksums_text(listed.hashes, listed.canary or "")
    if len(findings) == sound and listed.canary is not None and written != text:
        expected = "the canary, then a line for each file, sorted by path, each with a newline at its end"
        findings.add(LINE, file=CHECKSUMS, expected=expected)
    return listed


def _take(line: str, number: int, listed: Listed, findings: Findings) -> None:
    form = _FORM.fullmatch(line)
    name = None if form is None else _unescaped(form["path"]) if form["escaped"] else form["path"]
    if form is None or name is None:
        expected = "64 hex digits in lower case, two spaces and the path; # canary and a UUID on the first line alone"
        findings.add(LINE, file=CHECKSUMS, row=number, found=line, expected=expected)
    elif leads_out(name):
        findings.add(OUTSIDE, file=CHECKSUMS, row=number, found=name, expected="a path from the folder down")
    elif name in listed.hashes:
        findings.add(TWICE, file=CHECKSUMS, row=number, id=name)
    else:
        listed.hashes[name] = PREFIX + form["hash"]


def leads_out(path: str) -> bool:
    """Whether a path is none from a folder down, on any system, or is not spelt in the one right way.

    >>> [leads_out(path) for path in ("public/items.parquet", "../x", "/etc/x", "a//b", "./a", "C:/x", "")]
    [False, True, True, True, True, True, True]
    """
    spelt = PurePosixPath(path).as_posix() == path and path not in ("", ".")
    return not spelt or ".." in path.split("/") or "\0" in path or path[0] == "/" or bool(PureWindowsPath(path).anchor)


def _unescaped(text: str) -> str | None:
    """A path as it was before it was escaped; None where it is not escaped well."""
    back = {escaped[1]: letter for letter, escaped in _ESCAPES.items()}
    if any(match[1] not in back for match in _ESCAPED.finditer(text)):
        return None
    return _ESCAPED.sub(lambda match: back[match[1]], text)
