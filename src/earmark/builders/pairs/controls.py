"""Control items: pairs whose answer needs no fine ear; a judge that fails them does not listen, or has no ties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from earmark.builders.media import SILENCE_DB
from earmark.builders.pairs.items import Pair, Side
from earmark.builders.pairs.prompts import Templates
from earmark.builders.pairs.quotas import apportion
from earmark.builders.pairs.recipe import ControlsSection
from earmark.manifests import keys
from earmark.manifests.families.pairs import BOTH_GOOD, CONTROLS, CROSS, FIRST, NON_TIE, SAME, SECOND, TIE
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row, text

SHORT = declare("pairs.too-few-controls", Severity.ERROR, "there are not as many clips as controls are asked for")
SHORT_ALLOWED = declare(
    "pairs.too-few-controls-allowed",
    Severity.WARNING,
    "fewer controls than were asked for, since there are no more clips",
)

Good = Mapping[tuple[str, str], Sequence[Row]]
"""By criterion and target, the utterances that satisfy it and stand in a pair."""


def controls(
    section: ControlsSection,
    good: Good,
    templates: Templates,
    *,
    key: bytes,
    seed: int,
    findings: Findings,
    allow_shortfall: bool = False,
) -> Iterator[Pair]:
    """Control items, as many of each criterion as whole numbers allow.

    A clip against itself asks for Tie, so criteria that offer none have only the control with silence.

    Args:
        section: How many of each are wanted.
        good: What they may be made of.
        templates: Which criteria offer Tie.
        key: The release key.
        seed: The seed.
        findings: Told where there are too few.
        allow_shortfall: Whether that is only a warning.
    """
    short = SHORT_ALLOWED if allow_shortfall else SHORT
    for variant in CONTROLS:
        count: int = getattr(section, variant)
        criteria = sorted({name for name, _ in good if variant == "silence" or templates.of(name).tie})
        if not count:
            continue
        if not criteria:
            findings.add(short, id=variant, found="no clip", expected=f"{count}")
            continue
        drawn: dict[str, tuple[str, str, Row]] = {}
        for criterion, wanted in apportion(count, dict.fromkeys(criteria, 1)).items():
            clips = {
                f"{target} {text(row, 'utterance')}": (target, row)
                for (name, target), rows in good.items()
                if name == criterion
                for row in rows
            }
            if wanted > len(clips):
                findings.add(short, id=f"{variant} {criterion}", found=len(clips), expected=f"{wanted}")
            stratum = f"control {variant} {criterion}"
            for name in keys.choose(clips, min(wanted, len(clips)), key=key, seed=seed, stratum=stratum):
                drawn[f"{criterion} {name}"] = (criterion, *clips[name])
        # Which clip stands first must not follow from the criterion, so it is drawn over all of them.
        stratum = f"order control {variant}"
        odd = keys.rank(key, seed, "order", stratum) & 1
        ranked = sorted(drawn, key=lambda name: (keys.rank(key, seed, stratum, name), name))
        for place, name in enumerate(ranked):
            yield _control(variant, *drawn[name], gain=section.gain, turned=(place + odd) % 2 == 1)


def _control(variant: str, criterion: str, target: str, row: Row, *, gain: float, turned: bool) -> Pair:
    other = Side(row, {"identical": None, "level": gain, "silence": SILENCE_DB}[variant])
    first, second = (other, Side(row)) if turned else (Side(row), other)
    silent = variant == "silence"
    gold = (SECOND if turned else FIRST) if silent else TIE
    kind, transcript = (NON_TIE, CROSS) if silent else (BOTH_GOOD, SAME)
    return Pair(criterion, target, first, second, gold, kind, transcript, variant, control=True)
