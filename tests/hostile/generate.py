"""Writes the hostile files into a folder, to try something on them by hand: `python -m tests.hostile.generate FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.hostile.case import ITEMS
from tests.hostile.corpus import CASES
from tests.support.tiny import write_tiny_release


def generate(out: Path) -> None:
    """Write `files/`, the release that they are held against and what each owes; the folder must not exist."""
    (out / "files").mkdir(parents=True)
    write_tiny_release(out / "release", items=ITEMS)
    for case in CASES:
        (out / "files" / case.file_name).write_bytes(case.data)
    owed = {case.file_name: {"codes": dict(case.codes), "exit": case.exit, "why": case.why} for case in CASES}
    (out / "expected.json").write_text(json.dumps(owed, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
