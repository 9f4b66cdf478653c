"""Which role stands for which pole: the paper's mapping, or a user's own, checked.

A role is known if it is one of the 122 of the categories or occurs in the corpus's own prompts; 48 further adjectives do,
without a category, and a user may make a dimension of them (a warning says that they rest on no framework). Anything else is a
slip of the pen, as is a role in another case: roles are compared exactly, and the finding gives the right spelling.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from earmark.builders.stance.dimensions import (
    CATEGORIES,
    CATEGORY_OF,
    DIMENSIONS,
    Dimension,
    Framework,
    Mode,
    Pole,
    frameworks_of,
)
from earmark.builders.stance.fields import Codes, Fields, read_fields, repeated
from earmark.manifests.canonical import Json
from earmark.manifests.declarations import NAME_PATTERN
from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.report import OVERALL

_CODES = Codes(
    unreadable=declare("mapping.unreadable", Severity.ERROR, "the role mapping cannot be read"),
    unknown_key=declare("mapping.unknown-key", Severity.ERROR, "the role mapping has a key that means nothing"),
    bad_value=declare("mapping.bad-value", Severity.ERROR, "a value of the role mapping cannot be used"),
)
REPEATED_ID = declare("mapping.repeated-id", Severity.ERROR, "two dimensions have one id")
EMPTY_POLE = declare("mapping.empty-pole", Severity.ERROR, "a pole has no role")
UNKNOWN_ROLE = declare(
    "mapping.unknown-role", Severity.ERROR, "a role is in no category and in no prompt of the corpus"
)
ROLE_CASE = declare("mapping.role-case", Severity.ERROR, "a role differs from the corpus's spelling in case or spaces")
TWO_POLES = declare("mapping.role-on-two-poles", Severity.ERROR, "a role stands on both poles of a dimension")
REPEATED_ROLE = declare("mapping.repeated-role", Severity.WARNING, "a role stands twice on one pole; it counts once")
TWO_DIMENSIONS = declare(
    "mapping.role-in-two-dimensions",
    Severity.WARNING,
    "a role stands in two dimensions, whose figures are then not independent",
)
NO_CATEGORY = declare(
    "mapping.role-without-category", Severity.WARNING, "a role occurs in the corpus but is in none of the categories"
)
MANY_ROLES = declare("mapping.many-roles", Severity.WARNING, "a pole has more than four roles")
OTHER_CATEGORY = declare(
    "mapping.categories-differ", Severity.WARNING, "a pole names other categories than its roles have"
)
UNBALANCED = declare(
    "sample.poles-unbalanced",
    Severity.WARNING,
    "one pole of a dimension has more than three times as much as the other",
)
NOTHING = declare("sample.dimension-empty", Severity.WARNING, "neither pole of a dimension has anything in the sample")

MOST_ROLES = 4
"""Roles per pole in the paper; more is allowed and said."""

MOST_IMBALANCE = 3
"""Greatest ratio of the poles that passes without a word."""

_SIDES = (("positive", POSITIVE), ("negative", NEGATIVE))


@dataclass(frozen=True)
class RoleMapping:
    """Dimensions and the roles on their poles.

    Args:
        dimensions: In order, ids distinct.
    """

    dimensions: tuple[Dimension, ...]

    @cached_property
    def roles(self) -> frozenset[str]:
        """Every role that stands on a pole."""
        return frozenset(role for entry in self.dimensions for _, pole in poles(entry) for role in pole.roles)

    def dimension(self, id: str) -> Dimension:
        """One dimension by id.

        Raises:
            KeyError: If there is none.
        """
        for entry in self.dimensions:
            if entry.id == id:
                return entry
        raise KeyError(f"no dimension {id!r}; there is {', '.join(entry.id for entry in self.dimensions)}")

    def places(self, role: str) -> tuple[tuple[Dimension, str], ...]:
        """Where a role stands: each dimension that has it, and P or N.

        >>> [(dimension.id, pole) for dimension, pole in PAPER.places("Meek")]
        [('S7', 'P')]
        """
        return tuple((entry, label) for entry in self.dimensions for label, pole in poles(entry) if role in pole.roles)

    def as_recipe(self) -> dict[str, Json]:
        """The mapping as plain values: `read_mapping` reads them back, and a release's manifest keeps them."""
        return {"dimension": [_dimension_recipe(entry) for entry in self.dimensions]}

    def check_balance(self, counts: Mapping[str, Mapping[str, int]], findings: Findings) -> None:
        """Report dimensions whose poles are out of balance by more than 3:1 in the sample.

        Args:
            counts: Dimension id → P or N → how many conversations or items; what is absent counts 0.
            findings: Where they are reported.
        """
        for entry in self.dimensions:
            have = counts.get(entry.id, {})
            positive, negative = (have.get(label, 0) for label in (POSITIVE, NEGATIVE))
            found = f"{POSITIVE} {positive}, {NEGATIVE} {negative}"
            if positive == negative == 0:
                findings.add(NOTHING, id=entry.id, found=found)
            elif max(positive, negative) > MOST_IMBALANCE * min(positive, negative):
                findings.add(UNBALANCED, id=entry.id, found=found, expected=f"at most {MOST_IMBALANCE}:1")


