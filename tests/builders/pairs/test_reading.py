"""Reading corpora into one list: an id that two utterances have is of neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.speech_miniatures import planned
from tests.support.true_sizes import ears, row

from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.pairs import reading
from earmark.builders.pairs.reading import read_corpora
from earmark.builders.pairs.recipe import CorpusSection
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings


def test_an_id_of_two_utterances_is_of_neither(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = [row(f"ears/{name}", "s", seconds=1, rate=8000) for name in "cabaad"]
    monkeypatch.setattr(reading, "read_corpus", lambda *_: SpeechCorpus("ears", given, {}))
    findings = Findings()
    read = read_corpora({"ears": CorpusSection(root="x")}, tmp_path, findings, lambda *_: None)
    assert [entry["utterance"] for entry in read.rows] == ["ears/b", "ears/c", "ears/d"]
    assert [(finding.code.name, finding.id) for finding in findings] == [("pairs.repeated-id", "ears/a")]


def test_what_is_left_is_no_release_unless_that_is_allowed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = ears()
    monkeypatch.setattr(reading, "read_corpus", lambda *_: SpeechCorpus("ears", [*given, given[0]], {}))
    pairing: dict[str, Json] = {"preset": "all", "blocks": ["rate"]}
    corpora: dict[str, Json] = {"ears": {"root": "EARS"}}
    with pytest.raises(Refused) as refused:
        planned(tmp_path, pairing=pairing, corpora=corpora)
    assert refused.value.findings.counts["pairs.repeated-id"] == 1
    plan, findings = planned(tmp_path, pairing={**pairing, "allow_shortfall": True}, corpora=corpora)
    assert findings.counts["pairs.repeated-id"] == 1
    assert given[0]["path"] not in {source["path"] for source in plan.tables["sources"]}
