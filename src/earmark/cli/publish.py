"""`earmark publish`: make of a release a folder that others can load, cite and verify."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, named_folder, progress_bar, report_findings, say
from earmark.manifests.errors import EarmarkError

if TYPE_CHECKING:
    from earmark.builders.publishing.hub.publish import OnHub
    from earmark.builders.publishing.publish import Published


class Gold(StrEnum):
    """Whether the answers are published."""

    HIDDEN = "hidden"
    OPEN = "open"


def publish(
    release: Annotated[Path, typer.Argument(help="Folder of the release, as it was built.")],
    to: Annotated[
        Path,
        typer.Option(
            callback=named_folder, help="Folder to write, which must not exist; or hub:owner/name, to upload it."
        ),
    ],
    recipes: Annotated[
        bool,
        typer.Option(
            "--recipes", help="Say how clips are cut whose audio may not be shared; answers can be derived from that."
        ),
    ] = False,
    gold: Annotated[Gold, typer.Option(help="Whether the answers are published with it.")] = Gold.HIDDEN,
    answers_to: Annotated[
        Path | None,
        typer.Option(
            callback=named_folder, help="Also write the hidden answers, into a folder or private hub:owner/name."
        ),
    ] = None,
    previous: Annotated[
        Path | None,
        typer.Option(help="The version before it, a release or its copy: what changed must fit the number."),
    ] = None,
    as_stated: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CORPUS",
            help="The recipe's licence of this corpus is right, though the corpus of this name has a stricter one.",
        ),
    ] = None,
    baselines: Annotated[
        bool,
        typer.Option(
            "--baselines/--no-baselines", help="Whether what rules say that do not listen is published with it."
        ),
    ] = True,
    webdataset: Annotated[
        bool, typer.Option("--webdataset", help="Also write shards for judges that stream, one sample per question.")
    ] = False,
    shard_size: Annotated[int, typer.Option(min=1, max=100_000, help="Megabytes of audio of a shard.")] = 500,
    private: Annotated[
        bool, typer.Option("--private", help="On a hub: a repository that nobody but its owners may read.")
    ] = False,
    branch: Annotated[str, typer.Option(help="On a hub: the branch that is to show it.")] = "main",
    staging: Annotated[
        Path | None,
        typer.Option(
            callback=named_folder,
            help="On a hub: where the copy waits until it is uploaded; beside the release, named RELEASE.hub, without.",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a dataset repository that is a release itself, or say all that speaks against it.

    A copy for a hub is made in a folder first and checked. What is uploaded becomes visible by one commit, which is tagged with
    the version when all of it is there. The same command once more goes on where an upload stopped. The token is what `hf auth
    login` keeps, or HF_TOKEN; the hub is huggingface.co, or HF_ENDPOINT.
    """
    from earmark.builders.publishing.hub.addresses import on_a_hub
    from earmark.builders.publishing.looking_over import Wanted
    from earmark.builders.publishing.publish import publish as write
    from earmark.cli.publish_on_hub import places_of, to_hub, uploaded_text
    from earmark.cli.published_baselines import Baselines
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import open_release

    findings = Findings()
    opened = open_release(release)
    corpora = {source.corpus for source in opened.manifest.sources}
    if unknown := sorted(set(as_stated or ()) - corpora):
        raise EarmarkError(
            f"no corpus named '{unknown[0]}' in {release}; there is {', '.join(sorted(corpora)) or 'none'}"
        )
    wanted = Wanted(
        to=to,
        recipes=recipes,
        answers=gold.value,
        answers_to=answers_to,
        previous=None if previous is None else open_release(previous),
        baselines=Baselines(open_gold=gold is Gold.OPEN) if baselines else None,
        webdataset=webdataset,
        shard_bytes=shard_size * 1_000_000,
        as_stated=tuple(as_stated or ()),
    )
    uploaded: OnHub | None = None
    with progress_bar(quiet=quiet or as_json) as progress, opened.trusted("it is published"):
        if on_a_hub(to) or on_a_hub(answers_to):
            places = places_of(opened, to, answers_to, private=private, branch=branch, staging=staging)
            uploaded = to_hub(opened, wanted, places, findings, progress)
            published = uploaded.staged.published
        elif private or staging or branch != "main":
            raise EarmarkError(
                "--private, --branch and --staging are for a copy that goes to a hub: --to hub:owner/name"
            )
        else:
            published = write(opened, wanted, findings, progress)
    if not (as_json or quiet):
        say(published_text(published) if uploaded is None else uploaded_text(uploaded))
    extra = {"published": published.as_json(), **({} if uploaded is None else {"hub": uploaded.as_json()})}
    report_findings(findings, as_json=as_json, quiet=quiet, about=release, extra=extra)


def published_text(published: Published) -> str:
    """What was published, for people."""
    from earmark.cli.tables import pairs

    manifest = published.manifest
    answers = {
        "hidden": "hidden",
        "open": "published with it",
        "derivable": "not published, but can be derived from how clips are cut",
    }
    clips = [("audio", f"{published.shipped} clips")] if published.shipped else []
    cut = (
        [("recipes", f"{published.described} clips, to be cut by whoever has their corpora")]
        if published.described
        else []
    )
    host = [("answers", f"{published.answers}: for a repository that only the host reads")] if published.answers else []
    facts = [
        *clips,
        *cut,
        ("gold", answers[manifest.gold]),
        *host,
        ("bytes", f"{published.bytes:,}"),
        ("check", f"earmark verify {published.path}"),
    ]
    return f"{published.path}: {manifest.name} {manifest.version}\n{pairs([(f'  {name}', fact) for name, fact in facts])}\n"
