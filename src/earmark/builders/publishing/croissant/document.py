"""The whole of croissant.json: what the release is, its files, its record sets, its use and its provenance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from earmark.builders.publishing.croissant.context import CONTEXT, CROISSANT, RESPONSIBLE
from earmark.builders.publishing.croissant.files import DataFile, Distribution
from earmark.builders.publishing.croissant.identifiers import Identifiers
from earmark.builders.publishing.croissant.provenance import derived_from, generated_by, usage_info
from earmark.builders.publishing.croissant.record_sets import record_sets
from earmark.builders.publishing.croissant.responsible import responsible
from earmark.builders.publishing.texts.citation import bibtex, cited_title, person
from earmark.manifests import registry
from earmark.manifests.canonical import json_text
from earmark.manifests.declarations import RECIPES

if TYPE_CHECKING:
    from earmark.builders.publishing.readiness import Creator
    from earmark.builders.publishing.texts.facts import Facts
    from earmark.manifests.canonical import Json

_MADE_BY_SYNTHESIS = "attempts"
"""The table that only families have whose speech is synthesised."""


def croissant(facts: Facts, files: Iterable[DataFile]) -> str:
    """The text of croissant.json.

    Args:
        facts: What is known of the copy.
        files: The copy's files of data, in any order; record sets whose files are not among them are left out.

    Raises:
        UnknownName: If the release's family is not installed.
    """
    ids = Identifiers()
    tables = registry.family(facts.family).tables()
    means = {f"{table.side.value}/{table.filename}": table.means for table in (*tables.values(), RECIPES)}
    means |= {config.files[0]: config.means for config in facts.configs if len(config.files) == 1}
    distribution = Distribution(files, means, ids)
    sets = record_sets(facts, tables, distribution, ids)
    used = usage_info(facts)
    document: dict[str, Json] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [CROISSANT, RESPONSIBLE],
        "name": facts.name,
        "description": _description(facts),
        "version": facts.version,
        "sdVersion": facts.version,
        "license": [f"https://spdx.org/licenses/{facts.licence.id}" if facts.licence.spdx else facts.licence.url],
        "url": facts.url,
        "creator": [_creator(creator) for creator in facts.creators],
        "datePublished": facts.published,
        "citeAs": bibtex(facts),
        "identifier": [facts.content_hash, f"urn:uuid:{facts.canary}"],
        "inLanguage": list(facts.languages),
        "isLiveDataset": False,
        "keywords": ["benchmark", "speech", "paralinguistics", "audio", facts.family, *(f.name for f in facts.facets)],
        **({"usageInfo": used} if used else {}),
        **responsible(facts, synthetic=_MADE_BY_SYNTHESIS in tables),
        "prov:wasDerivedFrom": derived_from(facts, ids),
        "prov:wasGeneratedBy": generated_by(facts),
        "distribution": distribution.nodes(),
        "recordSet": sets,
    }
    return json_text(document)


_ANSWERS: Mapping[str, str] = {
    "hidden": "Answers are hidden.",
    "open": "Answers are published.",
    "derivable": "Answers are not published, but can be derived from the recipes of the clips and their corpora.",
}


def _description(facts: Facts) -> str:
    counted = (
        f"{facts.items} items in {len(facts.facets)} facets about {facts.clips} clips ({facts.seconds / 3600:.2f} h), asked in "
        f"{facts.presentations} presentations."
    )
    return " ".join(
        [f"{cited_title(facts)}.", counted, _ANSWERS[facts.gold], facts.intended_use, facts.canary_sentence]
    )


def _creator(creator: Creator) -> Json:
    """A person by an ORCID iD or by how a name is written; what any other name is of nobody knows, as in a citation."""
    names = person(creator.name)
    return {
        "@type": "sc:Person" if names is not None or creator.orcid is not None else "sc:Organization",
        "name": creator.name,
        **({} if names is None else {"familyName": names[0], "givenName": names[1]}),
        **({} if creator.email is None else {"email": creator.email}),
        **({} if creator.orcid is None else {"sameAs": f"https://orcid.org/{creator.orcid}"}),
    }
