"""`earmark present`: what a judge's author needs, without an answer in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, progress_bar, say, say_json


def present(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    out: Destination,
    modality: Annotated[str | None, typer.Option(help="What stands for a clip, such as transcript.")] = None,
    protocol: Annotated[str | None, typer.Option(help="Protocol to present; the release's first one without.")] = None,
    corpus: Annotated[list[str] | None, typer.Option(help="NAME=DIR of a corpus, for a release without audio.")] = None,
    affect: Annotated[
        Path | None, typer.Option(help="Parquet with clip_id, valence, arousal and dominance, 0 to 1; for cascades.")
    ] = None,
    persona: Annotated[
        str | None, typer.Option(help="Who the judge is told to be, such as adaptive; of dialogues.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write requests, audio, a sample submission and a short example judge."""
    from earmark.builders.presenting import present as write
    from earmark.cli.tables import pairs
    from earmark.manifests.errors import EarmarkError
    from earmark.manifests.release import open_release

    if protocol is not None and modality is not None:
        raise EarmarkError("--protocol and --modality each choose a protocol; give one of them")
    roots = corpus_roots(corpus)
    with progress_bar(quiet=quiet or as_json) as progress:
        opened = open_release(release)
        with opened.trusted("requests are made"):
            written = write(
                opened,
                out,
                protocol=protocol,
                modality=modality,
                roots=roots,
                progress=progress,
                affect=affect,
                persona=persona,
            )
    if as_json:
        say_json(written)
    elif not quiet:
        heard = len(list((out / "audio").glob("*.flac")))
        audio = [("  audio/", f"{heard} clips")] if heard else []
        files = [
            ("  requests.jsonl", f"{written['requests']} questions, what is heard and what may be answered"),
            *audio,
            ("  sample_submission.jsonl", "the form of a prediction file"),
            ("  judge.py", f"an example: python {out / 'judge.py'} MODEL predictions.jsonl"),
        ]
        answers = "no answer"
        if "answers" in written:
            answers = f"{written['answers']} right answers, which stand in the history of this protocol"
        say(f"{out}: protocol {written['protocol']}, clips as {written['modality']}, {answers}\n{pairs(files)}")


def corpus_roots(given: list[str] | None) -> dict[str, Path]:
    """Where corpora lie, by name, from words such as NAME=DIR.

    Raises:
        EarmarkError: If one is not of that form, or a name has two folders.
    """
    from earmark.manifests.errors import EarmarkError

    roots: dict[str, Path] = {}
    for pair in given or []:
        name, separator, folder = pair.partition("=")
        if not separator or not name or not folder:
            raise EarmarkError(f"--corpus {pair!r} is not NAME=DIR")
        if name in roots:
            raise EarmarkError(f"--corpus {name} is given twice: {roots[name]} and {folder}")
        roots[name] = Path(folder)
    return roots
