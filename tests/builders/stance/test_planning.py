"""Planning: from any corpus a sound plan, whatever the order of what it is read from; every drop told."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.corpora import write_assignments, write_corpus
from tests.support.miniature import Miniature, quiet

from earmark.builders.corpora.seamless import Conversation as Read
from earmark.builders.corpora.seamless import FileId, Participant
from earmark.builders.making import Order, make
from earmark.builders.plan import Plan
from earmark.builders.sampling import stratified_sample
from earmark.builders.stance import plan
from earmark.builders.stance.items import judged
from earmark.builders.stance.mapping import PAPER
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings
from earmark.validation import strategies
from earmark.validation.invariants import validate
from earmark.validation.strategies import Conversation, Side, TimedWord

KEY = bytes(range(32))

# Short clips, so that short conversations have some.
SEGMENTS: Mapping[str, Json] = {"single_close_s": 4.0, "single_most_s": 6.0, "single_tail_s": 1.0}


def recipe(**sections: Mapping[str, Json]) -> Mapping[str, Json]:
    return {
        "release": {"name": "planned", "version": "1.0.0", "seed": 4},
        "corpus": {"root": "corpus", "assignments": "corpus/assignment.csv"},
        "sample": {"share": 1.0, "floor": 0},
        "segments": SEGMENTS,
        **sections,
    }


def planned(base: Path, key: bytes = KEY, **sections: Mapping[str, Json]) -> tuple[Plan, Findings]:
    findings = Findings()
    return plan(recipe(**sections), base, key, findings, quiet)[1], findings


def talk(number: int, roles: tuple[str | None, str | None], *, words: bool = True, turns: int = 8) -> Conversation:
    """Two people in turns of two seconds, a third of a second between them."""
    spans: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    said: tuple[list[TimedWord], list[TimedWord]] = ([], [])
    for turn in range(turns):
        start = round(0.5 + turn * 2.4, 2)
        spans[turn % 2].append((start, round(start + 2.0, 2)))
        said[turn % 2].append(TimedWord(f"turn{turn}", start, round(start + 0.4, 2)))
    ids = [f"V00_S{number:04d}_I00000700_P{2 * number + side:04d}" for side in (0, 1)]
    sides = [
        Side(id, role, tuple(vad), tuple(heard) if words else None)
        for id, role, vad, heard in zip(ids, roles, spans, said, strict=True)
    ]
    return Conversation("P0700_v3.2.0.RP_AMCP_AMCN", 700, turns * 2.4 + 1, *sides)


def comparable(made: Plan) -> dict[str, list[str]]:
    """The plan's rows as sets, since the release sorts them."""
    return {name: sorted(map(repr, rows)) for name, rows in made.tables.items()}


def by(rows: Iterable[Mapping[str, Any]], *columns: str) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row[column] for column in columns) for row in rows)


@settings(max_examples=25)
@given(corpus=strategies.corpora(most=4, most_seconds=30.0), random=st.randoms(use_true_random=False))
def test_any_corpus_gives_a_sound_release_or_says_that_nothing_is_left(
    corpus: tuple[Conversation, ...], random: random.Random
) -> None:
    with TemporaryDirectory() as folder:
        base = Path(folder)
        write_corpus(base / "corpus", corpus)
        try:
            made, findings = planned(base)
        except Refused as refused:
            pytest.fail(f"a sound corpus is not to be refused: {refused.findings.as_json()}")
        rows = [conversation.assignment for conversation in corpus]
        random.shuffle(rows)
        write_assignments(base / "corpus" / "assignment.csv", rows)
        again, _ = planned(base)
        assert comparable(again) == comparable(made)
        assert again.sources == made.sources
        assert again.report == made.report
        assert not findings.failed
        order = Order(family="stance", recipe=recipe(), base=base, out=base / "release")
        if not made.tables["items"]:
            with pytest.raises(Refused):
                make(order, quiet)
            return
        release = make(order, quiet).release
        assert release is not None
        assert not validate(release).failed
        sides = {side.file_id: side for side in chain.from_iterable((entry.a, entry.b) for entry in corpus)}
        for row in release.table("sources").to_pylist():
            vad = sides[Path(row["path"]).stem].vad
            heard = sum(
                max(0.0, min(end, to) - max(start, at))
                for start, end in zip(row["starts"], row["ends"], strict=True)
                for at, to in ((48_000 * a, 48_000 * b) for a, b in vad)
            )
            assert row["active"] == pytest.approx(heard / 48_000, abs=1e-4), "active speech is the corpus's own VAD"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    roles = [("Warm", "Aloof"), ("Friendly", "Crafty"), ("Outgoing", "Taciturn"), ("Warm", "Dominant")]
    write_corpus(tmp_path / "corpus", [talk(n, pair) for n, pair in enumerate(roles)])
    return tmp_path


