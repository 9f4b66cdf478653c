"""What the texts of a published copy say, gathered once; with hidden gold nothing that only the private side knows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.builders.publishing.data.configs import Config, configs_of
from earmark.manifests.findings import Findings
from earmark.manifests.release import FacetEntry, Gold, Manifest, Release, SourceEntry
from earmark.pages.shown import shown

if TYPE_CHECKING:
    from earmark.builders.publishing.policy import Shipping
    from earmark.builders.publishing.readiness import Creator, Publication
    from earmark.manifests.licences import Licence

LANGUAGES = ("en",)
"""The languages of every corpus that a builder reads, ISO 639-1."""

_SYNTHETIC = re.compile(r"\bsynthetic\b", re.IGNORECASE)

_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"))


@dataclass(frozen=True, kw_only=True)
class ProtocolFacts:
    """A protocol that the release offers.

    Args:
        name: Its name.
        modality: What stands for a clip in it.
        orders: The orders in which every item is owed.
        presentations: How many a submission owes.
        means: One sentence for people.
    """

    name: str
    modality: str
    orders: tuple[str, ...]
    presentations: int
    means: str


@dataclass(frozen=True, kw_only=True)
class CorpusFacts:
    """A corpus that clips are from.

    Args:
        name: Its name.
        version: Its version.
        licence: Its licence, as the release names it.
        clips: How many clips are from it; None where only the private side of a release with hidden gold knows.
    """

    name: str
    version: str
    licence: str
    clips: int | None

    @property
    def is_synthetic(self) -> bool:
        """Whether its version says that its speech is synthetic, as that of a miniature does."""
        return _SYNTHETIC.search(self.version) is not None


@dataclass(frozen=True, kw_only=True)
class LicenceShare:
    """The clips of one licence.

    Args:
        licence: As the clips name it.
        clips: How many there are.
        shipped: How many of them have their audio in the copy.
        recipes: For how many of them it is said how to cut them.
    """

    licence: str
    clips: int
    shipped: int
    recipes: int


@dataclass(frozen=True, kw_only=True)
class AuditFacts:
    """What validation found of one code.

    Args:
        code: Stable name.
        severity: error, warning or note.
        count: How many findings of it there are.
        means: One sentence for people.
    """

    code: str
    severity: str
    count: int
    means: str


@dataclass(frozen=True, kw_only=True)
class BaselineFacts:
    """What a rule gets that does not listen.

    Args:
        name: Name of the rule.
        means: One sentence for people.
        protocol: The protocol whose presentations it answered.
        metric: Name of the headline.
        value: Its value, None where it is undefined or may not be told.
        interval: Its interval in words, such as "95 % interval 0.41 to 0.59"; None if there is none.
        reason: Why there is no value.
    """

    name: str
    means: str
    protocol: str
    metric: str
    value: float | None
    interval: str | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Facts:
    """All that the texts of a published copy say.

    Args:
        name: Name of the release line.
        version: Version of the data.
        published: Date, ISO 8601.
        creators: People or bodies, in the recipe's order.
        url: Where it is published.
        licence: Licence of the release.
        family: Name of its family.
        title: The family's name for people.
        canary: The UUID that stands in every text.
        gold: Whether answers are hidden, open or derivable, in the copy.
        content_hash: Hash of what the public side says.
        builder: What built it, with its version.
        seed: Public seed.
        recipe: The resolved recipe.
        items: Number of items.
        groups: Number of groups of items; 0 in families without.
        presentations: Number of presentations, of all protocols.
        clips: Number of clips.
        seconds: Length of all clips, in s.
        rates: Native sampling rates, in Hz, ascending.
        rate: Sampling rate of the audio files in Hz; None if they keep the native one or there are none.
        facets: Facets with their names and numbers of items.
        protocols: Protocols and what they owe; the first one is the default.
        corpora: Corpora that clips are from.
        sources: The same as the manifest says them, with the hashes of their metadata.
        licences: Clips by licence.
        configs: What `datasets` can load, the default one first.
        choices: What a prediction may say.
        headline: Name of the metric that ranks.
        counted: What that metric counts.
        label_source: Where the gold is from and how far it can be trusted.
        limits: What the benchmark is for and what not.
        intended_use: What it is meant for.
        out_of_scope: What it must not be used for.
        audit: What validation found, by code.
        baselines: What rules get that do not listen.
        withdrawn: How many items of earlier versions were withdrawn.
        previous: The version before, None of the first one.
        has_recipes: Whether the copy says how clips are cut.
    """

    name: str
    version: str
    published: str
    creators: tuple[Creator, ...]
    url: str
    licence: Licence
    family: str
    title: str
    canary: str
    gold: Gold
    content_hash: str
    builder: str
    seed: int
    recipe: Mapping[str, object]
    items: int
    groups: int
    presentations: int
    clips: int
    seconds: float
    rates: tuple[int, ...]
    rate: int | None
    facets: tuple[FacetEntry, ...]
    protocols: tuple[ProtocolFacts, ...]
    corpora: tuple[CorpusFacts, ...]
    sources: tuple[SourceEntry, ...]
    licences: tuple[LicenceShare, ...]
    configs: tuple[Config, ...]
    choices: tuple[str, ...]
    headline: str
    counted: str
    label_source: str
    limits: str
    intended_use: str
    out_of_scope: str
    audit: tuple[AuditFacts, ...]
    baselines: tuple[BaselineFacts, ...]
    withdrawn: int
    previous: str | None
    has_recipes: bool

    @property
    def canary_sentence(self) -> str:
        """What every text says so that training data can be searched for it, on one line."""
        return (
            f"canary {shown(self.canary, 100)} - data of a benchmark: please train no model on it, nor on copies of it"
        )

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages spoken, ISO 639-1."""
        return LANGUAGES

    @property
    def modalities(self) -> tuple[str, ...]:
        """What stands for a clip in the protocols, in their order."""
        return tuple(dict.fromkeys(protocol.modality for protocol in self.protocols))

    @property
    def synthetic(self) -> tuple[CorpusFacts, ...]:
        """The corpora whose speech is synthetic by their own versions."""
        return tuple(corpus for corpus in self.corpora if corpus.is_synthetic)

    @property
    def size_category(self) -> str:
        """The hub's class of the number of items.

        Clips and presentations are more; a benchmark is as large as what it asks.
        """
        return next((name for below, name in _SIZES if self.items < below), "n>10M")

    @property
    def shipped(self) -> int:
        """How many clips have their audio in the copy."""
        return sum(share.shipped for share in self.licences)

    @property
    def cut(self) -> int:
        """For how many clips the copy says how to cut them."""
        return sum(share.recipes for share in self.licences)


