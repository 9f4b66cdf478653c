"""The release key and all that is drawn with it: ids that tell nothing, and choices that no stranger can repeat.

Selection never draws from an RNG stream. An id is ranked by a keyed hash of (seed, stratum, id), so the choice depends on
nothing else: not on the other ids, their order, or a library's version. What is stratified by the gold or balanced against
it is ranked with the private key, or the public seed would tell the answer.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.errors import EarmarkError

KEY_BYTES = 32
"""Length of a release key."""

ID_PATTERN = "[cigp][a-z2-7]{26}"
"""A letter for the kind of thing (clip, item, group, presentation) and 26 characters of base32."""


def new_key() -> bytes:
    """A fresh release key from the operating system's randomness."""
    return secrets.token_bytes(KEY_BYTES)


def read_key(path: Path) -> bytes:
    """A release key from its file.

    Raises:
        EarmarkError: If the file is absent or is not 32 bytes long.
    """
    try:
        # Only a file of the right size is opened: a device or a pipe could be read for ever.
        status = path.stat()
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        key = path.read_bytes() if size == KEY_BYTES else b""
    except OSError as error:
        raise EarmarkError(f"cannot read the key file {path}: {error.strerror}") from error
    if len(key) != KEY_BYTES:
        raise EarmarkError(f"the key file {path} has {size} bytes; a release key has {KEY_BYTES}")
    return key


def keyed_id(key: bytes, letter: str, parts: Sequence[Json]) -> str:
    """An opaque id: nobody without the key can tell what it names or make it again.

    Args:
        key: The release line's key, 32 bytes.
        letter: Kind of thing: c clip, i item, g group, p presentation.
        parts: What the thing is, by value.

    >>> keyed_id(bytes(32), "c", ["toy", "1.0", "a.wav"])
    'c34et7evwywfjdi2uzwu7zmub3q'
    """
    digest = hashlib.blake2b(canonical_json(parts), key=key, digest_size=16).digest()
    return letter + base64.b32encode(digest).decode().rstrip("=").lower()


def clip_id(
    key: bytes,
    *,
    corpus: str,
    version: str,
    path: str,
    channel: int,
    rate: int,
    spans: Sequence[tuple[int, int]],
    joining_silence: int,
    gain: float | None = None,
) -> str:
    """Id of a clip from its recipe alone; no audio is read.

    Args:
        key: The release line's key.
        corpus: Corpus name.
        version: Corpus version.
        path: POSIX path within the corpus.
        channel: Channel, from 0.
        rate: Native sampling rate in Hz.
        spans: Half-open (start, end) in native samples, in order.
        joining_silence: Native samples of silence between two spans.
        gain: Change of level in dB; None where the samples stay as they are.
    """
    parts: list[Json] = [corpus, version, path, channel, rate, [list(span) for span in spans], joining_silence]
    return keyed_id(key, "c", parts if gain is None else [*parts, gain])


def item_id(
    key: bytes, *, family: str, facet: str, target: str | None, clips: Iterable[str], script: str | None
) -> str:
    """Id of an item; neither prompt wording nor the gold is in it."""
    return keyed_id(key, "i", [family, facet, target, sorted(clips), script])


def presentation_id(key: bytes, *, item: str, order: str, after: str | None, modality: str) -> str:
    """Id of what a judge is sent: an item in one order and modality, after another presentation or none."""
    return keyed_id(key, "p", [item, order, after, modality])


def rank(key: bytes, seed: int, stratum: str, id: str) -> int:
    """A uniform 64-bit rank of one id in one stratum.

    Args:
        key: The private key for whatever is stratified by the gold or balanced against it; empty for what is independent of it.
        seed: Public seed, so that one key serves several draws.
        stratum: Name of the stratum.
        id: The thing ranked.
    """
    digest = hashlib.blake2b(canonical_json([seed, stratum, id]), key=key, digest_size=8).digest()
    return int.from_bytes(digest, "big")


def choose(ids: Iterable[str], count: int, *, key: bytes, seed: int, stratum: str = "") -> list[str]:
    """The `count` ids of lowest rank, in rank order.

    Adding an id removes a chosen one only by outranking it; asking for more only appends.

    Raises:
        ValueError: If fewer than `count` distinct ids are given, or `count` is negative.
    """
    if count < 0:
        raise ValueError(f"stratum {stratum!r}: {count} ids wanted; at least 0 must be")
    ranked = sorted(set(ids), key=lambda id: (rank(key, seed, stratum, id), id))
    if count > len(ranked):
        raise ValueError(f"stratum {stratum!r} has {len(ranked)} ids, {count} wanted")
    return ranked[:count]
