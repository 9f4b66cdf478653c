"""`earmark demo`: the whole story offline — corpora, a release of each family, judges that do not listen, marks and copies."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, named_folder, progress_bar, say, say_json


class Family(StrEnum):
    """Families that the demo tells of."""

    STANCE = "stance"
    PAIRS = "pairs"
    DIALOGUES = "dialogues"


def demo(
    out: Annotated[Path, typer.Option(callback=named_folder, help="Folder to write; must not exist.")] = Path("demo"),
    force: Annotated[bool, typer.Option("--force", help="Replace the folder of an earlier demo.")] = False,
    keep_corpus: Annotated[
        bool,
        typer.Option(
            "--keep-corpus", help="Keep the synthesised corpora, most of a gigabyte, and all clips of dialogues."
        ),
    ] = False,
    dyads: Annotated[int, typer.Option(min=2, max=500, help="Conversations to synthesise.")] = 100,
    family: Annotated[list[Family] | None, typer.Option(help="Family to tell of; repeatable; all without.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Synthesise small corpora and dialogues; build, validate and publish a release of each family, and mark judges on it."""
    from earmark.cli.demonstration import tell

    with progress_bar(quiet=quiet or as_json) as progress:
        story = tell(
            out,
            force=force,
            keep_corpus=keep_corpus,
            dyads=dyads,
            progress=progress,
            families=family or list(Family),
        )
    if as_json:
        say_json(story.as_json())
    elif not quiet:
        say(story.text())
