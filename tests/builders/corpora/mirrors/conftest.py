"""Nothing here may reach the hub."""

from tests.builders.corpora.mirrors.parquet import offline

__all__ = ["offline"]
