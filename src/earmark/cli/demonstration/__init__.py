"""The story that the demo tells: a small release of each family, checked, and judged by rules that do not listen."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.cli.demonstration.chapter import Chapter
from earmark.cli.demonstration.dialogues import tell_dialogues
from earmark.cli.demonstration.pairs import tell_pairs
from earmark.cli.demonstration.stance import tell_stance
from earmark.manifests.errors import DestinationExists, MissingExtra

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.canonical import Json

KEY = hashlib.sha256(b"earmark demo").digest()
"""The key of the demo is no secret, so that everybody's demo is the same."""

FAMILIES = ("stance", "pairs", "dialogues")
"""Families of which there is something to tell, in this order."""

MARK = "earmark-demo"
"""Name of the file that says that a folder is a demo's, so that `--force` removes nothing else."""


@dataclass(frozen=True)
class Story:
    """What the demo did.

    Args:
        chapters: A family each.
    """

    chapters: Sequence[Chapter]

    def text(self) -> str:
        """The story for people."""
        told = "\n\n\n".join(chapter.text() for chapter in self.chapters)
        pages = "\n".join(f"  {chapter.judges[-1].page}" for chapter in self.chapters)
        return f"{told}\n\nOpen in a browser:\n{pages}"

    def as_json(self) -> dict[str, Json]:
        """The story for machines, by family."""
        return {chapter.family: chapter.as_json() for chapter in self.chapters}


def tell(
    out: Path,
    *,
    force: bool,
    keep_corpus: bool,
    dyads: int,
    progress: Progress,
    families: Collection[str] = FAMILIES,
) -> Story:
    """Run the demo; a run that fails leaves nothing.

    Args:
        out: Folder to write.
        force: Remove an earlier demo's folder first.
        keep_corpus: Leave the corpora where they were synthesised, so that the recipes can be built again.
        dyads: Conversations to synthesise.
        progress: Told how far it is.
        families: Families to tell of, at least one.

    Returns:
        What was done and where to look.

    Raises:
        DestinationExists: If the folder exists and is no demo's, or `force` was not given.
        MissingExtra: If the voice or the audio packages are not installed.
    """
    _require_packages()
    if out.exists():
        if not force or not (out / MARK).is_file():
            hint = "give --force to replace it" if (out / MARK).is_file() else "it is no demo's; choose another"
            raise DestinationExists(f"{out} exists; {hint}")
        shutil.rmtree(out)
    out.mkdir(parents=True)
    try:
        return _tell(out, keep_corpus, dyads, progress, families)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise


def _require_packages() -> None:
    """Say what is missing before a minute's work, not after it."""
    for extra, module, package in (
        ("build", "soundfile", "soundfile"),
        ("build", "soxr", "soxr"),
        ("build", "joblib", "joblib"),
        ("build", "parselmouth", "praat-parselmouth"),
        ("build", "pyloudnorm", "pyloudnorm"),
        ("build", "sklearn", "scikit-learn"),
        ("voice", "espeakng_loader", "espeakng-loader"),
    ):
        try:
            import_module(module)
        except (ImportError, OSError) as error:  # the latter where the library that a package wraps is absent
            raise MissingExtra(extra, package) from error


def _tell(out: Path, keep_corpus: bool, dyads: int, progress: Progress, families: Collection[str]) -> Story:
    told = "This folder was written by `earmark demo` and may be removed.\n"
    (out / MARK).write_text(told, encoding="utf-8", newline="\n")
    key = out / "demo.key"
    key.write_bytes(KEY)
    jobs = min(8, os.cpu_count() or 1)
    tellers: Mapping[str, Callable[..., Chapter]] = {
        "stance": partial(tell_stance, dyads=dyads),
        "pairs": tell_pairs,
        "dialogues": tell_dialogues,
    }
    return Story(
        [
            tellers[family](out / family, key, keep_corpus=keep_corpus, jobs=jobs, progress=progress)
            for family in FAMILIES
            if family in families
        ]
    )
