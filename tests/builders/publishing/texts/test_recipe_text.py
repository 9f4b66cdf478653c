"""What of a recipe stands in a text."""

from __future__ import annotations

from earmark.builders.publishing.texts.recipe_text import MOST_SETTINGS, Section, recipe_sections


def test_settings_are_named_by_where_they_stand_and_what_is_unset_is_left_out() -> None:
    recipe = {
        "release": {"name": "mini"},
        "sample": {"share": 0.5, "floor": None, "nested": {"deep": {"yes": True}}},
        "mapping": {"dimension": [{"id": "S0"}, {"id": "S1"}]},
        "nothing": {},
        "words": {"long": "a" * 1000, "lines": "one\n  two\n"},
        "checked": "not at all",
    }
    sections = {section.name: section for section in recipe_sections(recipe)}
    assert list(sections) == ["sample", "mapping", "words", "checked"]
    assert sections["words"].settings[1] == ("lines", "one two")
    assert sections["checked"].settings == (("checked", "not at all"),)
    assert sections["sample"] == Section("sample", (("share", "0.5"), ("nested.deep.yes", "yes")), 0)
    assert sections["mapping"].settings == (("dimension", "2 entries"),)
    assert len(sections["words"].settings[0][1]) < 250


def test_a_section_is_no_longer_than_a_reader_bears_and_says_how_much_is_left_out() -> None:
    (section,) = recipe_sections({"blocks": {f"n{n}": n for n in range(100)}})
    assert (len(section.settings), section.more) == (MOST_SETTINGS, 100 - MOST_SETTINGS)
