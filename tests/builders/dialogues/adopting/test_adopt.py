"""Dialogues of others adopted: each clip has a row, points follow from the features beside them, and what is bad is counted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.support.speecheq_predictions import prediction_file, write_file

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.points import contrast
from earmark.builders.contrast.profile import Profile, shipped
from earmark.builders.contrast.shortcuts import RULES
from earmark.builders.converting.conversion import Wanted
from earmark.builders.converting.formats import convert, format_named
from earmark.builders.dialogues.adopting.adopt import adopt
from earmark.builders.dialogues.records import RENDERINGS
from earmark.builders.dialogues.releasing.plan import release_plan
from earmark.builders.dialogues.releasing.prompts import read_templates
from earmark.builders.dialogues.sections import PresentationsSection
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.making import write
from earmark.builders.media import cut_clips
from earmark.builders.miniatures.speecheq import make_speecheq
from earmark.builders.miniatures.speecheq_flaws import FLAWS, flaw_id
from earmark.builders.miniatures.speecheq_layout import SOUND
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.attempts import ATTEMPTS, DISSONANT, RESONANT, WRITTEN
from earmark.manifests.building import building
from earmark.manifests.eqi import subscale_of
from earmark.manifests.families.dialogues import DIALOGUES
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import folder_hash
from earmark.manifests.release import MediaEntry, open_release
from earmark.manifests.rows import text, whole
from earmark.validation.invariants import validate
from earmark.validation.schemas import check_table

FEATURES = tuple(Features.__dataclass_fields__)


def adopted(root: Path, *profiles: str) -> tuple[Voiced, Findings]:
    first, *beside = map(shipped, profiles or ("default",))
    findings = Findings()
    voiced = adopt(
        root, profile=first, beside=beside, findings=findings, progress=lambda what, done, total: None, jobs=1
    )
    return voiced, findings


@pytest.fixture(scope="module")
def flawed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Voiced, Findings]:
    root = tmp_path_factory.mktemp("adopting") / "corpus"
    make_speecheq(root, flaws=True)
    title = root / SOUND[3].subscale / SOUND[3].id / "metadata.json"
    record = json.loads(title.read_text("utf-8"))
    record["scenario"]["description"] = "Kim carries a box. Robin must show genuine joy at it."
    title.write_text(json.dumps(record), "utf-8")
    return adopted(root)


def section(voiced: Voiced, name: str) -> Any:
    return voiced.report[name]


def names(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    return {row["dialogue"] for row in rows}


def test_sound_dialogues_are_voiced_and_the_others_counted(flawed: tuple[Voiced, Findings]) -> None:
    voiced, findings = flawed
    assert [dialogue.name for dialogue in voiced.dialogues] == sorted(sketch.id for sketch in SOUND)
    for dialogue in voiced.dialogues:
        assert [(clip.turn, clip.option) for clip in dialogue.clips] == list(RENDERINGS)
        assert (dialogue.licence, dialogue.corpus) == ("none stated", "speecheq")
        assert dialogue.corpus_version == ("v1" if dialogue.valence is None else "v2")
        for clip in dialogue.clips:
            assert (clip.rate, clip.attempt) == (24_000, 0)
            assert clip.frames > 10_000
    report = section(voiced, "adopted")
    assert report["found"] == len(SOUND) + len(FLAWS)
    assert report["kept"] == len(SOUND)
    assert names(report["dropped"]) == {flaw_id(n) for n in range(len(FLAWS))}
    assert findings.counts["speecheq.same-audio"] == findings.counts["acoustics.unmeasurable"] == 1
    unscaled = {flaw_id(n) for n, flaw in enumerate(FLAWS) if flaw in {"bad-json", "repeated-key", "bad-encoding"}}
    unscaled |= {flaw_id(n) for n, flaw in enumerate(FLAWS) if flaw in {"bad-part", "unknown-scale"}}
    assert {text(row, "dialogue") for row in voiced.dropped} == names(report["dropped"]) - unscaled


def test_rows_are_those_of_the_declared_tables(flawed: tuple[Voiced, Findings]) -> None:
    voiced, _ = flawed
    findings = Findings()
    assert check_table(ATTEMPTS, ATTEMPTS.from_rows(voiced.attempts), findings)
    assert check_table(WRITTEN, WRITTEN.from_rows(voiced.dropped), findings)
    assert [finding.text() for finding in findings] == []
    assert len(voiced.attempts) == 8 * len(SOUND)


def test_points_follow_from_the_features_beside_them(flawed: tuple[Voiced, Findings]) -> None:
    voiced, findings = flawed
    profile = shipped("default")
    rows = {(text(row, "dialogue"), whole(row, "turn"), text(row, "option")): row for row in voiced.attempts}
    failing = []
    for dialogue in voiced.dialogues:
        for turn in (4, 6):
            pair = [rows[dialogue.name, turn, option] for option in (RESONANT, DISSONANT)]
            one, other = (Features(**{name: _cell(row[name]) for name in FEATURES}) for row in pair)
            points = contrast(one, other, profile).total
            assert [row["points"] for row in pair] == [points, points]
            if points < profile.pass_at:
                failing.append({"dialogue": dialogue.name, "turn": turn, "points": points})
        assert all(row["points"] is None for place, row in rows.items() if place[1] not in (4, 6))
    assert [(row["dialogue"], row["turn"]) for row in failing] == [(SOUND[2].id, 6)]
    gate = section(voiced, "gate")["default"]
    assert (gate["pairs"], gate["passed"], gate["dialogues_passed"]) == (12, 11, 5)
    assert gate["failing"] == failing
    assert findings.counts["speecheq.no-contrast"] == 1


def test_rules_that_do_not_listen_are_marked(flawed: tuple[Voiced, Findings]) -> None:
    voiced, _ = flawed
    found = section(voiced, "shortcuts")
    assert found.keys() == {*RULES, "probe"}
    longer = found["longer"]["turns"]
    # By construction the dissonant clip is the shorter one in all turns but the one without contrast.
    assert longer["share"] in (11 / 12, 11.5 / 12, 1.0)


def test_a_description_that_tells_the_answer_is_said(flawed: tuple[Voiced, Findings]) -> None:
    voiced, findings = flawed
    assert names(section(voiced, "told")) == {SOUND[3].id}
    assert findings.counts["speecheq.told"] == 1


def test_nothing_may_ever_be_published(flawed: tuple[Voiced, Findings]) -> None:
    recipe = flawed[0].recipe["adopted"]
    assert isinstance(recipe, dict)
    assert (recipe["version"], recipe["licence"], recipe["publish"]) == ("v1+v2", "none stated", "never")


def test_the_recipe_has_the_thresholds_behind_the_points(flawed: tuple[Voiced, Findings]) -> None:
    kept = flawed[0].recipe["gate"]
    assert isinstance(kept, dict)
    assert msgspec.convert(kept["profile"], Profile) == shipped("default")


def test_a_clip_that_is_far_too_long_or_has_two_channels_is_said(tmp_path: Path) -> None:
    import soundfile

    make_speecheq(tmp_path / "corpus", flat=True)
    long, double = (tmp_path / "corpus" / sketch.id / "audio" / "01.mp3" for sketch in SOUND[:2])
    noise = np.random.default_rng(0).normal(0, 0.05, (16_000, 2))
    soundfile.write(long, np.zeros(8_000 * 301), 8_000, format="FLAC")
    soundfile.write(double, noise, 16_000, format="WAV")
    voiced, findings = adopted(tmp_path / "corpus")
    assert (findings.counts["speecheq.too-long"], findings.counts["speecheq.not-mono"]) == (1, 1)
    assert {dialogue.name for dialogue in voiced.dialogues} == {sketch.id for sketch in SOUND[1:]}


@pytest.mark.slow
def test_the_real_dialogues_pass_the_gates_as_measured(shared_data: Path) -> None:
    voiced, findings = adopted(shared_data / "speecheq", "default", "paper")
    gate = section(voiced, "gate")
    assert [(name, gate[name]["pairs"], gate[name]["passed"]) for name in gate] == [
        ("default", 24, 21),  # 22 by acoustics/1, whose paces were further from those of the words
        ("paper", 24, 23),
    ]
    assert not findings.failed
    traces = section(voiced, "traces")
    assert [traces[option]["whole_frames"] for option in (RESONANT, DISSONANT)] == [24, 24]


def _cell(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value


def test_a_release_of_adopted_dialogues_is_sound_and_takes_others_predictions(
    flawed: tuple[Voiced, Findings], tmp_path: Path
) -> None:
    section, findings = ReleaseSection(name="adopted", version="1.0.0"), Findings()
    with building(tmp_path / "out", DIALOGUES) as work:
        made = release_plan(
            flawed[0],
            read_templates(None, findings),
            release=section,
            presentations=PresentationsSection(chains=("sequential-2", "unlinked"), modalities=("audio", "oracle")),
            key=work.key,
            findings=findings,
        )
        cut = cut_clips(made, work, findings, rate=None, jobs=1, progress=lambda what, done, total: None)
        audio = folder_hash(work.partial / "public" / "audio")
        write(work, DIALOGUES, section, cut, MediaEntry(rate=None, files=8 * len(SOUND), hash=audio))
    release = open_release(tmp_path / "out")
    assert [finding.text() for finding in validate(release)] == []
    assert {(source.corpus, source.version, source.licence) for source in release.manifest.sources} == {
        ("speecheq", "v1", "none stated"),
        ("speecheq", "v2", "none stated"),
    }
    value = prediction_file(count=len(SOUND))
    for response, sketch in zip(value["responses"], SOUND, strict=True):
        scale = subscale_of(sketch.subscale)
        response |= {"dataset_id": sketch.id, "subscale_slug": scale.slug, "eq_scale": scale.label}
    file, form = write_file(tmp_path / "p.json", value), format_named("speecheq")
    written = convert(form, [file], release, tmp_path / "p.jsonl", Wanted(), findings)
    assert (written.rows, findings.counts) == (6 * len(SOUND), {})
