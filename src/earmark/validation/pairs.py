"""What must hold in a pairs release besides: two clips in two orders, answers that follow from labels, controls that are such.

What must hold of pairs anywhere (`earmark.validation.pairing`) is asked of a release's pairs too, under the rules, caps and
cells that its manifest keeps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from earmark.manifests.choices import marks_of
from earmark.manifests.families.pairs import (
    CONTROL,
    CONTROLS,
    CRITERIA,
    FIRST,
    KINDS,
    NON_TIE,
    PAIRS,
    SECOND,
    SIDES,
    STORED,
    TIE,
)
from earmark.manifests.families.pairs_recipe import SECTION, Pairing, stored_pairing
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import MANIFEST
from earmark.manifests.rows import Row, optional_real, optional_text, text, texts, whole, wholes
from earmark.validation import withdrawals
from earmark.validation.contents import Contents, Invariant
from earmark.validation.pairing import (
    PAIR_INVARIANTS,
    PairInvariant,
    PairTables,
    first_balanced,
    quotas,
    speaker_share,
)
from earmark.validation.pairing.counts import without_withdrawn

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from earmark.validation.strategies.sketches import Sketch

RECIPE = declare("pairs.recipe", Severity.ERROR, "the manifest's recipe is not that of a pairs release")
FACET = declare("pairs.facet", Severity.ERROR, "an item's facet or target is none that a pair can be asked about")
CLIPS = declare("pairs.clips", Severity.ERROR, "an item has not one first and one second clip")
ORDER = declare("pairs.order", Severity.ERROR, "a presentation does not show the item's clips in its order")
WORDS = declare("pairs.words", Severity.ERROR, "the two orders of an item are presented with different words")
OFFERED = declare("pairs.offered", Severity.ERROR, "the right answer is not among those that the prompt offers")
GOLD = declare("pairs.gold", Severity.ERROR, "the gold does not fit the kind")
FACTS = declare("pairs.facts", Severity.ERROR, "the answers say something else of the speakers than the sources")
CONTROL_ITEM = declare("pairs.control", Severity.ERROR, "a control is not what it is called, or what is none is one")

SILENT_DB = -200.0
"""Gain of a clip of digital silence."""

_tables: WeakKeyDictionary[Contents, PairTables] = WeakKeyDictionary()


def pair_tables(contents: Contents) -> PairTables:
    """A release's pairs and the utterances that they are of, controls left out; the names are item and clip ids."""
    if contents not in _tables:
        spoken = {clip: _utterance(clip, row) for clip, row in contents.sources.items()}
        _tables[contents] = PairTables(spoken, list(_pairs(contents)))
    return _tables[contents]


def _utterance(clip: str, source: Row) -> Row:
    starts, ends = wholes(source, "starts"), wholes(source, "ends")
    whole_clip = {"start": min(starts, default=None), "end": max(ends, default=None)}
    return {**source, "utterance": clip, **whole_clip}


def _pairs(contents: Contents) -> Iterator[Row]:
    answers = {text(row, "item_id"): row for row in contents.rows("answers")}
    for row in contents.rows("items"):
        item = text(row, "item_id")
        clips, answer = contents.item_clips.get(item, ()), answers.get(item)
        if answer is None or len(clips) != len(SIDES) or row["facet"] not in CRITERIA or row["target"] is None:
            continue  # found by what asks for just that
        yield {
            "pair": item,
            "criterion": row["facet"],
            "target": row["target"],
            "first": clips[0],
            "second": clips[1],
            "kind": optional_text(answer, "kind") or "none",
            "preferred": answer["gold"] if answer["gold"] in SIDES else None,
            "transcript": answer["transcript"],
            "variant": answer["variant"],
        }


def _recipe(contents: Contents) -> Pairing | None:
    """The section of the manifest, or None where it has not the form, which `_recipe_is_one` reports."""
    try:
        return stored_pairing(contents.release.manifest)
    except msgspec.ValidationError:
        return None


