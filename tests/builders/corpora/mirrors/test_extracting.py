"""Mirrors written out and read by the ordinary readers; stopped, repeated, hostile."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.builders.corpora.mirrors.parquet import Row, mirror_of
from tests.support.miniature import files_of

from earmark.builders.corpora.libritts import read_libritts
from earmark.builders.corpora.mirrors import Extracted, LibriTTSLayout, Mirror, Placed, extract_mirror, load_mirror
from earmark.builders.corpora.mirrors.loading import UnreadableMirror
from earmark.builders.miniatures.libritts import RATE, READERS, make_libritts
from earmark.manifests.errors import MissingExtra, Refused
from earmark.manifests.findings import Findings

FIRST = "61_70968_000000_000000"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("original") / "LibriTTS"
    make_libritts(root, flaws=False)
    return root


def rows_of(root: Path, subset: str) -> list[dict[str, object]]:
    """The rows that `mythicinfinity/libritts` has of a subset."""
    return [
        {
            "audio": {"bytes": path.read_bytes(), "path": path.name},
            "text_normalized": path.with_suffix(".normalized.txt").read_text().strip(),
            "text_original": path.with_suffix(".original.txt").read_text().strip(),
            "speaker_id": path.name.split("_")[0],
            "path": f"/somebody/LibriTTS/{path.relative_to(root).as_posix()}",
            "chapter_id": path.name.split("_")[1],
            "id": path.stem,
        }
        for path in sorted((root / subset).rglob("*.wav"))
    ]


def splits_of(root: Path) -> dict[str, list[dict[str, object]]]:
    return {f"test.{kind}": rows_of(root, f"test-{kind}") for kind in ("clean", "other")}


@pytest.fixture(scope="module")
def mirror(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Mirror:
    pytest.importorskip("datasets")
    return mirror_of(tmp_path_factory.mktemp("mirror"), splits_of(corpus), RATE)


def extract(mirror: Mirror, corpus: Path, out: Path) -> tuple[Extracted, dict[str, int]]:
    findings = Findings()
    done = extract_mirror(mirror, LibriTTSLayout(corpus / "SPEAKERS.txt"), out, findings=findings)
    return done, codes_of(findings, "mirror")


def changed(corpus: Path, tmp_path: Path, **change: object) -> Mirror:
    """A mirror of test-clean whose first row is another."""
    rows = rows_of(corpus, "test-clean")
    rows[0] |= change
    return mirror_of(tmp_path / "changed", {"test.clean": rows}, RATE)


def test_what_was_written_is_what_the_original_says(mirror: Mirror, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "LibriTTS"
    assert extract(mirror, corpus, out) == (Extracted(18, 0, 0), {})
    original, copy = files_of(corpus), files_of(out)
    wavs = {name for name in original if name.endswith(".wav")}
    assert wavs == {name for name in copy if name.endswith(".wav")}
    same = wavs | {name for name in original if name.endswith(("trans.tsv", "SPEAKERS.txt"))}
    assert {name: copy[name] for name in same} == {name: original[name] for name in same}
    assert copy.keys() == same
    findings = Findings()
    found = read_libritts(out, findings=findings)
    assert len(findings) == 0
    require_sound_rows(found)
    assert found == read_libritts(corpus, findings=Findings())


def test_a_second_run_writes_nothing(mirror: Mirror, corpus: Path, tmp_path: Path) -> None:
    extract(mirror, corpus, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert extract(mirror, corpus, tmp_path) == (Extracted(0, 18, 0), {})
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("whole_files", [0, 1, 7, 19])
def test_a_run_that_was_killed_is_taken_up(
    mirror: Mirror, corpus: Path, tmp_path: Path, whole_files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, left = Path.replace, [whole_files]

    def until_killed(path: Path, target: Path) -> Path:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", until_killed)
        with pytest.raises(KeyboardInterrupt):
            extract(mirror, corpus, tmp_path / "out")
    for path in (tmp_path / "out").rglob("*.wav"):
        sf.read(path)  # what has its own name is whole
    done, codes = extract(mirror, corpus, tmp_path / "out")
    assert codes == {}
    assert (done.written + done.kept, done.kept) == (18, min(whole_files, 18))
    extract(mirror, corpus, tmp_path / "at once")
    assert files_of(tmp_path / "out") == files_of(tmp_path / "at once")


def test_splits_may_be_written_one_after_another_and_in_any_order(mirror: Mirror, corpus: Path, tmp_path: Path) -> None:
    extract(mirror, corpus, tmp_path / "together")
    for split in sorted(mirror, reverse=True):
        extract({split: mirror[split]}, corpus, tmp_path / "apart")
    backwards = {name: list(reversed(rows)) for name, rows in splits_of(corpus).items()}
    extract(mirror_of(tmp_path / "mirror", backwards, RATE), corpus, tmp_path / "backwards")
    assert files_of(tmp_path / "apart") == files_of(tmp_path / "together") == files_of(tmp_path / "backwards")


def test_flac_becomes_wav_of_the_same_samples(corpus: Path, tmp_path: Path) -> None:
    splits: dict[str, list[dict[str, object]]] = splits_of(corpus)
    for row in (row for rows in splits.values() for row in rows):
        audio = row["audio"]
        assert isinstance(audio, dict)
        samples, rate = sf.read(io.BytesIO(audio["bytes"]), dtype="int16")
        flac = io.BytesIO()
        sf.write(flac, samples, rate, format="FLAC", subtype="PCM_16")
        row["audio"] = {"bytes": flac.getvalue(), "path": "x.flac"}
    mirror = mirror_of(tmp_path / "mirror", splits, RATE)
    assert extract(mirror, corpus, tmp_path / "out") == (Extracted(18, 0, 0), {})
    assert extract(mirror, corpus, tmp_path / "out") == (Extracted(0, 18, 0), {})
    for path in corpus.rglob("*.wav"):
        copy = tmp_path / "out" / path.relative_to(corpus)
        np.testing.assert_array_equal(sf.read(copy, dtype="int16")[0], sf.read(path, dtype="int16")[0])
        assert sf.info(copy).subtype == "PCM_16"


@pytest.mark.parametrize(
    "id",
    [
        "../../../outside/61_70968_000000_000000",
        "/tmp/61_70968_000000_000000",  # noqa: S108
        "..",
        "61_70968_000000_000000/../../x",
        "61_70968_000000_000000\x00",
        "C:61_70968_000000_000000",
        "",
        None,
    ],
)
def test_no_id_leads_out_of_the_folder(corpus: Path, tmp_path: Path, id: str | None) -> None:
    mirror = changed(corpus, tmp_path, id=id)
    done, codes = extract(mirror, corpus, tmp_path / "box" / "out")
    assert done == Extracted(11, 0, 1)
    assert codes == ({"bad-value": 1} if id is None else {"bad-id": 1})
    assert [path.name for path in (tmp_path / "box").iterdir()] == ["out"]
    assert len(list(tmp_path.rglob("*.wav"))) == 11


def test_no_path_is_followed(corpus: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.wav"
    shutil.copyfile(next(corpus.rglob("*.wav")), secret)
    rows = rows_of(corpus, "test-clean")
    audio = rows[0]["audio"]
    assert isinstance(audio, dict)
    rows[0] |= {"path": "../../outside.wav", "audio": {"bytes": audio["bytes"], "path": "../../outside.wav"}}
    rows[1] |= {"audio": {"bytes": None, "path": str(secret)}}
    done, codes = extract(mirror_of(tmp_path / "mirror", {"test.clean": rows}, RATE), corpus, tmp_path / "box" / "out")
    assert done == Extracted(11, 0, 1)
    assert codes == {"no-bytes": 1}
    assert [path.name for path in (tmp_path / "box").iterdir()] == ["out"]
    assert (tmp_path / "box/out" / f"test-clean/{rows[0]['speaker_id']}").is_dir()


@dataclass(frozen=True)
class Hostile:
    """Somebody's layout, which believes what a mirror says."""

    columns = ("id", "path")
    further = ()

    def place(self, row: Mapping[str, object], split: str) -> Placed:
        return Placed(str(row["id"]), str(row["path"]), split, None)

    def lacks(self, splits: Sequence[str]) -> str | None:
        return None

    def tables(self, placed: Sequence[Placed], splits: Sequence[str]) -> Mapping[str, Sequence[str]]:
        return {"../table.tsv": ["x"]}

    def copies(self) -> Mapping[str, Path]:
        return {}


