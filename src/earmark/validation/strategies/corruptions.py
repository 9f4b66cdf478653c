"""Broken releases: a sound one with one named fault, and the code that must be found. There is a fault for every code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from earmark.manifests.family import Family
from earmark.manifests.release import MANIFEST, Release, open_release
from earmark.validation.strategies.cells import Row
from earmark.validation.strategies.dialogue_faults import DIALOGUE_FAULTS
from earmark.validation.strategies.published_faults import add_recipe_of_no_clip, publish_private_side
from earmark.validation.strategies.releases import Drawn, releases, write_release
from earmark.validation.strategies.sketches import Rows


@dataclass(frozen=True)
class Corruption:
    """A fault.

    Args:
        name: What is done, in a few words.
        code: The code that must be found.
        rows: Changes the rows before they are written, so that every hash is that of the fault.
        files: Changes the folder afterwards.
        family: The only family that can have it; None for all.
    """

    name: str
    code: str
    rows: Callable[[Rows], object] | None = None
    files: Callable[[Path], object] | None = None
    family: str | None = None


@dataclass(frozen=True)
class Broken:
    """A sound release and what is to be done to it; `write_broken` does it."""

    drawn: Drawn
    corruption: Corruption


def broken_releases(family: str | Family = "stance") -> st.SearchStrategy[Broken]:
    """A release with one fault.

    Example:
        >>> @given(broken_releases("stance"))                       # doctest: +SKIP
        ... def test_my_own_checker_finds_it_too(broken): ...
    """
    name = family if isinstance(family, str) else family.name
    faults = [entry for entry in CORRUPTIONS if entry.family in (None, name)]
    return st.builds(Broken, releases(family), st.sampled_from(faults))


def write_broken(broken: Broken, folder: Path) -> Release:
    """Write a broken release and open it; its `release.json` is readable, whatever else is wrong."""
    rows = deepcopy(broken.drawn.rows)
    if broken.corruption.rows is not None:
        broken.corruption.rows(rows)
    write_release(Drawn(broken.drawn.family, broken.drawn.key, broken.drawn.sketch, rows), folder)
    if broken.corruption.files is not None:
        broken.corruption.files(folder)
    return open_release(folder)


def edit_manifest(folder: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change `release.json` in place."""
    value = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    edit(value)
    (folder / MANIFEST).write_text(json.dumps(value), encoding="utf-8", newline="\n")


def edit_table(folder: Path, name: str, edit: Callable[[pa.Table], pa.Table]) -> None:
    """Change a table's file in place; the manifest keeps what it said of it."""
    path = next(folder.glob(f"*/{name}.parquet"))
    pq.write_table(edit(pq.read_table(path, memory_map=False, partitioning=None)), path)


def _set(table: str, column: str, change: Callable[[Any], object], *, at: int = 0) -> Callable[[Rows], None]:
    """Change one cell of a table."""

    def corrupt(rows: Rows) -> None:
        rows[table][at][column] = change(rows[table][at][column])

    return corrupt


