"""Which of a speaker's readings contradict the pace they were asked for, as far as their lengths tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from earmark.manifests.rows import Row, optional_text, text, whole


def contradicted_paces(rows: Iterable[Row]) -> dict[str, str]:
    """Readings at fast that take no less time than the same speaker's regular reading of the text, and at slow no more.

    A pace is what the speaker was told, not what was measured. Whole files are compared, the silence in them included, so this
    finds gross errors only; a reading without a regular one beside it is not judged.

    Args:
        rows: Rows of EARS in the columns of the utterances table.

    Returns:
        The two lengths in words, by utterance.
    """
    seconds: dict[tuple[str, str], dict[str, tuple[float, str]]] = defaultdict(dict)
    for row in rows:
        script, pace = optional_text(row, "script"), optional_text(row, "pace")
        if script is not None and pace is not None:
            length = (whole(row, "end") - whole(row, "start")) / whole(row, "rate")
            seconds[text(row, "speaker"), script][pace] = (length, text(row, "utterance"))
    wrong: dict[str, str] = {}
    for paces in seconds.values():
        regular = paces.get("regular")
        for pace, (length, utterance) in paces.items():
            if regular is None or pace == "regular":
                continue
            if length >= regular[0] if pace == "fast" else length <= regular[0]:
                wrong[utterance] = f"{length:.2f} s; the regular one has {regular[0]:.2f} s"
    return {utterance: wrong[utterance] for utterance in sorted(wrong)}
