"""Going through a release in Python: the same as `earmark present` writes, one presentation at a time, with its audio."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pytest
import soundfile
import soxr
from tests.support.copies import as_published, rewritten, write_heard_release
from tests.support.miniature import quiet

import earmark
from earmark.audio import clips as decoded
from earmark.audio.clips import DecodedClips
from earmark.audio.decode import UndecodableAudio
from earmark.builders.presenting import present
from earmark.manifests.building import write_parquet
from earmark.manifests.errors import EarmarkError, PrivateSideMissing, ReleaseError, UnknownName
from earmark.manifests.parquet import stored
from earmark.manifests.release import Release
from earmark.opened import MOST_ROUNDS, OpenedRelease, Presentation, open_release


def told(presentation: Presentation) -> dict[str, object]:
    """What `earmark present` would write of it, but for places in the history that the judge's own answer decides."""
    return {
        "presentation_id": presentation.id,
        **({} if presentation.after is None else {"after": presentation.after}),
        "system": presentation.prompt.system,
        "clips": [{"label": clip.label, "audio": f"audio/{clip.clip_id}.flac"} for clip in presentation.clips],
        "user": presentation.prompt.user,
        "answer": presentation.prompt.answer,
    }


def requests(release: Release, protocol: str, out: Path) -> list[dict[str, object]]:
    present(release, out, protocol=protocol, modality=None, roots={}, progress=quiet)
    return [json.loads(line) for line in (out / "requests.jsonl").read_text(encoding="utf-8").splitlines()]


def require_same_audio(presentations: list[Presentation], out: Path) -> None:
    """Each clip sounds as the file that was written for it."""
    for presentation in presentations:
        for clip in presentation.clips:
            samples, rate = soundfile.read(out / "audio" / f"{clip.clip_id}.flac", dtype="float32")
            assert clip.rate == rate
            assert clip.samples.dtype == np.float32
            assert np.array_equal(clip.samples, samples)


@pytest.mark.parametrize("published", [False, True])
def test_a_release_is_gone_through_as_it_is_presented(
    miniature_release: Release, tmp_path: Path, published: bool
) -> None:
    shutil.copytree(miniature_release.path, tmp_path / "copy")
    wanted = requests(miniature_release, "both-orders", tmp_path / "out")
    release = open_release(tmp_path / "copy")
    if published:
        as_published(release)
    found = list(release.presentations())
    assert [told(presentation) for presentation in found] == wanted
    require_same_audio(found, tmp_path / "out")
    rows = {row["presentation_id"]: row for row in miniature_release.table("presentations").to_pylist()}
    for presentation in found:
        row = rows[presentation.id]
        assert (presentation.item, presentation.order) == (row["item_id"], row["order"])
        assert list(presentation.labels) == row["labels"]
        assert presentation.chosen is None


def test_a_dialogue_goes_on_with_what_was_chosen(toy_dialogues: Release, tmp_path: Path) -> None:
    protocol = next(entry.name for entry in toy_dialogues.manifest.protocols if entry.name.startswith("sequential"))
    wanted = requests(toy_dialogues, protocol, tmp_path / "out")
    found = list(open_release(toy_dialogues.path).presentations(protocol))
    assert [presentation.id for presentation in found] == [request["presentation_id"] for request in wanted]
    seen = set[str]()
    for presentation, request in zip(found, wanted, strict=True):
        clips = request["clips"]
        assert isinstance(clips, list)
        assert [clip["label"] for clip in clips if "audio" in clip] == list(presentation.labels)
        places = [clip for clip in clips if "audio" not in clip]
        if presentation.after is None:
            assert (presentation.chosen, places) == (None, [])
        else:
            assert presentation.after in seen
            (place,) = places
            chosen = presentation.chosen
            assert chosen is not None
            at = clips.index(place)
            assert (chosen.label, chosen.before) == (place["label"], clips[at + 1]["label"])
            stands = {choice: {"audio": f"audio/{clip.clip_id}.flac"} for choice, clip in chosen.clips.items()}
            assert place["options"] == stands
        seen.add(presentation.id)


def test_a_right_answer_in_the_history_is_heard_under_another_name(toy_dialogues: Release, tmp_path: Path) -> None:
    wanted = requests(toy_dialogues, "direct", tmp_path / "out")
    found = list(open_release(toy_dialogues.path).presentations("direct"))
    assert [told(presentation) for presentation in found] == wanted
    require_same_audio(found, tmp_path / "out")
    shutil.copytree(toy_dialogues.path, tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy" / "private")
    with pytest.raises(PrivateSideMissing):
        next(open_release(tmp_path / "copy").presentations("direct"))


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050])
def test_audio_is_resampled_to_the_rate_asked_for(miniature_release: Release, rate: int) -> None:
    """The resampler itself is the oracle."""
    for presentation in islice(open_release(miniature_release.path).presentations(rate=rate), 3):
        for clip in presentation.clips:
            native, own = soundfile.read(miniature_release.audio_file(clip.clip_id))
            assert clip.rate == rate
            wanted = native if own == rate else soxr.resample(native, own, rate, quality="HQ")
            assert np.allclose(clip.samples, wanted, atol=1e-6)


