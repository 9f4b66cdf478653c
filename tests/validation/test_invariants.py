"""Invariants: each code is found by a release corrupted in exactly that way, and no corruption makes `validate` raise."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.tiny import write_tiny_release

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Code, Findings, Severity
from earmark.manifests.release import MANIFEST, open_release
from earmark.validation import dialogues, invariants, on_disk, pairs, protocols, schemas, stance, strategies
from earmark.validation.dialogues import chains, renderings, shape
from earmark.validation.invariants import COMMON, SIDES, validate
from earmark.validation.strategies import CORRUPTIONS, Broken, Corruption, write_broken

MODULES = (schemas, on_disk, protocols, invariants, stance, pairs, shape, chains, renderings)
CODES = sorted(
    {value.name: value for module in MODULES for value in vars(module).values() if isinstance(value, Code)}.values(),
    key=lambda code: code.name,
)


def validated(folder: Path) -> Findings:
    return validate(open_release(folder))


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_every_code_has_a_corruption(code: Code) -> None:
    assert code.name in {corruption.code for corruption in CORRUPTIONS}


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda corruption: corruption.name)
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_each_corruption_is_found(corruption: Corruption, data: st.DataObject) -> None:
    drawn = data.draw(strategies.releases(corruption.family or "stance"))
    with TemporaryDirectory() as folder:
        findings = validate(write_broken(Broken(drawn, corruption), Path(folder) / "release"))
    assert corruption.code in findings.counts
    severity = {code.name: code.severity for code in CODES}[corruption.code]
    assert findings.exit_code == (severity is Severity.ERROR)


@settings(max_examples=15, deadline=None)
@given(drawn=strategies.releases("stance"))
def test_a_sound_release_is_found_without_fault(drawn: strategies.Drawn) -> None:
    with TemporaryDirectory() as folder:
        release = strategies.write_release(drawn, Path(folder) / "release")
        assert list(validate(release)) == []
        shutil.rmtree(release.path / "private")
        public = validate(open_release(release.path))
    assert public.counts == {"release.no-private-side": 1}
    assert public.exit_code == 0


def test_every_invariant_is_named_once_and_told_in_a_sentence() -> None:
    for own in (stance.INVARIANTS, pairs.INVARIANTS, dialogues.INVARIANTS):
        every = (*COMMON, *own)
        assert len({invariant.name for invariant in every}) == len(every)
        assert all(invariant.means.endswith(".") for invariant in every)


def sound(tmp_path: Path) -> Path:
    """A release whose folder is the same at every run; its recipe is no stance recipe, which is all that is wrong with it."""
    write_tiny_release(tmp_path / "release", items=4)
    return tmp_path / "release"


def test_many_faults_are_found_at_once(tmp_path: Path) -> None:
    folder = sound(tmp_path)
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["canary"] = "x"
    manifest["facets"][0]["items"] = 9
    manifest["tables"]["prompts"]["rows"] = 9
    (folder / MANIFEST).write_text(json.dumps(manifest))
    (folder / "public" / "stray").touch()
    found = validated(folder).counts
    assert found.keys() >= {"release.canary", "release.facets", "release.row-count", "release.public-extra"}


def test_findings_say_where_and_what_would_be_right(tmp_path: Path) -> None:
    folder = sound(tmp_path)
    path = folder / "public" / "clips.parquet"
    table = pq.read_table(path)
    rates = table["rate"].to_pylist()
    rates[2] = -5
    pq.write_table(table.set_column(2, table.schema.field("rate"), pa.array(rates, pa.int64())), path)
    finding = next(entry for entry in validated(folder) if entry.code.name == "table.value")
    assert (finding.file, finding.row, finding.column) == ("clips.parquet", 3, "rate")
    assert (finding.id, finding.found, finding.expected) == (table["clip_id"][2].as_py(), "-5", "at least 1 Hz")


def test_the_answers_alone_missing_is_a_broken_private_side(tmp_path: Path) -> None:
    folder = sound(tmp_path)
    (folder / "private" / "answers.parquet").unlink()
    findings = validated(folder)
    assert "release.no-private-side" not in findings.counts
    assert [entry.file for entry in findings if entry.code.name == "release.unreadable"] == ["answers.parquet"]
    assert findings.exit_code == 1


def test_a_private_side_kept_apart_is_checked_there(tmp_path: Path) -> None:
    folder = sound(tmp_path)
    here = validated(folder).counts
    (folder / "private").rename(tmp_path / "vault")
    assert "release.no-private-side" in validated(folder).counts
    apart = open_release(folder, private=tmp_path / "vault")
    assert validate(apart).counts == here
    (tmp_path / "vault" / "notes").touch()
    assert validate(apart).counts == {**here, "release.private-extra": 1}


def test_a_private_files_hash_must_not_be_public(tmp_path: Path) -> None:
    folder = sound(tmp_path)
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["tables"]["answers"]["file_hash"] = "sha256:" + "0" * 64
    (folder / MANIFEST).write_text(json.dumps(manifest))
    finding = next(entry for entry in validated(folder) if entry.code.name == "release.file-hash")
    assert finding.id == "answers"
    assert finding.expected is not None
    assert "guesses the answers" in finding.expected


def test_a_build_may_have_its_own_files_beside_it(tmp_path: Path) -> None:
    folder = sound(tmp_path)
    (folder / "journal.jsonl").touch()
    release = open_release(folder)
    assert "release.public-extra" in validate(release).counts
    assert "release.public-extra" not in validate(release, building=True).counts
    assert SIDES in COMMON


def test_audio_is_held_against_the_manifest(tmp_path: Path) -> None:
    folder = sound(tmp_path)
    clips = pq.read_table(folder / "public" / "clips.parquet")["clip_id"].to_pylist()
    audio = folder / "public" / "audio"
    audio.mkdir()
    for clip in clips:
        (audio / f"{clip}.flac").write_bytes(clip.encode())
    manifest = json.loads((folder / MANIFEST).read_text())

    def media(**value: object) -> Findings:
        manifest["media"] = {"rate": 16_000, "files": len(clips), "hash": "sha256:0", **value}
        (folder / MANIFEST).write_text(json.dumps(manifest))
        return validated(folder)

    told = next(entry for entry in media() if entry.code.name == "media.files").found
    assert told is not None
    true = told.rpartition(" ")[2]
    assert "media.files" not in media(hash=true).counts
    assert media(hash=true, files=3).counts["media.files"] == 1
    (audio / f"{clips[0]}.flac").write_bytes(b"other")
    assert media(hash=true).counts["media.files"] == 1
    (audio / f"{clips[0]}.flac").unlink()
    (audio / f"{clips[0]}.flac").mkdir()
    (audio / "more.flac").touch()
    assert media(hash=true).counts["media.files"] == 2


# What somebody else's hands may do to a folder.


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release whose recipe is sound, so that every invariant is at work on what was done to it."""
    folder = tmp_path_factory.mktemp("whole") / "release"
    write_tiny_release(folder, items=4, transcripts=True)
    manifest = json.loads((folder / MANIFEST).read_text())
    positive, negative = ({"roles": [role], "categories": []} for role in ("x", "y"))
    dimension = {"id": "S0", "mode": "single", "positive": positive, "negative": negative}
    segments = dict.fromkeys(
        ("single_close_s", "single_most_s", "single_tail_s", "context_least_s", "context_most_s"), 1.0
    ) | {"target_least_s": 1.0, "target_most_s": 2.0}
    manifest["recipe"] = {
        "mapping": {"dimension": [dimension]},
        "sample": {"method": "hash", "share": 0.5, "floor": 1},
        "segments": segments,
    }
    (folder / MANIFEST).write_text(json.dumps(manifest))
    return folder


