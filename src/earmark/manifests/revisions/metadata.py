"""What two manifests say besides counts and hashes: names, licences, creators, corpora, the recipe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from earmark.manifests.canonical import Json
from earmark.manifests.release import Manifest
from earmark.manifests.revisions.records import MetadataChange

MOST_CHANGES = 200
"""How many fields are told of."""

_ELSEWHERE = frozenset({"version", "canary", "tables", "media", "recipes", "withdrawn"})
_BY = {"sources": "corpus", "facets": "id", "protocols": "name"}
_COUNTED = frozenset({"items", "presentations"})
_SAME_AS_ABOVE = frozenset({"recipe.release.version", "recipe.release.name", "recipe.release.seed"})


def metadata_changes(old: Manifest, new: Manifest) -> tuple[MetadataChange, ...]:
    """Every field that says something else, by its path; numbers that follow from the tables are left out."""
    one, other = dict(_fields(old)), dict(_fields(new))
    found = [
        MetadataChange(field, one.get(field), other.get(field))
        for field in sorted(one.keys() | other.keys())
        if field not in _SAME_AS_ABOVE and (one.get(field), field in one) != (other.get(field), field in other)
    ]
    return tuple(found[:MOST_CHANGES])


def _fields(manifest: Manifest) -> Iterator[tuple[str, Json]]:
    for name, value in manifest.as_json().items():
        if name in _BY and isinstance(value, Sequence):
            for entry in value:
                if isinstance(entry, Mapping):
                    key = str(entry[_BY[name]])
                    kept = {part: cell for part, cell in entry.items() if part not in _COUNTED}
                    yield from _leaves(f"{name}.{key}", kept)
        elif name not in _ELSEWHERE:
            yield from _leaves(name, value)


def _leaves(path: str, value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, Mapping) and value:
        for name, entry in value.items():
            yield from _leaves(f"{path}.{name}", entry)
    else:
        yield path, value
