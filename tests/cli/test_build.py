"""`earmark build`: what it writes, prints and returns."""

from __future__ import annotations

import errno
import json
import tomllib
from pathlib import Path

import pytest
import soundfile
from tests.cli.conftest import Earmark
from tests.support.console import absolute, run_process, write_recipe
from tests.support.miniature import Miniature, files_of

from earmark.audio import cut
from earmark.builders.recipes import check_recipe, read_toml
from earmark.builders.stance.recipe import DEFAULT_RECIPE, StanceRecipe
from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND, INTERRUPTED
from earmark.manifests.release import Release, open_release
from earmark.validation.invariants import validate


def test_the_printed_recipe_is_the_default_one_in_every_encoding(earmark: Earmark) -> None:
    said = earmark("build", "stance", "--print-recipe")
    assert said.code == FINE
    assert said.out.isascii()
    assert said.out == DEFAULT_RECIPE
    checked = check_recipe(tomllib.loads(said.out), StanceRecipe)
    needed = {
        "release": {"name": "my-stance", "version": "1.0.0", "seed": 1},
        "corpus": {"root": "seamless_interaction"},
    }
    defaults = check_recipe(needed, StanceRecipe)
    assert checked.sample == defaults.sample
    assert checked.segments == defaults.segments
    assert checked.dimensions == defaults.dimensions
    assert checked.rubric == defaults.rubric
    assert checked.release == defaults.release
    assert (checked.corpus.version, checked.corpus.licence, checked.corpus.labels) == (
        defaults.corpus.version,
        defaults.corpus.licence,
        defaults.corpus.labels,
    )
    assert json.loads(earmark("build", "stance", "--print-recipe", "--json").out) == {"recipe": DEFAULT_RECIPE}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_redirected_recipe_is_read_as_each_console_writes_it(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "recipe.toml").write_text(DEFAULT_RECIPE, encoding=encoding)
    assert read_toml(tmp_path / "recipe.toml") == tomllib.loads(DEFAULT_RECIPE)


