"""Making a release: the same steps for every family.

Recipe → plan (the family's) → media → tables → manifest → validation → one rename. A build drops what is bad, counts it and
says so; `strict` stops at the first error instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import earmark
from earmark.builders.media import Progress, cut_clips
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection
from earmark.builders.work_folder import Placed, held, kept_key
from earmark.manifests import registry
from earmark.manifests.building import Building, building
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.family import Family
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import folder_hash
from earmark.manifests.keys import new_key, read_key
from earmark.manifests.release import (
    FORMAT,
    FacetEntry,
    Manifest,
    MediaEntry,
    ProtocolEntry,
    Release,
    canary,
    open_release,
)
from earmark.manifests.rows import text, texts
from earmark.validation.invariants import validate

if TYPE_CHECKING:
    from collections.abc import Callable

EMPTY = declare("build.empty", Severity.ERROR, "nothing is left that a release could be made of")
INCOMPLETE = declare("build.incomplete", Severity.ERROR, "items were lost from a plan whose quotas are exact")
UNSOUND = declare(
    "build.unsound", Severity.ERROR, "the release that was built breaks an invariant; this is a fault of Earmark"
)


@dataclass(frozen=True, kw_only=True)
class Order:
    """What a build is asked for.

    Args:
        family: Name of the family.
        recipe: The recipe as plain values.
        base: Folder that relative paths in the recipe start from.
        out: The release to be made.
        key: File with the release line's key; a fresh one is drawn without it.
        media: Whether to cut audio into the public side.
        media_rate: Its rate in Hz, None for each corpus's own.
        jobs: How many clips are cut at a time.
        resume: Continue what an earlier run left.
        force: Move an existing release aside.
        strict: Stop at the first error.
    """

    family: str
    recipe: Mapping[str, Json]
    base: Path
    out: Path
    key: Path | None = None
    media: bool = False
    media_rate: int | None = None
    jobs: int = 1
    resume: bool = False
    force: bool = False
    strict: bool = False


@dataclass(frozen=True)
class Made:
    """What came of a build.

    Args:
        release: The release; None where it was only planned.
        findings: What was found on the way.
        report: Counts for people.
    """

    release: Release | None
    findings: Findings
    report: Mapping[str, Json]


class Builder(Protocol):
    """What a family's module in this room provides.

    It may have two functions besides. `placed(recipe, base, out)` names the folder that is kept from run to run, and gives it
    with the recipe that names it. `price(recipe, base, findings)` says what a build would cost at most, which is what a dry
    run reports; None has the plan itself reported.
    """

    DEFAULT_RECIPE: str

    def plan(
        self, recipe: Mapping[str, Json], base: Path, key: bytes, findings: Findings, progress: Progress
    ) -> tuple[ReleaseSection, Plan]:
        """Make the plan of a release from a recipe."""
        ...


def builder(family: str) -> Builder:
    """A family's module in this room.

    Raises:
        UnknownName: If there is none.
    """
    return cast("Builder", registry.family_module("builders", family))


def make(order: Order, progress: Progress) -> Made:
    """Build a release.

    Args:
        order: What is asked for.
        progress: Told how far it is.

    Returns:
        The release and everything that was found; errors among the findings mean that something was dropped.

    Raises:
        Refused: If the recipe is wrong, or at the first error where that was asked for, or if nothing is left.
        DestinationExists: If OUT exists.
        Busy: If another process is at work on it, or in the folder that is kept.
    """
    family = registry.family(order.family)
    findings = Findings(strict=order.strict)
    order, folder = _with_work_folder(order)
    with building(order.out, family, key=order.key, resume=order.resume, force=order.force) as work, held(folder):
        section, plan = builder(order.family).plan(order.recipe, order.base, work.key, findings, progress)
        if not plan.tables["items"]:
            findings.add(EMPTY, found="no item")
            raise Refused(findings)
        media, planned = None, len(plan.tables["items"])
        if order.media or plan.media:
            plan = cut_clips(plan, work, findings, rate=order.media_rate, jobs=order.jobs, progress=progress)
            if not plan.tables["items"]:
                findings.add(EMPTY, found="no item whose clips could be cut")
                raise Refused(findings)
            if plan.exact and len(plan.tables["items"]) < planned:
                lost = planned - len(plan.tables["items"])
                findings.add(
                    INCOMPLETE, found=f"{lost} of {planned} items", expected="the clips named above mended or removed"
                )
                raise Refused(findings)
            folder = work.partial / "public" / "audio"
            media = MediaEntry(rate=order.media_rate, files=len(plan.tables["clips"]), hash=folder_hash(folder))
        progress("writing tables", 0, 1)
        write(work, family, section, plan, media)
        progress("writing tables", 1, 1)
        checked = validate(open_release(work.partial), building=True)
        if checked.failed:
            findings.extend(replace(checked, strict=False))
            findings.add(UNSOUND, file=str(order.out), found=checked.summary())
            raise Refused(findings)
    return Made(open_release(order.out), findings, plan.report)


def plan_only(order: Order, progress: Progress) -> Made:
    """Plan a release and report on it; nothing is written.

    Raises:
        Refused: As for `make`.
    """
    findings = Findings(strict=order.strict)
    key = new_key() if order.key is None else read_key(order.key)
    recipe = placed(order).recipe
    price = cast("Callable[..., Mapping[str, Json] | None] | None", getattr(builder(order.family), "price", None))
    priced = None if price is None else price(recipe, order.base, findings)
    if priced is not None:
        return Made(None, findings, priced)
    _, plan = builder(order.family).plan(recipe, order.base, key, findings, progress)
    if not plan.tables["items"]:
        findings.add(EMPTY, found="no item")
        raise Refused(findings)
    return Made(None, findings, plan.report)


def placed(order: Order) -> Placed:
    """The recipe of an order with the folder that is kept from run to run; nothing is made.

    Raises:
        Refused: If the recipe is wrong.
    """
    place = cast("Callable[..., Placed] | None", getattr(builder(order.family), "placed", None))
    return Placed(order.recipe, None) if place is None else place(order.recipe, order.base, order.out)


def _with_work_folder(order: Order) -> tuple[Order, Path | None]:
    """The order with its folder made and, where no key is given, the key that stands there; and the folder.

    What is made may be drawn with the key, so another run must have the same one to find it.
    """
    recipe, folder = placed(order)
    if folder is None or (order.out.exists() and not order.force):
        return order, None  # of which the build itself will say that it cannot be
    key = kept_key(folder, order.out) if order.key is None else order.key
    return replace(order, recipe=recipe, key=key), folder


def write(work: Building, family: Family, section: ReleaseSection, plan: Plan, media: MediaEntry | None) -> None:
    """Write the tables and the manifest of a plan.

    Args:
        work: The build that they go into.
        family: The release's family.
        section: What the release is called.
        plan: What stands in it.
        media: What was said of the audio on the public side; None without any.
    """
    for name in family.tables():
        work.write_table(name, plan.tables[name])
    for name, page in plan.pages.items():
        work.write_page(name, page)
    items = Counter(text(row, "facet") for row in plan.tables["items"])
    owed = Counter(name for row in plan.tables["presentations"] for name in texts(row, "protocols"))
    manifest = Manifest(
        format=FORMAT,
        name=section.name,
        version=section.version,
        family=family.name,
        builder=f"earmark {earmark.__version__}",
        canary=canary(section.name, section.version),
        seed=section.seed,
        gold="hidden",
        recipe=cast("dict[str, object]", plan.recipe),
        sources=list(plan.sources),
        facets=[FacetEntry(id=id, name=name, items=items[id]) for id, name in plan.facets.items() if items[id]],
        protocols=[
            ProtocolEntry(
                name=protocol.name,
                modality=protocol.modality,
                orders=list(protocol.orders),
                presentations=owed[protocol.name],
            )
            for protocol in family.protocols
            if owed[protocol.name]
        ],
        tables=dict(work.entries),
        media=media,
    )
    work.write_manifest(manifest)
