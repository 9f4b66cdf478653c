"""`earmark publish --to hub:owner/name`, as another process: what it says and leaves, and that others can load what is there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.support.console import run_process
from tests.support.hub_server import TOKEN, HubServer, Trouble, hub_server, no_trouble
from tests.support.miniature import files_of
from tests.support.publishable import publishable

from earmark.manifests.release import Release

pytest.importorskip("huggingface_hub", reason="the extra `publish` is not installed")

LOAD = """\
import json
import sys
from datasets import Audio, get_dataset_config_names, load_dataset
from huggingface_hub import snapshot_download

sys.stdout.reconfigure(encoding="utf-8")
name, tag, folder = sys.argv[1:]
snapshot_download(name, repo_type="dataset", revision=tag, local_dir=folder)
rows = {}
for config in get_dataset_config_names(name, revision=tag):
    loaded = load_dataset(name, config, split="test", revision=tag)
    if "audio" in loaded.column_names:
        loaded = loaded.cast_column("audio", Audio(decode=False))
        rows["audio"] = {row["audio"]["path"]: row["audio"]["bytes"].hex() for row in loaded}
    rows[config] = len(loaded)
print(json.dumps(rows))
"""
"""What somebody does who has neither Earmark nor the release."""


@pytest.fixture(scope="module")
def stance(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Stance all of which may be shipped; read it, never change it."""
    return publishable(tmp_path_factory.mktemp("publish") / "stance")


@pytest.fixture
def server() -> Iterator[HubServer]:
    with hub_server() as hub:
        yield hub


def surroundings(server: HubServer, home: Path, **more: str) -> dict[str, str]:
    """Environment in which the hub on this machine is the only one."""
    own = {"HF_ENDPOINT": server.endpoint, "HF_TOKEN": TOKEN, "HF_HOME": str(home)}
    return {**own, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", **more}


def shown(server: HubServer, name: str, revision: str) -> dict[str, bytes]:
    """What is downloaded of a revision, but for what the hub put there."""
    files = server.repositories[name].files(revision)
    return {path: content for path, content in files.items() if path != ".gitattributes"}


def require_secret(said: bytes, *folders: Path) -> None:
    """The token is in nothing that was said or written."""
    assert TOKEN.encode() not in said
    assert b"signedbyada" not in said
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if TOKEN.encode() in path.read_bytes()]


@pytest.mark.slow
def test_what_is_said(server: HubServer, stance: Release, tmp_path: Path) -> None:
    where = surroundings(server, tmp_path / "home")
    words = ("publish", stance.path, "--staging", tmp_path / "staging", "--to", "hub:ada/mini")
    ran = run_process(*words, "--answers-to", "hub:ada/mini-answers", cwd=tmp_path, **where)
    assert (ran.returncode, ran.stderr) == (0, b"")
    tag = f"v{stance.manifest.version}"
    for part in (f"{tag} in main, public", f"{tag} in main, private", server.repositories["ada/mini"].tags[tag]):
        assert part in ran.stdout.decode()
    assert f"{server.endpoint}/datasets/ada/mini/tree/{tag}" in ran.stdout.decode()
    assert shown(server, "ada/mini", tag) == files_of(tmp_path / "staging" / "copy")
    require_secret(ran.stdout, tmp_path)


