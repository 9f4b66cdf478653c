"""LICENSE: under what a release is published, and under what the corpora are that its clips were cut from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.builders.publishing.texts.markdown import one_line
from earmark.manifests.licences import licence

if TYPE_CHECKING:
    from earmark.builders.publishing.texts.facts import CorpusFacts, Facts, LicenceShare


def licence_file(facts: Facts) -> str:
    """Names, SPDX identifiers and addresses; the licences' own words stand there."""
    own = facts.licence
    who = "; ".join(one_line(creator.name) for creator in facts.creators)
    lines = [
        f"{one_line(facts.name)} {one_line(facts.version)}",
        f"{one_line(facts.published)}, {who}",
        "",
        f"The release is published under: {own.name}",
        *([f"SPDX-License-Identifier: {own.id}"] if own.spdx else []),
        f"Its words: {own.url}",
        "",
        "Clips, and what is said of them, stay under the licences of the corpora that they were cut from. Where one of",
        "these asks for more than the licence above, it is what binds you.",
        "",
        "Corpora:",
        *(_corpus(corpus) for corpus in facts.corpora),
        "",
        "Clips:",
        *(_share(share) for share in facts.licences),
        "",
        facts.canary_sentence,
    ]
    return "\n".join(lines) + "\n"


def _corpus(corpus: CorpusFacts) -> str:
    stated = licence(corpus.licence)
    where = f", {stated.url}" if stated is not None else ""
    return f"- {one_line(corpus.name)} {one_line(corpus.version)}: {one_line(corpus.licence)}{where}"


def _share(share: LicenceShare) -> str:
    rest = share.clips - share.shipped - share.recipes
    parts = [(share.shipped, "with audio"), (share.recipes, "as recipes to cut them by"), (rest, "with neither")]
    return f"- {one_line(share.licence)}: " + ", ".join(f"{count} {how}" for count, how in parts if count)
