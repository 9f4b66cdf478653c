"""A pairs release written by hand, with cells of chosen sizes, for tests of panels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import soundfile

from earmark.manifests import keys
from earmark.manifests.building import Building, building
from earmark.manifests.families.pairs import CONTROL, CRITERIA, FIRST, NON_TIE, PAIRS, REVERSED, SECOND, TIE
from earmark.manifests.release import FacetEntry, Manifest, ProtocolEntry, Release, SourceEntry, canary, open_release

PAIRS_KEY = bytes(range(7, 39))
"""The key of every such release."""

Cells = Mapping[tuple[str, str, str], int]
"""Items by criterion (or "control"), kind and transcript."""

_RATE = 8000
_ANSWERS = {True: '{"marks":{"[[A]]":"A","[[B]]":"B","[[Tie]]":"Tie"}}', False: '{"marks":{"[[A]]":"A","[[B]]":"B"}}'}

CROSSED: Cells = {
    **{
        (criterion, kind, transcript): 20
        for criterion in CRITERIA
        for kind in ("non_tie", "both_good", "both_bad")
        for transcript in ("same", "cross")
        if (criterion != "rate" or (kind, transcript) == ("non_tie", "same"))
        and (criterion != "emphasis" or kind != "both_good")
    },
    ("rate", "non_tie", "same"): 60,
    (CONTROL, "both_good", "same"): 4,
    (CONTROL, "non_tie", "cross"): 4,
}
"""Enough for 50 items of each criterion, whatever its kinds."""


def pairs_rows(cells: Cells, *, swap_golds: bool = False) -> dict[str, list[dict[str, object]]]:
    """The rows of each table; the gold of every other pair that is no tie is its second clip.

    Args:
        cells: Items of each cell.
        swap_golds: Whether first and second are the other way round.
    """
    rows: dict[str, list[dict[str, object]]] = {name: [] for name in PAIRS.tables()}
    for facet in sorted({facet for facet, _, _ in cells}):
        tie = facet != "rate"
        rows["prompts"].append(
            {
                "prompt_id": facet,
                "system": "You compare two recordings.\n\nEnd with one of these on a line:\n[[A]] if A fits\n[[B]] if B fits",
                "user": f"Which of the two is more {facet}?",
                "answer": _ANSWERS[tie],
            }
        )
    for (facet, kind, transcript), size in cells.items():
        for n in range(size):
            gold = TIE if kind != NON_TIE else (FIRST, SECOND)[(n + swap_golds) % 2]
            _add(rows, facet, kind, transcript, n, gold)
    return rows


def write_pairs_release(out: Path, cells: Cells = CROSSED, *, audio: bool = False, swap_golds: bool = False) -> Release:
    """Write such a release with both sides, and open it.

    Args:
        out: Folder to be made.
        cells: Items of each cell.
        audio: Whether each clip has a short tone.
        swap_golds: Whether first and second are the other way round.
    """
    rows = pairs_rows(cells, swap_golds=swap_golds)
    key = out.with_name(f"{out.name}.key")
    key.write_bytes(PAIRS_KEY)
    with building(out, PAIRS, key=key) as work:
        for name, table in rows.items():
            work.write_table(name, table)
        if audio:
            folder = work.partial / "public" / "audio"
            folder.mkdir()
            for n, row in enumerate(rows["clips"]):
                _write_tone(folder / f"{row['clip_id']}.flac", 40 + n % 50)
        work.write_manifest(_manifest(work, rows))
    return open_release(out)


def _add(rows: dict[str, list[dict[str, object]]], facet: str, kind: str, transcript: str, n: int, gold: str) -> None:
    clips = []
    for side in "ab":
        path = f"{facet}/{kind}/{transcript}/{n}{side}.wav"
        clip = keys.clip_id(
            PAIRS_KEY, corpus="toy", version="1", path=path, channel=0, rate=_RATE, spans=[(0, 800)], joining_silence=0
        )
        clips.append(clip)
        rows["clips"].append({"clip_id": clip, "duration": 0.1, "rate": _RATE, "licence": "CC0-1.0"})
        source: dict[str, object] = {
            "clip_id": clip,
            "corpus": "toy",
            "corpus_version": "1",
            "path": path,
            "channel": 0,
            "rate": _RATE,
            "starts": [0],
            "ends": [800],
            "joining_silence": 0,
            "speaker": f"toy/{n}",
            "split": "test",
            "emphasised": [],
        }
        rows["sources"].append({column.name: None for column in PAIRS.tables()["sources"].columns} | source)
    item = keys.item_id(PAIRS_KEY, family="pairs", facet=facet, target="x", clips=clips, script=None)
    rows["items"].append({"item_id": item, "facet": facet, "group": None, "target": "x"})
    for position, clip in enumerate(clips):
        rows["item_clips"].append({"item_id": item, "role": "clip", "position": position, "clip_id": clip})
    answer = {"gold": gold, "kind": kind, "transcript": transcript, "speakers": "same", "sex": None, "variant": "main"}
    rows["answers"].append({"item_id": item, **answer})
    for order in PAIRS.orders:
        id = keys.presentation_id(PAIRS_KEY, item=item, order=order, after=None, modality="audio")
        rows["presentations"].append(
            {
                "presentation_id": id,
                "item_id": item,
                "order": order,
                "after": None,
                "modality": "audio",
                "prompt_id": facet,
                "protocols": ["both-orders"],
                "labels": ["Audio A", "Audio B"],
                "clips": clips[::-1] if order == REVERSED else clips,
            }
        )


def _manifest(work: Building, rows: dict[str, list[dict[str, object]]]) -> Manifest:
    facets = sorted({str(row["facet"]) for row in rows["items"]})
    return Manifest(
        format=1,
        name="hand",
        version="1.0.0",
        family="pairs",
        builder="earmark tests",
        canary=canary("hand", "1.0.0"),
        seed=1,
        gold="hidden",
        recipe={},
        sources=[SourceEntry(corpus="toy", version="1", licence="CC0-1.0", metadata={})],
        facets=[FacetEntry(id=id, name=id, items=sum(row["facet"] == id for row in rows["items"])) for id in facets],
        protocols=[
            ProtocolEntry(
                name="both-orders",
                modality="audio",
                orders=list(PAIRS.orders),
                presentations=len(rows["presentations"]),
            )
        ],
        tables=work.entries,
        media=None,
    )


def _write_tone(path: Path, half_period: int) -> None:
    """A tenth of a second of a square wave."""
    soundfile.write(
        path, np.where(np.arange(800) // half_period % 2, 0.25, -0.25), _RATE, format="FLAC", subtype="PCM_16"
    )
