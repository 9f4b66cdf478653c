"""SpeechEQ read: what does not matter changes nothing, what is wrong costs its dialogue alone, and no record ends a reading."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.corpora.speecheq import Given, GivenDialogue, read_speecheq
from earmark.builders.corpora.speecheq.layout import subscale_folder
from earmark.builders.corpora.speecheq.reader import MOST_AUDIO
from earmark.builders.corpora.speecheq.records import MOST_BYTES
from earmark.builders.dialogues.records import RENDERINGS
from earmark.builders.miniatures.speecheq import make_speecheq
from earmark.builders.miniatures.speecheq_flaws import FLAWS, flaw_id
from earmark.builders.miniatures.speecheq_layout import OTHER_SKILL, SOUND, write_record
from earmark.manifests.attempts import DISSONANT, RESONANT
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

HEARD = ("same-audio", "unmeasurable")
"""Flaws that no record shows."""


def read(root: Path) -> tuple[Given, Findings]:
    findings = Findings()
    return read_speecheq(root, findings=findings, progress=lambda what, done, total: None), findings


class Single:
    """A corpus of one dialogue, whose record a test may change."""

    def __init__(self, root: Path, source: Path) -> None:
        self.root, self.folder = root, root / source.name
        shutil.copytree(source, self.folder)
        self.text = (self.folder / "metadata.json").read_text("utf-8")

    def record(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.text)
        return value

    def read(self, record: object | None = None) -> tuple[Given, Findings]:
        if record is None:
            (self.folder / "metadata.json").write_text(self.text, "utf-8")
        else:
            write_record(self.folder, record)  # type: ignore[arg-type]  # hostile ones are no mappings
        return read(self.root)

    def dialogue(self, record: object | None = None) -> GivenDialogue:
        (dialogue,) = self.read(record)[0].dialogues
        return dialogue


@pytest.fixture(scope="module")
def single(sound_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Single:
    sketch = SOUND[4]
    return Single(tmp_path_factory.mktemp("single") / "corpus", sound_corpus / sketch.subscale / sketch.id)


def test_every_sound_dialogue_is_read_as_it_was_written(sound_corpus: Path) -> None:
    given, findings = read(sound_corpus)
    assert [dialogue.name for dialogue in given.dialogues] == sorted(sketch.id for sketch in SOUND)
    for dialogue, sketch in zip(given.dialogues, sorted(SOUND), strict=True):
        assert (dialogue.subscale, dialogue.valence) == (sketch.subscale, sketch.valence)
        assert dialogue.generation == ("v1" if sketch.valence is None else "v2")
        genders = [spelling.replace("-", "").lower() for spelling in sketch.genders]
        assert [dialogue.first.gender, dialogue.second.gender] == genders
        assert [(clip.turn, clip.option) for clip in dialogue.clips] == list(RENDERINGS)
        for number, clip in enumerate(dialogue.clips, start=1):
            assert clip.path == f"{sketch.subscale}/{sketch.id}/audio/{number:02d}.mp3"
            assert clip.voice == sketch.voices[1 - clip.turn % 2]
            assert ("not about" in (clip.tone or "")) == (clip.option == DISSONANT)
            named = "toxic_optimist" if sketch.persona == "The Toxic Optimist" else None
            assert clip.failure == (named if clip.option == DISSONANT else None)
    assert {finding.id for finding in findings} == {OTHER_SKILL}
    assert findings.counts == {"speecheq.other-skill": 1}


def test_each_flaw_costs_its_dialogue_and_no_other(sound_corpus: Path, flawed_corpus: Path) -> None:
    given, findings = read(flawed_corpus)
    sound, _ = read(sound_corpus)
    heard = [flaw_id(n) for n, flaw in enumerate(FLAWS) if flaw in HEARD]
    assert [dialogue for dialogue in given.dialogues if dialogue.name not in heard] == list(sound.dialogues)
    errors: dict[str, set[str]] = {}
    for finding in findings:
        if finding.code.severity.value == "error":
            errors.setdefault(finding.id or "", set()).add(finding.code.name)
    expected = {flaw_id(n): {f"speecheq.{flaw}"} for n, flaw in enumerate(FLAWS) if flaw not in HEARD}
    assert errors == expected
    assert {entry.name for entry in given.dropped} == expected.keys()
    assert all(entry.reasons for entry in given.dropped)


def test_folders_of_subscales_change_nothing(sound_corpus: Path, tmp_path: Path) -> None:
    make_speecheq(tmp_path / "flat", flat=True)
    nested, flat = read(sound_corpus)[0], read(tmp_path / "flat")[0]
    assert nested.metadata == flat.metadata
    for one, other in zip(nested.dialogues, flat.dialogues, strict=True):
        assert one.record == other.record
        assert [clip.path.removeprefix(f"{one.subscale}/") for clip in one.clips] == [c.path for c in other.clips]


@settings(max_examples=25)
@given(
    order=st.permutations(range(8)),
    levels=st.lists(st.text("high lowé", max_size=8), min_size=8, max_size=8),
    above=st.sampled_from(["", "/", "C:\\data\\", "../../", "/Users/someone/x/", "a/b\\c/"]),
)
def test_neither_order_nor_fillers_nor_folders_of_others_matter(
    single: Single, order: list[int], levels: list[str], above: str
) -> None:
    plain, record = single.dialogue(), single.record()
    entries = record["audio_files"]
    for entry, level in zip(entries, levels, strict=True):
        entry["audio_path"] = above + entry["audio_path"].rpartition("/")[2]
        if entry["sentence_number"] not in (4, 6):
            entry["eq_level"] = level
    record["audio_files"] = [entries[n] for n in order]
    assert single.dialogue(record).clips == plain.clips


def test_the_level_and_not_the_number_says_what_is_resonant(single: Single) -> None:
    plain, record = single.dialogue(), single.record()
    for entry in record["audio_files"]:
        if entry["sentence_number"] in (4, 6):
            entry["eq_level"] = {"high": "low", "low": "high"}[entry["eq_level"]]
    given, findings = single.read(record)
    swapped = {(clip.turn, clip.option): clip.path for clip in given.dialogues[0].clips}
    for clip in plain.clips:
        option = {RESONANT: DISSONANT, DISSONANT: RESONANT}.get(clip.option, clip.option)
        assert swapped[clip.turn, option] == clip.path
    assert findings.counts["speecheq.other-number"] == 4


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def leaves(value: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Places of all that is in a JSON value, itself included."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for name, entry in inner for found in leaves(entry, (*place, name)))]


@settings(max_examples=60)
@given(data=st.data())
def test_whatever_stands_in_a_record_is_kept_whole_or_dropped_with_a_reason(
    single: Single, data: st.DataObject
) -> None:
    record = single.record()
    place = data.draw(st.sampled_from(leaves(record)))
    hostile = data.draw(JSON)
    if place:
        part: Any = record
        for name in place[:-1]:
            part = part[name]
        part[place[-1]] = hostile
    given, findings = single.read(record if place else hostile)
    assert len(given.dialogues) + len(given.dropped) == 1
    assert findings.failed == bool(given.dropped)
    for dialogue in given.dialogues:
        assert [(clip.turn, clip.option) for clip in dialogue.clips] == list(RENDERINGS)
        assert all(clip.path.startswith(f"{single.folder.name}/audio/") for clip in dialogue.clips)
        assert dialogue.subscale in {subscale.slug for subscale in SUBSCALES}
    for entry in given.dropped:
        assert entry.reasons


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda folder: (folder / "metadata.json").write_bytes(b" " * (MOST_BYTES + 1)), "bad-json"),
        (lambda folder: (folder / "metadata.json").write_text("[" * 100_000), "bad-json"),
        (lambda folder: _grow(folder / "audio" / "01.mp3"), "large-audio"),
    ],
)
def test_sizes_are_bounded(single: Single, tmp_path: Path, spoil: Callable[[Path], object], code: str) -> None:
    folder = tmp_path / "corpus" / single.folder.name
    single.read()
    shutil.copytree(single.folder, folder)
    spoil(folder)
    assert read(tmp_path / "corpus")[1].counts == {f"speecheq.{code}": 1}


def _grow(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(MOST_AUDIO + 1)  # sparse


@pytest.mark.parametrize("title", ["", " \n", "\0", "a\0", "\0a", "x" * 4095 + "\0"])
def test_a_text_says_something_and_has_no_nul(single: Single, title: str) -> None:
    record = single.record()
    record["scenario"]["title"] = title
    given, findings = single.read(record)
    assert not given.dialogues
    assert findings.counts == {"speecheq.bad-part": 1}


def test_one_name_in_two_folders_is_of_neither(single: Single, tmp_path: Path) -> None:
    single.read()
    for above in ("interpersonal_empathy", "stress_management_optimism"):
        shutil.copytree(single.folder, tmp_path / above / single.folder.name)
    given, findings = read(tmp_path)
    assert not given.dialogues
    assert findings.counts == {"speecheq.repeated-id": 1}


def test_another_subscales_folder_is_said_and_believed_less_than_the_scale(single: Single, tmp_path: Path) -> None:
    single.read()
    shutil.copytree(single.folder, tmp_path / "stress_management_optimism" / single.folder.name)
    given, findings = read(tmp_path)
    assert given.dialogues[0].subscale == "interpersonal_empathy"
    assert findings.counts == {"speecheq.other-folder": 1}


def test_a_folder_that_holds_none_says_where_they_may_be(sound_corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(sound_corpus, tmp_path / "repository" / "data")
    for root, hint in (
        (tmp_path / "repository" / "nothing", "metadata.json"),
        (tmp_path / "repository", "did you mean"),
    ):
        with pytest.raises(Refused) as refused:
            read(root)
        assert hint in "".join(finding.text() for finding in refused.value.findings)


def test_clips_without_a_record_and_names_that_are_none_are_said(single: Single, tmp_path: Path) -> None:
    single.read()
    shutil.copytree(single.folder, tmp_path / single.folder.name)
    (tmp_path / "lone" / "audio").mkdir(parents=True)
    (tmp_path / "bad name!").mkdir()
    (tmp_path / "bad name!" / "metadata.json").write_text("{}")
    given, findings = read(tmp_path)
    assert len(given.dialogues) == 1
    assert findings.counts == {"speecheq.no-record": 1, "speecheq.bad-id": 1}


def test_no_path_of_another_machine_is_kept(sound_corpus: Path) -> None:
    dialogues = read(sound_corpus)[0].dialogues
    assert len(dialogues) == len(SOUND)
    for dialogue in dialogues:
        assert "/Users/" not in dialogue.record
        assert "data/" not in dialogue.record
        assert json.loads(dialogue.record)["eq_scale"]


def test_a_folder_of_another_name_is_no_subscales() -> None:
    assert subscale_folder("train/x") is None


def test_the_real_dialogues(shared_data: Path) -> None:
    given, findings = read(shared_data / "speecheq")
    assert len(given.dialogues) == 12
    assert len({dialogue.subscale for dialogue in given.dialogues}) == 12
    assert sorted(dialogue.generation for dialogue in given.dialogues) == ["v1"] * 9 + ["v2"] * 3
    assert findings.counts == {"speecheq.other-skill": 1}
