"""The recipe of a pairs release, section by section; `recipe.toml` beside this module is the commented default."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Literal, TypeAlias, cast, get_args

import msgspec

from earmark.builders.recipes import SECTION, ReleaseSection, check_recipe, known_fields
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.families.pairs import BOTH_BAD, BOTH_GOOD, CONTROLS, CRITERIA, NON_TIE
from earmark.manifests.families.pairs_recipe import Caps, Criterion, Rules
from earmark.manifests.findings import Findings

DEFAULT_RECIPE = files(__package__).joinpath("recipe.toml").read_text(encoding="utf-8")
"""What `earmark build pairs --print-recipe` prints."""

ALL: Literal["all"] = "all"
"""A quota of as many pairs as the caps allow."""

MOST_PAIRS = 10_000_000
"""Largest quota."""

MOST_NEAREST = 1_000_000
"""Most candidates of a clip that may be asked for."""

Quota: TypeAlias = "int | Literal['all']"
Quotas: TypeAlias = "dict[Literal['same', 'cross'], Quota]"
Speakers: TypeAlias = Literal["rule", "same", "different", "any"]
Preset: TypeAlias = Literal["crossed", "paper", "all"]
CorpusName: TypeAlias = Literal["expresso", "ears", "svc", "libritts"]


class CorpusSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[corpora.NAME]`: where one of the four corpora lies.

    Args:
        root: Folder of the corpus.
        version: Name of the copy; it is part of every clip's id.
        licence: Its licence; the corpus's own without.
        splits: Official splits to take; the test splits without.
    """

    root: str
    version: str | None = None
    licence: str | None = None
    splits: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if "\0" in self.root:
            raise ValueError(f"root is {self.root!r}; no path has a NUL")


class PairingSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[pairing]`: how pairs are chosen.

    Args:
        preset: Quotas and caps to start from.
        blocks: The blocks of quotas to fill; all of the preset and the recipe without.
        speakers: Who speaks the two clips, in every block that does not say it and whose criterion has no rule against it; "rule"
            follows the rules.
        nearest: How many candidates of each clip and cell are considered, those that cost least.
        level: Whether pairs are exchanged until no side of a cell is the longer, the louder … one on average.
        measure: Whether the clips' sound is measured; without, only their length is balanced and nothing is checked by ear.
        allow_shortfall: Whether a release is made though quotas are not filled.
    """

    preset: Preset = "crossed"
    blocks: tuple[str, ...] | None = None
    speakers: Speakers = "rule"
    nearest: int = 64
    level: bool = True
    measure: bool = True
    allow_shortfall: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.nearest <= MOST_NEAREST:
            raise ValueError(f"nearest is {self.nearest}; it must be in 1 … {MOST_NEAREST}")
        if self.blocks is not None and (not self.blocks or len(set(self.blocks)) < len(self.blocks)):
            raise ValueError(f"blocks are {list(self.blocks)}; name each once, and at least one")


class Block(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[blocks.NAME]`: quotas of one criterion from some corpora. Every quota is per target.

    Args:
        criterion: What is asked about; the block's name without.
        variant: "main"; "hard" for age pairs of adjacent groups; another name for pairs that are to be reported apart.
        corpora: The corpora whose clips may be used.
        targets: What is asked for; every target that the corpora have without. Words share one quota among them.
        substyles: Sub-styles whose clips may be used; without, those of style pairs that are named as their style is.
        foils: Of non-tie style pairs, the parts that have a "default" foil and one of an "other" target.
        non_tie: Pairs in which one clip satisfies the target, by transcript: a number, or "all".
        both_good: Pairs in which both do.
        both_bad: Pairs in which neither does.
        total: The sum of all quotas over all targets, to be checked; None for no check.
        speakers: Who speaks the two clips; None for what `[pairing]` says.
        sexes: "balanced" for as many pairs of women as of men, "any" for no condition.
        mixed_weight: How many pairs of a woman and a man go on one of two women, where sexes are balanced and speakers differ.
        most_per_target: The most pairs that ask for one word; None for no limit.
        nuisances: What must not differ within a pair; the criterion's own without.
        nearest: Candidates of each clip and cell; what `[pairing]` says without. Where clips are many, few of each are enough.
    """

    criterion: Criterion | None = None
    variant: str = "main"
    corpora: tuple[CorpusName, ...]
    targets: tuple[str, ...] | None = None
    substyles: tuple[str, ...] | None = None
    foils: dict[str, int] | None = None
    non_tie: Quotas = {}
    both_good: Quotas = {}
    both_bad: Quotas = {}
    total: int | None = None
    speakers: Speakers | None = None
    sexes: Literal["balanced", "any"] = "any"
    mixed_weight: int = 4
    most_per_target: int | None = None
    nuisances: tuple[str, ...] | None = None
    nearest: int | None = None

    @property
    def quotas(self) -> dict[tuple[str, str], Quota]:
        """The quotas by kind and transcript; those of no pair are not among them."""
        of_kind = {NON_TIE: self.non_tie, BOTH_GOOD: self.both_good, BOTH_BAD: self.both_bad}
        return {
            (kind, transcript): quota
            for kind, quotas in of_kind.items()
            for transcript, quota in quotas.items()
            if quota != 0
        }

    def quota(self, kind: str, transcript: str) -> Quota:
        """One quota, 0 where none is said."""
        return self.quotas.get((kind, transcript), 0)

    def named(self, name: str) -> Criterion:
        """The criterion of a block of this name.

        Raises:
            ValueError: If neither says one.
        """
        if self.criterion is not None:
            return self.criterion
        for criterion in get_args(Criterion):
            if name == criterion:
                return cast("Criterion", name)
        raise ValueError(f"criterion is missing; one of {', '.join(CRITERIA)}")

    def __post_init__(self) -> None:
        for (kind, transcript), quota in self.quotas.items():
            if quota != ALL and not 0 <= int(quota) <= MOST_PAIRS:
                raise ValueError(f"{kind}.{transcript} is {quota}; a quota is in 0 … {MOST_PAIRS}, or {ALL!r}")
        if self.nearest is not None and not 1 <= self.nearest <= MOST_NEAREST:
            raise ValueError(f"nearest is {self.nearest}; it must be in 1 … {MOST_NEAREST}")
        if self.variant in ("", *CONTROLS):
            raise ValueError(f"variant is {self.variant!r}; a name, but none of the controls': {', '.join(CONTROLS)}")
        if not 0 <= self.mixed_weight <= MOST_PAIRS:
            raise ValueError(f"mixed_weight is {self.mixed_weight}; it must be in 0 … {MOST_PAIRS}")
        if self.most_per_target is not None and not 1 <= self.most_per_target <= MOST_PAIRS:
            raise ValueError(f"most_per_target is {self.most_per_target}; it must be in 1 … {MOST_PAIRS}")
        foils = self.foils
        if foils is not None and (
            foils.keys() - {"default", "other"} or not all(0 <= part <= MOST_PAIRS for part in foils.values())
        ):
            raise ValueError(f"foils are {foils}; default and other are parts, each in 0 … {MOST_PAIRS}")
        if foils is not None and not sum(foils.values()):
            raise ValueError(f"foils are {foils}; one of the parts must be more than 0")
        for name in ("corpora", "targets", "substyles", "nuisances"):
            given: tuple[str, ...] | None = getattr(self, name)
            if given is not None and len(set(given)) < len(given):
                raise ValueError(f"{name} are {list(given)}; name each once")


class ControlsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[controls]`: items that no headline counts.

    Args:
        identical: Items of one clip twice.
        level: Items of a clip against itself at another level.
        silence: Items of a clip against silence.
        gain: That change of level, dB.
    """

    identical: int = 0
    level: int = 0
    silence: int = 0
    gain: float = -12.0

    def __post_init__(self) -> None:
        for name in ("identical", "level", "silence"):
            if not 0 <= getattr(self, name) <= 1_000_000:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be in 0 … 1000000")
        if not -60 <= self.gain <= -1:
            raise ValueError(f"gain is {self.gain}; it must be in −60 … −1 dB")


class PromptsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[prompts]`: what is asked.

    Args:
        templates: A file of templates, TOML; Earmark's own without.
    """

    templates: str | None = None

    def __post_init__(self) -> None:
        if self.templates is not None and "\0" in self.templates:
            raise ValueError(f"templates is {self.templates!r}; no path has a NUL")


class PairsRecipe(msgspec.Struct, frozen=True, kw_only=True):
    """A recipe of this family, its preset merged in."""

    release: ReleaseSection
    corpora: dict[CorpusName, CorpusSection]
    pairing: PairingSection = PairingSection()
    blocks: dict[str, Block]
    caps: dict[Criterion, Caps] = {}
    rules: Rules = Rules()
    controls: ControlsSection = ControlsSection()
    prompts: PromptsSection = PromptsSection()


_TABLES: Mapping[str, type[msgspec.Struct]] = {"corpora": CorpusSection, "blocks": Block, "caps": Caps}


def check_pairs_recipe(value: Mapping[str, Json]) -> PairsRecipe:
    """A recipe whose preset is merged in as its record; of corpora, blocks and caps each is checked by itself.

    Args:
        value: Plain values.

    Raises:
        Refused: If anything in it is wrong; all of it is said.
    """
    findings, sound = Findings(), dict(value)
    for section in _TABLES:
        tables = value.get(section)
        if isinstance(tables, Mapping):
            sound[section] = {name: table for name, table in tables.items() if _fits(section, name, table, findings)}
    try:
        checked = check_recipe(sound, PairsRecipe)
    except Refused as error:
        findings.extend(error.findings)
        raise Refused(findings) from error
    findings.require_none()
    return checked


def _fits(section: str, name: str, table: Json, findings: Findings) -> bool:
    """Whether a table of a section has its form."""
    try:
        made = msgspec.convert(table, _TABLES[section])
        if isinstance(made, Caps):
            _check_caps(made)
    except (msgspec.ValidationError, ValueError) as error:
        expected = known_fields(error, _TABLES[section])
        findings.add(SECTION, id=f"[{section}.{name}]", found=str(error), expected=expected)
        return False
    return True


def _check_caps(caps: Caps) -> None:
    for name in ("clip", "clip_pair", "speaker"):
        cap: int | None = getattr(caps, name)
        if cap is not None and not 1 <= cap <= MOST_PAIRS:
            raise ValueError(f"{name} is {cap}; a cap is in 1 … {MOST_PAIRS}")


def resolved(recipe: PairsRecipe, pairing: Mapping[str, Json], templates: Mapping[str, Json]) -> dict[str, Json]:
    """What the manifest keeps of a recipe: everything that decided something, and no path of anybody's machine."""
    section: dict[str, Json] = msgspec.to_builtins(recipe.pairing)
    corpora: dict[str, Json] = {
        name: {"version": entry.version, "splits": None if entry.splits is None else list(entry.splits)}
        for name, entry in sorted(recipe.corpora.items())
    }
    return {
        "release": msgspec.to_builtins(recipe.release),
        "corpora": corpora,
        "chosen": section,
        "blocks": msgspec.to_builtins(recipe.blocks),
        "controls": msgspec.to_builtins(recipe.controls),
        "pairing": dict(pairing),
        "templates": dict(templates),
    }
