"""A release as a judge's author wants it in Python: presentations one by one, each with its words and its audio decoded.

This module stands outside the rooms, since it needs several of them: the tables of `manifests`, the samples of `audio`, and what
`builders` know of histories. Marking imports none of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.declarations import AUDIO
from earmark.manifests.errors import EarmarkError, ReleaseError
from earmark.manifests.release import Release
from earmark.manifests.release import open_release as open_inside
from earmark.manifests.rows import Row, optional_text, text, texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from earmark.audio.clips import DecodedClips
    from earmark.builders.presenting import Earlier
    from earmark.manifests.canonical import Json

MOST_ROUNDS = 16
"""How many presentations one may go on with."""

MOST_RATE = 768_000
"""Hz; no converter has a higher one."""

_COLUMNS = ("presentation_id", "item_id", "order", "after", "prompt_id", "protocols", "labels", "clips")
_PROMPT = ("prompt_id", "system", "user", "answer")
_TOLD = "presentations are gone through"


@dataclass(frozen=True, eq=False)
class Audio:
    """A clip as it is heard.

    Args:
        label: What the prompt calls it.
        clip_id: Its id.
        samples: One channel, float32, shape (n,), full scale 1.0; read only, since clips recur.
        rate: Sampling rate, Hz.
    """

    label: str
    clip_id: str
    samples: NDArray[np.float32]
    rate: int


@dataclass(frozen=True)
class Prompt:
    """The words that go with a presentation.

    Args:
        system: System text.
        user: User text; the clips stand before it in their order.
        answer: JSON Schema or marks of the answer.
    """

    system: str
    user: str
    answer: Json


@dataclass(frozen=True, eq=False)
class Chosen:
    """A place in the history that what the judge chose before decides.

    Args:
        label: What the clip is called there.
        before: Label of the clip that it stands before.
        clips: What stands there, by the choice made in the presentation that `after` names.
    """

    label: str
    before: str
    clips: Mapping[str, Audio]


@dataclass(frozen=True, eq=False)
class Presentation:
    """What a judge is sent.

    Args:
        id: Its id, which predictions name.
        item: The item that it asks about.
        order: Order of the options or poles.
        after: The presentation whose own answer stands in the history; None where none does.
        prompt: The words.
        clips: The clips in the order in which they are sent.
        chosen: What the judge's own answer to `after` puts into the history; None where nothing.
    """

    id: str
    item: str
    order: str
    after: str | None
    prompt: Prompt
    clips: tuple[Audio, ...]
    chosen: Chosen | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """What the prompt calls each clip."""
        return tuple(clip.label for clip in self.clips)


class OpenedRelease(Release):
    """A release on disk, and its presentations with their audio."""

    def presentations(self, protocol: str | None = None, *, rate: int | None = None) -> Iterator[Presentation]:
        """Go through what a protocol owes; the table is read a little at a time, and audio when it is needed.

        Args:
            protocol: A protocol whose clips are audio; the release's first one without.
            rate: Sampling rate of the audio, Hz, 1 to 768,000; that of each file without.

        Yields:
            Presentations in the order of the table, those without an `after` first, then those that go on with one of them, and
            so on: whoever answers them in this order has an answer before it is needed.

        Raises:
            UnknownName: If the release offers no such protocol.
            ReleaseError: If it is damaged, or has no audio of a clip.
            UndecodableAudio: If a clip's file is no audio.
            MissingExtra: If what decodes or resamples is not installed.
            EarmarkError: If clips are not heard in that protocol, or the rate is none.
        """
        chosen = self.protocol(protocol)
        if chosen.modality != AUDIO:
            raise EarmarkError(
                f"in the protocol {chosen.name} a clip is shown as {chosen.modality}; earmark present writes what is sent"
            )
        if rate is not None and not 0 < rate <= MOST_RATE:
            raise EarmarkError(f"a sampling rate is from 1 to {MOST_RATE} Hz, not {rate}")
        return self._go_through(chosen.name, rate)

    def _go_through(self, protocol: str, rate: int | None) -> Iterator[Presentation]:
        from earmark.audio.clips import DecodedClips
        from earmark.builders.presenting.history import names_of_answers

        heard = DecodedClips(self, rate)
        with self.trusted(_TOLD):
            histories = self._histories(protocol)
            names = names_of_answers(self, histories)
            prompts = {text(row, "prompt_id"): row for row in self._gone_through("prompts", _PROMPT)}
        for row in self._in_turn(protocol):
            with self.trusted(_TOLD):
                earlier = histories.get(text(row, "presentation_id"))
                presentation = _presentation(row, prompts[text(row, "prompt_id")], heard, earlier, names)
            yield presentation

    def _histories(self, protocol: str) -> Mapping[str, Earlier]:
        """What stands in histories besides clips; only where the family has any is the whole protocol read for it."""
        from earmark.builders.presenting.history import has_histories, histories_of

        return histories_of(self, protocol, list(self._owed(protocol))) if has_histories(self) else {}

    def _in_turn(self, protocol: str) -> Iterator[Row]:
        """Rows of a protocol, none before the one that it goes on with."""
        after: dict[str, str] = {}
        for row in self._owed(protocol):
            earlier = optional_text(row, "after")
            if earlier is None:
                yield row
            else:
                after[text(row, "presentation_id")] = earlier
        rounds = self._rounds(after)
        for number in sorted(set(rounds.values())):
            for row in self._owed(protocol):
                if rounds.get(text(row, "presentation_id")) == number:
                    yield row

    def _rounds(self, after: Mapping[str, str]) -> Mapping[str, int]:
        """How many presentations each goes on with, one after the other.

        Raises:
            ReleaseError: If they are more than any protocol would have, so also if they go in a circle.
        """
        rounds = {}
        for id in after:
            earlier, number = after[id], 1
            while earlier in after:
                earlier, number = after[earlier], number + 1
                if number > MOST_ROUNDS:
                    raise ReleaseError(
                        f"{self.path} is damaged: {id} goes on with more than {MOST_ROUNDS} presentations; {self.remedy}"
                    )
            rounds[id] = number
        return rounds

    def _owed(self, protocol: str) -> Iterator[Row]:
        """Rows of a protocol in the order of the table."""
        for row in self._gone_through("presentations", _COLUMNS):
            if protocol in texts(row, "protocols"):
                yield row

    def _gone_through(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Rows of a table, of which only a few are in memory.

        Raises:
            ReleaseError: If they cannot be read.
        """
        import pyarrow as pa

        from earmark.manifests.parquet.stored import stream_stored

        whole = self.family.tables()[table]
        declared = {field.name: field for field in whole.arrow_schema()}
        path, rows = self.file(table), self.manifest.tables[table].rows
        try:
            for part in stream_stored(path, [declared[name] for name in columns], rows=rows, table=whole):
                yield from part
        except (pa.ArrowException, OSError, ValueError, LookupError) as error:  # all come of damage
            said = " ".join(str(error).split())[:300]
            raise ReleaseError(f"table {table} of {self.path} cannot be read: {said}; {self.remedy}") from error


