"""`earmark build dialogues`: without a recipe, from others' dialogues, priced before it is paid for, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.voiced import voiced

from earmark.builders.dialogues import DEFAULT_RECIPE, DEFAULT_TEMPLATES
from earmark.builders.dialogues.making import dialogues as making
from earmark.builders.dialogues.making.production import Production
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.miniatures.speecheq import make_speecheq
from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND, INTERRUPTED
from earmark.manifests.release import open_release
from earmark.validation.invariants import validate

RECIPE = """
[release]
name = "toy"
version = "1.0.0"
[dialogues]
subscales = ["interpersonal_empathy"]
per_subscale = 1
"""
PAID = """
[author]
provider = "openai"
text = { model = "text-1" }
[voice]
provider = "openai"
model = "speech-1"
"""


def test_the_recipe_and_the_templates_are_printed(earmark: Earmark) -> None:
    said = earmark("build", "dialogues", "--print-recipe")
    assert (said.code, said.out) == (FINE, DEFAULT_RECIPE)
    assert said.out.isascii()
    said = earmark("build", "dialogues", "--print-templates")
    assert (said.code, said.out) == (FINE, DEFAULT_TEMPLATES)
    assert said.out.isascii()


def test_it_needs_no_recipe(earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Production] = []

    def make_dialogues(production: Production, **_: object) -> Voiced:
        asked.append(production)
        return voiced(2, tmp_path / "clips")

    monkeypatch.setattr(making, "make_dialogues", make_dialogues)
    out = tmp_path / "out"
    said = earmark("build", "dialogues", "--out", out, "--allow-shortfall", "--max-cost", 0)
    assert (said.code, said.err) == (FINE, "")
    assert said.out.startswith(f"{out}: my-dialogues 1.0.0, ")
    assert not asked[0].online
    assert asked[0].ledger.limit == 0
    assert asked[0].work == tmp_path / "out.work"
    said = earmark("build", "dialogues", "--out", tmp_path / "other")
    assert said.code == FOUND
    assert "dialogues.shortfall" in said.err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["dialogues"], "--out is needed; --print-recipe prints a recipe to start from"),
        (["pairs", "--out", "x"], "--recipe and --out are needed"),
    ],
)
def test_what_is_needed_is_said(earmark: Earmark, words: list[str], says: str) -> None:
    said = earmark("build", *words)
    assert said.code == COULD_NOT_RUN
    assert said.err.startswith(f"earmark: {says}")


@pytest.mark.slow
def test_others_dialogues_are_read(earmark: Earmark, tmp_path: Path) -> None:
    corpus = make_speecheq(tmp_path / "speecheq", seed=1)
    out = tmp_path / "out"
    said = earmark(
        "build", "dialogues", "--from-speecheq", getattr(corpus, "root", tmp_path / "speecheq"), "--out", out
    )
    assert said.code in (FINE, FOUND), said.err
    release = open_release(out)
    assert not validate(release).failed
    assert {source.corpus for source in release.manifest.sources} == {"speecheq"}
    assert str(tmp_path) not in (out / "release.json").read_text(encoding="utf-8")
    assert not (tmp_path / "out.work").exists(), "nothing was made, so nothing is kept"
    told = json.loads((out / "private" / "build.json").read_text(encoding="utf-8"))["summary"]
    assert told["gate"].keys() == {"default", "paper"}
    assert {"quieter", "longer", "probe"} <= told["shortcuts"].keys()
    assert told["words"] == "unchecked"


def test_a_folder_that_holds_none_is_said(earmark: Earmark, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in ("empty", "absent"):
        said = earmark("build", "dialogues", "--from-speecheq", tmp_path / folder, "--out", tmp_path / "out")
        assert said.code in (FOUND, COULD_NOT_RUN)
        assert "fault of Earmark" not in said.err
        assert not (tmp_path / "out").exists()


def test_a_dry_run_prices_and_leaves_nothing(earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="the extra `synthesis` is not installed")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(f"{RECIPE}{PAID}[prices.text-1]\noutput_per_million_tokens = 10.0\n", encoding="utf-8")
    words = ("build", "dialogues", "--recipe", recipe, "--out", tmp_path / "out", "--dry-run", "--max-cost", 0.001)
    said = earmark(*words)
    assert (said.code, said.err) == (FINE, "")
    assert said.out.startswith("planned only; nothing was written\n")
    assert "dialogues.unpriced" in said.out
    assert "speech-1" in said.out
    report = json.loads(earmark(*words, "--json").out)["report"]
    assert {entry["stage"]: entry["calls"] for entry in report["stages"]} == {"author": 7, "voice": 8}
    assert report["limit_usd"] == 0.001
    assert [path.name for path in tmp_path.iterdir()] == ["recipe.toml"]


@pytest.mark.parametrize("section", ["author", "oracle", "prompts"])
@pytest.mark.parametrize("flag", ["--dry-run", "--quiet"])
def test_wrong_wording_stops_it_before_anything_is_paid_for(
    earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, section: str, flag: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "words.toml").write_text('[scenario]\nuser = "Write $nothing."\n', encoding="utf-8")
    paid = PAID if section != "oracle" else PAID + '[oracle]\nprovider = "openai"\nmodel = "text-1"\n'
    named = f'{paid}templates = "words.toml"\n' if section == "oracle" else paid
    if section == "author":
        named = paid.replace('provider = "openai"\ntext', 'provider = "openai"\ntemplates = "words.toml"\ntext')
    elif section == "prompts":
        named = f'{paid}[prompts]\ntemplates = "words.toml"\n'
    (tmp_path / "recipe.toml").write_text(RECIPE + named, encoding="utf-8")
    said = earmark("build", "dialogues", "--recipe", tmp_path / "recipe.toml", "--out", tmp_path / "out", flag)
    assert said.code == COULD_NOT_RUN
    assert "words.toml" in said.err
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out.work" / "calls.sqlite").exists()


def test_whoever_stops_it_is_told_what_is_kept(
    earmark: Earmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(production: Production, **_: object) -> Voiced:
        raise KeyboardInterrupt

    monkeypatch.setattr(making, "make_dialogues", stopped)
    said = earmark("build", "dialogues", "--out", tmp_path / "out")
    assert said.code == INTERRUPTED
    assert f"{tmp_path / 'out.work'} holds what was done; the same command continues it" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["out.work"]


@pytest.mark.parametrize("words", [["--max-cost", "-1"], ["--max-cost", "nan"], ["--from-speecheq", ""]])
def test_a_flag_out_of_range_is_said(earmark: Earmark, tmp_path: Path, words: list[str]) -> None:
    said = earmark("build", "dialogues", "--out", tmp_path / "out", *words)
    assert said.code in (FOUND, COULD_NOT_RUN)
    assert said.err
    assert "fault of Earmark" not in said.err
    assert list(tmp_path.iterdir()) == []


def test_flags_of_this_family_are_no_other_s(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "out", "--max-cost", 1)
    assert said.code in (FOUND, COULD_NOT_RUN)
    assert "[ledger]" in said.err
