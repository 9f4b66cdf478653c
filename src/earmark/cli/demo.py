"""`earmark demo`: the whole story offline — a corpus, a release, three judges that do not listen, and their marks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import Quiet, progress_bar, say


def demo(
    out: Annotated[Path, typer.Option(help="Folder to write; must not exist.")] = Path("demo"),
    force: Annotated[bool, typer.Option("--force", help="Replace the folder of an earlier demo.")] = False,
    keep_corpus: Annotated[
        bool, typer.Option("--keep-corpus", help="Keep the synthesised corpus, most of a gigabyte.")
    ] = False,
    dyads: Annotated[int, typer.Option(min=2, max=500, help="Conversations to synthesise.")] = 100,
    quiet: Quiet = False,
) -> None:
    """Synthesise a small corpus, build and validate a release, run baseline judges on it and mark them."""
    from earmark.cli.demonstration import tell

    with progress_bar(quiet=quiet) as progress:
        story = tell(out, force=force, keep_corpus=keep_corpus, dyads=dyads, progress=progress)
    if not quiet:
        say(story)
