"""A small, valid stance release written by hand, for tests that need one and not the builder."""

from __future__ import annotations

from pathlib import Path

from earmark.manifests import keys
from earmark.manifests.building import Building, building
from earmark.manifests.families.stance import STANCE
from earmark.manifests.release import (
    FacetEntry,
    Manifest,
    ProtocolEntry,
    Release,
    SourceEntry,
    canary,
    open_release,
)

TINY_KEY = bytes(range(32))
"""The key of every tiny release, so that their ids can be written down."""

Rows = dict[str, list[dict[str, object]]]

_RATE = 48_000
_ROLES = {"P": ("Supportive friend", "Warm"), "N": ("Impatient clerk", "Cold")}


def tiny_rows(*, items: int = 3, facets: int = 1, transcripts: bool = False) -> Rows:
    """The rows of each table: item i is of facet S(i mod facets), its gold P and N by turns, one speaker for every two items."""
    rows: Rows = {name: [] for name in STANCE.tables()}
    modalities = ("audio", "transcript") if transcripts else ("audio",)
    for order in STANCE.orders:
        first, second = (("P", "N"), ("N", "P"))[order == "NP"]
        rows["prompts"].append(
            {
                "prompt_id": f"toy-{order}",
                "system": "You hear one recording.",
                "user": f"Which pole does the TARGET speaker take: {first} or {second}?",
                "answer": '{"choice":["P","N"]}',
            }
        )
    for n in range(items):
        spans = [(_RATE * 2 * n, _RATE * (2 * n + 1)), (_RATE * (2 * n + 1) + 480, _RATE * (2 * n + 2))]
        recipe = {"corpus": "Toy", "version": "1.0", "path": f"wav/{n // 2:02d}.wav", "channel": 0, "rate": _RATE}
        clip = keys.clip_id(TINY_KEY, spans=spans, joining_silence=_RATE // 4, **recipe)  # type: ignore[arg-type]  # kinds differ
        facet, gold = f"S{n % facets}", "PN"[n // facets % 2]
        item = keys.item_id(TINY_KEY, family="stance", facet=facet, target=None, clips=[clip], script=None)
        rows["items"].append({"item_id": item, "facet": facet, "group": None, "target": None})
        rows["item_clips"].append({"item_id": item, "role": "target", "position": 0, "clip_id": clip})
        rows["clips"].append({"clip_id": clip, "duration": 2.24, "rate": _RATE, "licence": "CC0-1.0"})
        role, category = _ROLES[gold]
        rows["answers"].append({"item_id": item, "gold": gold, "kind": None, "role": role, "category": category})
        rows["sources"].append(
            {
                "clip_id": clip,
                "corpus": "Toy",
                "corpus_version": "1.0",
                "path": recipe["path"],
                "channel": 0,
                "rate": _RATE,
                "starts": [start for start, _ in spans],
                "ends": [end for _, end in spans],
                "joining_silence": _RATE // 4,
                "speaker": f"Toy/{n // 2:02d}",
                "conversation": f"Toy/c{n // 2:02d}",
                "prompt": f"prompt-{gold}",
                "script": None,
                "text": f"These are words number {n}.",
                "text_source": "hand",
                "tone_text": None,
                "pcm_hash": None,
                "level": -20.0 - n / 3,
                "active": 1.99,
            }
        )
        for modality in modalities:
            for order in STANCE.orders:
                rows["presentations"].append(
                    {
                        "presentation_id": keys.presentation_id(
                            TINY_KEY, item=item, order=order, after=None, modality=modality
                        ),
                        "item_id": item,
                        "order": order,
                        "after": None,
                        "modality": modality,
                        "prompt_id": f"toy-{order}",
                        "protocols": ["both-orders" if modality == "audio" else "both-orders-transcript"],
                        "labels": ["TARGET"],
                        "clips": [clip],
                    }
                )
    drawn = sorted({(str(row["role"]), f"Toy/c{n // 2:02d}") for n, row in enumerate(rows["answers"])})
    rows["selection"] = [{"stratum": stratum, "id": id, "drawn": True} for stratum, id in drawn]
    for name, table in STANCE.tables().items():
        for column in table.columns:
            for row in rows[name]:
                row.setdefault(column.name, None)  # refused below where a column that is never null has come in
    return rows


def tiny_manifest(work: Building, rows: Rows) -> Manifest:
    """What `release.json` of these rows says, once they are written."""
    facets = sorted({str(row["facet"]) for row in rows["items"]})
    modalities = {row["modality"] for row in rows["presentations"]}
    return Manifest(
        format=1,
        name="tiny",
        version="1.0.0",
        family="stance",
        builder="earmark tests",
        canary=canary("tiny", "1.0.0"),
        seed=1,
        gold="hidden",
        recipe={"release": {"name": "tiny", "version": "1.0.0"}},
        sources=[SourceEntry(corpus="Toy", version="1.0", licence="CC0-1.0", metadata={})],
        facets=[
            FacetEntry(id=facet, name=f"Facet {facet}", items=sum(row["facet"] == facet for row in rows["items"]))
            for facet in facets
        ],
        protocols=[
            ProtocolEntry(
                name=protocol.name,
                modality=protocol.modality,
                orders=list(protocol.orders),
                presentations=sum(row["modality"] == protocol.modality for row in rows["presentations"]),
            )
            for protocol in STANCE.protocols
            if protocol.modality in modalities
        ],
        tables=work.entries,
        media=None,
    )


def write_tiny_release(out: Path, *, items: int = 3, facets: int = 1, transcripts: bool = False) -> Release:
    """Write a release of the stance family with both sides and no audio, and open it.

    Args:
        out: Folder to be made.
        items: How many items; each is presented in both orders.
        facets: How many facets they are dealt to.
        transcripts: Whether they are presented as transcripts too.
    """
    rows = tiny_rows(items=items, facets=facets, transcripts=transcripts)
    key = out.with_name(f"{out.name}.key")
    key.write_bytes(TINY_KEY)
    with building(out, STANCE, key=key) as work:
        for name, table in rows.items():
            work.write_table(name, table)
        work.write_manifest(tiny_manifest(work, rows))
    return open_release(out)
