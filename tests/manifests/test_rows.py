"""Typed access gives the very cell."""

from __future__ import annotations

from earmark.manifests import rows


def test_cells_come_back_as_they_are() -> None:
    row = {"a": "x", "none": None, "texts": ["x", "y"], "n": 3, "whole": [1, 2], "x": 0.5, "yes": False}
    assert rows.text(row, "a") == "x"
    assert rows.optional_text(row, "a") == "x"
    assert rows.optional_text(row, "none") is None
    assert rows.texts(row, "texts") == ["x", "y"]
    assert rows.whole(row, "n") == 3
    assert rows.wholes(row, "whole") == [1, 2]
    assert rows.real(row, "x") == 0.5
    assert rows.truth(row, "yes") is False
