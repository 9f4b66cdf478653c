"""Invariants of pairing as a library: what must hold of anybody's pairs, whether or not a release was made of them.

    from earmark.validation.pairing import PairTables, check_pairs

    findings = check_pairs(PairTables.of(my_utterances, my_pairs))
    assert not findings.failed, findings

Each invariant is a name of this package and can be asked alone: `kind_matches_labels(tables)`. `laws` holds what must hold of
the function that makes the pairs.
"""

from earmark.manifests.families.pairs_recipe import Caps, Cell, Pairing, Rules
from earmark.validation.pairing.counts import (
    clip_cap,
    clip_pair_cap,
    first_balanced,
    in_one_cell,
    quotas,
    speaker_cap,
    speaker_share,
)
from earmark.validation.pairing.invariant import RULES, Fault, PairInvariant, check_pairs, invariant
from earmark.validation.pairing.labels import (
    ids_unique,
    kind_matches_labels,
    preferred_satisfies,
    transcript_true,
    two_clips,
    utterances_known,
)
from earmark.validation.pairing.rules import (
    adults_only,
    border_years,
    clear_ages,
    different_speakers,
    equal_distance,
    group_distance,
    label_by_sound,
    one_corpus,
    same_sex,
    same_speaker,
    single_mark,
    single_occurrence,
)
from earmark.validation.pairing.tables import Pair, PairTables

PAIR_INVARIANTS: tuple[PairInvariant, ...] = (
    ids_unique,
    utterances_known,
    kind_matches_labels,
    preferred_satisfies,
    transcript_true,
    two_clips,
    same_speaker,
    different_speakers,
    one_corpus,
    same_sex,
    adults_only,
    border_years,
    clear_ages,
    group_distance,
    equal_distance,
    single_occurrence,
    single_mark,
    label_by_sound,
    clip_cap,
    clip_pair_cap,
    speaker_cap,
    in_one_cell,
    quotas,
    first_balanced,
    speaker_share,
)
"""Every invariant of pairs."""

__all__ = [
    "PAIR_INVARIANTS",
    "RULES",
    "Caps",
    "Cell",
    "Fault",
    "Pair",
    "PairInvariant",
    "PairTables",
    "Pairing",
    "Rules",
    "adults_only",
    "border_years",
    "check_pairs",
    "clear_ages",
    "clip_cap",
    "clip_pair_cap",
    "different_speakers",
    "equal_distance",
    "first_balanced",
    "group_distance",
    "ids_unique",
    "in_one_cell",
    "invariant",
    "kind_matches_labels",
    "label_by_sound",
    "one_corpus",
    "preferred_satisfies",
    "quotas",
    "same_sex",
    "same_speaker",
    "single_mark",
    "single_occurrence",
    "speaker_cap",
    "speaker_share",
    "transcript_true",
    "two_clips",
    "utterances_known",
]
