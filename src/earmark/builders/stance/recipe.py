"""The recipe of a stance release, section by section; `recipe.toml` beside this module is the commented default."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

import msgspec

from earmark.builders.recipes import ReleaseSection
from earmark.builders.segments import Settings
from earmark.manifests.canonical import Json
from earmark.manifests.licences import USUAL

DEFAULT_RECIPE = files(__package__).joinpath("recipe.toml").read_text(encoding="utf-8")
"""What `earmark build stance --print-recipe` prints."""

Method = Literal["hash", "reference"]


class CorpusSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[corpus]`: where Seamless Interaction lies and who played whom.

    Args:
        root: Folder of the corpus.
        version: Name of the copy.
        licence: Its licence.
        labels: Folders to look in.
        assignments: The table of who played A and who B.
        prompts: The official prompt table.
        filelist: The official file list.
    """

    root: str
    version: str = "2025-06"
    licence: str = USUAL["seamless-interaction"]
    labels: tuple[str, ...] = ("improvised",)
    assignments: str | None = None
    prompts: str | None = None
    filelist: str | None = None


class SampleSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[sample]`: which conversations.

    Args:
        method: "hash" or StanceBench's "reference".
        share: Share of the conversations of each role, in (0, 1].
        floor: Least number of conversations of each role.
    """

    method: Method = "hash"
    share: float = 0.25
    floor: int = 10

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"share is {self.share}; it must be in (0, 1]")
        if self.floor < 0:
            raise ValueError(f"floor is {self.floor}; it must be 0 or more")


class DimensionsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[dimensions]`: which role stands for which pole.

    Args:
        mapping: A mapping file; the paper's mapping without.
    """

    mapping: str | None = None


class RubricSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[rubric]`: what is asked.

    Args:
        file: A rubric file, TOML or StanceBench's JSON; Earmark's own without.
    """

    file: str | None = None


class StanceRecipe(msgspec.Struct, frozen=True, kw_only=True):
    """A recipe of this family."""

    release: ReleaseSection
    corpus: CorpusSection
    sample: SampleSection = SampleSection()
    dimensions: DimensionsSection = DimensionsSection()
    rubric: RubricSection = RubricSection()
    segments: Settings = Settings()


def resolved(recipe: StanceRecipe, mapping: dict[str, Json], rubric: dict[str, Json]) -> dict[str, Json]:
    """What the manifest keeps of a recipe: everything that decided something, and no path of anybody's machine."""
    release: dict[str, Json] = msgspec.to_builtins(recipe.release)
    corpus: dict[str, Json] = {"version": recipe.corpus.version, "labels": list(recipe.corpus.labels)}
    return {
        "release": release,
        "corpus": corpus,
        "sample": msgspec.to_builtins(recipe.sample),
        "segments": msgspec.to_builtins(recipe.segments),
        "mapping": mapping,
        "rubric": rubric,
    }
