"""`earmark present`: what a judge's author needs, without an answer in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, progress_bar, say, say_json


def present(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    out: Annotated[Path, typer.Option(help="Folder to write; must not exist.")],
    modality: Annotated[str | None, typer.Option(help="What stands for a clip, such as transcript.")] = None,
    protocol: Annotated[str | None, typer.Option(help="Protocol to present; the release's first one without.")] = None,
    corpus: Annotated[list[str] | None, typer.Option(help="NAME=DIR of a corpus, for a release without audio.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write requests, audio, a sample submission and a short example judge."""
    from earmark.builders.presenting import present as write
    from earmark.manifests.release import open_release

    roots = {}
    for pair in corpus or []:
        name, separator, folder = pair.partition("=")
        if not separator or not name or not folder:
            raise typer.BadParameter(f"--corpus {pair!r} is not NAME=DIR")
        roots[name] = Path(folder)
    with progress_bar(quiet=quiet or as_json) as progress:
        opened = open_release(release)
        written = write(opened, out, protocol=protocol, modality=modality, roots=roots, progress=progress)
    if as_json:
        say_json(written)
    elif not quiet:
        say(f"{out}: {written['requests']} requests of protocol {written['protocol']} over {written['clips']} clips")
