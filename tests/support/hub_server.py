"""A hub on this machine, as far as `huggingface_hub` calls it, which may be told to be unwell at the n-th request."""

from __future__ import annotations

import hashlib
import json
import re
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, TypeAlias
from urllib.parse import parse_qs, unquote, urlsplit

import yaml
from tests.support.hub_repositories import Entry, Objection, Repository

TOKEN = "hf_" + "AdaOnLoopback0123456789"
"""Who is ada here."""

ACCOUNTS = {TOKEN: ("ada", ("the-makers",)), "hf_" + "BobOnLoopback": ("bob", ())}
"""Names and organisations by token."""


@dataclass(frozen=True)
class Trouble:
    """What goes wrong with a request.

    Args:
        kind: Answered with a status; dropped before it is read whole; done, but its answer lost; or held until `released` is set.
        status: The status.
        said: What the answer says.
        headers: Other headers of it.
    """

    kind: Literal["status", "dropped", "lost", "held"] = "status"
    status: int = 418
    said: str = "unwell"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """A request: its number, method, path with what follows the question mark, and token."""

    number: int
    method: str
    path: str
    token: str


Troubling: TypeAlias = Callable[[Asked], Trouble | None]


def no_trouble(asked: Asked) -> Trouble | None:
    """All is well."""
    return None


