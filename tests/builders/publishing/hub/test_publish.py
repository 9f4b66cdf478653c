"""Publishing to a hub: what is there is a copy that verifies, answers go where nobody else reads, and nothing is made twice."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.hub_server import HubServer, Trouble, no_trouble
from tests.support.miniature import files_of
from tests.support.publishable import publishable

from earmark.builders.publishing.hub.addresses import Destination
from earmark.builders.publishing.hub.client import Hub
from earmark.builders.publishing.hub.faults import HubError
from earmark.builders.publishing.hub.publish import OnHub, Places, publish_on_hub
from earmark.builders.publishing.hub.staged import staging_beside
from earmark.builders.publishing.looking_over import Wanted
from earmark.manifests.copies.verifying import verify
from earmark.manifests.errors import DestinationExists, EarmarkError, Refused
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release

TO, HIDDEN = Destination("ada/mini-stance"), Destination("ada/mini-answers")
WANTED = Wanted(to=Path("on-a-hub"))


@pytest.fixture(scope="module")
def stance(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Stance all of which may be shipped; read it, never change it."""
    return publishable(tmp_path_factory.mktemp("publish") / "stance")


def put(
    release: Release, hub: Hub, staging: Path, wanted: Wanted = WANTED, hidden: Destination | None = HIDDEN
) -> OnHub:
    return publish_on_hub(release, wanted, Places(TO, staging, hidden), hub, Findings(), lambda *_: None)


def shown(server: HubServer, name: str, revision: str) -> dict[str, bytes]:
    """What is downloaded of a revision, but for what the hub put there."""
    files = server.repositories[name].files(revision)
    return {path: content for path, content in files.items() if path != ".gitattributes"}


def test_a_copy_and_its_answers(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    done = put(stance, hub, tmp_path / "staging")
    tag = f"v{stance.manifest.version}"
    copy, answers = shown(server, "ada/mini-stance", tag), shown(server, "ada/mini-answers", tag)
    assert copy == files_of(tmp_path / "staging" / "copy")
    assert answers == files_of(tmp_path / "staging" / "answers")
    assert not any(name.startswith("private/") or "answers" in name for name in copy)
    assert {"private/answers.parquet", "private/sources.parquet"} < answers.keys()
    key = (stance.path / "private" / "key").read_bytes()
    assert not [name for name, content in {**copy, **answers}.items() if key in content]
    assert [server.repositories[to.repository].private for to in (TO, HIDDEN)] == [False, True]
    assert done.answers is not None
    assert (done.copy.tag, done.answers.tag, done.answers.private, done.staged.reused) == (tag, tag, True, False)
    found = Findings()
    verify(tmp_path / "staging" / "copy", found)
    assert [finding.text() for finding in found] == []


def test_the_copy_that_waits_is_used_again(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    server.trouble = lambda asked: Trouble() if "/commit/" in asked.path else None
    with pytest.raises(HubError, match="418"):
        put(stance, hub, tmp_path / "staging")
    server.trouble = no_trouble
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "staging" / "copy").rglob("*")}
    done = put(stance, hub, tmp_path / "staging")
    assert done.staged.reused
    assert made == {path: path.stat().st_mtime_ns for path in (tmp_path / "staging" / "copy").rglob("*")}
    assert done.staged.published.as_json()["clips_with_audio"] == len(stance.table("clips"))
    assert set(server.received.values()) == {1}
    note = tmp_path / "staging" / "made.json"
    how = json.loads(note.read_text(encoding="utf-8"))["how"]
    note.write_text(json.dumps({"how": how}), encoding="utf-8")  # as a kill leaves it between the copy and its counts
    again = put(stance, hub, tmp_path / "staging")
    assert again.staged.published == done.staged.published
    assert (again.copy.unchanged, again.answers is not None and again.answers.unchanged) == (True, True)


@pytest.mark.parametrize(
    "other",
    [
        replace(WANTED, answers="open"),
        pytest.param(replace(WANTED, shard_bytes=4000), marks=pytest.mark.slow),
        pytest.param(replace(WANTED, answers_to=Path("x")), marks=pytest.mark.slow),
    ],
)
def test_a_copy_that_was_made_otherwise_is_not_uploaded(
    server: HubServer, hub: Hub, stance: Release, tmp_path: Path, other: Wanted
) -> None:
    put(stance, hub, tmp_path / "staging", hidden=None)
    number = len(server.asked)
    with pytest.raises(DestinationExists, match="made otherwise; remove it, or choose another --staging"):
        put(stance, hub, tmp_path / "staging", other, hidden=None)
    assert [asked.path for asked in server.asked[number:]] == ["/api/whoami-v2"]


