"""The fields of Croissant RAI 1.0, in the words of the family's record and by the release's own counts.

What is not known is left out: annotators, platforms and dates of recording are the corpora's affair. With the two of provenance
there is all that NeurIPS 2026 asks of every data set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.manifests.copies.published import CHANGES, RECIPES, WITHDRAWN

if TYPE_CHECKING:
    from earmark.builders.publishing.texts.facts import CorpusFacts, Facts
    from earmark.manifests.canonical import Json

_SECONDARY = "Secondary Data analysis"  # as the specification's list of types spells it


def responsible(facts: Facts, *, synthetic: bool) -> dict[str, Json]:
    """What the release says of its use, its making and its limits.

    Args:
        facts: What is known of the copy.
        synthetic: Whether its speech was synthesised, whatever its corpora say of theirs.
    """
    some = synthetic or bool(facts.synthetic)
    synthetic = synthetic or (some and len(facts.synthetic) == len(facts.corpora))
    said: dict[str, Json] = {
        "rai:dataUseCases": [facts.intended_use],
        "rai:dataLimitations": _limitations(facts),
        "rai:dataBiases": _biases(facts),
        "rai:dataSocialImpact": f"{facts.intended_use} {facts.out_of_scope}",
        "rai:personalSensitiveInformation": [_voices(facts, synthetic=synthetic), _private(facts), facts.out_of_scope],
        "rai:hasSyntheticData": some,
        "rai:dataCollection": _collection(facts, synthetic=synthetic),
        "rai:dataCollectionRawData": _raw_data(facts),
        "rai:dataImputationProtocol": (
            "Nothing is imputed: what is not known is null, and a cell of the sample that could not be filled is reported "
            "and not topped up."
        ),
        "rai:dataPreprocessingProtocol": [
            "Clips, items, groups and presentations have opaque ids, drawn with a key that is not published. Rows stand in "
            "the order of their ids."
        ],
        "rai:dataManipulationProtocol": _manipulation(facts),
        "rai:dataAnnotationProtocol": [facts.label_source],
        "rai:machineAnnotationTools": [facts.builder],
        "rai:dataReleaseMaintenancePlan": (
            "Versions are MAJOR.MINOR.PATCH of the data: PATCH where only its packing changes, MINOR where something is added, "
            f"MAJOR where anything is changed or removed. {CHANGES} says what changed."
        ),
    }
    if not synthetic:
        said["rai:dataCollectionType"] = [_SECONDARY]
    missing = _missing(facts)
    return {**said, "rai:dataCollectionMissingData": " ".join(missing)} if missing else said


def _limitations(facts: Facts) -> list[Json]:
    found = [
        f"Validation: {entry.means} ({entry.code}, {entry.severity}, {entry.count} found)."
        for entry in facts.audit
        if entry.severity != "note"
    ]
    return [facts.limits, facts.out_of_scope, f"Languages spoken: {', '.join(facts.languages)}.", *found]


def _biases(facts: Facts) -> list[Json]:
    """What the labels are, and how far rules get that do not listen to how something was said."""
    rules = [
        f"Without listening, the rule {entry.name} ({entry.means.rstrip('.')}) gets {entry.metric} {entry.value:.6g} in "
        f"{entry.protocol}{'' if entry.interval is None else f', {entry.interval}'}."
        for entry in facts.baselines
        if entry.value is not None
    ]
    return [facts.label_source, *rules]


def _voices(facts: Facts, *, synthetic: bool) -> str:
    if synthetic:
        return "The speech is synthetic."
    people = "recordings of people's voices, by which they may be known and in which age and gender may be heard."
    if not facts.synthetic:
        return f"The clips are {people}"
    named = ", ".join(f"{corpus.name} {corpus.version}" for corpus in facts.synthetic)
    return f"The speech of {named} is synthetic; the other clips are {people}"


def _private(facts: Facts) -> str:
    match facts.gold:
        case "hidden":
            return "Answers and sources are not published: no table names a speaker."
        case "derivable":
            return "How clips are cut is published: whoever has the corpora finds what these say of the speakers."
        case _:
            return (
                "Answers are published, and sources as far as licences let them: these name speakers as the corpora do, and "
                "hold what the corpora say of them."
            )


def _collection(facts: Facts, *, synthetic: bool) -> str:
    corpora = ", ".join(map(_corpus, facts.corpora)) or "no corpus"
    return (
        f"{'The speech was synthesised. ' if synthetic else ''}The clips are from {corpora}. How items were made of them stands "
        f"in release.json under recipe, the public seed being {facts.seed}."
    )


def _raw_data(facts: Facts) -> str:
    """The corpora, their licences, and the hashes of the metadata that was read."""
    parts = []
    for source in facts.sources:
        read = "; ".join(f"{name} {hash}" for name, hash in sorted(source.metadata.items()))
        parts.append(f"{source.corpus} {source.version}, {source.licence}{f' ({read})' if read else ''}")
    return f"{'. '.join(parts)}." if parts else "No corpus."


def _manipulation(facts: Facts) -> str:
    cut = "Each clip is one or more spans of one channel of a recording, in order, joined by silence where there are several."
    if not facts.shipped:
        return cut
    rate = "the recording's own sampling rate" if facts.rate is None else f"a sampling rate of {facts.rate} Hz"
    return f"{cut} It is stored as FLAC at {rate}."


def _missing(facts: Facts) -> list[str]:
    said = []
    if facts.shipped < facts.clips:
        said.append(f"The audio of {facts.clips - facts.shipped} of {facts.clips} clips is not in the copy.")
    if facts.cut:
        said.append(f"public/{RECIPES} says how {facts.cut} of them are cut from the corpora.")
    if facts.withdrawn:
        said.append(f"{facts.withdrawn} items of earlier versions were withdrawn: public/{WITHDRAWN} lists them.")
    return said


def _corpus(corpus: CorpusFacts) -> str:
    clips = "" if corpus.clips is None else f" ({corpus.clips} clip{'' if corpus.clips == 1 else 's'})"
    return f"{corpus.name} {corpus.version}{clips}"
