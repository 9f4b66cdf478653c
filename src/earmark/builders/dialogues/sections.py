"""Sections of a recipe of dialogues besides how one is made: the protocols on offer, money and folders."""

from __future__ import annotations

import math
from collections.abc import Collection

import msgspec

from earmark.builders.ledger.ledger import CONCURRENCY
from earmark.builders.ledger.prices import BILLION
from earmark.manifests.declarations import MODALITIES
from earmark.manifests.families.dialogues import CHAINS, DIRECT, SEQUENTIAL_2, SEQUENTIAL_4
from earmark.manifests.findings import Severity, declare, nearest

TEMPLATE = declare("dialogues.template", Severity.ERROR, "a template cannot be used")
"""Of the files of `[prompts]` and `[author]`."""

MOST_CONCURRENCY = 1_000


class PresentationsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[presentations]`: the protocols that the release offers, each chain in each modality.

    Args:
        chains: How the two turns of a dialogue follow each other; the first one is that of the default protocol.
        modalities: What stands for a clip; the oracle only where all tones are known.

    Raises:
        ValueError: If a name is unknown or stands twice, or there is none.
    """

    chains: tuple[str, ...] = (SEQUENTIAL_2, SEQUENTIAL_4, DIRECT)
    modalities: tuple[str, ...] = MODALITIES

    def __post_init__(self) -> None:
        _check_names("chains", self.chains, CHAINS)
        _check_names("modalities", self.modalities, MODALITIES)


class PromptsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[prompts]`: what is asked.

    Args:
        templates: A file of templates, TOML; Earmark's own without.
    """

    templates: str | None = None

    def __post_init__(self) -> None:
        _check_path("templates", self.templates)


class AffectSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[affect]`: what a model heard in the voices.

    Args:
        file: Parquet with path, valence, arousal and dominance of every clip; none without.
    """

    file: str | None = None

    def __post_init__(self) -> None:
        _check_path("file", self.file)


class LedgerSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[ledger]`: what calls may cost and how many are under way.

    Args:
        max_cost: Most US dollars that all calls of the work folder may cost, earlier runs included; no limit without.
        concurrency: Calls under way at a time.

    Raises:
        ValueError: If a number is out of its range.
    """

    max_cost: float | None = None
    concurrency: int = CONCURRENCY

    def __post_init__(self) -> None:
        if self.max_cost is not None and not (math.isfinite(self.max_cost) and self.max_cost >= 0):
            raise ValueError(f"max_cost is {self.max_cost}; a number of US dollars, 0 or more")
        if not 1 <= self.concurrency <= MOST_CONCURRENCY:
            raise ValueError(f"concurrency is {self.concurrency}; it must be in 1 … {MOST_CONCURRENCY}")

    @property
    def limit(self) -> int | None:
        """The limit in billionths of a US dollar, never rounded up; None for no limit."""
        return None if self.max_cost is None else math.floor(self.max_cost * BILLION)


class WorkSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[work]`: where what was paid for and rendered is kept from run to run.

    Args:
        folder: Holds `calls.sqlite` and `clips/`; `OUT.work` beside the release without.
    """

    folder: str | None = None

    def __post_init__(self) -> None:
        _check_path("folder", self.folder)


class AdoptSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[adopt]`: dialogues that others have made, in place of any of one's own.

    Args:
        root: Folder of dialogues in the layout of the SpeechEQ authors; none without.
    """

    root: str | None = None

    def __post_init__(self) -> None:
        _check_path("root", self.root)


def _check_names(what: str, names: tuple[str, ...], valid: Collection[str]) -> None:
    wrong = [f"{what} has {name!r}: {nearest(name, valid)}" for name in names if name not in valid]
    wrong += [f"{what} has {name!r} twice" for name in sorted({name for name in names if names.count(name) > 1})]
    wrong += [] if names else [f"{what} is empty; {', '.join(valid)}"]
    if wrong:
        raise ValueError("; ".join(wrong))


def _check_path(name: str, path: str | None) -> None:
    if path is not None and ("\0" in path or not path):
        raise ValueError(f"{name} is {path!r}; no path has a NUL or is empty")