@pytest.mark.slow
def test_a_tampered_copy_is_not_uploaded(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    server.trouble = lambda asked: Trouble() if "/commit/" in asked.path else None
    for name in ("copy/eval.yaml", "answers/private/answers.parquet"):
        staging = tmp_path / name.partition("/")[0]
        with pytest.raises(HubError, match="418"):
            put(stance, hub, staging)
        with (staging / name).open("ab") as stream:
            stream.write(b"\n")
        number = len(server.asked)
        with pytest.raises(Refused) as caught:
            put(stance, hub, staging)
        assert [finding.code.name for finding in caught.value.findings] == ["verify.changed"]
        assert [asked.path for asked in server.asked[number:]] == ["/api/whoami-v2"]


def test_answers_go_into_no_public_repository(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    public = server.begin("ada/mini-answers")
    with pytest.raises(HubError, match="hub:ada/mini-answers is public, and this is to be private"):
        put(stance, hub, tmp_path / "staging")
    assert (public.blobs, len(public.trees), "ada/mini-stance" in server.repositories) == ({}, 1, False)
    for same in (TO, Destination("Ada/Mini-Stance")):
        with pytest.raises(EarmarkError, match="answers need a repository of their own"):
            put(stance, hub, tmp_path / "staging", hidden=same)
    with pytest.raises(EarmarkError, match="open answers are part of the copy"):
        put(stance, hub, tmp_path / "open", replace(WANTED, answers="open"))
    assert not (tmp_path / "open").exists()


@pytest.mark.slow
def test_answers_do_not_replace_a_copy(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    """Although both are of the same release and version."""
    server.begin("ada/mini-answers", private=True).put({"release.json": (stance.path / "release.json").read_bytes()})
    with pytest.raises(HubError, match=r"hub:ada/mini-answers holds something else, such as 'release\.json'"):
        put(stance, hub, tmp_path / "staging")


def test_nothing_is_made_without_a_hub(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    server.trouble = lambda asked: Trouble(status=401)
    with pytest.raises(HubError, match="the token is not valid"):
        put(stance, hub, tmp_path / "staging")
    assert list(tmp_path.iterdir()) == [tmp_path / "no-token"] or not list(tmp_path.iterdir())


def test_what_else_is_in_the_folder(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    (tmp_path / "staging").mkdir()
    (tmp_path / "staging" / "thesis.tex").touch()
    with pytest.raises(DestinationExists, match="holds something else; choose another --staging"):
        put(stance, hub, tmp_path / "staging")
    with pytest.raises(EarmarkError, match="is in the release itself"):
        put(stance, hub, stance.path / "staging")
    assert not (stance.path / "staging").exists()


def test_a_release_that_may_not_be_published_leaves_nothing(server: HubServer, hub: Hub, tmp_path: Path) -> None:
    release = publishable(tmp_path / "release", own={})
    with pytest.raises(Refused):
        put(release, hub, tmp_path / "staging")
    assert not (tmp_path / "staging").exists()
    assert [asked.path for asked in server.asked] == ["/api/whoami-v2"]


@pytest.mark.slow
def test_what_a_killed_run_left_is_gone_on_with(server: HubServer, hub: Hub, stance: Release, tmp_path: Path) -> None:
    put(stance, hub, tmp_path / "whole")
    put(stance, hub, tmp_path / "killed")
    shutil.rmtree(tmp_path / "killed" / "copy")  # answers are written first
    assert not put(stance, hub, tmp_path / "killed").staged.reused
    assert files_of(tmp_path / "killed") == {
        **files_of(tmp_path / "whole"),
        "made.json": (tmp_path / "killed" / "made.json").read_bytes(),
    }
    shutil.rmtree(tmp_path / "killed" / "answers")
    with pytest.raises(DestinationExists, match=r"the answers to the copy .* are no longer in"):
        put(stance, hub, tmp_path / "killed")
    (tmp_path / "whole" / "made.json").write_text("{", encoding="utf-8")
    with pytest.raises(DestinationExists, match="a copy of something else"):
        put(stance, hub, tmp_path / "whole")


def test_where_copies_wait(stance: Release) -> None:
    assert staging_beside(open_release(stance.path)) == stance.path.resolve().parent / "stance.hub"
