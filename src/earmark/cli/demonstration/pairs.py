"""The chapter on pairs: four corpora of tones, and what rules get that do not know what a tie is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.builders.miniatures.ears import make_ears
from earmark.builders.miniatures.expresso import make_expresso
from earmark.builders.miniatures.libritts import make_libritts
from earmark.builders.miniatures.svc import make_svc
from earmark.cli.demonstration.beside import Among, letters_told
from earmark.cli.demonstration.chapter import Chapter, Marked, build, release_fact, shown
from earmark.cli.tables import table
from earmark.manifests.families.pairs import CRITERIA, NON_TIE
from earmark.manifests.families.pairs_recipe import Cell, Pairing

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.manifests.release import Release

SEED = 2026

COMPARED = Among(
    ["perfect-never-Tie", "higher-pitched", "always-Tie"], ["accuracy", "accuracy_non_tie", "accuracy_tie"]
)
"""Who hears every difference, who goes by one thing, and who never decides."""

RECIPE = """\
# The recipe of the demo's pairs release, from the demo's folder:
# earmark build pairs --recipe pairs/recipe.toml --out again --media --rate 16000 --key demo.key
[release]
name = "synthetic-pairs"
version = "1.0.0"
seed = 2026
published = "2026-12-01"
creators = ["The Earmark developers"]
url = "https://example.org/synthetic-pairs"
licence = "CC0-1.0"

[corpora]
expresso = { root = "corpus/expresso", version = "synthetic miniature", licence = "CC0-1.0" }
ears = { root = "corpus/EARS", version = "synthetic miniature", licence = "CC0-1.0" }
svc = { root = "corpus/svc-dataset", version = "synthetic miniature", licence = "CC0-1.0" }
libritts = { root = "corpus/LibriTTS", version = "synthetic miniature", licence = "CC0-1.0" }

# Quotas are per target, and each is filled to the pair or nothing is written. What is not said here is the preset's, "crossed".
[blocks.style]
targets = ["happy", "whisper"]
non_tie = { same = 8, cross = 8 }      # one clip is happy; the two say the same words, or different ones
both_good = { same = 4, cross = 4 }    # both are: a tie
both_bad = { same = 4, cross = 4 }     # neither is: a tie as well
sexes = "any"
total = 64

[blocks.rate]
non_tie = { same = 8 }
total = 24

[blocks.emphasis]                      # words share one quota
non_tie = { same = 6, cross = 3 }
both_bad = { same = 6, cross = 3 }
total = 18

[blocks.age]
targets = ["9-16", "17-28", "55-100"]
non_tie = { same = 4, cross = 4 }
both_good = {}
both_bad = {}
total = 24

[blocks.gender]
non_tie = { same = 4, cross = 4 }
both_good = { same = 2, cross = 2 }
both_bad = { same = 2, cross = 2 }
total = 32

[blocks.gender-books]                  # read aloud from books, and reported apart
criterion = "gender"
variant = "books"
corpora = ["libritts"]
non_tie = { cross = 4 }
both_good = { cross = 2 }
both_bad = { cross = 2 }
total = 16

[controls]                             # a judge that fails these does not listen; no headline counts them
identical = 5
level = 5
silence = 5
"""


def tell_pairs(folder: Path, key: Path, *, keep_corpus: bool, jobs: int, progress: Progress) -> Chapter:
    """Synthesise four small corpora, and build and judge a release of pairs of their clips.

    Args:
        folder: Folder to write; must not exist.
        key: The release line's key.
        keep_corpus: Whether the corpora stay.
        jobs: Processes to cut with.
        progress: Told how far it is.
    """
    corpora = folder / "corpus"
    progress("synthesising tones", 0, 1)
    make_expresso(corpora / "expresso", seed=SEED, flaws=False)
    make_ears(corpora / "EARS", seed=SEED, flaws=False)
    make_svc(corpora / "svc-dataset", seed=SEED, flaws=False)
    make_libritts(corpora / "LibriTTS", seed=SEED, flaws=False)
    progress("synthesising tones", 1, 1)
    made = build("pairs", folder, RECIPE, key, keep_corpus=keep_corpus, jobs=jobs, progress=progress, among=COMPARED)
    kept = corpora if keep_corpus else "removed; --keep-corpus keeps them"
    facts = [
        ("family", "pairs: which of two clips is happier, faster, older …, or is it a tie?"),
        ("corpora", f"Expresso, EARS, Sonos SVC and LibriTTS in small, tones in place of speech ({kept})"),
        release_fact(made.release),
        ("quotas", filled(cells_of(made.release))),
        (
            "pairing",
            f"{made.release.path / 'private' / 'build.html'}: how the pairs were chosen, and how balanced they are",
        ),
        ("build", f"{made.built.summary()} (a stretch of a long recording has no transcript)"),
    ]
    apart = letters_told(made.beside.comparison, "accuracy", "accuracy")
    return Chapter("pairs", facts, *figures(made.judges), apart, corpora if keep_corpus else None, made)


def cells_of(release: Release) -> Sequence[Cell]:
    """What the quotas asked for and got, as the manifest keeps it."""
    return msgspec.convert(release.manifest.recipe["pairing"], Pairing).cells


def filled(cells: Sequence[Cell]) -> str:
    """How many pairs the quotas asked for and got, and how many of them have a better clip."""
    demand = sum(cell.demand or 0 for cell in cells)
    got = sum(cell.filled for cell in cells)
    one = sum(cell.filled for cell in cells if cell.kind == NON_TIE)
    short = sum(_is_short(cell) for cell in cells)
    came = "each filled to the pair" if not short else f"{short} of them not filled: {got} of {demand} pairs"
    return f"{len(cells)} cells, {came}: {one} pairs with a better clip, {got - one} ties, in both orders"


def _is_short(cell: Cell) -> bool:
    return cell.demand is not None and cell.filled < cell.demand


def figures(judges: Sequence[Marked]) -> tuple[str, str]:
    """The judges' figures, and what they teach."""
    header = ["judge that does not listen", "accuracy", "non-ties", "ties", *CRITERIA]
    rows = [
        [
            judge.name,
            shown(judge.report.find("accuracy")),
            shown(judge.report.find("accuracy_non_tie"), interval=False),
            shown(judge.report.find("accuracy_tie"), interval=False),
            *(shown(judge.report.find("accuracy", criterion), interval=False) for criterion in CRITERIA),
        ]
        for judge in judges
    ]
    return table(header, rows), _lesson({judge.name: judge for judge in judges})


def _lesson(judges: dict[str, Marked]) -> str:
    never, always = (_accuracy(judges[name]) for name in ("perfect, never Tie", "always Tie"))
    return (
        f"Always saying Tie gets {always}, and hearing every difference without ever saying Tie gets {never}.\n"
        "One figure does not say which of the two a judge is like; a report holds pairs with a better clip and ties apart."
    )


def _accuracy(judge: Marked) -> str:
    return shown(judge.report.find("accuracy"), interval=False)
