"""Making: the same bytes from the same corpus whatever the order, nothing that tells, and no half of anything."""

from __future__ import annotations

import csv
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.support.miniature import Miniature, files_of, quiet

from earmark.builders import making
from earmark.builders.making import make, plan_only
from earmark.builders.miniatures.seamless import SeamlessMiniature, make_seamless
from earmark.manifests.building import building
from earmark.manifests.errors import Busy, DestinationExists, Refused, UnknownName
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Severity
from earmark.manifests.release import Release, open_release
from earmark.validation.invariants import validate


class Killed(BaseException):
    """What no handler of the code under test may take for its own."""


def ids(release: Release, table: str) -> set[str]:
    return set(release.table(table)[STANCE.tables()[table].key[0]].to_pylist())


def shuffled(mini: Miniature, base: Path, seed: int) -> Miniature:
    """The same corpus with the rows of every table in another order and its files made in another one."""
    dice = random.Random(seed)  # noqa: S311  # no secret
    root = base / "corpus"
    files = [path for path in mini.corpus.root.rglob("*") if path.is_file()]
    dice.shuffle(files)
    for path in files:
        target = root / path.relative_to(mini.corpus.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as stream:
                head, *rows = csv.reader(stream)
            dice.shuffle(rows)
            with target.open("w", encoding="utf-8", newline="") as stream:
                csv.writer(stream, lineterminator="\n").writerows([head, *rows])
        else:
            os.link(path, target)
    shutil.copy(mini.key, base / "line.key")
    tables = (root / name for name in ("interactions.csv", "filelist.csv", "assignment.csv"))
    return Miniature(base, SeamlessMiniature(root, *tables, mini.corpus.conversations))


def test_a_build_is_sound_and_says_what_it_holds(miniature: Miniature, miniature_release: Release) -> None:
    release = miniature_release
    assert list(validate(release)) == []
    assert release.table("items").num_rows > 10
    assert {row["gold"] for row in release.table("answers").to_pylist()} == {"P", "N"}
    truth = {side.role: side.pole for talk in miniature.corpus.conversations for side in (talk.a, talk.b)}
    assert {row["role"] for row in release.table("answers").to_pylist()} <= truth.keys()


@pytest.mark.parametrize(("media", "jobs"), [(False, 1), (True, 1), (True, 2)])
def test_shuffled_input_gives_the_same_bytes(
    miniature: Miniature, miniature_release: Release, tmp_path: Path, media: bool, jobs: int
) -> None:
    mini = shuffled(miniature, tmp_path, seed=jobs)
    assert mini.corpus.assignment.read_bytes() != miniature.corpus.assignment.read_bytes()
    order = replace(mini.order(tmp_path / "release", media=media), jobs=jobs)
    made = make(order, quiet)
    assert made.release is not None
    straight = miniature_release if media else miniature.build(tmp_path / "straight").release
    assert straight is not None
    assert files_of(made.release.path) == files_of(straight.path)


def test_another_key_is_another_release(miniature: Miniature, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    other.write_bytes(bytes(32))
    one = miniature.build(tmp_path / "one").release
    two = make(replace(miniature.order(tmp_path / "two"), key=other), quiet).release
    assert one is not None
    assert two is not None
    for table in ("items", "clips", "presentations"):
        assert len(ids(one, table)) == len(ids(two, table))
        assert not ids(one, table) & ids(two, table)
    assert ids(one, "prompts") == ids(two, "prompts")


def test_a_conversation_more_leaves_every_other_item_as_it_is(miniature: Miniature, tmp_path: Path) -> None:
    assignment = tmp_path / "fewer.csv"
    with miniature.corpus.assignment.open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    for n, kept in enumerate((rows[:-1], rows)):
        with assignment.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([head, *kept])
        recipe = miniature.recipe()
        recipe = {**recipe, "corpus": {**recipe["corpus"], "assignments": str(assignment)}}  # type: ignore[dict-item]  # a mapping
        make(miniature.order(tmp_path / f"{n}", recipe=recipe), quiet)
    fewer, more = (open_release(tmp_path / f"{n}") for n in (0, 1))
    for table in ("items", "clips", "presentations"):
        assert ids(fewer, table) < ids(more, table)
    some = {row["item_id"]: row for row in more.table("answers").to_pylist()}
    assert all(some[row["item_id"]] == row for row in fewer.table("answers").to_pylist())


def test_nothing_public_names_where_it_is_from(miniature: Miniature, miniature_release: Release) -> None:
    """Searched in the bytes, compressed or not: paths, people, dates, roles, prompts and file names."""
    release = miniature_release
    answers, sources = release.table("answers").to_pylist(), release.table("sources").to_pylist()
    roles = {row["role"] for row in answers}
    secret = {str(miniature.base), miniature.base.name, os.environ.get("USER", "root") + "/", "corpus/"}
    secret |= {str(row[name]) for row in sources for name in ("path", "speaker", "conversation", "prompt")}
    secret |= {Path(str(row["path"])).stem for row in sources}
    plain: dict[str, bytes] = {"release.json": (release.path / "release.json").read_bytes()}
    for name, table in STANCE.tables().items():
        if table.side.value == "public":
            rows = pq.read_table(release.file(name))
            plain[name] = repr([rows.to_pylist(), rows.schema, rows.schema.metadata]).encode()
            plain[f"{name} as it lies"] = release.file(name).read_bytes()
    for path in (release.path / "public" / "audio").iterdir():
        plain[path.name] = path.read_bytes()
    assert len(plain) > 20
    for name, content in plain.items():
        assert not [word for word in secret if word.encode() in content], name
        assert not re.search(rb"20\d\d-[01]\d-[0-3]\d", content), f"a date in {name}"
    told = {name: [role for role in roles if re.search(rf"\b{role}\b".encode(), plain[name])] for name in plain}
    assert told.pop("release.json"), "the mapping is in the recipe"
    mapping = release.manifest.recipe.pop("mapping")
    try:
        rest = repr(release.manifest.as_json())
    finally:
        release.manifest.recipe["mapping"] = mapping
    # The rubric's own prose may use such words; no role stands anywhere for a person.
    assert not [role for role in roles if re.search(rf"['\"]{role}['\"]", rest)]
    told = {name: found for name, found in told.items() if not name.startswith("prompts")}
    assert not any(told.values()), told


def test_the_only_paths_kept_are_those_within_the_corpus(miniature_release: Release) -> None:
    for row in miniature_release.table("sources").to_pylist():
        assert row["path"].startswith("improvised/")
    assert b"miniature" not in (miniature_release.path / "private" / "sources.parquet").read_bytes()


# What is wrong.


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"release": {"name": "a/b", "version": "1.0.0"}}, "recipe.section"),
        ({"sample": {"share": 2.0}}, "recipe.section"),
        ({"smaple": {}}, "recipe.unknown-section"),
        ({"corpus": {"root": "corpus"}}, "corpus.no-assignments"),
        ({"corpus": {"root": "absent", "assignments": "corpus/assignment.csv"}}, "corpus.no-corpus"),
        ({"rubric": {"file": "absent.toml"}}, "rubric.unreadable"),
    ],
)
def test_a_recipe_of_no_use_is_refused_and_leaves_nothing(
    miniature: Miniature, tmp_path: Path, change: dict[str, dict[str, object]], code: str
) -> None:
    order = miniature.order(tmp_path / "release", recipe=miniature.recipe(**change))  # type: ignore[arg-type]  # plain values
    with pytest.raises(Refused) as refused:
        make(order, quiet)
    assert code in refused.value.findings.counts
    assert list(tmp_path.iterdir()) == []


