"""What `datasets` reads of a Parquet file's schema beside Arrow's types: which struct is audio."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pyarrow as pa

from earmark.builders.publishing.data.column_types import NAMES
from earmark.builders.publishing.data.configs import AUDIO
from earmark.manifests.canonical import Json


def with_features(schema: pa.Schema) -> pa.Schema:
    """A schema that says in its metadata which features its columns are, in the words of `datasets`."""
    features = {field.name: _feature(field.type) for field in schema}
    said = json.dumps({"info": {"features": features}}, ensure_ascii=False)
    return schema.with_metadata({**(schema.metadata or {}), b"huggingface": said.encode()})


def _feature(kind: pa.DataType) -> Mapping[str, Json]:
    if kind == AUDIO:
        return {"_type": "Audio"}
    if pa.types.is_list(kind):
        return {"feature": _feature(kind.value_type), "_type": "List"}
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    return {"dtype": NAMES.get(str(kind), str(kind)), "_type": "Value"}
