"""What of a release may be published: of each clip its audio, how it is cut, or nothing, as its corpus's licence lets it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from earmark.builders.synthesised import synthesised
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.licences import LICENCES, USUAL, Licence, licence, stated, valid_licences
from earmark.manifests.release import Release

NONE = declare("publish.licence-none", Severity.ERROR, "a clip is from a corpus without a licence")
UNKNOWN = declare(
    "publish.licence-unknown", Severity.ERROR, "a clip's licence is not known, so it is taken for no licence"
)
OTHER = declare("publish.licence-other", Severity.ERROR, "a clip's licence is none that the release's corpora have")
UNMODIFIED = declare(
    "publish.licence-unmodified", Severity.ERROR, "a clip's licence does not let copies be shared that were cut"
)
NON_COMMERCIAL = declare(
    "publish.licence-non-commercial", Severity.ERROR, "a non-commercial clip is in a release that is not non-commercial"
)
SHARE_ALIKE = declare(
    "publish.licence-share-alike", Severity.ERROR, "a clip can be shared under its own licence only, not the release's"
)
ATTRIBUTION = declare(
    "publish.licence-attribution", Severity.ERROR, "a clip must be attributed, which the release's licence does not ask"
)
UNUSUAL = declare(
    "publish.licence-unusual", Severity.ERROR, "a corpus is said to have a looser licence than it is given out under"
)
AS_STATED = declare(
    "publish.licence-as-stated",
    Severity.WARNING,
    "a looser licence than a corpus of this name usually has was vouched for",
)

SYNTHESISED = declare(
    "publish.synthesised", Severity.ERROR, "speech that was synthesised for the release cannot be cut from any corpus"
)

_INSTEAD = "publish how its clips are cut in place of their audio (--recipes)"
_SHIPPABLE = "a licence of the release that lets clips be shared that were cut, as all but the ND ones of CC do"
_NEVER = "a licence stated by the corpus: without one nothing is published, not even how a clip is cut"


@dataclass(frozen=True)
class Shipping:
    """What is published of each clip; a clip in neither of the first two sets is not published at all.

    Args:
        audio: Ids of the clips whose FLAC files are shipped.
        recipes: Ids of the clips of which is told how they are cut instead.
        sources: Ids of the clips whose row of `sources` (speaker, words, path …) may be published where the gold is open.
    """

    audio: frozenset[str]
    recipes: frozenset[str]
    sources: frozenset[str] = frozenset()


def shipping(release: Release, *, recipes: bool, findings: Findings, as_stated: Collection[str] = ()) -> Shipping:
    """What may be published of each clip.

    Nothing may where the release has no licence itself; `readiness.ready` is who says that.

    Args:
        release: The release.
        recipes: Whether clips whose audio may not be shared, or of which there is none, are described instead; without, each
            clip that has audio which may not be shared is an error.
        findings: Told of every clip that may not be published, and why.
        as_stated: Names of corpora whose licence is what the recipe says, though corpora of these names have a stricter one.

    Raises:
        ReleaseError: If the table of clips is damaged.
    """
    own = release_licence(release)
    has_audio = release.manifest.media is not None
    _say_what_is_unusual(release, as_stated, findings)
    audio: set[str] = set()
    described: set[str] = set()
    sources: set[str] = set()
    clips = _by_licence(release)
    known = {text: found for text in clips if (found := licence(text)) is not None}
    of_corpora = {source.licence for source in release.manifest.sources}
    fitting = _fitting(known.values())
    made = synthesised(release)
    own_voices = {source.licence for source in release.manifest.sources if source.corpus in made}
    for text, ids in clips.items():
        found = known.get(text)
        if text not in of_corpora:
            _add(findings, OTHER, ids, text, f"one of {', '.join(sorted(of_corpora))}" if of_corpora else _NEVER)
        elif found is None or not found.share:
            unknown = found is None and stated(text)
            _add(findings, UNKNOWN if unknown else NONE, ids, text, valid_licences(text) if unknown else _NEVER)
        elif own is not None:
            why = refusal(found, own)
            if why is None:
                sources |= ids
            if has_audio and why is None:
                audio |= ids
            elif text in own_voices and (has_audio or recipes):
                _add(findings, SYNTHESISED, ids, text, _SHIPPABLE if has_audio else "a release built with --media")
            elif recipes:
                described |= ids
            elif has_audio and why is not None:
                _add(findings, why, ids, text, _INSTEAD if why is UNMODIFIED else f"{fitting}, or {_INSTEAD}")
    return Shipping(frozenset(audio), frozenset(described), frozenset(sources))


def release_licence(release: Release) -> Licence | None:
    """The release's own licence; None where its recipe states none, or one that is unknown or nobody else can give."""
    section = release.manifest.recipe.get("release")
    text = section.get("licence") if isinstance(section, Mapping) else None
    found = licence(text) if isinstance(text, str) else None
    return found if found is not None and found.spdx else None


def refusal(clip: Licence, release: Licence) -> Code | None:
    """Why nothing of a corpus but how its clips are cut, so no audio, words or row about a speaker, may stand in a release.

    Args:
        clip: The corpus's licence.
        release: The release's own.

    Returns:
        None where it may.
    """
    if not clip.modified_allowed:
        return UNMODIFIED
    if clip.non_commercial and not release.non_commercial:
        return NON_COMMERCIAL
    if clip.share_alike and not _same_or_later(clip, release):
        return SHARE_ALIKE
    return ATTRIBUTION if clip.attribution and not release.attribution else None


def _same_or_later(clip: Licence, release: Licence) -> bool:
    (kind, _, version), (own, _, of_release) = clip.id.rpartition("-"), release.id.rpartition("-")
    return kind == own and version <= of_release


def _by_licence(release: Release) -> dict[str, set[str]]:
    """The ids of the clips by what stands as their licence."""
    table = release.table("clips")
    clips: dict[str, set[str]] = {}
    for id, text in zip(table["clip_id"].to_pylist(), table["licence"].to_pylist(), strict=True):
        clips.setdefault(text, set()).add(id)
    return dict(sorted(clips.items()))


def _fitting(clips: Iterable[Licence]) -> str:
    """What licence a release of some clips could have, of those that may be cut the loosest that suits all."""
    cut = [clip for clip in clips if clip.modified_allowed]
    loosest = sorted((own for own in LICENCES.values() if own.spdx), key=lambda own: len(own.conditions))
    for own in loosest:
        if all(refusal(clip, own) is None for clip in cut):
            return f"give the release the licence {own.id}"
    return "leave clips out, since no one licence suits all of them"


def _add(findings: Findings, code: Code, ids: Iterable[str], found: str, expected: str) -> None:
    for id in sorted(ids):
        findings.add(code, id=id, found=found, expected=expected)


def _say_what_is_unusual(release: Release, as_stated: Collection[str], findings: Findings) -> None:
    for source in release.manifest.sources:
        usual, found = licence(USUAL.get(source.corpus.casefold())), licence(source.licence)
        if usual is None or found is None or not found.looser_than(usual):
            continue
        if source.corpus in as_stated:
            findings.add(AS_STATED, id=source.corpus, found=source.licence, expected=f"usually {usual.name}")
        else:
            other = f"usually {usual.name}; or, of something else that has this name, --as-stated {source.corpus}"
            findings.add(UNUSUAL, id=source.corpus, found=source.licence, expected=other)
