"""The plan of a pairs release: read the corpora, measure their clips, choose the pairs, and write them down.

The order of rows and files changes nothing: everything is sorted by id before it is used, and ties are broken by keyed hashes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.media import Progress
from earmark.builders.pairs.balance_report import balances, pages
from earmark.builders.pairs.choosing import Chosen, Planned, choose, plan_blocks
from earmark.builders.pairs.columns import Columns, words_of
from earmark.builders.pairs.controls import controls
from earmark.builders.pairs.items import Items, Pair
from earmark.builders.pairs.ordering import stored_pairs
from earmark.builders.pairs.presets import with_preset
from earmark.builders.pairs.prompts import Templates, read_templates
from earmark.builders.pairs.reading import REPEATED, TEXTLESS, Read, read_corpora
from earmark.builders.pairs.recipe import CorpusName, CorpusSection, PairsRecipe, check_pairs_recipe, resolved
from earmark.builders.pairs.repeats import OTHER_LABELS, SAME_AUDIO, by_file, without_repeats
from earmark.builders.pairs.report import pairing_section, summary
from earmark.builders.pairs.sound import measures
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.canonical import Json
from earmark.manifests.criteria import satisfies
from earmark.manifests.errors import Refused
from earmark.manifests.families.pairs import BOTH_BAD, BOTH_GOOD, CONTROL, CRITERIA
from earmark.manifests.families.pairs_recipe import Criterion
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.rows import Row, optional_text, text, whole

SHORTFALL = declare("pairs.shortfall", Severity.ERROR, "a quota cannot be filled")
SHORTFALL_ALLOWED = declare("pairs.shortfall-allowed", Severity.WARNING, "a quota is not filled")
NO_BLOCK = declare("pairs.unknown-block", Severity.ERROR, "there is no such block of quotas")
NO_CRITERION = declare("pairs.no-criterion", Severity.ERROR, "a block says no criterion")
NO_CORPUS = declare("pairs.no-corpus", Severity.ERROR, "a block needs a corpus that the recipe does not have")
NO_QUOTA = declare("pairs.no-quota", Severity.WARNING, "a block asks for no pair")
UNUSED = declare("pairs.unused-corpus", Severity.NOTE, "no block asks for a corpus of the recipe, so it is not read")
NO_TIE = declare(
    "pairs.no-tie", Severity.ERROR, "a block has pairs whose answer is Tie, which its template does not offer"
)
_DOUBTFUL = (REPEATED, SAME_AUDIO, OTHER_LABELS)
"""Which recording is meant is for people to say, so that without their leave no release is made of what is left."""

NAMES = {
    "style": "Style",
    "rate": "Rate",
    "emphasis": "Emphasis",
    "age": "Age",
    "gender": "Gender",
    CONTROL: "Controls",
}
"""What people call the facets."""


def plan(
    recipe: Mapping[str, Json], base: Path, key: bytes, findings: Findings, progress: Progress
) -> tuple[ReleaseSection, Plan]:
    """Make the plan of a release.

    Args:
        recipe: The recipe as plain values; its preset is merged in here.
        base: Folder that its relative paths start from.
        key: The release line's key.
        findings: Where problems go.
        progress: Told how far it is.

    Raises:
        Refused: If recipe or templates cannot be used; and if a quota cannot be filled, or an id or an audio stands for two
            utterances, and the recipe does not allow that.
    """
    checked = check_pairs_recipe(with_preset(recipe))
    names = _blocks(checked, findings)
    templates = _templates(checked, base, names, findings)
    read = read_corpora(_used(checked, names, findings), base, findings, progress)
    sounds = _measure(checked, read, findings, progress)
    before = findings.count(Severity.ERROR)
    if not checked.pairing.allow_shortfall:
        before -= sum(findings.counts.get(code.name, 0) for code in _DOUBTFUL)
    blocks = plan_blocks(checked, sounds.columns, names, findings)
    chosen = _choose(checked, blocks, key, findings, progress)
    _check_shortfalls(checked, chosen, findings)
    _require_no_more(findings, before)
    pairs = [pair for group in chosen for pair in stored_pairs(group, key=key, seed=checked.release.seed)]
    items = Items(templates, read.copies, sounds.sounds, sounds.hashes, key)
    for pair in pairs:
        items.add(pair)
    for pair in controls(
        checked.controls,
        _good(pairs),
        templates,
        key=key,
        seed=checked.release.seed,
        findings=findings,
        allow_shortfall=checked.pairing.allow_shortfall,
    ):
        items.add(pair)
    _require_no_more(findings, before)
    tables = items.tables()
    used = {text(row, "corpus") for row in tables["sources"]}
    balanced = balances(chosen)
    report = summary(chosen, balanced, Counter(text(row, "corpus") for row in read.rows))
    return checked.release, Plan(
        facets={facet: NAMES[facet] for facet in (*CRITERIA, CONTROL)},
        tables=tables,
        roots=read.roots,
        sources=tuple(source for source in read.sources if source.corpus in used),
        recipe=resolved(checked, pairing_section(checked, chosen), templates.as_recipe()),
        report=report,
        exact=True,
        pages=pages(checked, chosen, balanced, report),
    )


@dataclass(frozen=True, eq=False)
class Sounds:
    """Utterances and what was measured of them.

    Args:
        columns: Those that can be used, as arrays.
        sounds: Of each that was measured, its columns of `MEASURES`.
        hashes: Of each that was measured, the hash of its samples.
    """

    columns: Columns
    sounds: Mapping[str, Row]
    hashes: Mapping[str, str]


def _blocks(recipe: PairsRecipe, findings: Findings) -> tuple[str, ...]:
    """Names of the blocks to fill.

    Raises:
        Refused: If one is not there, says no criterion, or needs a corpus that is not there.
    """
    before = findings.count(Severity.ERROR)
    names = tuple(recipe.blocks) if recipe.pairing.blocks is None else recipe.pairing.blocks
    for name in names:
        block = recipe.blocks.get(name)
        if block is None:
            findings.add(NO_BLOCK, id="[pairing]", found=name, expected=nearest(name, sorted(recipe.blocks)))
            continue
        try:
            block.named(name)
        except ValueError as error:
            findings.add(NO_CRITERION, id=f"[blocks.{name}]", expected=str(error))
        if not block.quotas:
            findings.add(NO_QUOTA, id=f"[blocks.{name}]", expected="non_tie, both_good or both_bad")
        for corpus in block.corpora:
            if corpus not in recipe.corpora:
                others = ", ".join(other for other in names if other != name)
                expected = f"[corpora.{corpus}] with its root, or blocks without {name}: {others}"
                findings.add(NO_CORPUS, id=f"[blocks.{name}]", found=corpus, expected=expected)
    _require_no_more(findings, before)
    return names


def _used(recipe: PairsRecipe, names: Sequence[str], findings: Findings) -> dict[CorpusName, CorpusSection]:
    """The corpora that some block needs: to read and measure the others costs hours, and what is wrong with them is no matter."""
    needed = {corpus for name in names for corpus in recipe.blocks[name].corpora}
    for corpus in sorted(set(recipe.corpora) - needed):
        findings.add(UNUSED, id=f"[corpora.{corpus}]", found=", ".join(names))
    return {corpus: section for corpus, section in recipe.corpora.items() if corpus in needed}


def _templates(recipe: PairsRecipe, base: Path, names: Sequence[str], findings: Findings) -> Templates:
    before = findings.count(Severity.ERROR)
    file = recipe.prompts.templates
    templates = read_templates(None if file is None else base / file, findings)
    for name in names:
        block = recipe.blocks[name]
        criterion = block.named(name)
        ties = sorted({kind for kind, _ in block.quotas if kind in (BOTH_GOOD, BOTH_BAD)})
        if ties and not templates.of(criterion).tie:
            findings.add(NO_TIE, id=f"[blocks.{name}]", found=", ".join(ties), expected=f"[{criterion}] tie = true")
    _require_no_more(findings, before)
    return templates


def _measure(recipe: PairsRecipe, read: Read, findings: Findings, progress: Progress) -> Sounds:
    """Measure every utterance that has words, and drop those whose samples another one has."""
    worded = []
    for row in read.rows:
        if words_of(row):
            worded.append(row)
        else:
            findings.add(TEXTLESS, id=text(row, "utterance"), found=optional_text(row, "text"))
    if not recipe.pairing.measure:
        kept = without_repeats(worded, by_file(worded, read.roots), findings)
        return Sounds(Columns(kept, measures(kept, [None] * len(kept))), {}, {})
    from earmark.builders.measuring import Request, measure_clips
    from earmark.builders.measuring_cache import cache_folder

    requests = [
        Request(
            path=read.roots[text(row, "corpus")].joinpath(*text(row, "path").split("/")),
            rate=whole(row, "rate"),
            spans=((whole(row, "start"), whole(row, "end")),),
            channel=whole(row, "channel"),
            words=len(words_of(row)),
            id=text(row, "utterance"),
        )
        for row in worded
    ]
    measured = measure_clips(requests, cache=cache_folder(), jobs=_jobs(), progress=progress, findings=findings)
    found = {text(row, "utterance"): result for row, result in zip(worded, measured, strict=True) if result is not None}
    kept = without_repeats(worded, {utterance: result.pcm_hash for utterance, result in found.items()}, findings)
    used = [text(row, "utterance") for row in kept]
    sounds = {utterance: found[utterance].acoustics.as_row() for utterance in used}
    hashes = {utterance: found[utterance].pcm_hash for utterance in used}
    table = measures(kept, [sounds[utterance] for utterance in used])
    return Sounds(Columns(kept, table), sounds, hashes)


def _jobs() -> int:
    """Processes to measure with: what results are does not depend on it."""
    import os

    return os.cpu_count() or 1


def _choose(
    recipe: PairsRecipe,
    blocks: Mapping[Criterion, Sequence[Planned]],
    key: bytes,
    findings: Findings,
    progress: Progress,
) -> list[Chosen]:
    chosen = []
    criteria = sorted(blocks, key=CRITERIA.index)
    for done, criterion in enumerate(criteria):
        progress("choosing pairs", done, len(criteria))
        chosen.append(choose(criterion, blocks[criterion], recipe, key, findings))
    progress("choosing pairs", len(criteria), len(criteria))
    return chosen


def _check_shortfalls(recipe: PairsRecipe, chosen: Sequence[Chosen], findings: Findings) -> None:
    code = SHORTFALL_ALLOWED if recipe.pairing.allow_shortfall else SHORTFALL
    for group in chosen:
        for cell, report in zip(group.cells, group.allocation.cells, strict=True):
            if report.demand is not None and report.filled < report.demand:
                found = f"{report.filled} of {report.demand}"
                most = (
                    f"{report.feasible_holds} {report.feasible}"
                    if report.feasible_holds != "exactly"
                    else report.feasible
                )
                expected = f"alone it could have {most} of {report.candidates} candidates; bound by {report.binding}"
                findings.add(code, id=cell.name, found=found, expected=expected)


def _good(pairs: Sequence[Pair]) -> dict[tuple[str, str], list[Row]]:
    """By criterion and target, the utterances of pairs that satisfy it, each once."""
    good: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for pair in pairs:
        for side in (pair.first, pair.second):
            if satisfies(side.row, pair.criterion, pair.target):
                good[pair.criterion, pair.target][text(side.row, "utterance")] = side.row
    return {key: [rows[id] for id in sorted(rows)] for key, rows in sorted(good.items())}


def _require_no_more(findings: Findings, before: int) -> None:
    """Go on only if no error came since.

    Raises:
        Refused: If one did.
    """
    if findings.count(Severity.ERROR) > before:
        raise Refused(findings)
