"""One audio under two names: found by its samples or its file, and used at most once."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from tests.support.speech_miniatures import planned
from tests.support.true_sizes import row

from earmark.builders.pairs.repeats import by_file, without_repeats
from earmark.builders.plan import Rows
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings


def rows() -> Rows:
    return [row(f"toy/{name}", "s", seconds=1, rate=8000, text="Some words.") for name in "abcde"]


def names(kept: Rows) -> list[object]:
    return [entry["utterance"] for entry in kept]


def test_of_equal_ones_the_first_is_used() -> None:
    findings = Findings()
    samples = {"toy/a": "1", "toy/b": "2", "toy/c": "1", "toy/d": "1"}  # and toy/e could not be read
    assert names(without_repeats(rows(), samples, findings)) == ["toy/a", "toy/b"]
    assert {finding.id: finding.found for finding in findings} == {"toy/c": "toy/a", "toy/d": "toy/a"}
    assert findings.counts == {"pairs.same-audio": 2}


@pytest.mark.parametrize("said", [{"speaker": "toy/t"}, {"text": "Other words."}, {"style": "sad"}, {"pace": "slow"}])
def test_of_those_that_are_said_to_differ_none_is(said: dict[str, object]) -> None:
    findings = Findings()
    given = [{**entry, **(said if entry["utterance"] == "toy/d" else {})} for entry in rows()]
    samples = {f"toy/{name}": "1" if name in "acd" else name for name in "abcde"}
    assert names(without_repeats(given, samples, findings)) == ["toy/b", "toy/e"]
    assert findings.counts == {"pairs.same-audio-other-labels": 3}


def test_writing_alone_is_no_other_text() -> None:
    given = [{**entry, "text": "some words" if entry["utterance"] == "toy/b" else "Some words!"} for entry in rows()]
    assert names(without_repeats(given, dict.fromkeys((f"toy/{n}" for n in "abcde"), "1"), Findings())) == ["toy/a"]


def test_files_are_told_apart_by_all_their_bytes(tmp_path: Path) -> None:
    dice = random.Random(1)  # noqa: S311
    content = dice.randbytes(5000)
    other = content[:-1] + bytes([content[-1] ^ 1])
    for name, data in {"a": content, "b": other, "c": content, "d": content + b"x"}.items():
        (tmp_path / f"{name}.wav").write_bytes(data)
    known = by_file(rows(), {"toy": tmp_path})
    assert known["toy/a"] == known["toy/c"]
    assert len(set(known.values())) == 4
    window = [{**entry, "start": 9 if entry["utterance"] == "toy/c" else 0} for entry in rows()]
    assert len(set(by_file(window, {"toy": tmp_path}).values())) == 5


def test_a_copy_is_named_without_measuring_too(clean_corpora: Path, tmp_path: Path) -> None:
    shutil.copytree(clean_corpora / "EARS", tmp_path / "EARS")
    shutil.copyfile(tmp_path / "EARS/p102/rainbow_01_slow.wav", tmp_path / "EARS/p102/rainbow_01_regular.wav")
    pairing: dict[str, Json] = {"preset": "all", "blocks": ["rate"]}
    corpora: dict[str, Json] = {"ears": {"root": "EARS"}}
    with pytest.raises(Refused) as refused:
        planned(tmp_path, pairing=pairing, corpora=corpora)
    assert refused.value.findings.counts["pairs.same-audio-other-labels"] == 2
    plan, findings = planned(tmp_path, pairing={**pairing, "allow_shortfall": True}, corpora=corpora)
    assert findings.counts["pairs.same-audio-other-labels"] == 2
    assert "p102/rainbow_01_slow.wav" not in {source["path"] for source in plan.tables["sources"]}
