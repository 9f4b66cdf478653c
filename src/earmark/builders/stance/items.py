"""The items of a stance release: the clips of each judged speaker, and the rows that they become.

A speaker's speech is segmented once per mode, however many dimensions want it, and a clip is one row however many items it is in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from earmark.builders.corpora.seamless import Conversation, Participant
from earmark.builders.plan import Rows
from earmark.builders.segments import Channel, Clip, Direction, Interaction, Segmentation, Single, interactions, singles
from earmark.builders.stance.dimensions import CATEGORY_OF, Dimension
from earmark.builders.stance.mapping import RoleMapping
from earmark.builders.stance.prompts import Layout, Modality, Order, labels, render
from earmark.builders.stance.recipe import StanceRecipe
from earmark.builders.stance.rubric import Rubric
from earmark.manifests import keys
from earmark.manifests.canonical import Json
from earmark.manifests.families.stance import STANCE

CORPUS = "seamless-interaction"
"""What sources call the corpus."""

CONTEXT_AFTER = "context after"
"""Target of the items whose context follows; that of all others is null."""

_ORDERS: Mapping[str, Order] = {"PN": "PN", "NP": "NP"}
_MODALITIES: Mapping[str, Modality] = {"audio": "audio", "transcript": "transcript"}


@dataclass(frozen=True)
class Judged:
    """One speaker of one sampled conversation, in one dimension.

    Args:
        dimension: The dimension.
        pole: P or N.
        role: The role that stands for it.
        conversation: The conversation.
        speaker: Who is judged.
        partner: The other one.
    """

    dimension: Dimension
    pole: str
    role: str
    conversation: Conversation
    speaker: Participant
    partner: Participant


def judged(conversation: Conversation, mapping: RoleMapping) -> Iterator[Judged]:
    """Every side of a conversation that is judged in some dimension and has what that takes."""
    for speaker, partner in ((conversation.a, conversation.b), (conversation.b, conversation.a)):
        if speaker.role is None or speaker.recording is None:
            continue
        for dimension, pole in mapping.places(speaker.role):
            if dimension.mode == "single" or partner.recording is not None:
                yield Judged(dimension, pole, speaker.role, conversation, speaker, partner)


class Items:
    """The tables of a release as they grow, side by side."""

    def __init__(self, recipe: StanceRecipe, rubric: Rubric, key: bytes) -> None:
        self._recipe, self._rubric, self._key = recipe, rubric, key
        self._rows: dict[str, dict[str, dict[str, object]]] = defaultdict(dict)
        self._segmented: dict[tuple[str, str], Segmentation[Single] | Segmentation[Interaction]] = {}
        self._prompts: dict[tuple[str, str, str, Layout], str] = {}
        self._drops: dict[str, Counter[str]] = defaultdict(Counter)
        self._dropped_s: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self.balance: dict[str, Counter[str]] = defaultdict(Counter)
        self.transcripts = 0

    def add(self, side: Judged) -> bool:
        """Add the items of one judged side; False if there are none."""
        segmentation = self._segment(side)
        for item in segmentation.items:
            if isinstance(item, Single):
                self._add_item(side, "single", {"target": (side.speaker, item.target)})
            else:
                layout: Layout = "context_before" if item.direction is Direction.CONTEXT_BEFORE else "context_after"
                clips = {"target": (side.speaker, item.target), "context": (side.partner, item.context)}
                self._add_item(side, layout, clips)
        return bool(segmentation.items)

    def tables(self) -> dict[str, Rows]:
        """All rows but the selection."""
        names = ("items", "item_clips", "presentations", "prompts", "clips", "answers", "sources")
        tables = {name: list(self._rows[name].values()) for name in names}
        if not self.transcripts:
            tables["presentations"] = [row for row in tables["presentations"] if row["modality"] == "audio"]
            used = {row["prompt_id"] for row in tables["presentations"]}
            tables["prompts"] = [row for row in tables["prompts"] if row["prompt_id"] in used]
        return tables

    def drop_report(self) -> dict[str, Json]:
        """Per mode and reason, how many stretches of speech became no item, and how many seconds they were."""
        return {
            mode: {
                reason: {"stretches": n, "seconds": round(self._dropped_s[mode][reason], 2)}
                for reason, n in sorted(c.items())
            }
            for mode, c in sorted(self._drops.items())
        }

    def _segment(self, side: Judged) -> Segmentation[Single] | Segmentation[Interaction]:
        """The clips of a side in its dimension's mode, made once however many dimensions want them."""
        mode = side.dimension.mode
        known = self._segmented.get((str(side.speaker.file_id), mode))
        if known is not None:
            return known
        found: Segmentation[Single] | Segmentation[Interaction]
        if mode == "single":
            found = singles(self._channel(side.speaker))
        else:
            found = interactions(self._channel(side.speaker), self._channel(side.partner))
        self._segmented[str(side.speaker.file_id), mode] = found
        for drop in found.drops:
            self._drops[mode][drop.reason.value] += 1
            self._dropped_s[mode][drop.reason.value] += drop.active_s
        return found

    def _channel(self, participant: Participant) -> Channel:
        recording = participant.recording
        if recording is None:
            raise ValueError(f"{participant.file_id} has no recording to be segmented")
        return Channel.of(
            recording.vad,
            recording.words,
            rate=recording.rate,
            frames=recording.frames,
            settings=self._recipe.segments,
        )

    def _add_item(self, side: Judged, layout: Layout, clips: Mapping[str, tuple[Participant, Clip]]) -> None:
        ids = {role: self._add_clip(side, participant, clip) for role, (participant, clip) in clips.items()}
        facet = side.dimension.id
        # One speaker's turn and the context after it may be the very clips of the partner's turn and the context before it.
        target = CONTEXT_AFTER if layout == "context_after" else None
        item = keys.item_id(self._key, family=STANCE.name, facet=facet, target=target, clips=ids.values(), script=None)
        self._rows["items"][item] = {"item_id": item, "facet": facet, "group": None, "target": target}
        for role, clip_id in ids.items():
            row = {"item_id": item, "role": role, "position": 0, "clip_id": clip_id}
            self._rows["item_clips"][f"{item} {role}"] = row
        self._rows["answers"][item] = {
            "item_id": item,
            "gold": side.pole,
            "kind": None,
            "role": side.role,
            "category": CATEGORY_OF.get(side.role),
        }
        self.balance[facet][side.pole] += 1
        self.transcripts += any(clip.text for _, clip in clips.values())
        names = labels(layout)
        for protocol in STANCE.protocols:
            for order in protocol.orders:
                self._add_presentation(item, facet, layout, order, protocol.name, protocol.modality, names, ids)

    def _add_presentation(
        self,
        item: str,
        facet: str,
        layout: Layout,
        order: str,
        protocol: str,
        modality: str,
        names: Sequence[str],
        ids: Mapping[str, str],
    ) -> None:
        prompt_id = self._prompt_id(facet, order, modality, layout)
        id = keys.presentation_id(self._key, item=item, order=order, after=None, modality=modality)
        self._rows["presentations"][id] = {
            "presentation_id": id,
            "item_id": item,
            "order": order,
            "after": None,
            "modality": modality,
            "prompt_id": prompt_id,
            "protocols": [protocol],
            "labels": list(names),
            "clips": [ids[name.lower()] for name in names],
        }

    def _prompt_id(self, facet: str, order: str, modality: str, layout: Layout) -> str:
        """The prompt of these four, rendered for the first presentation that needs it."""
        known = self._prompts.get((facet, order, modality, layout))
        if known is None:
            prompt = render(self._rubric, facet, order=_ORDERS[order], modality=_MODALITIES[modality], layout=layout)
            self._rows["prompts"][prompt.prompt_id] = prompt.as_row()
            known = self._prompts[facet, order, modality, layout] = prompt.prompt_id
        return known

    def _add_clip(self, side: Judged, participant: Participant, clip: Clip) -> str:
        recording = participant.recording
        if recording is None:
            raise ValueError(f"{participant.file_id} has no recording to be cut")
        corpus = self._recipe.corpus
        id = keys.clip_id(
            self._key,
            corpus=CORPUS,
            version=corpus.version,
            path=recording.path,
            channel=0,
            rate=clip.rate,
            spans=clip.spans,
            joining_silence=clip.joining_silence,
        )
        self._rows["clips"][id] = {
            "clip_id": id,
            "duration": float(Fraction(clip.frames, clip.rate)),
            "rate": clip.rate,
            "licence": corpus.licence,
        }
        self._rows["sources"][id] = {
            "clip_id": id,
            "corpus": CORPUS,
            "corpus_version": corpus.version,
            "path": recording.path,
            "channel": 0,
            "rate": clip.rate,
            "starts": [start for start, _ in clip.spans],
            "ends": [end for _, end in clip.spans],
            "joining_silence": clip.joining_silence,
            "speaker": participant.file_id.speaker,
            "conversation": side.conversation.id,
            "prompt": side.conversation.prompt_id,
            "script": None,
            "text": clip.text,
            "text_source": None if clip.text is None else "metadata:transcript",
            "tone_text": None,
            "pcm_hash": None,
            "level": None,
            "active": float(Fraction(clip.active, clip.rate)),
        }
        return id
