"""Uploading: whatever happens on the way, a tag stands only on all that was to be uploaded, and no content is sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.hub_repositories import Entry
from tests.support.hub_server import TOKEN, Asked, HubServer, Trouble, no_trouble
from tests.support.miniature import files_of
from tests.support.toy_copies import FILES, toy_copy

from earmark.builders.publishing.hub.addresses import Destination
from earmark.builders.publishing.hub.client import Hub
from earmark.builders.publishing.hub.faults import HubError
from earmark.builders.publishing.hub.upload import Uploaded, upload

TO = Destination("ada/mini")
WRITES = ("/preupload/", "/commit/", "/tag/", "/branch/", "/lfs/")


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return toy_copy(tmp_path / "copy")


def shown(server: HubServer, revision: str, name: str = "ada/mini") -> dict[str, bytes]:
    """What is downloaded of a revision, but for what the hub put there."""
    files = server.repositories[name].files(revision)
    return {path: content for path, content in files.items() if path != ".gitattributes"}


def require_there(server: HubServer, copy: Path, uploaded: Uploaded) -> None:
    """The branch and the tag have the folder, by one commit after the hub's own."""
    assert shown(server, "v1.0.0") == shown(server, "main") == files_of(copy)
    repository = server.repositories["ada/mini"]
    assert uploaded.commit == repository.tags["v1.0.0"]
    assert len(repository.trees) == 2


@contextmanager
def nothing_written(server: HubServer) -> Iterator[None]:
    """Nothing is sent while the block runs, and every repository is as it was."""
    before = {name: (dict(r.branches), dict(r.tags), len(r.blobs)) for name, r in server.repositories.items()}
    number = len(server.asked)
    yield
    after = {name: (dict(r.branches), dict(r.tags), len(r.blobs)) for name, r in server.repositories.items()}
    assert after == before
    writes = [asked.path for asked in server.asked[number:] if any(part in asked.path for part in WRITES)]
    assert writes == []


def at(number: int, trouble: Trouble, server: HubServer) -> None:
    """Let one request go wrong, counted from now."""
    wrong = len(server.asked) + number
    server.trouble = lambda asked: trouble if asked.number == wrong else None


def test_the_tag_has_the_folder(server: HubServer, hub: Hub, copy: Path) -> None:
    told: list[tuple[int, int]] = []
    uploaded = upload(hub, copy, TO, lambda what, done, total: told.append((done, total)))
    require_there(server, copy, uploaded)
    assert set(server.received.values()) == {1}
    assert (uploaded.files, uploaded.sent, uploaded.unchanged) == (len(FILES) + 2, len(FILES) + 2, False)
    assert uploaded.bytes == sum(map(len, files_of(copy).values()))
    assert uploaded.url == f"{server.endpoint}/datasets/ada/mini/tree/v1.0.0"
    assert told
    assert all(first <= second for (first, _), (second, _) in pairwise(told))
    assert not uploaded.private


