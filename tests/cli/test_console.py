"""What the verbs share: exit codes, one message for whatever goes wrong, and output that every console can show."""

from __future__ import annotations

import errno
import io
import json
import sys
from collections.abc import Callable

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from earmark.cli import console
from earmark.cli.console import (
    AsJson,
    Quiet,
    in_paragraphs,
    named_folder,
    progress_bar,
    report_findings,
    run,
    say,
    say_json,
)
from earmark.manifests.errors import EarmarkError, Refused
from earmark.manifests.findings import Findings, Severity, declare

BAD = declare("test-cli.bad", Severity.ERROR, "something is bad")
ODD = declare("test-cli.odd", Severity.WARNING, "something is odd")


def refused() -> Refused:
    findings = Findings()
    findings.add(BAD, id="here")
    return Refused(findings)


def app_that(does: Callable[[], object]) -> typer.Typer:
    app = typer.Typer()

    @app.command()
    def verb(as_json: AsJson = False, quiet: Quiet = False) -> object:
        return does()

    return app


def raising(error: BaseException) -> Callable[[], object]:
    def does() -> object:
        raise error

    return does


class Run:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, does: Callable[[], object], *words: str) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["earmark", *words])
        code = run(app_that(does))
        return (code, *self.capsys.readouterr())


@pytest.fixture
def end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(monkeypatch, capsys)


