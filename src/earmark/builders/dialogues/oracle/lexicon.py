"""What words of a tone say about a voice, what words of a story say about its mood, and what a mood asks of a voice.

An entry is a word or the beginning of one, as in `trembl`; an entry of several words stands for them in this order. The longest
entry that fits wins; one that says nothing, as `hardly`, keeps a shorter one from being found in its place. All of it was written
by people; words of manner were added after reading what the embedded author writes, so that how well its dialogues are read says
little about others.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias


class Axis(StrEnum):
    """A property of a voice; each word moves it up or down by 1."""

    PACE = "pace"
    LOUDNESS = "loudness"
    PITCH = "pitch"
    WARMTH = "warmth"
    STEADINESS = "steadiness"
    BRIGHTNESS = "brightness"
    DULLNESS = "dullness"
    EXCESS = "excess"


class Mood(StrEnum):
    """What the other person brings."""

    JOY = "joy"
    WEIGHT = "weight"
    DEMAND = "demand"


Words: TypeAlias = Mapping[str, tuple[tuple[Axis, int], ...]]


def _words(*groups: tuple[str, tuple[tuple[Axis, int], ...]]) -> Words:
    return {entry.replace("_", " "): moves for words, moves in groups for entry in words.split()}


TONE: Words = _words(
    (
        "fast quick rapid rush hurr brisk swift speed racing hast accelerat gallop",
        ((Axis.PACE, 1),)),
    (
        "slow unhurried linger measured leisurely paus drawn_out taking_time",
        ((Axis.PACE, -1),)),
    (
        "loud energ boom ringing full_voice forceful strong high_energy rich",
        ((Axis.LOUDNESS, 1),)),
    (
        "quiet hush faint subdued muted whisper murmur low_volume low_energy breathy",
        ((Axis.LOUDNESS, -1),)),
    (
        "high soar shrill climbing pitch_up high_pitch rising upward lifted uplift",
        ((Axis.PITCH, 1),)),
    (
        "low lower deep falling sinking dropping low_pitch downward",
        ((Axis.PITCH, -1),)),
    (
        "soft gentl tender",
        ((Axis.LOUDNESS, -1), (Axis.WARMTH, 1))),
    (
        "warm kind caring open smil sooth comfort sincer genuine heartfelt understanding support appreciat welcom"
        " empath reassur friendl affection grat inviting compassion rounded near_the_ear near close_by full_of_air"
        " space room leaning at_eye_level beside jaw_loose elbow_to_elbow encourag admir thoughtful sympath",
        ((Axis.WARMTH, 1),),
    ),
    (
        "cold clipped tight sharp snap harsh hostil irritat irritab dismiss defens curt hard biting sarcas sneer"
        " scoff mock condescend patroni sigh impatien aggress confront edge edgy terse brusque icy stiff pressed"
        " gritted accus annoy exasperat contempt lectur sing-song singsong sugar smug superior indignat skeptic"
        " sceptic cutting brittle belittl haughty drawling cut_off cutting_off huff hiss barb sour grudging scold"
        " small_child nursery from_above head_tilted chin_tilted syrup knowing spelled spelling stretched pointed"
        " pointing tapping already_leaving already_gone cutting_in staring glaring chin_down jaw spitting spat bitten"
        " bites teeth tumbling elsewhere looking_away clipping curl pursed narrowed growl bark attack slam stamp"
        " folded shrug watch_in_hand door corridor swallow",
        ((Axis.WARMTH, -1),),
    ),
    (
        "steady steadi even calm composed grounded firm assur confiden controlled settled relax patien anchored ease"
        " solid level_voice level_tone poise",
        ((Axis.STEADINESS, 1),)),
    (
        "trembl shak quiver waver anxi panic nervous strain falter stammer breathless jitter frantic unstead crack"
        " stumbl fret worr overwhelm stress uneas wobbl gulp rattled breaking_off breaks_off halting gasp choked"
        " squeak used_up short_of_air scant_of_breath hyperventilat",
        ((Axis.STEADINESS, -1),),
    ),
    (
        "bright livel laugh melod animated joy enthus excit cheer gleeful delight celebrat vibrant burst explosive"
        " bubbl radia sparkl upbeat playful chuckl exuberan bounc thrill elat beaming",
        ((Axis.BRIGHTNESS, 1),),
    ),
    (
        "flat monoton dull toneless bored detached indifferen lifeless listless apath unmoved uninterest dry"
        " disregard blank hollow absent mechanical colourless colorless droning nothing_in_it no_colour yawn"
        " unchanging like_a_list same_note",
        ((Axis.DULLNESS, 1),),
    ),
    (
        "exaggerat overly overdone forced excessive too fake artificial dominat relentless over-bright overbright"
        " gush self-focused theatrical unrelenting blaring over-the-top plastered oblivious fixed_grin pulled_over"
        " lilting jingle confetti show_host",
        ((Axis.EXCESS, 1),),
    ),
    (
        "hardly edges hardest dry_at_the_edges",
        ()),
)  # fmt: skip
"""Words of a tone instruction."""

DENIALS = frozenset({"without", "no", "not", "never", "nor", "free", "instead"})
"""A word within two words after one of these says the opposite: "without any rush"."""

STORY: Mapping[Mood, str] = {
    Mood.JOY: (
        "excit thrill joy happ celebrat promot won win accepted proud pride good_news great_news wonderful amazing succe"
        " passed engaged dream delight glad ecstatic overjoyed incredib hired award prize fantastic i_got made_it"
        " birth baby gift surprise smil laugh lucky best finally applau scholarship graduat pregnan milestone triumph grin"
    ),
    Mood.WEIGHT: (
        "lost loss died dead death funeral grie sick ill hospital diagnos fail afraid scared worr alone lonel cry crie"
        " tear hurt sorry tired exhaust sad gone miss reject laid_off fired overwhelm disappoint anxi nervous nightmare"
        " bad_news cannot_cope can't_cope shak heavy asham guilt cancel ruin worse hopeless pain goodbye divorce"
        " accident struggl numb empty burn mistake doubt setback regret"
    ),
    Mood.DEMAND: (
        "must angry furious unfair blame fault complain argu disagree refus deadline insist demand conflict tens accus"
        " promised you_said you_never you_always owe cross stop enough why excuse late pressure rude ignor broke_your"
        " behind_my_back answer_me right_now overrul confront unacceptable obstruct interrupt frustrat annoy decide push"
    ),
}
"""Words of a scenario and of what was said."""

MOOD_OF_TONE: Mapping[Mood, Mapping[Axis, int]] = {
    Mood.JOY: {Axis.BRIGHTNESS: 2, Axis.PITCH: 1},
    Mood.WEIGHT: {Axis.STEADINESS: -2, Axis.LOUDNESS: -1, Axis.PITCH: -1, Axis.DULLNESS: 1},
    Mood.DEMAND: {Axis.WARMTH: -2},
}
"""What the tone of the person who brings something says about the mood; only sums above 0 count."""

WANTED: Mapping[Mood, Mapping[Axis, float]] = {
    Mood.JOY: {
        Axis.PACE: 0.5,
        Axis.LOUDNESS: 0.5,
        Axis.PITCH: 1.0,
        Axis.WARMTH: 2.0,
        Axis.STEADINESS: 0.75,
        Axis.BRIGHTNESS: 2.0,
        Axis.DULLNESS: -2.5,
        Axis.EXCESS: -2.5,
    },
    Mood.WEIGHT: {
        Axis.PACE: -1.0,
        Axis.LOUDNESS: -1.0,
        Axis.PITCH: -0.5,
        Axis.WARMTH: 2.0,
        Axis.STEADINESS: 1.5,
        Axis.BRIGHTNESS: -2.0,
        Axis.DULLNESS: -2.5,
        Axis.EXCESS: -2.5,
    },
    Mood.DEMAND: {
        Axis.PACE: -0.5,
        Axis.LOUDNESS: -0.5,
        Axis.PITCH: -0.5,
        Axis.WARMTH: 2.0,
        Axis.STEADINESS: 1.5,
        Axis.BRIGHTNESS: -1.0,
        Axis.DULLNESS: -2.0,
        Axis.EXCESS: -2.5,
    },
}
"""What each mood asks of the voice that answers; where no scenario is shown, the mean of all three is asked.

How somebody is spoken to weighs more than how fast, loud or high: a quick voice may be kind.
"""