@pytest.mark.slow
def test_what_machines_are_told(server: HubServer, stance: Release, tmp_path: Path) -> None:
    where = surroundings(server, tmp_path / "home")
    words = ("publish", stance.path, "--staging", tmp_path / "staging", "--to", "hub:ada/mini", "--private", "--json")
    first = run_process(*words, **where)
    assert first.returncode == 0, first.stderr
    said = json.loads(first.stdout)
    tag = f"v{stance.manifest.version}"
    assert said["hub"]["answers"] is None
    copy = said["hub"]["copy"]
    assert (copy["tag"], copy["private"], copy["unchanged"], copy["deleted"]) == (tag, True, False, [])
    assert copy["commit"] == server.repositories["ada/mini"].tags[tag]
    assert copy["files"] == len(files_of(tmp_path / "staging" / "copy"))
    assert said["published"]["content_hash"] == stance.manifest.content_hash
    again = run_process(*words, **where)
    assert json.loads(again.stdout)["hub"]["copy"]["unchanged"] is True
    server.repositories["ada/mini"].private = False
    refused = run_process(*words, **where)
    assert (refused.returncode, "is public" in json.loads(refused.stdout)["error"]) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("to", "more", "said"),
    [
        ("hub:ada", {}, "is no address of a repository"),
        ("hub:bob/mini", {}, "right to write"),
        ("hub:ada/mini", {"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE forbids"),
        ("hub:ada/mini", {"HF_TOKEN": ""}, "nobody is signed in at the hub"),
        ("hub:ada/mini", {"HF_TOKEN": "hf_" + "Nobody0123456789"}, "the token is not valid"),
        ("hub:ada/mini", {"HF_ENDPOINT": "http://127.0.0.1:9"}, "no answer from 127.0.0.1:9"),
        ("hub:ada/mini", {"HF_HUB_DISABLE_XET": "0"}, "HF_HUB_DISABLE_XET=1 sends it by Git LFS"),
    ],
)
def test_what_cannot_be(
    server: HubServer, stance: Release, tmp_path: Path, to: str, more: Mapping[str, str], said: str
) -> None:
    if "HF_HUB_DISABLE_XET" in more:
        pytest.importorskip("hf_xet", reason="the client has no other way then")
    words = ("publish", stance.path, "--staging", tmp_path / "staging", "--to", to)
    ran = run_process(*words, **{**surroundings(server, tmp_path / "home"), **more})
    assert ran.returncode == 2
    assert said in ran.stderr.decode()
    assert len(ran.stderr.splitlines()) == 1
    assert (tmp_path / "staging").exists() is (to == "hub:bob/mini" or "HF_HUB_DISABLE_XET" in more)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--to", "copy", "--private"), "are for a copy that goes to a hub", marks=pytest.mark.slow),
        pytest.param(("--to", "copy", "--staging", "x"), "are for a copy that goes to a hub", marks=pytest.mark.slow),
        pytest.param(
            ("--to", "copy", "--answers-to", "hub:ada/mini"),
            "answers go to a hub with the copy that they are to",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("--to", "hub:ada/mini", "--branch", "refs/x"), "no branch can be called 'refs/x'", marks=pytest.mark.slow
        ),
        (("--to", "hub:ada/mini", "--answers-to", "hub:ada/mini"), "the answers need a repository of their own"),
    ],
)
def test_options_that_do_not_go_together(
    server: HubServer, stance: Release, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ran = run_process("publish", stance.path, *words, cwd=tmp_path, **surroundings(server, tmp_path / "home"))
    assert (ran.returncode, said in ran.stderr.decode()) == (2, True), ran.stderr
    assert server.repositories == {}
    assert not (tmp_path / "copy").exists()


@pytest.mark.slow
def test_without_the_client(server: HubServer, stance: Release, tmp_path: Path) -> None:
    words = ("publish", stance.path, "--staging", tmp_path / "staging", "--to", "hub:ada/mini")
    ran = run_process(*words, without=("huggingface_hub",), **surroundings(server, tmp_path / "home"))
    assert (ran.returncode, b"pip install 'earmark[publish]'" in ran.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_interrupted_and_run_again(server: HubServer, stance: Release, tmp_path: Path) -> None:
    """Ctrl-C while a shard is on its way."""
    where = {**os.environ, **surroundings(server, tmp_path / "home")}
    words = [sys.executable, "-m", "earmark", "publish", str(stance.path), "--to", "hub:ada/mini"]
    words += ["--staging", str(tmp_path / "staging")]
    server.trouble = lambda asked: Trouble("held") if "/whole/" in asked.path and not server.held.is_set() else None
    with subprocess.Popen(words, env=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert server.held.wait(60)
        child.send_signal(signal.SIGINT)
        server.released.set()
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"earmark: interrupted\n")
    assert server.repositories["ada/mini"].tags == {}
    ran = run_process(*words[3:], **surroundings(server, tmp_path / "home"))
    assert ran.returncode == 0, ran.stderr
    assert b"made by an earlier run" in ran.stdout
    assert set(server.received.values()) == {1}
    assert shown(server, "ada/mini", f"v{stance.manifest.version}") == files_of(tmp_path / "staging" / "copy")


@pytest.mark.slow
def test_killed_and_run_again(server: HubServer, stance: Release, tmp_path: Path) -> None:
    where = {**os.environ, **surroundings(server, tmp_path / "home")}
    words = [sys.executable, "-m", "earmark", "publish", str(stance.path), "--to", "hub:ada/mini"]
    words += ["--staging", str(tmp_path / "staging")]
    server.trouble = lambda asked: Trouble("held") if "/commit/" in asked.path else None
    with subprocess.Popen(words, env=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert server.held.wait(60)
        child.kill()
        child.communicate(timeout=60)
    server.trouble = no_trouble
    server.released.set()
    ran = run_process(*words[3:], **surroundings(server, tmp_path / "home"))
    assert ran.returncode == 0, ran.stderr
    assert set(server.received.values()) == {1}
    assert shown(server, "ada/mini", f"v{stance.manifest.version}") == files_of(tmp_path / "staging" / "copy")


@pytest.mark.slow
def test_others_can_load_what_is_there(server: HubServer, stance: Release, tmp_path: Path) -> None:
    """From the hub alone: the files are the copy's, `earmark verify` says so, and `datasets` loads every config."""
    pytest.importorskip("datasets", reason="the extra `build` is not installed")
    server.page = 7
    where = surroundings(server, tmp_path / "home")
    words = ("publish", stance.path, "--staging", tmp_path / "staging", "--to", "hub:ada/mini")
    assert run_process(*words, **where).returncode == 0
    del where["HF_TOKEN"]
    tag, folder = f"v{stance.manifest.version}", tmp_path / "downloaded"
    ran = subprocess.run(
        [sys.executable, "-c", LOAD, "ada/mini", tag, folder],
        env={
            **os.environ,
            **where,
            "HF_DATASETS_CACHE": str(tmp_path / "cache"),
            "HF_TOKEN_PATH": str(tmp_path / "no"),
        },
        capture_output=True,
        check=False,
        timeout=240,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    downloaded = {name: content for name, content in files_of(folder).items() if not name.startswith(".")}
    assert downloaded == files_of(tmp_path / "staging" / "copy")
    verified = run_process("verify", folder)
    assert verified.returncode == 0, verified.stderr
    rows = json.loads(ran.stdout.splitlines()[-1])
    audio = {name: content.hex() for name, content in files_of(stance.path / "public" / "audio").items()}
    assert rows.pop("audio") == audio
    assert rows["clips"] == len(audio)
    assert rows["items"] == len(stance.table("items"))
    assert rows["presentations"] == len(stance.table("presentations"))
    assert "answers" not in rows
