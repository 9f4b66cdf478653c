"""The signature of a report: what must be equal for two of them to be comparable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import earmark
from earmark.manifests.copies.shipped import shipped
from earmark.manifests.hashes import file_hash
from earmark.manifests.revisions.earlier import CommonSubset, whole
from earmark.scoring.norms.marking import norm_entries

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release
    from earmark.scoring.measuring import Options
    from earmark.scoring.norms import Norm


def signature(
    release: Release,
    protocol: str,
    options: Options,
    *,
    paper: str | None = None,
    beside: Sequence[str | Path] = (),
    against: Sequence[str | Path] = (),
    norms: Sequence[Norm] = (),
) -> Mapping[str, Json]:
    """What must be equal for two reports to be comparable.

    Args:
        release: The release.
        protocol: The protocol marked.
        options: How intervals were made.
        paper: The paper whose filters were applied besides.
        beside: Other submissions that its row intersection is with; their hashes are kept.
        against: Other submissions that it is set against; the same.
        norms: What standard scores are relative to.
    """
    manifest = release.manifest
    # What only some families have stands only in their reports.
    further: dict[str, Json] = {"norms": norm_entries(norms)} if norms else {}
    copied = shipped(whole(release))
    if copied is not None and any(table.reduced for table in copied.tables.values()):
        # Clusters of other names are drawn in another order, so ends of intervals, and p, may differ a little.
        further["sources"] = "reduced"
    if options.method != "percentile":
        further["interval"] = options.method
    if isinstance(release, CommonSubset):
        further["common"] = {
            "items": manifest.tables["items"].rows,
            "versions": [{"version": one.version, "content_hash": one.content_hash} for one in release.between],
        }
    if against:
        further["against"] = sorted(file_hash(Path(other)) for other in against)
    return {
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "answers_hash": manifest.answers_hash,
        "family": manifest.family,
        "protocol": protocol,
        "scorer": f"earmark {earmark.__version__}",
        "resamples": options.resamples,
        "seed": options.seed,
        "level": options.level,
        "paper": paper,
        "paper_beside": sorted(file_hash(Path(other)) for other in beside),
        **further,
    }
