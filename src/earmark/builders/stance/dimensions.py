"""The facts of the stance taxonomy: 19 categories of 122 roles, nine dimensions of two poles, 68 selected roles.

Roles are the adjectives in the prompts of Seamless Interaction's improvised conversations. Which category a role belongs to and
which roles stand for a pole are the choices of the StanceBench paper (section 3.2). The positive pole is a name, not a
judgement: that of S7 is Deference, not dominance, and that of S8 joins two categories, so in both it is the quieter one.

What a pole rests on is said per category, with its direction. The paper names four frameworks; attention and calmness are
in none of them, and the table says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Mode = Literal["single", "interaction"]
"""single: the judge gets speech of the TARGET alone; interaction: also the partner's turn, as CONTEXT."""


class Framework(StrEnum):
    """A theory that a category is taken from."""

    CIRCUMPLEX = "interpersonal circumplex"
    """Agency and communion (Wiggins 1979, 1995)."""
    BIG_FIVE_ASPECTS = "Big Five aspects"
    """Two aspects of each of the Big Five (DeYoung, Quilty and Peterson 2007)."""
    HEXACO = "HEXACO"
    """Six factors, of which Honesty-Humility is the one used (Ashton and Lee 2007)."""
    WARMTH_COMPETENCE = "warmth-competence"
    """Universal dimensions of social cognition (Fiske, Cuddy and Glick 2007)."""
    AROUSAL = "attention and arousal"
    """None of the paper's four: vigilance and energetic or tense arousal."""


@dataclass(frozen=True)
class Basis:
    """Where a category lies in a framework.

    Args:
        framework: The framework.
        construct: Its scale or region.
        direction: Which end of it.
    """

    framework: Framework
    construct: str
    direction: Literal["high", "low"]


@dataclass(frozen=True)
class Category:
    """Roles that mean much the same.

    Args:
        name: Name in the table of roles.
        roles: Its roles, exact.
        bases: What it rests on, first things first.
    """

    name: str
    roles: tuple[str, ...]
    bases: tuple[Basis, ...]


@dataclass(frozen=True)
class Pole:
    """One end of a dimension.

    Args:
        roles: The roles that stand for it.
        categories: The categories that it is.
        frameworks: The frameworks that it rests on, first things first.
    """

    roles: tuple[str, ...]
    categories: tuple[str, ...] = ()
    frameworks: tuple[Framework, ...] = ()


@dataclass(frozen=True)
class Dimension:
    """A question about stance with two answers.

    Args:
        id: Facet id.
        name: Name for people.
        mode: What the judge gets.
        positive: The pole with the label P.
        negative: The pole with the label N.
        source_index: The number that the paper's authors' older files give the question; None of a user's own.
    """

    id: str
    name: str
    mode: Mode
    positive: Pole
    negative: Pole
    source_index: int | None = None


def _high(framework: Framework, construct: str) -> Basis:
    return Basis(framework, construct, "high")


def _low(framework: Framework, construct: str) -> Basis:
    return Basis(framework, construct, "low")


_F = Framework


def _category(name: str, roles: str, *bases: Basis) -> Category:
    return Category(name, tuple(roles.split(", ")), bases)


