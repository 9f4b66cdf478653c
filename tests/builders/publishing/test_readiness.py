"""What a release must say of itself before anything of it is published, and that all that is lacking is said at once."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.golden import GOLDENS

from earmark.builders.publishing.readiness import MOST_CREATORS, Creator, Publication, read_creator, ready
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings
from earmark.manifests.licences import LICENCES
from earmark.manifests.release import Release, open_release

SAID: dict[str, object] = {
    "published": "2026-03-31",
    "creators": ["Ada Lovelace", "The Tone Group <tones@example.org>"],
    "url": "https://example.org/tones",
    "licence": "CC BY-NC 4.0",
}

OPENED = {name: open_release(golden.path / "release") for name, golden in GOLDENS.items()}


def said_of(section: object, family: str = "stance") -> tuple[Publication | None, Findings]:
    """What is made of a golden release whose stored recipe has this `[release]`."""
    opened = OPENED[family]
    manifest = msgspec.structs.replace(opened.manifest, recipe={**opened.manifest.recipe, "release": section})
    findings = Findings()
    return ready(replace(opened, manifest=manifest), findings), findings


@pytest.mark.parametrize("family", list(GOLDENS))
def test_a_release_of_each_family_that_says_everything_is_ready(family: str) -> None:
    found, findings = said_of(SAID, family)
    assert len(findings) == 0
    assert found is not None
    release = OPENED[family]
    assert found == Publication(
        name=release.manifest.name,
        version="1.0.0",
        published="2026-03-31",
        creators=(Creator(name="Ada Lovelace"), Creator(name="The Tone Group", email="tones@example.org")),
        url="https://example.org/tones",
        licence=LICENCES["CC-BY-NC-4.0"],
        intended_use=release.family.intended_use,
        out_of_scope=release.family.out_of_scope,
    )


@pytest.mark.parametrize("family", list(GOLDENS))
def test_the_stored_recipe_of_each_family_has_a_place_for_all_of_it(family: str) -> None:
    stored = OPENED[family].manifest.recipe["release"]
    assert isinstance(stored, dict)
    assert SAID.keys() <= stored.keys()


@pytest.mark.parametrize("section", [None, {}, "x", [], {"published": None, "creators": [], "url": "", "licence": ""}])
def test_all_that_is_lacking_is_said_at_once(section: object) -> None:
    found, findings = said_of(section)
    assert found is None
    assert list(findings.counts) == ["publish.creators", "publish.date", "publish.licence", "publish.url"]


def test_a_family_must_say_what_its_releases_are_for_and_what_not(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = replace(STANCE, intended_use="", out_of_scope=" \n")
    monkeypatch.setattr(Release, "family", silent)
    found, findings = said_of(SAID)
    assert found is None
    assert [(finding.code.name, finding.id) for finding in findings] == [
        ("publish.no-intended-use", "stance"),
        ("publish.no-out-of-scope", "stance"),
    ]


WRONG: list[tuple[str, object]] = [
    *(
        ("date", value)
        for value in ("2026", "2026-3-1", "20260331", "2026-02-30", "2026-W01-1", "31.03.2026", "٢٠٢٦-٠٣-٣١", 2026, "x" * 10**6)
    ),
    *(
        ("url", value)
        for value in (
            *("example.org", "ftp://example.org", "javascript:alert(1)", "https://", "https:///x", "https://a b", 3),
            *("https://user:secret@example.org/", "https://example.org/\n", 'https://example.org/"><script>', "http://[::1"),
            *("https://example.org:99999/", "https://example.org/" + "x" * 2000, "https://exämple.org/", ["https://a.org"]),
        )
    ),
    *(("licence", value) for value in ("CC BY", "GPL-3.0", "not stated", "Sonos Crowdsourced Data Licence Terms", 4)),
    *(("creators", value) for value in ("Ada Lovelace", {"name": "Ada"}, ["Ada"] * (MOST_CREATORS + 1))),
    *(
        ("creator", ["Grace Hopper", value])
        for value in (
            *("", "  ", "@", "a\nb", "Ada\u202eecalevoL", "x" * 201, "<script>", "Ada <ada>", "Ada <ada@example>", 7, None),
            *("Ada (0000-0002-1825-0098)", "Ada (0000-0002-1825)", "Ada (https://example.org/0000-0002-1825-0097)", "1815"),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "value"), WRONG)
def test_each_thing_that_is_wrong_has_a_code_and_says_what_would_be_right(code: str, value: object) -> None:
    column = {"date": "published", "creator": "creators"}.get(code, code)
    found, findings = said_of({**SAID, column: value})
    assert found is None
    [finding] = findings
    assert (finding.code.name, finding.id, finding.column) == (f"publish.{code}", "[release]", column)
    assert finding.expected
    assert len(finding.text()) < 700, "whatever stands there"


def test_every_creator_that_is_none_is_named() -> None:
    _, findings = said_of({**SAID, "creators": ["", "Ada Lovelace", "@", 3, "Ada (٠٠٠٠-٠٠٠٢-١٨٢٥-٠٠٩٧)"]})
    assert findings.counts == {"publish.creator": 4}
    assert {finding.found for finding in findings} == {"", "@", "3", "Ada (٠٠٠٠-٠٠٠٢-١٨٢٥-٠٠٩٧)"}


@given(st.dates(min_value=dt.date(1900, 1, 1)))
def test_every_day_is_a_date(day: dt.date) -> None:
    found, _ = said_of({**SAID, "published": day.isoformat()})
    assert found is not None
    assert found.published == day.isoformat()


def orcid(digits: str) -> str:
    """An iD whose last character makes the weighted sum 1 modulo 11, found by trying all of them."""
    for check in "0123456789X":
        values = [*map(int, digits), 10 if check == "X" else int(check)]
        if sum(value * 2 ** (15 - place) for place, value in enumerate(values)) % 11 == 1:
            whole = digits + check
            return "-".join(whole[at : at + 4] for at in range(0, 16, 4))
    raise AssertionError("one of eleven fits")


NAMES = st.text(st.characters(categories=["L", "Nd", "Pd"], include_characters=" .,'"), min_size=1, max_size=60).filter(
    lambda name: any(letter.isalpha() for letter in name)
)


@given(NAMES, st.none() | st.just("a.b+c@x-y.example.org"), st.none() | st.from_regex("[0-9]{15}", fullmatch=True))
def test_a_creator_is_a_name_and_maybe_an_address_and_an_id(name: str, email: str | None, digits: str | None) -> None:
    id = None if digits is None or not digits.isascii() else orcid(digits)
    text = name + (f" <{email}>" if email else "") + (f" (https://orcid.org/{id})" if id else "")
    assert read_creator(text) == Creator(name=" ".join(name.split()), email=email, orcid=id)
    if id is not None:
        other = id[:-1] + ("0" if id[-1] != "0" else "1")
        assert read_creator(f"{name} ({id})") == Creator(name=" ".join(name.split()), orcid=id)
        assert read_creator(f"{name} ({other})") is None, "a digit is mistyped"


@given(st.text(max_size=300))
def test_whoever_can_be_cited_stands_on_one_line(text: str) -> None:
    found = read_creator(text)
    if found is not None:
        assert found.name.isprintable()
        assert found.name == found.name.strip()
        assert len(found.name) <= 200
        assert not set(found.name) & set("<>@()")


RECIPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(SAID, RECIPES)) | RECIPES)
def test_no_stored_recipe_raises(section: object) -> None:
    found, findings = said_of(section)
    assert (found is None) == findings.failed
