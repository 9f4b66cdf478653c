"""Recipes: all that is wrong with one is said at once, and nothing but `Refused` is raised."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.recipes import MOST_BYTES, ReleaseSection, check_recipe, read_toml
from earmark.builders.stance.recipe import DEFAULT_RECIPE, StanceRecipe
from earmark.manifests.errors import EarmarkError, Refused

SOUND = {"release": {"name": "mine", "version": "1.0.0"}, "corpus": {"root": "corpus"}}


def refused(recipe: dict[str, object]) -> list[tuple[str, str | None, str | None]]:
    with pytest.raises(Refused) as caught:
        check_recipe(recipe, StanceRecipe, file="recipe.toml")  # type: ignore[arg-type]  # whatever stands there
    findings = list(caught.value.findings)
    assert all(finding.file == "recipe.toml" for finding in findings)
    return [(finding.code.name, finding.id, finding.found) for finding in findings]


def test_the_least_recipe_has_the_defaults() -> None:
    recipe = check_recipe(SOUND, StanceRecipe)
    assert (recipe.release.seed, recipe.sample.share, recipe.sample.floor, recipe.sample.method) == (
        0,
        0.25,
        10,
        "hash",
    )
    assert recipe.segments.single_most_s == 45.0
    assert recipe.corpus.labels == ("improvised",)


def test_the_default_recipe_is_sound_and_says_the_defaults() -> None:
    recipe = check_recipe(tomllib.loads(DEFAULT_RECIPE), StanceRecipe)
    plain = check_recipe(SOUND, StanceRecipe)
    assert (recipe.sample, recipe.segments) == (plain.sample, plain.segments)
    assert (recipe.corpus.version, recipe.corpus.licence, recipe.corpus.labels) == (
        plain.corpus.version,
        plain.corpus.licence,
        plain.corpus.labels,
    )


def test_everything_wrong_is_said_at_once() -> None:
    found = refused({
        "release": {"name": "a b", "version": "1.0.0"},
        "sample": {"share": "half"},
        "segments": {"single_close_s": 50.0},
        "smaple": {},
    })  # fmt: skip
    assert [(code, id) for code, id, _ in found] == [
        ("recipe.section", "[corpus]"),
        ("recipe.section", "[release]"),
        ("recipe.section", "[sample]"),
        ("recipe.section", "[segments]"),
        ("recipe.unknown-section", "[smaple]"),
    ]
    told = {id: text for _, id, text in found}
    assert "required" in str(told["[corpus]"])
    assert "must match" in str(told["[release]"])
    assert "$.share" in str(told["[sample]"])
    assert "single_close_s" in str(told["[segments]"])


@pytest.mark.parametrize(
    ("section", "value", "said"),
    [
        ("release", {"name": "x/../y", "version": "1.0.0"}, "name 'x/../y' must match"),
        ("release", {"name": "x" * 101, "version": "1.0.0"}, "must match"),
        ("release", {"name": "x\n", "version": "1.0.0"}, "must match"),
        ("release", {"name": "x", "version": "1.0"}, "version '1.0' must be MAJOR.MINOR.PATCH"),
        ("release", {"name": "x", "version": "01.0.0"}, "MAJOR.MINOR.PATCH"),
        ("release", {"name": "x", "version": "1.0.0", "seed": -1}, "seed -1 must be in 0"),
        ("release", {"name": "x", "version": "1.0.0", "nmae": "y"}, "nmae"),
        ("sample", {"share": 0.0}, "share is 0.0; it must be in (0, 1]"),
        ("sample", {"share": float("nan")}, "must be in (0, 1]"),
        ("sample", {"floor": -1}, "floor is -1"),
        ("sample", {"method": "random"}, "random"),
        ("segments", {"merge_gap_s": float("inf")}, "merge_gap_s is a finite length"),
        ("corpus", {"root": 3}, "$.root"),
        ("corpus", "here", "Expected `object`"),
    ],
)
def test_each_wrong_section_says_what_would_be_right(section: str, value: object, said: str) -> None:
    ((code, id, found),) = refused({**SOUND, section: value})
    assert (code, id) == ("recipe.section", f"[{section}]")
    assert said in str(found)


class Form(StrEnum):
    WAV = "wav"
    FLAC = "flac"


class Voice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    form: Form | None = None
    limit: float | Literal["none", "calibrated"] = "none"
    arms: tuple[Literal["words", "tones"], ...] = ()


class Spoken(msgspec.Struct, frozen=True):
    voice: Voice


@pytest.mark.parametrize(
    ("voice", "words"),
    [
        ({"form": "ogg"}, "one of wav, flac"),
        ({"limit": "x"}, "one of none, calibrated"),
        ({"arms": ["words", "x"]}, "one of words, tones"),
        ({"from": "wav"}, "one of form, limit, arms"),
        ({"limit": []}, None),
    ],
)
def test_a_word_that_is_none_of_a_few_is_told_which_they_are(voice: dict[str, object], words: str | None) -> None:
    with pytest.raises(Refused) as caught:
        check_recipe({"voice": voice}, Spoken)  # type: ignore[dict-item]  # plain values
    assert [finding.expected for finding in caught.value.findings] == [words]


def test_names_that_are_right() -> None:
    for name in ("a", "A.b_c-1", "x" * 100):
        assert ReleaseSection(name=name, version="0.10.2").name == name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
SECTIONS = st.sampled_from(("release", "corpus", "sample", "dimensions", "rubric", "segments", "other"))
FIELDS = st.sampled_from(("name", "version", "seed", "root", "labels", "share", "floor", "method", "mapping", "file"))


@given(st.dictionaries(SECTIONS, JSON | st.dictionaries(FIELDS, JSON, max_size=4)))
def test_no_recipe_raises_anything_but_refused(recipe: dict[str, object]) -> None:
    try:
        made = check_recipe(recipe, StanceRecipe)  # type: ignore[arg-type]  # whatever stands there
    except Refused:
        return
    assert made.release.name
    assert 0 < made.sample.share <= 1


def test_toml_is_read_with_a_byte_order_mark_and_windows_ends(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_bytes(b'\xef\xbb\xbf[release]\r\nname = "x"\r\n')
    assert read_toml(path) == {"release": {"name": "x"}}


@pytest.mark.parametrize("published", ["2026-03-31", '"2026-03-31"'])
def test_a_date_need_not_stand_between_quotation_marks(tmp_path: Path, published: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(f'[release]\nname = "x"\nversion = "1.0.0"\npublished = {published}\n', encoding="utf-8")
    release = check_recipe({**read_toml(path), "corpus": {"root": "here"}}, StanceRecipe).release
    assert release.published == "2026-03-31"


@pytest.mark.parametrize("content", [b"[release", b"\xff\xfe\x00", b"a = 1\na = 2", b"\x00", b"a = " + b"[" * 50_000])
def test_what_is_no_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "recipe.toml"
    path.write_bytes(content)
    with pytest.raises(Refused) as caught:
        read_toml(path)
    (finding,) = caught.value.findings
    assert (finding.code.name, finding.file) == ("recipe.unreadable", str(path))


def test_a_recipe_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match=r"cannot read .*recipe\.toml"):
        read_toml(tmp_path / "recipe.toml")


def test_a_recipe_is_a_file_of_a_bounded_size(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    for unfit in (path, tmp_path):
        with pytest.raises(EarmarkError, match="a recipe is a file of at most"):
            read_toml(unfit)
