"""Shortcuts: rules counted by hand, the probe beside a grouped cross-validation of scikit-learn's, and what neither can tell."""

from __future__ import annotations

import numpy as np
import pytest

from earmark.builders.contrast.shortcuts import PROBE, RULES, Chosen, probe_marks, rule_marks, shortcuts
from earmark.builders.contrast.signs import SIGNED


def rows_of(seed: int, dialogues: int, lean: float) -> list[Chosen]:
    """Turns 4 and 6 of made-up dialogues, whose resonant options are quieter by `lean` standard deviations."""
    rng = np.random.default_rng(seed)
    made = []
    for dialogue in range(dialogues):
        for turn in (4, 6):
            values = rng.standard_normal(5)
            values[0] -= lean
            made.append(Chosen(f"d{dialogue:03}", turn, tuple(values.tolist())))
    return made


def test_rules_by_hand() -> None:
    rows = [
        Chosen("a", 4, (-3.0, 0.1, 0.2, -0.1, 0.0)),
        Chosen("a", 6, (-1.0, -0.1, 0.2, -0.1, 0.0)),
        Chosen("b", 4, (2.0, 0.1, 0.0, None, 0.0)),
        Chosen("b", 6, (-2.0, None, 0.1, 0.1, 0.0)),
    ]
    found = {shortcut.rule: shortcut for shortcut in shortcuts(rows, replicates=200)}
    assert list(found) == [*RULES, PROBE]
    turns = {rule: shortcut.turns.value for rule, shortcut in found.items()}
    assert turns["quieter"] == 0.75
    assert turns["louder"] == 0.25
    assert turns["longer"] == 3.5 / 4
    assert turns["higher"] == 2.5 / 4
    assert turns["slower"] == 2.5 / 4
    dialogues = {rule: shortcut.dialogues.value for rule, shortcut in found.items()}
    assert dialogues["quieter"] == 0.5
    assert dialogues["longer"] == (1 + 0.5) / 2
    assert dialogues["higher"] == (0 + 0.5) / 2
    for opposite in (("louder", "quieter"), ("longer", "shorter"), ("higher", "lower"), ("faster", "slower")):
        assert (rule_marks(rows, opposite[0]) + rule_marks(rows, opposite[1]) == 1).all()
    assert shortcuts(rows[::-1], replicates=200) == shortcuts(rows, replicates=200)


def test_the_probe_is_a_grouped_cross_validation() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import LeaveOneGroupOut

    rows = rows_of(3, 12, 1.0)
    x = np.array([row.differences for row in rows], float)
    groups = [row.dialogue for row in rows]
    expected = np.zeros(len(rows))
    for train, test in LeaveOneGroupOut().split(x, groups=groups):
        scale = np.sqrt((x[train] ** 2).mean(axis=0))
        both = np.concatenate([x[train], -x[train]]) / scale
        model = LogisticRegression(fit_intercept=False, tol=1e-8, max_iter=1000)
        model.fit(both, np.repeat(["resonant", "dissonant"], len(train)))
        expected[test] = model.predict(x[test] / scale) == "resonant"
    assert probe_marks(rows).tolist() == expected.tolist()
    assert 0 < expected.mean() < 1


def test_a_release_whose_resonant_options_are_quieter_is_found_out() -> None:
    found = {shortcut.rule: shortcut for shortcut in shortcuts(rows_of(0, 60, 1.5), replicates=500)}
    for rule in ("quieter", PROBE):
        turns = found[rule].turns
        assert turns.low is not None
        assert turns.p is not None
        assert turns.low > 0.8
        assert turns.p < 0.01
        assert found[rule].dialogues.clusters == 60
    assert found["faster"].turns.low is not None
    assert found["faster"].turns.low < 0.5


@pytest.mark.parametrize("dialogues", [1, 2, 5])
def test_a_few_dialogues_prove_nothing(dialogues: int) -> None:
    rows = [Chosen(f"d{n}", turn, (-1.0,) * len(SIGNED)) for n in range(dialogues) for turn in (4, 6)]
    quieter = next(shortcut for shortcut in shortcuts(rows) if shortcut.rule == "quieter")
    assert quieter.turns.value == 1.0
    assert quieter.turns.p == 2.0 ** (1 - dialogues)  # all dialogues one way, or all the other


def test_two_turns_of_a_dialogue_are_no_two_witnesses() -> None:
    rows = rows_of(0, 60, 0.4)
    alone = [row for row in rows if row.turn == 4]
    doubled = [*alone, *(Chosen(row.dialogue, 6, row.differences) for row in alone)]
    once, twice = (
        [shortcut.turns.p for shortcut in shortcuts(given) if shortcut.rule in RULES] for given in (alone, doubled)
    )
    assert once == twice
    assert min(p for p in once if p is not None) < 1.0


def test_balance_to_the_last_one_leans_a_left_out_probe_the_other_way() -> None:
    rows = [Chosen(f"d{n}", 4, (1.0 if n % 2 else -1.0, 0.0, 0.0, 0.0, 0.0)) for n in range(10)]
    assert rule_marks(rows, "louder").mean() == 0.5
    assert probe_marks(rows).tolist() == [0.0] * 10


def test_what_cannot_be_told() -> None:
    one = [Chosen("a", 4, (1.0,) * 5), Chosen("a", 6, (1.0,) * 5)]
    assert probe_marks(one).tolist() == [0.5, 0.5]
    blind = [Chosen(name, 4, (None,) * len(SIGNED)) for name in "abc"]
    assert {shortcut.turns.value for shortcut in shortcuts(blind, replicates=50)} == {0.5}
    with pytest.raises(ValueError, match="at least one"):
        shortcuts([])
    with pytest.raises(ValueError, match="once"):
        shortcuts([one[0], one[0]])
