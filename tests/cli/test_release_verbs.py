"""`earmark validate`, `info` and `baseline`: what is said of a release, and of what is none."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.miniature import files_of
from tests.support.tiny import write_tiny_release

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.release import Release
from earmark.manifests.strict import strict_json
from earmark.scoring.baselines import Baseline, every, writing
from earmark.scoring.baselines.answers import ORACLE
from earmark.scoring.baselines.every import every_baseline
from earmark.scoring.families import family_marks


def without_private_side(release: Release) -> Release:
    shutil.rmtree(release.path / "private")
    return release


def test_a_sound_release_is_said_to_be_so(earmark: Earmark, miniature_release: Release) -> None:
    assert earmark("validate", miniature_release.path) == (FINE, f"{miniature_release.path}: no findings\n", "")
    assert earmark("validate", miniature_release.path, "--quiet") == (FINE, "", "")
    value = json.loads(earmark("validate", miniature_release.path, "--json").out)
    assert value["summary"] == {"error": 0, "warning": 0, "note": 0}


def test_every_fault_of_a_release_is_said_at_once(earmark: Earmark, release: Release) -> None:
    (release.path / "public" / "notes.txt").write_text("mine", encoding="utf-8")
    items = release.path / "public" / "items.parquet"
    items.write_bytes(items.read_bytes() + b"\0")
    said = earmark("validate", release.path)
    assert (said.code, said.out) == (FOUND, "")
    codes = {line.split()[1].rstrip(",") for line in said.err.splitlines() if line.startswith("error ")}
    assert len(codes) >= 2
    assert earmark("validate", release.path, "--quiet") == said
    as_json = earmark("validate", release.path, "--json")
    assert (as_json.code, as_json.err) == (FOUND, "")
    assert codes <= set(json.loads(as_json.out)["counts"])


def test_a_release_is_described(earmark: Earmark, miniature_release: Release) -> None:
    said = earmark("info", miniature_release.path)
    assert (said.code, said.err) == (FINE, "")
    lines = said.out.splitlines()
    assert lines[0] == "mini 1.0.0"
    manifest, family = miniature_release.manifest, miniature_release.family
    for fact in (family.label_source, family.title, manifest.content_hash, "audio at 16000 Hz", "gold      hidden"):
        assert fact in said.out
    for protocol in manifest.protocols:
        assert f"{protocol.name}: {protocol.presentations} presentations as {protocol.modality}" in said.out
    head = lines.index(next(line for line in lines if line.endswith("P : N")))
    tree = [line for line in lines[head + 1 :] if line]
    assert tree[-1].split()[:2] == ["all", str(miniature_release.table("items").num_rows)]
    golds = Counter(miniature_release.table("answers")["gold"].to_pylist())
    for gold in family.golds:
        shown = [line.split() for line in tree if line.startswith(f"  {gold} ")]
        assert sum(int(words[1]) for words in shown) == golds[gold]
    facets = [line for line in tree if line[0] not in " a"]
    assert [line.split()[0] for line in facets] == sorted(facet.id for facet in manifest.facets)
    roles = {line.strip().rsplit(maxsplit=3)[0] for line in tree if line.startswith("    ")}
    assert roles == set(miniature_release.table("answers")["role"].to_pylist())
    assert len({len(line) for line in [lines[head], *tree] if " : " in line}) == 1


def test_the_ratio_of_poles_is_said_where_both_are_there(earmark: Earmark, tmp_path: Path) -> None:
    write_tiny_release(tmp_path / "r", items=5, facets=2)  # S0: P N P, S1: P N
    lines = earmark("info", tmp_path / "r").out.splitlines()
    assert [line.split("  ")[-1].strip() for line in lines if line.startswith("S")] == ["2 : 1 (2.00)", "1 : 1 (1.00)"]
    write_tiny_release(tmp_path / "one-sided", items=1)
    lines = earmark("info", tmp_path / "one-sided").out.splitlines()
    assert [line.split("  ")[-1].strip() for line in lines if line.startswith("S")] == ["1 : 0"]


def test_a_release_is_described_to_a_machine(earmark: Earmark, miniature_release: Release) -> None:
    value = strict_json(earmark("info", miniature_release.path, "--json").out.encode())
    assert isinstance(value, dict)
    assert value["content_hash"] == miniature_release.manifest.content_hash
    assert value["release"] == json.loads((miniature_release.path / "release.json").read_text(encoding="utf-8"))
    assert isinstance(value["cells"], list)
    assert earmark("info", miniature_release.path, "--quiet") == (FINE, "", "")


def test_a_public_copy_says_what_is_not_known(earmark: Earmark, release: Release) -> None:
    said = earmark("info", without_private_side(release).path)
    assert said.code == FINE
    assert said.out.splitlines()[-1].startswith("This copy has no private side")
    row = next(line for line in said.out.splitlines() if line.startswith("all ")).split()
    assert row == ["all", str(release.table("items").num_rows), "?", "?"]
    assert "P : N" not in said.out
    cells = json.loads(earmark("info", release.path, "--json").out)["cells"]
    assert {cell["speakers"] for cell in cells} == {None}
    assert earmark("validate", release.path).code == FINE


def test_rules_that_do_not_listen_are_written_and_named(
    earmark: Earmark, miniature_release: Release, tmp_path: Path
) -> None:
    out = tmp_path / "below" / "rules"
    said = earmark("baseline", miniature_release.path, "--out", out, "--no-reports")
    assert (said.code, said.err) == (FINE, "")
    rules = every_baseline(family_marks(miniature_release))
    files = sorted(path.name for path in out.iterdir())
    assert files == sorted(f"{rule.stem}.jsonl" for rule in rules)
    lines = said.out.splitlines()
    assert lines[0].startswith(f"{out}: ")
    assert [line.split()[0] for line in lines[1:]] == [f"{rule.stem}.jsonl" for rule in rules]
    for file in files:
        assert earmark("check", out / file, "--release", miniature_release.path).code == FINE


def test_their_reports_stand_beside_them(
    earmark: Earmark, miniature_release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = Baseline("silent", "Says nothing.", lambda *_: "it has no voice")
    monkeypatch.setattr(every, "every_baseline", lambda _: (ORACLE, silent))
    said = earmark("baseline", miniature_release.path, "--out", tmp_path / "rules")
    assert (said.code, said.err) == (FINE, "")
    assert [line.split() for line in said.out.splitlines()[1:]] == [
        ["file", "balanced", "accuracy"],
        ["oracle.jsonl", "1.000", *ORACLE.means.split()],
        ["(none)", "silent", "—", "it", "has", "no", "voice"],
    ]
    written = {path.relative_to(tmp_path / "rules").as_posix() for path in (tmp_path / "rules").rglob("*")}
    assert written == {"oracle.jsonl", "oracle", "oracle/report.json", "oracle/report.html"}
    # What `score` writes of the same file.
    words = ("--release", miniature_release.path, "--out", tmp_path / "marks", "--quiet")
    assert earmark("score", tmp_path / "rules" / "oracle.jsonl", *words).code == FINE
    report = "report.json"
    assert (tmp_path / "marks" / report).read_bytes() == (tmp_path / "rules" / "oracle" / report).read_bytes()


def test_a_rule_that_needs_the_private_side_says_why_it_is_not_written(
    earmark: Earmark, release: Release, tmp_path: Path
) -> None:
    out = tmp_path / "rules"
    private = tmp_path / "private"
    (release.path / "private").rename(private)
    said = earmark("baseline", release.path, "--out", out)
    assert said.code == FINE
    lines = said.out.splitlines()
    without = [line.split()[1] for line in lines[1:] if line.split()[0] == "(none)"]
    assert without == ["louder", "transcript-only", "majority", "oracle"]
    assert lines[-1] == "No reports: this copy has no private side, so nothing can be marked."
    assert len(list(out.iterdir())) == len(every_baseline(family_marks(release))) - 4
    value = json.loads(earmark("baseline", release.path, "--out", tmp_path / "again", "--json").out)
    assert value["no_reports"] == "this copy has no private side, so nothing can be marked"
    assert [entry["file"] is None for entry in value["baselines"]] == [
        bool(entry["reason"]) for entry in value["baselines"]
    ]
    assert sum(entry["file"] is None for entry in value["baselines"]) == 4
    assert {entry["report"] for entry in value["baselines"]} == {None}
    # Where it stands elsewhere, they can answer.
    words = ("--answers", private, "--no-reports", "--json")
    value = json.loads(earmark("baseline", release.path, "--out", tmp_path / "all", *words).out)
    assert all(entry["file"] for entry in value["baselines"])
    assert value["no_reports"] is None


def test_rules_for_another_protocol(earmark: Earmark, miniature_release: Release, tmp_path: Path) -> None:
    other = miniature_release.manifest.protocols[1].name
    words = ("--protocol", other, "--no-reports", "--quiet", "--out", tmp_path / "rules")
    assert earmark("baseline", miniature_release.path, *words) == (FINE, "", "")
    first = (tmp_path / "rules" / "uniform.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert json.loads(first)["earmark"]["protocol"] == other


def test_half_of_the_rules_are_not_left_behind(
    earmark: Earmark, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = writing.write_predictions, []

    def full_at_the_second(*words: object, **named: object) -> str | None:
        written.append(words)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        return write(*words, **named)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(writing, "write_predictions", full_at_the_second)
    before = files_of(tmp_path)
    said = earmark("baseline", release.path, "--out", tmp_path / "rules", "--no-reports")
    assert said == (COULD_NOT_RUN, "", "earmark: No space left on device\n")
    assert files_of(tmp_path) == before


VERBS = [
    ["validate", "RELEASE"],
    ["info", "RELEASE"],
    ["baseline", "RELEASE", "--out", "OUT"],
    ["present", "RELEASE", "--out", "OUT"],
    ["check", "FILE", "--release", "RELEASE"],
    ["score", "FILE", "--release", "RELEASE", "--out", "OUT"],
]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("words", VERBS, ids=lambda words: words[0])
def test_what_is_no_release_is_said_in_a_line(
    earmark: Earmark, words: list[str], as_json: bool, predictions: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "release.json").write_text('{"name": 1, "name": 2}', encoding="utf-8")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    before = files_of(tmp_path)
    for place, says in (
        ("absent", "absent is no release: cannot read release.json"),
        ("folder", "folder is no release: cannot read release.json"),
        ("file", "file is no release: cannot read release.json"),
        ("broken", "release.json is no release manifest: the key 'name' stands twice in one object"),
    ):
        filled = {"RELEASE": tmp_path / place, "OUT": tmp_path / "out", "FILE": predictions}
        said = earmark(*(filled.get(word, word) for word in words), *(["--json"] if as_json else []))
        assert said.code == COULD_NOT_RUN
        assert says in said.err
        assert len(said.err.splitlines()) == 1
        assert (
            json.loads(said.out) == {"error": said.err.removeprefix("earmark: ").rstrip()} if as_json else not said.out
        )
    assert files_of(tmp_path) == before


@pytest.mark.parametrize("words", VERBS[2:], ids=lambda words: words[0])
def test_an_unknown_protocol_is_said_with_the_known_ones(
    earmark: Earmark, words: list[str], release: Release, predictions: Path, tmp_path: Path
) -> None:
    filled = {"RELEASE": release.path, "OUT": tmp_path / "out", "FILE": predictions}
    said = earmark(*(filled.get(word, word) for word in words), "--protocol", "both-odours")
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    offered = ", ".join(entry.name for entry in release.manifest.protocols)
    declared = "; the file declares both-orders" if words[0] in ("check", "score") else ""
    assert said.err == f"earmark: no protocol named 'both-odours'; there is {offered}{declared}\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [verb for verb in VERBS if "OUT" in verb], ids=lambda words: words[0])
def test_what_is_there_is_not_written_over(
    earmark: Earmark, words: list[str], release: Release, predictions: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x", encoding="utf-8")
    filled = {"RELEASE": release.path, "OUT": tmp_path / "out", "FILE": predictions}
    said = earmark(*(filled.get(word, word) for word in words))
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert f"{tmp_path / 'out'} exists; " in said.err
    assert files_of(tmp_path / "out") == {"mine": b"x"}


@pytest.mark.parametrize("words", [verb for verb in VERBS if "FILE" in verb], ids=lambda words: words[0])
def test_a_file_that_is_not_there_is_said_in_a_line(
    earmark: Earmark, words: list[str], release: Release, tmp_path: Path
) -> None:
    filled = {"RELEASE": release.path, "OUT": tmp_path / "out"}
    for file, says in ((tmp_path / "absent.jsonl", "is not there"), (tmp_path, "is no file")):
        said = earmark(*({**filled, "FILE": file}.get(word, word) for word in words))
        assert said == (COULD_NOT_RUN, "", f"earmark: {file} {says}\n")
    assert not (tmp_path / "out").exists()
