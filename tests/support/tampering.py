"""Changes to a published copy, of which each must be found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypothesis import strategies as st

from earmark.manifests.copies.verifying import verify
from earmark.manifests.findings import Findings


def require_found(data: st.DataObject, folder: Path, files: Mapping[str, bytes]) -> None:
    """Make one change to a copy, find that it was made, and undo it.

    Args:
        data: What draws the change.
        folder: The copy.
        files: Its files that are not empty, and their contents.
    """
    try:
        _tamper(data, folder, files)
        findings = Findings()
        verify(folder, findings)
        assert findings.failed
    finally:
        for path in [path for path in folder.rglob("*") if path.is_file()]:
            if path.relative_to(folder).as_posix() not in files:
                path.unlink()
        for name, content in files.items():
            (folder / name).write_bytes(content)


def _tamper(data: st.DataObject, folder: Path, files: Mapping[str, bytes]) -> None:
    """One change to a copy."""
    name = data.draw(st.sampled_from(sorted(files)))
    path, content = folder / name, files[name]
    kind = data.draw(st.sampled_from(["flip", "truncate", "append", "add", "remove", "rename", "swap", "empty"]))
    if kind == "flip":
        at, byte = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(1, 255))
        path.write_bytes(content[:at] + bytes([content[at] ^ byte]) + content[at + 1 :])
    elif kind == "truncate":
        path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    elif kind == "append":
        path.write_bytes(content + data.draw(st.binary(min_size=1, max_size=3)))
    elif kind == "add":
        path.with_name(data.draw(st.sampled_from(["x", ".x", "a b", "x.flac", "x.parquet"]))).write_bytes(b"")
    elif kind == "remove":
        path.unlink()
    elif kind == "rename":
        path.rename(path.with_name(f"{path.name}{data.draw(st.sampled_from(['', '.x']))}x"))
    elif kind == "swap":
        other = data.draw(st.sampled_from(sorted(other for other in files if files[other] != content)))
        path.write_bytes(files[other])
        (folder / other).write_bytes(content)
    else:
        path.write_bytes(b"")