def test_a_build_is_written_and_told(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    said = earmark("build", "stance", "--recipe", recipe, "--out", out)
    assert (said.code, said.err) == (FINE, "")
    release = open_release(out)
    assert not validate(release).failed
    lines = said.out.splitlines()
    assert lines[0].startswith(f"{out}: mini 1.0.0, ")
    assert lines[0].endswith("clips, no audio")
    assert "sampled        10" in lines
    assert "sample dimensions" in lines
    assert lines[-1].startswith(f"{out}: ")
    assert len(lines) < 60
    assert [path.name for path in tmp_path.iterdir() if "partial" in path.name] == []


def test_a_build_for_a_machine(earmark: Earmark, recipe: Path, miniature: Miniature, tmp_path: Path) -> None:
    out = tmp_path / "release"
    said = earmark("build", "stance", "--recipe", recipe, "--out", out, "--json", "--key", miniature.key)
    assert (said.code, said.err) == (FINE, "")
    value = json.loads(said.out)
    assert value["release"]["content_hash"] == open_release(out).manifest.content_hash
    assert value["report"]["sampled"] == 10
    assert value["summary"]["error"] == 0


def test_a_quiet_build_says_nothing(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    assert earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "release", "--quiet") == (FINE, "", "")


def test_the_same_key_gives_the_same_release_and_another_gives_another(
    earmark: Earmark, recipe: Path, miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    words = ("build", "stance", "--recipe", recipe, "--quiet", "--out")
    earmark(*words, tmp_path / "same", "--key", miniature.key)
    earmark(*words, tmp_path / "other")
    same, other = open_release(tmp_path / "same"), open_release(tmp_path / "other")
    assert same.key == miniature_release.key != other.key
    assert same.table("items").equals(miniature_release.table("items"))
    assert set(same.table("items")["item_id"].to_pylist()).isdisjoint(other.table("items")["item_id"].to_pylist())


@pytest.mark.parametrize(("words", "rate"), [(["--media"], 48_000), (["--rate", "16000", "--jobs", "3"], 16_000)])
def test_media_are_cut_at_the_rate_asked_for(
    earmark: Earmark, recipe: Path, tmp_path: Path, words: list[str], rate: int
) -> None:
    out = tmp_path / "release"
    said = earmark("build", "stance", "--recipe", recipe, "--out", out, *words)
    assert said.code == FINE
    release = open_release(out)
    clips = release.table("clips").to_pylist()
    assert clips
    for clip in clips:
        info = soundfile.info(release.audio_file(clip["clip_id"]))
        assert info.samplerate == rate
        assert abs(info.duration - clip["duration"]) <= 1 / rate


def test_jobs_change_nothing(earmark: Earmark, recipe: Path, miniature: Miniature, tmp_path: Path) -> None:
    for jobs in (1, 4):
        out = tmp_path / f"jobs{jobs}"
        words = ("--recipe", recipe, "--key", miniature.key, "--rate", 8000, "--jobs", jobs, "--quiet", "--out", out)
        assert earmark("build", "stance", *words).code == FINE
    assert files_of(tmp_path / "jobs1") == files_of(tmp_path / "jobs4")


def test_a_dry_run_reports_and_writes_nothing(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    before = files_of(tmp_path)
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "release", "--media", "--dry-run")
    assert (said.code, said.err) == (FINE, "")
    assert said.out.splitlines()[0] == "planned only; nothing was written"
    assert "sampled        10" in said.out.splitlines()
    assert (
        earmark("build", "stance", "--recipe", recipe, "--dry-run").out.splitlines()[:-1] == said.out.splitlines()[:-1]
    )
    value = json.loads(earmark("build", "stance", "--recipe", recipe, "--dry-run", "--json").out)
    assert value["release"] is None
    assert value["report"]["sampled"] == 10
    assert files_of(tmp_path) == before


def test_a_rubric_named_on_the_command_line_wins(
    earmark: Earmark, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    question = {
        "index": 0,
        "question": "Does the TARGET speaker come near, or keep away?",
        "related_categories": ["Warmth", "Coldness"],
        "positive_followups": ["a", "b", "c", "d"],
        "negative_followups": ["e", "f", "g", "h"],
        "positive_defination": "Near.",
        "negative_defination": "Away.",
        "source_index": 0,
        "stance_id": "S0",
    }
    Path("questions.json").write_text(json.dumps({"outside_judge": [question]}), encoding="utf-8")
    Path("mapping.toml").write_text(
        "[[dimension]]\nid = 'S0'\nname = 'Warmth'\nmode = 'single'\n"
        "positive = { roles = ['Warm', 'Friendly'] }\nnegative = { roles = ['Aloof', 'Distant'] }\n",
        encoding="utf-8",
    )
    said = earmark(
        "build",
        "stance",
        "--recipe",
        recipe,
        "--out",
        "made",
        "--rubric",
        "questions.json",
        "--mapping",
        "mapping.toml",
    )
    assert said.code == 0, said.err
    made = open_release("made")
    assert {row["user"].splitlines()[0] for row in made.table("prompts").to_pylist()} == {
        "Question: Does the TARGET speaker come near, or keep away?"
    }
    assert [facet.id for facet in made.manifest.facets] == ["S0"]


def test_a_section_that_is_no_table_is_still_a_finding(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    recipe.write_text("rubric = 3\n" + recipe.read_text(encoding="utf-8"), encoding="utf-8")
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "made", "--rubric", tmp_path / "r.json")
    assert said.code == 1
    assert "recipe.section" in said.err


def test_an_existing_release_is_left_alone_or_moved_aside(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    words = ("build", "stance", "--recipe", recipe, "--out", out, "--quiet")
    assert earmark(*words).code == FINE
    first = files_of(out)
    said = earmark(*words)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert said.err == f"earmark: {out} exists; choose another folder or move it aside with --force\n"
    assert files_of(out) == first
    assert earmark(*words, "--force") == (FINE, "", "")
    assert files_of(tmp_path / "release.old") == first
    assert files_of(out) != first


def test_a_stopped_build_says_how_to_go_on_and_does(
    earmark: Earmark, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, partial = tmp_path / "release", tmp_path / "release.partial"
    words = ("build", "stance", "--recipe", recipe, "--out", out, "--media")
    write, written = cut.write_flac, []

    def stop_at_the_third(path: Path, samples: cut.Integers, rate: int) -> None:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(path)
        write(path, samples, rate)

    with monkeypatch.context() as patch:
        patch.setattr(cut, "write_flac", stop_at_the_third)
        said = earmark(*words)
    assert said.code == INTERRUPTED
    assert said.out == ""
    assert said.err == f"{partial} holds what was done; --resume continues it\nearmark: interrupted\n"
    assert not out.exists()
    said = earmark(*words)
    assert said.code == COULD_NOT_RUN
    assert "continue it with --resume or remove it" in said.err
    assert earmark(*words, "--resume").code == FINE
    assert not partial.exists()
    assert not validate(open_release(out)).failed


def test_an_interrupt_before_anything_is_done_leaves_nothing(
    earmark: Earmark, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("earmark.builders.stance.plan", stop)
    before = files_of(tmp_path)
    for words in ([], ["--dry-run"]):
        said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "release", *words)
        assert said == (INTERRUPTED, "", "earmark: interrupted\n")
    assert files_of(tmp_path) == before


def test_a_full_disk_is_said_in_a_line_and_can_be_gone_on_from(
    earmark: Earmark, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "release"
    words = ("build", "stance", "--recipe", recipe, "--out", out, "--media")

    def full(path: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("earmark.manifests.building.write_parquet", lambda rows, path: full(path))
        said = earmark(*words)
    assert said.code == COULD_NOT_RUN
    assert said.out == ""
    assert said.err.startswith("earmark: No space left on device (")
    assert not out.exists()
    assert earmark(*words, "--resume").code == FINE


def test_an_error_drops_what_is_bad_or_stops_at_once(earmark: Earmark, miniature: Miniature, tmp_path: Path) -> None:
    table = miniature.corpus.assignment.read_text(encoding="utf-8")
    first_id = miniature.corpus.conversations[0].a.file_id
    (tmp_path / "assignment.csv").write_text(table.replace(first_id, f"../{first_id}", 1), encoding="utf-8")
    sections = dict(absolute(miniature))
    corpus = sections["corpus"]
    assert isinstance(corpus, dict)
    sections["corpus"] = {**corpus, "assignments": "assignment.csv"}
    recipe = write_recipe(tmp_path / "recipe.toml", sections)
    words = ("build", "stance", "--recipe", recipe, "--out", tmp_path / "release")
    said = earmark(*words, "--strict")
    assert said.code == FOUND
    assert said.err.splitlines()[-1] == "1 error"
    assert said.out == ""
    assert not (tmp_path / "release").exists()
    said = earmark(*words)
    assert said.code == FOUND
    assert "error corpus.unsafe-id" in said.err
    assert said.out.splitlines()[0].startswith(f"{tmp_path / 'release'}: mini 1.0.0, ")
    assert not validate(open_release(tmp_path / "release")).failed
    quiet = earmark(*words, "--quiet", "--force")
    assert (quiet.code, quiet.out) == (FOUND, "")
    assert "error corpus.unsafe-id" in quiet.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["parrots", "--print-recipe"], "no family in builders named 'parrots'; there is "),
        (["parrots", "--recipe", "RECIPE", "--out", "OUT"], "no family named 'parrots'; there is "),
        (["stance"], "--recipe and --out are needed; --print-recipe prints a recipe to start from"),
        (["stance", "--recipe", "RECIPE"], "--recipe and --out are needed"),
        (["stance", "--recipe", "absent.toml", "--out", "OUT"], "cannot read absent.toml: No such file or directory"),
        (["stance", "--recipe", ".", "--out", "OUT"], "cannot read .: "),
        (["stance", "--recipe", "RECIPE", "--out", "OUT", "--key", "absent.key"], "absent.key"),
        (["stance", "--recipe", "RECIPE", "--out", "."], "'.' has no name of its own"),
        (["stance", "--recipe", "RECIPE", "--out", "RECIPE/below"], "Not a directory"),
        (["stance", "--recipe", "RECIPE", "--out", "OUT", "--rate", "1"], "--rate"),
        (["stance", "--recipe", "RECIPE", "--out", "OUT", "--colour"], "No such option: --colour"),
        (["stance", "--recipe", "RECIPE", "--out", "OUT", "--preset", "x"], "--preset says nothing of stance"),
        (["stance", "--recipe", "RECIPE", "--out", "OUT", "--max-cost", "3"], "--max-cost says nothing of stance"),
        (
            ["stance", "--recipe", "RECIPE", "--out", "OUT", "--from-speecheq", "."],
            "--from-speecheq says nothing of stance",
        ),
        (["dialogues", "--out", "OUT", "--rubric", "x.json"], "--rubric says nothing of dialogues"),
        ([], "Missing argument"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    earmark: Earmark, recipe: Path, tmp_path: Path, words: list[str], says: str
) -> None:
    before = files_of(tmp_path)
    filled = [word.replace("RECIPE", str(recipe)).replace("OUT", str(tmp_path / "out")) for word in words]
    said = earmark("build", *filled)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert says in " ".join(said.err.split())
    assert "Traceback" not in said.err
    assert files_of(tmp_path) == before
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out.partial").exists()


def test_a_recipe_that_is_wrong_is_a_list_of_findings(earmark: Earmark, tmp_path: Path) -> None:
    path = write_recipe(tmp_path / "r.toml", {"release": {"name": "a/b", "version": "1"}, "sampel": {"share": 2}})
    said = earmark("build", "stance", "--recipe", path, "--out", tmp_path / "out")
    assert said.code == FOUND
    assert "recipe.unknown-section [sampel]" in said.err
    assert "[release]" in said.err
    assert "[corpus]" in said.err
    assert said.err.splitlines()[-1] == "3 errors"
    (tmp_path / "r.toml").write_bytes(b"[release\n")
    said = earmark("build", "stance", "--recipe", path, "--out", tmp_path / "out", "--json")
    assert (said.code, said.err) == (FOUND, "")
    assert json.loads(said.out)["counts"] == {"recipe.unreadable": 1}


def test_a_missing_extra_is_named(recipe: Path, tmp_path: Path) -> None:
    words = ("build", "stance", "--recipe", recipe, "--out", tmp_path / "out")
    assert run_process(*words, "--quiet", without=("soundfile", "soxr")).returncode == FINE
    said = run_process(*words, "--force", "--media", without=("soundfile",))
    assert (said.returncode, said.stdout) == (COULD_NOT_RUN, b"")
    assert said.stderr == b"earmark: this needs the package 'soundfile': pip install 'earmark[build]'\n"
    said = run_process(*words, "--force", "--rate", 16000, without=("soxr",))
    assert (said.returncode, said.stdout) == (COULD_NOT_RUN, b"")
    assert said.stderr == b"earmark: this needs the package 'soxr': pip install 'earmark[build]'\n"


def test_nothing_left_to_make_a_release_of(earmark: Earmark, miniature: Miniature, tmp_path: Path) -> None:
    sections = absolute(miniature, segments={"single_tail_s": 29.0, "single_close_s": 29.5, "target_least_s": 14.9})
    recipe = write_recipe(tmp_path / "r.toml", sections)
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "out")
    assert said.code == FOUND
    assert "error build.empty" in said.err
    assert not (tmp_path / "out").exists()
    dry = earmark("build", "stance", "--recipe", recipe, "--dry-run")
    assert (dry.code, dry.err) == (FOUND, said.err)