def test_nothing_left_is_refused(miniature: Miniature, tmp_path: Path) -> None:
    recipe = miniature.recipe(segments={"single_tail_s": 900.0, "single_close_s": 900.0, "single_most_s": 900.0,
                                        "target_least_s": 900.0, "target_most_s": 900.0})  # fmt: skip
    order = miniature.order(tmp_path / "release", recipe=recipe)
    for way in (make, plan_only):
        with pytest.raises(Refused) as refused:
            way(order, quiet)
        assert refused.value.findings.counts["build.empty"] == 1
    assert list(tmp_path.iterdir()) == []


def test_a_family_that_is_not_there(miniature: Miniature, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no family named 'dance'"):
        make(replace(miniature.order(tmp_path / "release"), family="dance"), quiet)
    assert list(tmp_path.iterdir()) == []


def test_an_unsound_release_is_never_given_its_name(
    miniature: Miniature, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = making.builder("stance").plan

    class Faulty:
        @staticmethod
        def plan(*arguments: object) -> object:
            section, made = real(*arguments)  # type: ignore[arg-type]  # handed through
            for row in made.tables["answers"]:
                row["gold"] = "P"
            return section, made

    monkeypatch.setattr(making, "builder", lambda _: Faulty)
    with pytest.raises(Refused) as refused:
        make(miniature.order(tmp_path / "release"), quiet)
    assert refused.value.findings.counts.keys() >= {"build.unsound", "stance.pole"}
    assert not (tmp_path / "release").exists()


def test_a_plan_alone_writes_nothing_and_reports_the_same(miniature: Miniature, tmp_path: Path) -> None:
    before = files_of(miniature.corpus.root).keys()
    planned = plan_only(miniature.order(tmp_path / "release"), quiet)
    assert planned.release is None
    assert list(tmp_path.iterdir()) == []
    assert files_of(miniature.corpus.root).keys() == before
    made = miniature.build(tmp_path / "release")
    assert planned.report == made.report
    assert planned.findings.as_json() == made.findings.as_json()


def test_out_must_be_free(miniature: Miniature, tmp_path: Path) -> None:
    out = tmp_path / "release"
    miniature.build(out)
    kept = files_of(out)
    with pytest.raises(DestinationExists):
        miniature.build(out)
    assert files_of(out) == kept
    make(replace(miniature.order(out), force=True), quiet)
    assert files_of(out) == files_of(tmp_path / "release.old") == kept


def test_one_at_a_time(miniature: Miniature, tmp_path: Path) -> None:
    with building(tmp_path / "release", STANCE), pytest.raises(Busy):
        make(replace(miniature.order(tmp_path / "release"), resume=True), quiet)


# A kill.


def test_an_interrupted_build_goes_on_where_it_was(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    out = tmp_path / "release"
    order = miniature.order(out, media=True)

    def stop_at(clips: int) -> Callable[[str, int, int], None]:
        def progress(doing: str, done: int, _total: int) -> None:
            if doing == "cutting clips" and done == clips:
                raise Killed

        return progress

    for clips in (4, 9):
        with pytest.raises(Killed):
            make(replace(order, resume=clips > 4), stop_at(clips))
        assert not out.exists()
    with pytest.raises(DestinationExists, match="--resume"):
        make(order, quiet)
    with cuts() as cut:
        make(replace(order, resume=True), quiet)
    total = miniature_release.table("clips").num_rows
    assert total - 11 <= len(cut) <= total - 9, "what the journal has is not cut again"
    assert files_of(out) == files_of(miniature_release.path)
    assert not (tmp_path / "release.partial").exists()


def test_a_clip_that_was_touched_since_is_cut_again(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    out = tmp_path / "release"
    order = miniature.order(out, media=True)

    def progress(doing: str, done: int, total: int) -> None:
        if doing == "writing tables":
            raise Killed

    with pytest.raises(Killed):
        make(order, progress)
    first, second, *_ = sorted((tmp_path / "release.partial" / "public" / "audio").iterdir())
    first.write_bytes(first.read_bytes()[:-1])
    second.unlink()
    (first.parent / "stray.flac").touch()
    with cuts() as cut:
        make(replace(order, resume=True), quiet)
    assert sorted(cut) == [first.stem, second.stem]
    assert files_of(out) == files_of(miniature_release.path)


@contextmanager
def cuts() -> Iterator[list[str]]:
    """Note which clips are cut."""
    from earmark.builders import media

    cut: list[str] = []
    real = media._cut

    def noted(clip: str, *rest: object) -> object:
        cut.append(clip)
        return real(clip, *rest)  # type: ignore[arg-type]  # handed through

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(media, "_cut", noted)
        yield cut


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_killed_process_leaves_what_the_next_one_needs(
    miniature: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    """A real process, killed by the system in the middle of cutting; it kills itself so that no clock decides when."""
    script = textwrap.dedent(
        """
        import os, signal, sys
        from pathlib import Path
        from tests.support.miniature import Miniature
        from earmark.builders.making import make
        from earmark.builders.miniatures.seamless import SeamlessMiniature

        base, out = map(Path, sys.argv[1:])
        root = base / "corpus"
        mini = Miniature(base, SeamlessMiniature(root, root, root, root, ()))

        def progress(doing, done, total):
            if doing == "cutting clips" and done == 7:
                os.kill(os.getpid(), signal.SIGKILL)

        make(mini.order(out, media=True), progress)
        """
    )
    out = tmp_path / "release"
    run = subprocess.run(
        [sys.executable, "-c", script, str(miniature.base), str(out)], cwd=Path(__file__).parents[2], check=False
    )
    assert run.returncode == -signal.SIGKILL
    assert not out.exists()
    with cuts() as cut:
        make(replace(miniature.order(out, media=True), resume=True), quiet)
    assert len(cut) == miniature_release.table("clips").num_rows - 7
    assert files_of(out) == files_of(miniature_release.path)


# A corpus in which everything is wrong that can be.


@pytest.fixture(scope="module")
def flawed(tmp_path_factory: pytest.TempPathFactory, miniature: Miniature) -> Miniature:
    base = tmp_path_factory.mktemp("flawed")
    shutil.copy(miniature.key, base / "line.key")
    return Miniature(base, make_seamless(base / "corpus", seed=1, dyads=10, speech=False, scale=0.6, flaws=True))


FOUND = {
    "missing_partner": "corpus.no-partner",
    "silent": "corpus.silent",
    "vad_beyond_end": "corpus.vad-beyond-end",
    "overlapping_vad": "corpus.vad-overlap",
    "truncated_wav": "corpus.truncated-audio",
    "wrong_rate": "corpus.wrong-rate",
    "nan_samples": "corpus.not-pcm",
    "duplicate_id": "corpus.repeated-file",
    "absent_file": "corpus.no-partner",
    "path_in_id": "corpus.unsafe-id",
    "role_case": "corpus.role-case",
    "no_role_tag": "corpus.prompt-without-role",
    "broken_json": "corpus.bad-json",
    "no_transcript": "corpus.no-transcript",
    "not_downloaded": None,
    "words_without_times": None,
    "apple_double": None,
    "windows_line_ends": None,
    "byte_order_mark": None,
}
"""What each flaw is found as; None of those that are no fault of the user's and are read as they are meant."""


def test_every_flaw_is_a_named_finding_and_the_rest_is_built(
    flawed: Miniature, miniature_release: Release, tmp_path: Path
) -> None:
    made = flawed.build(tmp_path / "release", media=True)
    assert {flaw.name for flaw in flawed.corpus.flaws} == FOUND.keys()
    assert {code for code in FOUND.values() if code} <= made.findings.counts.keys()
    told: dict[str, str] = defaultdict(str)
    for finding in made.findings:
        told[finding.code.name] += f" {finding.place()} {finding.found} {finding.expected}"
    for flaw in flawed.corpus.flaws:
        code = FOUND[flaw.name]
        if code is not None:
            # What is wrong in a table is told by its conversation or by the number of its prompt.
            names = {flaw.where, flaw.where.rpartition("_P")[0], flaw.where[1:].partition("_")[0].zfill(8)} - {""}
            assert any(name in told[code] for name in names), f"{flaw} in {told[code]}"
    assert made.findings.exit_code == 1
    assert made.release is not None
    assert not validate(made.release).failed
    assert ids(miniature_release, "items") <= ids(made.release, "items"), "what was sound is built as without the flaws"


def test_strict_stops_at_the_first_error(flawed: Miniature, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        make(replace(flawed.order(tmp_path / "release"), strict=True), quiet)
    assert refused.value.findings.count(Severity.ERROR) == 1
    assert list(tmp_path.iterdir()) == []


def test_strict_is_content_with_what_is_sound(miniature: Miniature, tmp_path: Path) -> None:
    assert make(replace(miniature.order(tmp_path / "release"), strict=True), quiet).release is not None


def test_a_column_missing_stops_the_build(miniature: Miniature, tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    shutil.copy(miniature.key, base / "line.key")
    mini = Miniature(
        base, make_seamless(base / "corpus", seed=1, dyads=1, speech=False, scale=0.1, flaws=["missing_column"])
    )
    with pytest.raises(Refused) as refused:
        mini.build(base / "release")
    assert "role_b" in " ".join(finding.text() for finding in refused.value.findings)


# Segments of both directions, and the reference's sample.


@pytest.mark.parametrize(
    "sections",
    [
        {"segments": {"context_after": True}},
        {"sample": {"method": "reference", "share": 0.5, "floor": 1}},
        {"sample": {"share": 0.5, "floor": 1}},
    ],
    ids=["context after", "reference", "half"],
)
def test_other_recipes_are_sound_too(
    miniature: Miniature, tmp_path: Path, sections: dict[str, dict[str, object]]
) -> None:
    made = make(miniature.order(tmp_path / "release", recipe=miniature.recipe(**sections)), quiet)  # type: ignore[arg-type]  # plain
    assert made.release is not None
    assert not validate(made.release).failed
    reference = sections.get("sample", {}).get("method") == "reference"
    assert ("stance.public-draw" in made.findings.counts) == reference