@pytest.mark.parametrize(
    "path", ["../x.wav", "/x.wav", "a/../../x.wav", "link/x.wav", "..\\x.wav", "C:/x.wav", "", "x\0"]
)
def test_not_even_a_credulous_layout_writes_outside(corpus: Path, tmp_path: Path, path: str) -> None:
    rows = [row | {"path": path} for row in rows_of(corpus, "test-clean")[:1]]
    mirror = mirror_of(tmp_path / "mirror", {"train": rows}, RATE)
    out = tmp_path / "box" / "out"
    out.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (out / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    findings = Findings()
    assert extract_mirror(mirror, Hostile(), out, findings=findings) == Extracted(0, 0, 1)
    assert codes_of(findings, "mirror") == {"outside": 2}
    assert [entry.name for entry in (tmp_path / "box").rglob("*")] == ["out", "link"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"speaker_id": "999"}, "disagrees"),
        ({"chapter_id": "1"}, "disagrees"),
        ({"audio": {"bytes": b"", "path": "a"}}, "no-bytes"),
        ({"audio": None}, "no-bytes"),
        ({"audio": {"bytes": b"OggS and more", "path": "a"}}, "bad-audio"),
    ],
)
def test_a_row_of_no_use_costs_itself_alone(corpus: Path, tmp_path: Path, change: dict[str, object], code: str) -> None:
    done, codes = extract(changed(corpus, tmp_path, **change), corpus, tmp_path / "out")
    assert done == Extracted(11, 0, 1)
    assert codes == {code: 1}
    findings = Findings()
    assert len(read_libritts(tmp_path / "out", splits=["test-clean"], findings=findings).rows) == 11
    assert len(findings) == 0