def _recipe_is_one(contents: Contents, findings: Findings) -> None:
    try:
        stored_pairing(contents.release.manifest)
    except msgspec.ValidationError as error:
        expected = f"a section {SECTION!r} with cells, caps and rules"
        findings.add(RECIPE, file=MANIFEST, found=str(error), expected=expected)


def _facets_are_criteria(contents: Contents, findings: Findings) -> None:
    for row in contents.rows("items"):
        if row["facet"] not in (*CRITERIA, CONTROL) or row["target"] is None:
            found = f"{row['facet']}, asked for {row['target'] or 'nothing'}"
            expected = f"one of {', '.join((*CRITERIA, CONTROL))}, and a target"
            findings.add(FACET, file="items.parquet", id=text(row, "item_id"), found=found, expected=expected)


def _orders_are_the_items(contents: Contents, findings: Findings) -> None:
    positions: dict[str, list[int]] = defaultdict(list)
    for row in contents.rows("item_clips"):
        positions[text(row, "item_id")].append(whole(row, "position"))
    for item in contents.facets:
        if sorted(positions[item]) != [0, 1]:
            found = f"positions {sorted(positions[item])}"
            findings.add(CLIPS, file="item_clips.parquet", id=item, found=found, expected="positions 0 and 1")
    words: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in contents.rows("presentations"):
        item, id = text(row, "item_id"), text(row, "presentation_id")
        stored = list(contents.item_clips.get(item, ()))
        expected = stored if row["order"] == STORED else stored[::-1]
        if texts(row, "clips") != expected:
            found = f"{', '.join(texts(row, 'clips'))} in order {row['order']}"
            findings.add(ORDER, file="presentations.parquet", id=id, found=found, expected=", ".join(expected))
        words[item, text(row, "modality")].add(text(row, "prompt_id"))
    for (item, _), prompts in words.items():
        if len(prompts) > 1:
            findings.add(WORDS, file="presentations.parquet", id=item, found=", ".join(sorted(prompts)), expected="one")


def _answers_are_offered(contents: Contents, findings: Findings) -> None:
    golds = {text(row, "item_id"): text(row, "gold") for row in contents.rows("answers")}
    offered = {
        text(row, "prompt_id"): frozenset(marks_of(text(row, "answer")).values()) for row in contents.rows("prompts")
    }
    told: set[tuple[str, str]] = set()
    for row in contents.rows("presentations"):
        item, prompt = text(row, "item_id"), text(row, "prompt_id")
        choices = offered.get(prompt, frozenset())
        known = PAIRS.reads.get(text(row, "order"), {})
        right = [choice for choice, gold in known.items() if gold == golds.get(item)]
        if right and right[0] not in choices and (item, prompt) not in told:
            told.add((item, prompt))
            found = f"{', '.join(sorted(choices)) or 'no answers'} by {prompt}"
            findings.add(OFFERED, file="prompts.parquet", id=item, found=found, expected=f"{right[0]} among them")


def _gold_fits_kind(contents: Contents, findings: Findings) -> None:
    for row in contents.rows("answers"):
        item, gold, kind = text(row, "item_id"), text(row, "gold"), optional_text(row, "kind")
        if (kind == NON_TIE) != (gold in SIDES) or kind not in KINDS:
            expected = "first or second of a non_tie pair, else tie"
            findings.add(GOLD, file="answers.parquet", id=item, found=f"{gold} of {kind}", expected=expected)
        sources = [contents.sources[clip] for clip in contents.item_clips.get(item, ()) if clip in contents.sources]
        if len(sources) != len(SIDES):
            continue
        speakers = "same" if sources[0]["speaker"] == sources[1]["speaker"] else "different"
        sexes = {optional_text(source, "sex") for source in sources}
        sex = None if None in sexes else "mixed" if len(sexes) > 1 else sexes.pop()
        for column, right in (("speakers", speakers), ("sex", sex)):
            if row[column] != right:
                expected = right or "null"
                findings.add(
                    FACTS, file="answers.parquet", column=column, id=item, found=row[column], expected=expected
                )