PAPER = RoleMapping(DIMENSIONS)
"""The mapping of the StanceBench paper: nine dimensions, 68 roles."""


def poles(dimension: Dimension) -> tuple[tuple[str, Pole], ...]:
    """Both poles with their labels, P first."""
    return ((POSITIVE, dimension.positive), (NEGATIVE, dimension.negative))


def check_role(
    role: str,
    known: Collection[str],
    findings: Findings,
    *,
    file: str | None = None,
    row: int | None = None,
    column: str | None = None,
    id: str | None = None,
) -> bool:
    """Whether a role is known, exactly as it is written; reported with the right spelling where it is not.

    Args:
        role: As somebody wrote it, in a mapping or in an assignment table.
        known: The roles there are.
        findings: Where it is reported.
        file: The file or table it stands in.
        row: Row, from 1.
        column: Column or field.
        id: Id of the thing concerned.
    """
    if role in known:
        return True
    folded = role.strip().casefold()
    same = next((name for name in sorted(known) if name.casefold() == folded), None)
    code, expected = (ROLE_CASE, f"write {same}") if same else (UNKNOWN_ROLE, nearest(role, sorted(known)))
    findings.add(code, file=file, row=row, column=column, id=id, found=role, expected=expected)
    return False


def read_mapping(
    source: Path | Mapping[str, Json], findings: Findings, *, corpus_roles: Collection[str] = ()
) -> RoleMapping | None:
    """A user's mapping from TOML: `[[dimension]]` with id, name, mode and the tables positive and negative.

    A pole has `roles` and may name `categories` and `frameworks`; otherwise both follow from the roles.

    Args:
        source: A TOML file, or the table as read already (the `mapping` of a recipe).
        findings: Where problems are reported, all at once.
        corpus_roles: The roles that occur in the corpus's prompts, known besides the 122 of the categories.

    Returns:
        The mapping, or None where something in it is an error.
    """
    errors = findings.count(Severity.ERROR)
    top = read_fields(source, _CODES, findings)
    if top is None:
        return None
    top.known(("dimension",))
    known = frozenset(CATEGORY_OF) | frozenset(corpus_roles)
    read = [_read_dimension(fields, known) for fields in top.tables("dimension")]
    dimensions = [entry for entry in read if entry is not None]
    _check_whole(dimensions, top.file, findings)
    return RoleMapping(tuple(dimensions)) if findings.count(Severity.ERROR) == errors else None


