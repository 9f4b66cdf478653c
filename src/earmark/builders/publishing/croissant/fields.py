"""Columns as fields of a record set: what they hold, of which type, and where that is read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import pyarrow as pa

from earmark.builders.publishing.data.configs import AUDIO, SPLIT

if TYPE_CHECKING:
    from earmark.builders.publishing.croissant.identifiers import Identifiers
    from earmark.manifests.canonical import Json
    from earmark.manifests.tables import Column


@dataclass(frozen=True)
class Target:
    """A field that columns of other tables refer to.

    Args:
        id: Its id.
        joined: Whether to say so in the way that readers follow: mlcroissant reads all that the field's set is made of then.
    """

    id: str
    joined: bool


def field_of(
    column: Column,
    id: str,
    source: Mapping[str, Json],
    ids: Identifiers,
    target: Target | None = None,
    parts: Mapping[str, Target] = MappingProxyType({}),
) -> Json:
    """A column as a field.

    Args:
        column: The column.
        id: The field's id.
        source: Where its table is read from.
        ids: Where ids of parts of it come from.
        target: What it refers to, if anything.
        parts: What parts of it refer to, by name, where it is made of some.
    """
    typed = _typed(column.type, id, {**source, "extract": {"column": column.name}}, ids, parts)
    if column.gold and typed.get("dataType") == "sc:Text":
        typed["dataType"] = ["sc:Text", "cr:Label"]
    # A list refers to many rows, which neither the specification nor its library has a way to join.
    followed = target is not None and target.joined and not column.is_list
    return {
        "@type": "cr:Field",
        "@id": id,
        "name": column.name,
        "description": _described(column, target),
        **typed,
        **(referring(target) if target is not None and followed else {}),
    }


def split_field(id: str, source: Mapping[str, Json]) -> Json:
    """The split, which the name of each file says."""
    return {
        "@type": "cr:Field",
        "@id": id,
        "name": "split",
        "description": "The split that the row is of, by the name of its file: one of splits/name.",
        "dataType": ["sc:Text", "cr:Split"],
        "source": {
            **source,
            "extract": {"fileProperty": "filename"},
            "transform": {"regex": rf"^(?:.*-)?({SPLIT})-[0-9]+-of-[0-9]+[.]parquet$"},
        },
    }


def referring(target: Target) -> Mapping[str, Json]:
    """The reference to a field, as mlcroissant reads it; the specification's own form, without `field`, it cannot."""
    return {"references": {"field": {"@id": target.id}}}


def data_type(kind: pa.DataType) -> str:
    """What a value is called that is neither a list nor made of others; text if it is of a type that Croissant does not name.

    >>> data_type(pa.int64()), data_type(pa.float64()), data_type(pa.string())
    ('sc:Integer', 'sc:Float', 'sc:Text')
    """
    if kind == AUDIO:
        return "sc:AudioObject"
    if pa.types.is_dictionary(kind):
        return data_type(kind.value_type)
    return next((name for holds, name in _NAMES if holds(kind)), "sc:Text")


_NAMES = (
    (pa.types.is_boolean, "sc:Boolean"),
    (pa.types.is_integer, "sc:Integer"),
    (pa.types.is_floating, "sc:Float"),
    (pa.types.is_date, "sc:Date"),
    (pa.types.is_timestamp, "sc:DateTime"),
)


def _typed(
    kind: pa.DataType, id: str, source: Mapping[str, Json], ids: Identifiers, parts: Mapping[str, Target]
) -> dict[str, Json]:
    """The type of a field and its source, on the innermost parts where it is made of some."""
    depth = 0
    while pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind, depth = kind.value_type, depth + 1
    array: dict[str, Json] = {"isArray": True, "arrayShape": ",".join(["-1"] * depth)} if depth else {}
    if kind == AUDIO:
        return {**array, "dataType": data_type(kind), "source": {**source, "transform": {"jsonPath": "bytes"}}}
    if pa.types.is_struct(kind):
        return {**array, "subField": [_part(part, id, source, ids, parts.get(part.name)) for part in kind]}
    return {**array, "dataType": data_type(kind), "source": source}


def _part(part: pa.Field, id: str, source: Mapping[str, Json], ids: Identifiers, target: Target | None) -> Json:
    return {
        "@type": "cr:Field",
        "@id": ids.new(f"{id}/{part.name}"),
        "name": part.name,
        "dataType": data_type(part.type),
        "source": {**source, "transform": {"jsonPath": part.name}},
        **(referring(target) if target is not None else {}),
    }


def _described(column: Column, target: Target | None) -> str:
    said = [column.means]
    if column.unit:
        said.append(f"Unit: {column.unit}.")
    if column.choices:
        said.append(f"One of: {', '.join(column.choices)}.")
    if column.low is not None:
        said.append(f"At least {column.low:g}.")
    if column.high is not None:
        said.append(f"At most {column.high:g}.")
    if column.nullable:
        said.append("May be null.")
    if target is not None:
        said.append(f"Each refers to {target.id}." if column.is_list else f"Refers to {target.id}.")
    return " ".join(said)
