"""Expresso joined: the same whatever the order of lines and folders, and every disagreement of its files found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of, require_sound_rows
from tests.builders.corpora.tiny import write_wav

from earmark.builders.corpora.expresso import parse_stem, read_expresso
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

HAPPY, SAD, LOUD, LONG = (
    "ex01_happy_00379",
    "ex02_sad_00380",
    "ex03_default_emphasis_00199",
    "ex01_default_longform_00001",
)
TALK = "ex04-ex01_animal-animaldir_007"
TEXTS = {
    HAPPY: "We left the keys at home.",
    SAD: "Did you <laugh> see that?",
    LOUD: "She *said* it *right now*.",
    LONG: "One sentence. And another.",
}


@dataclass
class Tiny:
    """A corpus of five recordings, silence alone, 0.1 s each."""

    root: Path
    texts: list[str] = field(default_factory=lambda: [f"{stem}\t{text}" for stem, text in TEXTS.items()])
    splits: dict[str, list[str]] = field(
        default_factory=lambda: {
            "train": [f"{LONG}\t(0.05s,)", f"{TALK}\t(60.0s,)"],
            "dev": [f"{LONG}\t(,0.02s)"],
            "test": [HAPPY, SAD, LOUD, f"{LONG}\t(0.02s,0.05s)", f"{TALK}\t(,0.08s)"],
        }
    )

    def write(self) -> Tiny:
        for stem in (HAPPY, SAD, LOUD, LONG, TALK):
            self.record(stem, channels=2 if stem == TALK else 1)
        return self.describe()

    def record(self, stem: str, frames: int = 4800, *, channels: int = 1) -> Path:
        return write_wav(self.wav(stem), frames, channels=channels, width=3)

    def describe(self, random: Random | None = None) -> Tiny:
        files = {"read_transcriptions.txt": self.texts} | {
            f"splits/{name}.txt": self.splits[name] for name in self.splits
        }
        (self.root / "splits").mkdir(exist_ok=True)
        for name, lines in files.items():
            shuffled = random.sample(lines, len(lines)) if random else lines
            (self.root / name).write_text("".join(f"{line}\n" for line in shuffled), "utf-8")
        return self

    def wav(self, stem: str) -> Path:
        return self.root / parse_stem(stem).path

    def read(self, *splits: str, conversational: bool = False) -> tuple[SpeechCorpus, dict[str, int]]:
        findings = Findings()
        corpus = read_expresso(self.root, splits=splits or ("test",), conversational=conversational, findings=findings)
        require_sound_rows(corpus)
        return corpus, codes_of(findings, "expresso")

    def codes(self) -> dict[str, int]:
        """Codes beyond those that the sound corpus has."""
        usual = {"tag": 1, "conversations-left-out": 1}
        return {name: count for name, count in self.read()[1].items() if count != usual.get(name)}


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path).write()


def names(corpus: SpeechCorpus) -> list[str]:
    return [str(row["utterance"]).removeprefix("expresso/") for row in corpus.rows]


def test_what_stands_in_the_rows(tiny: Tiny) -> None:
    corpus, codes = tiny.read()
    assert codes == {"tag": 1, "conversations-left-out": 1}
    rows = dict(zip(names(corpus), corpus.rows, strict=True))
    assert set(rows) == {HAPPY, SAD, LOUD, f"{LONG}@960-2400"}
    assert rows[LOUD] == {
        "utterance": f"expresso/{LOUD}",
        "corpus": "expresso",
        "path": f"audio_48khz/read/ex03/default/base/{LOUD}.wav",
        "channel": 0,
        "rate": 48_000,
        "start": 0,
        "end": 4800,
        "speaker": "expresso/ex03",
        "session": None,
        "script": None,
        "text": TEXTS[LOUD],
        "text_source": "read_transcriptions.txt",
        "sex": "male",
        "age": None,
        "age_group": None,
        "style": "default",
        "substyle": "default_emphasis",
        "pace": None,
        "emphasised": ["said", "right now"],
        "split": "test",
    }
    assert rows[SAD]["text"] == TEXTS[SAD]
    assert (rows[HAPPY]["sex"], rows[SAD]["sex"]) == ("male", "female")


def test_a_window_of_a_transcribed_file_has_no_text(tiny: Tiny) -> None:
    corpus, _ = tiny.read("train", "dev", "test")
    windows = {row["split"]: row for row in corpus.rows if LONG in str(row["utterance"])}
    assert {split: (row["start"], row["end"]) for split, row in windows.items()} == {
        "train": (2400, 4800),
        "dev": (0, 960),
        "test": (960, 2400),
    }
    assert all(
        row["text"] is None and row["text_source"] is None and row["emphasised"] == [] for row in windows.values()
    )
    tiny.splits["test"], tiny.splits["train"], tiny.splits["dev"] = [LONG], [], []
    corpus, _ = tiny.describe().read()
    assert names(corpus) == [LONG]
    assert corpus.rows[0]["text"] == TEXTS[LONG]


def test_conversations_are_two_rows_for_those_who_ask(tiny: Tiny) -> None:
    corpus, codes = tiny.read(conversational=True)
    assert codes == {"tag": 1}
    rows = [row for row in corpus.rows if row["session"] is not None]
    assert [(row["utterance"], row["channel"], row["speaker"], row["style"], row["sex"]) for row in rows] == [
        (f"expresso/{TALK}/channel1@0-3840", 0, "expresso/ex04", "animal", "female"),
        (f"expresso/{TALK}/channel2@0-3840", 1, "expresso/ex01", "animaldir", "male"),
    ]
    assert all(row["session"] == TALK and row["text"] is None and row["substyle"] is None for row in rows)


@settings(max_examples=8)
@given(st.randoms(use_true_random=False))
def test_order_of_lines_changes_nothing(tmp_path_factory: pytest.TempPathFactory, random: Random) -> None:
    tiny = Tiny(tmp_path_factory.getbasetemp() / "lines")
    tiny.root.mkdir(exist_ok=True)
    first = tiny.write().read("train", "dev", "test", conversational=True)
    assert tiny.describe(random).read("test", "train", "dev", conversational=True) == first


def test_hashes_are_of_all_that_was_read(tiny: Tiny) -> None:
    before = tiny.read()[0].metadata
    assert set(before) == {"read_transcriptions.txt", "splits/train.txt", "splits/dev.txt", "splits/test.txt"}
    tiny.texts[0] += " Again."
    after = tiny.describe().read()[0].metadata
    assert {name for name in before if before[name] != after[name]} == {"read_transcriptions.txt"}


def test_progress_comes_to_its_end(tiny: Tiny) -> None:
    told: list[tuple[int, int]] = []
    read_expresso(tiny.root, findings=Findings(), progress=lambda done, total: told.append((done, total)))
    assert told == [(n, 4) for n in range(1, 5)]


def lost(tiny: Tiny, *stems: str) -> bool:
    return set(names(tiny.read()[0])) == {HAPPY, SAD, LOUD, f"{LONG}@960-2400"} - set(stems)


def test_recordings_that_are_absent(tiny: Tiny) -> None:
    tiny.wav(HAPPY).unlink()
    assert tiny.codes() == {"missing-audio": 1}
    assert lost(tiny, HAPPY)


def test_recordings_in_no_split(tiny: Tiny) -> None:
    tiny.record("ex02_singing_00001")
    assert tiny.codes() == {"unlisted-audio": 1}
    assert lost(tiny)
    # Without all splits nobody knows what is in none.
    (tiny.root / "splits" / "train.txt").unlink()
    assert tiny.codes() == {"unreadable-file": 1}


def test_recordings_in_two_splits(tiny: Tiny) -> None:
    tiny.splits["dev"].append(HAPPY)
    assert tiny.describe().codes() == {"two-splits": 2}
    assert lost(tiny, HAPPY)


def test_companions_of_a_mac(tiny: Tiny) -> None:
    tiny.wav(HAPPY).with_name(f"._{HAPPY}.wav").write_bytes(b"Mac OS X")
    assert tiny.codes() == {"companion-file": 1}
    assert lost(tiny)


@pytest.mark.parametrize("folder", ["ex02/happy/base", "ex01/sad/base", "ex01/happy/longform", "ex01/happy"])
def test_recordings_in_another_folder_than_their_stem_says(tiny: Tiny, folder: str) -> None:
    there = tiny.root / "audio_48khz" / "read" / folder
    there.mkdir(parents=True, exist_ok=True)
    tiny.wav(HAPPY).rename(there / f"{HAPPY}.wav")
    assert tiny.codes() == {"other-folder": 1}
    assert lost(tiny, HAPPY)


def test_recordings_in_two_places(tiny: Tiny) -> None:
    write_wav(tiny.root / "audio_48khz" / "read" / "ex01" / "sad" / "base" / f"{HAPPY}.wav")
    assert tiny.codes() == {"repeated-audio": 1}
    assert lost(tiny, HAPPY)


def test_recordings_in_two_places_of_which_one_is_among_conversations(tiny: Tiny) -> None:
    write_wav(tiny.root / "audio_48khz" / "conversational" / "ex01" / f"{HAPPY}.wav")
    corpus, codes = tiny.read(conversational=True)
    assert codes == {"tag": 1, "repeated-audio": 1}
    assert HAPPY not in names(corpus)


@settings(max_examples=25)
@given(
    st.sampled_from(("read_transcriptions.txt", "splits/test.txt", "splits/dev.txt")),
    st.lists(
        st.one_of(st.binary(max_size=20), st.text("*\t(,)s.#exé_0179\n", max_size=20).map(str.encode)), max_size=4
    ),
    st.integers(0, 400),
)
def test_no_bytes_in_the_metadata_raise_anything_but_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, name: str, noise: list[bytes], at: int
) -> None:
    tiny = Tiny(tmp_path_factory.getbasetemp() / "noise")
    if not tiny.root.exists():
        tiny.root.mkdir()
        tiny.write()
    path = tiny.describe().root / name
    data = path.read_bytes()
    path.write_bytes(data[:at] + b"\n".join(noise) + data[at:])
    corpus, _ = tiny.read("train", "dev", "test", conversational=True)
    assert len(corpus.rows) <= 12


@pytest.mark.parametrize(
    ("how", "code"),
    [
        (lambda path: write_wav(path, 4800, channels=2), "channels"),
        (lambda path: path.write_bytes(b"RIFF"), "unreadable-audio"),
        (lambda path: path.write_bytes(path.read_bytes()[:-3]), "truncated"),
        (lambda path: write_wav(path, 0), "empty-audio"),
    ],
)
def test_headers_that_are_wrong(tiny: Tiny, how: object, code: str) -> None:
    how(tiny.wav(SAD))  # type: ignore[operator]  # it is one of the functions above
    assert tiny.codes() == {code: 1}
    assert lost(tiny, SAD)


def test_a_converted_copy_keeps_its_own_samples(tiny: Tiny) -> None:
    for stem in (SAD, LONG):
        write_wav(tiny.wav(stem), 1600, rate=16_000)
    assert tiny.codes() == {"rate": 2}
    rows = {str(row["utterance"]): row for row in tiny.read()[0].rows}
    assert (rows[f"expresso/{SAD}"]["rate"], rows[f"expresso/{SAD}"]["end"]) == (16_000, 1600)
    assert f"expresso/{LONG}@320-800" in rows


def test_conversations_with_one_channel(tiny: Tiny) -> None:
    tiny.record(TALK, channels=1)
    corpus, codes = tiny.read(conversational=True)
    assert codes == {"tag": 1, "channels": 1}
    assert len(corpus.rows) == 4


@pytest.mark.parametrize("window", ["(0.05s,0.2s)", "(0.1s,)", "(0.05s,0.1001s)"])
def test_windows_that_end_behind_the_recording(tiny: Tiny, window: str) -> None:
    tiny.splits["test"], tiny.splits["train"] = [HAPPY, SAD, LOUD, f"{LONG}\t{window}"], []
    corpus, codes = tiny.describe().read()
    assert codes == {"tag": 1, "window-beyond-end": 1}
    assert names(corpus) == [HAPPY, SAD, LOUD]


def test_recordings_without_a_transcript(tiny: Tiny) -> None:
    tiny.texts = tiny.texts[1:]
    assert tiny.describe().codes() == {"no-transcript": 1}
    row = next(row for row in tiny.read()[0].rows if row["utterance"] == f"expresso/{HAPPY}")
    assert (row["text"], row["text_source"], row["emphasised"]) == (None, None, [])


@pytest.mark.parametrize(
    ("line", "code", "count", "text"),
    [
        (f"{LOUD}\t{TEXTS[LOUD]}", "repeated-transcript", 1, TEXTS[LOUD]),
        (f"{LOUD}\tShe said *it*.", "conflicting-transcript", 2, None),
    ],
)
def test_transcripts_that_stand_twice(tiny: Tiny, line: str, code: str, count: int, text: str | None) -> None:
    tiny.texts.append(line)
    assert tiny.describe().codes() == {code: count}
    row = next(row for row in tiny.read()[0].rows if row["utterance"] == f"expresso/{LOUD}")
    assert row["text"] == text
    assert row["emphasised"] == (["said", "right now"] if text else [])


def test_marks_that_do_not_pair_up_leave_no_text(tiny: Tiny) -> None:
    tiny.texts[2] = f"{LOUD}\tShe *said it."
    assert tiny.describe().codes() == {"bad-mark": 1}
    row = next(row for row in tiny.read()[0].rows if row["utterance"] == f"expresso/{LOUD}")
    assert (row["text"], row["emphasised"]) == (None, [])


def test_a_line_in_another_encoding_costs_that_line(tiny: Tiny) -> None:
    path = tiny.root / "read_transcriptions.txt"
    path.write_bytes(path.read_bytes().replace(b"keys", b"k\xe9ys"))
    assert tiny.codes() == {"bad-encoding": 1, "no-transcript": 1}
    assert lost(tiny)


def test_speakers_that_nobody_knows(tiny: Tiny) -> None:
    tiny.record("ex05_happy_00001")
    tiny.splits["test"].append("ex05_happy_00001")
    tiny.texts.append("ex05_happy_00001\tHello.")
    corpus, codes = tiny.describe().read()
    assert codes["unknown-speaker"] == 1
    assert [row["sex"] for row in corpus.rows if row["speaker"] == "expresso/ex05"] == [None]


@pytest.mark.parametrize(
    ("gone", "splits", "code"),
    [
        ((".",), ("test",), "no-corpus"),
        (("read_transcriptions.txt",), ("test",), "unreadable-file"),
        (("splits/test.txt",), ("test",), "unreadable-file"),
        ((), ("valid",), "unknown-split"),
    ],
)
def test_what_cannot_be_read_at_all(tiny: Tiny, gone: Sequence[str], splits: Sequence[str], code: str) -> None:
    root = tiny.root / "absent" if "." in gone else tiny.root
    for name in gone:
        if name != ".":
            (root / name).unlink()
    findings = Findings()
    with pytest.raises(Refused):
        read_expresso(root, splits=splits, findings=findings)
    assert codes_of(findings, "expresso")[code] == 1


def test_the_other_spelling_of_the_folder(tiny: Tiny) -> None:
    before = tiny.read()[0]
    (tiny.root / "splits").rename(tiny.root / "expresso_splits")
    after = tiny.read()[0]
    assert after.rows == before.rows
    assert "expresso_splits/test.txt" in after.metadata
