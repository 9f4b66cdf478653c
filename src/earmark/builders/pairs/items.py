"""The rows of a pairs release: each pair becomes an item, its answer, its clips and their sources, and what a judge is sent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from earmark.builders.media import meant_silent
from earmark.builders.pairs.columns import seconds_of
from earmark.builders.pairs.prompts import LABELS, Templates, prompt_id, render
from earmark.builders.plan import Rows
from earmark.manifests import keys
from earmark.manifests.acoustics import MEASURES
from earmark.manifests.families.pairs import CONTROL, PAIRS, REVERSED
from earmark.manifests.pairing import LABELS as LABEL_COLUMNS
from earmark.manifests.rows import Row, optional_text, text, whole


@dataclass(frozen=True)
class Side:
    """One clip of a pair.

    Args:
        row: Its utterance.
        gain: Change of its level, dB; None for none.
    """

    row: Row
    gain: float | None = None


@dataclass(frozen=True)
class Pair:
    """A pair in the order in which it is stored.

    Args:
        criterion: What is asked about.
        target: What is asked for.
        first: The clip stored first.
        second: The other one.
        gold: first, second or tie.
        kind: How many of the two satisfy the target.
        transcript: Whether the texts are equal.
        variant: main, hard, or what a control is.
        control: Whether it is a control.
    """

    criterion: str
    target: str
    first: Side
    second: Side
    gold: str
    kind: str
    transcript: str
    variant: str
    control: bool = False

    @property
    def facet(self) -> str:
        """The facet that it is counted in."""
        return CONTROL if self.control else self.criterion

    @property
    def asked(self) -> str:
        """The target of its item: of a control, its criterion too, which its facet does not tell.

        What sort of control it is would tell the answer.
        """
        return f"{self.criterion} {self.target}" if self.control else self.target


@dataclass(frozen=True)
class Copy:
    """The copy of a corpus that clips are from.

    Args:
        version: Its name.
        licence: Its licence.
    """

    version: str
    licence: str


class Items:
    """The tables of a release as they grow, side by side."""

    def __init__(
        self,
        templates: Templates,
        copies: Mapping[str, Copy],
        sounds: Mapping[str, Row],
        hashes: Mapping[str, str],
        key: bytes,
    ) -> None:
        """Begin with nothing.

        Args:
            templates: The words of the prompts.
            copies: Of each corpus, the copy.
            sounds: Of each utterance that was measured, its columns of `MEASURES`.
            hashes: Of each utterance that was measured, the hash of its samples.
            key: The release key.
        """
        self._templates, self._copies, self._sounds, self._hashes, self._key = templates, copies, sounds, hashes, key
        self._rows: dict[str, dict[str, dict[str, object]]] = defaultdict(dict)
        self._worded = False

    def add(self, pair: Pair) -> str:
        """Add the item of a pair; its id."""
        sides = (pair.first, pair.second)
        clips = [self._add_clip(side) for side in sides]
        scripts = {optional_text(side.row, "script") for side in sides}
        script = scripts.pop() if len(scripts) == 1 else None
        item = keys.item_id(
            self._key, family=PAIRS.name, facet=pair.facet, target=pair.asked, clips=clips, script=script
        )
        self._rows["items"][item] = {"item_id": item, "facet": pair.facet, "group": None, "target": pair.asked}
        for position, clip in enumerate(clips):
            row = {"item_id": item, "role": "clip", "position": position, "clip_id": clip}
            self._rows["item_clips"][f"{item} {position}"] = row
        speakers = {text(side.row, "speaker") for side in sides}
        sexes = {optional_text(side.row, "sex") for side in sides}
        self._rows["answers"][item] = {
            "item_id": item,
            "gold": pair.gold,
            "kind": pair.kind,
            "transcript": pair.transcript,
            "speakers": "same" if len(speakers) == 1 else "different",
            "sex": None if None in sexes else sexes.pop() if len(sexes) == 1 else "mixed",
            "variant": pair.variant,
        }
        self._worded |= any(optional_text(side.row, "text") for side in sides)
        for protocol in PAIRS.protocols:
            for order in protocol.orders:
                self._add_presentation(item, pair, clips, order, protocol.name, protocol.modality)
        return item

    def tables(self) -> dict[str, Rows]:
        """All rows; without a single text, none of the protocol that shows texts."""
        names = ("items", "item_clips", "presentations", "prompts", "clips", "answers", "sources", "selection")
        tables = {name: list(self._rows[name].values()) for name in names}
        if not self._worded:
            tables["presentations"] = [row for row in tables["presentations"] if row["modality"] == "audio"]
            used = {row["prompt_id"] for row in tables["presentations"]}
            tables["prompts"] = [row for row in tables["prompts"] if row["prompt_id"] in used]
        return tables

    def _add_presentation(
        self, item: str, pair: Pair, clips: list[str], order: str, protocol: str, modality: str
    ) -> None:
        prompt = prompt_id(pair.criterion, pair.target, modality)
        if prompt not in self._rows["prompts"]:
            self._rows["prompts"][prompt] = render(self._templates, pair.criterion, pair.target, modality)
        id = keys.presentation_id(self._key, item=item, order=order, after=None, modality=modality)
        self._rows["presentations"][id] = {
            "presentation_id": id,
            "item_id": item,
            "order": order,
            "after": None,
            "modality": modality,
            "prompt_id": prompt,
            "protocols": [protocol],
            "labels": list(LABELS[modality]),
            "clips": clips[::-1] if order == REVERSED else list(clips),
        }

    def _add_clip(self, side: Side) -> str:
        row, gain = side.row, side.gain
        corpus, rate = text(row, "corpus"), whole(row, "rate")
        copy, start, end = self._copies[corpus], whole(row, "start"), whole(row, "end")
        id = keys.clip_id(
            self._key,
            corpus=corpus,
            version=copy.version,
            path=text(row, "path"),
            channel=whole(row, "channel"),
            rate=rate,
            spans=[(start, end)],
            joining_silence=0,
            gain=gain,
        )
        if id in self._rows["clips"]:
            return id
        self._rows["clips"][id] = {
            "clip_id": id,
            "duration": seconds_of(row),
            "rate": rate,
            "licence": copy.licence,
        }
        utterance = text(row, "utterance")
        # What was measured is of the samples as they are.
        sound: Row = self._sounds.get(utterance, {}) if gain is None else {}
        silent = meant_silent({"gain": gain})
        self._rows["sources"][id] = {
            "clip_id": id,
            "corpus": corpus,
            "corpus_version": copy.version,
            "path": text(row, "path"),
            "channel": whole(row, "channel"),
            "rate": rate,
            "starts": [start],
            "ends": [end],
            "joining_silence": 0,
            "speaker": text(row, "speaker"),
            "conversation": optional_text(row, "session"),
            "prompt": None,
            "script": optional_text(row, "script"),
            "text": None if silent else optional_text(row, "text"),
            "text_source": None if silent else optional_text(row, "text_source"),
            "tone_text": None,
            "pcm_hash": self._hashes.get(utterance) if gain is None else None,
            "level": None,
            "gain": gain,
            **{column.name: row[column.name] for column in LABEL_COLUMNS},
            **{measure.name: sound.get(measure.name) for measure in MEASURES},
        }
        return id
