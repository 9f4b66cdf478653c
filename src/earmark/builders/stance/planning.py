"""The plan of a stance release: which conversations, which clips of them, and which item of which pole each becomes.

Conversations are sampled by role and cut into clips at the corpus's own voice activity; each clip of a speaker whose role stands
on a pole is an item of that pole's dimension. No audio is read. The order of rows and files changes nothing: everything is sorted
by id before it is used.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from earmark.builders.corpora.seamless import MetadataHash, SeamlessCorpus, read_seamless
from earmark.builders.media import Progress
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection, check_recipe
from earmark.builders.sampling import confounded_roles
from earmark.builders.stance.choosing import choose_conversations
from earmark.builders.stance.dimensions import CATEGORY_OF
from earmark.builders.stance.items import CORPUS, Items, judged
from earmark.builders.stance.mapping import PAPER, RoleMapping, check_role, read_mapping
from earmark.builders.stance.recipe import StanceRecipe, resolved
from earmark.builders.stance.rubric import Rubric, default_rubric, read_rubric
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings, Severity, declare, nearest
from earmark.manifests.hashes import CONTENT_PREFIX
from earmark.manifests.release import SourceEntry

NO_ITEM = declare("stance.no-item", Severity.WARNING, "a sampled speaker gave no clip of the length that is asked for")
NO_TRANSCRIPT = declare(
    "stance.no-transcript-protocol", Severity.WARNING, "no clip has a transcript, so that protocol is not offered"
)
OTHER_ROLE = declare(
    "stance.other-role", Severity.NOTE, "a role is on no pole and in no category, so whoever plays it is judged nowhere"
)


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
    drawn, rows, draw_report = choose_conversations(checked, corpus, mapping, key, findings)
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
