"""Whether a copy is of the version that a release was made of, as far as its metadata tell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.release import Release

OTHER_METADATA = declare(
    "materialize.other-metadata",
    Severity.WARNING,
    "this copy's metadata say something else than those that the release was made of, so it is likely another version",
)

_SEAMLESS = "seamless-interaction"


def other_version(release: Release, corpus: str, root: Path, findings: Findings, progress: Progress) -> str | None:
    """What makes another version of a copy likely, for people; None where nothing does.

    Args:
        release: The release.
        corpus: Name of the corpus.
        root: Its folder.
        findings: Told of every file of metadata that differs.
        progress: Told how far it is.
    """
    from earmark.builders.corpora.libritts.corpus import NAME, known_flaws

    differing = other_metadata(release, corpus, root, findings, progress)
    if differing:
        return f"this is likely another version, since it differs in {', '.join(differing)} too"
    if corpus == NAME and known_flaws(root):
        return "this is LibriTTS-R, whose files are called as those of LibriTTS and sound otherwise"
    return None


def other_metadata(release: Release, corpus: str, root: Path, findings: Findings, progress: Progress) -> list[str]:
    """Compare a copy's metadata with the hashes in the manifest.

    Args:
        release: The release.
        corpus: Name of the corpus.
        root: Its folder.
        findings: Told of every file of metadata that differs.
        progress: Told how far it is.

    Returns:
        Their names; none of a corpus whose layout is not known or whose metadata are the same.
    """
    entries = [source.metadata for source in release.manifest.sources if source.corpus == corpus]
    stated = {name: hash for entry in entries for name, hash in entry.items()}
    if not stated:
        return []
    found = _metadata(release.manifest.recipe, corpus, root, progress)
    differing = sorted(name for name, hash in found.items() if stated.get(name, hash) != hash)
    for name in differing:
        findings.add(OTHER_METADATA, file=f"{corpus}/{name}", found=found[name], expected=stated[name])
    return differing


def _metadata(recipe: Mapping[str, object], corpus: str, root: Path, progress: Progress) -> Mapping[str, str]:
    """Hashes of a copy's metadata by their names, of those that can be read; what is wrong with it is told elsewhere."""
    from earmark.builders.corpora.libritts import SUBSETS
    from earmark.builders.pairs.reading import CORPORA, read_corpus

    try:
        if corpus == _SEAMLESS:
            return _of_seamless(root)
        name = next((known for known in CORPORA if known == corpus), None)
        if name is None:
            return {}
        section = recipe.get("corpora")
        entry = section.get(name) if isinstance(section, dict) else None
        told = entry.get("splits") if isinstance(entry, dict) else None
        splits = tuple(map(str, told)) if isinstance(told, list) else CORPORA[name].splits
        found = read_corpus(name, root, splits, Findings(), progress).metadata
        # What LibriTTS's subsets say is told of the files that are there: one that is missing would make it another.
        return {file: hash for file, hash in found.items() if file not in SUBSETS}
    except (EarmarkError, OSError):
        return {}  # it is no such corpus


def _of_seamless(root: Path) -> Mapping[str, str]:
    """Of the two tables that lie beside the recordings; what the recordings' own say depends on which of them one has."""
    from earmark.builders.corpora.seamless import read_filelist, read_prompts
    from earmark.builders.corpora.seamless.corpus import table_hashes

    filelist, prompts = root / "filelist.csv", root / "interactions.csv"
    listed = read_filelist(filelist, Findings()) if filelist.is_file() else ()
    asked = read_prompts(prompts, Findings()) if prompts.is_file() else ()
    return dict(table_hashes(listed, asked))
