"""What starts up: nothing heavy before it is needed, and names that come when they are touched."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.support.console import run_process

import earmark as package
from earmark.cli.main import main

HEAVY = (
    "datasets",
    "hypothesis",
    "jinja2",
    "joblib",
    "librosa",
    "matplotlib",
    "numpy",
    "openai",
    "pandas",
    "pandera",
    "parselmouth",
    "pyarrow",
    "scipy",
    "sklearn",
    "soundfile",
    "soxr",
    "torch",
)


def loaded_by(code: str) -> set[str]:
    """Which of the heavy packages another process has loaded after running some code."""
    report = f"import sys; print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, check=True, text=True, timeout=60
    )
    return set(ran.stderr.split()) & set(HEAVY)


RUN = (
    "import sys; sys.argv = {words!r}; from earmark.cli.console import run; from earmark.cli.main import app; run(app)"
)


@pytest.mark.parametrize(
    "code",
    [
        "import earmark; dir(earmark)",
        "import earmark.cli.main",
        RUN.format(words=["earmark", "--help"]),
        RUN.format(words=["earmark", "--version"]),
        RUN.format(words=["earmark", "score", "--help"]),
        RUN.format(words=["earmark", "build", "--colour"]),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str) -> None:
    assert loaded_by(code) == set()


def test_what_is_loaded_would_be_seen() -> None:
    assert loaded_by("import earmark; earmark.score") >= {"numpy", "pyarrow"}


def test_marking_needs_no_audio_package() -> None:
    assert loaded_by("import earmark; earmark.score; earmark.check").isdisjoint(
        {"soundfile", "soxr", "librosa", "torch"}
    )


def test_rooms_and_verbs_come_when_they_are_touched() -> None:
    code = (
        "import sys, earmark\n"
        "rooms = ['builders', 'manifests', 'scoring', 'validation']\n"
        "assert not any(f'earmark.{room}' in sys.modules for room in rooms)\n"
        "from earmark import builders, scoring, validation, manifests\n"
        "assert [earmark.builders, earmark.manifests, earmark.scoring, earmark.validation] == [\n"
        "    sys.modules[f'earmark.{room}'] for room in rooms\n"
        "]\n"
        "from earmark.scoring.face import check, score\n"
        "from earmark.opened import open_release\n"
        "assert (earmark.check, earmark.score, earmark.open_release) == (check, score, open_release)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_face_says_what_it_has() -> None:
    assert dir(package) == sorted(package.__all__)
    assert {"builders", "manifests", "scoring", "validation", "open_release", "check", "score"} <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(
        AttributeError, match=r"^module 'earmark' has no attribute 'scroe'; it has __version__, builders, "
    ):
        package.scroe  # noqa: B018 (touching it is the test)


@pytest.mark.parametrize("words", [(), ("-h",), ("--help",)])
def test_help_names_every_verb(words: tuple[str, ...]) -> None:
    said = run_process(*words)
    text = (said.stdout + said.stderr).decode()
    assert said.returncode == (0 if words else 2)
    for verb in ("demo", "build", "validate", "info", "present", "check", "score", "baseline", "convert", "paper"):
        assert f"│ {verb} " in text


def test_the_version_is_the_packages() -> None:
    said = run_process("--version")
    assert (said.returncode, said.stdout.decode().strip(), said.stderr) == (0, f"earmark {package.__version__}", b"")


def test_the_program_ends_with_the_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for words, code in ((["--version"], 0), (["info", "absent"], 2), (["--"], 2), ([], 2), (["scroe"], 2)):
        monkeypatch.setattr(sys, "argv", ["earmark", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == code
    assert "No such command 'scroe'" in capsys.readouterr().err
