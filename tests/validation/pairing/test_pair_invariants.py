"""Invariants of pairs: sound tables break none, each named fault breaks its own, and small examples told by hand agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from earmark.manifests.families.pairs_recipe import Caps, Cell, Rules
from earmark.validation import invariants, pairing, strategies
from earmark.validation.pairing import PAIR_INVARIANTS, PairInvariant, PairTables, check_pairs
from earmark.validation.pairing.rules import BORDER_YEARS
from earmark.validation.strategies import PAIR_FAULTS, BrokenPairs, DrawnPairs, PairFault


def require_none(drawn: DrawnPairs) -> None:
    assert drawn.check().counts == {}


def require_its_own(broken: BrokenPairs) -> None:
    found = broken.drawn.check().counts
    assert broken.fault.code in found
    assert found.keys() <= {broken.fault.code, *broken.fault.also}


@settings(max_examples=25)
@given(strategies.pair_tables())
def test_sound_tables_break_nothing(drawn: DrawnPairs) -> None:
    require_none(drawn)


@pytest.mark.parametrize("fault", PAIR_FAULTS, ids=lambda fault: fault.name)
@settings(max_examples=2)
@given(drawn=strategies.pair_tables())
def test_each_fault_is_found_and_nothing_that_does_not_follow_from_it(fault: PairFault, drawn: DrawnPairs) -> None:
    require_its_own(strategies.put_fault(drawn, fault))


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(10))
def test_ten_thousand_tables_are_sound_until_they_are_broken(shard: int) -> None:
    """Ten searches of a thousand, which as many processes can share; nothing is shrunk, so that a failure is told at once."""
    phases = [Phase.generate]
    seed(shard)(
        settings(max_examples=1_000, suppress_health_check=list(HealthCheck), database=None, phases=phases)(
            given(strategies.pair_tables(), st.sampled_from(PAIR_FAULTS))(sound_until_broken)
        )
    )()


def sound_until_broken(drawn: DrawnPairs, fault: PairFault) -> None:
    require_none(drawn)
    require_its_own(strategies.put_fault(drawn, fault))


@settings(max_examples=5)
@given(strategies.pair_tables(), st.sampled_from(PAIR_FAULTS))
def test_a_fault_is_put_into_a_copy(drawn: DrawnPairs, fault: PairFault) -> None:
    strategies.put_fault(drawn, fault)
    require_none(drawn)


@pytest.mark.parametrize("invariant", PAIR_INVARIANTS, ids=lambda invariant: invariant.name)
def test_every_invariant_has_a_fault_a_sentence_and_a_public_name(invariant: PairInvariant) -> None:
    assert invariant.name in {fault.code for fault in PAIR_FAULTS}
    assert invariant.means.endswith(".")
    assert getattr(pairing, invariant.faults.__name__) is invariant
    assert invariant.faults.__name__ in pairing.__all__
    assert invariant in invariants.PAIR_INVARIANTS


def test_no_two_invariants_have_one_code() -> None:
    assert len({invariant.code for invariant in PAIR_INVARIANTS}) == len(PAIR_INVARIANTS)
    assert {fault.code for fault in PAIR_FAULTS} == {invariant.name for invariant in PAIR_INVARIANTS}
    assert len({fault.name for fault in PAIR_FAULTS}) == len(PAIR_FAULTS)


@settings(max_examples=10)
@given(strategies.broken_pair_tables())
def test_an_invariant_asked_alone_finds_what_it_finds_among_all(broken: BrokenPairs) -> None:
    drawn = broken.drawn
    tables = drawn.tables()
    alone = [entry(tables, drawn.rules, caps=drawn.caps, cells=drawn.cells).counts for entry in PAIR_INVARIANTS]
    assert {name: count for counts in alone for name, count in counts.items()} == drawn.check().counts


# Small tables told by hand.

Said = dict[str, Any]


def spoken(name: str, **said: object) -> Said:
    return {"utterance": name, "corpus": "a", "speaker": "a/x", "text": "Well, then.", **said}


def pair(criterion: str, target: str, kind: str = "both_bad", **said: object) -> Said:
    sides = {"first": "1", "second": "2", "preferred": None, "transcript": "same"}
    return {"pair": "p", "criterion": criterion, "target": target, "kind": kind, **sides, **said}


def broken_by(utterances: list[Said], pairs: list[Said], rules: Rules | None = None, **terms: Any) -> set[str]:
    tables = PairTables.of(utterances, pairs)
    found = check_pairs(tables, Rules() if rules is None else rules, **terms)
    return {name.removeprefix("pairs.") for name in found.counts}


def aged(first: Said, second: Said, kind: str = "non_tie", target: str = "55-100", **said: object) -> set[str]:
    """What a pair of two women of two ages breaks."""
    sides = [spoken(n, speaker=n, **{"sex": "female", **side}) for n, side in (("1", first), ("2", second))]
    preferred = "first" if kind == "non_tie" else None
    return broken_by(sides, [pair("age", target, kind, preferred=preferred, **said)])


OLD, MIDDLE, GROWN, YOUNG, CHILD = ({"age_group": group} for group in ("55-100", "42-54", "29-41", "17-28", "9-16"))


def test_the_borders_of_the_age_groups() -> None:
    assert {16, 17, 28, 29, 41, 42, 54, 55} == BORDER_YEARS
    assert aged({**MIDDLE, "age": 43}, {**YOUNG, "age": 27}, target="42-54") == set()
    assert aged({**MIDDLE, "age": 42}, {**YOUNG, "age": 27}, target="42-54") == {"border-years"}
    assert aged({**OLD, "age": 55}, {**MIDDLE, "age": 54}, variant="hard") == {"border-years"}
    assert aged({**OLD, "age": 56}, {**MIDDLE, "age": 53}, variant="hard") == set()


def test_children_and_elders_are_clearly_such() -> None:
    assert aged({**OLD, "age": 60}, {**CHILD, "age": 12}) == set()
    assert aged({**OLD, "age": 59}, {**CHILD, "age": 12}) == {"clear-ages"}
    assert aged({**OLD, "age": 60}, {**CHILD, "age": 13}) == {"clear-ages"}
    assert aged({**OLD, "age": None}, {**CHILD, "age": None}) == set()
    assert aged({**OLD, "age": 57}, {**MIDDLE, "age": 50}, variant="hard") == set()


@pytest.mark.parametrize(
    ("foil", "variant", "broken"),
    [
        (GROWN, "main", set()),
        (CHILD, "main", set()),
        (MIDDLE, "hard", set()),
        (MIDDLE, "main", {"group-distance"}),
        (GROWN, "hard", {"group-distance"}),
    ],
)
def test_foils_of_the_next_group_are_hard(foil: Said, variant: str, broken: set[str]) -> None:
    assert aged(OLD, foil, variant=variant) == broken


def test_neither_of_two_foils_is_nearer() -> None:
    assert aged(GROWN, GROWN, "both_bad") == set()
    assert aged(YOUNG, OLD, "both_bad", target="29-41") == {"equal-distance"}
    assert aged(YOUNG, MIDDLE, "both_bad", target="29-41") == set()


def test_the_sex_of_an_age_pair_is_one_and_known() -> None:
    assert aged({**OLD, "sex": "male"}, {**GROWN, "sex": "male"}) == set()
    assert aged({**OLD, "sex": "male"}, GROWN) == {"same-sex"}
    assert aged({**OLD, "sex": None}, {**GROWN, "sex": None}) == {"same-sex"}


@pytest.mark.parametrize(
    ("said", "broken"),
    [
        ({"age": 17}, set()),
        ({"age": 16}, {"adults-only"}),
        ({"age_group": "9-16"}, {"adults-only"}),
        ({"age_group": "17-28"}, set()),
        ({}, set()),
    ],
)
def test_who_is_grown_up(said: Said, broken: set[str]) -> None:
    sides = [spoken("1", sex="male", speaker="1", **said), spoken("2", sex="female", speaker="2")]
    assert broken_by(sides, [pair("gender", "male", "non_tie", preferred="first")]) == broken


@pytest.mark.parametrize(
    ("slow", "fast", "broken"),
    [
        ({}, {}, set()),  # nothing is known of the sound
        ({"start": 0, "end": 200, "rate": 100}, {"start": 50, "end": 200, "rate": 100}, set()),
        ({"start": 0, "end": 200, "rate": 100}, {"start": 0, "end": 300, "rate": 100}, {"label-by-sound"}),
        ({"start": 0, "end": 200, "rate": 100}, {"start": 0, "end": 300, "rate": 200}, set()),
        ({"words_per_second": 2.0}, {"words_per_second": 2.5}, set()),
        ({"words_per_second": 2.5}, {"words_per_second": 2.5}, {"label-by-sound"}),
        # Longer, as it has more silence, yet measured faster.
        (
            {"start": 0, "end": 200, "rate": 100, "words_per_second": 2.0},
            {"start": 0, "end": 300, "rate": 100, "words_per_second": 3.0},
            set(),
        ),
        # Longer, as it has more silence around it.
        (
            {"start": 0, "end": 200, "rate": 100, "lead": 0.25},
            {"start": 0, "end": 300, "rate": 100, "lead": 1.0, "trail": 0.5},
            set(),
        ),
        # Somebody else's slow may be faster.
        ({"words_per_second": 3.0}, {"words_per_second": 2.5, "speaker": "a/y"}, {"same-speaker"}),
        # The time that two texts take says nothing.
        ({"start": 0, "end": 200, "rate": 100}, {"start": 0, "end": 300, "rate": 100, "text": "No."}, set()),
    ],
)
def test_a_label_is_held_to_the_sound(slow: Said, fast: Said, broken: set[str]) -> None:
    sides = [spoken("1", pace="slow", **slow), spoken("2", pace="regular", **fast)]
    transcript = "cross" if "text" in fast else "same"
    asked = pair("rate", "slow", "non_tie", preferred="first", transcript=transcript)
    assert broken_by(sides, [asked]) == broken
    assert broken_by(sides, [asked], Rules(label_by_sound=False)) == broken - {"label-by-sound"}


def test_a_word_within_a_marked_phrase_has_no_label() -> None:
    sides = [spoken("1", text="Do it *right now*!", emphasised=["right now"]), spoken("2", text="Do it right now.")]
    assert broken_by(sides, [pair("emphasis", "now")]) == {"kind-matches-labels"}


def test_a_word_is_counted_and_not_its_letters() -> None:
    sides = [spoken("1", text="It, as it is", emphasised=["is"]), spoken("2", text="It, as it *is*", emphasised=["as"])]
    assert broken_by(sides, [pair("emphasis", "is", "non_tie", preferred="first")]) == set()
    assert broken_by(sides, [pair("emphasis", "it")]) == {"single-occurrence"}


SWITCHES: list[tuple[str, str, Rules]] = [
    ("a second voice", "same-speaker", Rules(same_speaker=())),
    ("one voice on both sides", "different-speakers", Rules(different_speakers=())),
    ("two corpora", "one-corpus", Rules(one_corpus=False)),
    ("two sexes", "same-sex", Rules(same_sex=())),
    ("a child", "adults-only", Rules(adults_only=())),
    ("a year beside a border", "border-years", Rules(drop_border_years=False)),
    ("a child nearly grown up", "clear-ages", Rules(clear_ages=False)),
    ("one foil is nearer", "equal-distance", Rules(both_bad_equal_distance=False)),
    ("the word stands twice", "single-occurrence", Rules(single_occurrence=False)),
    ("several marks", "single-mark", Rules(single_mark=False)),
    ("fast is slower", "label-by-sound", Rules(label_by_sound=False)),
]


@pytest.mark.parametrize(("name", "code", "rules"), SWITCHES, ids=lambda value: value if isinstance(value, str) else "")
@settings(max_examples=2)
@given(drawn=strategies.pair_tables())
def test_a_rule_that_is_off_forbids_nothing(name: str, code: str, rules: Rules, drawn: DrawnPairs) -> None:
    fault = next(fault for fault in PAIR_FAULTS if fault.name == name)
    broken = strategies.put_fault(drawn, fault).drawn
    assert f"pairs.{code}" in broken.check().counts
    broken.rules = rules
    assert f"pairs.{code}" not in broken.check().counts


def many(count: int, change: Callable[[int], Said]) -> tuple[list[Said], list[Said]]:
    """As many both-good style pairs as asked for, each of two utterances of its own."""
    sides = [spoken(f"{n}-{side}", style="happy") for n in range(count) for side in (1, 2)]
    pairs = [pair("style", "happy", "both_good", pair=f"p{n}", first=f"{n}-1", second=f"{n}-2") for n in range(count)]
    return sides, [{**row, **change(n)} for n, row in enumerate(pairs)]


def test_caps_count_within_a_criterion_and_a_speaker_once_a_pair() -> None:
    sides, pairs = many(3, lambda n: {"first": "0-1"})
    assert broken_by(sides, pairs, caps={"style": Caps(clip=3, speaker=3)}) == set()
    assert broken_by(sides, pairs, caps={"style": Caps(clip=2, speaker=2)}) == {"clip-cap", "speaker-cap"}
    assert broken_by(sides, pairs, caps={"rate": Caps(clip=2, speaker=2)}) == set()
    sides, pairs = many(2, lambda n: {"first": f"0-{1 + n}", "second": f"0-{2 - n}"})
    assert broken_by(sides, pairs, caps={"style": Caps()}) == {"clip-pair-cap"}
    assert broken_by(sides, pairs, caps={"style": Caps(clip_pair=2)}) == set()


def test_a_control_may_have_one_clip_on_both_sides_and_counts_for_nothing() -> None:
    sides, pairs = many(2, lambda n: {"second": f"{n}-1"})
    assert broken_by(sides, pairs) == {"two-clips"}
    assert broken_by(sides, [{**row, "variant": "identical"} for row in pairs], caps={"style": Caps(clip=0)}) == set()


def cell(**said: Any) -> Cell:
    usual = {"criterion": "style", "kind": "both_good", "transcript": "same", "demand": 2}
    return Cell(**{**usual, "candidates": 2, "feasible": 2, "filled": 2, **said})


@pytest.mark.parametrize(
    ("cells", "broken"),
    [
        ([cell()], set()),
        ([cell(target="happy", speakers="same")], set()),
        ([cell(demand=None)], set()),
        ([cell(demand=3)], {"quotas"}),
        ([cell(demand=3, binding="no more candidates")], set()),
        ([cell(demand=1)], {"quotas"}),
        ([cell(filled=1)], {"quotas"}),
        ([cell(candidates=1)], {"quotas"}),
        ([cell(demand=None, candidates=3)], set()),
        ([cell(speakers="different", filled=0, demand=0)], {"in-one-cell"}),
        ([cell(sex="either")], {"in-one-cell", "quotas"}),  # of nobody the sex is known
        ([cell(target="sad")], {"in-one-cell", "quotas"}),
        ([cell(), cell(target="happy")], {"in-one-cell"}),
    ],
)
def test_cells_are_exact(cells: list[Cell], broken: set[str]) -> None:
    assert broken_by(*many(2, lambda n: {}), cells=cells) == broken


@pytest.mark.parametrize(
    ("sexes", "cell_sex", "inside"),
    [
        ("ff", "female", True),
        ("ff", "either", True),
        ("mm", "either", True),
        ("fm", "either", False),
        ("fm", "mixed", True),
        ("ff", "mixed", False),
        ("f?", "mixed", False),
        ("f?", "any", True),
    ],
)
def test_what_a_cell_says_of_sex(sexes: str, cell_sex: str, inside: bool) -> None:
    names = {"f": "female", "m": "male", "?": None}
    sides, pairs = many(1, lambda n: {})
    sides = [{**row, "sex": names[sex]} for row, sex in zip(sides, sexes, strict=True)]
    one = cell(sex=cell_sex, demand=1, filled=1)
    assert ("in-one-cell" not in broken_by(sides, pairs, cells=[one])) == inside


@given(st.integers(0, 6), st.integers(0, 6))
def test_the_first_is_preferred_as_often_as_the_second_to_within_one(first: int, second: int) -> None:
    sides, pairs = many(first + second, lambda n: {"kind": "non_tie"})
    for n, row in enumerate(pairs):
        row["preferred"], other = ("first", "2") if n < first else ("second", "1")
        next(side for side in sides if side["utterance"] == f"{n}-{other}")["style"] = "sad"
    assert broken_by(sides, pairs) == (set() if abs(first - second) <= 1 else {"first-balanced"})


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
def test_one_voice_is_no_sign_of_a_tie(good_one: int, good_two: int, bad_one: int, bad_two: int) -> None:
    """Equal shares of the both-good and the both-bad pairs are never found, shares of 0 and 1 always."""
    goods, bads = good_one + good_two, bad_one + bad_two
    sides, pairs = many(goods + bads, lambda n: {"target": "happy" if n < goods else "sad"})
    for n, row in enumerate(pairs):
        row["kind"] = "both_good" if n < goods else "both_bad"
        if good_one <= n < goods or n >= goods + bad_one:
            sides[2 * n]["speaker"] = "a/y"
    found = broken_by(sides, pairs, Rules(same_speaker=()))
    assert found <= {"speaker-share"}
    if good_one * bads == bad_one * goods:
        assert found == set()
    short = cell(kind="both_bad", demand=9, candidates=9, feasible=9, binding="caps")
    assert "speaker-share" not in broken_by(sides, pairs, Rules(same_speaker=()), cells=[short])
    if min(goods, bads) >= 2 and {good_one / goods, bad_one / bads} == {0, 1}:
        assert found == {"speaker-share"}


def test_texts_are_compared_as_words_and_two_names_of_one_recording_are_found() -> None:
    sides = [spoken("1", text="*Well* then"), spoken("2", text="<laugh> WELL, then!", pcm_hash="x")]
    sides = [{**row, "style": "sad"} for row in sides]
    assert broken_by(sides, [pair("style", "happy")]) == set()
    assert broken_by(sides, [pair("style", "happy", transcript="cross")]) == {"transcript-true"}
    assert broken_by([{**row, "pcm_hash": "x"} for row in sides], [pair("style", "happy")]) == {"two-clips"}


def test_findings_say_which_pair_what_was_found_and_what_would_be_right() -> None:
    sides = [spoken("1", style="happy"), spoken("2", style="sad")]
    (finding,) = pairing.kind_matches_labels(PairTables.of(sides, [pair("style", "happy", "both_good")]))
    assert (finding.place(), finding.found, finding.expected) == ("pairs:1 [kind] p", "both_good", "non_tie")
