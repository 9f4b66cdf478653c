"""`earmark publish` and what a copy has of rules that do not listen."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Earmark
from tests.support.publishable import publishable

from earmark.cli.console import FINE
from earmark.cli.published_baselines import Baselines
from earmark.manifests.copies.published import CARD
from earmark.scoring.baselines.every import every_baseline
from earmark.scoring.families import family_marks


def test_a_copy_has_what_rules_say_and_the_card_what_they_get(earmark: Earmark, tmp_path: Path) -> None:
    release, copy = publishable(tmp_path / "release", "dialogues"), tmp_path / "copy"
    assert earmark("publish", release.path, "--to", copy, "--quiet").code == FINE
    rules = every_baseline(family_marks(release))
    unmeasured = {"quieter", "lower", "louder", "higher"}
    blind = {f"{rule.stem}.jsonl" for rule in rules if rule.knows == "nothing" and rule.name not in unmeasured}
    assert {path.name for path in (copy / "baselines").iterdir()} == {*blind, "headlines.json"}
    assert earmark("verify", copy, "--quiet") == (FINE, "", "")
    assert earmark("check", copy / "baselines" / "longer.jsonl", "--release", copy, "--quiet") == (FINE, "", "")
    card = (copy / CARD).read_text(encoding="utf-8")
    for rule in rules:
        assert (f"| {rule.name}: " in card) == (rule.knows != "gold"), "a perfect judge is nothing to be better than"


def test_a_copy_that_waits_is_known_by_how_it_was_made() -> None:
    assert repr(Baselines(open_gold=True)) == repr(Baselines(open_gold=True)) != repr(Baselines(open_gold=False))