def test_large_files_go_in_parts_and_long_lists_come_in_pages(server: HubServer, hub: Hub, copy: Path) -> None:
    server.part, server.page, server.regular = 100, 2, 30
    require_there(server, copy, upload(hub, copy, TO, silent))
    assert set(server.received.values()) == {1}
    sizes = [len(content) for name, content in files_of(copy).items() if name.endswith(".parquet") or len(content) > 30]
    assert server.calls("PUT", "/part/") == sum(-(-size // 100) for size in sizes if size > 100)
    assert server.calls("GET", "cursor=4") > 0


def test_the_same_once_more_does_nothing(server: HubServer, hub: Hub, copy: Path) -> None:
    first = upload(hub, copy, TO, silent)
    with nothing_written(server):
        second = upload(hub, copy, TO, silent)
    assert (second.commit, second.unchanged, second.sent) == (first.commit, True, 0)


def test_a_version_is_never_changed(server: HubServer, hub: Hub, copy: Path, tmp_path: Path) -> None:
    upload(hub, copy, TO, silent)
    other = toy_copy(tmp_path / "other", {**FILES, "eval.yaml": b"name: minj\n"})  # of the same size
    with nothing_written(server), pytest.raises(HubError, match=r"has v1\.0\.0 already, and 2 files differ.*later one"):
        upload(hub, other, TO, silent)


def test_a_tag_elsewhere_in_the_history_is_found(server: HubServer, hub: Hub, copy: Path, tmp_path: Path) -> None:
    first = upload(hub, copy, TO, silent)
    upload(hub, toy_copy(tmp_path / "next", version="1.1.0"), TO, silent)
    with nothing_written(server):
        again = upload(hub, copy, TO, silent)
    assert (again.commit, again.unchanged) == (first.commit, True)


def test_old_shards_go_with_the_commit_that_brings_the_new(
    server: HubServer, hub: Hub, copy: Path, tmp_path: Path
) -> None:
    upload(hub, copy, TO, silent)
    shards = {name: content for name, content in FILES.items() if "00001" not in name}
    following = toy_copy(tmp_path / "next", {**shards, "public/more.parquet": b"PAR1 more"}, version="1.1.0")
    uploaded = upload(hub, following, TO, silent)
    assert uploaded.deleted == ("data/clips/test-00001-of-00002.parquet",)
    assert uploaded.sent == 3  # what is new, the manifest and the list
    assert (shown(server, "v1.1.0"), shown(server, "v1.0.0")) == (files_of(following), files_of(copy))
    assert len(server.repositories["ada/mini"].trees) == 3
    assert set(server.received.values()) == {1}


def test_what_is_not_listed_stays_here(server: HubServer, hub: Hub, copy: Path) -> None:
    for name in ("key", ".cache/huggingface/x", "private/key"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes(b"secret")
    upload(hub, copy, TO, silent)
    assert b"secret" not in b"".join(shown(server, "main").values())
    assert shown(server, "main").keys() == FILES.keys() | {"SHA256SUMS", "release.json"}


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ({"train.csv": b"a,b"}, "holds something else, such as 'train.csv', which would be deleted"),
        ({"release.json": b'{"name": "maxi", "version": "0.9.0"}'}, "holds 'maxi' and not 'mini'"),
        ({"release.json": b'{"name": "mini", "version": "1.0.1"}'}, "holds version 1.0.1 .*name another --branch"),
        ({"release.json": b'{"name": "mini", "version": "latest"}'}, "holds something else"),
        ({"release.json": b"[" * 100_000}, "holds something else"),
        ({"private/shipped.json": b'{"release": "mini@1.0.0"}'}, "holds something else"),
    ],
)
def test_what_is_somebody_elses_is_not_deleted(
    server: HubServer, hub: Hub, copy: Path, there: dict[str, bytes], said: str
) -> None:
    server.begin("ada/mini").put(there)
    with nothing_written(server), pytest.raises(HubError, match=said):
        upload(hub, copy, TO, silent)


def test_a_card_alone_may_be_replaced(server: HubServer, hub: Hub, copy: Path) -> None:
    server.begin("ada/mini").put({"README.md": b"# To come"})
    upload(hub, copy, TO, silent)
    assert shown(server, "v1.0.0") == files_of(copy)


def test_rules_of_the_repository_leave_nothing_out(server: HubServer, hub: Hub, copy: Path) -> None:
    ignore = b"eval.yaml\npublic/items.parquet\n"
    server.begin("ada/mini").put({"release.json": b'{"name": "mini", "version": "0.9.0"}', ".gitignore": ignore})
    uploaded = upload(hub, copy, TO, silent)
    assert uploaded.deleted == (".gitignore",)
    assert shown(server, "v1.0.0") == files_of(copy)
    assert len(server.repositories["ada/mini"].trees) == 3  # by one commit


def test_another_branch_leaves_the_main_one(server: HubServer, hub: Hub, copy: Path, tmp_path: Path) -> None:
    upload(hub, toy_copy(tmp_path / "new", version="2.0.0"), TO, silent)
    main = server.repositories["ada/mini"].branches["main"]
    upload(hub, toy_copy(tmp_path / "fix", version="2.0.1"), Destination("ada/mini", "fixes/2.x"), silent)
    assert server.repositories["ada/mini"].branches["main"] == main
    assert shown(server, "fixes/2.x") == shown(server, "v2.0.1") == files_of(tmp_path / "fix")


@pytest.mark.parametrize("there", [None, False, True])
@pytest.mark.parametrize("private", [False, True])
def test_who_may_read(server: HubServer, hub: Hub, copy: Path, there: bool | None, private: bool) -> None:
    if there is not None:
        server.begin("ada/mini", private=there)
    to = Destination("ada/mini", private=private)
    if private and there is False:
        with (
            nothing_written(server),
            pytest.raises(HubError, match="hub:ada/mini is public, and this is to be private"),
        ):
            upload(hub, copy, to, silent)
    else:
        is_private = private if there is None else there
        assert upload(hub, copy, to, silent).private is server.repositories["ada/mini"].private is is_private


def test_somebody_elses_commit_meanwhile_is_not_overrun(
    server: HubServer, hub: Hub, copy: Path, tmp_path: Path
) -> None:
    """It is no part of the version, so it goes, but by a commit that knows of it."""
    upload(hub, copy, TO, silent)
    following = toy_copy(tmp_path / "next", version="1.1.0")
    left = [True]

    def meddle(asked: Asked) -> None:
        if "/commit/" in asked.path and left:
            left.clear()
            server.repositories["ada/mini"].put({"notes.txt": b"mine"})

    server.trouble = meddle
    uploaded = upload(hub, following, TO, silent)
    assert uploaded.deleted == ("notes.txt",)
    assert shown(server, "v1.1.0") == shown(server, "main") == files_of(following)
    assert len(server.repositories["ada/mini"].trees) == 4


@pytest.mark.parametrize("same", [True, False])
def test_somebody_elses_tag_meanwhile_stays(server: HubServer, hub: Hub, copy: Path, same: bool) -> None:
    def meddle(asked: Asked) -> None:
        repository = server.repositories.get("ada/mini")
        if "/tag/" in asked.path and repository is not None and not repository.tags:
            head = repository.branches["main"]
            repository.tags["v1.0.0"] = head if same else min(repository.trees.keys() - {head})

    server.trouble = meddle
    if same:
        require_there(server, copy, upload(hub, copy, TO, silent))
    else:
        with pytest.raises(HubError, match=r"has v1\.0\.0 already"):
            upload(hub, copy, TO, silent)


def test_a_hub_that_keeps_something_else_is_found_out(server: HubServer, hub: Hub, copy: Path) -> None:
    def meddle(asked: Asked) -> None:
        for repository in server.repositories.values():
            for commit, tree in repository.trees.items():
                if "eval.yaml" in tree:
                    repository.trees[commit] = {**tree, "eval.yaml": Entry(11, b"name: minj\n")}

    server.trouble = meddle
    with pytest.raises(
        HubError, match=r"1 files otherwise than they were sent, such as 'eval.yaml'; it was not tagged"
    ):
        upload(hub, copy, TO, silent)
    assert server.repositories["ada/mini"].tags == {}


REQUESTS = 19
"""Requests of an upload of the toy copy to a repository that is not there."""

KINDS = (Trouble(), Trouble(status=503), Trouble("dropped"), Trouble("lost"))


def test_how_many_requests_there_are(server: HubServer, hub: Hub, copy: Path) -> None:
    upload(hub, copy, TO, silent)
    assert len(server.asked) == REQUESTS


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers(0, REQUESTS - 1), trouble=st.sampled_from(KINDS))
def test_one_request_goes_wrong(server: HubServer, copy: Path, number: int, trouble: Trouble) -> None:
    require_resumed(server, copy, number, trouble)


