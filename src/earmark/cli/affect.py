"""`earmark affect`: valence, arousal and dominance of every clip, by a model on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, progress_bar, report_findings, say


def affect(
    release: Annotated[Path, typer.Argument(help="Folder of a release with audio, or of audio files.")],
    model: Annotated[Path, typer.Option(help="Folder of a wav2vec2 checkpoint in audEERING's layout.")],
    out: Annotated[Path, typer.Option(help="Parquet file to write; must not exist.")],
    jobs: Annotated[int, typer.Option(min=1, max=1024, help="Threads that the model computes with.")] = 1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Hear every clip; a run that was stopped goes on where it was."""
    from earmark.audio.affect import load_affect_model
    from earmark.builders.affect.hearing import clips_of, hear_clips
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.findings import Findings

    if out.exists():
        raise DestinationExists(f"{out} exists; choose another file")
    clips, findings = clips_of(release), Findings()
    loaded = load_affect_model(model, threads=jobs)
    with progress_bar(quiet=quiet or as_json) as progress:
        done = hear_clips(clips, loaded, out, findings=findings, progress=progress)
    if not (as_json or quiet):
        say(
            f"{out}: {done['heard']} of {done['clips']} clips by {loaded.name}, {done['kept_from_before']} of them before"
        )
    report_findings(findings, as_json=as_json, quiet=quiet, about=out, extra={"affect": done, "model": loaded.name})
