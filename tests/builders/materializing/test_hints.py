"""Hints: what others of a file, others of a copy, or the corpus let one suppose, where of a clip itself nothing is proved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray
from tests.builders.materializing.toy import RATE, Spec, noise, publish_by_hand, write
from tests.support.miniature import quiet

from earmark.builders.materializing.deviations import DIFFERS, Deviation
from earmark.builders.materializing.deviations import RATE as OF_RATE
from earmark.builders.materializing.hints import with_hints
from earmark.builders.materializing.inverses import SCALED
from earmark.builders.materializing.materialize import Order, materialize
from earmark.builders.materializing.recipes import Recipe
from earmark.manifests.findings import Code
from earmark.manifests.parquet.stored import read_stored
from earmark.manifests.release import open_release

FRAMES = 16_000
EARLY, LATE = [(3_000, 9_000)], [(9_000, FRAMES)]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of one file of two channels, and a recipe release of an early clip of one and a late one of the other."""
    base = tmp_path_factory.mktemp("toy")
    write(base / "corpus/one.wav", noise(FRAMES, 2))
    specs = [Spec("one.wav", EARLY), Spec("one.wav", LATE, channel=1)]
    publish_by_hand(base / "corpus", specs, base / "release")
    return base


def told(
    toy: Path, tmp_path: Path, change: Callable[[NDArray[np.int16]], NDArray[np.int16]]
) -> dict[int, tuple[str, str]]:
    """What is said of the clip of each channel: its code, and what was found and what would be right."""
    (tmp_path / "copy").mkdir()
    soundfile.write(tmp_path / "copy/one.wav", change((noise(FRAMES, 2) >> 16).astype(np.int16)), RATE)
    release = open_release(toy / "release")
    made = materialize(Order(release=release, out=tmp_path / "out", roots={"Toy": tmp_path / "copy"}), quiet)
    channels = {
        row["clip_id"]: row["channel"]
        for row in read_stored(toy / "release/public/recipes.parquet", rows=2).to_pylist()
    }
    return {channels[one.id]: (one.code.name, f"{one.found}; {one.expected}") for one in made.findings}


def test_a_mixture_of_the_channels_is_supposed_where_the_other_clip_lacks_its_channel(
    toy: Path, tmp_path: Path
) -> None:
    said = told(toy, tmp_path, lambda samples: (samples.astype(np.int32).sum(axis=1) // 2).astype(np.int16))
    assert said[1][0] == "materialize.channels"
    assert said[0][0] == "materialize.differs"
    assert "may tell why: this copy has fewer channels (1, for at least 2)" in said[0][1]


@pytest.mark.parametrize(
    ("change", "by"),
    [
        (lambda samples: samples[1_234:], "1234 samples earlier"),
        (lambda samples: np.pad(samples, ((4_800, 0), (0, 0))), "4800 samples later"),
        (lambda samples: np.pad(samples, ((12_000, 0), (0, 0))), "12000 samples later"),
    ],
    ids=["trimmed", "padded", "padded-by-more-than-the-clip's-end"],
)
def test_a_shift_of_the_start_is_proved_of_every_clip_of_the_file(
    toy: Path, tmp_path: Path, change: Callable[[NDArray[np.int16]], NDArray[np.int16]], by: str
) -> None:
    """Only the clip at the end shows how much the file's length changed."""
    said = told(toy, tmp_path, change)
    assert {code for code, _ in said.values()} == {"materialize.shifted"}
    assert all(text.startswith(by) for _, text in said.values())


def test_a_file_that_was_trimmed_at_both_ends_is_short_and_its_other_clips_say_so(toy: Path, tmp_path: Path) -> None:
    said = told(toy, tmp_path, lambda samples: samples[500:-700])
    assert said[1][0] == "materialize.short"
    assert said[0][0] == "materialize.differs"
    assert "as if trimmed (14800 samples, for at least 16000)" in said[0][1]


def deviation(clip: str, path: str, code: Code, *, corpus: str = "Toy", found: str = "samples as PCM_16") -> Deviation:
    return Deviation(Recipe({"clip_id": clip, "corpus": corpus, "path": path}), code, found, "the samples")


def test_other_files_of_a_copy_are_a_weaker_hint_and_the_most_frequent_cause_is_told() -> None:
    some = [
        deviation("a", "1.wav", DIFFERS),
        deviation("b", "2.wav", SCALED, found="0.10 dB louder"),
        deviation("c", "3.wav", SCALED, found="0.20 dB louder"),
        deviation("d", "4.wav", OF_RATE, found="8000 Hz"),
    ]
    first, *others = with_hints(some)
    assert str(first.expected).startswith("the samples; what 2 other clips of this copy show may tell why: ")
    assert str(first.expected).endswith("(materialize.gain)")
    assert others == some[1:], "nothing is added to what has its cause"
    assert with_hints(some[::-1])[::-1] == with_hints(some)


def test_nothing_is_supposed_where_nothing_is_known() -> None:
    alone = deviation("a", "1.wav", DIFFERS)
    assert with_hints([alone, alone]) == [alone, alone]


@pytest.mark.parametrize(
    ("corpus", "found", "supposed"),
    [
        ("expresso", "samples as PCM_16", True),
        ("expresso", "samples as PCM_24", False),
        ("svc", "samples as PCM_16", False),
    ],
)
def test_fewer_bits_than_a_corpus_has_are_told(corpus: str, found: str, supposed: bool) -> None:
    (one,) = with_hints([deviation("a", "1.wav", DIFFERS, corpus=corpus, found=found)])
    assert ("expresso has 24 bits a sample" in str(one.expected)) == supposed
