"""What a pairs release keeps in its manifest of how it was paired: cells and what came of each, caps, and the rules in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from earmark.manifests.release import Manifest

SECTION = "pairing"
"""Where it stands in the resolved recipe."""

MAIN, HARD = "main", "hard"
"""Variants of pairs that are no controls: age pairs whose foil is of an adjacent group are hard."""

Criterion = Literal["style", "rate", "emphasis", "age", "gender"]
Speakers = Literal["same", "different", "any"]
Sex = Literal["female", "male", "mixed", "either", "any"]


class Cell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pairs of one sort: what was asked for, what could be had, what came of it. No pair is of two cells.

    Args:
        criterion: What is asked about.
        target: The target asked for; None for whichever, as of words.
        kind: How many of the two clips satisfy the target.
        transcript: Whether the normalised texts are equal.
        speakers: Whether one speaker speaks both; "any" for no condition.
        sex: Sex of the speakers: "female" or "male" of both, "mixed" for one of each, "either" for two of one sex, "any" for no
            condition, so that it may be undisclosed too.
        variant: "main", or "hard".
        demand: How many pairs were wanted; None for all there are.
        candidates: Pairs that the rules allow, before any cap.
        feasible: The most pairs that the caps allow, were this the only cell.
        filled: Pairs in the release.
        binding: What kept it from its demand; None where nothing did.
    """

    criterion: Criterion
    target: str | None = None
    kind: Literal["non_tie", "both_good", "both_bad"]
    transcript: Literal["same", "cross"]
    speakers: Speakers = "any"
    sex: Sex = "any"
    variant: str = MAIN
    demand: int | None = None
    candidates: int
    feasible: int
    filled: int
    binding: str | None = None

    @property
    def name(self) -> str:
        """What tells it from other cells, for people."""
        parts = (self.criterion, self.target or "any", self.kind, self.transcript)
        return " / ".join((*parts, f"speakers {self.speakers}", f"sex {self.sex}", self.variant))


class Caps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often something may be used in the pairs of one criterion; None for no limit.

    Args:
        clip: Pairs per clip.
        clip_pair: Pairs per unordered pair of clips.
        speaker: Pairs per speaker; a pair of one speaker's clips counts once.
    """

    clip: int | None = None
    clip_pair: int | None = 1
    speaker: int | None = None


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Named switches: each rule holds for the criteria it lists, or is on or off.

    Args:
        same_speaker: Criteria whose pairs are spoken by one speaker.
        different_speakers: Criteria whose pairs never are.
        same_sex: Criteria whose two speakers are of one, known sex.
        adults_only: Criteria without speakers of the age group 9-16, or younger than 17.
        drop_border_years: Whether the year on either side of a border between age groups is left out of main age pairs.
        clear_ages: Whether children older than 12 and elders younger than 60, whose age is hard to hear, are left out of main age
            pairs.
        min_group_distance: Least number of age groups between target and foil of a non_tie age pair; nearer ones may stand as
            "hard". 1 for no rule.
        both_bad_equal_distance: Whether both clips of a both_bad age pair are equally many groups from the target.
        one_corpus: Whether both clips of a pair are from one corpus.
        single_occurrence: Whether an emphasis target stands exactly once in each text.
        single_mark: Whether emphasis pairs are of texts with at most one mark.
        label_by_sound: Whether fast and slow clips must be measured faster and slower than their regular ones.
        equal_speaker_share: Whether the share of same-speaker pairs is equal over the kinds within criterion and transcript.
    """

    same_speaker: tuple[Criterion, ...] = ("style", "rate", "emphasis")
    different_speakers: tuple[Criterion, ...] = ("age", "gender")
    same_sex: tuple[Criterion, ...] = ("age",)
    adults_only: tuple[Criterion, ...] = ("gender",)
    drop_border_years: bool = True
    clear_ages: bool = True
    min_group_distance: int = 2
    both_bad_equal_distance: bool = True
    one_corpus: bool = True
    single_occurrence: bool = True
    single_mark: bool = True
    label_by_sound: bool = True
    equal_speaker_share: bool = True


class Pairing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole section.

    Args:
        cells: Every cell that was asked for; none where pairs were not made by quotas.
        caps: Caps of each criterion that has any.
        rules: The rules in force.
    """

    cells: tuple[Cell, ...] = ()
    caps: dict[Criterion, Caps] = {}
    rules: Rules = Rules()


def stored_pairing(manifest: Manifest) -> Pairing:
    """The section in a manifest.

    Raises:
        msgspec.ValidationError: If it is not that of a pairs release.
    """
    return msgspec.convert(manifest.recipe.get(SECTION), Pairing)
