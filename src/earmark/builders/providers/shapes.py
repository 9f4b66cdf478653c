"""The JSON Schema that structured outputs ask for, from the record that an answer is to become."""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import cast

import msgspec

from earmark.manifests.canonical import Json


def strict_schema(shape: type[msgspec.Struct]) -> dict[str, Json]:
    """The schema of a record as strict structured outputs want it: an object at the top, no other fields, none optional.

    Args:
        shape: The record. Each record in it refuses unknown fields and has no default.

    Raises:
        ValueError: If a record allows unknown fields or has an optional one.
    """
    return copy.copy(_schema(shape))


@lru_cache(maxsize=64)
def _schema(shape: type[msgspec.Struct]) -> dict[str, Json]:
    schema = cast("dict[str, Json]", msgspec.json.schema(shape))
    parts = cast("dict[str, dict[str, Json]]", schema.get("$defs", {}))
    for name, part in parts.items():
        if part.get("type") != "object":
            continue
        if part.get("additionalProperties") is not False:
            raise ValueError(f"{name} must refuse unknown fields (forbid_unknown_fields=True)")
        fields, required = cast("dict[str, Json]", part["properties"]), cast("list[str]", part.get("required", []))
        if optional := sorted(fields.keys() - set(required)):
            raise ValueError(f"{name} has optional fields, and strict outputs have none: {', '.join(optional)}")
    top = parts.pop(shape.__name__)
    return {**top, "$defs": parts} if parts else top