@dataclass
class HubServer:
    """What the hub has, and what it was asked.

    Args:
        repositories: By `owner/name`.
        asked: Every request, in order.
        received: How often each content was taken whole, by sha256.
        trouble: Says what goes wrong with a request.
        page: How many files a page of a list has.
        part: Bytes above which a content is sent in parts of this size; None for never.
        regular: Bytes up to which a file stands in git, unless its name says otherwise.
        endpoint: Where it is.
        held: Set when a request is held.
        released: Lets it go.
    """

    repositories: dict[str, Repository] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    received: Counter[str] = field(default_factory=Counter)
    trouble: Troubling = no_trouble
    page: int = 1000
    part: int | None = None
    regular: int = 10_000_000
    endpoint: str = ""
    held: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.RLock = field(default_factory=threading.RLock)
    parts: dict[tuple[str, str, int], bytes] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Not all that was sent."""
        return f"HubServer({self.endpoint!r})"

    def begin(self, name: str, *, private: bool = False) -> Repository:
        """A new repository."""
        repository = self.repositories[name] = Repository(private=private)
        repository.begin()
        return repository

    def calls(self, method: str, path: str) -> int:
        """How many requests there were whose path has this in it."""
        return sum(asked.method == method and path in asked.path for asked in self.asked)


@contextmanager
def hub_server(**settings: object) -> Iterator[HubServer]:
    """Serve from threads until the block ends."""
    hub = HubServer(**settings)  # type: ignore[arg-type]  # of many kinds

    class Handler(_Handler):
        pass

    Handler.hub = hub
    server = _Server(("127.0.0.1", 0), Handler)
    hub.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.released.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=30)


Reply: TypeAlias = tuple[int, Mapping[str, str], bytes]


def _json(value: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return status, {"Content-Type": "application/json", **named}, json.dumps(value).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is gone is no fault."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # of many kinds


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *values: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._serve()

    do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815 — names of the protocol

    def _serve(self) -> None:
        hub = self.hub
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        with hub.lock:
            asked = Asked(len(hub.asked), self.command, self.path, token)
            hub.asked.append(asked)
            trouble = hub.trouble(asked)
        length = int(self.headers.get("Content-Length", 0))
        if trouble is not None and trouble.kind == "dropped":
            self.rfile.read(length // 2)
            self._drop()
            return
        body = self.rfile.read(length)
        if trouble is not None and trouble.kind == "status":
            self._send(_json({"error": trouble.said}, trouble.status) if not trouble.headers else self._unwell(trouble))
            return
        if trouble is not None and trouble.kind == "held":
            hub.held.set()
            hub.released.wait(60)
            trouble = None
        with hub.lock:
            try:
                reply = self._answer(asked, body)
            except Objection as no:
                codes = {"X_Error_Code": no.code} if no.code else {}
                reply = _json({"error": no.why}, no.status, X_Error_Message=no.why, **codes)
        if trouble is not None:
            self._drop()
            return
        self._send(reply)

    @staticmethod
    def _unwell(trouble: Trouble) -> Reply:
        status, headers, body = _json({"error": trouble.said}, trouble.status)
        return status, {**headers, **trouble.headers}, body

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, reply: Reply) -> None:
        status, headers, body = reply
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name, text)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _answer(self, asked: Asked, body: bytes) -> Reply:
        parts = urlsplit(asked.path)
        path, query = parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}
        for method, form, answer in _ROUTES:
            match = re.fullmatch(form, path)
            if match and method in (asked.method, "GET" if asked.method == "HEAD" else asked.method):
                words = {name: unquote(word) for name, word in match.groupdict(default="").items()}
                return answer(_Call(self, asked, words, query, body))
        raise Objection(404, f"{asked.method} {path} is nothing here")


@dataclass(frozen=True)
class _Call:
    handler: _Handler
    asked: Asked
    words: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes

    @property
    def hub(self) -> HubServer:
        return self.handler.hub

    @property
    def said(self) -> dict[str, object]:
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value

    def account(self) -> tuple[str, tuple[str, ...]]:
        """Who asks."""
        if self.asked.token not in ACCOUNTS:
            raise Objection(401, "Invalid username or password.")
        return ACCOUNTS[self.asked.token]

    def owns(self, name: str) -> bool:
        user, organisations = ACCOUNTS.get(self.asked.token, ("", ()))
        return name.split("/")[0] in (user, *organisations)

    def repository(self, *, write: bool = False) -> Repository:
        """The repository that a path names, if whoever asks may see it."""
        name = self.words["repository"]
        found = self.hub.repositories.get(name)
        if found is None or (found.private and not self.owns(name)):
            raise Objection(404, "Repository not found", "RepoNotFound")
        if write:
            self.account()
            if not self.owns(name):
                raise Objection(403, f"you have no right to write to {name}")
        if found.gated and not self.owns(name):
            raise Objection(403, "Access to this dataset is restricted", "GatedRepo")
        return found


def _whoami(call: _Call) -> Reply:
    user, organisations = call.account()
    return _json({"type": "user", "name": user, "orgs": [{"name": name} for name in organisations]})


def _create(call: _Call) -> Reply:
    user, _ = call.account()
    said = call.said
    name = f"{said.get('organization') or user}/{said['name']}"
    assert said["type"] == "dataset"
    if not call.owns(name):
        raise Objection(
            403, f"You don't have the rights to create a dataset under the namespace {name.split('/')[0]!r}"
        )
    url = f"{call.hub.endpoint}/datasets/{name}"
    if name in call.hub.repositories:
        return _json({"error": "You already created this dataset repo", "url": url}, 409)
    call.hub.begin(name, private=said.get("visibility") == "private" or bool(said.get("private")))
    return _json({"url": url, "name": name, "id": name})


def _validate(call: _Call) -> Reply:
    match = re.match(r"---\n(.*?)\n---\n", str(call.said["content"]), re.DOTALL)
    errors = [] if match and isinstance(yaml.safe_load(match[1]), dict) else [{"message": "no metadata"}]
    return _json({"errors": errors, "warnings": [{"message": "this is a warning"}]}, 400 if errors else 200)


def _preupload(call: _Call) -> Reply:
    repository = call.repository(write=True)
    tree = repository.trees[repository.commit_of(call.words["revision"])]
    ignored = () if "gitIgnore" in call.said else tree[".gitignore"].content.split() if ".gitignore" in tree else ()
    answers = []
    files = call.said["files"]
    assert isinstance(files, list)
    for file in files:
        path = file["path"]
        large = path.endswith((".parquet", ".tar")) or file["size"] > call.hub.regular
        entry = tree.get(path)
        oid = None if entry is None else entry.sha256 or json.loads(json.dumps(entry.as_json(path)))["oid"]
        mode = "lfs" if large else "regular"
        ignore = path.encode() in ignored
        answers.append({"path": path, "uploadMode": mode, "shouldIgnore": ignore, **({"oid": oid} if oid else {})})
    return _json({"files": answers})


def _batch(call: _Call) -> Reply:
    repository = call.repository(write=True)
    base = f"{call.hub.endpoint}/lfs/{call.words['repository']}"
    objects = []
    said = call.said["objects"]
    assert isinstance(said, list)
    for wanted in said:
        oid, size = wanted["oid"], wanted["size"]
        answer = {"oid": oid, "size": size, "authenticated": True}
        if oid not in repository.blobs:
            upload: dict[str, object] = {"href": f"{base}/whole/{oid}?X-Amz-Signature=signedbyada"}
            if call.hub.part is not None and size > call.hub.part:
                count = -(-size // call.hub.part)
                header = {str(n + 1): f"{base}/part/{oid}/{n + 1}?X-Amz-Signature=signedbyada" for n in range(count)}
                upload = {"href": f"{base}/complete/{oid}", "header": {"chunk_size": str(call.hub.part), **header}}
            answer["actions"] = {"upload": upload, "verify": {"href": f"{base}/verify"}}
        objects.append(answer)
    return _json({"transfer": "basic", "objects": objects})


def _keep(call: _Call, content: bytes) -> Reply:
    oid = call.words["oid"]
    if hashlib.sha256(content).hexdigest() != oid:
        raise Objection(400, "these are not the bytes that were spoken of")
    call.hub.repositories[call.words["repository"]].blobs[oid] = content
    call.hub.received[oid] += 1
    return _json({})


def _whole(call: _Call) -> Reply:
    return _keep(call, call.body)


def _part(call: _Call) -> Reply:
    key = (call.words["repository"], call.words["oid"], int(call.words["number"]))
    call.hub.parts[key] = call.body
    return _json({}, ETag=f'"{key[2]}-{len(call.body)}"')


def _complete(call: _Call) -> Reply:
    said = call.said["parts"]
    assert isinstance(said, list)
    name, oid = call.words["repository"], call.words["oid"]
    contents = [call.hub.parts[name, oid, part["partNumber"]] for part in said]
    for part, content in zip(said, contents, strict=True):
        assert part["etag"] == f'"{part["partNumber"]}-{len(content)}"'
    return _keep(call, b"".join(contents))


def _verify(call: _Call) -> Reply:
    call.account()
    said = call.said
    blobs = call.hub.repositories[call.words["repository"]].blobs
    if len(blobs.get(str(said["oid"]), b"")) != said["size"]:
        raise Objection(404, "no such content")
    return _json({})


def _commit(call: _Call) -> Reply:
    repository = call.repository(write=True)
    commit = repository.apply(call.words["revision"], call.body.splitlines())
    url = f"{call.hub.endpoint}/datasets/{call.words['repository']}/commit/{commit}"
    return _json({"success": True, "commitOid": commit, "commitUrl": url})


def _tag(call: _Call) -> Reply:
    repository, tag = call.repository(write=True), str(call.said["tag"])
    if tag in repository.tags:
        raise Objection(409, "Tag reference exists already")
    repository.tags[tag] = repository.commit_of(call.words["revision"])
    return _json({})


def _branch(call: _Call) -> Reply:
    repository, branch = call.repository(write=True), call.words["revision"]
    if branch in repository.branches:
        raise Objection(409, "Reference already exists")
    repository.branches[branch] = repository.commit_of(str(call.said.get("startingPoint", "main")))
    return _json({})


def _refs(call: _Call) -> Reply:
    repository = call.repository()

    def listed(kind: str, names: Mapping[str, str]) -> list[dict[str, str]]:
        return [{"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": commit} for name, commit in names.items()]

    return _json(
        {"branches": listed("heads", repository.branches), "tags": listed("tags", repository.tags), "converts": []}
    )


def _info(call: _Call) -> Reply:
    repository, name = call.repository(), call.words["repository"]
    revision = call.words.get("revision") or "main"
    commit = repository.commit_of(revision)
    siblings = [{"rfilename": path} for path in sorted(repository.trees[commit])]
    said = {"id": name, "author": name.split("/")[0], "sha": commit, "private": repository.private}
    return _json({**said, "gated": repository.gated, "disabled": False, "tags": [], "siblings": siblings})


def _entries(tree: Mapping[str, Entry], below: str, *, recursive: bool) -> list[dict[str, object]]:
    start = f"{below}/" if below else ""
    inside = [path for path in tree if path.startswith(start)]
    folders = {path[: at.start()] for path in inside for at in re.finditer("/", path) if at.start() > len(start)}
    listed: dict[str, dict[str, object]] = {path: tree[path].as_json(path) for path in inside}
    listed |= {path: {"type": "directory", "oid": 40 * "0", "size": 0, "path": path} for path in folders}
    return [entry for path, entry in sorted(listed.items()) if recursive or "/" not in path[len(start) :]]


def _tree(call: _Call) -> Reply:
    repository = call.repository()
    tree = repository.trees[repository.commit_of(call.words["revision"])]
    recursive = call.query.get("recursive", "").lower() == "true"
    entries = _entries(tree, call.words["below"], recursive=recursive)
    if not entries and call.words["below"]:
        raise Objection(404, f"{call.words['below']} does not exist", "EntryNotFound")
    start = int(call.query.get("cursor", 0))
    more = start + call.hub.page
    path = urlsplit(call.asked.path).path
    following = f'<{call.hub.endpoint}{path}?recursive={recursive}&cursor={more}>; rel="next"'
    return _json(entries[start:more], **({"Link": following} if more < len(entries) else {}))


def _paths(call: _Call) -> Reply:
    repository = call.repository()
    tree = repository.trees[repository.commit_of(call.words["revision"])]
    if call.handler.headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded"):
        wanted = parse_qs(call.body.decode()).get("paths", [])
    else:
        said = call.said["paths"]
        assert isinstance(said, list)
        wanted = said
    every = {str(entry["path"]): entry for entry in _entries(tree, "", recursive=True)}
    return _json([every[path] for path in wanted if path in every])


def _resolve(call: _Call) -> Reply:
    repository, path = call.repository(), call.words["below"]
    commit = repository.commit_of(call.words["revision"])
    entry = repository.trees[commit].get(path)
    if entry is None:
        raise Objection(404, "Entry not found", "EntryNotFound")
    content = repository.content(entry)
    etag = f'"{entry.sha256 or entry.as_json(path)["oid"]}"'
    headers = {"ETag": etag, "X-Repo-Commit": commit, "Content-Type": "application/octet-stream"}
    headers["Accept-Ranges"] = "bytes"
    if entry.sha256 is not None:
        headers |= {"X-Linked-ETag": etag, "X-Linked-Size": str(entry.size)}
    if asked := re.fullmatch(r"bytes=(\d+)-(\d*)", call.handler.headers.get("Range", "")):
        first, last = int(asked[1]), int(asked[2] or len(content) - 1)
        part = content[first : last + 1]
        headers["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{len(content)}"
        return 206, headers, part
    return 200, {**headers, "Content-Length": str(len(content))}, content


_REPOSITORY = r"(?P<repository>[^/]+/[^/]+)"
_DATASET = f"/api/datasets/{_REPOSITORY}"
_ROUTES: tuple[tuple[str, str, Callable[[_Call], Reply]], ...] = (
    ("GET", "/api/whoami-v2", _whoami),
    ("POST", "/api/repos/create", _create),
    ("POST", "/api/validate-yaml", _validate),
    ("POST", f"{_DATASET}/preupload/(?P<revision>[^/]+)", _preupload),
    ("POST", f"{_DATASET}/commit/(?P<revision>[^/]+)", _commit),
    ("POST", f"{_DATASET}/tag/(?P<revision>[^/]+)", _tag),
    ("POST", f"{_DATASET}/branch/(?P<revision>[^/]+)", _branch),
    ("POST", f"{_DATASET}/paths-info/(?P<revision>[^/]+)", _paths),
    ("GET", f"{_DATASET}/refs", _refs),
    ("GET", f"{_DATASET}(?:/revision/(?P<revision>[^/]+))?", _info),
    ("GET", f"{_DATASET}/tree/(?P<revision>[^/]+)(?:/(?P<below>.+))?", _tree),
    ("GET", f"/datasets/{_REPOSITORY}/resolve/(?P<revision>[^/]+)/(?P<below>.+)", _resolve),
    ("POST", rf"/datasets/{_REPOSITORY}\.git/info/lfs/objects/batch", _batch),
    ("PUT", f"/lfs/{_REPOSITORY}/whole/(?P<oid>[0-9a-f]+)", _whole),
    ("PUT", f"/lfs/{_REPOSITORY}/part/(?P<oid>[0-9a-f]+)/(?P<number>[0-9]+)", _part),
    ("POST", f"/lfs/{_REPOSITORY}/complete/(?P<oid>[0-9a-f]+)", _complete),
    ("POST", f"/lfs/{_REPOSITORY}/verify", _verify),
)
