"""Mirrors of Expresso: the official splits joined by id, or those that a mirror has kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.builders.corpora.mirrors.parquet import mirror_of

from earmark.builders.corpora.expresso import read_expresso
from earmark.builders.corpora.mirrors import ExpressoLayout, Extracted, Mirror, extract_mirror
from earmark.builders.miniatures.tones import utterance, write_wav
from earmark.manifests.findings import Findings

RATE = 48_000
TEXTS = {
    "ex01_default_00379": "We left the keys at home.",
    "ex01_happy_00379": "We left the keys at home.",
    "ex02_default_emphasis_00199": "She never *said* it was mine.",
    "ex03_whisper_00380": "Did you see that?",
}
SPLIT = {"ex01_default_00379": "train", "ex01_happy_00379": "dev"}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    folder = tmp_path_factory.mktemp("clips")
    made: list[dict[str, object]] = []
    for n, (id, text) in enumerate(TEXTS.items()):
        write_wav(folder / "clip.wav", utterance(seconds=0.2, f0=150, rate=RATE, seed=n), RATE, 24)
        audio = {"bytes": (folder / "clip.wav").read_bytes(), "path": f"{id}.wav"}
        made.append({"audio": audio, "text": text, "speaker_id": id[:4], "style": id.split("_")[1], "id": id})
    return made


@pytest.fixture
def official(tmp_path: Path) -> Path:
    folder = tmp_path / "official"
    folder.mkdir()
    for split in ("train", "dev", "test"):
        ids = [id for id in TEXTS if SPLIT.get(id, "test") == split]
        (folder / f"{split}.txt").write_text("# a comment\n" + "".join(f"{id}\n" for id in ids))
    return folder


def extract(mirror: Mirror, layout: ExpressoLayout, out: Path) -> tuple[Extracted, dict[str, int]]:
    findings = Findings()
    return extract_mirror(mirror, layout, out, findings=findings), codes_of(findings, "mirror")


def in_splits(out: Path) -> dict[str, str]:
    findings = Findings()
    corpus = read_expresso(out, splits=("train", "dev", "test"), findings=findings)
    assert [finding.text() for finding in findings] == []
    require_sound_rows(corpus)
    assert {str(row["utterance"]).removeprefix("expresso/"): row["text"] for row in corpus.rows} == TEXTS
    return {str(row["utterance"]).removeprefix("expresso/"): str(row["split"]) for row in corpus.rows}


def test_the_official_splits_are_joined_by_id(rows: list[dict[str, object]], official: Path, tmp_path: Path) -> None:
    mirror = mirror_of(tmp_path / "mirror", {"train": rows}, RATE)
    assert extract(mirror, ExpressoLayout(official), tmp_path / "out") == (Extracted(4, 0, 0), {})
    assert in_splits(tmp_path / "out") == {id: SPLIT.get(id, "test") for id in TEXTS}
    for row in rows:
        audio = row["audio"]
        assert isinstance(audio, dict)
        (path,) = (tmp_path / "out").rglob(f"{row['id']}.wav")
        assert path.read_bytes() == audio["bytes"]


def test_without_them_a_mirror_that_dropped_them_is_of_no_use(rows: list[dict[str, object]], tmp_path: Path) -> None:
    mirror = mirror_of(tmp_path / "mirror", {"train": rows}, RATE)
    assert extract(mirror, ExpressoLayout(), tmp_path / "out") == (Extracted(4, 0, 0), {"lacks": 1})
    assert not (tmp_path / "out" / "splits").exists()
    done, codes = extract(mirror, ExpressoLayout(tmp_path / "nowhere"), tmp_path / "out")
    assert (done, codes) == (Extracted(0, 4, 0), {"missing-file": 3})


@pytest.mark.parametrize("at_once", [True, False])
def test_splits_that_a_mirror_has_kept(rows: list[dict[str, object]], tmp_path: Path, at_once: bool) -> None:
    numbered = [row | {"speaker_id": int(str(row["speaker_id"])[2:]), "substyle": "x", "start_s": None} for row in rows]
    splits = {
        name: [row for row in numbered if SPLIT.get(str(row["id"]), "test") == split]
        for name, split in (("train", "train"), ("validation", "dev"), ("test", "test"))
    }
    mirror = mirror_of(tmp_path / "mirror", splits, RATE)
    for part in [mirror] if at_once else [{split: mirror[split], "test": mirror["test"]} for split in mirror]:
        _, codes = extract(part, ExpressoLayout(), tmp_path / "out")
        assert codes == {}
    assert in_splits(tmp_path / "out") == {id: SPLIT.get(id, "test") for id in TEXTS}


def test_rows_that_belong_nowhere(rows: list[dict[str, object]], official: Path, tmp_path: Path) -> None:
    window = {"start_s": "16.49", "end_s": "32.98"}
    more = [
        rows[0] | {"id": "ex01_default_longform_00001"} | window,
        rows[0] | {"id": "ex01-ex02_default_008"},
        rows[0] | {"id": "../ex01_default_00001"},
        rows[0] | {"id": "ex02_default_00001"},
    ]
    bare: dict[str, object] = {"start_s": None, "end_s": None}
    mirror = mirror_of(tmp_path / "mirror", {"train": [bare | row for row in (*rows, *more)]}, RATE)
    done, codes = extract(mirror, ExpressoLayout(official), tmp_path / "out")
    assert done == Extracted(4, 0, 4)
    assert codes == {"window": 1, "bad-id": 2, "disagrees": 1}
    assert len(in_splits(tmp_path / "out")) == 4


def test_an_unknown_split(rows: list[dict[str, object]], tmp_path: Path) -> None:
    mirror = mirror_of(tmp_path / "mirror", {"read": rows[:1], "test": rows[1:]}, RATE)
    done, codes = extract(mirror, ExpressoLayout(), tmp_path / "out")
    assert (done, codes) == (Extracted(3, 0, 1), {"unknown-split": 1})