CATEGORIES = (
    _category(
        "Warmth",
        "Affable, Agreeable, Companionable, Friendly, Good-natured, Hospitable, Kind, Kind-hearted, Neighborly, Pleasant, "
        "Warm, Welcoming, Approachable",
        _high(_F.CIRCUMPLEX, "communion"),
        _high(_F.WARMTH_COMPETENCE, "warmth"),
    ),
    _category(
        "Compassion",
        "Appreciative, Charitable, Concerned, Considerate, Cooperative, Empathetic, Gentle, Gentlehearted, Helpful, "
        "Sympathetic, Tender, Tenderhearted, Understanding",
        _high(_F.BIG_FIVE_ASPECTS, "compassion"),
        _high(_F.CIRCUMPLEX, "communion"),
    ),
    _category(
        "Politeness",
        "Courteous, Polite, Respectful, Well-mannered, Gracious",
        _high(_F.BIG_FIVE_ASPECTS, "politeness"),
    ),
    _category(
        "Coldness",
        "Aloof, Cold, Distant, Impersonal, Indifferent, Warmthless, Unsmiling",
        _low(_F.CIRCUMPLEX, "communion"),
        _low(_F.WARMTH_COMPETENCE, "warmth"),
    ),
    _category(
        "Callousness",
        "Callous, Coldhearted, Dissocial, Inconsiderate, Insensitive, Uncharitable, Unsympathetic",
        _low(_F.BIG_FIVE_ASPECTS, "compassion"),
    ),
    _category("Rudeness", "Disrespectful, Impolite, Uncivil", _low(_F.BIG_FIVE_ASPECTS, "politeness")),
    _category(
        "Assertiveness",
        "Assertive, Convinced, Decisive, Firm, Self-assured, Self-confident, Strong-minded",
        _high(_F.CIRCUMPLEX, "agency"),
        _high(_F.BIG_FIVE_ASPECTS, "assertiveness"),
    ),
    _category(
        "Dominance",
        "Controlling, Dominant, Forceful, Domineering, Overbearing",
        _high(_F.CIRCUMPLEX, "agency"),
        _low(_F.CIRCUMPLEX, "communion"),
    ),
    _category(
        "Aggression",
        "Aggressive, Cruel, Ruthless, Vindictive",
        _high(_F.CIRCUMPLEX, "agency"),
        _low(_F.CIRCUMPLEX, "communion"),
    ),
    _category(
        "Inhibition",
        "Bashful, Indecisive, Inhibited, Passive, Shy, Timid, Unassertive, Doubting, Self-doubting",
        _low(_F.CIRCUMPLEX, "agency"),
        _high(_F.BIG_FIVE_ASPECTS, "withdrawal"),
    ),
    _category(
        "Deference",
        "Accommodating, Agreeing, Meek, Submissive, Undemanding, Yielding",
        _low(_F.CIRCUMPLEX, "agency"),
        _high(_F.CIRCUMPLEX, "communion"),
    ),
    # A way of dealing with conflict rather than a trait; the circumplex has room for it and no name.
    _category("Avoidance", "Unaggressive, Unargumentative", _low(_F.CIRCUMPLEX, "agency")),
    _category("Honesty", "Honest, Ingenuous, Uncalculating", _high(_F.HEXACO, "honesty-humility")),
    _category(
        "Deception",
        "Crafty, Cunning, Devious, Exploitative, Self-serving, Sly, Tricky, Wily, Calculating, Manipulative",
        _low(_F.HEXACO, "honesty-humility"),
    ),
    _category(
        "Sociability",
        "Engaging, Extraverted, Gregarious, Magnetic, Outgoing, Sociable, Charismatic, Boisterous",
        _high(_F.BIG_FIVE_ASPECTS, "enthusiasm"),
    ),
    _category(
        "Withdrawal",
        "Disengaged, Introverted, Reclusive, Unsociable, Withdrawn, Reticent, Silent, Taciturn",
        _low(_F.BIG_FIVE_ASPECTS, "enthusiasm"),
    ),
    _category("Focus", "Alert, Attentive, Concentrating, Engaged", _high(_F.AROUSAL, "vigilance")),
    _category(
        "Distraction",
        "Bewildered, Confused, Distracted, Drowsy, Unfocused, Zoned out",
        _low(_F.AROUSAL, "vigilance"),
    ),
    _category(
        "Calmness",
        "Stable, Steady",
        _low(_F.AROUSAL, "tense arousal"),
        _low(_F.BIG_FIVE_ASPECTS, "volatility"),
    ),
)
"""The 19 categories; each of the 122 roles stands in one."""

CATEGORY_OF = {role: category.name for category in CATEGORIES for role in category.roles}
"""Category of each role."""


def frameworks_of(categories: tuple[str, ...]) -> tuple[Framework, ...]:
    """The frameworks that categories rest on, first things first, each once."""
    bases = (basis for name in categories for entry in CATEGORIES if entry.name == name for basis in entry.bases)
    return tuple(dict.fromkeys(basis.framework for basis in bases))


def _pole(roles: str) -> Pole:
    names = tuple(roles.split(", "))
    categories = tuple(dict.fromkeys(CATEGORY_OF[role] for role in names))
    return Pole(names, categories, frameworks_of(categories))


DIMENSIONS = (
    Dimension(
        "S0",
        "Interpersonal Warmth",
        "single",
        _pole("Friendly, Warm, Approachable, Welcoming"),
        _pole("Aloof, Distant, Impersonal, Indifferent"),
        0,
    ),
    Dimension(
        "S1",
        "Compassion and Empathy",
        "single",
        _pole("Empathetic, Considerate, Understanding, Concerned"),
        _pole("Insensitive, Unsympathetic, Inconsiderate, Callous"),
        1,
    ),
    Dimension(
        "S2",
        "Politeness and Respect",
        "single",
        _pole("Polite, Respectful, Courteous"),
        _pole("Disrespectful, Impolite, Uncivil"),
        2,
    ),
    Dimension(
        "S3",
        "Assertiveness",
        "single",
        _pole("Assertive, Decisive, Self-assured, Firm"),
        _pole("Indecisive, Self-doubting, Unassertive, Timid"),
        3,
    ),
    Dimension(
        "S4",
        "Sincerity and Honesty",
        "single",
        _pole("Honest, Ingenuous, Uncalculating"),
        _pole("Manipulative, Calculating, Devious"),
        4,
    ),
    Dimension(
        "S5",
        "Cognitive Attentiveness",
        "single",
        _pole("Alert, Attentive, Concentrating, Engaged"),
        _pole("Bewildered, Distracted, Drowsy, Unfocused"),
        5,
    ),
    Dimension(
        "S6",
        "Social Engagement",
        "interaction",
        _pole("Engaging, Sociable, Gregarious, Outgoing"),
        _pole("Withdrawn, Disengaged, Reticent, Taciturn"),
        7,
    ),
    Dimension(
        "S7",
        "Power Orientation",
        "interaction",
        _pole("Submissive, Meek, Yielding, Undemanding"),
        _pole("Forceful, Overbearing, Dominant, Domineering"),
        8,
    ),
    Dimension(
        "S8",
        "Conflict Regulation",
        "interaction",
        _pole("Stable, Steady, Unaggressive, Unargumentative"),
        _pole("Aggressive, Cruel, Ruthless, Vindictive"),
        9,
    ),
)
"""The nine dimensions, S0 to S8; no role stands on two of their 18 poles."""
