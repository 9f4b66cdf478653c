"""Reading the corpora of a recipe into one list of utterances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.media import Progress
from earmark.builders.pairs.items import Copy
from earmark.builders.pairs.recipe import CorpusName, CorpusSection
from earmark.builders.plan import Rows
from earmark.manifests.errors import Refused, UnknownName
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.licences import USUAL
from earmark.manifests.release import SourceEntry
from earmark.manifests.rows import text

REPEATED = declare("pairs.repeated-id", Severity.ERROR, "two utterances have one id; none of them is used")
SPLIT = declare("pairs.unknown-split", Severity.ERROR, "the corpus has no such split")
TEXTLESS = declare("pairs.no-text", Severity.NOTE, "an utterance has no words, so it stands in no pair")


@dataclass(frozen=True)
class Corpus:
    """What is known of a corpus before its folder is seen.

    Args:
        version: What to call a copy that the recipe does not name.
        licence: Its licence.
        splits: Its official test splits.
    """

    version: str
    licence: str
    splits: tuple[str, ...]


CORPORA: Mapping[CorpusName, Corpus] = {
    "expresso": Corpus("1.0", USUAL["expresso"], ("test",)),
    "ears": Corpus("1.0", USUAL["ears"], ("test",)),
    "svc": Corpus("1.0", USUAL["svc"], ("test",)),
    "libritts": Corpus("1.0", USUAL["libritts"], ("test-clean", "test-other")),
}


@dataclass(frozen=True)
class Read:
    """The corpora of a recipe.

    Args:
        rows: Utterances of all of them, ascending by name.
        copies: Of each corpus, the copy.
        roots: Where each lies.
        sources: What the manifest says of them.
    """

    rows: Rows
    copies: Mapping[str, Copy]
    roots: Mapping[str, Path]
    sources: tuple[SourceEntry, ...]


def read_corpora(
    sections: Mapping[CorpusName, CorpusSection], base: Path, findings: Findings, progress: Progress
) -> Read:
    """Read every corpus of a recipe.

    Args:
        sections: What the recipe says of each.
        base: Folder that relative paths start from.
        findings: Where problems go.
        progress: Told how far it is.

    Raises:
        Refused: If one of them cannot be used at all; after all of them were read.
    """
    rows: Rows = []
    copies: dict[str, Copy] = {}
    roots: dict[str, Path] = {}
    sources: list[SourceEntry] = []
    usable = True
    for name, section in sorted(sections.items()):
        known = CORPORA[name]
        root = base / section.root
        try:
            corpus = read_corpus(name, root, section.splits or known.splits, findings, progress)
        except (Refused, UnknownName) as error:
            if isinstance(error, UnknownName):
                findings.add(SPLIT, id=f"[corpora.{name}]", found=str(error))
            elif findings.strict or error.findings is not findings:
                raise
            usable = False  # what is wrong with the others is said too
            continue
        copy = Copy(section.version or known.version, section.licence or known.licence)
        rows += corpus.rows
        copies[name], roots[name] = copy, root
        sources.append(
            SourceEntry(corpus=name, version=copy.version, licence=copy.licence, metadata=dict(corpus.metadata))
        )
    if not usable:
        raise Refused(findings)
    return Read(_unique(rows, findings), copies, roots, tuple(sources))


def read_corpus(
    name: CorpusName, root: Path, splits: tuple[str, ...], findings: Findings, progress: Progress
) -> SpeechCorpus:
    """Read one corpus.

    Args:
        name: Its name.
        root: Its folder.
        splits: Its official splits that are wanted.
        findings: Where problems go.
        progress: Told how far it is.

    Raises:
        Refused: If it cannot be used at all.
        UnknownName: If it has no such split.
    """

    def told(done: int, total: int) -> None:
        progress(f"reading {name}", done, total)

    match name:
        case "expresso":
            from earmark.builders.corpora.expresso import read_expresso

            return read_expresso(root, splits=splits, findings=findings, progress=told)
        case "ears":
            from earmark.builders.corpora.ears import read_ears

            return read_ears(root, splits=splits, findings=findings, progress=told)
        case "svc":
            from earmark.builders.corpora.svc import read_svc

            return read_svc(root, splits=splits, findings=findings, progress=told)
        case "libritts":
            from earmark.builders.corpora.libritts import read_libritts

            return read_libritts(root, splits=splits, findings=findings, progress=told)


def _unique(rows: Rows, findings: Findings) -> Rows:
    """The rows whose id no other has, ascending."""
    by_id: dict[str, Rows] = {}
    for row in rows:
        by_id.setdefault(text(row, "utterance"), []).append(row)
    kept = []
    for id, same in sorted(by_id.items()):
        if len(same) > 1:
            findings.add(REPEATED, id=id, found=", ".join(sorted(text(row, "path") for row in same)))
        else:
            kept += same
    return kept
