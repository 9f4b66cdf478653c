"""How the card tells `datasets` what type each column is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from earmark.builders.publishing.data.configs import AUDIO
from earmark.manifests.canonical import Json
from earmark.manifests.tables import Column


def features(columns: Sequence[Column]) -> list[Mapping[str, Json]]:
    """The columns as the card's YAML lists them.

    >>> from earmark.manifests.declarations import CLIPS
    >>> features(CLIPS.columns[:2])
    [{'name': 'clip_id', 'dtype': 'string'}, {'name': 'duration', 'dtype': 'float64'}]
    """
    return [{"name": column.name, **_feature(column.type)} for column in columns]


def _feature(kind: pa.DataType) -> Mapping[str, Json]:
    if kind == AUDIO:
        return {"dtype": "audio"}
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        inner = _feature(kind.value_type)
        entry: Json = inner["dtype"] if inner.keys() == {"dtype"} else inner.get("struct", inner)
        return {"large_list" if pa.types.is_large_list(kind) else "list": entry}
    if pa.types.is_struct(kind):
        return {"struct": [{"name": field.name, **_feature(field.type)} for field in kind]}
    if pa.types.is_dictionary(kind):
        return _feature(kind.value_type)
    return {"dtype": NAMES.get(str(kind), str(kind))}


NAMES = {"double": "float64", "float": "float32", "halffloat": "float16"}
"""What Arrow calls some types, and what `datasets` calls them."""