def open_release(path: str | Path, *, private: str | Path | None = None) -> OpenedRelease:
    """Open a release; only its manifest is read.

    Args:
        path: Its folder: a release as it was built, or a published copy.
        private: Folder of its private side, where that is kept apart.

    Raises:
        ReleaseError: If the folder is no release, or one of a newer format, or lacks what each release has.
        UnknownName: If its family is not installed.
    """
    release = open_inside(path, private=private)
    return OpenedRelease(release.path, release.manifest, release.private)


def _presentation(
    row: Row, prompt: Row, heard: DecodedClips, earlier: Earlier | None, names: Mapping[str, str]
) -> Presentation:
    def audio(label: str, clip: str, name: str | None = None) -> Audio:
        samples, rate = heard.samples(clip)
        return Audio(label, name or clip, samples, rate)

    clips: list[Audio] = []
    for label, clip in zip(texts(row, "labels"), texts(row, "clips"), strict=True):
        if earlier is not None and earlier.told is not None and earlier.before == label:
            clips.append(audio(earlier.label, earlier.told, names[earlier.told]))
        clips.append(audio(label, clip))
    chosen = None
    if earlier is not None and earlier.told is None:
        stands = {choice: audio(earlier.label, clip) for choice, clip in earlier.clips.items()}
        chosen = Chosen(earlier.label, earlier.before, stands)
    return Presentation(
        id=text(row, "presentation_id"),
        item=text(row, "item_id"),
        order=text(row, "order"),
        after=optional_text(row, "after"),
        prompt=Prompt(text(prompt, "system"), text(prompt, "user"), json.loads(text(prompt, "answer"))),
        clips=tuple(clips),
        chosen=chosen,
    )
