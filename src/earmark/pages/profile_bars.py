"""Profile bars: the same few shares of several judges or personas, a bar each with its interval, beside the chance level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.report import MetricEntry
from earmark.pages import rows as frame
from earmark.pages.formats import metric_label, number
from earmark.pages.notes import conditional_note
from earmark.pages.shown import brief, shown
from earmark.pages.svg import BODY, INK, MUTED, SERIES, Figure, Table, axes_over, block, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_BAR, _SPACE, _HEAD = 13, 12, 44
_HATCHES = ("", "////", "....")


@dataclass(frozen=True)
class Profile:
    """One group of bars.

    Args:
        label: Whose it is.
        entries: The shares, the same metrics in every group.
        names: What the metrics are called, where it is not by their own names.
    """

    label: str
    entries: tuple[MetricEntry, ...]
    names: tuple[str, ...] = ()

    @property
    def called(self) -> tuple[str, ...]:
        """Names of the metrics, for people."""
        return self.names or tuple(metric_label(entry.metric) for entry in self.entries)


def profile_bars(profiles: Sequence[Profile], *, title: str, of: str = "persona") -> Figure:
    """A group of bars a profile, each bar told apart by its hatch too, with its first interval and its chance level.

    Args:
        profiles: The groups, top to bottom; an undefined share has no bar and says so.
        title: What a screen reader says first.
        of: What a group is of, as the table has it.
    """
    called = profiles[0].called if profiles else ()
    head = (of, *(cell for name in called for cell in (name, "interval")), "n")
    table = tuple(
        (
            shown(profile.label),
            *(cell for entry in profile.entries for cell in frame.cells(entry)),
            f"{profile.entries[0].n:,}" if profile.entries else "",
        )
        for profile in profiles
    )
    described = "; ".join(f"{shown(profile.label)}: {_told(profile)}" for profile in profiles)
    height = _HEAD + frame.FOOT + len(profiles) * (_BAR * max(1, len(called)) + _SPACE)

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        _frame(axes, called, height)
        for place, profile in enumerate(profiles):
            _group(axes, profile, _HEAD + place * (_BAR * len(called) + _SPACE))

    panel = render(frame.WIDTH, height, draw, title=title, description=described or "Nothing to show")
    note = conditional_note([entry for profile in profiles for entry in profile.entries], first_only=True)
    return Figure((panel,), Table(head, table), note)


def _told(profile: Profile) -> str:
    told = zip(profile.called, profile.entries, strict=True)
    return ", ".join(f"{name} {number(entry.value)}" for name, entry in told)


def _frame(axes: Axes, called: Sequence[str], height: float) -> None:
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        axes.plot([frame.across(tick)] * 2, [_HEAD - 6, height - frame.FOOT], color=MUTED.placeholder, linewidth=0.3)
        write(axes, frame.across(tick), height - frame.FOOT + 12, f"{tick:g}", MUTED, side="center")
    left = 6.0
    for place, name in enumerate(called):
        _bar(axes, place, left, left + 18, 12)
        write(axes, left + 23, 12, name, MUTED)
        left += 40 + 5.6 * len(name)
    axes.plot([left + 4] * 2, [6, 18], color=INK.placeholder, linewidth=1.4, dashes=(2, 1.2))
    write(axes, left + 10, 12, "chance", MUTED)


def _group(axes: Axes, profile: Profile, top: float) -> None:
    write(axes, 4, top + _BAR * len(profile.entries) / 2, brief(profile.label, 22), size=BODY)
    for place, entry in enumerate(profile.entries):
        level = top + _BAR * (place + 0.5)
        write(axes, frame.WIDTH - 4, level, number(entry.value), side="right")
        if entry.value is None:
            write(axes, frame.across(0) + 4, level, "undefined", MUTED, italic=True)
            continue
        _bar(axes, place, frame.across(0), frame.across(entry.value), level)
        found = entry.intervals[0] if entry.intervals else None
        if found is not None and found.low is not None and found.high is not None:
            axes.plot(
                [frame.across(found.low), frame.across(found.high)], [level] * 2, color=INK.placeholder, linewidth=1.2
            )
        if entry.chance is not None:
            ends = [level - _BAR / 2, level + _BAR / 2]
            axes.plot([frame.across(entry.chance)] * 2, ends, color=INK.placeholder, linewidth=1.4, dashes=(2, 1.2))


def _bar(axes: Axes, place: int, left: float, right: float, level: float) -> None:
    colour = SERIES[(4, 0, 5)[place % 3]]
    block(axes, left, right, level, _BAR - 3, colour, opacity=0.35, edge=0.9, hatch=_HATCHES[place % len(_HATCHES)])
