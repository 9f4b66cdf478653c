"""How small a difference a number of paired answers can show: McNemar's test, by the usual normal approximation.

Two judges answer the same n questions. Only questions that one of them gets right and the other wrong tell them apart; their
share is the discordance. The fewer there are, the smaller the difference that shows.
"""

from __future__ import annotations

from statistics import NormalDist


def detectable_difference(pairs: int, discordance: float, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The least difference of two paired proportions that a two-sided test finds with a given power.

    It solves n = (z_a √ψ + z_b √(ψ - d²))² / d² for d (Connor 1987), where ψ is the discordance.

    Args:
        pairs: Number of questions n that both answered, at least 1.
        discordance: Share ψ of them that exactly one gets right, in [0, 1].
        alpha: Level of the test, in (0, 1).
        power: Probability with which it is found, in [0.5, 1).

    Returns:
        d in (0, ψ]; None where not even a judge that wins every discordant question would be told apart.

    Raises:
        ValueError: An argument is out of range.

    >>> round(detectable_difference(151, 0.4), 3)
    0.143
    >>> round(detectable_difference(2265, 0.4), 3)
    0.037
    """
    if pairs < 1:
        raise ValueError(f"pairs is {pairs}, less than 1")
    if not 0 <= discordance <= 1:
        raise ValueError(f"discordance is {discordance}, not in [0, 1]")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}, not in (0, 1)")
    if not 0.5 <= power < 1:
        raise ValueError(f"power is {power}, not in [0.5, 1)")
    of_level, of_power = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    spare = pairs + of_power**2 - of_level**2
    if spare < 0:
        return None
    found = discordance**0.5 * (of_level * pairs**0.5 + of_power * spare**0.5) / (pairs + of_power**2)
    return found if 0 < found <= discordance else None


def pairs_needed(difference: float, discordance: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many questions both must answer for a difference to be found with a given power.

    Args:
        difference: The difference d of the two proportions, in (0, ψ].
        discordance: Share ψ of questions that exactly one gets right, in (0, 1].
        alpha: Level of the test, in (0, 1).
        power: Probability with which it is found, in [0.5, 1).

    Raises:
        ValueError: An argument is out of range.

    >>> pairs_needed(0.1, 0.4)
    312
    """
    if not 0 < difference <= discordance <= 1:
        raise ValueError(
            f"a difference of {difference} is not in (0, discordance], which is {discordance} of at most 1"
        )
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}, not in (0, 1)")
    if not 0.5 <= power < 1:
        raise ValueError(f"power is {power}, not in [0.5, 1)")
    of_level, of_power = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    reach = of_level * discordance**0.5 + of_power * (discordance - difference**2) ** 0.5
    return -int(-((reach / difference) ** 2) // 1)
