"""Withdrawing: whatever is named is gone from every table with all that only it needs, and nothing else is touched."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.editions import rewritten, set_cell
from tests.support.golden import GOLDENS
from tests.support.miniature import files_of

from earmark.builders.withdrawing import Withdrawal, Withdrew, withdraw
from earmark.builders.withdrawing.naming import Named, named
from earmark.builders.withdrawing.request import Wish
from earmark.manifests.errors import DestinationExists, EarmarkError, PrivateSideMissing, Refused
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, canary, open_release
from earmark.manifests.revisions import read_withdrawn
from earmark.validation import strategies
from earmark.validation.invariants import validate

RELEASES = {family: open_release(golden.path / "release") for family, golden in GOLDENS.items()}
SLOW = pytest.mark.slow


def families(usual: str) -> pytest.MarkDecorator:
    """All of them, but only one in the default run."""
    return pytest.mark.parametrize(
        "family", [pytest.param(family, marks=[] if family == usual else SLOW) for family in RELEASES]
    )


REASON = "A participant asked for it."


def without(release: Release, out: Path, *names: str, reason: str = REASON, **more: str | bool) -> Withdrew:
    file = out.with_name(f"{out.name}.txt")
    file.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    return withdraw(release, Withdrawal(ids=file, reason=reason, out=out, **more))  # type: ignore[arg-type]


def codes(refused: pytest.ExceptionInfo[Refused]) -> dict[str, int]:
    return refused.value.findings.counts


def naming(release: Release, kind: str, at: int) -> tuple[str, set[str]]:
    """A name, and the items that go with it, looked up row by row."""
    clips = release.table("item_clips").to_pylist()
    items = release.table("items").to_pylist()
    sources = release.table("sources").to_pylist()
    if kind == "item":
        name = items[at % len(items)]["item_id"]
        gone = {name}
    elif kind == "clip":
        name = sources[at % len(sources)]["clip_id"]
        gone = {row["item_id"] for row in clips if row["clip_id"] == name}
    else:
        name = sources[at % len(sources)][kind]
        theirs = {row["clip_id"] for row in sources if row[kind] == name}
        gone = {row["item_id"] for row in clips if row["clip_id"] in theirs}
    groups = {row["group"] for row in items if row["item_id"] in gone and row["group"]}
    return name, gone | {row["item_id"] for row in items if row["group"] in groups}


@SLOW
@settings(max_examples=25)
@given(
    family=st.sampled_from(sorted(RELEASES)),
    kind=st.sampled_from(["item", "clip", "speaker", "path"]),
    at=st.integers(0, 1000),
)
def test_what_is_named_goes_and_nothing_else_does(family: str, kind: str, at: int) -> None:
    release = RELEASES[family]
    name, gone = naming(release, kind, at)
    with TemporaryDirectory() as folder:
        made = without(release, Path(folder) / "next", name)
        assert not validate(made.release).failed
        assert set(made.difference.items.removed.every.to_pylist()) == gone
        _only_less(release, made.release, gone)
        tombs = read_withdrawn(made.release).withdrawn
        assert {tomb.item for tomb in tombs} == gone
        sent = {row["presentation_id"] for row in release.table("presentations").to_pylist() if row["item_id"] in gone}
        assert {id for tomb in tombs for id in tomb.presentations} == sent


def _only_less(old: Release, new: Release, gone: set[str]) -> None:
    """Every row that is left is one of before, byte for byte and in its order, and no row speaks of what is gone."""
    for name in old.family.tables():
        before, now = old.table(name), new.table(name)
        kept = before.to_pylist()
        assert now.schema.equals(before.schema, check_metadata=True)
        rows = now.to_pylist()
        assert [row for row in kept if row in rows] == rows
        assert not gone & {str(row.get("item_id")) for row in rows}
    used = set(new.table("item_clips")["clip_id"].to_pylist())
    assert used == set(new.table("clips")["clip_id"].to_pylist()) == set(new.table("sources")["clip_id"].to_pylist())
    assert (new.path / "private" / "key").read_bytes() == (old.path / "private" / "key").read_bytes()


@families("stance")
def test_nothing_else_goes_with_a_recording(family: str, tmp_path: Path) -> None:
    name, gone = naming(RELEASES[family], "path", 7)
    _only_less(RELEASES[family], without(RELEASES[family], tmp_path / "next", name).release, gone)


@SLOW
@pytest.mark.parametrize("family", RELEASES)
def test_a_name_of_the_corpus_stands_nowhere_any_more(family: str, tmp_path: Path) -> None:
    release = RELEASES[family]
    name, gone = naming(release, "speaker", 0)
    conversations = pc.unique(
        release.table("sources").filter(pc.equal(release.table("sources")["speaker"], name))["conversation"]
    ).drop_null()
    made = without(release, tmp_path / "next", name)
    everything = b"".join(
        json.dumps(made.release.table(table).to_pylist()).encode() for table in made.release.family.tables()
    )
    assert json.dumps(name).encode() not in everything
    left = set(made.release.table("sources")["conversation"].drop_null().to_pylist())
    for conversation in set(conversations.to_pylist()) - left:
        assert json.dumps(conversation).encode() not in everything
    public = b"".join(files_of(made.release.path / "public").values())
    assert name.encode() not in public
    assert gone


def test_the_manifest_is_that_of_the_next_version(tmp_path: Path) -> None:
    release = RELEASES["pairs"]
    name, gone = naming(release, "speaker", 3)
    manifest = without(
        release, tmp_path / "next", name, published="2026-05-01", url="https://example.org/2"
    ).release.manifest
    old = release.manifest
    assert (manifest.name, manifest.version, manifest.canary) == (old.name, "2.0.0", canary(old.name, "2.0.0"))
    assert manifest.canary != old.canary
    section = manifest.recipe["release"]
    assert isinstance(section, dict)
    assert (section["version"], section["published"], section["url"]) == (
        "2.0.0",
        "2026-05-01",
        "https://example.org/2",
    )
    assert sum(facet.items for facet in manifest.facets) == sum(facet.items for facet in old.facets) - len(gone)
    assert manifest.withdrawn is not None
    assert manifest.withdrawn.items == len(gone)
    assert manifest.content_hash != old.content_hash


@SLOW
def test_the_date_of_another_version_is_not_kept(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    dated = {
        **release.manifest.recipe,
        "release": {"name": "mini", "published": "2026-01-01", "url": "https://a.example"},
    }
    old = rewritten(release, tmp_path / "old", {}, "1.0.0", recipe=dated)
    made = without(old, tmp_path / "next", naming(old, "item", 0)[0]).release
    section = made.manifest.recipe["release"]
    assert isinstance(section, dict)
    assert (section["published"], section["url"]) == (None, "https://a.example")
    assert read_withdrawn(made).canary == made.manifest.canary == canary(old.manifest.name, "2.0.0")


@SLOW
def test_what_was_withdrawn_before_stays_listed(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    items = release.table("items")["item_id"].to_pylist()
    second = without(release, tmp_path / "2", items[0]).release
    third = without(second, tmp_path / "3", items[5], reason="A mistake of ours.").release
    listed = read_withdrawn(third)
    assert [entry.version for entry in listed.predecessors] == ["1.0.0", "2.0.0"]
    assert [entry.content_hash for entry in listed.predecessors] == [
        one.manifest.content_hash for one in (release, second)
    ]
    assert {tomb.item: (tomb.version, tomb.reason) for tomb in listed.withdrawn} == {
        items[0]: ("1.0.0", REASON),
        items[5]: ("2.0.0", "A mistake of ours."),
    }
    assert third.manifest.version == "3.0.0"
    assert validate(third).counts == {}
    # In one go the same is left.
    at_once = without(release, tmp_path / "both", items[0], items[5], version="3.0.0").release
    assert at_once.manifest.content_hash == third.manifest.content_hash


@SLOW
def test_equal_requests_give_equal_bytes(tmp_path: Path) -> None:
    release = RELEASES["dialogues"]
    name, _ = naming(release, "clip", 4)
    made = [without(release, tmp_path / out, name).release.path for out in ("one", "other")]
    assert files_of(made[0]) == files_of(made[1])


@SLOW
def test_a_group_goes_as_a_whole_and_so_does_what_was_made_for_it(tmp_path: Path) -> None:
    release = RELEASES["dialogues"]
    item = release.table("items").to_pylist()[0]
    mates = [row["item_id"] for row in release.table("items").to_pylist() if row["group"] == item["group"]]
    made = without(release, tmp_path / "item", item["item_id"])
    assert made.findings.counts == {"withdraw.along": 1}
    assert sorted(made.difference.items.removed.every.to_pylist()) == sorted(mates)
    for table in ("attempts", "dialogues"):
        assert made.release.table(table).num_rows < release.table(table).num_rows


@SLOW
@settings(max_examples=25)
@given(drawn=strategies.releases("stance") | strategies.releases("dialogues"), data=st.data())
def test_whatever_a_release_holds_something_may_be_withdrawn(drawn: strategies.Drawn, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        release = strategies.write_release(drawn, Path(folder) / "release")
        name, gone = naming(
            release, data.draw(st.sampled_from(["item", "clip", "speaker"])), data.draw(st.integers(0, 50))
        )
        if len(gone) == release.table("items").num_rows:
            with pytest.raises(Refused) as refused:
                without(release, Path(folder) / "next", name)
            assert codes(refused)["withdraw.everything"] == 1
        else:
            assert not validate(without(release, Path(folder) / "next", name).release).failed


@SLOW
def test_audio_goes_with_its_clips(tmp_path: Path) -> None:
    from earmark.manifests.hashes import folder_hash
    from earmark.manifests.release import MediaEntry

    release = RELEASES["stance"]
    old = rewritten(release, tmp_path / "old", {}, "1.0.0")
    folder = old.path / "public" / "audio"
    folder.mkdir()
    clips = old.table("clips")["clip_id"].to_pylist()
    for clip in clips:
        (folder / f"{clip}.flac").write_bytes(clip.encode())
    media = MediaEntry(rate=16000, files=len(clips), hash=folder_hash(folder))
    old = rewritten(old, tmp_path / "with", {}, "1.0.0", media=media)
    made = without(old, tmp_path / "next", clips[0]).release
    left = sorted(made.table("clips")["clip_id"].to_pylist())
    assert {name: data.decode() for name, data in files_of(made.path / "public" / "audio").items()} == {
        f"{clip}.flac": clip for clip in left
    }
    assert clips[0] not in left
    assert validate(made).counts == {}
    (old.path / "public" / "audio" / f"{clips[1]}.flac").write_bytes(b"tampered")
    with pytest.raises(Refused) as refused:
        without(old, tmp_path / "more", clips[0])
    assert codes(refused)["withdraw.unsound"] == 1


# What is refused, all at once and with nothing left behind.


def test_lines_that_name_nothing_are_told_with_what_is_near(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    item = release.table("items")["item_id"][0].as_py()
    sent = release.table("presentations")["presentation_id"][0].as_py()
    with pytest.raises(Refused) as refused:
        without(release, tmp_path / "next", "# a comment", "", f"{item[:-1]}z", sent, "nobody", f"{item} # as asked")
    found = {finding.row: finding.expected or "" for finding in refused.value.findings}
    assert f"did you mean {item}" in found[3]
    assert found[4].startswith("the item i")
    assert "a speaker" in found[5]
    assert set(found) == {3, 4, 5}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["next.txt"]


@SLOW
def test_a_name_of_two_corpora_must_say_of_which(tmp_path: Path) -> None:
    release = RELEASES["pairs"]
    corpora = release.table("sources")["corpus"].to_pylist()
    there = [corpora.index("ears"), corpora.index("expresso")]
    old = release
    for at in there:
        old = rewritten(old, tmp_path / f"old{at}", {"sources": set_cell("conversation", at, "someone")}, "1.0.0")
    with pytest.raises(Refused) as refused:
        without(old, tmp_path / "next", "someone")
    (finding,) = refused.value.findings
    assert (finding.code.name, finding.expected) == ("withdraw.ambiguous", "ears:someone or expresso:someone")
    made = without(old, tmp_path / "next", "ears:someone")
    clip = old.table("sources")["clip_id"][there[0]].as_py()
    assert clip not in made.release.table("clips")["clip_id"].to_pylist()


def requested(release: Release, *lines: str) -> tuple[Named, list[tuple[str, str | None]]]:
    """What lines stand for, and what is wrong with them."""
    findings = Findings()
    wishes = [Wish(n, line) for n, line in enumerate(lines, 1)]
    return named(release, wishes, "ids.txt", findings), [(one.code.name, one.expected) for one in findings]


def test_a_speaker_is_known_by_what_the_corpus_calls_them() -> None:
    release = RELEASES["pairs"]
    speakers = set(release.table("sources")["speaker"].to_pylist())
    short = Counter(speaker.partition("/")[2] for speaker in speakers)
    assert set(short.values()) == {1}  # the miniatures call nobody as another does
    for speaker in sorted(speakers)[::5]:
        corpus, _, bare = speaker.partition("/")
        whole, found = requested(release, speaker)
        assert not found
        assert whole.names == {speaker}
        for line in (bare, f"{corpus}:{bare}", f"{bare} # by letter"):
            assert requested(release, line) == (whole, [])


def test_a_name_that_several_speakers_have_is_told_with_all_of_them(tmp_path: Path) -> None:
    release = RELEASES["pairs"]
    rows = release.table("sources").to_pylist()
    at = {corpus: next(n for n, row in enumerate(rows) if row["corpus"] == corpus) for corpus in ("ears", "expresso")}
    old = release
    for corpus, n in at.items():
        old = rewritten(old, tmp_path / corpus, {"sources": set_cell("speaker", n, f"{corpus}/p1")}, "1.0.0")
    _, found = requested(old, "p1")
    assert found == [("withdraw.ambiguous", "ears/p1 or expresso/p1")]
    for line in ("ears/p1", "ears:p1"):
        kept, found = requested(old, line)
        assert not found
        assert (*kept.clips, *kept.names) == (rows[at["ears"]]["clip_id"], "ears/p1")
    # A conversation of that name is one more; what it names exactly is had with its corpus before it.
    other = next(n for n, row in enumerate(rows) if row["corpus"] == "ears" and n != at["ears"])
    told = rewritten(old, tmp_path / "told", {"sources": set_cell("conversation", other, "p1")}, "1.0.0")
    assert requested(told, "p1")[1] == [("withdraw.ambiguous", "ears/p1 or ears:p1 or expresso/p1")]
    assert requested(told, "ears:p1")[0].clips == {rows[other]["clip_id"]}
    # In dialogues every second speaker is S1.
    dialogues = RELEASES["dialogues"]
    speakers = {name for name in dialogues.table("sources")["speaker"].to_pylist() if name.endswith("/S1")}
    _, ((code, expected),) = requested(dialogues, "S1")
    assert (code, expected) == ("withdraw.ambiguous", " or ".join(sorted(speakers)))


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501, "a\x07b", "speaker V00_P0002A asked", "(V00_P0002A)."])
def test_a_reason_is_a_sentence_that_can_be_published(tmp_path: Path, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        without(RELEASES["stance"], tmp_path / "next", naming(RELEASES["stance"], "item", 0)[0], reason=reason)
    assert set(codes(refused)) == {"withdraw.reason"}


@pytest.mark.parametrize("told", ["p103", "svc/90005", "90005's", "(rainbow_01_regular.wav)", "rainbow_01_regular"])
def test_a_reason_tells_nobody_by_what_the_corpus_calls_them(tmp_path: Path, told: str) -> None:
    """The sources say ears/p103 and p103/rainbow_01_regular.wav, and whoever asks says less."""
    release = RELEASES["pairs"]
    with pytest.raises(Refused) as refused:
        without(release, tmp_path / "next", naming(release, "item", 0)[0], reason=f"What {told} said was wrong.")
    assert set(codes(refused)) == {"withdraw.reason"}
    assert not (tmp_path / "next").exists()


@pytest.mark.parametrize(("version", "code"), [("1.1.0", "version.step-too-small"), ("x", "version.unreadable")])
def test_the_next_version_is_a_major_one(tmp_path: Path, version: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        without(RELEASES["stance"], tmp_path / "next", naming(RELEASES["stance"], "item", 0)[0], version=version)
    assert set(codes(refused)) == {code}


@SLOW
def test_a_release_that_is_not_sound_is_not_gone_on_from(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    broken = rewritten(release, tmp_path / "broken", {"answers": set_cell("gold", 0, "?")}, "1.0.0")
    with pytest.raises(Refused) as refused:
        without(broken, tmp_path / "next", naming(release, "item", 1)[0])
    assert codes(refused)["withdraw.unsound"] == 1
    assert not (tmp_path / "next").exists()
    assert not (tmp_path / "next.partial").exists()


@SLOW
def test_a_host_needs_the_private_side(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    shutil.copytree(release.path, tmp_path / "public")
    shutil.move(tmp_path / "public" / "private", tmp_path / "apart")
    item = naming(release, "item", 0)[0]
    with pytest.raises(PrivateSideMissing):
        without(open_release(tmp_path / "public"), tmp_path / "next", item)
    apart = without(open_release(tmp_path / "public", private=tmp_path / "apart"), tmp_path / "next", item)
    assert files_of(apart.release.path) == files_of(without(release, tmp_path / "other", item).release.path)


@SLOW
def test_nothing_is_written_over(tmp_path: Path) -> None:
    release, item = RELEASES["stance"], naming(RELEASES["stance"], "item", 0)[0]
    without(release, tmp_path / "next", item)
    with pytest.raises(DestinationExists):
        without(release, tmp_path / "next", item)
    without(release, tmp_path / "next", item, force=True)
    assert (tmp_path / "next.old").is_dir()


def test_dates_and_files_are_looked_at(tmp_path: Path) -> None:
    release, item = RELEASES["stance"], naming(RELEASES["stance"], "item", 0)[0]
    with pytest.raises(EarmarkError, match="is no date"):
        without(release, tmp_path / "next", item, published="yesterday")
    with pytest.raises(EarmarkError, match="not there"):
        withdraw(release, Withdrawal(ids=tmp_path / "no.txt", reason=REASON, out=tmp_path / "next"))
    for data in (b"\xff\xfe\x00", b"a\0b\n", b"x" * 5000, b"# nothing\n\n"):
        (tmp_path / "ids.txt").write_bytes(data)
        with pytest.raises(Refused) as refused:
            withdraw(release, Withdrawal(ids=tmp_path / "ids.txt", reason=REASON, out=tmp_path / "next"))
        assert set(codes(refused)) <= {"withdraw.unreadable", "withdraw.nothing"}


@SLOW
def test_what_stays_is_found_in_the_version_before(tmp_path: Path) -> None:
    """Arrow's own filter is the twin."""
    release = RELEASES["stance"]
    name, gone = naming(release, "speaker", 0)
    made = without(release, tmp_path / "next", name).release
    sent = release.table("presentations")
    kept = sent.filter(pc.invert(pc.is_in(sent["item_id"], value_set=pa.array(sorted(gone)))))
    assert made.table("presentations").equals(kept)