@pytest.fixture(scope="module")
def files(whole: Path) -> list[str]:
    return sorted(path.relative_to(whole).as_posix() for path in whole.rglob("*") if path.is_file())


def looked_at(folder: Path) -> Findings | None:
    """The findings, or None where the folder is no release at all, which is an error that a caller can act on."""
    try:
        release = open_release(folder)
    except EarmarkError:
        return None
    return validate(release)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_flipped_byte_makes_it_raise_or_goes_unseen(data: st.DataObject, whole: Path, files: list[str]) -> None:
    name = data.draw(st.sampled_from([name for name in files if name != MANIFEST]))
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "release"
        shutil.copytree(whole, folder)
        content = bytearray((folder / name).read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
        changed = bytes(content) != (folder / name).read_bytes()
        (folder / name).write_bytes(content)
        findings = validated(folder)
        if changed and name.startswith("public/"):
            assert findings.failed, "the hash of a public file is in the manifest"


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_flipped_byte_of_the_manifest_makes_it_raise(data: st.DataObject, whole: Path) -> None:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "release"
        shutil.copytree(whole, folder)
        content = bytearray((folder / MANIFEST).read_bytes())
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.sampled_from(b'0129azP"{}[]:,- \xff'))
        (folder / MANIFEST).write_bytes(content)
        looked_at(folder)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_lost_swapped_cut_or_foreign_file_makes_it_raise(data: st.DataObject, whole: Path, files: list[str]) -> None:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "release"
        shutil.copytree(whole, folder)
        for _ in range(data.draw(st.integers(1, 3))):
            path = folder / data.draw(st.sampled_from(files))
            other = folder / data.draw(st.sampled_from(files))
            match data.draw(st.sampled_from(("lose", "swap", "cut", "foreign", "folder", "empty"))):
                case "lose":
                    if path.is_file():
                        path.unlink()
                case "swap":
                    if path.is_file() and other.is_file():
                        mine, theirs = path.read_bytes(), other.read_bytes()
                        path.write_bytes(theirs)
                        other.write_bytes(mine)
                case "cut":
                    if path.is_file():
                        content = path.read_bytes()
                        path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
                case "foreign":
                    if not path.is_dir():
                        pq.write_table(pa.table({"a": [1, None], "b": [[], None]}), path)
                case "folder":
                    if path.is_file():
                        path.unlink()
                    path.mkdir(exist_ok=True)
                case "empty":
                    if not path.is_dir():
                        path.write_bytes(b"")
        looked_at(folder)


