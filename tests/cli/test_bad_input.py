"""Everything that is wrong with a corpus, through `earmark build stance`.

Each thing is a named finding with its place and what would be right, the rest is built, and `--strict` stops at the first error.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark, Said
from tests.support.console import absolute, write_recipe
from tests.support.miniature import Miniature

from earmark.builders.miniatures.seamless import SeamlessMiniature, make_seamless
from earmark.cli.console import FINE, FOUND
from earmark.manifests.release import open_release
from earmark.validation.invariants import validate

ERRORS = {
    "missing_partner": "corpus.no-partner",
    "vad_beyond_end": "corpus.vad-beyond-end",
    "truncated_wav": "corpus.truncated-audio",
    "wrong_rate": "corpus.wrong-rate",
    "nan_samples": "corpus.not-pcm",
    "absent_file": "corpus.no-partner",
    "path_in_id": "corpus.unsafe-id",
    "role_case": "corpus.role-case",
    "broken_json": "corpus.bad-json",
}
OTHERS = {
    "silent": "corpus.silent",
    "overlapping_vad": "corpus.vad-overlap",
    "duplicate_id": "corpus.repeated-file",
    "no_role_tag": "corpus.prompt-without-role",
    "no_transcript": "corpus.no-transcript",
    "windows_line_ends": "corpus.windows-line-ends",
    "byte_order_mark": "corpus.byte-order-mark",
}
TABLE_ROWS = {"path_in_id", "role_case", "no_role_tag", "windows_line_ends", "byte_order_mark"}
"""What is wrong in a table, so that the finding names a row."""

EXPECTED = {
    "corpus.no-partner": "its files in improvised/",
    "corpus.vad-beyond-end": "at most ",
    "corpus.truncated-audio": "samples, as its header promises",
    "corpus.wrong-rate": "48000 Hz",
    "corpus.not-pcm": "PCM",
    "corpus.unsafe-id": "V<digits>_S<digits>_I<digits>_P<digits",
    "corpus.role-case": "did you mean ",
    "corpus.bad-json": "an object with id, metadata:vad and metadata:transcript",
}

Build = Callable[..., Said]


@pytest.fixture(scope="module")
def flawed(tmp_path_factory: pytest.TempPathFactory) -> Miniature:
    """Few sound conversations and one for each thing that may be wrong."""
    base = tmp_path_factory.mktemp("flawed")
    return Miniature(base, make_seamless(base / "corpus", seed=3, dyads=4, speech=False, scale=0.4, flaws=True))


def recipe_of(miniature: Miniature, path: Path, **changed: Path | None) -> Path:
    """The recipe of a corpus, some of its tables put elsewhere or left out."""
    sections = dict(absolute(miniature))
    corpus = sections["corpus"]
    assert isinstance(corpus, dict)
    corpus = {**corpus, **{name: str(place) for name, place in changed.items() if place is not None}}
    sections["corpus"] = {name: place for name, place in corpus.items() if changed.get(name, "") is not None}
    return write_recipe(path, sections)


def places(value: dict[str, object], code: str) -> list[dict[str, object]]:
    findings = value["findings"]
    assert isinstance(findings, list)
    return [finding for finding in findings if finding["code"] == code]


@pytest.fixture(scope="module")
def told(flawed: Miniature, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """What one build of the flawed corpus says to a machine, and where the release is."""
    import contextlib
    import io

    from earmark.cli.console import run
    from earmark.cli.main import app

    folder = tmp_path_factory.mktemp("built")
    recipe, out = recipe_of(flawed, folder / "recipe.toml"), folder / "release"
    stream = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(stream):
        words = ["earmark", "build", "stance", "--recipe", str(recipe), "--out", str(out), "--media", "--json"]
        patch.setattr("sys.argv", words)
        assert run(app) == FOUND
    value = json.loads(stream.getvalue())
    assert isinstance(value, dict)
    return out, value


@pytest.mark.parametrize("flaw", [*ERRORS, *OTHERS])
def test_each_flaw_is_a_named_finding(flawed: Miniature, told: tuple[Path, dict[str, object]], flaw: str) -> None:
    code = {**ERRORS, **OTHERS}[flaw]
    where = next(noted.where for noted in flawed.corpus.flaws if noted.name == flaw)
    found = [
        finding
        for finding in places(told[1], code)
        if flaw in ("windows_line_ends", "byte_order_mark")
        or where in f"{finding['id']} {finding['file']} {finding['found']}"
        or (flaw == "role_case" and where.rsplit("_", 1)[0] == finding["id"])
        or (flaw == "no_role_tag" and str(finding["id"]) in _interaction(flawed.corpus, where))
    ]
    assert found, places(told[1], code)
    for finding in found:
        assert (finding["severity"] == "error") == (flaw in ERRORS)
        if flaw in TABLE_ROWS:
            assert isinstance(finding["row"], int)
            assert str(finding["file"]).endswith(".csv")
        else:
            assert finding["id"]
        if flaw in ERRORS and flaw != "absent_file":
            assert EXPECTED[code] in str(finding["expected"])


def _interaction(corpus: SeamlessMiniature, prompt_id: str) -> str:
    """The row of the prompt table that a prompt id stands in."""
    lines = corpus.interactions.read_text(encoding="utf-8-sig").split("\n")
    return next(line for line in lines if prompt_id in line)


def test_a_row_named_is_the_row_of_the_file(flawed: Miniature, told: tuple[Path, dict[str, object]]) -> None:
    lines = flawed.corpus.assignment.read_bytes().decode("utf-8-sig").split("\r\n")
    for code in ("corpus.role-case", "corpus.unsafe-id"):
        (finding,) = places(told[1], code)
        row = finding["row"]
        assert isinstance(row, int)
        # An editor counts lines from 1; fields that hold line ends make one record of several.
        record = "\n".join("\r\n".join(lines[row - 1 : row + 20]).split("\r\n"))
        assert str(finding["found"]) in record


def test_the_rest_is_built_and_sound(flawed: Miniature, told: tuple[Path, dict[str, object]]) -> None:
    release = open_release(told[0])
    assert not validate(release).failed
    sound = {side.file_id for entry in flawed.corpus.conversations for side in (entry.a, entry.b)}
    used = {Path(row["path"]).stem for row in release.table("sources").to_pylist()}
    assert used & sound
    bad = {noted.where for noted in flawed.corpus.flaws if noted.name in ERRORS and noted.name != "role_case"}
    assert used.isdisjoint(bad)
    role = next(noted.where for noted in flawed.corpus.flaws if noted.name == "role_case")
    assert role not in used


def test_the_first_error_ends_a_strict_build(earmark: Earmark, flawed: Miniature, tmp_path: Path) -> None:
    words = ("build", "stance", "--recipe", recipe_of(flawed, tmp_path / "r.toml"), "--out", tmp_path / "release")
    said = earmark(*words, "--strict")
    assert (said.code, said.out) == (FOUND, "")
    assert sum(line.startswith("error ") for line in said.err.splitlines()) == 1
    assert "1 error" in said.err.splitlines()[-1]
    value = json.loads(earmark(*words, "--strict", "--json").out)
    assert value["summary"]["error"] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.toml"]


def test_what_only_warns_does_not_end_a_strict_build(earmark: Earmark, tmp_path: Path) -> None:
    corpus = make_seamless(tmp_path / "corpus", seed=4, dyads=3, speech=False, scale=0.4, flaws=tuple(OTHERS))
    recipe = recipe_of(Miniature(tmp_path, corpus), tmp_path / "r.toml")
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "release", "--strict")
    assert (said.code, said.err) == (FINE, "")
    for code in OTHERS.values():
        assert code in said.out


def test_bad_samples_are_found_when_they_are_cut(earmark: Earmark, miniature: Miniature, tmp_path: Path) -> None:
    """A header may promise what the data do not hold: the clip is dropped when its turn comes, and the rest is built."""
    import shutil

    corpus = tmp_path / "corpus"
    shutil.copytree(miniature.corpus.root, corpus)
    copy = Miniature(tmp_path, make_copy(miniature.corpus, corpus))
    recipe = recipe_of(copy, tmp_path / "r.toml")
    words = ("build", "stance", "--recipe", recipe, "--key", miniature.key)
    assert earmark(*words, "--out", tmp_path / "whole", "--quiet").code == FINE
    release = open_release(tmp_path / "whole")
    victim = release.table("sources").to_pylist()[0]["path"]
    from earmark.audio import cut as cutting

    cut = cutting.cut

    def vanish(path: Path, *rest: object, **named: object) -> object:
        if path.as_posix().endswith(victim):
            path.unlink(missing_ok=True)
        return cut(path, *rest, **named)  # type: ignore[arg-type]  # passed on as they came

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "cut", vanish)
        said = earmark(*words, "--out", tmp_path / "less", "--media")
    assert said.code == FOUND
    assert f"media.uncuttable {victim}" in said.err or f"    {victim}" in said.err
    less = open_release(tmp_path / "less")
    assert victim not in less.table("sources")["path"].to_pylist()
    assert 0 < less.table("items").num_rows < release.table("items").num_rows
    assert not validate(less).failed


def make_copy(corpus: SeamlessMiniature, root: Path) -> SeamlessMiniature:
    from dataclasses import replace

    tables = {name: root / getattr(corpus, name).name for name in ("interactions", "filelist", "assignment")}
    return replace(corpus, root=root, **tables)


def spelt(miniature: Miniature, path: Path, *, line_end: str, mark: str, encoding: str = "utf-8") -> Path:
    text = miniature.corpus.assignment.read_text(encoding="utf-8")
    path.write_bytes((mark + text.replace("\n", line_end)).encode(encoding))
    return path


@pytest.mark.parametrize(("line_end", "mark"), [("\r\n", ""), ("\n", "\ufeff"), ("\r\n", "\ufeff")])
def test_how_a_table_was_saved_changes_nothing_of_the_release(
    earmark: Earmark, miniature: Miniature, tmp_path: Path, line_end: str, mark: str
) -> None:
    table = spelt(miniature, tmp_path / "a.csv", line_end=line_end, mark=mark)
    recipe = recipe_of(miniature, tmp_path / "r.toml", assignments=table)
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "r", "--key", miniature.key)
    assert (said.code, said.err) == (FINE, "")
    assert ("note corpus.windows-line-ends" in said.out) == (line_end == "\r\n")
    assert ("warning corpus.byte-order-mark" in said.out) == bool(mark)
    plain = recipe_of(miniature, tmp_path / "plain.toml")
    earmark("build", "stance", "--recipe", plain, "--out", tmp_path / "plain", "--key", miniature.key, "--quiet")
    first, second = (open_release(tmp_path / name).manifest for name in ("r", "plain"))
    assert first.content_hash == second.content_hash
    assert first.answers_hash == second.answers_hash


@pytest.mark.parametrize("column", ["prompt_id_unique", "a_id", "b_id", "role_a", "role_b"])
def test_a_missing_column_is_named_with_those_that_are_there(
    earmark: Earmark, miniature: Miniature, tmp_path: Path, column: str
) -> None:
    text = miniature.corpus.assignment.read_text(encoding="utf-8")
    (tmp_path / "a.csv").write_text(text.replace(column, "something", 1), encoding="utf-8")
    recipe = recipe_of(miniature, tmp_path / "r.toml", assignments=tmp_path / "a.csv")
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "out")
    assert (said.code, said.out) == (FOUND, "")
    assert "error corpus.missing-column" in said.err
    assert str(tmp_path / "a.csv") in said.err
    assert column in said.err
    assert "something" in said.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("table", [None, "absent.csv"])
def test_no_assignment_table_says_plainly_why_one_is_needed(
    earmark: Earmark, miniature: Miniature, tmp_path: Path, table: str | None
) -> None:
    recipe = recipe_of(miniature, tmp_path / "r.toml", assignments=None if table is None else tmp_path / table)
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "out")
    assert (said.code, said.out) == (FOUND, "")
    first, last = said.err.splitlines()
    assert first.startswith("error corpus.no-assignments")
    assert "who of a pair played side A of its prompt and who played side B is not public; a table must say it" in first
    assert "prompt_id_unique, a_id, b_id, role_a, role_b" in first
    assert ("no table" if table is None else f"{tmp_path / table}: ") in first
    assert last == "1 error"


def test_an_absent_corpus_is_said(earmark: Earmark, miniature: Miniature, tmp_path: Path) -> None:
    recipe = recipe_of(miniature, tmp_path / "r.toml", root=tmp_path / "absent")
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "out")
    assert (said.code, said.out) == (FOUND, "")
    assert f"error corpus.no-corpus {tmp_path / 'absent'}: " in said.err


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\0", b"a,b\n1,2\n", b'"', b"\0" * 99], ids=str)
@pytest.mark.parametrize("table", ["assignments", "prompts", "filelist"])
def test_no_table_of_whatever_bytes_ends_in_a_traceback(
    earmark: Earmark, miniature: Miniature, tmp_path: Path, table: str, data: bytes
) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    recipe = recipe_of(miniature, tmp_path / "r.toml", **{table: tmp_path / "t.csv"})
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "out")
    assert said.code == FOUND
    assert "t.csv" in said.err
    assert "fault of Earmark" not in said.err


@pytest.mark.parametrize("has_prompts", [True, False])
def test_a_role_in_another_case_is_said_with_the_right_one(
    earmark: Earmark, miniature: Miniature, tmp_path: Path, has_prompts: bool
) -> None:
    first = miniature.corpus.conversations[0].a
    text = miniature.corpus.assignment.read_text(encoding="utf-8")
    (tmp_path / "a.csv").write_text(text.replace(first.role, first.role.upper()), encoding="utf-8")
    tables = {"assignments": tmp_path / "a.csv", **({} if has_prompts else {"prompts": None})}
    recipe = recipe_of(miniature, tmp_path / "r.toml", **tables)
    said = earmark("build", "stance", "--recipe", recipe, "--out", tmp_path / "out")
    assert said.code == FOUND
    errors = [line for line in said.err.splitlines() if line.startswith("error ")]
    assert len(errors) == 1
    assert "role-case" in errors[0]
    assert first.file_id.rsplit("_", 1)[0] in errors[0]
    assert f"found {first.role.upper()}; " in errors[0]
    assert errors[0].rstrip("?").endswith(f" {first.role}")
    assert not validate(open_release(tmp_path / "out")).failed


def test_a_role_that_nobody_knows_is_said_where_no_prompt_table_would(
    earmark: Earmark, miniature: Miniature, tmp_path: Path
) -> None:
    first = miniature.corpus.conversations[0].a
    text = miniature.corpus.assignment.read_text(encoding="utf-8")
    (tmp_path / "a.csv").write_text(text.replace(first.role, f"{first.role}h"), encoding="utf-8")
    recipe = recipe_of(miniature, tmp_path / "r.toml", assignments=tmp_path / "a.csv", prompts=None)
    said = earmark("build", "stance", "--recipe", recipe, "--dry-run", "--json")
    assert said.code == FINE
    notes = {str(note["id"]): str(note["expected"]) for note in places(json.loads(said.out), "stance.other-role")}
    assert f"did you mean {first.role}" in notes[f"{first.role}h"]
    assert first.role not in notes
