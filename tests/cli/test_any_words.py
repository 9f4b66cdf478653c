"""Whatever words stand on the command line, what comes is an exit code and words, never a traceback."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.miniature import Miniature
from tests.support.tiny import write_tiny_release

from earmark.cli.console import run
from earmark.cli.demonstration import stance
from earmark.cli.main import app
from earmark.manifests.errors import EarmarkError

VERBS = (
    "build", "validate", "info", "present", "check", "score", "compare", "baseline", "convert", "paper", "demo",
    "publish", "verify", "materialize", "diff", "withdraw",
)  # fmt: skip
OPTIONS = (
    "--help", "--json", "--quiet", "-q", "--version", "--out", "--release", "--protocol", "--modality", "--corpus", "--key",
    "--recipe", "--resume", "--force", "--strict", "--dry-run", "--print-recipe", "--media", "--rate", "--jobs", "--answers",
    "--human", "--paper", "--with", "--seed", "--resamples", "--reports", "--submission", "--dyads", "--keep-corpus", "--",
    "--from", "--make-release", "--matched", "--metric", "--tables",
    "--to", "--recipes", "--gold", "--answers-to", "--previous", "--webdataset", "--expect", "--ids", "--reason", "--exit-code",
)  # fmt: skip
VALUES = (
    "release", "predictions.jsonl", "recipe.toml", "out", "absent", ".", "..", "/", "", "release/public", "release/release.json",
    "release/public/items.parquet", "stance", "stancebench",
    "hidden", "open", "hub:", "1.0.0", "speecheq", "both-orders", "transcript", "audio", "100", "8000", "-1", "2",
    "seamless-interaction=release", "a=b=c", "=", "~", "é\u202e\x1b[2J", "\udcff", "x" * 300, "\n",
)  # fmt: skip
WORDS = (
    st.sampled_from(OPTIONS) | st.sampled_from(VALUES) | st.text(st.characters(exclude_characters="\0/\\"), max_size=8)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, miniature: Miniature) -> Path:
    base = tmp_path_factory.mktemp("anything")
    write_tiny_release(base / "release")
    (base / "predictions.jsonl").write_text('{"presentation_id": "p", "choice": "P"}\n', encoding="utf-8")
    (base / "recipe.toml").write_text('[release]\nname = "x"\nversion = "1.0.0"\n', encoding="utf-8")
    return base


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=150)
@given(st.builds(lambda verb, words: [verb, *words], st.sampled_from(VERBS) | WORDS, st.lists(WORDS, max_size=7)))
def test_whatever_the_words(folder: Path, words: list[str]) -> None:
    before, out, err = set(folder.iterdir()), io.StringIO(), io.StringIO()

    def no_minute(*_: object, **__: object) -> None:
        raise EarmarkError("not in this test")

    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.chdir(folder)
        patch.setattr(stance, "make_seamless", no_minute)
        patch.setattr("sys.argv", ["earmark", *words])
        code = run(app)
    for path in set(folder.iterdir()) - before:
        shutil.rmtree(path)
    assert code in (0, 1, 2), err.getvalue()
    assert "fault of Earmark" not in err.getvalue()
    assert "Traceback" not in out.getvalue() + err.getvalue()
    if code:
        assert err.getvalue().strip() or json.loads(out.getvalue())
