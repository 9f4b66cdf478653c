"""A scenario and its script: a plot in a setting, between two people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.offline.draws import Draws
from earmark.builders.dialogues.offline.entries import Plot, Setting
from earmark.builders.dialogues.offline.material import lines, names, plots_about, plots_of, settings_of
from earmark.builders.dialogues.records import GENDERS, DissonantPersona, Line, Person, Scenario, Script

_BEGINNING = re.compile(r"(^|(?<!\.)[.!?] )([a-z])")


@dataclass(frozen=True)
class Story:
    """What is drawn of a dialogue before anybody speaks.

    Args:
        cell: What it must be.
        plot: What happens.
        setting: Where.
        first: Who brings something.
        second: Who answers.
        day: A day of the week.
    """

    cell: Cell
    plot: Plot
    setting: Setting
    first: Person
    second: Person
    day: str

    def fill(self, text: str) -> str:
        """A text with its places filled."""
        return fill(
            text,
            {**self.setting.words, "day": self.day, "first": self.first.name, "second": self.second.name},
        )


def draw_story(cell: Cell, draws: Draws) -> Story:
    """Draw a plot, a setting, two people and a day.

    Raises:
        UnknownName: If the cell has a name that is unknown.
    """
    plot = draws.pick(plots_about(cell.subscale, cell.valence), "plot")
    setting = draws.pick(settings_of(cell.type), "setting")
    first = _person(draws, "first", setting.roles[0], other=None)
    second = _person(draws, "second", setting.roles[1], other=first.name)
    return Story(cell, plot, setting, first, second, draws.pick(lines().days, "day"))


def scenario_of(story: Story, failures: tuple[str, str], draws: Draws) -> Scenario:
    """The scenario of a story.

    Args:
        story: What was drawn.
        failures: Of the two dissonant personas, two different ones.
        draws: What else is drawn.
    """
    cell, plot = story.cell, story.plot
    dissonant = [
        DissonantPersona(failure=failure, persona=draws.pick(lines().failing[failure], f"persona {failure}"))
        for failure in failures
    ]
    return Scenario(
        subscale=cell.subscale,
        valence=cell.valence,
        type=cell.type,
        title=f"{plot.title}: {story.setting.task}",
        context=story.setting.place,
        description=story.fill(plot.happens),
        intent=story.fill(plot.intent),
        first=story.first,
        second=story.second,
        first_persona=draws.pick(lines().personas[cell.valence], "first persona"),
        resonant_persona=draws.pick(plots_of(cell.subscale).resonant[cell.valence], "resonant persona"),
        dissonant_personas=(dissonant[0], dissonant[1]),
    )


def script_of(story: Story, draws: Draws) -> Script:
    """The six lines of a story."""
    plot = story.plot
    beat = draws.pick((0, 1), "beat")
    texts = (
        draws.pick(plot.open, "turn 1"),
        draws.pick(lines().replies[story.cell.valence], "turn 2"),
        f"{draws.pick(plot.peak, 'turn 3')} {plot.then[beat]}",
        _opened(plot.answer[beat], draws, 4),
        plot.sustain[beat],
        _opened(draws.pick(plot.close, "turn 6"), draws, 6),
    )
    return Script(lines=tuple(Line(turn=turn, text=story.fill(text)) for turn, text in enumerate(texts, start=1)))


def fill(text: str, words: Mapping[str, str]) -> str:
    """A text with its places filled, each sentence beginning with a capital.

    >>> fill("{lead} called. So {win}... and now?", {"lead": "the owner", "win": "the shop is ours"})
    'The owner called. So the shop is ours... and now?'
    """
    return _BEGINNING.sub(lambda match: match[1] + match[2].upper(), text.format_map(words))


def _opened(text: str, draws: Draws, turn: int) -> str:
    """A line with a word before it or none; a line that begins with that word gets another one."""
    fitting = [opener for opener in lines().openers if not (opener and text.startswith(opener.rstrip(".")))]
    return f"{draws.pick(fitting, f'turn {turn}, opener')} {text}".strip()


def _person(draws: Draws, which: str, role: str, *, other: str | None) -> Person:
    gender = draws.pick(GENDERS, f"gender {which}")
    among: tuple[str, ...] = getattr(names(), gender)
    return Person(name=draws.pick([name for name in among if name != other], f"name {which}"), role=role, gender=gender)
