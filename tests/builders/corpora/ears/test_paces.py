"""Paces that lengths contradict: those that break the order fast, regular, slow against the regular reading."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.corpora.ears.paces import contradicted_paces
from earmark.manifests.pairing import PACES

readings = st.dictionaries(
    st.tuples(st.sampled_from(("a", "b")), st.sampled_from((None, "x", "y")), st.sampled_from((None, *PACES))),
    st.tuples(st.integers(1, 6), st.sampled_from((8000, 16_000))),
    max_size=12,
)


@given(readings)
def test_a_reading_is_held_to_its_own_regular_one(
    lengths: dict[tuple[str, str | None, str | None], tuple[int, int]],
) -> None:
    rows = [
        {
            "utterance": f"{speaker} {script} {pace}",
            "speaker": speaker,
            "script": script,
            "pace": pace,
            "start": 100,
            "end": 100 + tenths * rate // 10,
            "rate": rate,
        }
        for (speaker, script, pace), (tenths, rate) in lengths.items()
    ]
    expected = set()
    for (speaker, script, pace), (tenths, _) in lengths.items():
        regular = lengths.get((speaker, script, "regular"))
        if script is None or regular is None or pace not in {"fast", "slow"}:
            continue
        if (pace == "fast" and not tenths < regular[0]) or (pace == "slow" and not tenths > regular[0]):
            expected.add(f"{speaker} {script} {pace}")
    found = contradicted_paces(rows)
    assert set(found) == expected
    assert found == contradicted_paces(rows[::-1])
    assert list(found) == sorted(found)