def test_each_side_is_judged_in_the_dimension_of_its_role(base: Path) -> None:
    made, _ = planned(base)
    facets = {row["item_id"]: row["facet"] for row in made.tables["items"]}
    found = {(row["role"], facets[row["item_id"]], row["gold"]) for row in made.tables["answers"]}
    assert found == {
        ("Warm", "S0", "P"),
        ("Friendly", "S0", "P"),
        ("Aloof", "S0", "N"),
        ("Outgoing", "S6", "P"),
        ("Taciturn", "S6", "N"),
        ("Dominant", "S7", "N"),
    }, "Crafty is of no dimension; what the other one plays is not hindered by that"
    categories = {row["role"]: row["category"] for row in made.tables["answers"]}
    assert None not in categories.values()
    assert set(made.facets) == {dimension.id for dimension in PAPER.dimensions}


def test_every_item_is_asked_in_both_orders_and_both_modalities(base: Path) -> None:
    made, _ = planned(base)
    asked = by(made.tables["presentations"], "item_id", "order", "modality")
    assert set(asked.values()) == {1}
    assert asked.keys() == {
        (row["item_id"], order, modality)
        for row in made.tables["items"]
        for order in ("PN", "NP")
        for modality in ("audio", "transcript")
    }
    labels = {tuple(row["labels"]) for row in made.tables["presentations"]}
    assert labels == {("TARGET",), ("CONTEXT", "TARGET")}
    clip_of = {(row["item_id"], row["role"].upper()): row["clip_id"] for row in made.tables["item_clips"]}
    for row in made.tables["presentations"]:
        assert row["clips"] == [clip_of[row["item_id"], label] for label in row["labels"]]  # type: ignore[union-attr]


def test_context_is_the_partners_and_comes_just_before(base: Path) -> None:
    made, _ = planned(base)
    sources = {row["clip_id"]: row for row in made.tables["sources"]}
    pairs: dict[object, dict[object, Mapping[str, Any]]] = {}
    for row in made.tables["item_clips"]:
        pairs.setdefault(row["item_id"], {})[row["role"]] = sources[row["clip_id"]]
    both = [pair for pair in pairs.values() if "context" in pair]
    assert both
    for pair in both:
        context, target = pair["context"], pair["target"]
        assert context["speaker"] != target["speaker"]
        assert context["conversation"] == target["conversation"]
        assert 0 <= target["starts"][0] - context["ends"][-1] <= 2 * 48_000


def test_context_after_is_a_kind_of_its_own(base: Path) -> None:
    plain, _ = planned(base)
    both, _ = planned(base, segments={**SEGMENTS, "context_after": True})
    added = {row["prompt_id"] for row in both.tables["prompts"]} - {row["prompt_id"] for row in plain.tables["prompts"]}
    assert added
    assert all(str(prompt).endswith("-after") for prompt in added)
    assert {row["item_id"] for row in plain.tables["items"]} <= {row["item_id"] for row in both.tables["items"]}
    labels = {tuple(row["labels"]) for row in both.tables["presentations"]}  # type: ignore[arg-type]
    assert ("TARGET", "CONTEXT") in labels


def test_one_pair_of_clips_may_be_an_item_of_either_speaker(tmp_path: Path) -> None:
    """What A said and B answered: B's turn with its context before, and A's with its context after, of opposite poles."""
    write_corpus(tmp_path / "corpus", [talk(0, ("Outgoing", "Taciturn"), turns=2)])
    made, _ = planned(tmp_path, segments={**SEGMENTS, "context_after": True})
    assert len(made.tables["clips"]) == 2
    assert by(made.tables["items"], "target") == {(None,): 1, ("context after",): 1}
    assert by(made.tables["answers"], "gold") == {("P",): 1, ("N",): 1}
    speakers = {row["clip_id"]: row["speaker"] for row in made.tables["sources"]}
    gold = {row["item_id"]: row["gold"] for row in made.tables["answers"]}
    targets = {
        gold[row["item_id"]]: speakers[row["clip_id"]] for row in made.tables["item_clips"] if row["role"] == "target"
    }
    assert targets == {"P": "V00_P0000", "N": "V00_P0001"}
    order = Order(
        family="stance",
        recipe=recipe(segments={**SEGMENTS, "context_after": True}),
        base=tmp_path,
        out=tmp_path / "release",
    )
    release = make(order, quiet).release
    assert release is not None
    assert not validate(release).failed


