"""SVC's test split at its true size, with the real counts of each age group and sex and made-up records."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain, repeat
from pathlib import Path

import pytest

from earmark.builders.corpora.svc.labels import contradicted, labels_of
from earmark.builders.corpora.svc.records import read_records
from earmark.manifests.findings import Findings

pytestmark = pytest.mark.slow


def test_every_record_is_read_and_the_counts_come_out(shared_data: Path, tmp_path: Path) -> None:
    marginals = json.loads((shared_data / "svc" / "test_split_marginals.json").read_text("utf-8"))
    groups, sexes = marginals["age_group"]["audios"], marginals["gender"]["audios"]
    drawn = zip(
        chain.from_iterable(repeat(group, count) for group, count in groups.items()),
        chain.from_iterable(repeat(sex, count) for sex, count in sexes.items()),
        strict=True,
    )
    records = {
        f"audio_{n:016d}": {
            "audioLengthMs": n,
            "speaker": {"age": group[:2].strip("-"), "age_group": group, "gender": sex, "user_id": f"{group} {sex}"},
            "transcript": {"text": "pause", "normalized_text": "pause"},
        }
        for n, (group, sex) in enumerate(drawn)
    }
    (tmp_path / "test_metadata.json").write_text(json.dumps(records), "utf-8")
    findings = Findings()
    read = read_records(tmp_path / "test_metadata.json", findings, file="f")
    assert read is not None
    assert len(read) == marginals["total"]["audios"]
    told = [(entry.speaker.user_id, labels_of(entry.speaker, findings, file="f", id=id)) for id, entry in read.items()]
    sound = [(speaker, labels) for speaker, labels in told if labels is not None]
    assert contradicted(sound, findings) == frozenset()
    assert len(findings) == 0
    assert Counter(labels.age_group for _, labels in sound) == groups
    assert Counter(labels.sex for _, labels in sound) == sexes
