"""Whole corpora: what was built of the miniatures, then published and materialised, is what was built, byte by byte."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from tests.support.golden import PAIRS
from tests.support.miniature import MINIATURE_KEY, files_of, quiet
from tests.support.speech_miniatures import make_corpora, recipe

from earmark.builders.making import Order as Build
from earmark.builders.making import make
from earmark.builders.materializing.materialize import Order, materialize
from earmark.builders.publishing.looking_over import Wanted
from earmark.builders.publishing.publish import publish
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release
from earmark.validation.invariants import validate

ROOTS = {"ears": "EARS", "expresso": "expresso", "svc": "svc-dataset", "libritts": "LibriTTS"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Pairs of the miniatures with controls of other levels, at 16 kHz, ready to be published."""
    base = tmp_path_factory.mktemp("whole")
    make_corpora(base / "corpora", flaws=False)
    (base / "line.key").write_bytes(MINIATURE_KEY)
    told = recipe(pairing={}, blocks=PAIRS, controls={"identical": 1, "level": 1, "silence": 1})
    section: dict[str, Json] = {
        **told["release"],  # type: ignore[dict-item]  # a section
        "published": "2026-12-01",
        "creators": ["Ada Lovelace"],
        "url": "https://example.org/pairs",
        "licence": "CC-BY-NC-4.0",
    }
    order = Build(
        family="pairs",
        recipe={**told, "release": section},
        base=base / "corpora",
        out=base / "release",
        key=base / "line.key",
        media=True,
        media_rate=16_000,
    )
    release = make(order, quiet).release
    assert release is not None
    return release


@pytest.mark.slow
@pytest.mark.parametrize("answers", ["hidden", "open"])
def test_a_published_release_is_completed_to_what_was_built(
    built: Release, tmp_path: Path, answers: Literal["hidden", "open"]
) -> None:
    wanted = Wanted(to=tmp_path / "copy", recipes=True, answers=answers, shard_bytes=1_000_000)
    publish(built, wanted, Findings(), quiet)
    copy = open_release(tmp_path / "copy")
    roots = {source.corpus: built.path.parent / "corpora" / ROOTS[source.corpus] for source in copy.manifest.sources}
    made = materialize(Order(release=copy, out=tmp_path / "out", roots=roots, jobs=2), quiet)
    assert list(made.findings) == []
    assert made.release is not None
    assert made.clips["copied"] > 0, "a corpus whose licence lets its audio be shared"
    assert made.clips["cut"] > 0, "a corpus whose licence does not"
    assert files_of(tmp_path / "out/public/audio") == files_of(built.path / "public/audio")
    assert made.release.manifest.media == built.manifest.media
    assert made.release.manifest.content_hash == built.manifest.content_hash
    assert not validate(made.release).failed
