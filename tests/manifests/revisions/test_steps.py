"""Steps: what owes a patch, a minor or a major one, that more changes never owe less, and what `publish` is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.editions import (
    Tables,
    in_memory,
    loaded,
    rewritten,
    set_cell,
    tables_of,
    with_manifest,
    without_private,
)
from tests.support.golden import GOLDENS

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.release import MediaEntry, Release, open_release
from earmark.manifests.revisions import Step, Version, difference, proposed_version, require_step, smallest_step
from earmark.manifests.revisions.earlier import CommonSubset

RELEASE = loaded(open_release(GOLDENS["stance"].path / "release"))
TABLES = tables_of(RELEASE)


def _prompt(tables: Tables) -> Tables:
    return {**tables, "prompts": set_cell("user", 0, "Which?")(tables["prompts"])}


def _gold(tables: Tables) -> Tables:
    return {**tables, "answers": set_cell("gold", 0, "?")(tables["answers"])}


def _measured(tables: Tables) -> Tables:
    return {**tables, "sources": set_cell("level", 0, -3.0)(tables["sources"])}


def _drawn(tables: Tables) -> Tables:
    return {
        **tables,
        "selection": set_cell("drawn", 0, not tables["selection"]["drawn"][0].as_py())(tables["selection"]),
    }


def _protocol(tables: Tables) -> Tables:
    rows = tables["presentations"]
    more = [*rows["protocols"][0].as_py(), "both-orders-oracle"]
    return {**tables, "presentations": set_cell("protocols", 0, more)(rows)}


def _less_owed(tables: Tables) -> Tables:
    return {**tables, "presentations": set_cell("protocols", 0, [])(tables["presentations"])}


def _item(tables: Tables) -> Tables:
    more = set_cell("item_id", 0, "i" + "a" * 26)(tables["items"].slice(0, 1))
    return {**tables, "items": pa.concat_tables([tables["items"], more])}


def _no_item(tables: Tables) -> Tables:
    return {**tables, "items": tables["items"].slice(1)}


EDITS = {
    _measured: Step.PATCH,
    _drawn: Step.PATCH,
    _item: Step.MINOR,
    _protocol: Step.MINOR,
    _less_owed: Step.MAJOR,
    _prompt: Step.MAJOR,
    _gold: Step.MAJOR,
    _no_item: Step.MAJOR,
}


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__.strip("_"))
def test_each_change_owes_its_step(edit: object) -> None:
    assert callable(edit)
    found = difference(RELEASE, in_memory(RELEASE, edit(TABLES)))
    proposal = smallest_step(found)
    assert proposal.step is EDITS[edit]
    assert proposal.reasons
    assert Version.of("1.4.2").after(proposal.step) == Version.of(proposed_version("1.4.2", found))


@settings(max_examples=8)
@given(edits=st.permutations(list(EDITS)), few=st.integers(0, 8), many=st.integers(0, 8))
def test_more_changes_never_owe_less(edits: list[object], few: int, many: int) -> None:
    def step(count: int) -> Step:
        tables: Mapping[str, pa.Table] = TABLES
        for edit in edits[:count]:
            assert callable(edit)
            tables = edit(tables)
        return smallest_step(difference(RELEASE, in_memory(RELEASE, tables, hashes=False))).step

    few, many = sorted((few, many))
    assert step(few) <= step(many)
    # Unless one undoes another, which these do not, the greatest of them is owed.
    owed = [EDITS[edit] for edit in EDITS if edit in edits[:many]]
    assert step(many) is max(owed, default=Step.NONE)


def _media(rate: int | None, files: int = 26, hash: str = "sha256:1") -> MediaEntry:
    return MediaEntry(rate=rate, files=files, hash=hash)


@pytest.mark.parametrize(
    ("old", "new", "step"),
    [
        (None, _media(16000), Step.MINOR),
        (_media(16000), None, Step.MAJOR),
        (_media(16000), _media(24000), Step.MAJOR),
        (_media(16000), _media(16000), Step.NONE),
    ],
)
def test_audio_that_comes_goes_or_changes_its_rate(old: MediaEntry | None, new: MediaEntry | None, step: Step) -> None:
    pair = [Release(RELEASE.path, msgspec.structs.replace(RELEASE.manifest, media=media)) for media in (old, new)]
    assert smallest_step(difference(*pair)).step is step


def test_other_audio_that_is_not_at_hand_leaves_the_step_unsure() -> None:
    media = [_media(16000, hash="sha256:1"), _media(16000, hash="sha256:2")]
    pair = [Release(RELEASE.path, msgspec.structs.replace(RELEASE.manifest, media=entry)) for entry in media]
    proposal = smallest_step(difference(*pair))
    assert proposal.step is Step.NONE
    assert "26 of the clips" in proposal.unsure[0]


# What publish asks.


def codes(old: Release, new: Release) -> dict[str, int]:
    findings = Findings()
    require_step(old, new, findings)
    return findings.counts


@pytest.mark.parametrize(
    ("edit", "version", "expected"),
    [
        (_prompt, "1.0.1", {"version.step-too-small": 1}),
        (_prompt, "1.1.0", {"version.step-too-small": 1}),
        (_prompt, "2.0.0", {}),
        (_prompt, "1.0.0", {"version.same-version": 1}),
        (_prompt, "0.9.0", {"version.not-newer": 1}),
        (_item, "1.0.1", {"version.step-too-small": 1}),
        (_item, "1.1.0", {}),
        (_measured, "1.0.1", {}),
        (_measured, "1.0.0", {"version.same-data": 1}),
        (_prompt, "one", {"version.unreadable": 1}),
        (_prompt, "01.0.0", {"version.unreadable": 1}),
    ],
)
def test_a_version_must_be_later_by_the_step_that_is_owed(edit: object, version: str, expected: dict[str, int]) -> None:
    assert callable(edit)
    assert codes(RELEASE, in_memory(RELEASE, edit(TABLES), version)) == expected


def test_the_finding_says_what_would_be_right() -> None:
    findings = Findings()
    require_step(RELEASE, in_memory(RELEASE, _prompt(TABLES), "1.0.1"), findings)
    (finding,) = findings
    assert finding.found == "1.0.1, a PATCH step"
    assert finding.expected == "2.0.0 or later, a MAJOR step: prompts.user of 1 row changed"


def test_a_release_may_be_published_again_as_it_is() -> None:
    assert codes(RELEASE, in_memory(RELEASE, TABLES, "1.0.0")) == {}


def test_a_copy_with_open_answers_is_the_same_version() -> None:
    manifest = msgspec.structs.replace(RELEASE.manifest, gold="open")
    copy = CommonSubset(path=RELEASE.path, manifest=manifest, tables=TABLES)
    assert codes(copy, in_memory(RELEASE, TABLES, "1.0.0")) == {}
    assert smallest_step(difference(copy, RELEASE)).step is Step.NONE
    assert [change.field for change in difference(copy, RELEASE).metadata] == ["gold"]


def test_another_release_is_no_earlier_version() -> None:
    pairs = open_release(GOLDENS["pairs"].path / "release")
    assert codes(pairs, RELEASE) == {"version.other-line": 1}


def test_what_could_not_be_compared_is_said(tmp_path: Path) -> None:
    public = without_private(RELEASE, tmp_path / "public")
    edited = rewritten(
        RELEASE, tmp_path / "edited", {"items": lambda rows: pa.concat_tables([rows, _item(TABLES)["items"].slice(21)])}
    )
    newer = with_manifest(edited.path, msgspec.structs.replace(edited.manifest, version="1.1.0"))
    assert codes(public, newer) == {}  # the answers that both should have are those of the hash
    assert set(codes(without_private(newer, tmp_path / "new"), public)) == {"version.not-newer"}


def test_versions_are_read_strictly() -> None:
    for text in ("1.0", "1.0.0.0", "v1.0.0", "1.0.0-rc.1", "01.0.0", "1.0.0\n", "", "1.0." + "9" * 40):
        with pytest.raises(EarmarkError, match="no version"):
            Version.of(text)


@given(
    one=st.tuples(*[st.integers(0, 3)] * 3).map(lambda parts: Version(*parts)),
    step=st.sampled_from([Step.PATCH, Step.MINOR, Step.MAJOR]),
)
def test_the_next_version_is_a_step_away(one: Version, step: Step) -> None:
    later = one.after(step)
    assert later > one
    assert one.step_to(later) is step
    assert later.step_to(one) is Step.NONE
    assert Version.of(str(later)) == later
