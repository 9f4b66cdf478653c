"""What the verbs share: findings on the screen or as JSON, progress on a terminal, exit codes, and never a traceback.

Exit codes: 0 fine, warnings allowed; 1 a finding of severity error; 2 could not run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.progress import TaskID

    from earmark.builders.media import Progress
    from earmark.manifests.canonical import Json
    from earmark.manifests.findings import Findings

FINE, FOUND, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130

TRACEBACK = "EARMARK_TRACEBACK"
"""Environment variable that lets an error nobody foresaw end in a traceback."""

_PLAIN = str.maketrans(
    {"…": "...", "—": "-", "–": "-", "−": "-", "×": "x", "≥": ">=", "≤": "<=", "’": "'", "‘": "'", "“": '"', "”": '"'}
)


@dataclass
class Asked:
    """What a run was asked for that outlives its verb.

    Args:
        as_json: Whether the answer, even that nothing could be done, is to be JSON.
    """

    as_json: bool = False


def _remember_json(context: typer.Context, value: bool) -> bool:
    asked = context.find_object(Asked)
    if asked is not None:
        asked.as_json = value
    return value


def _with_a_name(path: Path | None) -> Path | None:
    """A folder that can be written beside itself and renamed."""
    if path is not None and path.name in ("", ".."):
        raise typer.BadParameter(f"'{path}' has no name of its own; name the folder")
    return path


AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", callback=_remember_json, help="Print one JSON document for machines.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but what is wrong.")]
Destination: TypeAlias = Annotated[Path, typer.Option(callback=_with_a_name, help="Folder to write; must not exist.")]
named_folder = _with_a_name


def in_paragraphs(docstring: str) -> str:
    """A docstring's text with one line for each paragraph: where a line ends is for the terminal to say."""
    return "\n\n".join(" ".join(lines.split()) for lines in cleandoc(docstring).split("\n\n"))


def require_file(path: Path | None) -> None:
    """Go on only if a file that was named is there.

    Raises:
        EarmarkError: If it is not.
    """
    from earmark.manifests.errors import EarmarkError

    if path is not None and not path.is_file():
        there = path.exists()
        leads = not there and path.is_symlink()
        raise EarmarkError(f"{path} is {'no file' if there else 'a link that leads nowhere' if leads else 'not there'}")


def run(app: typer.Typer) -> int:
    """Run the application and turn what it raises into a message and an exit code."""
    from earmark.manifests.errors import EarmarkError, Refused

    asked = Asked()
    try:
        result = app(standalone_mode=False, obj=asked)
        code = result if isinstance(result, int) else FINE
    except Refused as refused:
        with suppress(OSError):  # whoever read this has gone
            report_only(refused.findings, as_json=asked.as_json)
        code = refused.exit_code
    except EarmarkError as error:
        code = _give_up(str(error), asked)
    except OSError as error:
        code = _give_up(f"{error.strerror or error}{f' ({error.filename})' if error.filename else ''}", asked)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except typer.Exit as done:
        code = done.exit_code
    except SystemExit:
        code = COULD_NOT_RUN  # whoever read standard output has gone
    except Exception as error:
        show = getattr(error, "show", None)
        if callable(show):
            _without_origin(error)
            show()  # a usage error of the command line
            code = COULD_NOT_RUN
        elif os.environ.get(TRACEBACK):
            raise
        else:
            code = _give_up(_unforeseen(error), asked)
    if code == INTERRUPTED:  # typer makes an exit code of a KeyboardInterrupt, or an Abort, or leaves it
        complain("earmark: interrupted")
    return code


def _without_origin(error: Exception) -> None:
    """Take from a usage error what some versions of typer put before the message: the kind of error within."""
    said = vars(error).get("message")
    if isinstance(said, str):
        vars(error)["message"] = said.removeprefix("Value error, ")


def _unforeseen(error: Exception) -> str:
    if isinstance(error, ImportError):
        return f"a package that this needs cannot be imported: {error}"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    said = f"{type(error).__name__}: {error}"
    return f"{said}\nThis is a fault of Earmark. {TRACEBACK}=1 in the environment shows where; please report it."


def _give_up(why: str, asked: Asked) -> int:
    with suppress(OSError):  # whoever read this has gone
        if asked.as_json:
            say_json({"error": why})
        complain(f"earmark: {why}")
    return COULD_NOT_RUN


def complain(text: str) -> None:
    """Print to standard error, whatever its encoding can show."""
    _print(text, error=True)


def say(text: str) -> None:
    """Print to standard output, whatever its encoding can show."""
    _print(text, error=False)


def say_json(value: Mapping[str, Json]) -> None:
    """Print one JSON value, in ASCII, so that no console can change what it says."""
    say(json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True, indent=2))


def report_findings(
    findings: Findings,
    *,
    as_json: bool,
    quiet: bool,
    about: object = None,
    extra: Mapping[str, Json] | None = None,
    most: int | None = None,
    more: str | None = None,
) -> None:
    """Print findings, and end with the exit code that they owe.

    Args:
        findings: What was found.
        as_json: Print one JSON document, of `extra` and the findings.
        quiet: Print only if something is an error.
        about: What was looked at, for people.
        extra: What else a machine is told.
        most: How many places of each kind are named to people; by default few.
        more: The option that names more of them.
    """
    if as_json or findings.failed or not quiet:
        report_only(findings, as_json=as_json, about=about, extra=extra, most=most, more=more)
    if findings.exit_code:
        raise typer.Exit(findings.exit_code)


def report_only(
    findings: Findings,
    *,
    as_json: bool,
    about: object = None,
    extra: Mapping[str, Json] | None = None,
    most: int | None = None,
    more: str | None = None,
) -> None:
    """Print findings: as JSON, else to standard error if one is an error and to standard output if not."""
    from earmark.cli.findings_text import findings_text

    if as_json:
        say_json({**(extra or {}), **findings.as_json()})
    else:
        text = findings_text(findings, about="" if about is None else str(about), most=most, more=more)
        (complain if findings.failed else say)(text)


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
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield tell


def _silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


def _print(text: str, *, error: bool) -> None:
    """Print what a stranger may have written: control characters visible, and in a spelling that the console has."""
    from earmark.pages.shown import shown_lines

    stream = sys.stderr if error else sys.stdout
    if stream is None:
        return  # closed by whoever started this, and nobody reads it
    encoding = stream.encoding or "utf-8"
    typer.echo("".join(_spelt(letter, encoding) for letter in shown_lines(text)), err=error)


def _spelt(letter: str, encoding: str) -> str:
    if letter.isascii():
        return letter
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return letter.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    return letter
