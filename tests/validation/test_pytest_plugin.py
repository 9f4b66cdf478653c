"""The pytest plugin: registered, light at the start, and its fixtures fail a test with all that was found."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from tests.docs.following import follow
from tests.docs.reading import DOCS

from earmark.validation.pytest_plugin import CheckPairs, PairingLaws, check_pairs, pairing_laws

# As the plugin is not loaded here, this module has its fixtures by name.
__all__ = ["check_pairs", "pairing_laws"]

PLUGIN = "earmark.validation.pytest_plugin"

TESTS = """
ROWS = [
    {"utterance": "a/1", "corpus": "a", "speaker": "x", "sex": "female", "text": "Off."},
    {"utterance": "a/2", "corpus": "a", "speaker": "y", "sex": "male", "text": "Off!"},
]
PAIR = {"pair": "p", "criterion": "gender", "target": "male", "first": "a/1", "second": "a/2", "kind": "non_tie"}
PAIR |= {"preferred": "second", "transcript": "same"}


def test_sound(check_pairs, pairing_laws):
    check_pairs(ROWS, [PAIR])
    pairing_laws(lambda rows: [PAIR], ROWS, laws=())


def test_two_faults_at_once(check_pairs):
    check_pairs(ROWS, [{**PAIR, "preferred": "first", "transcript": "cross"}])


def test_one_invariant_alone(check_pairs):
    from earmark.validation.pairing import transcript_true

    check_pairs(ROWS, [{**PAIR, "preferred": "first"}], invariants=[transcript_true])


def test_a_rule_switched_off(check_pairs):
    from earmark.validation.pairing import Rules

    rows = [ROWS[0], {**ROWS[1], "age_group": "9-16"}]
    check_pairs(rows, [PAIR], Rules(adults_only=()))
    check_pairs(rows, [PAIR])


def test_a_law(pairing_laws):
    pairing_laws(lambda rows: [PAIR] if rows[0] == ROWS[0] else [], ROWS)
"""


def test_it_is_registered_under_the_programs_name() -> None:
    (entry,) = entry_points(group="pytest11", name="earmark")
    assert entry.value == PLUGIN


def test_its_start_costs_nothing() -> None:
    """Whoever has Earmark installed pays for no more than the module itself whenever any test of theirs runs."""
    script = (
        f"import sys, pytest\nbefore = set(sys.modules)\nimport {PLUGIN}\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('_')))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["earmark", "earmark.validation", PLUGIN]


def test_fixtures_fail_a_test_with_all_that_was_found(tmp_path: Path) -> None:
    (tmp_path / "test_them.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-m", "pytest", "-p", "no:cacheprovider", "-rA", "test_them.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = run.stdout
    assert run.returncode == 1, told
    outcomes = {line.split("::")[1].split(" ")[0]: line.split()[0] for line in told.splitlines() if "py::test_" in line}
    assert outcomes == {
        "test_sound": "PASSED",
        "test_two_faults_at_once": "FAILED",
        "test_one_invariant_alone": "PASSED",
        "test_a_rule_switched_off": "FAILED",
        "test_a_law": "FAILED",
    }
    for code in ("pairs.preferred-satisfies", "pairs.transcript-true", "pairs.adults-only", "pairing.order-free"):
        assert f"error {code} pairs" in told
    assert "Traceback" not in told
    assert "pytest_plugin.py:" not in told, "what failed is shown in the test, not in the plugin"


SPOKEN = {"utterance": "a/1", "corpus": "a", "speaker": "x", "sex": "female", "text": "Off."}
PAIR = {"pair": "p", "criterion": "gender", "target": "male", "first": "a/1", "second": "a/1", "kind": "both_bad"}


UNSOUND = """
from hypothesis import given, settings
from earmark.validation.strategies import utterances

def pairs(rows):
    return [dict(pair="p", criterion="rate", target="fast", first="nobody", second=row["utterance"], kind="non_tie",
                 preferred="first", transcript="cross") for row in rows[:1]]

@settings(max_examples=5, database=None, deadline=None)
@given(utterances(corpora=["toy-paced"]))
def test_it(check_pairs, rows):
    check_pairs(rows, pairs(rows))
"""


def test_the_utterances_that_break_a_pairing_are_shown(tmp_path: Path) -> None:
    pytest.importorskip("hypothesis")
    (tmp_path / "test_it.py").write_text(UNSOUND, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "test_it.py"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert "error pairs." in told, told
    assert "'text': " in told


def test_the_message_counts_and_tells(check_pairs: CheckPairs, pairing_laws: PairingLaws) -> None:
    pairing_laws(lambda rows: [], [SPOKEN])
    check_pairs([SPOKEN], [])
    with pytest.raises(pytest.fail.Exception) as failed:
        check_pairs([SPOKEN], [{**PAIR, "transcript": "cross"}])
    first, *lines = str(failed.value).splitlines()
    assert first == "3 errors"
    codes = ["pairs.different-speakers", "pairs.transcript-true", "pairs.two-clips"]
    assert [line.split()[1] for line in lines] == codes
    with pytest.raises(pytest.fail.Exception, match=r"pairing\.shape"):
        pairing_laws(lambda rows: [{}], [SPOKEN])


def test_the_how_to_about_pairing_is_true(tmp_path: Path) -> None:
    """It needs nothing of the tutorial's, so it is followed by itself."""
    pytest.importorskip("hypothesis")
    assert follow(DOCS / "how-to" / "test-your-pairing.md", tmp_path) == []
