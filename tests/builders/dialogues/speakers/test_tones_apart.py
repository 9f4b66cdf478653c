"""Tones that fit and tones that fail, of all six failures and three valences: the default gate hears them apart."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
from tests.builders.dialogues.speakers.lines import line

from earmark.audio.acoustics.measures import measure
from earmark.builders.contrast.features import Features, of_acoustics
from earmark.builders.contrast.points import contrast
from earmark.builders.contrast.profile import shipped
from earmark.builders.contrast.signs import SIGNED, signed, signs_of
from earmark.builders.dialogues.speakers.offline_voices import VOICES
from earmark.builders.dialogues.speakers.rendering import RATE, rendering_of
from earmark.builders.voices.lexicon import known_words
from earmark.manifests.eqi import CONFLICT, FAILURES, NEGATIVE, POSITIVE, VALENCES

pytest.importorskip("espeakng_loader")
pytest.importorskip("parselmouth")

TEXTS = (
    "I heard what you said. I think we should talk about it.",
    "You told them already. That is what you said this morning.",
    "Well, that is how it is now. I will be here on Friday.",
    "I did not expect that from you, so tell me more.",
    "We can look at it again when you are ready for it.",
)


class Tones(NamedTuple):
    """A tone that fits and one that does not, for one line."""

    valence: str
    failure: str
    resonant: str
    dissonant: str


TONES = (
    Tones(
        POSITIVE,
        "toxic_optimist",
        "Glad and open, a smile in the voice, giving the news its due",
        "Blaring pep-talk cheer, every syllable overdone and pushed far too bright",
    ),
    Tones(
        POSITIVE,
        "toxic_optimist",
        "Delighted, voice lifted with real admiration, leaving room for more",
        "Sugary gushing at full volume, swooping pitch, plastic from start to end",
    ),
    Tones(
        POSITIVE,
        "defensive_reactor",
        "Bright and proud, warm smile, lingering on the good part",
        "Curt and prickly, jaw clenched, each phrase snapped off in irritation",
    ),
    Tones(
        POSITIVE,
        "defensive_reactor",
        "Happy for them, melodic and easy, with a soft laugh underneath",
        "Tight, hostile, defensive edge as though accused of something, words bitten short",
    ),
    Tones(
        POSITIVE,
        "condescending_explainer",
        "Eager and engaged, pitch rising with curiosity, quick and light",
        "Slow superior drawl, sighing, over-enunciated as if to a child",
    ),
    Tones(
        POSITIVE,
        "condescending_explainer",
        "Thrilled, words tumbling happily, energy high all the way through",
        "Patronising and smug, lecturing with long pauses and heavy stress",
    ),
    Tones(
        POSITIVE,
        "impatient_evader",
        "Warm and lingering, savouring the moment with gentle delight",
        "Rushed and distracted, hurrying to be done, pace far too quick",
    ),
    Tones(
        POSITIVE,
        "impatient_evader",
        "Affectionate, unhurried, quietly proud, low and full of fondness",
        "Brisk, impatient clip, running words together to get away",
    ),
    Tones(
        POSITIVE,
        "anxious_spiraler",
        "Calmly joyful, rounded and warm, steady beneath the happiness",
        "High trembling panic, breathless, tripping over the words in fright",
    ),
    Tones(
        POSITIVE,
        "anxious_spiraler",
        "Cheerful and confident, voice clear and grounded, smile all through",
        "Shaky, worried, thin voice climbing in pitch and faltering midway",
    ),
    Tones(
        POSITIVE,
        "apathetic_wall",
        "Excited and lively, pitch bouncing, volume a little raised",
        "Flat, bored, barely audible, dragging as if nothing mattered",
    ),
    Tones(
        POSITIVE,
        "apathetic_wall",
        "Radiant, quick with delight, laughing between the phrases",
        "Dull monotone mumble, listless and distant, energy drained",
    ),
    Tones(
        NEGATIVE,
        "toxic_optimist",
        "Low and unhurried, tender, breath heavy with shared sorrow",
        "Chirpy and loud, bouncing with false cheer, far too bright",
    ),
    Tones(
        NEGATIVE,
        "toxic_optimist",
        "Hushed, patient concern, pausing before the words land softly",
        "Relentlessly upbeat, pitch high, gushing quickly over the pain",
    ),
    Tones(
        NEGATIVE,
        "defensive_reactor",
        "Soft and slow, caring, leaving silence for the hurt",
        "Sharp, irritated snap, pace quick and volume raised",
    ),
    Tones(
        NEGATIVE,
        "defensive_reactor",
        "Quiet understanding, low pitch, gentle and very close",
        "Bristling and accusatory, harsh edges, hammering the final word",
    ),
    Tones(
        NEGATIVE,
        "condescending_explainer",
        "Warm, sincere sympathy, voice lowered, nothing at all hurried",
        "Pedantic sing-song lecture, exaggerated stress, loud and superior",
    ),
    Tones(
        NEGATIVE,
        "condescending_explainer",
        "Gentle murmur, breathy with compassion, pitch settling downward",
        "Haughty and pitying, swooping intonation, each word spelled out",
    ),
    Tones(
        NEGATIVE,
        "impatient_evader",
        "Slow, grounded comfort, long pauses, voice soft and even",
        "Hasty, clipped and cool, already leaving, rushing the ending",
    ),
    Tones(
        NEGATIVE,
        "impatient_evader",
        "Tender and attentive, lingering on every phrase, low volume",
        "Brusque and hurried, flat sympathy thrown out at double speed",
    ),
    Tones(
        NEGATIVE,
        "anxious_spiraler",
        "Steady, deep calm, reassuring and slow to the end",
        "Frantic and shrill, voice cracking, words racing out of control",
    ),
    Tones(
        NEGATIVE,
        "anxious_spiraler",
        "Composed, quietly supportive, even pace and warm low tone",
        "Panicked quaver, gasping, pitch climbing with every phrase",
    ),
    Tones(
        NEGATIVE,
        "apathetic_wall",
        "Compassionate, warm inflection, gently rising with real concern",
        "Toneless and indifferent, a shrug in the voice, no warmth",
    ),
    Tones(
        NEGATIVE,
        "apathetic_wall",
        "Heartfelt, close and breathy, pitch moving with real feeling",
        "Cold, flat and mechanical, quick to be over with it",
    ),
    Tones(
        CONFLICT,
        "toxic_optimist",
        "Firm and level, measured pace, respectful without giving way",
        "Overly sweet, giggling, bouncing pitch as if nothing were wrong",
    ),
    Tones(
        CONFLICT,
        "toxic_optimist",
        "Composed and serious, low pitch, clear pauses between points",
        "Breezy cheer, bright and loud, brushing the demand aside",
    ),
    Tones(
        CONFLICT,
        "defensive_reactor",
        "Calm and open, patient, keeping the volume low",
        "Angry bark, fast and loud, spitting each accusation back",
    ),
    Tones(
        CONFLICT,
        "defensive_reactor",
        "Grounded, unhurried, assured, with a warm undertone throughout",
        "Tense and snappy, voice strained upward, clipped and hostile",
    ),
    Tones(
        CONFLICT,
        "condescending_explainer",
        "Direct and steady, plain, brisk enough to respect their time",
        "Slow mocking drawl, contempt dripping, stretching each word",
    ),
    Tones(
        CONFLICT,
        "condescending_explainer",
        "Confident, even, quietly determined, the pitch kept low",
        "Smug lecturing, swooping up and down, overly pronounced",
    ),
    Tones(
        CONFLICT,
        "impatient_evader",
        "Measured and thoughtful, deliberate pauses, a soft authority",
        "Rushed and dismissive, words running together, eager to leave",
    ),
    Tones(
        CONFLICT,
        "impatient_evader",
        "Attentive, slow, sincere, holding ground with gentle firmness",
        "Hurried, annoyed, cutting it short in a high quick voice",
    ),
    Tones(
        CONFLICT,
        "anxious_spiraler",
        "Resolute and calm, low steady voice, ending firmly",
        "Nervous stammer, pitch high and shaking, pleading at the end",
    ),
    Tones(
        CONFLICT,
        "anxious_spiraler",
        "Assertive but kind, solid pace, clear and full voiced",
        "Timid, trembling, rushing in fear, barely holding together",
    ),
    Tones(
        CONFLICT,
        "apathetic_wall",
        "Strong conviction, expressive and warm, pressing each point",
        "Bored and detached, quiet monotone fading at the end",
    ),
    Tones(
        CONFLICT,
        "apathetic_wall",
        "Firm, engaged, lively emphasis on what matters most",
        "Listless mumble, flat pitch, sluggish, vacant and dull",
    ),
    Tones(
        POSITIVE,
        "toxic_optimist",
        "Quietly amazed, soft wonder, the pitch lifting at the close",
        "Shouting with forced excitement, relentless, shrill and fast",
    ),
    Tones(
        NEGATIVE,
        "condescending_explainer",
        "Sad and slow with them, hardly above a whisper",
        "Talking down, brisk and schooling, with a sarcastic lilt",
    ),
    Tones(
        CONFLICT,
        "impatient_evader",
        "Patient and curious, questioning gently, no edge at all",
        "Exasperated sigh, terse and quick, pushing past them",
    ),
    Tones(
        POSITIVE,
        "apathetic_wall",
        "Touched and grateful, warm breath, pausing to take it in",
        "Uninterested, cool, without any lift, words dropped one by one",
    ),
)


def test_the_tones_are_of_every_failure_and_valence_and_of_the_length_that_is_asked_for() -> None:
    assert {(tones.valence, tones.failure) for tones in TONES} == {
        (valence, failure.slug) for valence in VALENCES for failure in FAILURES
    }
    for tones in TONES:
        for said in (tones.resonant, tones.dissonant):
            assert 8 <= len(said.split()) <= 15, said


def test_at_least_two_words_of_each_tone_are_known() -> None:
    for tones in TONES:
        for said in (tones.resonant, tones.dissonant):
            assert len(known_words(said)) >= 2, said


@pytest.mark.slow
def test_the_gate_passes_most_pairs_at_the_first_attempt_and_no_side_is_always_the_louder_or_higher_one() -> None:
    voices = sorted(VOICES)

    def features(asked: tuple[int, str, str]) -> Features:
        place, option, tone = asked
        text, voice = TEXTS[place % len(TEXTS)], voices[place % len(voices)]
        seed = 2 * place + (option == "resonant")
        samples = rendering_of(line(tone=tone, text=text, voice=voice, seed=seed, option=option)).render()
        assert samples is not None
        return of_acoustics(measure(samples, RATE, words=len(text.split()), loud=False))

    profile = shipped("default")
    asked = [
        (place, option, tone)
        for place, tones in enumerate(TONES)
        for option, tone in (("resonant", tones.resonant), ("dissonant", tones.dissonant))
    ]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(features, asked))
    pairs = list(zip(found[::2], found[1::2], strict=True))
    passed = Counter(contrast(*pair, profile).passed for pair in pairs)
    assert passed[True] >= 0.9 * len(TONES)
    above = Counter(
        name for pair in pairs for name, sign in zip(SIGNED, signs_of(signed(*pair)), strict=True) if sign > 0
    )
    for name in SIGNED:
        assert 0.2 < above[name] / len(TONES) < 0.8, above
