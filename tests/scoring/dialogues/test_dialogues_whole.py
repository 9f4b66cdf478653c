"""A release on disk, from prediction files to the report and its page: norms, other submissions, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.support.dialogue_releases import some_dialogues, write_dialogue_release

from earmark.manifests.errors import EarmarkError, Refused
from earmark.manifests.release import Release
from earmark.manifests.report import read_report
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.dialogues import BASELINES
from earmark.scoring.face import score, write_report
from earmark.scoring.families import settled_norms
from earmark.scoring.measuring import Options
from earmark.scoring.norms import System, freeze, write_norm
from earmark.validation.strategies.releases import Drawn, releases
from earmark.validation.strategies.releases import write_release as write_drawn

FEW = Options(resamples=100)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_dialogue_release(tmp_path_factory.mktemp("dialogues") / "release", some_dialogues(30))


@pytest.fixture(scope="module")
def files(release: Release, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A quiet rule with audio and a persona, and what the oracle answers, which is always 1."""
    folder, found = tmp_path_factory.mktemp("files"), {}
    quieter, first = BASELINES[2], BASELINES[1]
    for name, rule, protocol, persona in (
        ("plain", quieter, "sequential-2", None),
        ("persona", quieter, "sequential-2", "Deficit"),
        ("oracle", first, "sequential-2-oracle", None),
    ):
        path = found[name] = folder / f"{name}.jsonl"
        assert write_predictions(rule, release, owed_presentations(release, release.protocol(protocol)), path) is None
        head, *rows = path.read_text(encoding="utf-8").splitlines()
        header = json.loads(head)
        header["earmark"]["judge"] = {"name": "Owl"} | ({"persona": persona} if persona else {})
        path.write_text("\n".join([json.dumps(header), *rows]) + "\n", encoding="utf-8")
    return found


def test_from_files_to_a_page(release: Release, files: dict[str, Path], tmp_path: Path) -> None:
    others = [files["persona"], files["oracle"]]
    scored = score(release, files["plain"], options=FEW, against=others)
    assert scored.findings.counts == {}
    report = scored.report
    [entry] = [baseline for baseline in report.baselines if baseline.name == "quieter"]
    headline = report.find("acc_traj")
    assert headline is not None
    assert headline.value == pytest.approx(entry.value)
    assert [rule.name for rule in report.baselines] == ["uniform", "always-first", "quieter", "longer", "lower"]
    assert report.counts["overall"]["ok"] == report.counts["overall"]["owed"] == 30 * 4
    deficit = report.find("other_seq", slice="against:Owl, Deficit")
    assert deficit is not None
    assert deficit.value == report.find("seq").value  # type: ignore[union-attr]  # is there
    alone = score(release, files["plain"], options=FEW)
    assert [entry for entry in report.metrics if not entry.slice.startswith("against:")] == list(alone.report.metrics)
    assert report.signature.keys() - alone.report.signature.keys() == {"against"}
    gap = report.find("modality_gap_acc_1", slice="against:Owl, sequential-2-oracle")
    assert gap is not None
    assert gap.value == pytest.approx(0.5 - (report.find("acc_1").value or 0))  # type: ignore[union-attr]  # is there
    persona = report.find("persona_contrast_acc_traj", slice="against:Owl, Deficit")
    assert persona is not None
    assert persona.value == 0
    page = write_report(release, scored, tmp_path / "out").read_text(encoding="utf-8")
    assert "SEQ of all facets is relative to the norm speecheq-table3@1.0.0" in page
    assert "160 is reached at a share of 0.6548" in page
    assert "60 items in 30 dialogues" in page
    again = read_report(tmp_path / "out" / "report.json")
    assert again.find("seq") is not None


def test_norms_of_ones_own(release: Release, files: dict[str, Path], tmp_path: Path) -> None:
    facet = "interpersonal_empathy"
    ours = freeze("ours", "2.0.0", [System("a", 1, 4), System("b", 3, 4)], facet=facet)
    write_norm(ours, tmp_path / "ours.json")
    report = score(release, files["plain"], options=FEW, norms=[tmp_path / "ours.json"]).report
    values = {entry.facet for entry in report.metrics if entry.metric == "seq"}
    assert values == {"overall", facet}
    norms = report.signature["norms"]
    assert isinstance(norms, list)
    assert [norm["facet"] for norm in norms if isinstance(norm, dict)] == ["overall", facet]
    level = freeze("level", "1.0.0", [System("a", 1, 4), System("b", 1, 4)])
    write_norm(level, tmp_path / "level.json")
    undefined = score(release, files["plain"], options=FEW, norms=[tmp_path / "level.json"]).report.find("seq")
    assert undefined is not None
    assert undefined.value is None
    assert "MAD is 0" in (undefined.reason or "")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    with pytest.raises(Refused):
        settled_norms(release, [tmp_path / "bad.json"])
    with pytest.raises(EarmarkError, match="two norms are of interpersonal_empathy"):
        settled_norms(release, [tmp_path / "ours.json"] * 2)


def test_the_paper_s_votes_stand_beside(release: Release, files: dict[str, Path]) -> None:
    report = score(release, files["plain"], options=FEW, paper="speecheq").report
    voted, mean = (report.find("acc_1", slice=slice) for slice in ("paper:speecheq", "all"))
    assert voted is not None
    assert mean is not None
    assert voted.value == mean.value  # a rule says the same of an option in both orders
    seq = report.find("seq", slice="paper:speecheq")
    assert seq is not None
    assert seq.value == report.find("seq").value  # type: ignore[union-attr]  # is there
    assert report.signature["paper"] == "speecheq"


@settings(
    max_examples=1, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(releases("dialogues"))
def test_a_drawn_release_is_marked_in_every_protocol(drawn: Drawn) -> None:
    with TemporaryDirectory() as folder:
        release = write_drawn(drawn, Path(folder) / "release")
        file = Path(folder) / "predictions.jsonl"
        for protocol in release.manifest.protocols[:5]:
            owed = owed_presentations(release, release.protocol(protocol.name))
            assert write_predictions(BASELINES[0], release, owed, file) is None
            report = score(release, file, options=FEW).report
            headline = report.find("acc_traj")
            assert headline is not None
            assert headline.value == pytest.approx(report.baselines[0].value)
            assert report.counts["overall"]["ok"] == len(owed.ids)
