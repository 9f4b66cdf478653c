"""Text normalisation, named and versioned: its name is stored wherever it decided something."""

from __future__ import annotations

import re
import unicodedata

NORMALISATION = "normalise_text/1"
"""Name of the rule that `normalise_text` applies."""

_TAGS = re.compile(r"<[^<>]*>")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇`´", "'"))
_INNER_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")


def normalise_text(text: str) -> str:
    """The words of a transcript, so that two spellings of the same words are equal.

    NFKC and casefold; `<tags>` and `*` dropped; apostrophes straightened and kept inside words; digits kept; everything
    else is a space; spaces collapsed.

    >>> normalise_text("I *don’t* use it, <laugh> period!")
    "i don't use it period"
    """
    # Casefolding can undo a composition (as for U+0345), so the text is normalised again after it.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    plain = _TAGS.sub(" ", folded).replace("*", "").translate(_APOSTROPHES)
    kept = _INNER_APOSTROPHE.sub("\x00", plain)
    spaced = "".join(c if c == "\x00" or unicodedata.category(c)[0] in "LNM" else " " for c in kept)
    return " ".join(spaced.split()).replace("\x00", "'")
