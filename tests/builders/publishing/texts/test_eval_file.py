"""eval.yaml against the card that it stands beside."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.facts import golden_facts, with_names
from tests.support.golden import GOLDENS

from earmark.builders.publishing.texts.card import metadata
from earmark.builders.publishing.texts.eval_file import eval_yaml


@pytest.mark.parametrize("family", sorted(GOLDENS))
def test_every_task_is_of_a_config_and_a_split_that_the_card_has(family: str) -> None:
    facts = golden_facts(family)
    said, has = yaml.safe_load(eval_yaml(facts)), metadata(facts)["configs"]
    assert list(said) == ["name", "description", "evaluation_framework", "tasks"]
    splits = {config["config_name"]: config["data_files"][0]["split"] for config in has}  # type: ignore[index,union-attr]
    assert all(splits[task["config"]] == task["split"] for task in said["tasks"])
    assert [task["id"] for task in said["tasks"]][: len(facts.protocols)] == [entry.name for entry in facts.protocols]
    assert {task["config"] for task in said["tasks"]} == {"items", *(facet.id for facet in facts.facets)}


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
@settings(max_examples=25)
def test_whatever_things_are_called_ids_are_words_and_nobody_elses(text: str) -> None:
    said = yaml.safe_load(eval_yaml(with_names(golden_facts("pairs"), text)))
    ids = [task["id"] for task in said["tasks"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", id) for id in ids)
    assert said["name"] == f"{text} {text}"


def test_it_says_that_the_hub_does_not_know_the_framework_yet() -> None:
    comments = [line for line in eval_yaml(golden_facts("stance")).splitlines() if line.startswith("#")]
    assert "framework 'earmark'" in " ".join(comments)
