"""The golden release: a small one kept in the repository, so that no change moves an id, a draw, a hash or a figure unseen.

`python -m tests.support.golden` writes it anew; do that only when a change is meant, and say why in the commit.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.support.miniature import MINIATURE_KEY, Miniature

from earmark.builders.miniatures.seamless import make_seamless
from earmark.manifests.release import Release
from earmark.scoring.baselines import UNIFORM, write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import score
from earmark.scoring.measuring import Options

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "stance"
"""Holds `release`, `predictions.jsonl` and `report.json`."""

OPTIONS = Options(resamples=200, seed=1)


def build_golden(folder: Path) -> Release:
    """Build the golden release from its corpus, which is made anew in `folder`."""
    (folder / "line.key").write_bytes(MINIATURE_KEY)
    corpus = make_seamless(folder / "corpus", seed=7, dyads=10, speech=False, scale=0.6)
    release = Miniature(folder, corpus).build(folder / "release").release
    if release is None:
        raise AssertionError("a build that is no dry run makes a release")
    return release


def main() -> None:
    """Write the golden files anew."""
    with tempfile.TemporaryDirectory() as scratch:
        release = build_golden(Path(scratch))
        shutil.rmtree(GOLDEN, ignore_errors=True)
        shutil.copytree(release.path, GOLDEN / "release")
        predictions = GOLDEN / "predictions.jsonl"
        write_predictions(UNIFORM, release, owed_presentations(release, release.protocol()), predictions)
        score(release, predictions, options=OPTIONS).report.write(GOLDEN / "report.json")
    sys.stdout.write(f"{GOLDEN}\n")


if __name__ == "__main__":
    main()
