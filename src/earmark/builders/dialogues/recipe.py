"""The recipe of a release of dialogues, section by section; `recipe.toml` beside this module is the commented default."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import msgspec

from earmark.builders.dialogues.author import AuthorSection
from earmark.builders.dialogues.oracle import OracleSection
from earmark.builders.dialogues.quotas import DialoguesSection
from earmark.builders.dialogues.sections import (
    AdoptSection,
    AffectSection,
    LedgerSection,
    PresentationsSection,
    PromptsSection,
    WorkSection,
)
from earmark.builders.dialogues.speakers import VoiceSection
from earmark.builders.dialogues.voicing.sections import GateSection, WordsSection
from earmark.builders.ledger.prices import ModelPrice
from earmark.builders.ledger.retries import RetriesSection
from earmark.builders.recipes import SECTION, ReleaseSection, check_recipe, known_fields
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

DEFAULT_RECIPE = files(__package__).joinpath("recipe.toml").read_text(encoding="utf-8")
"""What `earmark build dialogues --print-recipe` prints, and what is built where no recipe is given."""


class DialoguesRecipe(msgspec.Struct, frozen=True, kw_only=True):
    """A recipe of this family; each field is a section, and its record says what may stand in it."""

    release: ReleaseSection
    dialogues: DialoguesSection = DialoguesSection()
    author: AuthorSection = AuthorSection()
    oracle: OracleSection = OracleSection()
    voice: VoiceSection = VoiceSection()
    gate: GateSection = GateSection()
    words: WordsSection = WordsSection()
    presentations: PresentationsSection = PresentationsSection()
    prompts: PromptsSection = PromptsSection()
    affect: AffectSection = AffectSection()
    work: WorkSection = WorkSection()
    ledger: LedgerSection = LedgerSection()
    retries: RetriesSection = RetriesSection()
    prices: dict[str, ModelPrice] = {}
    adopt: AdoptSection = AdoptSection()


def check_dialogues_recipe(value: Mapping[str, Json]) -> DialoguesRecipe:
    """A recipe as its record; of prices each is checked by itself.

    Args:
        value: Plain values, such as `DEFAULT_RECIPE` has; `[release]` is needed, and every other section has defaults.

    Raises:
        Refused: If anything in it is wrong; all of it is said.
    """
    findings, sound = Findings(), dict(value)
    prices = value.get("prices")
    if isinstance(prices, Mapping):
        sound["prices"] = {model: price for model, price in prices.items() if _fits(model, price, findings)}
    try:
        checked = check_recipe(sound, DialoguesRecipe)
    except Refused as error:
        findings.extend(error.findings)
        raise Refused(findings) from error
    findings.require_none()
    return checked


def _fits(model: str, price: Json, findings: Findings) -> bool:
    try:
        msgspec.convert(price, ModelPrice)
    except (msgspec.ValidationError, ValueError) as error:
        findings.add(SECTION, id=f"[prices.{model!r}]", found=str(error), expected=known_fields(error, ModelPrice))
        return False
    return True
