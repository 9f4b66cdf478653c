"""Stratified samples that depend on nothing but key, seed and ids; and the reference's own procedure, for comparison.

Strata are what the gold is made of (the role that a speaker was asked to play), so an id is ranked with the private key.
With a public seed in its place whoever knows the corpus could rank every conversation in every stratum, and a conversation
that was chosen despite a poor rank in one stratum would give away that it stands in another. Behind the key, ranks are
uniform to everybody else: that a conversation was chosen then tells only what the published counts tell of all of them,
namely how likely each stratum is. Two releases of one line share their key, and a conversation that a newcomer of a known
stratum pushed out must share that stratum; whoever minds begins a new line.

An id has **one** rank for all its strata. With a rank per stratum an id in two strata would have two chances, and the sample
would favour conversations between two selected roles and overshoot the share that was asked for; with one rank it is
chosen through both or neither wherever the shares are equal. (Survey samplers call these permanent random numbers.) Only a
public rank would make that unsafe, and none is public.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor as whole

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.keys import KEY_BYTES, rank

BELOW_FLOOR = declare(
    "sample.stratum-below-floor", Severity.WARNING, "a stratum has fewer members than its floor and was taken whole"
)
ONE_PROMPT = declare(
    "sample.role-in-one-prompt",
    Severity.WARNING,
    "a role occurs with one prompt only, so nothing tells the role's effect from the scenario's",
)

REFERENCE_FLOOR = 10
"""The least that the reference takes of a role, where there is as much."""


@dataclass(frozen=True, kw_only=True)
class StratumReport:
    """What became of one stratum.

    Args:
        stratum: Its name.
        available: Members.
        quota: What the nominal share asks for.
        drawn: What was drawn through this stratum: the quota or, where that is less, the floor; at most `available`.
        taken: Members in the sample, those drawn through another stratum included.
        cutoff: Greatest rank drawn, 16 hexadecimal digits; None where nothing was. Whoever has the key can check by it
            that exactly the members of a rank up to this were drawn; it belongs on the private side.
    """

    stratum: str
    available: int
    quota: int
    drawn: int
    taken: int
    cutoff: str | None

    @property
    def floor_applied(self) -> bool:
        """Whether the floor asked for more than the share did."""
        return self.drawn > self.quota

    @property
    def effective_share(self) -> float | None:
        """Share of the members that are in the sample, 0 to 1; None of an empty stratum."""
        return self.taken / self.available if self.available else None

    def as_json(self) -> dict[str, Json]:
        """The counts for machines, without the cutoff."""
        return {
            "stratum": self.stratum,
            "available": self.available,
            "quota": self.quota,
            "drawn": self.drawn,
            "floor_applied": self.floor_applied,
            "taken": self.taken,
            "effective_share": self.effective_share,
        }


@dataclass(frozen=True, kw_only=True)
class GroupReport:
    """What became of a union of strata, such as all roles of a dimension.

    Args:
        group: Its name.
        available: Distinct members.
        taken: Those of them in the sample.
    """

    group: str
    available: int
    taken: int

    @property
    def effective_share(self) -> float | None:
        """Share of the members that are in the sample, 0 to 1; None of an empty group."""
        return self.taken / self.available if self.available else None

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "group": self.group,
            "available": self.available,
            "taken": self.taken,
            "effective_share": self.effective_share,
        }


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A stratified sample.

    Args:
        ids: The chosen ids, sorted, so that their order tells nothing.
        share: The nominal share.
        floor: The floor per stratum.
        report: One row per stratum, by name.
    """

    ids: tuple[str, ...]
    share: float
    floor: int
    report: tuple[StratumReport, ...]

    def groups(self, members: Mapping[str, Iterable[str]]) -> tuple[GroupReport, ...]:
        """The effective share of unions of strata.

        Args:
            members: The ids of each group, chosen or not.
        """
        chosen = frozenset(self.ids)
        reports = []
        for group, ids in sorted(members.items()):
            distinct = frozenset(ids)
            reports.append(GroupReport(group=group, available=len(distinct), taken=len(distinct & chosen)))
        return tuple(reports)

    def report_shortfalls(self, findings: Findings) -> None:
        """Report every stratum that has fewer members than its floor."""
        for row in self.report:
            if row.available < self.floor:
                findings.add(BELOW_FLOOR, id=row.stratum, found=row.available, expected=f"{self.floor} or more")