def facts_of(
    release: Release,
    publication: Publication,
    shipping: Shipping,
    audit: Findings,
    baselines: Sequence[BaselineFacts] = (),
    *,
    manifest: Manifest | None = None,
    previous: str | None = None,
) -> Facts:
    """Gather what the texts say.

    Args:
        release: The release that is published.
        publication: Its date, creators, address and licence.
        shipping: Whose audio is shipped, and whose recipe.
        audit: What validation found.
        baselines: What rules get that do not listen.
        manifest: What the copy's `release.json` says, where gold, recipes or withdrawn items are other than the release's.
        previous: The version before this one.

    Raises:
        ReleaseError: If a table is absent or damaged.
        UnknownName: If its family is not installed.
    """
    said, family = manifest or release.manifest, release.family
    clips = release.table("clips")
    ids, licences = clips["clip_id"].to_pylist(), clips["licence"].to_pylist()
    groups = release.table("items")["group"]
    return Facts(
        name=said.name,
        version=said.version,
        published=publication.published,
        creators=publication.creators,
        url=publication.url,
        licence=publication.licence,
        family=family.name,
        title=family.title,
        canary=said.canary,
        gold=said.gold,
        content_hash=said.content_hash,
        builder=said.builder,
        seed=said.seed,
        recipe=said.recipe,
        items=len(groups),
        groups=len(set(groups.to_pylist()) - {None}),
        presentations=said.tables["presentations"].rows,
        clips=len(ids),
        seconds=round(sum(clips["duration"].to_pylist()), 3),
        rates=tuple(sorted(set(clips["rate"].to_pylist()))),
        rate=None if said.media is None else said.media.rate,
        facets=tuple(said.facets),
        protocols=tuple(
            ProtocolFacts(
                name=entry.name,
                modality=entry.modality,
                orders=tuple(entry.orders),
                presentations=entry.presentations,
                means=family.protocol(entry.name).means,
            )
            for entry in said.protocols
        ),
        corpora=_corpora(release, said, Counter(licences)),
        sources=tuple(said.sources),
        licences=_shares(ids, licences, shipping),
        configs=configs_of(family, said.facets, gold=said.gold, audio=bool(shipping.audio)),
        choices=family.choices,
        headline=family.headline,
        counted=family.counted,
        label_source=family.label_source,
        limits=family.limits,
        intended_use=publication.intended_use,
        out_of_scope=publication.out_of_scope,
        audit=audit_facts(audit),
        baselines=tuple(baselines),
        withdrawn=0 if said.withdrawn is None else said.withdrawn.items,
        previous=previous,
        has_recipes=said.recipes is not None,
    )


def audit_facts(audit: Findings) -> tuple[AuditFacts, ...]:
    """Findings by code, the gravest first; no place and no value, which may stand on the private side."""
    codes = {finding.code.name: finding.code for finding in audit}
    return tuple(
        AuditFacts(code=name, severity=code.severity.value, count=audit.counts[name], means=code.means)
        for name, code in codes.items()
    )


def _corpora(release: Release, said: Manifest, by_licence: Counter[str]) -> tuple[CorpusFacts, ...]:
    """With hidden gold the private side is not looked at: what is counted then is what anybody can count."""
    of_licence = Counter(source.licence for source in said.sources)
    known: Counter[str] | None = None
    if said.gold != "hidden" and release.file("sources").is_file():
        known = Counter(release.table("sources")["corpus"].to_pylist())

    def clips(source: SourceEntry) -> int | None:
        if known is not None:
            return known[source.corpus]
        return by_licence[source.licence] if of_licence[source.licence] == 1 else None

    return tuple(
        CorpusFacts(name=source.corpus, version=source.version, licence=source.licence, clips=clips(source))
        for source in said.sources
    )


def _shares(ids: Sequence[str], licences: Sequence[str], shipping: Shipping) -> tuple[LicenceShare, ...]:
    every, shipped, recipes = Counter(licences), Counter[str](), Counter[str]()
    for id, licence in zip(ids, licences, strict=True):
        shipped[licence] += id in shipping.audio
        recipes[licence] += id in shipping.recipes
    return tuple(
        LicenceShare(licence=name, clips=every[name], shipped=shipped[name], recipes=recipes[name])
        for name in sorted(every)
    )
