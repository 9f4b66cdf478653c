"""Who cannot be told from whom, as groups: a compact letter display (Piepho 2004), by inserting and absorbing.

Not being distinguishable is no equivalence: of A, B and C the outer two may differ where neither differs from B. A judge is
therefore in every largest group whose members are all indistinguishable from each other, and two judges are indistinguishable
exactly if they share a group. The groups are the maximal cliques of the graph of indistinguishable pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase

MOST_GROUPS = 702
"""Groups that one or two letters can name; more say nothing to anybody."""


def maximal_groups(
    members: int, apart: Iterable[tuple[int, int]], *, most: int = MOST_GROUPS
) -> tuple[tuple[int, ...], ...] | None:
    """The largest groups of members none of which is set apart from another.

    Args:
        members: How many there are.
        apart: Pairs of different members, 0 … members − 1, that are distinguishable.
        most: Number of groups above which to give up.

    Returns:
        Groups of ascending members, by their first member, then by their second …; None where there are more than `most`. Any
        set of pairs can be displayed, but three hundred pairs can make 3¹⁷ groups.

    >>> maximal_groups(3, [(0, 2)])
    ((0, 1), (1, 2))
    """
    groups = {(1 << members) - 1} if members else set()
    for one, other in apart:
        both = 1 << one | 1 << other
        torn = {group for group in groups if group & both == both}
        kept = groups - torn
        parts = {group & ~(1 << each) for group in torn for each in (one, other)}
        # A part can only lie within a group that was not torn, or within another part.
        standing = kept | parts
        groups = kept | {part for part in parts if not any(part & of == part != of for of in standing)}
        if len(groups) > most:
            return None
    return tuple(sorted(tuple(n for n in range(members) if group >> n & 1) for group in groups))


def letters(members: int, groups: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """The letters of each member, one for each group that it is in.

    Args:
        members: How many there are.
        groups: At most 702 groups; the first is a, the 27th aa.

    >>> letters(3, ((0, 1), (1, 2)))
    ('a', 'ab', 'b')
    """
    names = [*ascii_lowercase, *(one + other for one in ascii_lowercase for other in ascii_lowercase)]
    apart = "" if len(groups) <= len(ascii_lowercase) else " "
    return tuple(
        apart.join(name for name, group in zip(names, groups, strict=False) if n in group) for n in range(members)
    )
