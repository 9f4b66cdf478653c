"""What must hold in a toy release besides."""

from earmark.manifests.findings import Findings, Severity, declare
from earmark.validation.contents import Contents
from earmark.validation.invariants import Invariant

PAIR = declare("toy.pair", Severity.ERROR, "an item has not two clips")


def _two_clips(contents: Contents, findings: Findings) -> None:
    for item in contents.facets:
        if len(contents.item_clips.get(item, ())) != 2:
            findings.add(PAIR, file="item_clips.parquet", id=item)


INVARIANTS = (Invariant("pair", "An item has two clips.", False, _two_clips),)
