"""A small LibriTTS: made-up sentences by six made-up readers in the real corpus's layout, with tones in place of voices.

    SPEAKERS.txt  speakers.tsv  reader_book.tsv  BOOKS.txt  CHAPTERS.txt  LICENSE.txt  NOTE.txt
    <subset>/<reader>/<chapter>/<id>.{wav,normalized.txt,original.txt}     mono, 24 kHz, 16 bit: 18 recordings
    <subset>/<reader>/<chapter>/<reader>_<chapter>.{trans,book}.tsv

No sentence is read by two readers, as in the real corpus. Every byte depends on the seed alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.tones import utterance, write_wav

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

RATE = 24_000
"""Sampling rate, Hz."""


class Reader(NamedTuple):
    """A made-up reader under a real reader's number.

    Attributes:
        id: digits.
        sex: "F" or "M".
        subset: official subset.
        chapter: digits.
        name: made up.
        f0: mean F0, Hz.
        sentences: original and normalised text of each.
    """

    id: str
    sex: str
    subset: str
    chapter: str
    name: str
    f0: float
    sentences: tuple[tuple[str, str], ...]


def _plain(*sentences: str) -> tuple[tuple[str, str], ...]:
    return tuple((sentence, sentence) for sentence in sentences)


READERS = (
    Reader(
        *("61", "M", "test-clean", "70968", "Reader Sixty-one", 116.0),
        (("He was 30.", "He was thirty."), *_plain("The mill stood where two brooks met.", "Nobody asked him why.")),
    ),
    Reader(
        *("121", "F", "test-clean", "121726", "Reader One-two-one", 204.0),
        _plain("A lamp was lit upstairs.", "She had counted the steps before.", "There were nine of them."),
    ),
    Reader(
        *("237", "F", "test-clean", "126133", "Reader Two-three-seven", 196.0),
        _plain("The orchard sloped down to the lane.", "Rain had bent the young trees.", "They would stand again."),
    ),
    Reader(
        *("260", "M", "test-clean", "123286", "Reader Two-six-oh", 124.0),
        _plain("We sailed on the morning tide.", "By noon the coast was a line.", "Gulls kept us company."),
    ),
    Reader(
        *("367", "F", "test-other", "130732", "Reader Three-six-seven", 208.0),
        _plain("My uncle kept bees in the attic.", "They came in by the skylight.", "He never wore a veil."),
    ),
    Reader(
        *("1688", "M", "test-other", "142285", "Reader One-six-double-eight", 120.0),
        _plain("The letter lay unopened.", "It had a foreign stamp.", "Two days went by like that."),
    ),
)
"""The readers, three sentences each."""

_UNLISTED = ("260", 2)  # its trans.tsv lacks the line
_NEVER_RECORDED = ("237", "It had been a hard year.")  # its trans.tsv has a line more than there are files
_EXCLUDED = ("61", "Chapter the First.")  # its book.tsv says that it was left out, as it is


def make_libritts(root: Path, *, seed: int = 1, flaws: bool = True) -> None:
    """Write a miniature corpus.

    Args:
        root: a folder that is absent or empty; the corpus's own name is `LibriTTS`.
        seed: any integer; it alone decides every byte.
        flaws: False leaves out what a reader has to say something of: a Mac's companion of the first recording, a recording
            that trans.tsv lacks (260, the third), and a line of trans.tsv without a recording (237, a fourth).

    Raises:
        ValueError: the folder is not empty.
    """
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise ValueError(f"{root} is not empty")
    dice = Dice(seed, ("libritts",))
    for reader in READERS:
        _write_chapter(root / reader.subset / reader.id / reader.chapter, dice.within(reader.id), reader, flaws)
    if flaws:
        first = READERS[0]
        folder = root / first.subset / first.id / first.chapter
        (folder / f"._{_id(first, 0)}.wav").write_bytes(b"\x00\x05\x16\x07\x00\x02\x00\x00")
    _write_tables(root)


def _id(reader: Reader, sentence: int) -> str:
    return f"{reader.id}_{reader.chapter}_000000_{sentence:06d}"


def _write_chapter(folder: Path, dice: Dice, reader: Reader, flaws: bool) -> None:
    folder.mkdir(parents=True)
    trans, book = [], []
    begins = dice.between(0.5, 2.5, "begins")
    for n, (original, normalized) in enumerate(reader.sentences):
        id, own = _id(reader, n), dice.within(n)
        seconds = (12 * len(normalized) + own.whole(200, 350, "length")) / 1000
        samples = utterance(
            seconds=seconds,
            f0=reader.f0 * own.between(0.97, 1.03, "f0"),
            rate=RATE,
            seed=own.whole(0, 1 << 30, "sound"),
            level_dbfs=own.between(-28.0, -24.0, "level"),
            syllables_per_second=own.between(3.5, 5.0, "syllables"),
        )
        write_wav(folder / f"{id}.wav", samples, RATE, 16)
        _write(folder / f"{id}.original.txt", [original])
        _write(folder / f"{id}.normalized.txt", [normalized])
        if not (flaws and (reader.id, n) == _UNLISTED):
            trans.append(f"{id}\t{original}\t{normalized}")
        snr = own.between(20.0, 30.0, "snr") if reader.subset.endswith("clean") else own.between(5.0, 25.0, "snr")
        book.append(f"{id}\t{original}\t{normalized}\ttrue\t{begins:.2f}\t{begins + seconds:.2f}\t{snr:.2f}")
        begins += seconds + own.between(0.2, 0.6, "pause")
    if flaws and reader.id == _NEVER_RECORDED[0]:
        trans.append("\t".join((_id(reader, len(reader.sentences)), _NEVER_RECORDED[1], _NEVER_RECORDED[1])))
    if reader.id == _EXCLUDED[0]:
        id = f"{reader.id}_{reader.chapter}_000001_000000"
        book.append(f"{id}\t{_EXCLUDED[1]}\t{_EXCLUDED[1]}\tfalse\t{begins:.2f}\t{begins + 1:.2f}\t0.00")
    _write(folder / f"{reader.id}_{reader.chapter}.trans.tsv", trans)
    _write(folder / f"{reader.id}_{reader.chapter}.book.tsv", book)


def _write_tables(root: Path) -> None:
    speakers = ["; Some made-up readers", ";ID  |SEX| SUBSET           |MINUTES| NAME"]
    table = ["READER\tGENDER\tSUBSET NAME"]
    speakers.append("60   | M | train-clean-100  | 20.18 | |CBW|Simon")
    table.append("60\tM\ttrain-clean-100\t|CBW|Simon")
    for n, reader in enumerate(READERS):
        line = f"{reader.id:<5}| {reader.sex} | {reader.subset:<17}| 8.0{n}  | {reader.name}"
        # Some copies of the corpus have lost the padding, and some lines their name.
        speakers.append(line if n % 3 else "|".join((reader.id, reader.sex, reader.subset, f"8.0{n}", reader.name)))
        table.append("\t".join((reader.id, reader.sex, reader.subset, *((reader.name,) if n != 2 else ()))))
    _write(root / "SPEAKERS.txt", speakers)
    _write(root / "speakers.tsv", table)
    _write(root / "reader_book.tsv", [f"{reader.id}\t{n}" for n, reader in enumerate(READERS, start=1)])
    _write(root / "BOOKS.txt", ["; ID | TITLE", *(f"{n} | A made-up book, {n}" for n in range(1, len(READERS) + 1))])
    chapters = [f"{reader.chapter} | {reader.id} | 0.1 | {reader.subset} | {n}" for n, reader in enumerate(READERS, 1)]
    _write(root / "CHAPTERS.txt", ["; ID | READER | MINUTES | SUBSET | BOOK", *chapters])
    _write(root / "LICENSE.txt", ["These sounds and sentences are made up; do with them what you like (CC0 1.0)."])
    _write(root / "NOTE.txt", ["Nobody speaks in these recordings: they are tones."])


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
