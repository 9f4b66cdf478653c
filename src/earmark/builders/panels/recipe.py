"""The recipe of a panel, section by section; `recipe.toml` beside this module is the commented default."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import msgspec

from earmark.builders.recipes import check_recipe
from earmark.manifests.canonical import Json
from earmark.manifests.errors import UnknownName
from earmark.manifests.panel_forms import Criterion
from earmark.manifests.panels import check_panel_name, check_raters, check_topics

DEFAULT_RECIPE = files(__package__).joinpath("recipe.toml").read_text(encoding="utf-8")
"""What `earmark panel draw --print-recipe` prints."""

PRESETS = ("parapair-human", "speecheq-experts", "speecheq-ranking")
"""Recipes that come with Earmark, by name."""

MOST_RATERS = 1000
"""Most raters of a panel."""


class PanelSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[panel]`: what the panel is called and who rates.

    Args:
        name: Its name; another one draws other items.
        seed: Seed; another one draws other items.
        raters: How many, or their names.
        protocol: Protocol whose presentations are rated; the release's first one without.
    """

    name: str
    seed: int = 0
    raters: int | tuple[str, ...] = 6
    protocol: str | None = None

    def __post_init__(self) -> None:
        check_panel_name(self.name)
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed {self.seed} must be in 0 … 2⁶³ − 1")
        if not 1 <= (self.raters if isinstance(self.raters, int) else len(self.raters)) <= MOST_RATERS:
            raise ValueError(f"raters must be 1 to {MOST_RATERS}")
        check_raters(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The raters' names; `rater-1`, `rater-2`, … where only their number is given."""
        if not isinstance(self.raters, int):
            return self.raters
        return tuple(f"rater-{n:0{len(str(self.raters))}}" for n in range(1, self.raters + 1))


class QuotasSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[quotas]`: how many items, or groups of items, of each facet.

    Args:
        items: Of every facet that is not named.
        groups: The same where whole groups are drawn, such as dialogues, all of whose items are asked about.
        facets: Of those that are named, items or groups.
    """

    items: int = 0
    groups: int | None = None
    facets: dict[str, int] = {}

    def __post_init__(self) -> None:
        if wrong := [number for number in (self.items, self.groups or 0, *self.facets.values()) if number < 0]:
            raise ValueError(f"{wrong[0]} items; at least 0 must be")
        if self.items and self.groups is not None:
            raise ValueError("items and groups: give one of them")


class BalanceSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[balance]`: what the items of a facet are spread over.

    Args:
        columns: The most important one first.
    """

    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.columns)) < len(self.columns):
            raise ValueError(f"columns {', '.join(self.columns)}: each must stand once")


class ChecksSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[checks]`: attention checks.

    Args:
        controls: Number of control items.
    """

    controls: int = 0

    def __post_init__(self) -> None:
        if self.controls < 0:
            raise ValueError(f"controls {self.controls} must be 0 or more")


class PageSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[page]`: what raters see.

    Args:
        instructions: Text above every item.
        embed_most_mb: Audio up to this many megabytes is in the page itself.
    """

    instructions: str = ""
    embed_most_mb: float = 40.0


class FormSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[form]`: what raters are asked.

    Args:
        choose: Whether they are asked what the judge is asked.
        criteria: What they are asked of every item or group besides.
        ranks: What they are asked of each system whose answers they rank; nothing is ranked without.
    """

    choose: bool = True
    criteria: tuple[Criterion, ...] = ()
    ranks: str = ""

    def __post_init__(self) -> None:
        check_topics(self.criteria, ())
        if not (self.choose or self.criteria or self.ranks.strip()):
            raise ValueError("nothing is asked: choose must be true, or criteria or ranks be given")


class PanelRecipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole recipe; each field is a section."""

    panel: PanelSection
    quotas: QuotasSection
    balance: BalanceSection = BalanceSection()
    form: FormSection = FormSection()
    checks: ChecksSection = ChecksSection()
    page: PageSection = PageSection()


def panel_recipe(value: Mapping[str, Json], *, file: str | None = None) -> PanelRecipe:
    """A recipe from plain values, every section checked.

    Args:
        value: Plain values, as from TOML.
        file: Name to say in findings.

    Raises:
        Refused: If a section is unknown, missing or wrong.
    """
    return check_recipe(value, PanelRecipe, file=file)


def preset(name: str) -> str:
    """A recipe that comes with Earmark, as TOML.

    Raises:
        UnknownName: If there is none of that name.
    """
    if name not in PRESETS:
        raise UnknownName("panel preset", name, PRESETS)
    return files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
