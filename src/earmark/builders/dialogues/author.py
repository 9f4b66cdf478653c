"""The author of dialogues, as a recipe names one: who writes, and in what words they are asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from earmark.builders.dialogues.checks import WordLists, read_word_lists
from earmark.builders.dialogues.stages import Templates, read_writing_templates
from earmark.builders.providers import ServerSection, TextSection
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings

MOST_ATTEMPTS = 20


class AuthorSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[author]`: who writes the dialogues.

    Args:
        provider: `offline`, Earmark's own author, which needs no network; or `openai`, any server that speaks its protocol.
        server: Where the server is, of openai.
        text: Which model writes, of openai.
        templates: A file of templates of one's own, of openai.
        words: A file of lists of words of one's own, for the checks.
        attempts: How often a stage may be asked for before the dialogue is given up.

    Raises:
        ValueError: If openai has no model, or the number of attempts is out of its range.
    """

    provider: Literal["offline", "openai"] = "offline"
    server: ServerSection = ServerSection()
    text: TextSection | None = None
    templates: str | None = None
    words: str | None = None
    attempts: int = 3

    def __post_init__(self) -> None:
        if self.provider == "openai" and self.text is None:
            raise ValueError("provider openai needs a model: set model in [author.text]")
        if not 1 <= self.attempts <= MOST_ATTEMPTS:
            raise ValueError(f"attempts {self.attempts} must be 1 to {MOST_ATTEMPTS}")


@dataclass(frozen=True)
class Wording:
    """What a recipe says about words.

    Args:
        templates: What a model is asked.
        words: What the checks look for.
    """

    templates: Templates
    words: WordLists

    def as_recipe(self) -> dict[str, Json]:
        """All of it and the templates' hash, for the resolved recipe."""
        return {
            "templates": self.templates.as_recipe(),
            "templates_hash": self.templates.hash,
            "words": self.words.as_recipe(),
        }


def read_wording(section: AuthorSection, findings: Findings) -> Wording:
    """The files that a recipe names, or Earmark's own.

    Args:
        section: The recipe's.
        findings: Told of all that is wrong in either.

    Raises:
        Refused: If a file cannot be read or is no TOML.
    """
    templates, words = (None if name is None else Path(name) for name in (section.templates, section.words))
    return Wording(read_writing_templates(templates, findings), read_word_lists(words, findings))
