"""The plan of a release of dialogues: made or adopted, with what was kept from an earlier run, and nothing that is lacking."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.miniature import files_of, quiet
from tests.support.voiced import voiced

from earmark.builders.dialogues import placed, plan
from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.making import dialogues as making
from earmark.builders.dialogues.making.production import Production
from earmark.builders.dialogues.planning import production_of
from earmark.builders.dialogues.recipe import check_dialogues_recipe
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.making import Order, make, plan_only
from earmark.manifests.canonical import Json
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.errors import EarmarkError, Refused
from earmark.manifests.findings import Findings
from earmark.manifests.keys import read_key
from earmark.validation.invariants import validate

RELEASE: Mapping[str, Json] = {"name": "toy", "version": "2.1.0", "licence": "CC0-1.0"}
TWO: list[Json] = [SUBSCALES[0].slug, SUBSCALES[1].slug]
RECIPE: Mapping[str, Json] = {
    "release": RELEASE,
    "dialogues": {"subscales": TWO, "per_subscale": 1, "valences": ["Positive", "Negative"], "types": ["workplace"]},
    "presentations": {"chains": ["sequential-2"], "modalities": ["audio"]},
}

Made = Callable[..., list[Production]]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Made:
    """Has dialogues made by nobody: tones take the place of what making them would give."""

    def use(count: int = 2, **told: Any) -> list[Production]:
        asked: list[Production] = []
        ready = voiced(count, tmp_path / "clips", **told)

        def make_dialogues(production: Production, *, findings: Findings, progress: object) -> Voiced:
            asked.append(production)
            return ready

        monkeypatch.setattr(making, "make_dialogues", make_dialogues)
        return asked

    return use


def test_a_build_is_whole_and_its_work_folder_stays(made: Made, tmp_path: Path) -> None:
    asked = made()
    order = Order(family="dialogues", recipe=RECIPE, base=tmp_path, out=tmp_path / "out")
    release = make(order, quiet).release
    assert release is not None
    assert [finding.text() for finding in validate(release)] == []
    assert release.manifest.media is not None
    assert str(tmp_path) not in (release.path / "release.json").read_text(encoding="utf-8")
    (production,) = asked
    assert production.work == tmp_path / "out.work"
    assert (production.origin.corpus, production.origin.version, production.origin.licence) == ("toy", "2", "CC0-1.0")
    assert read_key(tmp_path / "out.work" / "key") == production.key == release.key


def test_another_run_has_the_same_key_and_so_the_same_release(made: Made, tmp_path: Path) -> None:
    made()
    order = Order(family="dialogues", recipe=RECIPE, base=tmp_path, out=tmp_path / "out")
    first = make(order, quiet).release
    assert first is not None
    kept = files_of(first.path)
    second = make(replace(order, force=True), quiet).release
    assert second is not None
    assert files_of(second.path) == kept
    (tmp_path / "my.key").write_bytes(bytes(32))
    third = make(replace(order, force=True, key=tmp_path / "my.key"), quiet).release
    assert third is not None
    assert third.key == bytes(32)


def test_a_build_that_stops_leaves_what_it_made_and_goes_on(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = made()
    order = Order(family="dialogues", recipe=RECIPE, base=tmp_path, out=tmp_path / "out")

    def stop(production: Production, **_: object) -> Voiced:
        asked.append(production)
        raise EarmarkError("stopped before a call")

    with monkeypatch.context() as patch:
        patch.setattr(making, "make_dialogues", stop)
        with pytest.raises(EarmarkError, match="stopped before"):
            make(order, quiet)
    assert [path.name for path in tmp_path.glob("out*")] == ["out.work"]
    assert make(order, quiet).release is not None
    assert asked[0].key == asked[1].key, "what was drawn with the key is found again"


def test_an_existing_release_is_left_alone(made: Made, tmp_path: Path) -> None:
    made()
    (tmp_path / "out").mkdir()
    with pytest.raises(EarmarkError, match="exists"):
        make(Order(family="dialogues", recipe=RECIPE, base=tmp_path, out=tmp_path / "out"), quiet)
    assert not (tmp_path / "out.work").exists()


def test_a_wrong_recipe_makes_no_folder(tmp_path: Path) -> None:
    order = Order(family="dialogues", recipe={"release": {}}, base=tmp_path, out=tmp_path / "out")
    with pytest.raises(Refused):
        make(order, quiet)
    assert list(tmp_path.iterdir()) == []


def planned(recipe: Mapping[str, Json], base: Path, findings: Findings) -> Mapping[str, list[dict[str, object]]]:
    return plan(recipe, base, bytes(32), findings, quiet)[1].tables


@pytest.mark.parametrize("allowed", [False, True])
def test_a_quota_that_is_not_filled(made: Made, tmp_path: Path, allowed: bool) -> None:
    made(1)
    findings = Findings()
    recipe = {**RECIPE, "dialogues": {**dict(RECIPE["dialogues"]), "allow_shortfall": allowed}}  # type: ignore[arg-type,call-overload]  # a table
    if allowed:
        assert len(planned(recipe, tmp_path, findings)["items"]) == 2
        assert not findings.failed
        return
    with pytest.raises(Refused) as refused:
        planned(recipe, tmp_path, findings)
    (finding,) = refused.value.findings
    assert finding.code.name == "dialogues.shortfall"
    assert finding.found == "1 of 2 dialogues lacking, in 1 cells"


def test_files_of_a_recipe_start_from_its_folder(tmp_path: Path) -> None:
    recipe = {
        **RECIPE,
        "author": {"templates": "a.toml", "words": "w.toml"},
        "oracle": {"templates": "o.toml"},
        "prompts": {"templates": "p.toml"},
        "adopt": {"root": "speecheq"},
        "affect": {"file": "f.parquet"},
        "work": {"folder": "kept"},
    }
    from earmark.builders.dialogues.folders import at_base

    checked = at_base(check_dialogues_recipe(recipe), tmp_path)
    assert checked.author.templates == str(tmp_path / "a.toml")
    assert checked.author.words == str(tmp_path / "w.toml")
    assert checked.oracle.templates == str(tmp_path / "o.toml")
    assert checked.prompts.templates == str(tmp_path / "p.toml")
    assert checked.adopt.root == str(tmp_path / "speecheq")
    assert checked.affect.file == str(tmp_path / "f.parquet")
    assert production_of(checked, tmp_path, bytes(32)).work == tmp_path / "kept"


def test_the_work_folder_is_named_once(tmp_path: Path) -> None:
    recipe, folder = placed(RECIPE, tmp_path, tmp_path / "out")
    assert folder == tmp_path / "out.work"
    assert placed(recipe, Path("elsewhere"), tmp_path / "other").folder == folder
    assert placed({**RECIPE, "work": {"folder": "kept"}}, tmp_path, Path("out")).folder == tmp_path / "kept"
    assert placed({**RECIPE, "adopt": {"root": "x"}}, tmp_path, Path("out")).folder is None


def affect(path: Path, clips: Mapping[str, float | None], key: str = "path") -> None:
    values = list(clips.values())
    pq.write_table(pa.table({key: list(clips), "valence": values, "arousal": values, "dominance": values}), path)


def test_what_a_model_heard_stands_beside_the_clips(made: Made, tmp_path: Path) -> None:
    made()
    paths = [path.relative_to(tmp_path / "clips").as_posix() for path in sorted((tmp_path / "clips").rglob("*.wav"))]
    recipe = {**RECIPE, "affect": {"file": "a.parquet"}}
    affect(tmp_path / "a.parquet", {path: number / 100 for number, path in enumerate(paths)})
    rows = planned(recipe, tmp_path, Findings())["sources"]
    assert {str(row["path"]): row["affect_arousal"] for row in rows} == {p: n / 100 for n, p in enumerate(paths)}
    affect(tmp_path / "a.parquet", {path: None if number < 2 else 0.5 for number, path in enumerate(paths[1:])})
    with pytest.raises(Refused) as refused:
        planned(recipe, tmp_path, Findings())
    assert [finding.id for finding in refused.value.findings] == paths[:3]
    affect(tmp_path / "a.parquet", dict.fromkeys(paths, 0.5), key="clip_id")
    with pytest.raises(EarmarkError, match="by path is needed"):
        planned(recipe, tmp_path, Findings())


def test_a_table_of_affect_that_cannot_be_read_is_said_before_anything_is_made(made: Made, tmp_path: Path) -> None:
    asked = made()
    (tmp_path / "a.parquet").write_bytes(b"no table")
    for file in ("a.parquet", "absent.parquet"):
        with pytest.raises(EarmarkError, match=f"cannot read.*{file}"):
            planned({**RECIPE, "affect": {"file": file}}, tmp_path, Findings())
    assert asked == []


def test_cells_are_counted_as_they_were_asked_for() -> None:
    """The toy's dialogues are of the cells that the recipe above asks for, or the tests above would say nothing."""
    from earmark.builders.dialogues.quotas import demand

    wanted = {cell for cell, count in demand(check_dialogues_recipe(RECIPE).dialogues).items() if count}
    assert wanted == {
        Cell(SUBSCALES[0].slug, "Positive", "workplace"),
        Cell(SUBSCALES[1].slug, "Negative", "workplace"),
    }


def test_a_dry_run_makes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    order = Order(family="dialogues", recipe=RECIPE, base=tmp_path, out=tmp_path / "out")
    told = plan_only(order, quiet)
    assert told.release is None
    assert json.loads(json.dumps(told.report)) == {"dialogues": 2, "calls": 0, "at_most_usd": 0.0}
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_is_none_is_said_by_a_dry_run_too(tmp_path: Path) -> None:
    (tmp_path / "short.key").write_bytes(b"abc")
    order = Order(family="dialogues", recipe=RECIPE, base=tmp_path, out=tmp_path / "out", key=tmp_path / "short.key")
    for run in (make, plan_only):
        with pytest.raises(EarmarkError, match="a release key has 32"):
            run(order, quiet)
    assert [path.name for path in tmp_path.iterdir()] == ["short.key"]
