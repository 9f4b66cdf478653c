"""The plan of a stance release: which conversations, which clips of them, and which item of which pole each becomes.

Conversations are sampled by role and cut into clips at the corpus's own voice activity; each clip of a speaker whose role stands
on a pole is an item of that pole's dimension. No audio is read. The order of rows and files changes nothing: everything is sorted
by id before it is used.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from earmark.builders.corpora.seamless import (
    Conversation,
    MetadataHash,
    Participant,
    SeamlessCorpus,
    read_seamless,
)
from earmark.builders.media import Progress
from earmark.builders.plan import Plan, Rows
from earmark.builders.recipes import ReleaseSection, check_recipe
from earmark.builders.sampling import Sample, confounded_roles, reference_sample, stratified_sample
from earmark.builders.segments import Channel, Clip, Direction, Interaction, Segmentation, Single, interactions, singles
from earmark.builders.stance.dimensions import CATEGORY_OF, Dimension
from earmark.builders.stance.mapping import PAPER, RoleMapping, check_role, read_mapping
from earmark.builders.stance.prompts import Layout, Modality, Order, labels, render
from earmark.builders.stance.recipe import StanceRecipe, resolved
from earmark.builders.stance.rubric import Rubric, default_rubric, read_rubric
from earmark.manifests import keys
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.hashes import CONTENT_PREFIX
from earmark.manifests.release import SourceEntry

CORPUS = "seamless-interaction"

CONTEXT_AFTER = "context after"
"""Target of the items whose context follows; that of all others is null."""

NO_ITEM = declare("stance.no-item", Severity.WARNING, "a sampled speaker gave no clip of the length that is asked for")
PUBLIC_DRAW = declare(
    "stance.public-draw",
    Severity.WARNING,
    "StanceBench's own sampling follows the roles with a public seed, so whoever has the corpus can narrow the answers",
)
NO_TRANSCRIPT = declare(
    "stance.no-transcript-protocol", Severity.WARNING, "no clip has a transcript, so that protocol is not offered"
)
OTHER_ROLE = declare(
    "stance.other-role", Severity.NOTE, "a role is on no pole and in no category, so whoever plays it is judged nowhere"
)


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


def plan(
    recipe: Mapping[str, Json], base: Path, key: bytes, findings: Findings, progress: Progress
) -> tuple[ReleaseSection, Plan]:
    """Make the plan of a release.

    Args:
        recipe: The recipe as plain values.
        base: Folder that its relative paths start from.
        key: The release line's key.
        findings: Where problems go.
        progress: Told how far it is.

    Raises:
        Refused: If recipe, mapping, rubric or assignment table cannot be used.
    """
    checked = check_recipe(recipe, StanceRecipe)
    corpus = _read_corpus(checked, base, findings, progress)
    mapping = _read_mapping(checked, base, corpus, findings)
    if not corpus.prompts:
        _check_roles(corpus, mapping, checked.corpus.assignments, findings)
    rubric = _read_rubric(checked, base, mapping, findings)
    drawn, rows, draw_report = _draw(checked, corpus, mapping, key, findings)
    sides = [
        side
        for conversation in corpus.conversations
        if conversation.id in drawn
        for side in judged(conversation, mapping)
    ]
    confounded_roles(((side.role, side.conversation.prompt_id) for side in sides), findings)
    made = Items(checked, rubric, key)
    for done, side in enumerate(sides, start=1):
        if not made.add(side):
            findings.add(NO_ITEM, id=f"{side.dimension.id} {side.speaker.file_id}")
        progress("cutting segments", done, len(sides))
    if made.transcripts == 0:
        findings.add(NO_TRANSCRIPT, found="no words", expected="metadata:transcript in the corpus's JSON files")
    mapping.check_balance(made.balance, findings)
    report: dict[str, Json] = {
        "conversations": len(corpus.conversations),
        "sampled": len(drawn),
        "sample": draw_report,
        "drops": made.drop_report(),
    }
    source = SourceEntry(
        corpus=CORPUS,
        version=checked.corpus.version,
        licence=checked.corpus.licence,
        metadata={entry.name: _unguessable(entry, key) for entry in corpus.metadata},
    )
    return checked.release, Plan(
        facets={dimension.id: dimension.name for dimension in mapping.dimensions},
        tables={**made.tables(), "selection": rows},
        roots={CORPUS: base / checked.corpus.root},
        sources=(source,),
        recipe=resolved(checked, mapping.as_recipe(), rubric.as_recipe()),
        report=report,
    )


def _unguessable(entry: MetadataHash, key: bytes) -> str:
    """A metadata file's hash as the manifest may say it.

    Who played A and who B is all that the assignment table adds to what is public, and it is the gold: whoever has the rest
    could hash one guess after another until it fits. So that hash is keyed.
    """
    if entry.name != "assignments":
        return entry.hash
    return CONTENT_PREFIX + hashlib.blake2b(entry.hash.encode(), key=key, digest_size=32).hexdigest()


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


def _read_corpus(recipe: StanceRecipe, base: Path, findings: Findings, progress: Progress) -> SeamlessCorpus:
    section = recipe.corpus

    def at(name: str | None) -> Path | None:
        return None if name is None else base / name

    return read_seamless(
        base / section.root,
        at(section.assignments),
        prompts=at(section.prompts),
        filelist=at(section.filelist),
        labels=section.labels,
        findings=findings,
        progress=lambda done, total: progress("reading conversations", done, total),
    )


def _read_mapping(recipe: StanceRecipe, base: Path, corpus: SeamlessCorpus, findings: Findings) -> RoleMapping:
    if recipe.dimensions.mapping is None:
        return PAPER
    roles = {role for prompt in corpus.prompts for role in (prompt.role_a, prompt.role_b) if role}
    roles |= {side.role for entry in corpus.conversations for side in (entry.a, entry.b) if side.role}
    mapping = read_mapping(base / recipe.dimensions.mapping, findings, corpus_roles=roles)
    if mapping is None:
        raise Refused(findings)
    return mapping


def _check_roles(corpus: SeamlessCorpus, mapping: RoleMapping, file: str | None, findings: Findings) -> None:
    """Hold the roles of the assignment table against those there are, where no prompt table says which are right.

    A misspelt role stands on no pole: without a word its speaker would be left out as if nobody had asked for them.
    """
    known = mapping.roles | CATEGORY_OF.keys()
    folded = {role.casefold() for role in known}
    unknown: dict[str, int] = defaultdict(int)
    for conversation in corpus.conversations:
        for side in (conversation.a, conversation.b):
            if side.role is None or side.role in known:
                continue
            if side.role.strip().casefold() in folded:
                check_role(side.role, known, findings, file=file, id=str(side.file_id))
            else:
                unknown[side.role] += 1
    for role, times in sorted(unknown.items()):
        findings.add(OTHER_ROLE, file=file, id=role, found=f"{times} times", expected=nearest(role, sorted(known)))


def _read_rubric(recipe: StanceRecipe, base: Path, mapping: RoleMapping, findings: Findings) -> Rubric:
    rubric = default_rubric() if recipe.rubric.file is None else read_rubric(base / recipe.rubric.file, findings)
    if rubric is None:
        raise Refused(findings)
    before = findings.count(Severity.ERROR)
    rubric.check(mapping, findings, modalities=tuple(protocol.modality for protocol in STANCE.protocols))
    if findings.count(Severity.ERROR) > before:
        raise Refused(findings)
    return rubric


def _draw(
    recipe: StanceRecipe, corpus: SeamlessCorpus, mapping: RoleMapping, key: bytes, findings: Findings
) -> tuple[frozenset[str], Rows, Json]:
    """The conversations that are taken, the rows of the selection table, and the shares for people."""
    strata: dict[str, list[str]] = {role: [] for role in sorted(mapping.roles)}
    of_dimension: dict[str, list[str]] = {dimension.id: [] for dimension in mapping.dimensions}
    for conversation in corpus.conversations:
        for side in judged(conversation, mapping):
            strata[side.role].append(conversation.id)
            of_dimension[side.dimension.id].append(conversation.id)
    strata = {role: ids for role, ids in strata.items() if ids}
    share, floor, seed = recipe.sample.share, recipe.sample.floor, recipe.release.seed
    if recipe.sample.method == "reference":
        findings.add(PUBLIC_DRAW, expected='method = "hash"')
        return _reference_draw(recipe, corpus, strata)
    sample: Sample = stratified_sample(strata, share=share, floor=floor, key=key, seed=seed)
    sample.report_shortfalls(findings)
    cutoff = {row.stratum: int(row.cutoff, 16) for row in sample.report if row.cutoff is not None}
    rows: Rows = [
        {"stratum": role, "id": id, "drawn": keys.rank(key, seed, "sample", id) <= cutoff.get(role, -1)}
        for role, ids in strata.items()
        for id in sorted(set(ids))
    ]
    report: dict[str, Json] = {
        "method": "hash",
        "share": share,
        "floor": floor,
        "roles": [row.as_json() for row in sample.report],
        "dimensions": [group.as_json() for group in sample.groups(of_dimension)],
    }
    return frozenset(sample.ids), rows, report


def _reference_draw(
    recipe: StanceRecipe, corpus: SeamlessCorpus, strata: Mapping[str, Sequence[str]]
) -> tuple[frozenset[str], Rows, Json]:
    """StanceBench's own procedure, over conversations in the order of their ids."""
    table = [
        {"id": entry.id, "role_a": entry.a.role or "", "role_b": entry.b.role or ""} for entry in corpus.conversations
    ]
    chosen = reference_sample(
        table, strata.keys(), portion=recipe.sample.share, seed=recipe.release.seed % 2**32, floor=recipe.sample.floor
    )
    drawn = frozenset(table[at]["id"] for at in chosen)
    rows: Rows = [
        {"stratum": role, "id": id, "drawn": id in drawn} for role, ids in strata.items() for id in sorted(set(ids))
    ]
    report: dict[str, Json] = {
        "method": "reference",
        "share": recipe.sample.share,
        "floor": recipe.sample.floor,
        "roles": [
            {"stratum": role, "available": len(set(ids)), "taken": len(set(ids) & drawn)}
            for role, ids in strata.items()
        ],
    }
    return drawn, rows, report


_ORDERS: Mapping[str, Order] = {"PN": "PN", "NP": "NP"}
_MODALITIES: Mapping[str, Modality] = {"audio": "audio", "transcript": "transcript"}
