"""Publishing: a copy is a release and a data set, has only what licences let, hides what is hidden, and is whole or not there."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.miniature import files_of
from tests.support.publishable import OWN, copy_of, publishable, published, sound

from earmark.builders.publishing.looking_over import Wanted
from earmark.builders.publishing.publish import publish
from earmark.manifests.building import partial_of
from earmark.manifests.canonical import json_text
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.copies.verifying import verify
from earmark.manifests.errors import DestinationExists, EarmarkError, Refused
from earmark.manifests.findings import Findings
from earmark.manifests.licences import SVC_TERMS
from earmark.manifests.release import MANIFEST, Release, open_release
from earmark.validation.invariants import validate

SECRET = ("path", "speaker", "conversation", "prompt", "script", "text", "tone_text")

LETS_SHARE = {
    ("CC0-1.0", "CC0-1.0"),
    ("CC0-1.0", "CC-BY-4.0"),
    ("CC0-1.0", "CC-BY-NC-4.0"),
    ("CC-BY-4.0", "CC-BY-4.0"),
    ("CC-BY-4.0", "CC-BY-NC-4.0"),
    ("CC-BY-NC-4.0", "CC-BY-NC-4.0"),
}
"""Which clips may be shipped in which release, written down by hand."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("publish")


@pytest.fixture(scope="module")
def pairs(base: Path) -> Release:
    """Pairs of which one corpus may not be shipped; read it, never change it."""
    return publishable(base / "pairs", "pairs", licences={"svc": SVC_TERMS})


@pytest.fixture(scope="module")
def stance(base: Path) -> Release:
    """Stance all of which may be shipped; read it, never change it."""
    return publishable(base / "stance")


def errors(release: Release) -> list[str]:
    return [finding.text() for finding in validate(release) if finding.code.severity == "error"]


def texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Every text in a copy with the name of its file: cells of tables, names of columns, and lines."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix == ".parquet":
            columns = [column for column in pq.read_schema(path).names if column != "audio"]
            yield from ((name, column) for column in columns)
            yield from ((name, text) for text in _leaves(pq.read_table(path, columns=columns).to_pylist()))
        elif path.is_file():
            yield name, path.read_text(encoding="utf-8")


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _leaves(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _leaves(entry)


def require_hidden(release: Release, folder: Path) -> None:
    """Nothing that the copy says has a source in it, whatever stands around it."""
    rows = release.table("sources").to_pylist()
    secrets = {row[name] for row in rows for name in SECRET if row[name] and len(row[name]) >= 6}
    assert secrets
    for name, text in texts_of(folder):
        assert not [secret for secret in secrets if secret in text], name
        assert str(folder.parent) not in text
        assert text != "gold"
    assert not (folder / "private").exists()


@pytest.mark.parametrize(
    "family", ["pairs", *(pytest.param(name, marks=pytest.mark.slow) for name in ("stance", "dialogues"))]
)
def test_a_copy_is_a_release_and_hides_its_answers(family: str, tmp_path: Path) -> None:
    release = publishable(tmp_path / "release", family, licences={"svc": "CC-BY-4.0"})
    copy = open_release(published(release, tmp_path / "copy", shard_bytes=4000, as_stated=("svc",)).path)
    assert errors(copy) == []
    assert (copy.manifest.gold, copy.manifest.content_hash) == ("hidden", release.manifest.content_hash)
    found = Findings()
    verify(copy.path, found, jobs=1, media=True)
    assert [finding.text() for finding in found] == []
    require_hidden(release, copy.path)
    audio = ClipAudio(copy)
    ids = release.table("clips")["clip_id"].to_pylist()
    assert {clip: audio.read(clip) for clip in ids} == {clip: sound(clip) for clip in ids}
    files = files_of(copy.path)
    assert len([name for name in files if name.startswith("data/clips/")]) > 1
    listed = files.pop("SHA256SUMS").decode().splitlines()
    assert listed[0] == f"# canary {release.manifest.canary}"
    assert listed[1:] == [f"{hashlib.sha256(files[name]).hexdigest()}  {name}" for name in sorted(files)]
    for name, content in files.items():
        if name.startswith("public/"):
            assert content == (release.path / name).read_bytes()
        elif not name.endswith(".parquet"):
            assert release.manifest.canary.encode() in content, name


def test_every_config_loads_offline_and_audio_is_as_it_was(pairs: Release, base: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    copy = published(pairs, base / "loaded", answers="open", recipes=True, shard_bytes=4000).path
    rows = {name: pairs.table(name).to_pylist() for name in ("items", "clips", "presentations", "prompts", "answers")}
    facets = {facet.id for facet in pairs.manifest.facets}
    names = set(datasets.get_dataset_config_names(str(copy)))
    assert names == {"clips", "items", "presentations", "prompts", "answers", *facets}
    loaded = {
        name: datasets.load_dataset(str(copy), name, split="test", cache_dir=str(tmp_path)) for name in sorted(names)
    }
    assert loaded["clips"].features["audio"] == datasets.Audio()
    heard = loaded["clips"].cast_column("audio", datasets.Audio(decode=False)).to_list()
    shipped = {row["clip_id"]: row for row in rows["clips"] if row["licence"] != SVC_TERMS}
    assert 0 < len(shipped) < len(rows["clips"])
    assert [row.pop("audio") for row in heard] == [
        {"bytes": sound(clip), "path": f"{clip}.flac"} for clip in sorted(shipped)
    ]
    assert heard == [shipped[clip] for clip in sorted(shipped)]
    # Of speakers of whom nothing may be told the answers have no sex.
    hushed = {row["item_id"] for row in pairs.table("item_clips").to_pylist() if row["clip_id"] not in shipped}
    rows["answers"] = [{**row, "sex": None} if row["item_id"] in hushed else row for row in rows["answers"]]
    for name in ("presentations", "prompts", "answers"):
        assert loaded[name].to_list() == rows[name]
    of_item: dict[str, list[object]] = {}
    for row in sorted(pairs.table("item_clips").to_pylist(), key=lambda row: (row["role"], row["position"])):
        of_item.setdefault(row.pop("item_id"), []).append(row)
    with_clips = {row["item_id"]: {**row, "clips": of_item[row["item_id"]]} for row in rows["items"]}
    for facet in facets:
        assert loaded[facet].to_list() == [row for _, row in sorted(with_clips.items()) if row["facet"] == facet]
    assert sorted(loaded["items"]["item_id"]) == sorted(with_clips)


def check_what_is_shipped(licences: Mapping[str, str], own: str, *, recipes: bool, gold: str) -> None:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        release = publishable(folder / "release", "pairs", licences=licences, own={**OWN, "licence": own})
        corpus = {row["clip_id"]: row["corpus"] for row in release.table("sources").to_pylist()}
        may = {clip for clip, name in corpus.items() if (licences[name], own) in LETS_SHARE}
        bare = any(licences[name] == "not stated" for name in corpus.values())
        stated = tuple(licences)
        wanted = Wanted(to=folder / "copy", recipes=recipes, answers=gold, as_stated=stated)  # type: ignore[arg-type]
        findings = Findings()
        if bare or (len(may) < len(corpus) and not recipes):
            with pytest.raises(Refused) as refused:
                publish(release, wanted, findings, lambda *_: None)
            wrong = {finding.id for finding in refused.value.findings if finding.id in corpus}
            assert wrong
            assert not wrong & may
            assert [path.name for path in folder.iterdir()] == ["release"]
            return
        done = publish(release, wanted, findings, lambda *_: None)
        copy = open_release(folder / "copy")
        assert errors(copy) == []
        assert ClipAudio(copy).clips() == may
        assert all(ClipAudio(copy).read(clip) == sound(clip) for clip in may)
        described = set()
        if copy.manifest.recipes is not None:
            described = {row["clip_id"] for row in pq.read_table(copy.path / "public" / "recipes.parquet").to_pylist()}
        assert described == corpus.keys() - may
        assert (done.shipped, done.described) == (len(may), len(described))
        assert copy.manifest.gold == ("open" if gold == "open" else "derivable" if described else "hidden")
        if gold == "open":
            for row in copy.table("sources").to_pylist():
                if row["clip_id"] not in may:
                    assert {row[name] for name in ("text", "tone_text", "sex", "age", "age_group")} == {None}
                    assert not row["speaker"].startswith(row["corpus"])
        elif not described:
            require_hidden(release, copy.path)
        else:
            assert not (copy.path / "private").exists()


LICENCES = st.fixed_dictionaries(
    {
        name: st.sampled_from(["CC0-1.0", "CC-BY-4.0", "CC-BY-NC-4.0", "CC-BY-SA-4.0", SVC_TERMS])
        for name in ("ears", "expresso", "svc", "libritts")
    }
)


@settings(max_examples=2)
@given(licences=LICENCES, own=st.sampled_from(["CC-BY-4.0", "CC-BY-NC-4.0"]), gold=st.sampled_from(["hidden", "open"]))
def test_only_what_licences_let_is_shipped(licences: Mapping[str, str], own: str, gold: str) -> None:
    check_what_is_shipped(licences, own, recipes=True, gold=gold)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    licences=LICENCES | LICENCES.map(lambda stated: {**stated, "ears": "not stated"}),
    own=st.sampled_from(["CC0-1.0", "CC-BY-4.0", "CC-BY-NC-4.0"]),
    recipes=st.booleans(),
    gold=st.sampled_from(["hidden", "open"]),
)
def test_whatever_the_licences_are(licences: Mapping[str, str], own: str, recipes: bool, gold: str) -> None:
    check_what_is_shipped(licences, own, recipes=recipes, gold=gold)


def test_equal_input_is_equal_bytes(stance: Release, tmp_path: Path) -> None:
    one = published(stance, tmp_path / "one", shard_bytes=4000).path
    other = published(copy_of(stance, tmp_path / "moved" / "release"), tmp_path / "other", shard_bytes=4000).path
    assert files_of(one) == files_of(other)


class Stopped(BaseException):
    """A kill, of which nobody is told."""


def check_failing(stance: Release, base: Path, at: int, error: type[BaseException]) -> None:
    """Fail when progress is told of for the n-th time, and go on after that."""
    out, hidden = base / "failing", base / "failing answers"
    calls = 0

    def progress(_what: str, _done: int, _total: int) -> None:
        nonlocal calls
        calls += 1
        if calls > at:
            raise error("injected")

    wanted = Wanted(to=out, answers_to=hidden, shard_bytes=2000)
    try:
        publish(stance, wanted, Findings(), progress)
    except error:
        assert calls > at
        assert not out.exists()
        assert not hidden.exists()
        publish(stance, wanted, Findings(), lambda *_: None)  # goes on with what there is
    whole = base / "never failing"
    if not whole.exists():
        published(stance, whole, shard_bytes=2000)
    assert files_of(out) == files_of(whole)
    assert not partial_of(out).exists()
    shutil.rmtree(out)
    shutil.rmtree(hidden)


AT, ERROR = st.integers(0, 40), st.sampled_from([OSError, KeyboardInterrupt, Stopped, MemoryError])


@settings(max_examples=3)
@given(at=AT, error=ERROR)
def test_what_fails_is_not_taken_for_whole(stance: Release, base: Path, at: int, error: type[BaseException]) -> None:
    check_failing(stance, base, at, error)


@pytest.mark.slow
@settings(max_examples=60)
@given(at=AT, error=ERROR)
def test_whatever_fails_wherever(stance: Release, base: Path, at: int, error: type[BaseException]) -> None:
    check_failing(stance, base, at, error)


def test_shards_for_streaming_judges_have_what_is_shipped(pairs: Release, tmp_path: Path) -> None:
    findings = Findings()
    copy = tmp_path / "copy"
    publish(pairs, Wanted(to=copy, recipes=True, webdataset=True, shard_bytes=9000), findings, lambda *_: None)
    assert findings.counts["publish.not-streamed"] == 1
    tars = sorted((copy / "webdataset").iterdir())
    assert len(tars) > 1
    contents: dict[str, bytes] = {}
    for path in tars:
        with tarfile.open(path) as archive:
            contents |= {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]
    heard = {content for name, content in contents.items() if name.endswith(".flac")}
    shipped = {row["clip_id"] for row in pairs.table("clips").to_pylist() if row["licence"] != SVC_TERMS}
    assert heard <= {sound(clip) for clip in shipped}
    assert len(heard) > 20
    assert {name.rpartition(".")[2] for name in contents} == {"json", "flac"}
    found = Findings()
    verify(copy, found, jobs=1)
    assert [finding.text() for finding in found] == []
    assert errors(open_release(copy)) == []


def test_all_that_speaks_against_it_is_said_at_once(tmp_path: Path) -> None:
    release = publishable(tmp_path / "release", licences={"seamless-interaction": "not stated"}, own={})
    (release.path / "public" / "notes.txt").write_text("mine")
    with pytest.raises(Refused) as refused:
        published(release, tmp_path / "copy")
    codes = set(refused.value.findings.counts)
    own = {"publish.date", "publish.creators", "publish.url", "publish.licence"}
    assert codes >= {*own, "publish.licence-none", "publish.unsound", "release.public-extra"}
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_release_without_audio_is_not_published_as_if_it_had_any(tmp_path: Path) -> None:
    release = publishable(tmp_path / "release", media=False)
    with pytest.raises(Refused) as refused:
        published(release, tmp_path / "copy")
    assert [finding.code.name for finding in refused.value.findings if finding.code.severity == "error"] == [
        "publish.no-audio"
    ]
    done = published(release, tmp_path / "copy", recipes=True)
    assert (done.shipped, done.described) == (0, len(release.table("clips")))
    assert errors(open_release(done.path)) == []


@pytest.mark.parametrize("shipped", [True, False], ids=["shipped", "not shipped"])
def test_audio_that_was_changed_is_never_published(pairs: Release, tmp_path: Path, shipped: bool) -> None:
    release = copy_of(pairs, tmp_path / "release")
    rows = release.table("clips").to_pylist()
    clip = next(row["clip_id"] for row in rows if (row["licence"] != SVC_TERMS) == shipped)
    path = release.audio_file(clip)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(Refused) as refused:
        published(release, tmp_path / "copy", recipes=True)
    assert {"publish.audio-changed", "media.files"} & set(refused.value.findings.counts)
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_hidden_answers_go_where_only_the_host_reads(pairs: Release, tmp_path: Path) -> None:
    done = published(pairs, tmp_path / "copy", recipes=True, answers_to=tmp_path / "answers")
    assert not (done.path / "private").exists()
    names = {"README.md", "SHA256SUMS", "private/answers.parquet", "private/shipped.json", "private/sources.parquet"}
    assert set(files_of(tmp_path / "answers")) == names
    opened = open_release(done.path, private=tmp_path / "answers" / "private")
    without_sex = [name for name in pairs.table("answers").column_names if name != "sex"]
    assert opened.table("answers").select(without_sex).equals(pairs.table("answers").select(without_sex))


@pytest.mark.parametrize("gold", ["hidden", pytest.param("open", marks=pytest.mark.slow)])
def test_a_leak_is_refused(tmp_path: Path, gold: str) -> None:
    release = publishable(tmp_path / "release")
    recipe = {**release.manifest.recipe, "note": "as in /home/somebody/notes.txt"}
    manifest = msgspec.structs.replace(release.manifest, recipe=recipe)
    (release.path / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8")
    with pytest.raises(Refused) as refused:
        published(open_release(release.path), tmp_path / "copy", answers=gold)
    leaks = [finding for finding in refused.value.findings if finding.code.name == "publish.leak"]
    assert {leak.file for leak in leaks} >= {"release.json"}
    assert all("/home/somebody" in str(leak.found) for leak in leaks)
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_version_that_says_less_than_what_changed_is_refused(tmp_path: Path) -> None:
    old = publishable(tmp_path / "old")
    done = published(old, tmp_path / "copy")
    rows = {**OWN, "version": "1.0.1"}
    new = publishable(tmp_path / "new", audio=lambda clip: sound(clip) + b"louder", own=rows)
    manifest = msgspec.structs.replace(new.manifest, version="1.0.1")
    (new.path / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8")
    with pytest.raises(Refused) as refused:
        published(open_release(new.path), tmp_path / "next", previous=open_release(done.path))
    assert any("step" in finding.text() for finding in refused.value.findings)


@pytest.mark.parametrize("damage", ["binary", "link", "gone", "huge", "none"])
def test_a_history_that_cannot_be_read_is_missed(stance: Release, tmp_path: Path, damage: str) -> None:
    before = published(stance, tmp_path / "before").path
    said = before / "CHANGES.md"
    match damage:
        case "binary":
            said.write_bytes(b"\xff\xfe" + bytes(range(256)))
        case "link":
            said.rename(tmp_path / "elsewhere.md")
            said.symlink_to(tmp_path / "elsewhere.md")
        case "gone":
            said.unlink()
        case "huge":
            said.write_text("a" * ((1 << 20) + 1), encoding="utf-8")
    findings = Findings()
    publish(stance, Wanted(to=tmp_path / "copy", previous=open_release(before)), findings, lambda *_: None)
    assert ("publish.no-history" in findings.counts) is (damage != "none")
    assert not findings.failed


def test_folders_must_not_be_in_each_other_s_way(stance: Release, tmp_path: Path) -> None:
    done = published(stance, tmp_path / "copy")
    with pytest.raises(DestinationExists):
        published(stance, tmp_path / "copy")
    with pytest.raises(EarmarkError, match="published copy"):
        published(open_release(done.path), tmp_path / "copy of a copy")
    with pytest.raises(EarmarkError, match="in the release itself"):
        published(stance, stance.path / "public" / "copy")
    with pytest.raises(EarmarkError, match="keep them apart"):
        published(stance, tmp_path / "other", answers_to=tmp_path / "other" / "answers")
    with pytest.raises(EarmarkError, match="part of the copy"):
        published(stance, tmp_path / "other", answers="open", answers_to=tmp_path / "answers")
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


def test_the_audit_tells_codes_and_counts_alone(stance: Release, tmp_path: Path) -> None:
    audit = json.loads((published(stance, tmp_path / "copy").path / "audit.json").read_text())
    assert {key for entry in audit["found"] for key in entry} <= {"code", "severity", "count", "means"}
    assert audit["content_hash"] == stance.manifest.content_hash
