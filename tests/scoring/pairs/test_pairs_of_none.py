"""A protocol that owes nothing: everything is null with a reason, and nothing is an error."""

from __future__ import annotations

from tests.scoring.pairs.studies import Pair, Study, decisions_of, release_of

from earmark.scoring.measuring import Options
from earmark.scoring.pairs import credited, evaluate, headline


def test_nothing_owed_is_null_with_a_reason() -> None:
    release = release_of(Study((Pair("tone", ((1, 1), (1, 2)), "first", "level"),)))
    decisions = decisions_of(Study(()))
    entries = evaluate(release, decisions, Options(resamples=20))
    assert "accuracy" in {entry.metric for entry in entries}
    for entry in entries:
        assert (entry.value, entry.n) == (None, 0)
        assert entry.reason
    assert headline(release, decisions) is None
    assert credited(release, decisions) is None
