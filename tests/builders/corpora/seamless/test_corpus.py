"""The corpus joined: the same whatever the order of rows, and every flaw of the miniature found."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import (
    ASSIGNMENT_COLUMNS,
    LIST_COLUMNS,
    PROMPT_COLUMNS,
    UNTIMED,
    A,
    B,
    C,
    D,
    Tiny,
    assignment_row,
    codes,
    metadata,
    prompt_row,
    write_csv,
    write_json,
    write_wav,
)

from earmark.builders.corpora.seamless.corpus import SeamlessCorpus, read_seamless
from earmark.builders.corpora.seamless.recordings import Recording
from earmark.builders.miniatures.seamless import SeamlessMiniature, make_seamless
from earmark.builders.miniatures.seamless_flaws import FLAWS
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

FIRST, SECOND = "V00_S0001_I00000634", "V01_S0001_I00000635"


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path).write()


def read(tiny: Tiny, findings: Findings | None = None) -> tuple[SeamlessCorpus, Findings]:
    findings = Findings() if findings is None else findings
    corpus = read_seamless(tiny.root, tiny.assignments, prompts=tiny.prompts, filelist=tiny.filelist, findings=findings)
    return corpus, findings


def test_a_sound_corpus(tiny: Tiny) -> None:
    told: list[tuple[int, int]] = []
    findings = Findings()
    corpus = read_seamless(
        tiny.root,
        tiny.assignments,
        prompts=tiny.prompts,
        filelist=tiny.filelist,
        findings=findings,
        progress=lambda done, total: told.append((done, total)),
    )
    assert len(findings) == 0
    assert told == [(1, 2), (2, 2)]
    assert [entry.id for entry in corpus.conversations] == [FIRST, SECOND]
    first = corpus.conversations[0]
    assert first.is_complete
    assert (str(first.a.file_id), first.a.role, str(first.b.file_id), first.b.role) == (A, "Warm", B, "Aloof")
    assert isinstance(first.b.recording, Recording)
    assert first.b.recording.path == f"improvised/dev/0000/0040/{B}.wav"
    assert [entry.name for entry in corpus.metadata] == ["assignments", "filelist", "prompts", "recordings"]
    assert all(len(entry.hash) == len("sha256:") + 64 for entry in corpus.metadata)
    assert len(corpus.prompts) == 2


def test_prompts_and_file_list_may_be_left_out(tiny: Tiny) -> None:
    findings = Findings()
    corpus = read_seamless(tiny.root, tiny.assignments, findings=findings)
    assert len(findings) == 0
    assert corpus.conversations == read(tiny)[0].conversations
    assert [entry.name for entry in corpus.metadata] == ["assignments", "recordings"]


# Order.


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    return Tiny(tmp_path_factory.mktemp("shuffled")).write()


@UNTIMED
@given(data=st.data(), line_end=st.sampled_from(["\n", "\r\n"]))
def test_the_order_of_rows_decides_nothing(shuffled: Tiny, data: st.DataObject, line_end: str) -> None:
    tables = (
        (shuffled.prompts, PROMPT_COLUMNS, [prompt_row("00000634"), prompt_row("00000635", 1)]),
        (shuffled.filelist, LIST_COLUMNS, [shuffled.list_row(file_id) for file_id in (A, B, C, D)]),
        (shuffled.assignments, ASSIGNMENT_COLUMNS, [assignment_row(A, B), assignment_row(C, D)]),
    )
    for path, columns, rows in tables:
        write_csv(path, columns, rows)
    plain, findings = read(shuffled)
    assert len(findings) == 0
    for path, columns, rows in tables:
        write_csv(path, columns, data.draw(st.permutations([*rows, rows[0]])), line_end=line_end)
    assert read(shuffled)[0] == plain


def test_the_hashes_follow_what_was_used(tiny: Tiny) -> None:
    before = dict(read(tiny)[0].metadata)
    write_json(tiny.path(A, ".json"), metadata(A, [(0.02, 0.05)]))
    after = dict(read(tiny)[0].metadata)
    assert {name for name in before if before[name] != after[name]} == {"recordings"}
    write_csv(tiny.assignments, ASSIGNMENT_COLUMNS, [assignment_row(A, B)])
    write_csv(tiny.filelist, LIST_COLUMNS, [tiny.list_row(A), tiny.list_row(B)])
    write_csv(tiny.prompts, PROMPT_COLUMNS, [prompt_row("00000634")])
    last = dict(read(tiny)[0].metadata)
    assert all(after[name] != last[name] for name in after)


# What is missing.


def test_a_missing_partner_leaves_the_other_side(tiny: Tiny) -> None:
    tiny.path(B).unlink()
    tiny.path(B, ".json").unlink()
    corpus, findings = read(tiny)
    first = corpus.conversations[0]
    assert (first.b.recording, first.b.role, first.is_complete) == (None, "Aloof", False)
    assert first.a.recording is not None
    assert [(f.code.name, f.id, f.found, f.expected) for f in findings] == [
        ("corpus.no-partner", B, f"{A} alone", "its files in improvised/dev/0000/0040")
    ]


def test_a_side_of_no_use_leaves_the_other(tiny: Tiny) -> None:
    write_wav(tiny.path(A), rate=44_100)
    corpus, findings = read(tiny)
    assert corpus.conversations[0].a.recording is None
    assert corpus.conversations[0].b.recording is not None
    assert codes(findings) == {"wrong-rate": 1}


def test_a_conversation_of_which_nothing_is_left_is_dropped(tiny: Tiny) -> None:
    tiny.path(A).unlink()
    write_wav(tiny.path(B), channels=2)
    corpus, findings = read(tiny)
    assert [entry.id for entry in corpus.conversations] == [SECOND]
    assert codes(findings) == {"missing-audio": 1, "not-mono": 1}


def test_an_assignment_without_any_file(tiny: Tiny) -> None:
    for file_id in (C, D):
        tiny.path(file_id).unlink()
        tiny.path(file_id, ".json").unlink()
    corpus, findings = read(tiny)
    assert [entry.id for entry in corpus.conversations] == [FIRST]
    assert [(f.code.name, f.id, f.found) for f in findings] == [
        ("corpus.missing-conversation", SECOND, f"neither {C} nor {D}")
    ]
    assert findings.exit_code == 1


def test_an_id_that_the_file_list_lacks_or_puts_elsewhere(tiny: Tiny) -> None:
    naturalistic = [B, "naturalistic", "dev", "0", "40", "0"]
    write_csv(tiny.filelist, LIST_COLUMNS, [naturalistic, tiny.list_row(C), tiny.list_row(D)])
    corpus, findings = read(tiny)
    assert len(corpus.conversations) == 2
    assert [(f.code.name, f.id, f.found) for f in findings] == [
        ("corpus.other-label", B, "naturalistic"),
        ("corpus.unlisted-id", A, None),
    ]


# What cannot be read at all.


def test_no_assignment_table_is_a_refusal(tiny: Tiny) -> None:
    findings = Findings()
    with pytest.raises(Refused):
        read_seamless(tiny.root, None, findings=findings)
    assert codes(findings) == {"no-assignments": 1}


def test_no_corpus_is_a_refusal_and_not_a_finding_for_each_row(tiny: Tiny) -> None:
    findings = Findings()
    with pytest.raises(Refused):
        read_seamless(tiny.root / "elsewhere", tiny.assignments, findings=findings)
    assert codes(findings) == {"no-corpus": 1}


def test_a_prompt_table_of_no_use_is_one_finding(tiny: Tiny) -> None:
    write_csv(tiny.prompts, ("prompt_hash",), [["00000634"]])
    corpus, findings = read(tiny)
    assert len(corpus.conversations) == 2
    assert set(codes(findings)) == {"missing-column"}


def test_strict_stops_at_the_first_error(tiny: Tiny) -> None:
    write_wav(tiny.path(A), rate=44_100)
    write_wav(tiny.path(C), rate=44_100)
    findings = Findings(strict=True)
    with pytest.raises(Refused):
        read(tiny, findings)
    assert codes(findings) == {"wrong-rate": 1}


# The miniature, sound and with every flaw it knows.

EXPECTED = {
    "missing_partner": {"no-partner"},
    "silent": {"silent"},
    "vad_beyond_end": {"vad-beyond-end"},
    "overlapping_vad": {"vad-overlap"},
    "words_without_times": set(),
    "truncated_wav": {"truncated-audio"},
    "wrong_rate": {"wrong-rate"},
    "nan_samples": {"not-pcm"},
    "duplicate_id": {"repeated-file", "listed-twice"},
    "absent_file": {"no-partner", "unlisted-id"},
    "path_in_id": {"unsafe-id"},
    "role_case": {"role-case"},
    "no_role_tag": {"prompt-without-role"},
    "broken_json": {"bad-json"},
    "no_transcript": {"no-transcript"},
    "apple_double": set(),
    "windows_line_ends": {"windows-line-ends"},
    "byte_order_mark": {"byte-order-mark"},
    "not_downloaded": set(),
    "missing_column": {"missing-column"},
}


def read_miniature(miniature: SeamlessMiniature) -> tuple[SeamlessCorpus, Findings]:
    findings = Findings()
    corpus = read_seamless(
        miniature.root,
        miniature.assignment,
        prompts=miniature.interactions,
        filelist=miniature.filelist,
        findings=findings,
    )
    return corpus, findings


def test_every_flaw_of_the_miniature_has_an_expectation() -> None:
    assert set(EXPECTED) == set(FLAWS)


def test_the_sound_miniature_is_read_as_it_was_made(tmp_path: Path) -> None:
    miniature = make_seamless(tmp_path / "m", seed=3, dyads=4, speech=False, scale=0.1)
    corpus, findings = read_miniature(miniature)
    assert [finding.text() for finding in findings] == []
    made = {entry.a.file_id: entry for entry in miniature.conversations}
    assert len(corpus.conversations) == len(made) == 4
    for conversation in corpus.conversations:
        entry = made[str(conversation.a.file_id)]
        assert conversation.prompt_id == entry.prompt_id
        for side, truth in ((conversation.a, entry.a), (conversation.b, entry.b)):
            assert (str(side.file_id), side.file_id.speaker, side.role) == (truth.file_id, truth.speaker, truth.role)
            assert side.recording is not None
            assert side.recording.path == truth.path
            assert side.recording.speech_s == pytest.approx(truth.speech, abs=1e-6)
            assert len(side.recording.words) > 0


@pytest.mark.parametrize("flaw", [name for name in FLAWS if name != "missing_column"])
def test_each_flaw_of_the_miniature_is_found_where_it_is(tmp_path: Path, flaw: str) -> None:
    miniature = make_seamless(tmp_path / "m", seed=3, dyads=1, speech=False, scale=0.1, flaws=[flaw])
    corpus, findings = read_miniature(miniature)
    assert set(codes(findings)) == EXPECTED[flaw]
    assert miniature.conversations[0].a.file_id in {str(entry.a.file_id) for entry in corpus.conversations}
    (noted,) = miniature.flaws
    if noted.where.startswith(("V", "../V")):
        for finding in findings:
            said = f"{finding.file} {finding.id} {finding.found} {_row(finding.file, finding.row)}"
            assert noted.where in said


def _row(file: str | None, row: int | None) -> list[str]:
    if file is None or row is None:
        return []
    with Path(file).open(encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream)
        before = 0
        for cells in reader:
            if before == row - 1:
                return cells
            before = reader.line_num
    return []


def test_a_miniature_whose_table_lacks_a_column_is_refused(tmp_path: Path) -> None:
    miniature = make_seamless(tmp_path / "m", seed=3, dyads=1, speech=False, scale=0.1, flaws=["missing_column"])
    with pytest.raises(Refused) as refused:
        read_miniature(miniature)
    assert codes(refused.value.findings) == {"missing-column": 1}
