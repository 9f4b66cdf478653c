"""The application: one module per verb, none of which imports anything heavy before it runs."""

from __future__ import annotations

import sys

import typer

from earmark.cli import baseline, build, check, demo, info, paper, present, score, validate
from earmark.cli.console import run

app = typer.Typer(
    name="earmark",
    help="Build benchmarks that ask an audio judge how something was said, and mark prediction files against them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (
    demo.demo,
    build.build,
    validate.validate,
    info.info,
    present.present,
    check.check,
    score.score,
    baseline.baseline,
):
    app.command()(verb)
app.command(name="paper")(paper.paper)


@app.callback(invoke_without_command=True)
def version(
    context: typer.Context,
    show: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    """Build benchmarks that ask an audio judge how something was said, and mark prediction files against them."""
    if show:
        import earmark

        typer.echo(f"earmark {earmark.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line; whatever goes wrong ends in a message and an exit code."""
    sys.exit(run(app))