NO_SPACE = OSError(errno.ENOSPC, "No space left on device", "/x/items.parquet")


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (refused(), 1, "error test-cli.bad here: something is bad\n1 error\n"),
        (EarmarkError("no such thing"), 2, "earmark: no such thing\n"),
        (NO_SPACE, 2, "earmark: No space left on device (/x/items.parquet)\n"),
        (OSError("odd"), 2, "earmark: odd\n"),
        (MemoryError(), 2, "earmark: there is not enough memory\n"),
        (ModuleNotFoundError("No module named 'scipy'"), 2, "cannot be imported: No module named 'scipy'\n"),
        (RecursionError("deep"), 2, "earmark: RecursionError: deep\nThis is a fault of Earmark."),
        (KeyError("x"), 2, "earmark: KeyError: 'x'\nThis is a fault of Earmark."),
        (KeyboardInterrupt(), 130, "earmark: interrupted\n"),
        (typer.Abort(), 130, "earmark: interrupted\n"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 2, ""),
        (typer.BadParameter("not so"), 2, "not so"),
        (typer.Exit(1), 1, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_whatever_goes_wrong_ends_in_a_code_and_a_message(
    end: Run, error: BaseException, code: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("stdout", "stderr"):  # a broken pipe lets the command line replace both
        monkeypatch.setattr(sys, name, getattr(sys, name))
    assert end(raising(error))[:2] == (code, "")
    _, _, err = end(raising(error))
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize("error", [EarmarkError("no such thing"), refused(), KeyError("x")])
def test_a_reader_who_has_gone_while_an_error_is_told_gets_a_code(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    for name in ("say_json", "complain", "report_only"):
        monkeypatch.setattr(console, name, gone)
    monkeypatch.setattr(sys, "argv", ["earmark"])
    assert run(app_that(raising(error))) in (1, 2)


def test_a_fault_of_ours_shows_its_traceback_to_whoever_asks(end: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(console.TRACEBACK, "1")
    with pytest.raises(KeyError):
        end(raising(KeyError("x")))
    assert end(raising(EarmarkError("no such thing")))[0] == 2


def test_an_exit_that_nobody_caught_keeps_its_code(end: Run) -> None:
    class App:
        def __call__(self, **_: object) -> None:
            raise typer.Exit(1)

    assert run(App()) == 1  # type: ignore[arg-type]  # what older versions of typer do


def test_a_machine_is_answered_even_if_nothing_could_be_done(end: Run) -> None:
    code, out, err = end(raising(EarmarkError("no such thing")), "--json")
    assert (code, json.loads(out), err) == (2, {"error": "no such thing"}, "earmark: no such thing\n")
    code, out, err = end(raising(refused()), "--json")
    assert (code, json.loads(out)["counts"], err) == (1, {"test-cli.bad": 1}, "")


def test_what_a_verb_returns_is_its_exit_code_only_if_it_is_one(end: Run) -> None:
    assert end(lambda: 3)[0] == 3
    assert end(lambda: None)[0] == 0


def test_json_outside_of_a_run_is_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    app_that(lambda: None)(["--json"], standalone_mode=False)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("code", [None, ODD, BAD])
def test_findings_go_where_they_belong(
    capsys: pytest.CaptureFixture[str], code: object, as_json: bool, quiet: bool
) -> None:
    findings = Findings()
    if code is not None:
        findings.add(BAD if code is BAD else ODD)
    if code is BAD:
        with pytest.raises(typer.Exit) as ended:
            report_findings(findings, as_json=as_json, quiet=quiet, about="file", extra={"more": 1})
        assert ended.value.exit_code == 1
    else:
        report_findings(findings, as_json=as_json, quiet=quiet, about="file", extra={"more": 1})
    out, err = capsys.readouterr()
    if as_json:
        assert json.loads(out)["more"] == 1
        assert json.loads(out)["counts"] == findings.counts
        assert err == ""
    elif code is BAD:
        assert (out, err.splitlines()[-1]) == ("", "file: 1 error")
    elif quiet:
        assert out == err == ""
    else:
        assert out.splitlines()[-1] == f"file: {findings.summary()}"
        assert err == ""


@pytest.mark.parametrize("name", ["", ".", "/", "..", "a/.."])
def test_a_folder_without_a_name_cannot_be_written(name: str) -> None:
    from pathlib import Path

    with pytest.raises(typer.BadParameter, match="has no name of its own"):
        named_folder(Path(name))
    assert named_folder(None) is None
    assert named_folder(Path("a/b")) == Path("a/b")


class Stream(io.TextIOWrapper):
    def written(self) -> bytes:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue()


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    def show(text: str, encoding: str) -> str:
        stream = Stream(io.BytesIO(), encoding=encoding, errors="strict", newline="\n")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            say(text)
        return stream.written().decode(encoding)

    return show


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "… – — − × ≤ ’é漢"), ("cp1252", "… – — - × <= ’é?"), ("ascii", "... - - - x <= '??")],
)
def test_what_a_console_lacks_is_spelt_with_what_it_has(
    printed: Callable[[str, str], str], encoding: str, shown: str
) -> None:
    assert printed("… – — − × ≤ ’é漢", encoding) == shown + "\n"


def test_no_control_character_reaches_a_terminal(printed: Callable[[str, str], str]) -> None:
    assert printed("a\x1b[2Jb\r\x07\u202e\nc\x9b", "utf-8") == "a\\x1b[2Jb\\r\\x07\\u202e\nc\\x9b\n"


def test_a_stream_without_an_encoding_is_taken_for_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    say("é…")
    assert stream.getvalue() == "é…\n"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_that_is_closed_is_no_fault(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # As a service may be started: Python has None for a stream that was closed before it began.
    monkeypatch.setattr(sys, stream, None)
    (console.say if stream == "stdout" else console.complain)("nobody reads this")
    say_json({})


@given(st.text(st.characters()), st.sampled_from(["utf-8", "cp1252", "ascii", "cp437", "shift_jis"]))
def test_any_text_can_be_printed_anywhere(text: str, encoding: str) -> None:
    stream = Stream(io.BytesIO(), encoding=encoding, errors="strict", newline="\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        say(text)
        say_json({"text": text})
    lines = stream.written().decode(encoding).split("\n")
    assert all(line.isprintable() for line in lines)
    assert json.loads("\n".join(lines[-4:])) == {"text": text}


def test_progress_is_told_on_a_terminal_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def told(stream: io.StringIO, *, quiet: bool) -> str:
        with monkeypatch.context() as patch:
            patch.setenv("TERM", "xterm")
            patch.setattr(sys, "stderr", stream)
            with progress_bar(quiet=quiet) as tell:
                tell("reading", 0, 3)
                tell("cutting", 1, 2)
                tell("reading", 3, 3)
        return stream.getvalue()

    assert told(io.StringIO(), quiet=False) == ""
    assert told(Terminal(), quiet=True) == ""
    shown = told(Terminal(), quiet=False)
    assert "reading" in shown
    assert "3/3" in shown
    assert "cutting" in shown
    assert "1/2" in shown


@pytest.mark.parametrize("message", ["Value error, 'x' is not one of 'a', 'b'.", "'x' is not one of 'a', 'b'."])
def test_a_wrong_word_is_told_without_the_kind_of_error_within(end: Run, message: str) -> None:
    code, out, err = end(raising(typer.BadParameter(message)))
    assert (code, out) == (console.COULD_NOT_RUN, "")
    assert "Value error" not in err
    assert "'x' is not one of" in err


def test_a_paragraph_of_help_is_one_line() -> None:
    assert in_paragraphs("First.\n\n    Second, which\n    goes on.\n    ") == "First.\n\nSecond, which goes on."
