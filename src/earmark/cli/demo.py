"""`earmark demo`: the whole story offline — corpora, a release of each family, judges that do not listen, and their marks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, named_folder, progress_bar, say, say_json


def demo(
    out: Annotated[Path, typer.Option(callback=named_folder, help="Folder to write; must not exist.")] = Path("demo"),
    force: Annotated[bool, typer.Option("--force", help="Replace the folder of an earlier demo.")] = False,
    keep_corpus: Annotated[
        bool, typer.Option("--keep-corpus", help="Keep the synthesised corpora, most of a gigabyte.")
    ] = False,
    dyads: Annotated[int, typer.Option(min=2, max=500, help="Conversations to synthesise.")] = 100,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Synthesise small corpora, build and validate a release of each family, run baseline judges on them and mark these."""
    from earmark.cli.demonstration import tell

    with progress_bar(quiet=quiet or as_json) as progress:
        story = tell(out, force=force, keep_corpus=keep_corpus, dyads=dyads, progress=progress)
    if as_json:
        say_json(story.as_json())
    elif not quiet:
        say(story.text())
