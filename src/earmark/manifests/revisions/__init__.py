"""Versions of a release line: what two of them differ in, the step that their numbers owe, what was withdrawn, what both hold."""

from earmark.manifests.revisions.difference import difference
from earmark.manifests.revisions.ids import MOST_SHOWN, Ids
from earmark.manifests.revisions.records import (
    AudioDifference,
    CellChange,
    Difference,
    Edition,
    ItemsDifference,
    Known,
    MetadataChange,
    TableDifference,
)
from earmark.manifests.revisions.steps import Proposal, proposed_version, require_step, smallest_step
from earmark.manifests.revisions.versions import Step, Version
from earmark.manifests.revisions.withdrawn import Predecessor, Tombstone, Withdrawn, read_withdrawn

__all__ = [
    "MOST_SHOWN",
    "AudioDifference",
    "CellChange",
    "Difference",
    "Edition",
    "Ids",
    "ItemsDifference",
    "Known",
    "MetadataChange",
    "Predecessor",
    "Proposal",
    "Step",
    "TableDifference",
    "Tombstone",
    "Version",
    "Withdrawn",
    "difference",
    "proposed_version",
    "read_withdrawn",
    "require_step",
    "smallest_step",
]
