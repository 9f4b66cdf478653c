"""What is written is what another YAML reader reads."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.publishing.texts.yaml_text import comment, quoted, yaml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
KEYS = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True).filter(lambda key: key.lower() not in _NOT_TEXT)
_NOT_TEXT = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5))
@settings(max_examples=40)
def test_another_reader_reads_what_was_written(value: dict[str, object]) -> None:
    assert yaml.safe_load(yaml_text(value)) == value


@given(TEXTS)
def test_a_text_stays_on_its_line(text: str) -> None:
    assert len(f"{quoted(text)}\n".splitlines()) == 1
    assert yaml.safe_load(f"a: {quoted(text)}\nb: 1\n") == {"a": text, "b": 1}


def test_what_looks_like_other_things_stays_text() -> None:
    for text in (
        "no",
        "null",
        "1.0.0",
        "2026-03-31",
        "- a",
        "# b",
        "---",
        "!!python/object:os.system x",
        "&a",
        "*a",
        "{a: 1}",
    ):
        assert yaml.safe_load(yaml_text({"value": text})) == {"value": text}


def test_a_key_that_is_no_word_is_refused() -> None:
    with pytest.raises(ValueError, match="no key"):
        yaml_text({"a: b": 1})


@given(TEXTS)
def test_a_comment_says_nothing(text: str) -> None:
    assert yaml.safe_load(comment(f"canary {text!r}") + "a: 1\n") == {"a": 1}
