"""Personas: one for each composite, one without a fault, one with all of them, and none of them says how to answer."""

from __future__ import annotations

import re

import msgspec
import pytest

from earmark.builders.dialogues.releasing.personas import Persona, all_personas, personas
from earmark.manifests.eqi import COMPOSITES


def test_each_composite_has_one_that_lacks_it() -> None:
    found = all_personas()
    assert [persona.lacks for persona in found.values()] == [None, None, *(composite.slug for composite in COMPOSITES)]
    for composite in COMPOSITES:
        assert found[composite.slug].name == f"{composite.name} Deficit"


def test_their_texts_stand_alone() -> None:
    for slug, text in personas().items():
        assert text == text.strip()
        assert 40 < len(text.split()) < 120, slug
        assert not re.search(r"Option|JSON|[$]|\bturn\b", text), slug
    assert len(set(personas().values())) == len(COMPOSITES) + 2


def test_a_composite_that_is_none_is_refused() -> None:
    with pytest.raises(Exception, match="no composite named 'courage'"):
        msgspec.convert({"name": "x", "text": "y", "lacks": "courage"}, Persona)
