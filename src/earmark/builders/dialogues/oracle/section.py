"""`[oracle]`: who reads the dialogues before they are spoken, what is shown, and what becomes of a dialogue read wrongly."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from earmark.builders.dialogues.oracle.questions import Arm
from earmark.builders.providers.client import ServerSection
from earmark.builders.providers.openai_text import TextSection

Dropping: TypeAlias = Literal["all", "majority", "never"]


class OracleSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[oracle]`: the check before synthesis.

    A dialogue has four answers that count: turn 4 and turn 6, each in both orders, of the full arm. An answer that cannot be used
    is wrong.

    Args:
        provider: "offline" for the embedded rule reader, no language model; "openai" for a model; "none" for no check.
        server: Where the model is.
        model: Its id; needed for a model.
        seed: Seed that is sent; None where the model takes none.
        temperature: 0 to 2; None for the model's own.
        most_tokens: Most tokens of an answer.
        tries: How often an answer that cannot be used is asked for again, the first time included.
        arms: What is shown; "full" is always among them.
        drop_if_wrong: "all": dropped unless all four answers are right. "majority": dropped unless more than half, three of the
            four, are right. "never": kept whatever is answered. Without: "majority" for a model, and "never" for the rule reader,
            which knows too few words to decide what is worth speaking.
        templates: File of prompts, TOML, whose sections stand in place of Earmark's own.

    Raises:
        ValueError: If a value is out of its range, or a model has no id.
    """

    provider: Literal["offline", "openai", "none"] = "offline"
    server: ServerSection = ServerSection()
    model: str | None = None
    seed: int | None = None
    temperature: float | None = None
    most_tokens: int = 1024
    tries: int = 2
    arms: tuple[Arm, ...] = tuple(Arm)
    drop_if_wrong: Dropping | None = None
    templates: str | None = None

    def __post_init__(self) -> None:
        if self.provider == "openai":
            _ = self.text
        if not 1 <= self.tries <= 10:
            raise ValueError(f"tries {self.tries} must be 1 to 10")
        if Arm.FULL not in self.arms or len(set(self.arms)) < len(self.arms):
            raise ValueError(f"arms are {', '.join(Arm)}, each once, and {Arm.FULL} is always among them")

    @property
    def dropping(self) -> Dropping:
        """Which dialogues are dropped."""
        if self.drop_if_wrong is not None:
            return self.drop_if_wrong
        return "majority" if self.provider == "openai" else "never"

    @property
    def text(self) -> TextSection:
        """The model that reads.

        Raises:
            ValueError: If it has no id, or a value is out of its range.
        """
        return TextSection(
            model=self.model or "", seed=self.seed, temperature=self.temperature, most_tokens=self.most_tokens
        )
