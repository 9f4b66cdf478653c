"""The gold of a release, and what is said of one that has none; whose draws an interval is from."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyarrow as pa
import pytest
from tests.scoring.pairs.studies import Pair, Study, decisions_of, release_of, right_letter

from earmark.manifests.errors import ReleaseError
from earmark.manifests.release import Release
from earmark.scoring.measuring import Options
from earmark.scoring.pairs import evaluate
from earmark.scoring.pairs.figures import figures
from earmark.scoring.pairs.gold import SPEAKER, read_gold
from earmark.scoring.pairs.marks import mark

ASKED = Study(
    (
        Pair("style", ((0, 0), (1, 0)), "second", "non_tie", "cross", variant="hard", sex=None),
        Pair("rate", ((1, 0), (1, 1)), "first", "non_tie", ties=False),
    )
)


def with_rows(release: Release, table: str, rows: list[dict[str, object]]) -> Release:
    """The release with other rows in one table."""
    other = pa.Table.from_pylist(rows)
    changed = SimpleNamespace(**vars(cast("SimpleNamespace", release)))
    read = release.table
    changed.table = lambda name: other if name == table else read(name)
    return cast("Release", changed)


def test_pairs_are_ordered_by_facet_and_clips_as_they_are_stored() -> None:
    gold = read_gold(release_of(ASKED))
    assert gold.items == ("i00001", "i00000")
    assert gold.facet.tolist() == ["rate", "style"]
    assert gold.gold.tolist() == [0, 1]
    assert gold.speakers.tolist() == ["same", "different"]
    assert gold.sex.tolist() == ["female", "undisclosed"]
    assert gold.variant.tolist() == ["main", "hard"]
    assert (gold.clip[0, 0], gold.clip[0, 1]) == (gold.clip[1, 1], gold.clip[0, 0] + 1)
    assert gold.speaker[0, 0] == gold.speaker[0, 1] == gold.speaker[1, 1] != gold.speaker[1, 0]
    assert gold.offered["p0000112"] == {"A", "B"}


@pytest.mark.parametrize(
    ("table", "column", "value", "message"),
    [
        ("answers", "gold", "P", "item i00001 has no gold"),
        ("item_clips", "item_id", "i00009", "item i00001 has not two clips with sources"),
        ("sources", "clip_id", "c999999", "item i00001 has not two clips with sources"),
        ("prompts", "answer", '{"type": "object"}', "prompt ties-False does not say which marks it offers"),
        ("prompts", "answer", "no JSON", "prompt ties-False does not say which marks it offers"),
    ],
)
def test_a_release_without_gold_is_refused(table: str, column: str, value: str, message: str) -> None:
    release = release_of(ASKED)
    rows = [{**row, column: value} for row in release.table(table).to_pylist()]
    with pytest.raises(ReleaseError, match=f"{message} in toy; `earmark validate`"):
        read_gold(with_rows(release, table, rows))


def study_of(few: int, many: int, pairs: int = 60) -> Study:
    """Style of few speakers and age of many others."""
    style = [Pair("style", ((n % few, n), ((n + 1) % few, n + 1)), "first", "non_tie") for n in range(pairs)]
    age = [Pair("age", ((100 + n % many, n), (100 + (n + 1) % many, n)), "first", "non_tie") for n in range(pairs)]
    return Study((*style, *age)).saying(
        lambda pair, order, _: right_letter(pair, order) if pair.clips[0][1] % 3 else "B"
    )


def test_intervals_climb_down_from_speakers_to_clips_to_pairs() -> None:
    def drawn(study: Study, facet: str) -> tuple[str, int, str | None]:
        entries = evaluate(release_of(study), decisions_of(study), Options(resamples=100))
        [entry] = [e for e in entries if (e.metric, e.facet, e.slice) == ("accuracy", facet, "all")]
        [interval] = entry.intervals
        assert interval.low is not None
        return interval.by, interval.clusters, interval.reason

    study = study_of(few=4, many=30)
    assert drawn(study, "age") == ("speaker", 30, None)
    assert drawn(study, "style") == ("clip", 61, "conditional on 4 speakers")  # each pair has a clip of the last one
    assert drawn(study, "overall") == ("speaker", 34, "conditional on the few speakers of style")
    assert drawn(study_of(few=25, many=30), "overall") == ("speaker", 55, None)
    same = Study(tuple(Pair("style", ((n % 2, 0), (n % 2, 1)), "first", "non_tie") for n in range(10)))
    said = same.saying(lambda pair, order, _: right_letter(pair, order) if pair.clips[0][0] else "B")
    assert drawn(said, "style") == ("pair", 10, "conditional on 2 speakers")


def test_the_speakers_of_small_criteria_are_there_once_in_the_mean() -> None:
    """No replicate is without them, which would leave the headline of the paper's own corpora without an interval."""
    study = study_of(few=3, many=40)
    marked = mark(read_gold(release_of(study)), decisions_of(study))
    every = [figure for figure in figures(marked) if figure.facet == "overall"]
    numbering = marked.gold.number(SPEAKER, every)
    weights = np.concatenate(list(numbering.weights(Options(resamples=400))))
    style = marked.gold.facet[numbering.present] == "style"
    assert (weights[:, style].sum(axis=1) > 0).all()
    clips_only = np.concatenate(list(marked.gold.number("clip", every).weights(Options(resamples=400))))
    assert (clips_only[:, style] == weights[:, style]).all()
    assert (clips_only[:, ~style] != weights[:, ~style]).any()


def test_facets_are_drawn_apart() -> None:
    """A facet's intervals are the same whether or not others are there, though they share speakers and clips."""
    study = study_of(few=25, many=25)
    release, options = release_of(study), Options(resamples=60)
    alone = Study(study.pairs[:60], tuple(said for said in study.said if said.pair < 60))
    both = {(e.metric, e.slice): e for e in evaluate(release, decisions_of(study), options) if e.facet == "style"}
    for entry in evaluate(release_of(alone), decisions_of(alone), options):
        if entry.facet == "style":
            other = both[entry.metric, entry.slice]
            assert replace(entry, p_adjusted=None) == replace(other, p_adjusted=None)