def _controls_are_controls(contents: Contents, findings: Findings) -> None:
    for row in contents.rows("answers"):
        item, gold, variant = text(row, "item_id"), text(row, "gold"), text(row, "variant")
        clips = contents.item_clips.get(item, ())
        sources = [contents.sources[clip] for clip in clips if clip in contents.sources]
        if len(sources) != len(SIDES):
            continue
        gains = [optional_real(source, "gain") for source in sources]
        named = variant if contents.facets.get(item) == CONTROL else None
        problem = None
        if (variant in CONTROLS) != (named is not None) or (named is not None and named not in CONTROLS):
            problem = f"variant {variant} of facet {contents.facets.get(item)}"
        elif named is None and gains != [None, None]:
            problem = f"gains {gains} of what is no control"
        elif named is not None and _recording(sources[0]) != _recording(sources[1]):
            problem = f"two recordings of {variant}"
        elif named is not None and _changed(gains, clips) != named:
            problem = f"gains {gains} of {variant}"
        elif named is not None and gold != (TIE if named != "silence" else (FIRST, SECOND)[gains[0] is not None]):
            problem = f"{gold} of {variant}"
        if problem is not None:
            expected = f"one recording: {', '.join(CONTROLS)}; the sound preferred to silence, otherwise tie"
            findings.add(CONTROL_ITEM, file="answers.parquet", id=item, found=problem, expected=expected)


def _changed(gains: Sequence[float | None], clips: Sequence[str]) -> str | None:
    """Which control two clips of one recording make, by what was done to their level; None for none."""
    altered = [gain for gain in gains if gain is not None]
    if clips[0] == clips[1]:
        return "identical"
    if len(altered) != 1:
        return None
    return "silence" if altered[0] <= SILENT_DB else "level"


def _recording(source: Row) -> tuple[object, ...]:
    """What two clips share that differ in level alone."""
    names = ("corpus", "corpus_version", "path", "channel", "rate", "starts", "ends")
    return tuple(str(source[name]) for name in names)


def _of_tables(entry: PairInvariant) -> Invariant:
    """An invariant of anybody's pairs as one of a release."""

    def check(contents: Contents, findings: Findings) -> None:
        pairing = _recipe(contents)
        if pairing is None:
            return
        withdrawn, tables, code = contents.release.manifest.withdrawn, pair_tables(contents), entry.code
        if withdrawn is not None:
            code = withdrawals.LESS_BALANCED if entry in (first_balanced, speaker_share) else code
            if entry in (quotas, speaker_share):
                pairing = without_withdrawn(pairing, tables, withdrawn.items)
        for fault in entry.faults(tables, pairing):
            id = fault.id if fault.pair is None else fault.pair.id
            findings.add(code, file="answers.parquet", id=id, found=fault.found, expected=fault.expected)

    return Invariant(entry.name.replace(".", "-"), entry.means, True, check)


INVARIANTS: tuple[Invariant, ...] = (
    Invariant("pairs-recipe", "The manifest holds what a pairs release was paired by.", False, _recipe_is_one),
    Invariant("pairs-facets", "Facets are criteria or controls, and all have targets.", False, _facets_are_criteria),
    Invariant("pairs-orders", "Two clips, shown as stored and the other way round.", False, _orders_are_the_items),
    Invariant("pairs-offered", "The prompts offer the right answer.", True, _answers_are_offered),
    Invariant("pairs-gold", "Gold and facts are those of kind and sources.", True, _gold_fits_kind),
    Invariant("pairs-controls", "Controls are what they are called.", True, _controls_are_controls),
    *(_of_tables(entry) for entry in PAIR_INVARIANTS),
)
"""What this family adds."""


def sketches(key: bytes) -> SearchStrategy[Sketch]:
    """How `strategies.releases("pairs")` draws a release; needs Hypothesis."""
    from earmark.validation.strategies.pairs import sketches as drawn

    return drawn(key)
