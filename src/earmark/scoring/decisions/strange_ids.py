"""Ids that name nothing here: which of them only look like one that does, and which valid one is near to another.

Two ids look alike if they are one once letters of other scripts, other cases and widths, invisible characters and spaces are put
as they look; I, l and 1 look alike, and so do O and 0. Ids are base32, so that no chance makes two of them look alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_LOOKS = (
    # Cyrillic, Greek, then letters of Armenian and of phonetic scripts, each above what it looks like.
    ("АВЕКМНОРСТУХІЅЈԌ", "ABEKMHOPCTYXISJG"),
    ("аеорсухіѕјԁһԛԝгкмнтвӏ", "aeopcyxisjdhqwrkmhtbl"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("αορνυικτχγηωϲϳε", "aopvuiktxynwcje"),
    ("օոսհզցյ", "onuhqgj"),
    ("ıɩɡɑᴏᴜᴠᴡᴢǀ|", "iigaouvwzll"),
)
_AS_IT_LOOKS = str.maketrans({strange: plain for row in _LOOKS for strange, plain in zip(*row, strict=True)})
_ALIKE = (("l", "i"), ("1", "i"), ("0", "o"))
_SAME = str.maketrans(dict(_ALIKE))
_UNSEEN = frozenset({"Mn", "Me", "Cf", "Cc", "Zs", "Zl", "Zp"})

_MOST_GROWTH = 2
_NEAR = 0.7
_FEW, _MANY = 200, 400


class LookAlike(NamedTuple):
    """An id that looks like a valid one.

    Args:
        right: The valid one.
        where: The first character that is another, and what belongs in its place.
    """

    right: str
    where: str


def skeleton(id: str) -> str:
    """The id as it looks.

    >>> skeleton("р\N{ZERO WIDTH SPACE}AI0") == skeleton("palo")
    True
    """
    text = unicodedata.normalize("NFKD", id.translate(_AS_IT_LOOKS))
    if len(text) > _MOST_GROWTH * len(id):
        return text  # one letter that is a whole phrase looks like no letter of an id, and a million such are work
    seen = "".join(letter for letter in text if unicodedata.category(letter) not in _UNSEEN)
    return seen.translate(_AS_IT_LOOKS).casefold().translate(_AS_IT_LOOKS).translate(_SAME)


def look_alikes(ids: pa.Array, valid: pa.Array) -> NDArray[np.int64]:
    """Which valid id each of some others looks like.

    Args:
        ids: (m,) ids, none of them valid.
        valid: (n,) the valid ones.

    Returns:
        (m,) index into `valid`, −1 where an id looks like none.
    """
    if not len(ids) or not len(valid):
        return np.full(len(ids), -1)
    given = ids.dictionary_encode()
    at = pc.fill_null(pc.index_in(_skeletons(given.dictionary), _skeletons(valid)), -1).to_numpy().astype(np.int64)
    found: NDArray[np.int64] = at[given.indices.to_numpy()]
    return found


def look_alike(id: str, right: str) -> LookAlike:
    """In what an id differs from the valid one that it looks like."""
    place = 0
    for number, letter in enumerate(id, 1):
        if place < len(right) and letter == right[place]:
            place += 1
            continue
        belongs = "nothing" if not skeleton(letter) or place == len(right) else right[place]
        name = unicodedata.name(letter, "a character without a name")
        return LookAlike(right, f"U+{ord(letter):04X} {name} as character {number}, where {belongs} belongs")
    return LookAlike(right, f"{len(id)} characters, not {len(right)}")


def nearest_ids(ids: Sequence[str], valid: pa.Array) -> list[str | None]:
    """The valid id that is nearest to each of a few others, where one is near.

    An id in which a character or two are wrong, missing or too many still has a third of another in its place. So all valid ids
    are gone through a few times for all of `ids` together, and only those that share a third are compared.

    Args:
        ids: (m,) a few ids.
        valid: (n,) the valid ones.
    """
    candidates = _candidates(ids, valid)
    return [_nearest(id, near) for id, near in zip(ids, candidates, strict=True)]


def _skeletons(ids: pa.Array) -> pa.Array:
    plain = pc.string_is_ascii(ids)
    folded = pc.ascii_lower(ids)
    for one, other in _ALIKE:
        folded = pc.replace_substring(folded, one, other)
    rest = pc.or_(pc.invert(plain), pc.match_substring_regex(ids, r"[^0-9A-Za-z_.:-]"))
    if not pc.any(rest).as_py():
        return folded
    return pc.replace_with_mask(
        folded, rest, pa.array([skeleton(id) for id in ids.filter(rest).to_pylist()], pa.string())
    )


def _candidates(ids: Sequence[str], valid: pa.Array) -> list[list[str]]:
    """The valid ids that share a third with each id, in the same place or, in the middle, one beside it."""
    if len(valid) <= _FEW:
        return [valid.to_pylist()] * len(ids)
    shortest = pc.min(pc.utf8_length(valid)).as_py()
    third = shortest // 3
    found: list[list[str]] = [[] for _ in ids]
    if not third:
        return found
    end = shortest - 2 * third
    thirds = (
        (0, [[id[:third]] for id in ids]),
        (third, [[id[at : at + third] for at in (third - 1, third, third + 1)] for id in ids]),
        (2 * third, [[id[-end:][:third]] for id in ids]),
    )
    for begin, parts in thirds:
        of_valid = pc.utf8_slice_codeunits(valid, begin, begin + third)
        sharing = pc.is_in(of_valid, pa.array(sorted({part for mine in parts for part in mine}), pa.string()))
        by_part: dict[str, list[str]] = {}
        for part, id in zip(of_valid.filter(sharing).to_pylist(), valid.filter(sharing).to_pylist(), strict=True):
            by_part.setdefault(part, []).append(id)
        for mine, near in zip(parts, found, strict=True):
            for part in mine:
                shared = by_part.get(part, [])
                near += shared if len(shared) <= _MANY else []  # what so many have in common tells nothing
    return found


def _nearest(id: str, candidates: Sequence[str]) -> str | None:
    best, right = _NEAR, None
    for candidate in sorted(set(candidates)):
        matcher = SequenceMatcher(None, id, candidate, autojunk=False)
        if matcher.real_quick_ratio() >= best and matcher.quick_ratio() >= best and (ratio := matcher.ratio()) > best:
            best, right = ratio, candidate
    return right
