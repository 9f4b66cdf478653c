"""`earmark materialize` on a terminal: progress is shown, Ctrl-C leaves whole clips only, and another run goes on from them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders.materializing.toy import Spec, noise, publish_by_hand, write
from tests.support.console import run_process
from tests.support.miniature import files_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no such terminals")

STOPPING = """\
import signal, sys, threading
from earmark.__main__ import main
from earmark.builders import media

write, lock, written = media.write_media, threading.Lock(), []

def stop(native, target, rate):
    clipped = write(native, target, rate)
    with lock:
        written.append(target)
        if len(written) == 3:
            signal.raise_signal(signal.SIGINT)
    return clipped

media.write_media = stop
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
sys.argv = ["earmark", *sys.argv[1:]]
main()
"""
"""Ctrl-C while the third clip has just been written, by a thread that is not the one that is interrupted."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("toy")
    write(base / "corpus/a.wav", noise(9_000))
    specs = [Spec("a.wav", [(start, start + 800)]) for start in range(0, 9_000, 1_000)]
    publish_by_hand(base / "corpus", specs, base / "release")
    return base


def on_a_terminal(code: str, *words: object) -> tuple[int, str]:
    """Exit code of a program whose stderr is a terminal, and what it printed there."""
    import pty

    ours, theirs = pty.openpty()
    words = tuple(map(str, words))
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm"},
    ) as child:
        os.close(theirs)
        said = b""
        while True:
            try:
                block = os.read(ours, 1 << 16)
            except OSError:  # as Linux says that the other end is closed
                block = b""
            if not block:
                break
            said += block
    os.close(ours)
    return child.returncode, said.decode()


def test_an_interrupted_run_goes_on(toy: Path, tmp_path: Path) -> None:
    out, partial = tmp_path / "out", tmp_path / "out.partial"
    words = ("materialize", toy / "release", "--corpus", f"Toy={toy / 'corpus'}", "--out", out, "--jobs", 2)
    code, said = on_a_terminal(STOPPING, *words)
    assert code == 130
    assert "cutting clips" in said, "progress"
    assert f"{partial} holds what was done; --resume continues it" in said.replace("\r\n", "")
    assert said.rstrip().endswith("earmark: interrupted")
    assert "Traceback" not in said
    assert not out.exists()
    left = files_of(partial / "public/audio")
    assert len(left) >= 3
    whole = files_of(toy / "release.audio")
    assert left.items() <= whole.items(), "no file is half a clip, and none has another name"

    assert len((partial / "journal.jsonl").read_bytes().splitlines()) == len(left), "what is written is cut once only"

    assert run_process(*words, "--resume", "--quiet").returncode == 0
    assert files_of(out / "public/audio") == whole
    assert not partial.exists()
