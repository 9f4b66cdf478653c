"""All hostile files, by name."""

from __future__ import annotations

from tests.hostile import (
    containers,
    csv_files,
    json_files,
    json_headers,
    json_names,
    json_numbers,
    json_texts,
    parquet_files,
)
from tests.hostile.case import Case

CASES: tuple[Case, ...] = (
    *json_numbers.CASES,
    *json_texts.CASES,
    *json_names.CASES,
    *json_files.CASES,
    *json_headers.CASES,
    *csv_files.CASES,
    *parquet_files.CASES,
    *containers.CASES,
)
