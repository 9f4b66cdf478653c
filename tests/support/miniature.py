"""A miniature corpus and what is built from it, for every room's tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.making import Made, Order, make
from earmark.builders.miniatures.seamless import SeamlessMiniature
from earmark.manifests.canonical import Json

MINIATURE_KEY = bytes(range(100, 132))
"""The key of every release built from a miniature."""

RATE = 16_000
"""Rate of its audio, Hz."""


def quiet(_doing: str, _done: int, _total: int) -> None:
    """Progress that nobody wants to see."""


@dataclass(frozen=True)
class Miniature:
    """A corpus of made-up conversations on disk.

    Args:
        base: The folder that recipes are relative to; `corpus` lies in it.
        corpus: What was written, with the truth about each conversation.
    """

    base: Path
    corpus: SeamlessMiniature

    @property
    def key(self) -> Path:
        """File with the key."""
        return self.base / "line.key"

    def recipe(self, **sections: Mapping[str, Json]) -> Mapping[str, Json]:
        """A recipe that takes all conversations; a section given replaces the one that is there."""
        name = self.corpus.root.name
        return {
            "release": {"name": "mini", "version": "1.0.0", "seed": 3},
            "corpus": {
                "root": name,
                "assignments": f"{name}/assignment.csv",
                "prompts": f"{name}/interactions.csv",
                "filelist": f"{name}/filelist.csv",
            },
            "sample": {"share": 1.0, "floor": 0},
            **sections,
        }

    def order(self, out: Path, *, media: bool = False, recipe: Mapping[str, Json] | None = None) -> Order:
        """What a build of it is asked for."""
        return Order(
            family="stance",
            recipe=self.recipe() if recipe is None else recipe,
            base=self.base,
            out=out,
            key=self.key,
            media=media,
            media_rate=RATE if media else None,
        )

    def build(self, out: Path, *, media: bool = False, progress: Callable[[str, int, int], None] = quiet) -> Made:
        """Build a release of it."""
        return make(self.order(out, media=media), progress)


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its POSIX path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
