"""What every reader of a speech corpus owes: rows of the declared table, unique and in order."""

from __future__ import annotations

from earmark.builders.corpora.speech import SpeechCorpus
from earmark.manifests.findings import Findings
from earmark.manifests.pairing import UTTERANCES
from earmark.validation.schemas import check_table


def require_sound_rows(corpus: SpeechCorpus) -> None:
    """Every row passes the schema, is of this corpus and stands in its place."""
    findings = Findings()
    assert check_table(UTTERANCES, UTTERANCES.from_rows(corpus.rows), findings)
    assert [finding.text() for finding in findings] == []
    names = [row["utterance"] for row in corpus.rows]
    assert names == sorted(names)  # type: ignore[type-var]  # they are strings
    for row in corpus.rows:
        assert row["corpus"] == corpus.name
        assert str(row["utterance"]).startswith(f"{corpus.name}/")
        assert str(row["speaker"]).startswith(f"{corpus.name}/")


def codes_of(findings: Findings, prefix: str) -> dict[str, int]:
    """Counts by code, the corpus's prefix left out."""
    return {name.removeprefix(f"{prefix}."): count for name, count in findings.counts.items()}
