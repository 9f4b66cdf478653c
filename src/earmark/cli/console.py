"""What the verbs share: findings on the screen or as JSON, progress on a terminal, exit codes, and never a traceback.

Exit codes: 0 fine, warnings allowed; 1 a finding of severity error; 2 could not run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.canonical import Json
    from earmark.manifests.findings import Findings

FINE, FOUND, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]


def run(app: typer.Typer) -> int:
    """Run the application and turn what it raises into a message and an exit code."""
    from earmark.manifests.errors import EarmarkError, Refused

    try:
        result = app(standalone_mode=False)
    except Refused as refused:
        complain(findings_text(refused.findings))
        return FOUND
    except EarmarkError as error:
        complain(f"earmark: {error}")
        return COULD_NOT_RUN
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        complain(f"earmark: {error.strerror or error}{place}")
        return COULD_NOT_RUN
    except (KeyboardInterrupt, typer.Abort):
        complain("earmark: interrupted; what was done is kept, and --resume continues a build")
        return INTERRUPTED
    except typer.Exit as done:
        return done.exit_code
    except Exception as error:
        show = getattr(error, "show", None)
        if not callable(show):
            raise
        show()  # a usage error of the command line
        return COULD_NOT_RUN
    return result if isinstance(result, int) else FINE


def complain(text: str) -> None:
    """Print to standard error, whatever its encoding can show."""
    _print(text, error=True)


def say(text: str) -> None:
    """Print to standard output, whatever its encoding can show."""
    _print(text, error=False)


def say_json(value: Mapping[str, Json]) -> None:
    """Print one JSON value."""
    say(json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=2))


def findings_text(findings: Findings) -> str:
    """All kept findings, a line each, and how many there are."""
    lines = [finding.text() for finding in findings]
    hidden = len(findings) - len(lines)
    if hidden:
        lines.append(
            f"… and {hidden} more of the same kinds: "
            + ", ".join(f"{n} × {code}" for code, n in findings.counts.items())
        )
    return "\n".join([*lines, findings.summary()])


def report_findings(findings: Findings, *, as_json: bool, quiet: bool, extra: Mapping[str, Json] | None = None) -> None:
    """Print findings, and end with the exit code that they owe."""
    if as_json:
        say_json({**(extra or {}), **findings.as_json()})
    elif findings.failed:
        complain(findings_text(findings))
    elif not quiet:
        say(findings_text(findings))
    if findings.exit_code:
        raise typer.Exit(findings.exit_code)


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """Progress on a terminal, and silence elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:<24}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, object] = {}

        def tell(what: str, done: int, total: int) -> None:
            from rich.progress import TaskID

            task = tasks.setdefault(what, bar.add_task(what, total=total) if what not in tasks else 0)
            bar.update(TaskID(int(str(task))), completed=done, total=total)

        yield tell


def _silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


def _print(text: str, *, error: bool) -> None:
    stream = sys.stderr if error else sys.stdout
    encoding = stream.encoding or "utf-8"
    typer.echo(text.encode(encoding, errors="replace").decode(encoding), err=error)
