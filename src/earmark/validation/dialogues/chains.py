"""Invariants of how a dialogue is asked: in the chains of each protocol, in the same words, and without the tones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from earmark.manifests.canonical import Json
from earmark.manifests.declarations import AUDIO, TEXT_HISTORY, TRANSCRIPT
from earmark.manifests.families.dialogues import (
    DIALOGUES,
    REVERSED,
    SEQUENTIAL_2,
    SEQUENTIAL_4,
    SHOWN,
    STORED,
    protocol_name,
)
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row, optional_text, text, texts
from earmark.manifests.strict import NotStrictJson, strict_json
from earmark.validation.contents import Contents, Invariant
from earmark.validation.dialogues.reading import dialogues

CHAIN = declare("dialogues.chain", Severity.ERROR, "a dialogue is not asked in the chains of its protocol")
WORDS = declare("dialogues.words", Severity.ERROR, "the orders of an item are presented with different words")
FORM = declare("dialogues.form", Severity.ERROR, "a prompt asks for another form of answer than the family reads")
TOLD = declare("dialogues.tone-told", Severity.ERROR, "a prompt repeats the tone of a rendering")

_UNTOLD = (AUDIO, TEXT_HISTORY, TRANSCRIPT)
"""Modalities in which a tone is no part of what is sent."""

_CHAINED = (SEQUENTIAL_2, SEQUENTIAL_4)
_ALONE = ["None then 12", "None then 21"]
_EXPECTED: Mapping[str | None, str] = {
    SEQUENTIAL_2: "two chains, in which each order stands once at each turn",
    SEQUENTIAL_4: "all four chains",
    None: "turn 6 in both orders, after nothing",
}


def _chains_are_whole(contents: Contents, findings: Findings) -> None:
    every = {text(row, "presentation_id"): row for row in contents.rows("presentations")}
    owed: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in every.values():
        for protocol in texts(row, "protocols"):
            owed[protocol, text(row, "item_id")].append(row)
    chains = {protocol_name(chain, modality): chain for chain in _CHAINED for modality in _modalities()}
    for entry in contents.release.manifest.protocols:
        chain = chains.get(entry.name)
        for group, four, six in dialogues(contents):
            rows = owed[entry.name, six]
            found = sorted(f"{_order(every, row['after'])} then {row['order']}" for row in rows)
            if not _as_asked(chain, found):
                findings.add(
                    CHAIN,
                    file="presentations.parquet",
                    id=group,
                    found=f"{entry.name}: {found}",
                    expected=_EXPECTED[chain],
                )
            missing = {row["after"] for row in rows if row["after"] is not None} - {
                row["presentation_id"] for row in owed[entry.name, four]
            }
            if missing:
                expected = f"in {entry.name} too, as turn 6 follows it"
                findings.add(CHAIN, file="presentations.parquet", id=str(min(map(str, missing))), expected=expected)


def _modalities() -> tuple[str, ...]:
    return tuple(dict.fromkeys(protocol.modality for protocol in DIALOGUES.protocols))


def _order(every: Mapping[str, Row], id: object) -> str:
    earlier = every.get(str(id))
    return "None" if earlier is None else str(earlier["order"])


def _as_asked(chain: str | None, found: list[str]) -> bool:
    straight = [f"{order} then {order}" for order in (STORED, REVERSED)]
    crossed = [f"{STORED} then {REVERSED}", f"{REVERSED} then {STORED}"]
    if chain == SEQUENTIAL_2:
        return found in (straight, crossed)
    return found == (sorted(straight + crossed) if chain == SEQUENTIAL_4 else _ALONE)


def _prompts_are_fair(contents: Contents, findings: Findings) -> None:
    used: dict[tuple[object, ...], set[str]] = defaultdict(set)
    sent: dict[str, set[str]] = defaultdict(set)
    for row in contents.rows("presentations"):
        used[row["item_id"], row["modality"], row["after"] is None].add(text(row, "prompt_id"))
        if row["modality"] in _UNTOLD:
            sent[text(row, "prompt_id")].add(text(row, "item_id"))
    for (item, *_), prompts in used.items():
        if len(prompts) > 1:
            found = ", ".join(sorted(prompts))
            findings.add(WORDS, file="presentations.parquet", id=str(item), found=found, expected="one prompt")
    form = DIALOGUES.grammar.describe()
    for row in contents.rows("prompts"):
        if not _asks_for(text(row, "answer"), form):
            expected = f"a key {'selected'!r} with {' or '.join(SHOWN)}"
            findings.add(FORM, file="prompts.parquet", id=text(row, "prompt_id"), expected=expected)
    if not contents.sources:
        return
    for row in contents.rows("prompts"):
        words = f"{row['system']} {row['user']}".casefold()
        for item in sorted(sent[text(row, "prompt_id")]):
            for clip in contents.item_clips.get(item, ()):
                tone = optional_text(contents.sources.get(clip, {"tone_text": None}), "tone_text")
                if tone and tone.casefold() in words:
                    findings.add(TOLD, file="prompts.parquet", id=text(row, "prompt_id"), found=tone)


def _asks_for(answer: str, form: Mapping[str, Json]) -> bool:
    """Whether a schema's key of the choice is that of the family; it may ask for more, such as reasons."""
    try:
        asked = strict_json(answer.encode("utf-8", "surrogatepass"))
    except NotStrictJson:
        return False
    wanted, given = form["properties"], asked.get("properties") if isinstance(asked, Mapping) else None
    return isinstance(wanted, Mapping) and isinstance(given, Mapping) and wanted["selected"] == given.get("selected")


CHAINS = (
    Invariant("dialogues-chains", "Each protocol asks every dialogue in its chains.", False, _chains_are_whole),
    Invariant("dialogues-prompts", "Orders share a prompt, and none tells a tone.", False, _prompts_are_fair),
)