def _manifest(edit: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    return lambda folder: edit_manifest(folder, edit)


def _table(name: str, edit: Callable[[pa.Table], pa.Table]) -> Callable[[Path], None]:
    return lambda folder: edit_table(folder, name, edit)


def _column(name: str, values: Callable[[pa.ChunkedArray], list[object] | pa.Array]) -> Callable[[pa.Table], pa.Table]:
    """Replace a column; nothing of the old field stays, so that null may stand in it."""

    def edit(table: pa.Table) -> pa.Table:
        at, old = table.schema.get_field_index(name), table.schema.field(name)
        made = values(table[name])
        array = made if isinstance(made, pa.Array) else pa.array(made, old.type)
        return table.set_column(at, pa.field(name, array.type), array)

    return edit


def _repeat_item(rows: Rows) -> None:
    rows["items"].append(dict(rows["items"][0]))


def _add_prompt(rows: Rows) -> None:
    rows["prompts"].append({**rows["prompts"][0], "prompt_id": "nobody-asks-this"})


def _drop_presentation(rows: Rows) -> None:
    del rows["presentations"][0]


def _twice_in_a_protocol(rows: Rows) -> None:
    row = rows["presentations"][0]
    row["protocols"] = [*_texts(row, "protocols"), *_texts(row, "protocols")]


def _other_modality(rows: Rows) -> None:
    row = rows["presentations"][0]
    row["modality"] = "oracle" if row["modality"] != "oracle" else "cascade-words"


def _path_in_a_prompt(rows: Rows) -> None:
    rows["prompts"][0]["user"] = f"As heard in {rows['sources'][0]['path']} itself?"


def _spans_backwards(rows: Rows) -> None:
    row = rows["sources"][0]
    row["starts"], row["ends"] = row["ends"], row["starts"]


def _other_gold(rows: Rows) -> None:
    for row in rows["answers"]:
        row["gold"] = "P" if row["gold"] == "N" else "N"


def _speaker_answers_themselves(rows: Rows) -> None:
    for row in rows["sources"]:
        row["speaker"] = "everybody"


def _one_speech_twice(rows: Rows) -> None:
    """Both items of the first facet are of one recording and the same samples of it."""
    facets = {row["item_id"]: row["facet"] for row in rows["items"]}
    facet = rows["items"][0]["facet"]
    targets = [
        row["clip_id"] for row in rows["item_clips"] if row["role"] == "target" and facets[row["item_id"]] == facet
    ]
    sources = {row["clip_id"]: row for row in rows["sources"]}
    first, second = (sources[clip] for clip in targets[:2])
    for column in ("path", "starts", "ends"):
        second[column] = first[column]


def _wrong_draw(rows: Rows) -> None:
    rows["selection"][0]["drawn"] = not rows["selection"][0]["drawn"]


def _conversation_from_elsewhere(rows: Rows) -> None:
    for row in rows["sources"]:
        row["conversation"] = "toy-elsewhere"


def _mode_swapped(value: dict[str, Any]) -> None:
    for dimension in value["recipe"]["mapping"]["dimension"]:
        dimension["mode"] = "single" if dimension["mode"] == "interaction" else "interaction"


def _pair_turned(rows: Rows) -> None:
    row = rows["presentations"][0]
    row["clips"] = _texts(row, "clips")[::-1]


def _other_words(rows: Rows) -> None:
    row, prompts = rows["presentations"][0], rows["prompts"]
    row["prompt_id"] = next(other["prompt_id"] for other in prompts if other["prompt_id"] != row["prompt_id"])


def _no_tie_on_offer(rows: Rows) -> None:
    for row in rows["prompts"]:
        row["answer"] = '{"marks": {"[[A]]": "A", "[[B]]": "B"}}'


def _preferred_tie(rows: Rows) -> None:
    next(row for row in rows["answers"] if row["gold"] == "tie")["gold"] = "first"


def _other_speakers(rows: Rows) -> None:
    row = rows["answers"][0]
    row["speakers"] = "same" if row["speakers"] == "different" else "different"


def _level_called_silence(rows: Rows) -> None:
    next(row for row in rows["answers"] if row["variant"] == "level")["variant"] = "silence"


def _truncated(folder: Path) -> None:
    path = folder / "public" / "items.parquet"
    path.write_bytes(path.read_bytes()[:-20])


def _other_bytes(folder: Path) -> None:
    path = folder / "public" / "items.parquet"
    pq.write_table(pq.read_table(path, memory_map=False, partitioning=None), path, compression="none")


def _audio_of_nothing(folder: Path) -> None:
    (folder / "public" / "audio").mkdir()
    (folder / "public" / "audio" / "surplus.flac").write_bytes(b"fLaC")


def _texts(row: Row, name: str) -> list[str]:
    value = row[name]
    assert isinstance(value, list)  # noqa: S101  # the row is ours
    return value


CORRUPTIONS: tuple[Corruption, ...] = (
    Corruption("a column is gone", "table.columns", files=_table("clips", lambda table: table.drop_columns("licence"))),
    Corruption(
        "a column has another type",
        "table.type",
        files=_table("clips", _column("rate", lambda old: old.cast(pa.int32()).combine_chunks())),
    ),
    Corruption(
        "a cell is null",
        "table.null",
        files=_table("items", _column("facet", lambda old: [None, *old.to_pylist()[1:]])),
    ),
    Corruption(
        "a duration is NaN",
        "table.not-finite",
        files=_table("clips", _column("duration", lambda old: [float("nan"), *old.to_pylist()[1:]])),
    ),
    Corruption("a rate of 0", "table.value", rows=_set("clips", "rate", lambda _: 0)),
    Corruption("an item stands twice", "table.duplicate-key", rows=_repeat_item),
    Corruption(
        "a presentation names its protocol a hundred times",
        "table.long-list",
        rows=_set("presentations", "protocols", lambda names: names * 100),
    ),
    Corruption("a file breaks off", "release.unreadable", files=_truncated),
    Corruption(
        "a file that nobody asked for",
        "release.public-extra",
        files=lambda folder: (folder / "public" / "notes.txt").write_bytes(b"x"),
    ),
    Corruption(
        "a private file that nobody asked for",
        "release.private-extra",
        files=lambda folder: (folder / "private" / "notes.txt").write_bytes(b"x"),
    ),
    Corruption(
        "only the public side",
        "release.no-private-side",
        files=lambda folder: shutil.rmtree(folder / "private"),
    ),
    Corruption("a key cut short", "release.key", files=lambda folder: (folder / "private" / "key").write_bytes(b"k")),
    Corruption(
        "a prompt that is not there",
        "release.unresolved",
        rows=_set("presentations", "prompt_id", lambda _: "no-such-prompt"),
    ),
    Corruption("a prompt that nobody is asked", "release.orphan", rows=_add_prompt),
    Corruption("a table written anew", "release.file-hash", files=_other_bytes),
    Corruption(
        "a hash of other content",
        "release.content-hash",
        files=_manifest(lambda value: value["tables"]["items"].update(content_hash="blake2b-256:" + "0" * 64)),
    ),
    Corruption(
        "a row more in the manifest",
        "release.row-count",
        files=_manifest(lambda value: value["tables"]["items"].update(rows=10_000)),
    ),
    Corruption(
        "answers on the public side",
        "release.table-side",
        files=_manifest(lambda value: value["tables"]["answers"].update(side="public")),
    ),
    Corruption(
        "another channel", "release.id-not-remade", rows=_set("sources", "channel", lambda channel: channel + 7)
    ),
    Corruption("a second too much", "release.duration", rows=_set("clips", "duration", lambda seconds: seconds + 1)),
    Corruption("a presentation is gone", "protocol.gap", rows=_drop_presentation),
    Corruption("a presentation owed twice", "protocol.repeat", rows=_twice_in_a_protocol),
    Corruption("a presentation in another modality", "protocol.strange", rows=_other_modality),
    Corruption(
        "a presentation more in the manifest",
        "protocol.count",
        files=_manifest(lambda value: value["protocols"][0].update(presentations=10_000)),
    ),
    Corruption(
        "a protocol of one order",
        "protocol.offer",
        files=_manifest(lambda value: value["protocols"][0].update(orders=["backwards"])),
    ),
    Corruption(
        "a label too many", "presentation.labels", rows=_set("presentations", "labels", lambda old: [*old, "X"])
    ),
    Corruption("an answer is gone", "answers.gap", rows=lambda rows: rows["answers"].pop()),
    Corruption(
        "an item more in the manifest",
        "release.facets",
        files=_manifest(lambda value: value["facets"][0].update(items=10_000)),
    ),
    Corruption(
        "another canary",
        "release.canary",
        files=_manifest(lambda value: value.update(canary="00000000-0000-0000-0000-000000000000")),
    ),
    Corruption("a source's path in a prompt", "release.leak", rows=_path_in_a_prompt),
    Corruption("spans backwards", "sources.spans", rows=_spans_backwards),
    Corruption("a recipe of no clip", "release.recipes", files=add_recipe_of_no_clip),
    Corruption("a private side as published", "release.published-private-side", files=publish_private_side),
    Corruption("audio of no clip", "media.files", files=_audio_of_nothing),
    Corruption("no recipe", "stance.recipe", files=_manifest(lambda value: value.update(recipe={})), family="stance"),
    Corruption("the other pole", "stance.pole", rows=_other_gold, family="stance"),
    Corruption("dimensions of the other mode", "stance.clips", files=_manifest(_mode_swapped), family="stance"),
    Corruption("a speaker answers themselves", "stance.partner", rows=_speaker_answers_themselves, family="stance"),
    Corruption(
        "half an hour of speech", "stance.length", rows=_set("sources", "active", lambda _: 1800.0), family="stance"
    ),
    Corruption("the same speech twice", "stance.shared-speech", rows=_one_speech_twice, family="stance"),
    Corruption("another draw", "stance.sample", rows=_wrong_draw, family="stance"),
    Corruption("conversations from elsewhere", "stance.unsampled", rows=_conversation_from_elsewhere, family="stance"),
    Corruption(
        "no section of the pairing",
        "pairs.recipe",
        files=_manifest(lambda value: value.update(recipe={})),
        family="pairs",
    ),
    Corruption("nothing is asked for", "pairs.facet", rows=_set("items", "target", lambda _: None), family="pairs"),
    Corruption(
        "a clip in no place", "pairs.clips", rows=_set("item_clips", "position", lambda at: at + 2), family="pairs"
    ),
    Corruption("clips the other way round", "pairs.order", rows=_pair_turned, family="pairs"),
    Corruption("other words in one order", "pairs.words", rows=_other_words, family="pairs"),
    Corruption("no Tie on offer", "pairs.offered", rows=_no_tie_on_offer, family="pairs"),
    Corruption("a tie with a preferred clip", "pairs.gold", rows=_preferred_tie, family="pairs"),
    Corruption("other speakers than the sources have", "pairs.facts", rows=_other_speakers, family="pairs"),
    Corruption("a level called silence", "pairs.control", rows=_level_called_silence, family="pairs"),
    *(Corruption(name, code, rows=change, family="dialogues") for name, code, change in DIALOGUE_FAULTS),
)
"""A fault for every code that `validate` knows."""
