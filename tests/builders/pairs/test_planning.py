"""Planning on the four miniatures: counts worked out by hand, the same whatever the order, and every problem named."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from tests.support.speech_miniatures import KEY, planned

from earmark.builders.plan import Plan
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.families.pairs import PAIRS

ALL = {"preset": "all", "speakers": "any"}


def counts(plan: Plan) -> Counter[tuple[str, ...]]:
    """Pairs by facet, target, kind, transcript and speakers."""
    answers = {row["item_id"]: row for row in plan.tables["answers"]}
    return Counter(
        (
            str(item["facet"]),
            str(item["target"]),
            *(str(answers[item["item_id"]][name]) for name in ("kind", "transcript", "speakers")),
        )
        for item in plan.tables["items"]
    )


@pytest.fixture(scope="module")
def everything(corpora: Path) -> Plan:
    return planned(corpora, pairing=ALL)[0]


def test_every_pair_there_is(everything: Plan) -> None:
    """Four speakers, two sentences in three styles; six with two texts at three paces, one clip of which is not as labelled."""
    found = counts(everything)
    assert found["style", "happy", "non_tie", "same", "same"] == 4 * 2 * 2
    assert found["style", "happy", "both_good", "same", "different"] == 2 * 6
    assert found["style", "happy", "both_good", "same", "same"] == 0
    assert sum(n for (facet, *_, who), n in found.items() if (facet, who) == ("rate", "same")) == 6 * 2 * 6 - 4


def test_emphasis_pairs_are_of_one_word(everything: Plan) -> None:
    found = counts(everything)
    # ex01 00199 emphasises "said", ex01 00200 "mine", in one sentence; ex02 00199 has "said" in another one.
    assert found["emphasis", "said", "non_tie", "same", "same"] >= 1
    assert found["emphasis", "said", "non_tie", "cross", "different"] >= 1
    assert found["emphasis", "mine", "both_bad", "cross", "different"] >= 1
    assert not any(kind == "both_good" for facet, _, kind, *_ in found if facet == "emphasis")


def test_age_and_sex_are_asked_of_two_people(everything: Plan) -> None:
    assert not [key for key in counts(everything) if key[0] in {"age", "gender"} and key[-1] == "same"]


def test_books_are_reported_apart(everything: Plan) -> None:
    corpora = {row["clip_id"]: row["corpus"] for row in everything.tables["sources"]}
    clips: dict[object, set[object]] = {}
    for row in everything.tables["item_clips"]:
        clips.setdefault(row["item_id"], set()).add(corpora[row["clip_id"]])
    variants = {row["item_id"]: row["variant"] for row in everything.tables["answers"]}
    facets = {row["item_id"]: row["facet"] for row in everything.tables["items"]}
    gender = {(variants[item], *sorted(map(str, clips[item]))) for item, facet in facets.items() if facet == "gender"}
    assert gender == {("main", "svc"), ("books", "libritts")}


BY_HAND = {
    # Two targets, happy and whisper; four speakers, two sentences, three styles, and one speaker in every pair.
    ("style", "main", "non_tie", "same"): 2 * 4 * 2 * 2,  # speakers, sentences, foils
    ("style", "main", "non_tie", "cross"): 2 * 4 * 2 * 2,  # the foil is of the other sentence
    ("style", "main", "both_good", "cross"): 2 * 4,  # of one sentence there are no two takes
    ("style", "main", "both_bad", "same"): 2 * 4 * 2,
    ("style", "main", "both_bad", "cross"): 2 * 4 * 2 * 2,
    # Six speakers and two texts at three paces, three pairs in both roles, less the four of the bad clip.
    ("rate", "main", "non_tie", "same"): 6 * 2 * 3 * 2 - 4,
    # ex01, ex03 and ex04 say one sentence with "said" emphasised and with "mine"; ex02's two share no word.
    ("emphasis", "main", "non_tie", "same"): 3 * 2,
    # A girl, a boy, a young woman and man, an old woman and man say four commands each, but for one of the young woman's,
    # whose age group is wrong. Old with child and with young, each as the target: two groups or more apart.
    ("age", "main", "non_tie", "same"): 2 * (4 + 4 + 3 + 4),
    ("age", "main", "non_tie", "cross"): 2 * (12 + 12 + 9 + 12),
    ("age", "hard", "non_tie", "same"): 2 * (3 + 4),  # child with young
    ("age", "hard", "non_tie", "cross"): 2 * (9 + 12),
    # Two women with seven clips, two men with eight.
    ("gender", "main", "non_tie", "same"): 2 * (3 * 2 * 2 + 1 * 2),
    ("gender", "main", "non_tie", "cross"): 2 * (7 * 8 - 14),
    ("gender", "main", "both_good", "same"): 3 + 4,
    ("gender", "main", "both_good", "cross"): 9 + 12,
    ("gender", "main", "both_bad", "same"): 3 + 4,
    ("gender", "main", "both_bad", "cross"): 9 + 12,
    # Three women and three men read three sentences each, and nobody another's.
    ("gender", "books", "non_tie", "cross"): 2 * (3 * 3) * (3 * 3),
    ("gender", "books", "both_good", "cross"): 3 * 9 + 3 * 9,
    ("gender", "books", "both_bad", "cross"): 3 * 9 + 3 * 9,
}
"""By criterion, variant, kind and transcript: every pair that the default rules allow, nothing capped but two roles of a pair."""


def test_the_default_rules_give_the_counts_worked_out_by_hand(corpora: Path) -> None:
    plan, _ = planned(corpora, pairing={"preset": "all"})
    facets = {row["item_id"]: str(row["facet"]) for row in plan.tables["items"]}
    found = Counter(
        (facets[row["item_id"]], *(str(row[name]) for name in ("variant", "kind", "transcript")))
        for row in plan.tables["answers"]
    )
    assert found == BY_HAND


def test_the_crossed_preset_uses_no_pair_twice_and_says_what_it_lacks(corpora: Path) -> None:
    plan, findings = planned(corpora, pairing={"allow_shortfall": True, "blocks": ["rate", "emphasis", "age"]})
    found = counts(plan)
    assert sum(n for key, n in found.items() if key[0] == "rate") == 34  # each unordered pair once
    assert {key[-1] for key in found if key[0] == "rate"} == {"same"}
    assert findings.counts["pairs.shortfall-allowed"] > 0
    assert not findings.counts.get("pairs.shortfall")


def test_shuffled_files_build_the_same(clean_corpora: Path, tmp_path: Path) -> None:
    """Every list that the corpora keep, in another order, and every folder copied in another order."""
    other = tmp_path / "shuffled"
    shutil.copytree(clean_corpora, other)
    dice = random.Random(5)  # noqa: S311
    for path in [*other.rglob("splits/*.txt"), other / "expresso" / "read_transcriptions.txt", *other.rglob("*.tsv")]:
        head, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        dice.shuffle(lines)
        path.write_text("".join([head, *lines]), encoding="utf-8")
    for path in [*other.rglob("*_metadata.json"), other / "EARS" / "transcripts.json"]:
        entries = list(json.loads(path.read_text(encoding="utf-8")).items())
        dice.shuffle(entries)
        path.write_text(json.dumps(dict(entries)), encoding="utf-8")
    pairing: dict[str, Json] = {"allow_shortfall": True}
    one, two = (planned(base, pairing=pairing)[0] for base in (clean_corpora, other))
    tables = PAIRS.tables()
    for name, table in tables.items():
        assert table.from_rows(one.tables[name]).equals(table.from_rows(two.tables[name])), name
    assert one.recipe == two.recipe
    assert one.pages == two.pages


def test_another_key_changes_ids_and_no_count(clean_corpora: Path) -> None:
    one, two = (planned(clean_corpora, pairing={"allow_shortfall": True}, key=key)[0] for key in (KEY, bytes(32)))
    assert not {row["item_id"] for row in one.tables["items"]} & {row["item_id"] for row in two.tables["items"]}
    assert sum(counts(one).values()) == sum(counts(two).values())


def test_what_cannot_be_filled_is_refused_with_every_reason(corpora: Path) -> None:
    with pytest.raises(Refused) as refused:
        planned(corpora, pairing={})
    findings = refused.value.findings
    assert findings.counts["pairs.shortfall"] > 50
    missing = {finding.found for finding in findings if finding.code.name == "pairs.empty-target"}
    assert missing == {"confused", "enunciated", "laughing", "sad", "29-41", "42-54"}
    shortfall = next(finding for finding in findings if finding.code.name == "pairs.shortfall")
    assert " of " in str(shortfall.found)
    assert "alone it could have" in str(shortfall.expected)


SMALL: dict[str, Json] = {
    "targets": ["happy"],
    "foils": {"default": 1},
    "non_tie": {"same": 8},
    "both_good": {},
    "both_bad": {},
    "total": 8,
}
STYLE: dict[str, Json] = {"style": SMALL}
AGAIN: dict[str, Json] = {"again": {"criterion": "style", "corpora": ["expresso"], **SMALL}}


@pytest.mark.parametrize(
    ("sections", "code", "found"),
    [
        ({"blocks": {"style": {**SMALL, "total": 9}}}, "pairs.quota-total", "8 in all"),
        ({"blocks": {"style": {**SMALL, "targets": ["angry"]}}}, "pairs.empty-target", "angry"),
        ({"blocks": {"style": {**SMALL, "nuisances": ["weight"]}}}, "pairs.nuisance", "weight"),
        ({"blocks": {"style": {**SMALL, "corpora": ["svc"]}}}, "pairs.empty-target", "happy"),
        ({"blocks": STYLE, "caps": {"style": {"clip": 0}}}, "recipe.section", "clip is 0"),
        ({"blocks": STYLE, "caps": {"style": {"speaker": 1}}}, "pairs.shortfall", "2 of 4"),
        ({"blocks": {**STYLE, **AGAIN}, "pairing": {"blocks": ["style", "again"]}}, "pairs.cell-twice", "again"),
        ({"blocks": STYLE, "pairing": {"blocks": ["stile"]}}, "pairs.unknown-block", "stile"),
    ],
)
def test_one_wrong_thing_is_named(corpora: Path, sections: dict[str, dict[str, Json]], code: str, found: str) -> None:
    pairing = {"blocks": ["style"], **sections.get("pairing", {})}
    blocks, caps = sections["blocks"], sections.get("caps", {})
    with pytest.raises(Refused) as refused:
        planned(corpora, pairing=pairing, blocks=blocks, caps=caps)
    assert any(finding.code.name == code and found in str(finding.found) for finding in refused.value.findings)


def test_a_block_without_its_corpus_is_named(corpora: Path) -> None:
    with pytest.raises(Refused) as refused:
        planned(corpora, pairing={}, corpora={"expresso": {"root": "expresso"}})
    findings = list(refused.value.findings)
    assert {finding.id for finding in findings} == {"[blocks.rate]", "[blocks.age]", "[blocks.gender]"}
    assert {finding.code.name for finding in findings} == {"pairs.no-corpus"}


def test_ties_that_the_template_does_not_offer_are_named(corpora: Path) -> None:
    blocks: Json = {"rate": {"both_bad": {"same": 1}, "total": None}}
    with pytest.raises(Refused) as refused:
        planned(corpora, pairing={"blocks": ["rate"]}, blocks=blocks)
    assert [finding.code.name for finding in refused.value.findings] == ["pairs.no-tie"]


def test_controls_stand_apart_and_ask_for_what_is_plain(corpora: Path) -> None:
    plan, _ = planned(
        corpora,
        pairing={"blocks": ["style", "rate"], "allow_shortfall": True},
        controls={"identical": 3, "level": 2, "silence": 4},
    )
    items = {row["item_id"] for row in plan.tables["items"] if row["facet"] == "control"}
    answers = [row for row in plan.tables["answers"] if row["item_id"] in items]
    assert Counter(row["variant"] for row in answers) == {"identical": 3, "level": 2, "silence": 4}
    assert {(row["variant"], row["gold"] == "tie") for row in answers} == {
        ("identical", True),
        ("level", True),
        ("silence", False),
    }
    clips: dict[object, list[object]] = {}
    for row in plan.tables["item_clips"]:
        clips.setdefault(row["item_id"], []).append(row["clip_id"])
    gains = {row["clip_id"]: row["gain"] for row in plan.tables["sources"]}
    for row in answers:
        heard = [gains[clip] for clip in clips[row["item_id"]]]
        expected = {"identical": {None}, "level": {None, -12.0}, "silence": {None, -200.0}}[str(row["variant"])]
        assert set(heard) == expected
    first = Counter(row["gold"] for row in answers if row["variant"] == "silence")
    assert first == {"first": 2, "second": 2}


def test_one_audio_under_two_names_is_named(corpora: Path, tmp_path: Path) -> None:
    """Whose voice it is cannot be told where two speakers are named; where all that is said of it is equal, one name will do."""
    ears = tmp_path / "EARS"
    shutil.copytree(corpora / "EARS", ears)
    texts = json.loads((ears / "transcripts.json").read_text())
    (ears / "transcripts.json").write_text(json.dumps(dict.fromkeys(texts, "the same words")))
    shutil.copyfile(ears / "p102/rainbow_01_slow.wav", ears / "p103/rainbow_01_slow.wav")
    shutil.copyfile(ears / "p104/rainbow_01_slow.wav", ears / "p104/rainbow_02_slow.wav")
    pairing: dict[str, Json] = {"blocks": ["rate"], "allow_shortfall": True, "measure": True}
    plan, findings = planned(tmp_path, pairing=pairing, corpora={"ears": {"root": "EARS"}})
    assert findings.counts["pairs.same-audio"] == 1
    assert findings.counts["pairs.same-audio-other-labels"] == 2
    assert all(row["pcm_hash"] and row["f0_median"] for row in plan.tables["sources"])
    used = {row["path"] for row in plan.tables["sources"]}
    assert "p104/rainbow_01_slow.wav" in used
    assert not used & {"p102/rainbow_01_slow.wav", "p103/rainbow_01_slow.wav", "p104/rainbow_02_slow.wav"}


def test_what_is_wrong_with_every_corpus_is_said_at_once(clean_corpora: Path, tmp_path: Path) -> None:
    for name in ("EARS", "svc-dataset", "LibriTTS"):
        shutil.copytree(clean_corpora / name, tmp_path / name)
    (tmp_path / "EARS/transcripts.json").unlink()
    (tmp_path / "svc-dataset/metadata/test_metadata.json").write_text("[]")
    with pytest.raises(Refused) as refused:
        planned(tmp_path, pairing={"preset": "all"})  # and of Expresso there is no folder
    rooms = {code.partition(".")[0] for code in refused.value.findings.counts}
    assert {"ears", "svc", "expresso"} <= rooms


def test_a_corpus_that_no_block_asks_for_is_not_read(clean_corpora: Path, tmp_path: Path) -> None:
    shutil.copytree(clean_corpora / "EARS", tmp_path / "EARS")
    pairing: dict[str, Json] = {"preset": "all", "blocks": ["rate"]}
    alone, findings = planned(tmp_path, pairing=pairing)  # of the other three there is no folder
    assert alone.tables == planned(clean_corpora, pairing=pairing)[0].tables
    assert findings.counts == {"pairs.unused-corpus": 3}
    assert not findings.failed