STRANGE = st.one_of(
    st.none(),
    st.sampled_from(("", "x", "toy", "P", "N", "S0", "audio", "context", "target", "both-orders")),
    st.integers(-3, 3),
    st.sampled_from((-(2**63), 2**63 - 1, float("nan"), float("inf"), -1.0, 0.0, True)),
    st.just([]),
    st.lists(st.sampled_from((None, "", "x", 0, -1, 7)), max_size=3),
)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_strange_cell_makes_it_raise(data: st.DataObject, whole: Path) -> None:
    """Any cell may be replaced by any other value of its column's type, or by null, in several tables at once."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "release"
        shutil.copytree(whole, folder)
        paths = sorted(folder.glob("*/*.parquet"))
        for _ in range(data.draw(st.integers(1, 3))):
            path = data.draw(st.sampled_from(paths))
            table = pq.read_table(path, partitioning=None)
            field = data.draw(st.sampled_from(list(table.schema)))
            cells = table[field.name].to_pylist()
            if not cells:
                continue
            strange = data.draw(STRANGE)
            some = data.draw(st.sets(st.integers(0, len(cells) - 1), min_size=1))
            cells = [strange if at in some else cell for at, cell in enumerate(cells)]
            try:
                column = pa.array(cells, field.type)
            except (pa.ArrowException, TypeError, OverflowError):
                continue
            at = table.schema.get_field_index(field.name)
            pq.write_table(table.set_column(at, pa.field(field.name, field.type), column), path)
        validated(folder)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_strange_manifest_makes_it_raise(data: st.DataObject, whole: Path) -> None:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "release"
        shutil.copytree(whole, folder)
        value = json.loads((folder / MANIFEST).read_text())
        node = value
        while True:
            at = data.draw(st.sampled_from(sorted(node))) if isinstance(node, dict) else 0
            if isinstance(node[at], dict | list) and node[at] and data.draw(st.booleans()):
                node = node[at]
                continue
            node[at] = data.draw(
                STRANGE.filter(
                    lambda cell: cell == cell and abs(cell) != float("inf") if isinstance(cell, float) else True
                )
            )
            break
        (folder / MANIFEST).write_text(json.dumps(value))
        looked_at(folder)