def test_an_id_that_stands_twice_is_of_neither(corpus: Path, tmp_path: Path) -> None:
    rows = rows_of(corpus, "test-clean")
    for more in (rows[:1], [rows[0] | {"audio": rows[1]["audio"]}]):
        mirror = mirror_of(tmp_path / f"mirror{len(list(tmp_path.iterdir()))}", {"test.clean": rows + more}, RATE)
        done, codes = extract(mirror, corpus, tmp_path / "out")
        assert done.dropped == 2
        assert codes == {"repeated-id": 1}
    assert len(list((tmp_path / "out").rglob("*.wav"))) == 11


def test_another_file_is_left_as_it_is(mirror: Mirror, corpus: Path, tmp_path: Path) -> None:
    mine = tmp_path / "test-clean/61/70968" / f"{FIRST}.wav"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    (tmp_path / "SPEAKERS.txt").write_text("mine")
    assert extract(mirror, corpus, tmp_path) == (Extracted(17, 0, 1), {"other-file": 2})
    assert (mine.read_bytes(), (tmp_path / "SPEAKERS.txt").read_text()) == (b"mine", "mine")
    table = mine.parent / "61_70968.trans.tsv"
    table.write_bytes(b"\xff")
    assert extract(mirror, corpus, tmp_path)[1] == {"other-file": 3}
    assert table.read_bytes() == b"\xff"
    table.unlink()
    extract(mirror, corpus, tmp_path)
    assert FIRST not in (mine.parent / "61_70968.trans.tsv").read_text()


def test_a_split_or_column_or_table_that_is_not_there(corpus: Path, tmp_path: Path) -> None:
    rows: Sequence[Row] = rows_of(corpus, "test-clean")
    assert extract(mirror_of(tmp_path / "a", {"test": rows}, RATE), corpus, tmp_path / "out") == (
        Extracted(0, 0, 12),
        {"unknown-split": 12},
    )
    bare = [{name: row[name] for name in row if name not in {"id", "text_original"}} for row in rows]
    done, codes = extract(mirror_of(tmp_path / "b", {"test.clean": bare}, RATE), corpus, tmp_path / "out")
    assert (done, codes) == (Extracted(0, 0, 12), {"missing-column": 1})
    done, codes = extract(mirror_of(tmp_path / "c", {"test.clean": rows}, RATE), tmp_path, tmp_path / "out")
    assert (done, codes) == (Extracted(12, 0, 0), {"missing-file": 1})