@pytest.mark.slow
@pytest.mark.parametrize("trouble", KINDS, ids=lambda trouble: f"{trouble.kind}-{trouble.status}")
@pytest.mark.parametrize("number", range(REQUESTS))
def test_each_request_goes_wrong(server: HubServer, copy: Path, number: int, trouble: Trouble) -> None:
    require_resumed(server, copy, number, trouble)


def require_resumed(server: HubServer, copy: Path, number: int, trouble: Trouble) -> None:
    """Whichever request goes wrong, the same command once more ends as if none had."""
    server.repositories.clear()
    server.received.clear()
    hub = Hub(server.endpoint, TOKEN, wait=lambda seconds: None)
    at(number, trouble, server)
    lost = trouble.kind == "lost"
    if trouble.kind == "status" and trouble.status == 418:
        with pytest.raises(HubError, match=r"HTTP 418: unwell\)$"):
            upload(hub, copy, TO, silent)
        repository = server.repositories.get("ada/mini")
        if repository is not None and repository.tags:
            assert shown(server, "v1.0.0") == files_of(copy)
    else:
        require_there(server, copy, upload(hub, copy, TO, silent))
    server.trouble = no_trouble
    require_there(server, copy, upload(hub, copy, TO, silent))
    # The client cannot know that what had no answer was taken, so that one may come again.
    assert sorted(server.received.values()) in ([1, 1, 1], *([[1, 1, 2]] if lost else []))


@pytest.mark.parametrize("number", range(0, REQUESTS, 6))
def test_a_hub_that_is_gone_from_some_request_on(server: HubServer, hub: Hub, copy: Path, number: int) -> None:
    server.trouble = lambda asked: Trouble("dropped") if asked.number >= number else None
    with pytest.raises(HubError, match=r"no answer from 127\.0\.0\.1:\d+ ") as caught:
        upload(hub, copy, TO, silent)
    assert "goes on where it stopped" in str(caught.value)
    for repository in server.repositories.values():
        assert not repository.tags or shown(server, "v1.0.0") == files_of(copy)
    server.trouble = no_trouble
    require_there(server, copy, upload(hub, copy, TO, silent))
    assert set(server.received.values()) == {1}
