"""`earmark check` and `score`: the checker needs no answers, the marks are written whole, and each says what it did."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.miniature import files_of

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.release import Release, open_release
from earmark.manifests.strict import read_strict_json, strict_json


def spoil(predictions: Path) -> int:
    """Take a row away, make one unreadable to the grammar and add one for nobody; says how many are owed."""
    lines = predictions.read_text(encoding="utf-8").splitlines()
    owed = len(lines) - 1
    id = json.loads(lines[1])["presentation_id"]
    lines[1] = json.dumps({"presentation_id": id, "response": "I cannot say \x1b[2J"})
    lines[-1] = json.dumps({"presentation_id": "p" + "a" * 26, "choice": "P"})
    predictions.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return owed


def test_a_good_file_is_said_to_be_so(earmark: Earmark, miniature_release: Release, predictions: Path) -> None:
    words = ("check", predictions, "--release", miniature_release.path)
    owed = miniature_release.manifest.protocols[0].presentations
    assert earmark(*words) == (
        FINE,
        f"protocol both-orders: {owed} presentations owed: {owed} ok\n{predictions}: no findings\n",
        "",
    )
    assert earmark(*words, "--quiet") == (FINE, "", "")
    value = json.loads(earmark(*words, "--json").out)
    assert value["protocol"] == "both-orders"
    assert (value["outcomes"]["owed"], value["outcomes"]["ok"], value["outcomes"]["missing"]) == (owed, owed, 0)


def test_the_private_side_is_not_needed_to_check(earmark: Earmark, release: Release, predictions: Path) -> None:
    whole = earmark("check", predictions, "--release", release.path)
    shutil.rmtree(release.path / "private")
    assert earmark("check", predictions, "--release", release.path) == whole


def test_every_problem_of_a_file_is_said_at_once(
    earmark: Earmark, miniature_release: Release, predictions: Path
) -> None:
    owed = spoil(predictions)
    words = ("check", predictions, "--release", miniature_release.path)
    said = earmark(*words)
    assert said.code == FOUND
    assert said.out == (
        f"protocol both-orders: {owed} presentations owed: {owed - 2} ok, 1 unparsable, 1 missing; "
        "besides, 1 unknown row\n"
    )
    for code in ("submission.unknown-id", "submission.missing", "submission.unparsable"):
        assert code in said.err
    assert "\x1b" not in said.err
    assert earmark(*words, "--quiet") == (FOUND, "", said.err)
    as_json = earmark(*words, "--json")
    assert (as_json.code, as_json.err) == (FOUND, "")
    assert strict_json(as_json.out.encode())


def test_a_file_for_another_protocol(earmark: Earmark, miniature_release: Release, predictions: Path) -> None:
    other = miniature_release.manifest.protocols[1].name
    said = earmark("check", predictions, "--release", miniature_release.path, "--protocol", other)
    assert said.code == FOUND
    assert said.out.startswith(f"protocol {other} (the file declares both-orders): ")
    assert " missing" in said.out


def test_a_file_is_marked(earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path) -> None:
    out = tmp_path / "below" / "marks"
    words = ("score", predictions, "--release", miniature_release.path, "--resamples", 100)
    said = earmark(*words, "--out", out)
    assert (said.code, said.err) == (FINE, "")
    lines = said.out.splitlines()
    assert lines[0] == "mini 1.0.0, protocol both-orders, judge uniform"
    assert lines[1].endswith(" ok")
    assert lines[3].startswith("facet ")
    assert miniature_release.family.label_source in lines
    (not_for,) = (line for line in lines if line.startswith("Out of scope: "))
    assert miniature_release.family.out_of_scope.startswith(not_for.removeprefix("Out of scope: "))
    assert lines[-2:] == [f"report  {out / 'report.html'}", f"{predictions}: no findings"]
    for facet in miniature_release.manifest.facets:
        assert any(line.startswith(f"{facet.id} {facet.name} ") for line in lines)
    assert sorted(path.name for path in out.iterdir()) == ["report.html", "report.json"]
    assert [path.name for path in out.parent.iterdir()] == ["marks"]
    as_json = earmark(*words, "--out", tmp_path / "json", "--json")
    assert (as_json.code, as_json.err) == (FINE, "")
    value = json.loads(as_json.out)
    assert value["report"] == read_strict_json(out / "report.json")
    assert value["written"] == [str(tmp_path / "json" / "report.json"), str(tmp_path / "json" / "report.html")]
    assert earmark(*words, "--out", tmp_path / "quiet", "--quiet") == (FINE, "", "")
    assert files_of(tmp_path / "quiet") == files_of(tmp_path / "json") == files_of(out)


def test_resamples_and_seed_are_those_asked_for(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path
) -> None:
    words = ("score", predictions, "--release", miniature_release.path, "--quiet", "--resamples", 150, "--seed", 7)
    assert earmark(*words, "--interval", "bca", "--out", tmp_path / "marks").code == FINE
    value = read_strict_json(tmp_path / "marks" / "report.json")
    assert isinstance(value, dict)
    signature = value["signature"]
    assert isinstance(signature, dict)
    assert (signature["resamples"], signature["seed"], signature["interval"]) == (150, 7, "bca")
    assert isinstance(value["metrics"], list)
    methods = {found["method"] for entry in value["metrics"] for found in entry["intervals"]}
    assert "bca" in methods


def test_what_is_wrong_with_a_file_is_marked_and_said(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path
) -> None:
    spoil(predictions)
    words = ("score", predictions, "--release", miniature_release.path, "--resamples", 100)
    said = earmark(*words, "--out", tmp_path / "marks")
    assert said.code == FOUND
    assert "1 unparsable, 1 missing" in said.out
    assert f"report  {tmp_path / 'marks' / 'report.html'}" in said.out
    assert "error submission.unknown-id" in said.err
    assert (tmp_path / "marks" / "report.html").is_file()


def test_a_judges_name_cannot_write_on_the_terminal(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path
) -> None:
    words = ("score", predictions, "--release", miniature_release.path, "--resamples", 100)
    lines = predictions.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])
    head["earmark"]["judge"]["name"] = "ears\x1b[31m\nmini 9.9.9"
    predictions.write_text("\n".join([json.dumps(head), *lines[1:]]), encoding="utf-8")
    said = earmark(*words, "--out", tmp_path / "marks")
    assert "\x1b" not in said.out + said.err
    assert not any(line.startswith("mini 9.9.9") for line in said.out.splitlines())
    head["earmark"]["judge"] = {}
    predictions.write_text("\n".join([json.dumps(head), *lines[1:]]), encoding="utf-8")
    said = earmark(*words, "--out", tmp_path / "more")
    assert said.out.splitlines()[0].endswith(", judge unnamed")


def test_answers_may_be_kept_apart(earmark: Earmark, release: Release, predictions: Path, tmp_path: Path) -> None:
    words = ("score", predictions, "--release", release.path, "--resamples", 100, "--quiet")
    assert earmark(*words, "--out", tmp_path / "together").code == FINE
    (release.path / "private").rename(tmp_path / "vault")
    said = earmark(*words, "--out", tmp_path / "without")
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert said.err == (
        f"earmark: {release.path} lacks private/answers.parquet; "
        "if it stands elsewhere, say where (--answers, or private= in Python)\n"
    )
    assert not (tmp_path / "without").exists()
    assert earmark(*words, "--out", tmp_path / "apart", "--answers", tmp_path / "vault") == (FINE, "", "")
    assert files_of(tmp_path / "apart") == files_of(tmp_path / "together")
    assert earmark(*words, "--out", tmp_path / "nowhere", "--answers", tmp_path / "absent").code == COULD_NOT_RUN


def test_other_answers_are_refused(earmark: Earmark, release: Release, predictions: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = release.path / "private" / "answers.parquet"
    table = release.table("answers")
    turned = table.set_column(table.column_names.index("gold"), table.schema.field("gold"), [["P"] * table.num_rows])
    pq.write_table(turned, path)
    said = earmark("score", predictions, "--release", release.path, "--out", tmp_path / "marks")
    assert said.code == COULD_NOT_RUN
    assert "table answers at hand is not that of" in said.err
    assert not (tmp_path / "marks").exists()


def test_the_other_protocol_can_be_marked(earmark: Earmark, miniature_release: Release, tmp_path: Path) -> None:
    other = miniature_release.manifest.protocols[1].name
    earmark(
        "baseline", miniature_release.path, "--protocol", other, "--no-reports", "--out", tmp_path / "rules", "--quiet"
    )
    words = ("score", tmp_path / "rules" / "always-P.jsonl", "--release", miniature_release.path, "--resamples", 100)
    said = earmark(*words, "--out", tmp_path / "named")  # the file names its protocol
    assert said.out.splitlines()[0] == f"mini 1.0.0, protocol {other}, judge always P"
    again = earmark(*words, "--protocol", other, "--out", tmp_path / "asked")
    assert (said.code, again.code) == (FINE, FINE)
    assert files_of(tmp_path / "named") == files_of(tmp_path / "asked")


def test_human_ratings_stand_beside(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path
) -> None:
    items = sorted(miniature_release.table("items")["item_id"].to_pylist())
    rows = [f"{item},{rater},{(n * k) % 7}" for n, item in enumerate(items) for k, rater in ((1, "ann"), (2, "bob"))]
    human = tmp_path / "human.csv"
    human.write_text("\n".join(["item_id,rater,rating", *rows, ""]), encoding="utf-8")
    words = ("score", predictions, "--release", miniature_release.path, "--resamples", 100)
    said = earmark(*words, "--human", human, "--json", "--out", tmp_path / "marks")
    assert (said.code, said.err) == (FINE, "")
    metrics = {entry["metric"] for entry in json.loads(said.out)["report"]["metrics"]}
    assert {"human_spearman", "human_coverage", "rater_spearman"} <= metrics
    without = earmark(*words, "--json", "--out", tmp_path / "without")
    assert "human_spearman" not in {entry["metric"] for entry in json.loads(without.out)["report"]["metrics"]}
    human.write_text("item_id,rater,rating\nnobody,ann,3\n", encoding="utf-8")
    said = earmark(*words, "--human", human, "--out", tmp_path / "bad")
    assert said.code == FOUND
    assert "error ratings.unknown-item" in said.err
    said = earmark(*words, "--human", tmp_path / "absent.csv", "--out", tmp_path / "absent")
    assert said == (COULD_NOT_RUN, "", f"earmark: {tmp_path / 'absent.csv'} is not there\n")


def test_a_papers_filters_stand_beside_and_need_files_that_are_there(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path
) -> None:
    words = ("score", predictions, "--release", miniature_release.path, "--resamples", 100, "--paper", "stancebench")
    said = earmark(*words, "--json", "--out", tmp_path / "alone")
    assert (said.code, said.err) == (FINE, "")
    report = json.loads(said.out)["report"]
    assert report["signature"]["paper"] == "stancebench"
    assert any(entry["slice"] == "paper:stancebench" for entry in report["metrics"])
    other = tmp_path / "other.jsonl"
    lines = predictions.read_text(encoding="utf-8").splitlines(keepends=True)
    other.write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    beside = json.loads(earmark(*words, "--json", "--with", other, "--out", tmp_path / "beside").out)["report"]
    plain, fewer = (
        [entry for entry in found["metrics"] if entry["slice"] == "paper:stancebench"] for found in (report, beside)
    )
    assert plain != fewer
    assert [entry for entry in report["metrics"] if entry["slice"] == "all"] == [
        entry for entry in beside["metrics"] if entry["slice"] == "all"
    ]
    said = earmark(*words, "--with", tmp_path / "absent.jsonl", "--out", tmp_path / "absent")
    assert said == (COULD_NOT_RUN, "", f"earmark: {tmp_path / 'absent.jsonl'} is not there\n")
    said = earmark(*words[:-1], "stancbench", "--out", tmp_path / "unknown")
    assert said == (
        COULD_NOT_RUN,
        "",
        "earmark: no paper named 'stancbench'; there is stancebench, parapair, speecheq\n",
    )
    assert not (tmp_path / "unknown").exists()


def test_a_report_is_replaced_only_when_asked_and_only_whole(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "marks"
    words = ("score", predictions, "--release", miniature_release.path, "--quiet", "--resamples", 100, "--out", out)
    assert earmark(*words).code == FINE
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    first = files_of(out)
    assert "replace the report in it with --force" in earmark(*words, "--seed", 3).err
    assert files_of(out) == first
    with monkeypatch.context() as patch:
        patch.setattr("earmark.pages.report_page.report_html", _full)
        said = earmark(*words, "--seed", 3, "--force")
        assert said == (COULD_NOT_RUN, "", "earmark: No space left on device\n")
        assert earmark(*words[:-1], tmp_path / "new").code == COULD_NOT_RUN
    assert files_of(out) == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks", "predictions.jsonl"]
    assert earmark(*words, "--seed", 3, "--force") == (FINE, "", "")
    again = files_of(out)
    assert again["notes.txt"] == b"mine"
    assert again["report.json"] != first["report.json"]


def _full(*_: object, **__: object) -> str:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--resamples", "99"], "--resamples"),
        (["--resamples", "many"], "--resamples"),
        (["--seed", "-1"], "--seed"),
        (["--interval", "normal"], "--interval"),
        (["--force-it"], "No such option: --force-it"),
        (["more.jsonl"], "unexpected extra argument"),
    ],
)
def test_wrong_options_are_said(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path, words: list[str], says: str
) -> None:
    start = ("score", predictions, "--release", miniature_release.path, "--out", tmp_path / "marks")
    said = earmark(*start, *words)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert says in " ".join(said.err.split())
    assert not (tmp_path / "marks").exists()


def test_the_commands_marks_are_the_librarys(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path
) -> None:
    import earmark as library

    assert (
        earmark("score", predictions, "--release", miniature_release.path, "--out", tmp_path / "m", "--quiet").code == 0
    )
    report = library.score(library.open_release(miniature_release.path), predictions).report
    assert report.as_json() == read_strict_json(tmp_path / "m" / "report.json")
    assert not library.check(open_release(miniature_release.path), predictions).failed
