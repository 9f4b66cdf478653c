"""The golden releases: small ones kept in the repository, so that no change moves an id, a draw, a choice or a figure unseen.

`python -m tests.support.golden` writes them anew, and `python -m tests.support.golden pairs` one of them; do that only when a
change is meant, and say why in the commit. They hold nothing that is measured, which another platform might round otherwise.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.miniature import MINIATURE_KEY, Miniature
from tests.support.speech_miniatures import make_corpora, recipe
from tests.support.voiced import release_of, voiced

from earmark.builders.making import Order, make
from earmark.builders.miniatures.seamless import make_seamless
from earmark.manifests.canonical import Json
from earmark.manifests.release import Release
from earmark.scoring.baselines import Baseline, write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import score
from earmark.scoring.families import family_marks
from earmark.scoring.measuring import Options

FOLDER = Path(__file__).resolve().parents[1] / "golden"

OPTIONS = Options(resamples=200, seed=1)

PAIRS: Mapping[str, Mapping[str, Json]] = {
    "style": {
        "targets": ["happy", "whisper"],
        "non_tie": {"same": 2, "cross": 2},
        "both_good": {"same": 1, "cross": 1},
        "both_bad": {"same": 1, "cross": 1},
        "sexes": "any",
        "total": 16,
    },
    "rate": {"non_tie": {"same": 2}, "total": 6},
    "emphasis": {"non_tie": {"same": 2, "cross": 1}, "both_bad": {"same": 2, "cross": 1}, "total": 6},
    "age": {
        "targets": ["9-16", "55-100"],
        "non_tie": {"same": 2, "cross": 2},
        "both_good": {},
        "both_bad": {},
        "total": 8,
    },
    "gender": {
        "non_tie": {"same": 1, "cross": 1},
        "both_good": {"same": 1, "cross": 1},
        "both_bad": {"same": 1, "cross": 1},
        "total": 12,
    },
}
"""Quotas of the golden pairs, over the preset `crossed`."""


@dataclass(frozen=True)
class Golden:
    """A release that is kept.

    Args:
        family: Its family.
        build: Makes it from its corpora, which are made anew in a folder.
    """

    family: str
    build: Callable[[Path], Release]

    @property
    def path(self) -> Path:
        """Holds `release`, `predictions.jsonl` and `report.json`."""
        return FOLDER / self.family

    def rule(self, release: Release) -> Baseline:
        """Whose predictions are kept."""
        return family_marks(release).BASELINES[0]

    def predict(self, release: Release, file: Path) -> None:
        """Write those predictions."""
        write_predictions(self.rule(release), release, owed_presentations(release, release.protocol()), file)

    def write(self) -> None:
        """Write the golden files anew."""
        with tempfile.TemporaryDirectory() as scratch:
            release = self.build(Path(scratch))
            shutil.rmtree(self.path, ignore_errors=True)
            # What is there for people to look at is no part of a release.
            shutil.copytree(release.path, self.path / "release", ignore=shutil.ignore_patterns("build.*"))
            self.predict(release, self.path / "predictions.jsonl")
            scored = score(release, self.path / "predictions.jsonl", options=OPTIONS)
            scored.report.write(self.path / "report.json")


def build_stance(folder: Path) -> Release:
    """Ten conversations of tones."""
    (folder / "line.key").write_bytes(MINIATURE_KEY)
    corpus = make_seamless(folder / "corpus", seed=7, dyads=10, speech=False, scale=0.6)
    return _made(Miniature(folder, corpus).build(folder / "release").release)


def build_pairs(folder: Path) -> Release:
    """48 pairs and 3 controls of the four miniature corpora; what they differ in is length and number of words."""
    make_corpora(folder / "corpora", flaws=False)
    (folder / "line.key").write_bytes(MINIATURE_KEY)
    order = Order(
        family="pairs",
        recipe=recipe(pairing={}, blocks=PAIRS, controls={"identical": 1, "level": 1, "silence": 1}),
        base=folder / "corpora",
        out=folder / "release",
        key=folder / "line.key",
    )
    return _made(make(order, lambda *_: None).release)


def build_dialogues(folder: Path) -> Release:
    """Six dialogues of two subscales, as the stages before hand them over; no audio is cut, so nothing is measured."""
    chains, modalities = ("sequential-2", "sequential-4", "direct"), ("audio", "transcript", "oracle")
    return release_of(
        voiced(6, folder / "clips"), folder / "release", media=False, chains=chains, modalities=modalities
    )


def _made(release: Release | None) -> Release:
    if release is None:
        raise AssertionError("a build that is no dry run makes a release")
    return release


_BUILDS = {"stance": build_stance, "pairs": build_pairs, "dialogues": build_dialogues}

GOLDENS = {family: Golden(family, build) for family, build in _BUILDS.items()}
"""By family."""

GOLDEN = GOLDENS["stance"].path
"""The golden stance release, its predictions and its report, which other tests use as well."""


def main() -> None:
    """Write the golden files anew, of all families or of those that are named."""
    for family in sys.argv[1:] or GOLDENS:
        GOLDENS[family].write()
        sys.stdout.write(f"{GOLDENS[family].path}\n")


if __name__ == "__main__":
    main()