def stratified_sample(
    strata: Mapping[str, Iterable[str]], *, share: float, floor: int, key: bytes, seed: int, draw: str = "sample"
) -> Sample:
    """A share of every stratum, at least `floor` of each, chosen by keyed rank; the sample is the union.

    The quota is `share` times the stratum's size to the nearest integer, halves up, so that it never falls when a member
    is added: a newcomer can push out at most one chosen id of its stratum, by outranking it, and a leaver is replaced by
    at most one.

    Args:
        strata: The ids in each stratum; an id may stand in several.
        share: Nominal share of each stratum, in (0, 1].
        floor: Least number of each stratum, 0 or more; a smaller stratum is taken whole.
        key: The release line's private key, 32 bytes.
        seed: Public seed, so that one key serves several draws.
        draw: Name of the draw; two draws of different names have nothing to do with each other.

    Raises:
        ValueError: If the share, the floor or the key is out of range.

    >>> sample = stratified_sample({"warm": "abcdefgh", "cold": "hij"}, share=0.25, floor=1, key=bytes(32), seed=1)
    >>> [(row.stratum, row.quota, row.drawn, row.taken) for row in sample.report]
    [('cold', 1, 1, 1), ('warm', 2, 2, 2)]
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}, not in (0, 1]")
    if floor < 0:
        raise ValueError(f"floor is {floor}, not 0 or more")
    if len(key) != KEY_BYTES:
        raise ValueError(f"the key has {len(key)} bytes, not {KEY_BYTES}; without it the sample would tell the strata")
    members = {stratum: frozenset(ids) for stratum, ids in strata.items()}
    ranks = {id: rank(key, seed, draw, id) for id in frozenset().union(*members.values())}
    drawn: dict[str, list[str]] = {}
    quotas: dict[str, int] = {}
    for stratum, ids in members.items():
        quotas[stratum] = quota = _nearest(share, len(ids))
        drawn[stratum] = sorted(ids, key=lambda id: (ranks[id], id))[: max(quota, floor)]
    chosen = frozenset().union(*drawn.values())
    report = tuple(
        StratumReport(
            stratum=stratum,
            available=len(members[stratum]),
            quota=quotas[stratum],
            drawn=len(drawn[stratum]),
            taken=len(members[stratum] & chosen),
            cutoff=f"{ranks[drawn[stratum][-1]]:016x}" if drawn[stratum] else None,
        )
        for stratum in sorted(members)
    )
    return Sample(ids=tuple(sorted(chosen)), share=share, floor=floor, report=report)


def reference_sample(
    rows: Sequence[Mapping[str, str]],
    roles: Collection[str],
    *,
    portion: float,
    seed: int,
    floor: int = REFERENCE_FLOOR,
) -> list[int]:
    """The rows that StanceBench's own filter keeps, in the order in which it writes them.

    For each role, alphabetically, of the rows in which either side has it, `DataFrame.sample(n, random_state=seed)` with n =
    round(portion × rows), halves to even; where that is below the floor, the floor, or all there are. Concatenated, and of
    equal rows the first is kept. At portion 1 every matching row is kept as it stands. The roles' samples are not
    independent: one seed picks the same positions of equally frequent roles. Offered for comparison; its choice is a
    stream of `numpy.random.RandomState`, which NumPy has frozen, so pandas itself is not needed.

    Args:
        rows: Assignments with at least the columns `role_a` and `role_b`, in file order.
        roles: The selected roles, exact.
        portion: Share of each role's rows, in (0, 1].
        seed: Seed, 0 to 2³² − 1.
        floor: Least number of rows per role.

    Returns:
        Positions in `rows`, from 0.

    Raises:
        ValueError: If the portion or the seed is out of range.
    """
    from numpy.random import RandomState

    if not 0 < portion <= 1:
        raise ValueError(f"portion is {portion}, not in (0, 1]")
    selected = frozenset(roles)
    if portion == 1:
        return [at for at, row in enumerate(rows) if row["role_a"] in selected or row["role_b"] in selected]
    kept: dict[tuple[tuple[str, str], ...], int] = {}
    for role in sorted(selected):
        matching = [at for at, row in enumerate(rows) if role in (row["role_a"], row["role_b"])]
        base = round(len(matching) * portion)
        size = min(floor, len(matching)) if base < floor else base
        if size:
            for position in RandomState(seed).choice(len(matching), size=size, replace=False).tolist():
                at = matching[position]
                kept.setdefault(tuple(sorted(rows[at].items())), at)
    return list(kept.values())


def confounded_roles(assignments: Iterable[tuple[str, str]], findings: Findings) -> dict[str, str]:
    """The roles that occur with one prompt only, each reported.

    Args:
        assignments: (role, prompt) of every speaker side in question: all of the corpus, or those sampled.
        findings: Where they are reported.

    Returns:
        Role and its only prompt, by role.
    """
    prompts: dict[str, set[str]] = {}
    for role, prompt in assignments:
        prompts.setdefault(role, set()).add(prompt)
    confounded = {role: min(seen) for role, seen in sorted(prompts.items()) if len(seen) == 1}
    for role, prompt in confounded.items():
        findings.add(ONE_PROMPT, id=role, found=f"only {prompt}", expected="two prompts or more")
    return confounded


def _nearest(share: float, size: int) -> int:
    # The share as it was written: 0.15 is 3/20, although the nearest float is a little less.
    return whole(Fraction(str(share)) * size + Fraction(1, 2))
