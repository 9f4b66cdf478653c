"""What items depend on, and what cannot be marked because nothing says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.tiny import TINY_KEY, Rows, tiny_manifest, tiny_rows

from earmark.manifests.building import building
from earmark.manifests.errors import ReleaseError
from earmark.manifests.families.stance import STANCE
from earmark.manifests.release import Release, open_release
from earmark.scoring.measuring.clusters import Clusters, item_clusters
from earmark.scoring.stance.gold import read_gold


def write(out: Path, rows: Rows) -> Release:
    key = out.with_suffix(".key")
    key.write_bytes(TINY_KEY)
    with building(out, STANCE, key=key) as work:
        for name, table in rows.items():
            work.write_table(name, table)
        work.write_manifest(tiny_manifest(work, rows))
    return open_release(out)


def test_items_are_looked_up_in_the_order_asked_for(tmp_path: Path) -> None:
    rows = tiny_rows(items=4)
    items = [str(row["item_id"]) for row in rows["items"]]
    rows["sources"][2]["conversation"] = rows["sources"][3]["prompt"] = None
    release = write(tmp_path / "r", rows)
    assert item_clusters(release, [items[3], items[2], items[0]], role="target") == Clusters(
        speaker=("Toy/01", "Toy/01", "Toy/00"),
        conversation=("Toy/c01", "", "Toy/c00"),
        prompt=("", "prompt-P", "prompt-P"),
    )


def test_the_speaker_is_that_of_the_role_s_first_clip(tmp_path: Path) -> None:
    rows = tiny_rows(items=4)
    item, clips = str(rows["items"][0]["item_id"]), [row["clip_id"] for row in rows["clips"]]
    rows["item_clips"] += [
        {"item_id": item, "role": "context", "position": 0, "clip_id": clips[2]},
        {"item_id": item, "role": "target", "position": 1, "clip_id": clips[3]},
    ]
    release = write(tmp_path / "r", rows)
    assert item_clusters(release, [item], role="target").speaker == ("Toy/00",)
    assert item_clusters(release, [item], role="context").speaker == ("Toy/01",)


@pytest.mark.parametrize("lost", ["item_clips", "sources"])
def test_an_item_of_nobody_cannot_be_marked(tmp_path: Path, lost: str) -> None:
    rows = tiny_rows()
    item = rows["items"][0]["item_id"]
    del rows[lost][0]
    release = write(tmp_path / "r", rows)
    with pytest.raises(ReleaseError, match=rf"item {item} of .* has no target clip with a source; `earmark validate`"):
        read_gold(release)


@pytest.mark.parametrize("gold", [None, "X"])
def test_an_item_without_gold_cannot_be_marked(tmp_path: Path, gold: str | None) -> None:
    rows = tiny_rows()
    item = rows["items"][0]["item_id"]
    if gold is None:
        del rows["answers"][0]
    else:
        rows["answers"][0]["gold"] = gold
    release = write(tmp_path / "r", rows)
    with pytest.raises(ReleaseError, match=rf"item {item} of .* has no gold; `earmark validate`"):
        read_gold(release)


def test_gold_unit_by_unit(tmp_path: Path) -> None:
    rows = tiny_rows(items=6, facets=2)  # two items a speaker, one in each facet, P P N N P P
    gold = read_gold(write(tmp_path / "r", rows))
    assert gold.items == tuple(sorted(str(row["item_id"]) for row in rows["items"]))
    by_id = {row["item_id"]: (n, row) for n, row in enumerate(rows["items"])}
    for item, unit in zip(gold.items, gold.unit, strict=True):
        n, row = by_id[item]
        assert gold.facet[unit] == row["facet"]
        assert gold.positive[unit] == (rows["answers"][n]["gold"] == "P")
        assert gold.role[unit] == rows["answers"][n]["role"]
    assert len(gold.facet) == 6
    numbers = {str(by_id[item][0] // 2): set[int]() for item in gold.items}
    for item, unit in zip(gold.items, gold.unit, strict=True):
        numbers[str(by_id[item][0] // 2)].add(int(gold.levels["speaker"][unit]))
    assert sorted(map(sorted, numbers.values())) == [[0], [1], [2]]
    assert sorted(set(gold.levels["prompt"].tolist())) == [0, 1]
    assert gold.levels["unit"].tolist() == list(range(6))


def test_items_of_one_speaker_in_one_conversation_are_one_unit(tmp_path: Path) -> None:
    rows = tiny_rows(items=4)
    for row in rows["answers"]:
        row |= {"gold": "P", "role": "Supportive friend"}
    gold = read_gold(write(tmp_path / "same", rows))
    assert sorted(gold.unit.tolist()) == [0, 0, 1, 1]


def test_a_speaker_in_two_conversations_is_two_units(tmp_path: Path) -> None:
    rows = tiny_rows(items=4)
    for row in rows["answers"]:
        row |= {"gold": "P", "role": "Supportive friend"}
    for n, row in enumerate(rows["sources"]):
        row |= {"speaker": "Toy/00", "conversation": f"Toy/c{n % 2}"}
    gold = read_gold(write(tmp_path / "r", rows))
    assert sorted(gold.unit.tolist()) == [0, 0, 1, 1]
    assert gold.levels["speaker"].tolist() == [0, 0]
    assert gold.levels["conversation"].tolist() == [0, 1]


def test_where_the_conversation_is_unknown_a_role_is_a_unit(tmp_path: Path) -> None:
    rows = tiny_rows(items=4)
    for row in rows["sources"]:
        row["conversation"] = None
    gold = read_gold(write(tmp_path / "r", rows))
    assert sorted(gold.unit.tolist()) == [0, 1, 2, 3]
    assert gold.positive.sum() == 2
