"""Text normalisation, named and versioned: its name is stored wherever it decided something."""

from __future__ import annotations

import re
import unicodedata

NORMALISATION = "normalise_text/1"
"""Name of the rule that `normalise_text` applies."""

_TAGS = re.compile(r"<[^<>]*>")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇`´", "'"))


def normalise_text(text: str) -> str:
    """The words of a transcript, so that two spellings of the same words are equal.

    NFKC and casefold; `<tags>` and `*` dropped; apostrophes straightened and kept inside words; digits kept; everything
    else is a space; spaces collapsed.

    >>> normalise_text("I *don’t* use it, <laugh> period!")
    "i don't use it period"
    """
    # Apostrophes come first, since NFKC takes U+00B4 for a space with an accent, and once more for those it made (as of U+0149).
    composed = unicodedata.normalize("NFKC", text.translate(_APOSTROPHES))
    bare = _TAGS.sub(" ", composed).replace("*", "")
    # Dropping `*` can bring a letter and its accent together, and casefolding can undo a composition (as for U+0345).
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold()).translate(_APOSTROPHES)
    in_word = [unicodedata.category(c)[0] in "LNM" for c in folded]
    spaced = [c if word else " " for c, word in zip(folded, in_word, strict=True)]
    for at in range(1, len(folded) - 1):
        if folded[at] == "'" and in_word[at - 1] and in_word[at + 1]:
            spaced[at] = "'"
    return " ".join("".join(spaced).split())


def word_count(text: str) -> int:
    """How many words a text has, by `normalise_text`; a dash that stands by itself is none.

    >>> word_count("Well — I don't know.")
    4
    """
    return len(normalise_text(text).split())
