"""What sound has to do with pairing: nuisances that a pair must not differ in, and labels that are not heard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from earmark.builders.pairing.pool import Bools, Floats
from earmark.builders.pairs.columns import ABSENT, Columns, seconds_of
from earmark.manifests.acoustics import MEASURES
from earmark.manifests.families.pairs_recipe import Criterion
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row, optional_real, optional_text

LABEL = declare(
    "pairs.label-unheard", Severity.WARNING, "a clip's pace is not what its label says, so it stands in no rate pair"
)

MEASURED = tuple(measure.name for measure in MEASURES if measure.name != "mfcc")
NUISANCES = ("seconds", "words", "age", *MEASURED)
"""Everything that may be kept from differing within a pair."""

_ROUNDING = 1e-9

DEFAULTS: Mapping[str, tuple[str, ...]] = {
    "style": ("seconds", "words", "lead", "trail", "noise_floor"),
    "rate": ("lead", "trail", "loudness", "noise_floor", "f0_median"),
    "emphasis": ("seconds", "words", "lead", "trail", "loudness", "noise_floor", "f0_median"),
    "age": ("seconds", "words", "lead", "trail", "loudness", "noise_floor", "bandwidth"),
    "gender": ("seconds", "words", "age", "lead", "trail", "loudness", "noise_floor", "bandwidth"),
}
"""The nuisances of each criterion: not what carries the label, as level and pitch do of a whisper, and length of fast speech."""


def measures(columns: Sequence[Row], measured: Sequence[Mapping[str, object] | None]) -> dict[str, Floats]:
    """Every nuisance as a column.

    Args:
        columns: Rows of utterances.
        measured: Of each, its columns of `MEASURES`; None where it was not measured.

    Returns:
        (n,) numbers by name; NaN where unknown.
    """
    table: dict[str, list[float]] = defaultdict(list)
    for row, sound in zip(columns, measured, strict=True):
        words = optional_text(row, "text")
        age = row["age"]
        table["seconds"].append(seconds_of(row))
        table["words"].append(float("nan") if words is None else float(len(words.split())))
        table["age"].append(float(age) if isinstance(age, int) else float("nan"))
        for name in MEASURED:
            value = None if sound is None else optional_real(sound, name)
            table[name].append(float("nan") if value is None else value)
    return {name: np.array(table[name], dtype=np.float64) for name in NUISANCES}


def standardised(columns: Columns, pool: Bools, names: Sequence[str]) -> tuple[tuple[str, ...], Floats]:
    """Nuisances in standard deviations of those that have them, so that differences in any two of them weigh the same.

    Args:
        columns: The utterances.
        pool: (n,) those whose standard deviation counts.
        names: The nuisances.

    Returns:
        The names that vary at all in the pool, and (n, m) values.
    """
    kept, values = [], []
    for name in names:
        column = columns.measures[name]
        within = column[pool & ~np.isnan(column)]
        spread = float(np.std(within)) if within.size > 1 else 0.0
        # What does not vary is left with the last digits of a rounded mean.
        if within.size and spread > _ROUNDING * max(1.0, float(np.abs(within).max())):
            kept.append(name)
            values.append((column - within.mean()) / spread)
    return tuple(kept), np.stack(values, axis=1) if values else np.zeros((len(columns), 0))


def speech_seconds(columns: Columns) -> Floats:
    """(n,) Length of the speech in each utterance, without the silence around it where that was measured."""
    silence = np.nan_to_num(columns.measures["lead"]) + np.nan_to_num(columns.measures["trail"])
    return np.maximum(columns.measures["seconds"] - silence, 0.0)


def unheard_paces(columns: Columns, criterion: Criterion, pool: Bools, findings: Findings) -> Bools:
    """Clips said to be fast that are not faster than the regular one of their speaker and text, or slow and not slower.

    The label is what the speaker was told to do. Where there is no regular one, a fast clip is held against the slow one and the
    other way round.

    Args:
        columns: The utterances.
        criterion: Only rate has any.
        pool: (n,) clips of the block.
        findings: Told of each.

    Returns:
        (n,) which clips they are.
    """
    unheard = np.zeros(len(columns), dtype=np.bool_)
    if criterion != "rate":
        return unheard
    seconds, pace = speech_seconds(columns), columns.labels("pace")
    spoken: dict[tuple[int, int], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i in map(int, np.flatnonzero(pool & (columns.text != ABSENT))):
        if isinstance(pace[i], str):
            spoken[int(columns.speaker[i]), int(columns.text[i])][pace[i]].append(i)
    for clips in spoken.values():
        for name, sign in (("fast", 1.0), ("slow", -1.0)):
            others = clips["regular"] or clips["slow" if name == "fast" else "fast"]
            for i in clips[name]:
                nearest = min((sign * (seconds[other] - seconds[i]) for other in others), default=1.0)
                if nearest <= 0:
                    unheard[i] = True
                    found = f"{seconds[i]:.2f} s of speech beside {', '.join(f'{seconds[o]:.2f} s' for o in others)}"
                    findings.add(LABEL, id=columns.ids[i], found=found, expected="less" if name == "fast" else "more")
    return unheard
