"""Panels as files, and what prompts offer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.tiny import write_tiny_release

from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError, ReleaseError
from earmark.manifests.panels import Entry, Panel, panel_secret, read_panel

GOOD: dict[str, Json] = {
    "format": 1,
    "name": "p",
    "release": "tiny@1.0.0",
    "content_hash": "blake2b-256:0",
    "protocol": "both-orders",
    "raters": ["ann", "ben"],
    "secret": "ab" * 32,
    "entries": [{"item": "i1", "presentation": "p1"}, {"item": "i2", "presentation": "p2", "check": True}],
}


def written(folder: Path, **changed: Json) -> Path:
    (folder / "panel.json").write_text(json.dumps({**GOOD, **changed}), encoding="utf-8")
    return folder


def test_a_panel_is_read_and_says_the_same_again(tmp_path: Path) -> None:
    panel = read_panel(written(tmp_path))
    assert panel.entries[1] == Entry(item="i2", presentation="p2", check=True)
    (tmp_path / "panel.json").write_text(panel.text(), encoding="utf-8")
    assert read_panel(tmp_path) == panel


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"format": 3}, "format 3 is not one of 1"),
        ({"name": "../p"}, "must match"),
        ({"secret": "ab"}, "64 hexadecimal digits"),
        ({"raters": []}, "1 or more"),
        ({"raters": ["ann", "ANN"]}, "differ by more than capitals"),
        ({"raters": ["a b"]}, "must match"),
        (
            {"entries": [{"item": "i1", "presentation": "p1"}, {"item": "i1", "presentation": "p2"}]},
            "stands in it twice",
        ),
        ({"gold": "P"}, "gold"),
    ],
)
def test_a_wrong_panel_is_said(tmp_path: Path, changed: dict[str, Json], says: str) -> None:
    with pytest.raises(EarmarkError, match=says):
        read_panel(written(tmp_path, **changed))


def test_no_panel(tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match=r"is no panel: cannot read panel\.json"):
        read_panel(tmp_path)
    (tmp_path / "panel.json").write_text('{"format": 1, "format": 1}', encoding="utf-8")
    with pytest.raises(EarmarkError, match="is no panel"):
        read_panel(tmp_path)


def test_a_panel_of_another_release(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "release")
    panel = read_panel(written(tmp_path, content_hash=release.manifest.content_hash))
    assert panel.left_in(release) is panel
    with pytest.raises(ReleaseError, match="the panel p was drawn from tiny@1"):
        read_panel(written(tmp_path)).left_in(release)


def test_a_secret_is_a_panel_s_own(tmp_path: Path) -> None:
    secrets = {panel_secret(bytes(32), "p", 1), panel_secret(bytes(32), "p", 2), panel_secret(bytes(32), "q", 1)}
    assert len(secrets) == 3
    ids = [id for secret in sorted(secrets) for id, _ in panel_with(secret).sheet("ann")]
    assert len(set(ids)) == 6


def panel_with(secret: str) -> Panel:
    entries = (Entry(item="i1", presentation="p1"), Entry(item="i2", presentation="p2"))
    return Panel(
        format=1, name="p", release="r", content_hash="", protocol="x", raters=("ann",), secret=secret, entries=entries
    )
