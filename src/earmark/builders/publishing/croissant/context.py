"""The JSON-LD context of a Croissant file, in full, so that it can be read without asking anybody what a word means."""

from __future__ import annotations

from collections.abc import Mapping

from earmark.manifests.canonical import Json

CROISSANT, RESPONSIBLE = "http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"
"""The specifications that the file follows."""

_OF_CROISSANT = (
    *(
        "annotation",
        "arrayShape",
        "citeAs",
        "column",
        "containedIn",
        "equivalentProperty",
        "excludes",
        "extract",
        "field",
    ),
    *(
        "fileObject",
        "fileProperty",
        "fileSet",
        "format",
        "includes",
        "isArray",
        "isLiveDataset",
        "jsonPath",
        "key",
        "md5",
    ),
    *("parentField", "path", "readLines", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("sdVersion", "separator", "source", "subField", "transform", "unArchive"),
)

CONTEXT: Mapping[str, Json] = {
    "@language": "en",
    # The specification writes http, its library knows schema.org by https alone.
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "odrl": "http://www.w3.org/ns/odrl/2/",
    "duo": "http://purl.obolibrary.org/obo/DUO_",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{word: f"cr:{word}" for word in _OF_CROISSANT},
}
"""The appendix of the specification, what mlcroissant warns of if it is absent, and the vocabularies of provenance and use."""
