"""`earmark build dialogues` against a server: what is told wrong ends in one line and exit code 2, the ledger whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.dialogues.making_whole import answer
from tests.cli.conftest import Earmark
from tests.support.provider_server import Asked, Reply, failure, provider_server

from earmark.builders.dialogues.making.production import CALLS
from earmark.builders.ledger import Ledger
from earmark.cli.console import COULD_NOT_RUN, FINE
from earmark.manifests.release import open_release
from earmark.validation.invariants import validate

RECIPE = """
[release]
name = "toy"
version = "1.0.0"
[dialogues]
subscales = ["interpersonal_empathy"]
per_subscale = 1
[author]
provider = "openai"
text = {{ model = "toy-text", most_tokens = 500 }}
server = {{ base_url = "{url}" }}
[oracle]
provider = "openai"
model = "toy-reader"
server = {{ base_url = "{url}" }}
[voice]
provider = "openai"
model = "toy-voice"
server = {{ base_url = "{url}" }}
[presentations]
modalities = ["audio"]
[retries]
tries = 2
first_s = 0.01
[prices.toy-text]
input_per_million_tokens = 2.5
output_per_million_tokens = 10
[prices.toy-reader]
input_per_million_tokens = 1
[prices.toy-voice]
per_minute = 0.015
"""
PAGE = Reply(b"<html>Sign in to go on</html>", form="text/html")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="providers need the package openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-toy")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def written(folder: Path, url: str) -> Path:
    path = folder / "recipe.toml"
    path.write_text(RECIPE.format(url=url), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("key", "is the key in OPENAI_API_KEY the right one?"),
        ("model", "is 'toy-reader' the model's id?"),
        ("page", "Sign in to go on"),
        ("limit", "raise --max-cost"),
        ("absent", "OPENAI_API_KEY is not set"),
    ],
)
def test_what_is_wrong_ends_in_one_line(
    wrong: str, words: str, earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wrong == "absent":
        monkeypatch.delenv("OPENAI_API_KEY")

    def reply(n: int, asked: Asked) -> Reply:
        if wrong == "key":
            return failure(401, "bad key")
        if wrong == "model" and asked.body["model"] == "toy-reader":
            return failure(404, "no such model", code="model_not_found")
        return PAGE if wrong == "page" and asked.path.endswith("speech") else answer(n, asked)

    with provider_server(reply) as server:
        recipe, out = written(tmp_path, server.base_url), tmp_path / "out"
        limit = ("--max-cost", "0.001") if wrong == "limit" else ()
        said = earmark("build", "dialogues", "--recipe", recipe, "--out", out, *limit)
        asked = len(server.asked)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert words in said.err
    assert said.err.count("\n") == 1
    assert "sk-toy" not in said.err
    assert not out.exists()
    with Ledger.open(tmp_path / "out.work" / CALLS) as ledger:
        assert ledger.doubtful() == ()
        assert ledger.totals().tries == asked
    assert (asked == 0) is (wrong in ("limit", "absent"))


@pytest.mark.slow
def test_what_was_stopped_is_gone_on_with_and_becomes_a_sound_release(earmark: Earmark, tmp_path: Path) -> None:
    paid = False

    def reply(n: int, asked: Asked) -> Reply:
        refused = asked.path.endswith("speech") and not paid
        return failure(402, "the account is empty") if refused else answer(n, asked)

    with provider_server(reply) as server:
        recipe, out = written(tmp_path, server.base_url), tmp_path / "out"
        words = ("build", "dialogues", "--recipe", recipe, "--out", out)
        first = earmark(*words)
        before, paid = len(server.asked), True
        again = earmark(*words, "--resume", "--max-cost", "5")
        assert (first.code, again.code) == (COULD_NOT_RUN, FINE), first.err + again.err
        assert "the account is empty" in first.err
        with Ledger.open(tmp_path / "out.work" / CALLS) as ledger:
            assert ledger.totals().tries == len(server.asked) > before > 0
            assert ledger.totals().answered == ledger.totals().calls
    release = open_release(out)
    assert not validate(release).failed
    assert release.table("items").num_rows == 2
    assert {path.name for path in (out / "private").iterdir()} >= {"build.json", "costs.json", "oracle.jsonl"}
    public = b"".join(path.read_bytes() for path in out.rglob("public/*") if path.is_file())
    assert b"toy-reader" not in public
