"""Families that the tests of this room draw releases of, found whether or not a package registers them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from earmark.manifests import registry
from earmark.manifests.families.pairs import PAIRS
from earmark.validation import pairs


@pytest.fixture(scope="module", autouse=True)
def pairs_are_found() -> Iterator[None]:
    """The record and the validation module of the pairs family."""
    family, family_module = registry.family, registry.family_module
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "family", lambda name: PAIRS if name == PAIRS.name else family(name))
        patch.setattr(
            registry,
            "family_module",
            lambda room, name: pairs if (room, name) == ("validation", PAIRS.name) else family_module(room, name),
        )
        yield