def _read_dimension(fields: Fields, known: Collection[str]) -> Dimension | None:
    fields.known(("id", "name", "mode", "positive", "negative", "source_index"))
    id = fields.text("id", pattern=NAME_PATTERN)
    if id is not None and id.casefold() == OVERALL:
        fields.bad("id", id, f"another id: {OVERALL} is what reports call all dimensions together")
    name = fields.text("name")
    mode = fields.text("mode", choices=("single", "interaction"))
    source_index = fields.whole("source_index", optional=True)
    sides = [_read_pole(fields, side, known) for side, _ in _SIDES]
    positive, negative = sides
    if id is None or name is None or mode is None or positive is None or negative is None:
        return None
    kept: Mode = "single" if mode == "single" else "interaction"
    return Dimension(id, name, kept, positive, negative, source_index)


def _read_pole(dimension: Fields, side: str, known: Collection[str]) -> Pole | None:
    fields = dimension.table(side)
    if fields is None:
        return None
    fields.known(("roles", "categories", "frameworks"))
    roles = fields.texts("roles")
    categories = fields.texts("categories", optional=True)
    frameworks = fields.texts("frameworks", optional=True)
    if roles is None or categories is None or frameworks is None:
        return None
    if not roles:
        fields.report(EMPTY_POLE, "roles", expected="one role or more")
        return None
    for role in repeated(roles):
        fields.report(REPEATED_ROLE, "roles", role)
    roles = tuple(dict.fromkeys(roles))
    for role in roles:
        exact = check_role(role, known, fields.findings, file=fields.file, column=fields.at("roles"))
        if exact and role not in CATEGORY_OF:
            fields.report(NO_CATEGORY, "roles", role, "it rests on no framework")
    if len(roles) > MOST_ROLES:
        fields.report(MANY_ROLES, "roles", len(roles), f"at most {MOST_ROLES}")
    for name in categories:
        _one_of(fields, "categories", name, [entry.name for entry in CATEGORIES])
    for name in frameworks:
        _one_of(fields, "frameworks", name, [entry.value for entry in Framework])
    theirs = tuple(dict.fromkeys(CATEGORY_OF[role] for role in roles if role in CATEGORY_OF))
    if categories and set(categories) != set(theirs):
        fields.report(OTHER_CATEGORY, "categories", ", ".join(categories), ", ".join(theirs) or "none")
    rests_on = tuple(entry for name in frameworks for entry in Framework if entry.value == name)
    return Pole(roles, categories or theirs, rests_on or frameworks_of(theirs))


def _one_of(fields: Fields, key: str, name: str, valid: Sequence[str]) -> None:
    if name not in valid:
        fields.bad(key, name, nearest(name, valid))


def _check_whole(dimensions: Iterable[Dimension], file: str | None, findings: Findings) -> None:
    entries = list(dimensions)
    # Ids become file names and prompt ids, so two that differ in case alone would meet on some systems.
    for id in repeated(entry.id.casefold() for entry in entries):
        same = [entry.id for entry in entries if entry.id.casefold() == id]
        findings.add(REPEATED_ID, file=file, id=same[0], found=", ".join(same), expected="distinct ids")
    places: dict[str, list[str]] = {}
    for number, entry in enumerate(entries):
        for role in entry.positive.roles:
            if role in entry.negative.roles:
                findings.add(TWO_POLES, file=file, id=entry.id, found=role, expected="a role on one pole only")
        for role in dict.fromkeys((*entry.positive.roles, *entry.negative.roles)):
            places.setdefault(role, []).append(f"{number}:{entry.id}")
    for role, ids in places.items():
        if len(ids) > 1:
            names = ", ".join(id.partition(":")[2] for id in ids)
            findings.add(TWO_DIMENSIONS, file=file, found=role, expected=f"one dimension; it stands in {names}")


def _dimension_recipe(entry: Dimension) -> dict[str, Json]:
    recipe: dict[str, Json] = {"id": entry.id, "name": entry.name, "mode": entry.mode}
    if entry.source_index is not None:
        recipe["source_index"] = entry.source_index
    for side, pole in (("positive", entry.positive), ("negative", entry.negative)):
        recipe[side] = {
            "roles": list(pole.roles),
            "categories": list(pole.categories),
            "frameworks": [framework.value for framework in pole.frameworks],
        }
    return recipe