def test_clips_that_recur_are_decoded_once(miniature_release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    read, real = [], decoded.read_content
    monkeypatch.setattr(decoded, "read_content", lambda *args, **more: (read.append(args[1]), real(*args, **more))[1])
    heard = DecodedClips(miniature_release)
    clips = miniature_release.table("clips")["clip_id"].to_pylist()[:3]
    first = heard.samples(clips[0])[0]
    assert heard.samples(clips[0])[0] is first
    assert len(read) == 1
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1
    monkeypatch.setattr(decoded, "KEPT_BYTES", 1)
    for clip in (*clips, *clips):
        heard.samples(clip)
    assert len(heard._kept) == 1
    assert len(read) == 1 + 2 + 3  # the first was there still; in the second round none was


def test_nothing_is_read_before_it_is_needed(miniature_release: Release, tmp_path: Path) -> None:
    shutil.copytree(miniature_release.path, tmp_path / "copy")
    release = open_release(tmp_path / "copy")
    presentations = release.presentations()
    for path in (release.path / "public" / "audio").iterdir():
        path.write_bytes(b"no audio")
    with pytest.raises(UndecodableAudio, match="not readable as audio"):
        next(presentations)
    shutil.rmtree(release.path / "public" / "audio")
    with pytest.raises(ReleaseError, match="has no audio of the clip"):
        next(release.presentations())
    release.file("presentations").unlink()
    with pytest.raises(ReleaseError, match="cannot be read"):
        next(release.presentations())


def test_what_cannot_be_heard_is_refused_at_once(miniature_release: Release) -> None:
    release = open_release(miniature_release.path)
    with pytest.raises(EarmarkError, match="shown as transcript"):
        release.presentations("both-orders-transcript")
    with pytest.raises(UnknownName):
        release.presentations("other")
    for rate in (0, -1, 10**9):
        with pytest.raises(EarmarkError, match="a sampling rate is from 1"):
            release.presentations(rate=rate)


def with_presentations(release: Release, rows: list[dict[str, object]]) -> OpenedRelease:
    """The release with other presentations, its manifest being none the wiser but for their number."""
    table = pa.Table.from_pylist(rows, release.family.tables()["presentations"].arrow_schema())
    write_parquet(table, release.file("presentations"))
    tables = dict(release.manifest.tables)
    tables["presentations"] = msgspec.structs.replace(tables["presentations"], rows=len(rows))
    rewritten(release, msgspec.structs.replace(release.manifest, tables=tables))
    return open_release(release.path)


@pytest.fixture
def silent(tmp_path: Path) -> Release:
    """A release of audio that is nothing but read."""
    release = write_heard_release(tmp_path / "release", items=6)
    for path in (release.path / "public" / "audio").iterdir():
        soundfile.write(path, np.zeros(10, np.int16), 8_000)
    return release


def test_whoever_answers_in_turn_has_an_answer_before_it_is_needed(silent: Release) -> None:
    rows = silent.table("presentations").to_pylist()
    ids = [row["presentation_id"] for row in rows]
    for n in range(1, len(rows) - 2):
        rows[n - 1]["after"] = ids[n]  # a chain against the order of the table
    found = [presentation.id for presentation in with_presentations(silent, rows).presentations()]
    assert sorted(found) == sorted(ids)
    place = {id: at for at, id in enumerate(found)}
    assert all(place[row["after"]] < place[row["presentation_id"]] for row in rows if row["after"] is not None)
    roots = [row["presentation_id"] for row in rows if row["after"] is None]
    assert found[: len(roots)] == roots


def chains(rows: list[dict[str, object]]) -> Iterator[None]:
    """Presentations that go on with each other in a circle, and a chain beyond all measure."""
    for n, row in enumerate(rows):
        row["after"] = rows[(n + 1) % len(rows)]["presentation_id"]
    yield
    rows[-1]["after"] = None
    yield


def test_chains_that_have_no_end_are_damage(silent: Release) -> None:
    rows = silent.table("presentations").to_pylist()
    more = [dict(row, presentation_id=f"p{n:026d}".replace("0", "a")) for n, row in enumerate(rows * 2)]
    assert len(more) > MOST_ROUNDS
    for _ in chains(more):
        with pytest.raises(ReleaseError, match="goes on with more than"):
            list(with_presentations(silent, more).presentations())


@pytest.mark.parametrize(
    "change",
    [{"prompt_id": "other"}, {"labels": []}, {"clips": ["../../release"]}, {"clips": [f"c{26 * 'a'}"]}],
)
def test_what_does_not_fit_together_is_damage(silent: Release, change: dict[str, object]) -> None:
    rows = silent.table("presentations").to_pylist()
    rows[0] |= change
    with pytest.raises(ReleaseError):
        list(with_presentations(silent, rows).presentations())


def test_a_table_that_would_fill_the_memory_is_damage(silent: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "_FEW_BYTES", 100)
    with pytest.raises(ReleaseError, match="more than 100 bytes"):
        next(open_release(silent.path).presentations())


def test_the_face_opens_such_a_release(silent: Release) -> None:
    release = earmark.open_release(silent.path)
    assert isinstance(release, OpenedRelease)
    assert isinstance(release, Release)
    assert release.manifest == silent.manifest
    assert earmark.open_release(silent.path, private=silent.path / "private").has_private_side
