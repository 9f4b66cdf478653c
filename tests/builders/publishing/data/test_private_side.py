"""The private side that is published: marks the same, and has neither words nor persons of corpora that forbid it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.golden import GOLDENS
from tests.support.publishable import publishable

from earmark.builders.publishing.data.private_side import reduced_sources, write_private_side
from earmark.manifests.copies.shipped import shipped
from earmark.manifests.errors import ReleaseError
from earmark.manifests.release import Release, open_release
from earmark.scoring.face import require_true_tables, score
from earmark.scoring.measuring import Options

NOBODY: frozenset[str] = frozenset()
OPTIONS = Options(resamples=100, seed=1)


@pytest.fixture(scope="module", params=GOLDENS)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Release:
    return publishable(tmp_path_factory.mktemp("private") / "release", request.param, media=False)


def every_clip(release: Release) -> frozenset[str]:
    return frozenset(release.table("clips")["clip_id"].to_pylist())


def opened(release: Release, whole: frozenset[str], folder: Path) -> Release:
    """The release with the private side that is published."""
    write_private_side(release, whole, folder)
    return open_release(release.path, private=folder / "private")


def test_nothing_but_what_scoring_needs_is_there(release: Release, tmp_path: Path) -> None:
    write_private_side(release, every_clip(release), tmp_path)
    names = {path.name for path in (tmp_path / "private").iterdir()}
    assert names == {"answers.parquet", "sources.parquet", "shipped.json"}
    for name in ("answers", "sources"):
        stored = release.file(name).read_bytes()
        assert (tmp_path / "private" / f"{name}.parquet").read_bytes() == stored


def test_a_row_that_may_not_be_told_has_no_word_and_no_person(release: Release, tmp_path: Path) -> None:
    every = sorted(every_clip(release))
    whole = frozenset(every[::2])
    found = {row["clip_id"]: row for row in opened(release, whole, tmp_path).table("sources").to_pylist()}
    rows = release.table("sources").to_pylist()
    plain = {"clip_id", "corpus", "corpus_version", "path", "pcm_hash"}
    choices = {column.name for column in release.family.tables()["sources"].columns if column.choices}
    for row in rows:
        if row["clip_id"] in whole:
            assert found[row["clip_id"]] == row
            continue
        told = found[row["clip_id"]]
        kept = {name for name, cell in row.items() if isinstance(cell, str) and told[name] == cell}
        assert kept <= plain | choices
        assert {told[name] for name in ("text", "text_source", "tone_text")} == {None}
        assert {told.get(name) for name in ("sex", "age", "age_group", "style", "pace")} == {None}
        assert not told.get("emphasised")
    for name in ("speaker", "conversation", "prompt", "script"):
        pairs = {(row[name], found[row["clip_id"]][name]) for row in rows if row["clip_id"] not in whole}
        assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}), name


def test_answers_say_nothing_of_speakers_who_may_not_be_told_but_the_gold(release: Release, tmp_path: Path) -> None:
    whole = frozenset(sorted(every_clip(release))[::2])
    hushed = {row["item_id"] for row in release.table("item_clips").to_pylist() if row["clip_id"] not in whole}
    found = opened(release, whole, tmp_path)
    changed = set()
    for row, told in zip(release.table("answers").to_pylist(), found.table("answers").to_pylist(), strict=True):
        expected = {**row, "sex": None} if "sex" in row and row["item_id"] in hushed else row
        assert told == expected
        if told != row:
            changed.add(row["item_id"])
    said = shipped(found)
    assert said is not None
    assert said.tables["answers"].reduced is bool(changed)
    assert bool(changed) is (release.family.name == "pairs")


def test_nobody_without_the_key_makes_the_same_names(release: Release) -> None:
    table, rows = release.family.tables()["sources"], release.table("sources").to_pylist()
    one, other = (reduced_sources(table, rows, NOBODY, key) for key in (release.key, bytes(32)))
    assert not {row["speaker"] for row in one} & {row["speaker"] for row in other}


@pytest.mark.slow
def test_marks_are_the_same(release: Release, tmp_path: Path) -> None:
    predictions = GOLDENS[release.family.name].path / "predictions.jsonl"
    here = score(release, predictions, options=OPTIONS).report.as_json()
    whole = score(opened(release, every_clip(release), tmp_path / "whole"), predictions, options=OPTIONS)
    assert whole.report.as_json() == here
    reduced = score(opened(release, NOBODY, tmp_path / "reduced"), predictions, options=OPTIONS).report.as_json()
    signature = reduced["signature"]
    assert isinstance(signature, dict)
    assert signature.pop("sources") == "reduced"
    assert signature == here["signature"]
    drawn = {"intervals": 0, "p": 0, "p_adjusted": 0}
    metrics, those = reduced["metrics"], here["metrics"]
    assert isinstance(metrics, list)
    assert isinstance(those, list)
    # The sex of those who may not be told of counts as undisclosed.
    metrics, those = (
        [{**entry, **drawn} for entry in entries if not entry["slice"].startswith("sex:")]
        for entries in (metrics, those)
    )
    assert metrics == those


@pytest.mark.parametrize("name", ["answers", "sources"])
def test_a_table_that_was_changed_is_not_marked_on(release: Release, tmp_path: Path, name: str) -> None:
    copy = opened(release, NOBODY, tmp_path)
    require_true_tables(copy)
    path = copy.file(name)
    content = bytearray(path.read_bytes())
    at = content.index(b"ARROW:schema")
    content[at] ^= 32  # a table that reads as it did
    path.write_bytes(content)
    with pytest.raises(ReleaseError, match=f"table {name} at hand is not the one that was published"):
        require_true_tables(copy)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "does not say what was published"),
        ('{"canary": 1}', "does not say what was published"),
        (
            '{"canary":"c","release":"other@1.0.0","content_hash":"blake2b-256:0","tables":{}}',
            "is of the release other@1.0.0",
        ),
    ],
)
def test_another_release_s_private_side_is_not_taken(release: Release, tmp_path: Path, text: str, said: str) -> None:
    copy = opened(release, NOBODY, tmp_path)
    (tmp_path / "private" / "shipped.json").write_text(text)
    with pytest.raises(ReleaseError, match=said):
        shipped(copy)


def test_a_private_side_that_lacks_a_table_says_which(release: Release, tmp_path: Path) -> None:
    copy = opened(release, NOBODY, tmp_path)
    file = tmp_path / "private" / "shipped.json"
    file.write_text(file.read_text().replace('"answers"', '"selection"'))
    with pytest.raises(ReleaseError, match="table answers is none of those"):
        require_true_tables(copy)
