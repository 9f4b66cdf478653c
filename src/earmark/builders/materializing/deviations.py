"""Why a clip of somebody's copy is not the one that was published: what the file's header says, and what its samples prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from earmark.builders.materializing.folders import CorpusFolder, OutsideCorpus
from earmark.builders.materializing.inverses import proved
from earmark.builders.materializing.recipes import Recipe
from earmark.builders.media import cut_native
from earmark.manifests.errors import EarmarkError, MissingExtra
from earmark.manifests.findings import Code, Severity, declare

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.audio.cut import Cut
    from earmark.audio.decode import AudioInfo

MISSING = declare("materialize.missing", Severity.ERROR, "this copy has no such file")
OUTSIDE = declare("materialize.outside", Severity.ERROR, "a link leads out of this copy, and is not followed")
UNREADABLE = declare("materialize.unreadable", Severity.ERROR, "a file of this copy cannot be read")
RATE = declare("materialize.rate", Severity.ERROR, "this copy was resampled")
LOSSY = declare("materialize.lossy", Severity.ERROR, "this copy is a lossy one, or another decoder reads it")
CHANNELS = declare("materialize.channels", Severity.ERROR, "this copy has fewer channels")
SHORT = declare("materialize.short", Severity.ERROR, "this copy's file ends before the clip does, as if trimmed")
MISPLACED = declare(
    "materialize.misplaced", Severity.ERROR, "the clip's samples stand in another file of the same name"
)
DIFFERS = declare(
    "materialize.differs", Severity.ERROR, "the samples are others, and nothing that was tried explains how"
)

_MOST_SAMPLES = 1 << 24
"""Longest clip whose samples are looked into."""

_HEAD = 60
"""Bytes by which a file is seen to be text."""

_PROVABLE = frozenset({CHANNELS, SHORT, DIFFERS})


@dataclass(frozen=True)
class Deviation:
    """A clip that a copy does not give.

    Args:
        recipe: How it is cut.
        code: The likeliest cause.
        found: What there is.
        expected: What there should be.
    """

    recipe: Recipe
    code: Code
    found: str | None = None
    expected: str | None = None


def native_clip(recipe: Recipe, folder: CorpusFolder, path: str | None = None) -> Cut | Deviation:
    """The native samples of a clip, where they are those that were published.

    Args:
        recipe: How it is cut.
        folder: The copy of its corpus.
        path: Another file of the copy to cut it from.

    Raises:
        MissingExtra: If soundfile is not installed.
    """
    from earmark.audio.decode import SpanBeyondEnd, UndecodableAudio
    from earmark.audio.hashes import samples_hash

    why = None
    try:
        native = cut_native(recipe.row, folder.file(recipe.path if path is None else path))
        if native.rate == recipe.rate and recipe.pcm_hash in (None, samples_hash(native.samples, native.rate)):
            return native
    except OutsideCorpus as error:
        return Deviation(recipe, OUTSIDE, str(error), "a file within the corpus")
    except SpanBeyondEnd:
        pass  # which the header tells too
    except UndecodableAudio as error:
        why = error.reason
    except OSError as error:
        why = error.strerror or type(error).__name__
    return _by_header(recipe, folder, recipe.path if path is None else path, why)


def _by_header(recipe: Recipe, folder: CorpusFolder, path: str, why: str | None) -> Deviation:
    """What can be said without looking into the samples."""
    from earmark.audio.decode import UndecodableAudio, probe

    try:
        file = folder.file(path)
        if not file.exists():
            return Deviation(recipe, MISSING)
        info = probe(file)
    except UndecodableAudio as error:
        return Deviation(recipe, UNREADABLE, error.reason + _instead(file), "the file as it was published")
    except OSError as error:
        return Deviation(recipe, UNREADABLE, error.strerror or type(error).__name__)
    if info.rate != recipe.rate:
        return Deviation(recipe, RATE, f"{info.rate} Hz{_lossy(info)}", f"{recipe.rate} Hz")
    if recipe.channel >= info.channels:
        return Deviation(recipe, CHANNELS, str(info.channels), f"at least {recipe.channel + 1}")
    if recipe.last > info.frames:
        return Deviation(recipe, SHORT, f"{info.frames} samples{_lossy(info)}", f"at least {recipe.last}")
    if not info.lossless:
        found = info.subtype if why is None else f"{info.subtype}; {why}"
        return Deviation(recipe, LOSSY, found, "the file as it was published")
    if why is not None:
        return Deviation(recipe, UNREADABLE, why)
    return Deviation(recipe, DIFFERS, f"samples as {info.subtype}", "the samples as they were published")


def _instead(file: Path) -> str:
    """What a file is that is no audio: empty, or the pointer or page that a download left in its place."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return ""
    line = head.partition(b"\n")[0].strip()
    is_text = line.isascii() and line.decode("ascii", "replace").isprintable()
    return f"; it is text: {line.decode('ascii')}" if line and is_text else "" if head else "; it is empty"


def _lossy(info: AudioInfo) -> str:
    return "" if info.lossless else f", lossy ({info.subtype})"


def looked_into(
    deviation: Deviation, folder: CorpusFolder, codes: Sequence[Code] | None, ends: Mapping[str, int]
) -> Deviation:
    """The same deviation, with its cause where the hash of the clip proves one.

    Args:
        deviation: What the header tells.
        folder: The copy of the corpus.
        codes: What may have been done to the samples; None of all that is known.
        ends: By file, the sample behind the last one that any clip needs of it.
    """
    recipe = deviation.recipe
    if recipe.pcm_hash is None or deviation.code is OUTSIDE:
        return deviation
    if deviation.code in _PROVABLE and recipe.length <= _MOST_SAMPLES and (codes is None or codes):
        try:
            guess = proved(folder.file(recipe.path), recipe, codes or (), end=ends.get(recipe.path, recipe.last))
        except MissingExtra:
            raise
        except (EarmarkError, OSError):
            guess = None  # it can be read no further
        if guess is not None:
            return replace(deviation, code=guess.code, found=guess.found, expected=guess.expected)
    there = elsewhere(recipe, folder)
    if there is not None:
        expected = f"a file {recipe.path}, or --elsewhere, which takes the other"
        return replace(deviation, code=MISPLACED, found=there[0], expected=expected)
    if deviation.code is MISSING:
        return replace(deviation, found=_named_alike(recipe, folder), expected=f"a file {recipe.path}")
    return deviation


def elsewhere(recipe: Recipe, folder: CorpusFolder) -> tuple[str, Cut] | None:
    """Another file of the same name that has the clip's samples, and these; only the hash can tell.

    Args:
        recipe: How the clip is cut.
        folder: The copy of its corpus.
    """
    for path in folder.others(recipe.path) if recipe.pcm_hash is not None else ():
        native = native_clip(recipe, folder, path)
        if not isinstance(native, Deviation):
            return path, native
    return None


def _named_alike(recipe: Recipe, folder: CorpusFolder) -> str | None:
    """What the nearest file of the same name is, where none has the clip's samples."""
    for path in folder.others(recipe.path)[:1]:
        there = native_clip(recipe, folder, path)
        if isinstance(there, Deviation):
            return f"{path}, of which this is so: {there.code.means}{f' ({there.found})' if there.found else ''}"
    return None
