"""The words that checks look for: lists as data, which a user may replace by their own.

An entry is one word or several; a `*` in a word stands for any letters. Entries are looked for among the normalised words of a
text, so that neither case nor punctuation hides them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from earmark.builders.recipes import check_recipe, read_toml
from earmark.manifests.canonical import Json
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.text import normalise_text

DEFAULT_LISTS = files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
"""Earmark's own lists, as a file to begin with."""

WORD_LIST = declare("dialogues.word-list", Severity.ERROR, "a list of words cannot be used")

_normalised = lru_cache(maxsize=4096)(normalise_text)  # each text is looked at for many lists

_ENTRY = re.compile(r"[^\W_*']+(?:'[^\W_*']+)*\*?[^\W_*']*")


class WordLists(msgspec.Struct, frozen=True, kw_only=True):
    """A file of lists.

    Args:
        bland: Words that a tone may not use, for they say nothing about a voice.
        monotone: Words of a tone that shows nothing.
        psychology: The trade's words, which no line may use.
        voice: Words about how somebody speaks, which no line may use.
        emotion: Words of feeling, which no target line may use.
        manner: Adverbs of how something is said, which no target line may use.
        obligation: What somebody owes; no description may say it of the second speaker.
        answering: What somebody does in answer; the same.
        judging: What is right or wrong to do; no description may say it at all.
        common: Words that tell nothing where a line and its tone share them.
        skills: What the skill of each subscale is called, by slug.
    """

    bland: tuple[str, ...]
    monotone: tuple[str, ...]
    psychology: tuple[str, ...]
    voice: tuple[str, ...]
    emotion: tuple[str, ...]
    manner: tuple[str, ...]
    obligation: tuple[str, ...]
    answering: tuple[str, ...]
    judging: tuple[str, ...]
    common: tuple[str, ...]
    skills: dict[str, tuple[str, ...]]

    def as_recipe(self) -> dict[str, Json]:
        """All of it, for the manifest."""
        value: dict[str, Json] = msgspec.to_builtins(self)
        return value


def read_word_lists(path: Path | None, findings: Findings) -> WordLists:
    """Lists from a file, or Earmark's own.

    Args:
        path: A TOML file, whose lists stand in place of Earmark's own; None for all of those.
        findings: Told of entries that could match nothing, and of unknown subscales.

    Raises:
        Refused: If the file cannot be read, or a list is unknown or not of words.
    """
    own: Mapping[str, Json] = tomllib.loads(DEFAULT_LISTS)
    given = {} if path is None else read_toml(path)
    skills = {"skills": _merged(own["skills"], given["skills"])} if "skills" in given else {}
    lists = check_recipe({**own, **given, **skills}, WordLists, file=None if path is None else str(path))
    file = None if path is None else path.name
    slugs = [subscale.slug for subscale in SUBSCALES]
    for slug in lists.skills:
        if slug not in slugs:
            findings.add(WORD_LIST, file=file, id=f"skills.{slug}", found=slug, expected=nearest(slug, slugs))
    plain = {name: getattr(lists, name) for name in lists.__struct_fields__ if name != "skills"}
    for name, entries in {**plain, **{f"skills.{slug}": entries for slug, entries in lists.skills.items()}}.items():
        for entry in entries:
            if not all(map(_ENTRY.fullmatch, entry.split())) or not entry.split():
                findings.add(WORD_LIST, file=file, id=name, found=entry, expected="words, with * for any ending")
    return lists


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared.

    >>> words_of("Well — it’s Half-Done!")
    ('well', "it's", 'half', 'done')
    """
    return tuple(_normalised(text).split())


def found_in(text: str, entries: Sequence[str]) -> tuple[str, ...]:
    """Which words of a text are among a list's entries, as the text has them, each once and in order.

    >>> found_in("I'm so excited. Excited, and glad!", ("excit*", "glad"))
    ('excited', 'glad')
    """
    return tuple(dict.fromkeys(match[0] for match in matches_in(text, entries)))


def matches_in(text: str, entries: Sequence[str]) -> list[re.Match[str]]:
    """Every match of a list's entries in the normalised words of a text."""
    return list(_pattern(tuple(entries)).finditer(_normalised(text))) if entries else []


@lru_cache(maxsize=256)
def _pattern(entries: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
    either = "|".join(
        " ".join(re.escape(word).replace(r"\*", r"[^\W_]*") for word in _spelled(entry)) for entry in longest_first
    )
    return re.compile(rf"(?<![\w'])(?:{either})(?:'s)?(?![\w'])")


def _spelled(entry: str) -> list[str]:
    """The words of an entry, spelled as words are compared; its `*` stay."""
    return ["*".join(normalise_text(part) for part in word.split("*")) for word in entry.split()]


def _merged(own: Json, given: Json) -> Json:
    return {**own, **given} if isinstance(own, dict) and isinstance(given, dict) else given


DEFAULT_WORDS = read_word_lists(None, Findings(strict=True))
"""Earmark's own lists."""