def test_a_full_disk_stops_it_and_leaves_nothing_half_written(
    mirror: Mirror, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as stream:
            stream.write(data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    findings = Findings()
    with pytest.raises(Refused):
        extract_mirror(mirror, LibriTTSLayout(corpus / "SPEAKERS.txt"), tmp_path / "out", findings=findings)
    assert codes_of(findings, "mirror") == {"unwritable": 1}
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


def test_text_that_would_break_a_table_stays_on_its_line(corpus: Path, tmp_path: Path) -> None:
    mirror = changed(corpus, tmp_path, text_normalized="one\ttwo\nthree\u2028four", text_original=None)
    assert extract(mirror, corpus, tmp_path / "out") == (Extracted(12, 0, 0), {})
    assert extract(mirror, corpus, tmp_path / "out") == (Extracted(0, 12, 0), {})
    findings = Findings()
    rows = read_libritts(tmp_path / "out", splits=["test-clean"], findings=findings).rows
    assert len(findings) == 0
    assert "one two three\u2028four" in {row["text"] for row in rows}


def test_a_row_without_words_is_kept_and_one_whose_words_are_none_is_not(corpus: Path, tmp_path: Path) -> None:
    mirror = changed(corpus, tmp_path, text_normalized=None)
    assert extract(mirror, corpus, tmp_path / "out") == (Extracted(12, 0, 0), {})
    findings = Findings()
    rows = read_libritts(tmp_path / "out", splits=["test-clean"], findings=findings).rows
    assert [row["text"] is None for row in rows] == [True] + [False] * 11
    assert codes_of(findings, "libritts") == {"no-text": 1}
    numbers = [row | {"text_normalized": 3} for row in rows_of(corpus, "test-clean")]
    mirror = mirror_of(tmp_path / "numbers", {"test.clean": numbers}, RATE)
    assert extract(mirror, corpus, tmp_path / "other") == (Extracted(0, 0, 12), {"bad-value": 12})


def test_progress_ends_at_the_end(mirror: Mirror, corpus: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    layout = LibriTTSLayout(corpus / "SPEAKERS.txt")
    extract_mirror(mirror, layout, tmp_path, findings=Findings(), progress=lambda *at: told.append(at))
    assert told == [(n, 3 * len(READERS)) for n in range(1, 3 * len(READERS) + 1)]


def test_a_folder_that_datasets_knows_by_itself(corpus: Path, tmp_path: Path) -> None:
    mirror_of(tmp_path / "mirror", splits_of(corpus), RATE)
    shutil.rmtree(tmp_path / "mirror" / "cache")
    mirror = load_mirror(tmp_path / "mirror", cache=tmp_path / "cache")
    assert sorted(mirror) == ["test.clean", "test.other"]
    assert extract(mirror, corpus, tmp_path / "out") == (Extracted(18, 0, 0), {})


def test_one_split_of_several(corpus: Path, tmp_path: Path) -> None:
    mirror_of(tmp_path / "mirror", splits_of(corpus), RATE)
    files = {"test.other": ["data/test.other-*.parquet"]}
    mirror = load_mirror(tmp_path / "mirror", files=files, cache=tmp_path / "cache")
    assert extract(mirror, corpus, tmp_path / "out") == (Extracted(6, 0, 0), {})


def test_without_datasets_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"earmark\[build\]"):
        load_mirror(tmp_path)


def test_what_cannot_be_loaded(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "train.parquet").write_bytes(b"PAR1")
    for source, files in (
        (tmp_path / "empty", None),
        (tmp_path / "broken", None),
        (tmp_path, {"train": ["none.parquet"]}),
        ("nobody/has-this-mirror", None),
    ):
        with pytest.raises(UnreadableMirror):
            load_mirror(source, files=files, cache=tmp_path / "cache")
    mirror_of(tmp_path / "mirror", {"train": [{"audio": rows_of(corpus, "test-clean")[0]["audio"], "id": "x"}]}, RATE)
    with pytest.raises(UnreadableMirror, match="'sound'"):
        load_mirror(tmp_path / "mirror", audio="sound", cache=tmp_path / "cache")
