"""EARS joined: the same whatever the order of entries and folders, and every disagreement of its files found."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.builders.corpora.tiny import write_wav

from earmark.builders.corpora.ears import read_ears, split_of
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

TEST = tuple(f"p{n}" for n in range(102, 108))
FRAMES = {"fast": 700, "regular": 1000, "slow": 1400}


def genders() -> dict[str, dict[str, object]]:
    stated = ("male", "female", "male", "prefer not to answer", "female", "male", "non-binary / third gender", "male")
    return {f"p{n}": {"gender": gender, "age": "26-35"} for n, gender in enumerate(stated, start=100)}


@dataclass
class Tiny:
    """A corpus of the speakers p100 to p107 who read one text at three paces, silence alone, some 20 ms each."""

    root: Path
    texts: dict[str, object] = field(default_factory=lambda: {f"rainbow_01_{pace}": "One two." for pace in FRAMES})
    speakers: dict[str, dict[str, object]] = field(default_factory=genders)

    def write(self) -> Tiny:
        for speaker in self.speakers:
            for pace, frames in FRAMES.items():
                self.record(speaker, f"rainbow_01_{pace}", frames)
        return self.describe()

    def record(self, speaker: str, stem: str, frames: int = 1000) -> Path:
        return write_wav(self.wav(speaker, stem), frames)

    def wav(self, speaker: str, stem: str) -> Path:
        return self.root / speaker / f"{stem}.wav"

    def describe(self, random: Random | None = None) -> Tiny:
        for name, value in (("transcripts", self.texts), ("speaker_statistics", self.speakers)):
            entries = list(value.items())
            shuffled = random.sample(entries, len(entries)) if random else entries
            (self.root / f"{name}.json").write_text(json.dumps(dict(shuffled)), "utf-8")
        return self

    def read(self, *splits: str) -> tuple[SpeechCorpus, dict[str, int]]:
        findings = Findings()
        corpus = read_ears(self.root, splits=splits or ("test",), findings=findings)
        require_sound_rows(corpus)
        return corpus, codes_of(findings, "ears")


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path).write()


def row_of(corpus: SpeechCorpus, speaker: str, stem: str) -> dict[str, object]:
    (row,) = [row for row in corpus.rows if row["utterance"] == f"ears/{speaker}/{stem}"]
    return row


def test_what_stands_in_the_rows(tiny: Tiny) -> None:
    corpus, codes = tiny.read()
    assert codes == {}
    assert len(corpus.rows) == 18
    assert row_of(corpus, "p104", "rainbow_01_fast") == {
        "utterance": "ears/p104/rainbow_01_fast",
        "corpus": "ears",
        "path": "p104/rainbow_01_fast.wav",
        "channel": 0,
        "rate": 48_000,
        "start": 0,
        "end": 700,
        "speaker": "ears/p104",
        "session": None,
        "script": "rainbow_01",
        "text": "One two.",
        "text_source": "transcripts.json",
        "sex": "female",
        "age": None,
        "age_group": None,
        "style": "fast",
        "substyle": None,
        "pace": "fast",
        "emphasised": [],
        "split": "test",
    }
    assert {row["sex"] for row in corpus.rows if row["speaker"] in {"ears/p103", "ears/p106"}} == {None}


def test_splits_are_of_speakers(tiny: Tiny) -> None:
    assert {row["speaker"] for row in tiny.read("valid")[0].rows} == {"ears/p100", "ears/p101"}
    assert {row["speaker"] for row in tiny.read()[0].rows} == {f"ears/{speaker}" for speaker in TEST}
    assert [split_of(f"p{n:03d}") for n in range(1, 108)] == ["train"] * 99 + ["valid"] * 2 + ["test"] * 6
    corpus, codes = tiny.read("train", "valid")
    assert {row["split"] for row in corpus.rows} == {"valid"}
    assert codes == {"missing-speaker": 99}


def test_speech_without_a_text_and_manners_that_are_no_pace(tiny: Tiny) -> None:
    for stem in (
        "freeform_speech_01",
        "emo_anger_freeform",
        "vegetative_coughing",
        "rainbow_01_whisper",
        "sentences_15_regular",
    ):
        tiny.record("p102", stem)
    tiny.texts |= {"rainbow_01_whisper": "One two.", "sentences_15_regular": "Three."}
    corpus, codes = tiny.describe().read()
    assert codes == {}
    columns = ("style", "script", "pace", "text")
    assert {
        stem: tuple(row_of(corpus, "p102", stem)[name] for name in columns)
        for stem in (
            "freeform_speech_01",
            "emo_anger_freeform",
            "vegetative_coughing",
            "rainbow_01_whisper",
            "sentences_15_regular",
        )
    } == {
        "freeform_speech_01": ("freeform", None, None, None),
        "emo_anger_freeform": ("emo_anger", None, None, None),
        "vegetative_coughing": ("vegetative", None, None, None),
        "rainbow_01_whisper": ("whisper", "rainbow_01", None, "One two."),
        "sentences_15_regular": ("regular", "sentences_15", "regular", "Three."),
    }


@settings(max_examples=8)
@given(st.randoms(use_true_random=False))
def test_order_of_entries_changes_nothing(tmp_path_factory: pytest.TempPathFactory, random: Random) -> None:
    tiny = Tiny(tmp_path_factory.getbasetemp() / "entries")
    tiny.root.mkdir(exist_ok=True)
    first = tiny.write().read("valid", "test")
    assert tiny.describe(random).read("test", "valid") == first


def test_a_text_that_is_known_by_half_its_stem_is_not_taken(tiny: Tiny) -> None:
    tiny.texts = {"rainbow": "One two.", "rainbow_01": "One two.", "rainbow_01_fast": "One two."}
    corpus, codes = tiny.describe().read()
    assert codes == {"bad-transcript": 2, "no-transcript": 12}
    assert {row["pace"] for row in corpus.rows if row["text"] is not None} == {"fast"}


def test_readings_of_one_text_with_other_words_have_no_script(tiny: Tiny) -> None:
    tiny.texts["rainbow_01_slow"] = "One three."
    corpus, codes = tiny.describe().read()
    assert codes == {"texts-differ": 1}
    assert {row["script"] for row in corpus.rows} == {None}
    assert row_of(corpus, "p104", "rainbow_01_slow")["text"] == "One three."


def test_lengths_that_contradict_a_pace_are_said_and_labels_stay(tiny: Tiny) -> None:
    tiny.record("p105", "rainbow_01_fast", 1001)
    tiny.record("p106", "rainbow_01_slow", 999)
    corpus, codes = tiny.read()
    assert codes == {"pace": 2}
    assert row_of(corpus, "p105", "rainbow_01_fast")["pace"] == "fast"


def test_speakers_that_are_absent_or_not_described(tiny: Tiny) -> None:
    for pace in FRAMES:
        tiny.wav("p107", f"rainbow_01_{pace}").unlink()
    del tiny.speakers["p102"]
    corpus, codes = tiny.describe().read()
    assert codes == {"missing-speaker": 1, "unlisted-speaker": 1}
    assert len(corpus.rows) == 15
    assert row_of(corpus, "p102", "rainbow_01_fast")["sex"] is None


def test_files_that_are_not_where_or_what_they_should_be(tiny: Tiny) -> None:
    tiny.record("p102", "rainbow_01_fast (1)")
    tiny.record("p103/inner", "rainbow_01_fast")
    tiny.record("p104/p104", "rainbow_02_fast")
    tiny.wav("p105", "._rainbow_01_fast").write_bytes(b"Mac OS X")
    tiny.wav("p106", "rainbow_01_slow").write_bytes(b"RIFF")
    corpus, codes = tiny.read()
    assert codes == {
        "bad-stem": 1,
        "repeated-audio": 1,
        "other-folder": 1,
        "companion-file": 1,
        "unreadable-audio": 1,
    }
    kept = {(row["speaker"], row["script"], row["pace"]) for row in corpus.rows}
    lost = {("ears/p103", "rainbow_01", "fast"), ("ears/p106", "rainbow_01", "slow")}
    assert kept == {(f"ears/{speaker}", "rainbow_01", pace) for speaker in TEST for pace in FRAMES} - lost


def test_two_channels_are_refused_and_another_rate_is_said(tiny: Tiny) -> None:
    write_wav(tiny.wav("p102", "rainbow_01_fast"), 700, channels=2)
    write_wav(tiny.wav("p103", "rainbow_01_fast"), 233, rate=16_000)
    corpus, codes = tiny.read()
    assert codes == {"channels": 1, "rate": 1}
    assert len(corpus.rows) == 17
    assert row_of(corpus, "p103", "rainbow_01_fast")["rate"] == 16_000


@pytest.mark.parametrize(
    ("gone", "split", "code"),
    [
        (".", "test", "no-corpus"),
        ("transcripts.json", "test", "unreadable-file"),
        ("speaker_statistics.json", "test", "unreadable-file"),
        (None, "dev", "unknown-split"),
    ],
)
def test_what_cannot_be_read_at_all(tiny: Tiny, gone: str | None, split: str, code: str) -> None:
    if gone not in {None, "."}:
        (tiny.root / str(gone)).unlink()
    findings = Findings()
    with pytest.raises(Refused):
        read_ears(tiny.root / "absent" if gone == "." else tiny.root, splits=(split,), findings=findings)
    assert codes_of(findings, "ears") == {code: 1}


def test_progress_comes_to_its_end(tiny: Tiny) -> None:
    told: list[tuple[int, int]] = []
    read_ears(tiny.root, findings=Findings(), progress=lambda done, total: told.append((done, total)))
    assert told == [(n, 18) for n in range(1, 19)]


@pytest.fixture(scope="module")
def real(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> SpeechCorpus:
    """The real metadata and file names, with silence for audio."""
    root = tmp_path_factory.mktemp("real")
    for name in ("transcripts.json", "speaker_statistics.json"):
        (root / name).write_bytes((shared_data / "ears" / name).read_bytes())
    listed = json.loads((shared_data / "ears" / "test_files.json").read_text("utf-8"))
    for speaker, stems in listed.items():
        for stem in stems:
            write_wav(root / speaker / f"{stem}.wav", FRAMES.get(stem.rpartition("_")[2], 1000))
    corpus, codes = Tiny(root).read()
    assert codes == {}
    return corpus


def test_real_pace_pairs(real: SpeechCorpus) -> None:
    assert len(real.rows) == 6 * 139
    scripts: dict[tuple[object, object], set[object]] = {}
    for row in real.rows:
        if row["pace"] is not None:
            scripts.setdefault((row["speaker"], row["script"]), set()).add(row["pace"])
    full = {key for key, paces in scripts.items() if paces == set(FRAMES)}
    paced = [row for row in real.rows if row["pace"] is not None and (row["speaker"], row["script"]) in full]
    assert len(paced) == 180
    assert len({row["script"] for row in paced}) == 10

    def alike(one: dict[str, object], other: dict[str, object]) -> bool:
        return (one["speaker"], one["script"]) == (other["speaker"], other["script"]) and one["pace"] != other["pace"]

    assert sum(alike(*pair) for pair in combinations(paced, 2)) == 180
    assert sum(alike(*pair) for pair in permutations(paced, 2)) == 360


def test_real_texts_and_sexes(real: SpeechCorpus) -> None:
    without = {str(row["utterance"]).rpartition("/")[2] for row in real.rows if row["text"] is None}
    assert all("freeform" in stem for stem in without)
    assert len(without) == 24
    sexes = {str(row["speaker"]).rpartition("/")[2]: row["sex"] for row in real.rows}
    assert sexes == {"p102": "male", "p103": None, "p104": "female", "p105": "male", "p106": "female", "p107": "male"}