def test_without_words_there_is_no_transcript_protocol(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus", [talk(n, ("Warm", "Aloof"), words=False) for n in range(2)])
    made, findings = planned(tmp_path)
    assert by(made.tables["presentations"], "modality").keys() == {("audio",)}
    assert {str(row["prompt_id"]).rsplit("-", 1)[1] for row in made.tables["prompts"]} == {"audio"}
    assert findings.counts["stance.no-transcript-protocol"] == 1
    assert {row["text"] for row in made.tables["sources"]} == {None}


def test_a_speaker_without_enough_speech_is_told(tmp_path: Path) -> None:
    short = talk(1, ("Warm", "Aloof"))
    silent = replace(short.b, vad=(), words=())
    write_corpus(tmp_path / "corpus", [talk(0, ("Warm", "Aloof")), replace(short, b=silent)])
    made, findings = planned(tmp_path)
    told = [finding.id for finding in findings if finding.code.name == "stance.no-item"]
    assert told == [f"S0 {short.b.file_id}"]
    assert by(made.tables["answers"], "gold")["P",] == 2 * by(made.tables["answers"], "gold")["N",]


def test_a_partner_without_recording_hinders_interactions_only(tmp_path: Path) -> None:
    talks = [talk(0, ("Warm", "Aloof")), talk(1, ("Outgoing", "Taciturn")), talk(2, ("Outgoing", "Taciturn"))]
    write_corpus(tmp_path / "corpus", talks, without=[talks[0].b.file_id, talks[1].b.file_id])
    made, findings = planned(tmp_path)
    speakers = {str(row["speaker"]) for row in made.tables["sources"]}
    assert speakers == {"V00_P0000", "V00_P0004", "V00_P0005"}
    assert findings.counts["corpus.no-partner"] == 2


def test_drops_are_counted_by_reason_in_seconds(tmp_path: Path) -> None:
    one = talk(0, ("Warm", "Aloof"))
    blip = replace(one.a, vad=(*one.a.vad, (one.seconds - 0.5, one.seconds - 0.4)))
    write_corpus(tmp_path / "corpus", [replace(one, a=blip)])
    made, _ = planned(tmp_path)
    drops = made.report["drops"]
    assert drops == {"single": {"backchannel": {"stretches": 1, "seconds": 0.1}}}


def test_the_sample_is_the_strata_ranked_with_the_key(tmp_path: Path) -> None:
    talks = [talk(n, ("Warm", "Aloof") if n % 3 else ("Friendly", "Aloof")) for n in range(24)]
    write_corpus(tmp_path / "corpus", talks)
    made, _ = planned(tmp_path, sample={"share": 0.25, "floor": 3})
    strata = {
        role: [f"V00_S{n:04d}_I00000700" for n, entry in enumerate(talks) if role in (entry.a.role, entry.b.role)]
        for role in ("Warm", "Aloof", "Friendly")
    }
    wanted = stratified_sample(strata, share=0.25, floor=3, key=KEY, seed=4)
    assert {row["conversation"] for row in made.tables["sources"]} == set(wanted.ids)
    drawn = {(row["stratum"], row["id"]) for row in made.tables["selection"] if row["drawn"]}
    assert by(made.tables["selection"], "stratum") == {("Warm",): 16, ("Aloof",): 24, ("Friendly",): 8}
    assert Counter(stratum for stratum, _ in drawn) == {"Warm": 4, "Aloof": 6, "Friendly": 3}
    report = made.report["sample"]
    assert isinstance(report, dict)
    assert [row["stratum"] for row in report["roles"]] == ["Aloof", "Friendly", "Warm"]
    assert "cutoff" not in str(report), "a rank's cutoff is for the private side"
    other, _ = planned(tmp_path, key=bytes(32), sample={"share": 0.25, "floor": 3})
    assert {row["conversation"] for row in other.tables["sources"]} != set(wanted.ids)


def test_the_references_sample_warns_that_it_tells(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus", [talk(n, ("Warm", "Aloof")) for n in range(12)])
    sample: Mapping[str, Json] = {"method": "reference", "share": 0.5, "floor": 2}
    one, findings = planned(tmp_path, sample=sample)
    two, _ = planned(tmp_path, key=bytes(32), sample=sample)
    assert findings.counts["stance.public-draw"] == 1
    taken = [{row["conversation"] for row in made.tables["sources"]} for made in (one, two)]
    assert taken[0] == taken[1], "its draw needs no key, which is what the warning is about"
    assert 6 <= len(taken[0]) < 12


def test_a_role_with_one_prompt_is_confounded_with_it(base: Path) -> None:
    _, findings = planned(base)
    told = {finding.id for finding in findings if finding.code.name == "sample.role-in-one-prompt"}
    assert {"Warm", "Aloof"} <= told


def test_the_recipe_kept_has_no_path_and_everything_that_decided(base: Path) -> None:
    made, _ = planned(base)
    assert made.recipe.keys() == {"release", "corpus", "sample", "segments", "mapping", "rubric"}
    assert str(base) not in repr(made.recipe)
    assert "assignment.csv" not in repr(made.recipe)
    assert made.roots == {"seamless-interaction": base / "corpus"}
    assert made.sources[0].metadata.keys() == {"assignments", "recordings"}


def test_a_mapping_of_ones_own_decides_the_poles(base: Path) -> None:
    (base / "mapping.toml").write_text(
        '[[dimension]]\nid = "X1"\nname = "Slyness"\nmode = "single"\n'
        'positive = { roles = ["Crafty"] }\nnegative = { roles = ["Warm"] }\n'
    )
    with pytest.raises(Refused) as refused:
        planned(base, dimensions={"mapping": "mapping.toml"})
    assert refused.value.findings.counts["rubric.dimension-missing"] == 1, "the default rubric asks nothing about it"
    (base / "rubric.toml").write_text(
        'name = "mine"\nswaps = ["definitions"]\n[[criterion]]\nid = "X1"\nquestion = "Which pole is it?"\n'
        'positive = "Plays a hidden game."\nnegative = "Plays an open game."\n'
    )
    made, _ = planned(base, dimensions={"mapping": "mapping.toml"}, rubric={"file": "rubric.toml"})
    facets = {row["item_id"]: row["facet"] for row in made.tables["items"]}
    found = {(row["role"], facets[row["item_id"]], row["gold"]) for row in made.tables["answers"]}
    assert found == {("Crafty", "X1", "P"), ("Warm", "X1", "N")}
    assert any("hidden game" in str(row["user"]) for row in made.tables["prompts"])


@pytest.mark.parametrize("name", ["mapping", "rubric"])
def test_a_file_that_is_not_there_is_refused(base: Path, name: str) -> None:
    section: Mapping[str, Mapping[str, Json]] = (
        {"dimensions": {"mapping": "absent.toml"}} if name == "mapping" else {"rubric": {"file": "absent.toml"}}
    )
    with pytest.raises(Refused) as refused:
        planned(base, **section)
    assert f"{name}.unreadable" in refused.value.findings.counts


def test_who_is_judged() -> None:
    ids = [FileId.parse(f"V00_S0001_I00000700_P000{n}") for n in (1, 2)]

    def sides(role_a: str | None, role_b: str | None) -> list[tuple[str, str, str]]:
        recorded: Any = object()  # whether there is a recording is all that is asked
        read = Read("P0700", Participant(ids[0], role_a, recorded), Participant(ids[1], role_b, recorded))
        return [(side.dimension.id, side.pole, side.role) for side in judged(read, PAPER)]

    assert sides("Warm", "Dominant") == [("S0", "P", "Warm"), ("S7", "N", "Dominant")]
    assert sides(None, "Warm") == [("S0", "P", "Warm")]
    assert sides("Crafty", None) == []


def test_progress_is_told_to_the_end(miniature: Miniature) -> None:
    told: list[tuple[str, int, int]] = []
    plan(miniature.recipe(), miniature.base, KEY, Findings(), lambda *step: told.append(step))
    ends = {doing: (done, total) for doing, done, total in told}
    assert ends.keys() == {"reading conversations", "cutting segments"}
    assert all(done == total > 0 for done, total in ends.values())


def test_rows_fit_their_tables(base: Path) -> None:
    made, _ = planned(base)
    for name, table in STANCE.tables().items():
        assert table.from_rows(made.tables[name]).num_rows == len(made.tables[name]) > 0
