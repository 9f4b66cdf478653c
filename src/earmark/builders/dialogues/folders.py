"""Where a build of dialogues keeps what was paid for and rendered, and where the files of its recipe lie."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from earmark.builders.dialogues.recipe import DialoguesRecipe, check_dialogues_recipe
from earmark.builders.work_folder import Placed
from earmark.manifests.canonical import Json

SectionT = TypeVar("SectionT", bound=msgspec.Struct)


def placed(recipe: Mapping[str, Json], base: Path, out: Path) -> Placed:
    """A recipe whose work folder is named, and that folder: it stays whatever becomes of the build.

    Args:
        recipe: Plain values.
        base: Folder that its relative paths start from.
        out: The release to be made; `OUT.work` beside it is the folder where the recipe names none.

    Returns:
        The folder is None where nothing is made, since dialogues are adopted.

    Raises:
        Refused: If the recipe is wrong.
    """
    checked = check_dialogues_recipe(recipe)
    if checked.adopt.root is not None:
        return Placed(recipe, None)
    named = checked.work.folder
    folder = out.with_name(f"{out.name}.work").absolute() if named is None else (base / named).absolute()
    return Placed({**recipe, "work": {"folder": str(folder)}}, folder)


def with_paths(section: SectionT, base: Path, *names: str) -> SectionT:
    """A section whose files start from the recipe's folder.

    Args:
        section: A section.
        base: That folder.
        names: Fields that name a file, or None.
    """
    given = {name: getattr(section, name) for name in names}
    return msgspec.structs.replace(
        section, **{name: None if path is None else str(base / path) for name, path in given.items()}
    )


def at_base(recipe: DialoguesRecipe, base: Path) -> DialoguesRecipe:
    """A recipe all of whose files start from its folder."""
    return msgspec.structs.replace(
        recipe,
        author=with_paths(recipe.author, base, "templates", "words"),
        oracle=with_paths(recipe.oracle, base, "templates"),
        words=with_paths(recipe.words, base, "weights"),
        prompts=with_paths(recipe.prompts, base, "templates"),
        affect=with_paths(recipe.affect, base, "file"),
        work=with_paths(recipe.work, base, "folder"),
        adopt=with_paths(recipe.adopt, base, "root"),
    )
