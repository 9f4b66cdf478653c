"""Families by name, ours and other people's."""

from __future__ import annotations

import shutil
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from earmark.manifests import registry
from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.manifests.families.stance import STANCE


def register(monkeypatch: pytest.MonkeyPatch, *entries: tuple[str, str, str]) -> None:
    """Have these and no other entry points installed, each as (room, name, value)."""
    points = EntryPoints(EntryPoint(name=name, value=value, group=f"earmark.{room}") for room, name, value in entries)
    monkeypatch.setattr(registry, "entry_points", lambda *, group: points.select(group=group))


def test_what_is_installed() -> None:
    assert "stance" in registry.family_names()
    assert registry.family("stance") is STANCE
    with pytest.raises(UnknownName, match=r"no family named 'stunce'; there is .*stance"):
        registry.family("stunce")


def test_somebody_elses_family(monkeypatch: pytest.MonkeyPatch) -> None:
    register(
        monkeypatch, ("families", "stance", "earmark.manifests.families.stance:STANCE"), ("scoring", "toy", "json")
    )
    assert registry.family_names() == ("stance",)
    assert registry.family_module("scoring", "toy").__name__ == "json"
    with pytest.raises(UnknownName, match="no family in scoring named 'stance'; there is toy"):
        registry.family_module("scoring", "stance")
    with pytest.raises(UnknownName, match="there is none"):
        registry.family_module("builders", "toy")


def test_what_is_installed_or_removed_meanwhile_is_known_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = registry.family_names()
    monkeypatch.syspath_prepend(tmp_path)
    assert registry.family_names() == installed
    package = tmp_path / "late-1.0.dist-info"
    (tmp_path / "unpacked").mkdir()
    (tmp_path / "unpacked" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: late\nVersion: 1.0\n", encoding="utf-8"
    )
    points = "[earmark.families]\nlate = earmark.manifests.families.stance:STANCE\n"
    (tmp_path / "unpacked" / "entry_points.txt").write_text(points, encoding="utf-8")
    assert registry.family_names() == installed
    (tmp_path / "unpacked").rename(package)
    assert registry.family_names() == tuple(sorted((*installed, "late")))
    shutil.rmtree(package)
    assert registry.family_names() == installed


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("earmark.manifests.families.stance:STANCE", "no family record named 'other'"),
        ("json:dumps", "no family record"),
        ("no_such_package_anywhere:X", "cannot be loaded"),
        ("json:no_such_name", "cannot be loaded"),
    ],
)
def test_entry_points_that_name_no_family(monkeypatch: pytest.MonkeyPatch, value: str, says: str) -> None:
    register(monkeypatch, ("families", "other", value))
    with pytest.raises(EarmarkError, match=says):
        registry.family("other")
