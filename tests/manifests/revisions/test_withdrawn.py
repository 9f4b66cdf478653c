"""The list of what was withdrawn: it is read as a stranger's, and only where the manifest names it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from tests.support.editions import rewritten, with_manifest
from tests.support.golden import GOLDENS

from earmark.manifests.errors import ReleaseError
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import Release, WithdrawnEntry, open_release
from earmark.manifests.revisions import Predecessor, Tombstone, Withdrawn, read_withdrawn
from earmark.manifests.revisions.withdrawn import withdrawn_file

GOLDEN = open_release(GOLDENS["stance"].path / "release")
ITEM, SENT = "i" + "a" * 26, "p" + "b" * 26
TOMB = Tombstone(item=ITEM, presentations=(SENT,), clips=(), version="1.0.0", reason="Asked for.")
LIST = Withdrawn(
    predecessors=(Predecessor(version="1.0.0", content_hash=GOLDEN.manifest.content_hash),), withdrawn=(TOMB,)
)


def with_list(out: Path, text: str, items: int = 1) -> Release:
    release = rewritten(GOLDEN, out, {})
    file = withdrawn_file(release)
    file.write_text(text, encoding="utf-8", newline="\n")
    entry = WithdrawnEntry(items=items, file_hash=file_hash(file))
    return with_manifest(out, msgspec.structs.replace(release.manifest, withdrawn=entry))


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = read_withdrawn(with_list(tmp_path / "release", LIST.text()))
    assert found == LIST
    assert list(found.presentations()) == [SENT]
    assert list(found.items()) == [ITEM]


def test_a_list_that_the_manifest_does_not_name_is_none(tmp_path: Path) -> None:
    release = rewritten(GOLDEN, tmp_path / "release", {})
    withdrawn_file(release).write_text(LIST.text(), encoding="utf-8")
    assert read_withdrawn(release) == Withdrawn()


def _said(**changes: object) -> str:
    tomb = {**json.loads(LIST.text())["withdrawn"][0], **changes}
    return json.dumps({"predecessors": [], "withdrawn": [tomb]})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{" * 5000,
        _said(item="../../etc/passwd"),
        _said(presentations=["x"]),
        _said(reason="x" * 501),
        _said(reason=""),
        _said(version="first"),
        _said(source="wav/speaker.wav"),
        '{"withdrawn": [], "withdrawn": []}',
        '{"predecessors": [{"version": "1.0.0", "content_hash": "0"}]}',
    ],
    ids=range(11),
)
def test_what_is_no_list_is_refused_in_a_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReleaseError, match="is no list of what was withdrawn"):
        read_withdrawn(with_list(tmp_path / "release", text))


def test_another_list_than_the_manifests_is_refused(tmp_path: Path) -> None:
    release = with_list(tmp_path / "release", LIST.text())
    withdrawn_file(release).write_text(Withdrawn().text(), encoding="utf-8")
    with pytest.raises(ReleaseError, match="is not the list that the manifest names"):
        read_withdrawn(release)
    withdrawn_file(release).unlink()
    with pytest.raises(ReleaseError, match=r"lacks public/withdrawn\.json"):
        read_withdrawn(release)
    with pytest.raises(ReleaseError, match="has 1 items, its manifest says 2"):
        read_withdrawn(with_list(tmp_path / "other", LIST.text(), items=2))
