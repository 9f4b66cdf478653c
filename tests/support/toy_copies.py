"""Folders with a list of hashes and a manifest that says whose they are: all that an upload asks of a published copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from earmark.manifests.copies.checksums import write_checksums

FILES: Mapping[str, bytes] = {
    "README.md": b"---\nlicense: cc-by-4.0\n---\n# A copy\n",
    "data/clips/test-00000-of-00002.parquet": b"PAR1 first" * 30,
    "data/clips/test-00001-of-00002.parquet": b"PAR1 second" * 70,
    "public/items.parquet": b"PAR1 items",
    "public/empty.txt": b"",
    "eval.yaml": b"name: mini\n",
}
"""Some files of a copy."""


def toy_copy(
    folder: Path,
    files: Mapping[str, bytes] = FILES,
    *,
    version: str = "1.0.0",
    name: str = "mini",
    answers: bool = False,
) -> Path:
    """Write one.

    Args:
        folder: Where to; must not exist.
        files: What is in it besides.
        version: Version of the release.
        name: Its name.
        answers: Whether it is the answers to a copy.
    """
    whose = ("private/shipped.json", {"release": f"{name}@{version}"}) if answers else ("release.json", {"name": name})
    said = {**whose[1], "version": version}
    for path, content in {**files, whose[0]: json.dumps(said).encode()}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    write_checksums(folder, "0-0")
    return folder
