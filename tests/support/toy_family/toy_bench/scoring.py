"""How toys are marked: the share of presentations whose answer, mapped back to the clips, is the gold."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from earmark.manifests.release import Release
from earmark.manifests.report import MetricEntry, Report
from earmark.pages.figures import Figure as Drawing
from earmark.scoring.baselines import UNIFORM, always
from earmark.scoring.decisions import Decisions
from earmark.scoring.measuring import Figure, Options, Part
from earmark.scoring.measuring.clusters import item_clusters
from earmark.scoring.measuring.figured import HIGHER, Figured
from earmark.statistics.rates import Ratio

BASELINES = (UNIFORM, always("Tie"))
GLOSSARY = {"accuracy": "Share of presentations that are answered rightly."}
MEANING = {"AB": {"A": "one", "B": "other", "Tie": "tie"}, "BA": {"A": "other", "B": "one", "Tie": "tie"}}


def right(release: Release, decisions: Decisions) -> np.ndarray:
    gold = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    owed, hits = decisions.owed, np.zeros(len(decisions.owed.ids))
    for at, choice in zip(decisions.presentation.tolist(), decisions.choice.tolist(), strict=True):
        if choice >= 0:
            hits[at] = MEANING[owed.order[at]][decisions.choices[choice]] == gold[owed.item[at]]
    return hits


def figured(release: Release, decisions: Decisions) -> Figured:
    speakers = item_clusters(release, decisions.owed.item, role="one").speaker
    numbers = np.unique(np.array(speakers), return_inverse=True)[1]
    part = Part({"speaker": numbers}, partial(Ratio.of_rows, right(release, decisions)))
    figures = [Figure("accuracy", facet, (part,), chance=1 / 3) for facet in ("asking", "overall")]
    return Figured(tuple(figures), (("speaker",),), better={"accuracy": HIGHER}, leading=("accuracy",))


def evaluate(release: Release, decisions: Decisions, options: Options) -> list[MetricEntry]:
    return figured(release, decisions).measured(options)


def headline(release: Release, decisions: Decisions) -> float | None:
    return float(right(release, decisions).mean())


def draw(release: Release, decisions: Decisions, report: Report) -> Sequence[tuple[str, Drawing]]:
    return ()
