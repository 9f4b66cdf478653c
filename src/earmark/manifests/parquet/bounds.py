"""What an honest table could come to, by the bytes of its file: what goes beyond is made to take memory, and is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.manifests.keys import ID_PATTERN

if TYPE_CHECKING:
    from earmark.manifests.tables import Table

MOST_BYTES = 1 << 30
"""Bytes that a table may come to once it is read."""

SURE_BYTES, TIMES_THE_FILE = 1 << 26, 128
"""Bytes that any table may come to, and how many more for each byte of its file."""

MOST_ROWS = 1 << 22
"""Rows that a table may have; each takes some hundred bytes and more once it is gone through in Python."""

SURE_ROWS = 1 << 16
"""Rows that any table may have, however small its file is."""

_ID_BYTES, _ROWS_A_BYTE = 8, 4
"""Fewest bytes of the file for each row whose key is an id, which is 16 bytes of noise; most rows for each byte in others."""

_OF_IDS = ("items.item_id", "clips.clip_id", "presentations.presentation_id")


def most_bytes(size: int) -> int:
    """Bytes that a table may come to.

    Args:
        size: Bytes of its file.
    """
    return min(MOST_BYTES, SURE_BYTES + TIMES_THE_FILE * size)


def most_rows(table: Table, size: int) -> int:
    """Rows that a table may have.

    Args:
        table: Its declaration.
        size: Bytes of its file.
    """
    return min(MOST_ROWS, SURE_ROWS + (size // _ID_BYTES if _has_ids(table) else size * _ROWS_A_BYTE))


def _has_ids(table: Table) -> bool:
    """Whether each row has an id of its own, so that no file can hold many in a few bytes."""
    if len(table.key) != 1:
        return False
    column = table.column(table.key[0])
    return column.pattern == ID_PATTERN or column.refers_to in _OF_IDS
