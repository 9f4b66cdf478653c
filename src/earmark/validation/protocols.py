"""Invariants of what a judge is sent: every protocol presents every item once in each of its orders."""

from __future__ import annotations

from collections import Counter

from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import MANIFEST
from earmark.manifests.rows import text, texts
from earmark.validation.contents import Contents, Invariant

GAP = declare("protocol.gap", Severity.ERROR, "a protocol lacks a presentation of an item")
REPEAT = declare("protocol.repeat", Severity.ERROR, "a protocol owes an item twice in one order")
STRANGE = declare(
    "protocol.strange", Severity.ERROR, "a presentation stands in a protocol of another order or modality"
)
COUNT = declare("protocol.count", Severity.ERROR, "a protocol owes another number than the manifest says")
OFFER = declare(
    "protocol.offer", Severity.ERROR, "the manifest offers a protocol that is not as the family declares it"
)
LABELS = declare(
    "presentation.labels", Severity.ERROR, "a presentation's labels and clips do not fit each other or the item"
)


def _protocols_are_complete(contents: Contents, findings: Findings) -> None:
    declared = {protocol.name: protocol for protocol in contents.family.protocols}
    owed: Counter[tuple[str, str, str]] = Counter()
    seen: set[tuple[object, ...]] = set()
    sizes: Counter[str] = Counter()
    for row in contents.rows("presentations"):
        for name in texts(row, "protocols"):
            protocol = declared.get(name)
            sizes[name] += 1
            if protocol is None or row["modality"] != protocol.modality or row["order"] not in protocol.orders:
                findings.add(STRANGE, file="presentations.parquet", id=text(row, "presentation_id"), found=name)
            owed[name, text(row, "item_id"), text(row, "order")] += 1
            what = (name, row["item_id"], row["order"], row["after"])
            if what in seen:
                findings.add(REPEAT, file="presentations.parquet", id=text(row, "presentation_id"), found=name)
            seen.add(what)
    offers = contents.release.manifest.protocols
    offered = Counter(entry.name for entry in offers)
    for entry in offers:
        protocol = declared.get(entry.name)
        if protocol is None or (entry.modality, tuple(entry.orders)) != (protocol.modality, protocol.orders):
            found = f"{entry.modality}, {' and '.join(entry.orders)}"
            right = (
                f"{protocol.modality}, {' and '.join(protocol.orders)}" if protocol else f"one of {', '.join(declared)}"
            )
            findings.add(OFFER, file=MANIFEST, id=entry.name, found=found, expected=right)
        elif offered[entry.name] > 1:
            findings.add(OFFER, file=MANIFEST, id=entry.name, found=offered[entry.name], expected="one entry")
        if entry.presentations != sizes[entry.name]:
            findings.add(
                COUNT, file=MANIFEST, id=entry.name, found=sizes[entry.name], expected=f"{entry.presentations}"
            )
        for item in contents.facets:
            for order in entry.orders:
                if not owed[entry.name, item, order]:
                    expected = f"order {order} in {entry.name}"
                    findings.add(GAP, file="presentations.parquet", id=item, expected=expected)
    for name in sorted(sizes.keys() - offered.keys()):
        findings.add(COUNT, file=MANIFEST, id=name, found=sizes[name], expected="0, as it is not offered")


def _labels_fit(contents: Contents, findings: Findings) -> None:
    for row in contents.rows("presentations"):
        labels, clips = texts(row, "labels"), texts(row, "clips")
        item = contents.item_clips.get(text(row, "item_id"), ())
        if not len(labels) == len(clips) == len(set(labels)) or not labels or not set(clips) <= set(item):
            id, found = text(row, "presentation_id"), f"{labels} for {clips}"
            findings.add(LABELS, file="presentations.parquet", id=id, found=found, expected="a label for each clip")


PROTOCOLS = Invariant(
    "protocols", "Every protocol presents every item once in each order.", False, _protocols_are_complete
)
LABELLED = Invariant("labels", "Labels stand for clips of the item.", False, _labels_fit)
