"""What goes wrong is one line that says what to do, and no line has a token, a password or a signed address."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.hub_server import TOKEN, HubServer, Trouble
from tests.support.toy_copies import toy_copy

from earmark.builders.publishing.hub.addresses import Destination
from earmark.builders.publishing.hub.client import WAITS_S, Hub
from earmark.builders.publishing.hub.faults import HubError, host, hub_error
from earmark.builders.publishing.hub.upload import upload

SAYS = {
    400: "correct what it objects to",
    401: "the token is not valid: `hf auth login`",
    402: "plan or the storage",
    403: "needs the right to write there",
    404: "no such repository, or the token may not see it",
    409: "somebody else is changing it",
    412: "somebody else changed it meanwhile",
    413: "smaller --shard-size",
    418: "the hub refuses it",
    429: "too many requests",
    500: "the hub is unwell",
    503: "the hub is unwell",
    507: "storage is full",
}


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


PATHS = ("/refs", "/preupload/", "/whole/", "/commit/", "/tag/")


@pytest.mark.parametrize(("number", "status"), list(enumerate(SAYS)))
def test_each_status_says_what_to_do(server: HubServer, tmp_path: Path, number: int, status: int) -> None:
    require_said(server, tmp_path, status, PATHS[number % len(PATHS)])


@pytest.mark.slow
@pytest.mark.parametrize("status", SAYS)
@pytest.mark.parametrize("path", PATHS)
def test_each_status_of_each_request_says_what_to_do(server: HubServer, tmp_path: Path, status: int, path: str) -> None:
    require_said(server, tmp_path, status, path)


def require_said(server: HubServer, tmp_path: Path, status: int, path: str) -> None:
    """What is said where a kind of request gets such a status."""
    waited: list[float] = []
    hub = Hub(server.endpoint, TOKEN, wait=waited.append)
    echo = f"no\n{TOKEN} at https://eve:pass@127.0.0.1/x?X-Amz-Signature=signedbyada&a=b, says\tthe hub. " + 300 * "x"
    server.trouble = lambda asked: Trouble(status=status, said=echo) if path in asked.path else None
    with pytest.raises(HubError) as caught:
        upload(hub, toy_copy(tmp_path / "copy"), Destination("ada/mini"), silent)
    said = str(caught.value)
    if (path, status) == ("/tag/", 409):  # somebody else's tag, it seems, and yet there is none
        assert "does not list the tag v1.0.0" in said
        return
    assert SAYS[status] in said
    assert f"HTTP {status}: no *** at https://127.0.0.1/x says the hub. xx" in said
    assert len(said) < 600
    assert not any(secret in said for secret in ("\n", TOKEN, "signedbyada", "eve", "pass@"))
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    passing = status in (429, 500, 503)
    here = path in ("/refs", "/tag/", "/commit/")  # the others are repeated by the client, and here but once
    again = passing or (path == "/commit/" and status in (409, 412))
    assert waited == (list(WAITS_S[: None if here else 1]) if again else [])
    assert "ada/mini" not in server.repositories or server.repositories["ada/mini"].tags == {}


def test_it_is_said_who_may_not(server: HubServer, hub: Hub, tmp_path: Path) -> None:
    copy = toy_copy(tmp_path / "copy")
    with pytest.raises(HubError, match=r"bob/mini: cannot create the repository: .*right to write.*namespace 'bob'"):
        upload(hub, copy, Destination("bob/mini"), silent)
    bobs = server.begin("bob/open")
    with pytest.raises(HubError, match="right to write"):
        upload(hub, copy, Destination("bob/open"), silent)
    bobs.gated = True
    with pytest.raises(HubError, match=r"bob/open: .*(gated; ask its owner|right to write)"):
        upload(hub, copy, Destination("bob/open"), silent)
    upload(hub, copy, Destination("the-makers/mini"), silent)
    assert "v1.0.0" in server.repositories["the-makers/mini"].tags


def test_who_is_signed_in(server: HubServer, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hub.account() == "ada"
    with pytest.raises(HubError, match="the hub: cannot sign in: the token is not valid"):
        Hub(server.endpoint, "hf_" + "Nobody0123456789").account()
    with pytest.raises(HubError, match="nobody is signed in at the hub: `hf auth login`"):
        Hub(server.endpoint)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert Hub(server.endpoint).account() == "ada"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(HubError, match="HF_HUB_OFFLINE forbids"):
        Hub(server.endpoint)


def test_no_hub_there(server: HubServer) -> None:
    waited: list[float] = []
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        port = taken.getsockname()[1]
        with pytest.raises(
            HubError, match=rf"no answer from 127\.0\.0\.1:{port} .*HF_ENDPOINT, then run the same command"
        ):
            Hub(f"http://eve:pass@127.0.0.1:{port}", TOKEN, wait=waited.append).account()
    assert waited == [WAITS_S[0]]


@pytest.mark.parametrize("endpoint", ["nonsense", "ftp://127.0.0.1", "http://[", "http://"])
def test_no_address_of_a_hub(server: HubServer, endpoint: str) -> None:
    with pytest.raises(HubError, match="the hub: cannot sign in: ") as caught:
        Hub(endpoint, TOKEN, wait=lambda seconds: None).account()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("body", ["[]", "{}", "null", "<html>", '{"branches": 3}'])
def test_something_that_is_no_hub(server: HubServer, hub: Hub, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server.begin("ada/mini")
    answer = (200, {"Content-Type": "application/json"}, body.encode())
    monkeypatch.setattr("tests.support.hub_server._Handler._unwell", staticmethod(lambda trouble: answer))
    server.trouble = lambda asked: Trouble(headers={"X": "y"})
    with pytest.raises(HubError, match=r"the client cannot make sense of it .*; is 127\.0\.0\.1:\d+ a hub\?"):
        hub.references("ada/mini")


@settings(max_examples=25)
@given(st.text(), st.booleans())
def test_any_error_is_a_line(text: str, wrapped: bool) -> None:
    other = "of-another-form"
    error: BaseException = ValueError(f"{text[:9]} {TOKEN} {other} {text}")
    if wrapped:
        error, cause = RuntimeError("Error while uploading"), error
        error.__cause__ = cause
    said = str(hub_error(error, "ada/mini: cannot send", "https://ada:pass@hub.example", other))
    assert len(said.splitlines()) == 1
    assert not any(secret in said for secret in (TOKEN, other, "pass@"))
    assert "ValueError" in said
    assert "*** ***" in said


def test_hosts() -> None:
    assert [host(name) for name in ("https://u:p@h.example:8080/x", "h.example", "")] == ["h.example:8080"] + 2 * [
        "HF_ENDPOINT"
    ]
