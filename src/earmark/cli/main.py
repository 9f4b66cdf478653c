"""The application: one module per verb, none of which imports anything heavy before it runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from earmark.cli import (
    affect,
    baseline,
    build,
    check,
    compare,
    convert,
    demo,
    diff,
    info,
    leaderboard,
    materialize,
    norm,
    panel,
    paper,
    power,
    present,
    publish,
    score,
    validate,
    verify,
    withdraw,
)
from earmark.cli.console import in_paragraphs, run

app = typer.Typer(
    name="earmark",
    help="Build benchmarks that ask an audio judge how something was said, and mark prediction files against them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# In the order in which they are needed; the list of commands has one line for each.
for verb, in_a_line in (
    (demo.demo, "The whole story, offline: a corpus, a release, judges that do not listen, their marks."),
    (build.build, "Make a release from a recipe."),
    (validate.validate, "Check that a release is sound."),
    (info.info, "Say what a release holds."),
    (materialize.materialize, "Complete a release from one's own corpora."),
    (publish.publish, "Write a copy that others can load, cite and verify."),
    (verify.verify, "Check that a copy is what was published, byte for byte."),
    (diff.diff, "Say what two versions of a release differ in."),
    (withdraw.withdraw, "Make the next version without what is withdrawn."),
    (affect.affect, "Hear valence, arousal and dominance of every clip."),
    (present.present, "Write what a judge's author needs, and no answer."),
    (check.check, "Check a prediction file; no answers needed."),
    (score.score, "Mark a prediction file."),
    (compare.compare, "Set prediction files apart: differences, groups, matched items."),
    (power.power, "Say how many items it takes to tell judges apart."),
    (leaderboard.leaderboard, "Set reports side by side."),
    (baseline.baseline, "Write prediction files of rules that do not listen."),
    (convert.convert, "Make our prediction files of other people's."),
    (paper.paper, "Set a paper's figures beside ours."),
):
    app.command(short_help=in_a_line)(verb)
for command in (*app.registered_commands, *norm.app.registered_commands, *panel.app.registered_commands):
    command.help = in_paragraphs(command.callback.__doc__ or "")
app.add_typer(norm.app, short_help="Freeze the cohort that SEQ is relative to.")
app.add_typer(panel.app, short_help="Draw items for human raters, write their sheets, read them.")


def _print_version(asked: bool) -> None:
    if asked:
        import earmark

        typer.echo(f"earmark {earmark.__version__}")
        raise typer.Exit


@app.callback()
def earmark(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Build benchmarks that ask an audio judge how something was said, and mark prediction files against them."""


def main() -> None:
    """Run the command line; whatever goes wrong ends in a message and an exit code."""
    sys.exit(run(app))
