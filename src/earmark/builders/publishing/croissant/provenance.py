"""Where a release is from, by PROV-O, and what its licence lets be done with it, by ODRL and DUO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark import __version__
from earmark.manifests.licences import licence

if TYPE_CHECKING:
    from earmark.builders.publishing.croissant.identifiers import Identifiers
    from earmark.builders.publishing.texts.facts import Facts
    from earmark.manifests.canonical import Json

_NON_COMMERCIAL = "0000046"
"""DUO's "non-commercial use only"; 0000018, which the specification has in an example, shuts out companies as well."""


def derived_from(facts: Facts, ids: Identifiers) -> list[Json]:
    """The corpora. None is called a data set: a reader would take the first one that is for what the file is about."""
    made: list[Json] = []
    for source in facts.sources:
        known = licence(source.licence)
        made.append(
            {
                "@type": "prov:Entity",
                "@id": ids.new(f"corpora/{source.corpus}"),
                "prov:label": f"{source.corpus} {source.version}",
                "version": source.version,
                "license": source.licence if known is None else known.url,
            }
        )
    return made


def generated_by(facts: Facts) -> list[Json]:
    """What built the release and what published it, with their versions."""
    return [
        _activity(
            "Build of the release", facts.builder, f"As release.json says under recipe, with the seed {facts.seed}."
        ),
        _activity("Making of the published copy", f"earmark {__version__}", "The public tables are the release's own."),
    ]


def usage_info(facts: Facts) -> list[Json]:
    """The condition of a licence for non-commercial use only; nothing of others, whose words stand where `license` says."""
    if not facts.licence.non_commercial:
        return []
    term = {"@id": f"duo:{_NON_COMMERCIAL}"}
    return [
        {
            "@type": "DefinedTerm",
            "name": "Non-commercial use only",
            "termCode": f"DUO_{_NON_COMMERCIAL}",
            "url": f"http://purl.obolibrary.org/obo/DUO_{_NON_COMMERCIAL}",
        },
        {
            "@type": ["CreativeWork", "odrl:Offer"],
            "name": facts.licence.name,
            "url": facts.licence.url,
            "odrl:permission": {
                "@type": "odrl:Permission",
                "odrl:action": {"@id": "odrl:use"},
                "odrl:constraint": {
                    "@type": "odrl:Constraint",
                    "odrl:leftOperand": {"@id": "odrl:purpose"},
                    "odrl:operator": {"@id": "odrl:eq"},
                    "odrl:rightOperand": term,
                },
            },
        },
    ]


def _activity(label: str, software: str, means: str) -> Json:
    return {
        "@type": "prov:Activity",
        "prov:label": label,
        "description": means,
        "prov:wasAssociatedWith": {"@type": "prov:SoftwareAgent", "prov:label": software},
    }
