"""A small Expresso: tones in place of speech, in the real corpus's layout.

Four speakers read two sentences in three styles (default, happy, whisper) and two sentences with emphasis, and one reads a long
passage: 33 recordings, 48 kHz, 24 bit. The styles' texts are equal over styles and speakers. Happy is higher, whispering is noise
and 20 dB down. Everything depends on the seed alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from earmark.builders.corpora.expresso.ids import ReadStem
from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.tones import utterance, write_wav

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

RATE, BITS = 48_000, 24

_F0 = {"ex01": 115.0, "ex02": 205.0, "ex03": 100.0, "ex04": 225.0}  # Hz
_HAPPY = 1.35  # F0 relative to the speaker's own
_LEVEL, _WHISPER = -26.0, -46.0  # dBFS

_SENTENCES = {"00379": "We left the keys at home.", "00380": "Did you see that?"}
_SAID, _MINE = "She never *said* it was mine.", "She never said it was *mine*."
_EMPHASIS = {
    "ex01": (_SAID, _MINE),
    "ex02": ("He *said* nothing at all.", "It is mine, not *yours*."),
    "ex03": (_SAID, _MINE),
    "ex04": (_SAID, _MINE),
}
_PASSAGE = "The bus leaves at nine. It stops at the market. Then it goes on to the station."

_COMMENT = '# If only one segment is extracted: "{filename}\\t({start, may be empty},{end, may be empty})"'
_LONG = ReadStem("ex01", "default_longform", "00001")
_WINDOWS = {"dev": "(,1.49s)", "test": "(1.49s,2.98s)", "train": "(2.98s,)"}


class _Clip(NamedTuple):
    """A recording and its transcript."""

    stem: ReadStem
    text: str
    seconds: float


def make_expresso(root: Path, *, seed: int = 1, flaws: bool = True) -> None:
    """Write a miniature corpus.

    Args:
        root: A folder that is absent or empty.
        seed: Any integer; it decides every sample.
        flaws: Whether to add what is wrong or awkward in the real corpus, in five recordings of its own beside the 33 and in
            lines of the metadata: a phrase that is marked, an asterisk without a partner, a marked word that stands twice, a
            laugh in angle brackets, a recording that is absent, one in two splits, one in none, a conversation without a file,
            and a companion file of a Mac.

    Raises:
        ValueError: If the folder is not empty.
    """
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise ValueError(f"{root} is not empty")
    dice = Dice(seed, ("expresso",))
    clips = list(_clips(dice))
    extra = _flawed(dice) if flaws else []
    for clip in (*clips, *extra):
        _record(root, dice, clip)
    texts = {str(clip.stem): clip.text for clip in (*clips, *extra)}
    named = [str(clip.stem) for clip in (*clips, *extra) if clip.stem not in {_LONG, _UNLISTED.stem}]
    splits = {split: [f"{_LONG}\t{window}"] for split, window in _WINDOWS.items()}
    splits["test"] += named
    if flaws:
        del texts[str(_UNLISTED.stem)]
        texts["ex02_happy_00380"] = f"<laugh> {_SENTENCES['00380']}"
        splits["test"] += ["ex01-ex02_default_008\t(,60.0s)", "ex04_whisper_00077"]
        splits["dev"].append("ex04_default_emphasis_00198")
        happy = root / ReadStem("ex01", "happy", "00379").path
        happy.with_name(f"._{happy.name}").write_bytes(b"\0\5\26\7\0\2\0\0Mac OS X        ")
    _write(root / "read_transcriptions.txt", (f"{stem}\t{text}" for stem, text in sorted(texts.items())))
    (root / "splits").mkdir()
    for split, lines in splits.items():
        _write(root / "splits" / f"{split}.txt", (_COMMENT, *sorted(lines)))
    _write(root / "splits" / "README", ("The last numbers of each sub-style are for testing.",))
    _write(root / "VAD_segments.txt", ("#Speech in long files", f"{_LONG}\t(0.1, 4.4)"))
    _write(root / "README.txt", ("A made-up corpus in the layout of Expresso: tones, no speech.",))
    _write(root / "LICENSE.txt", ("Made up by a program; nobody's work.",))


_UNLISTED = _Clip(ReadStem("ex02", "singing", "00001"), "", 1.0)


def _clips(dice: Dice) -> Iterable[_Clip]:
    for speaker in _F0:
        for style in ("default", "happy", "whisper"):
            for number, text in _SENTENCES.items():
                yield _clip(dice, ReadStem(speaker, style, number), text)
        for number, text in zip(("00199", "00200"), _EMPHASIS[speaker], strict=True):
            yield _clip(dice, ReadStem(speaker, "default_emphasis", number), text)
    yield _Clip(_LONG, _PASSAGE, 4.5)


def _flawed(dice: Dice) -> list[_Clip]:
    texts = {
        ReadStem("ex03", "default_emphasis", "00196"): "Do it *right now*, please.",
        ReadStem("ex03", "default_emphasis", "00197"): "I *never said that.",
        ReadStem("ex03", "default_emphasis", "00198"): "She *said* what he said.",
        ReadStem("ex04", "default_emphasis", "00198"): "They *left* before noon.",
    }
    return [*(_clip(dice, stem, text) for stem, text in texts.items()), _UNLISTED]


def _clip(dice: Dice, stem: ReadStem, text: str) -> _Clip:
    # As long as its words take, and a little more or less, whatever the style.
    return _Clip(stem, text, 0.7 + 0.02 * len(text) + dice.between(0.0, 0.3, "seconds", str(stem)))


def _record(root: Path, dice: Dice, clip: _Clip) -> None:
    path, style = root / clip.stem.path, clip.stem.style
    path.parent.mkdir(parents=True, exist_ok=True)
    made = utterance(
        seconds=clip.seconds,
        f0=_F0[clip.stem.speaker]
        * (_HAPPY if style == "happy" else 1.0)
        * dice.between(0.97, 1.03, "f0", str(clip.stem)),
        rate=RATE,
        seed=dice.whole(0, 1 << 40, "tone", str(clip.stem)),
        level_dbfs=_WHISPER if style == "whisper" else _LEVEL,
        noise=style == "whisper",
    )
    write_wav(path, made, RATE, BITS)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
