"""From dialogues that have voices, whether made or read, to the plan of a release."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from earmark.builders.dialogues.releasing.items import tables, written_row
from earmark.builders.dialogues.releasing.prompts import Templates
from earmark.builders.dialogues.sections import PresentationsSection
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.canonical import Json
from earmark.manifests.declarations import ORACLE
from earmark.manifests.eqi import SUBSCALES
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import SourceEntry

NO_TONES = declare(
    "dialogues.no-tones",
    Severity.NOTE,
    "the oracle is not on offer, since it is not known how some clip was to be said",
)
ONE_WAY = declare("dialogues.no-modality", Severity.ERROR, "nothing is left that could stand for a clip")


def release_plan(
    voiced: Voiced,
    templates: Templates,
    *,
    release: ReleaseSection,
    presentations: PresentationsSection,
    key: bytes,
    findings: Findings,
) -> Plan:
    """The plan of a release of dialogues.

    Args:
        voiced: The dialogues, and what is told of how they came about.
        templates: The words of the prompts.
        release: What the release is called, and its seed.
        presentations: The protocols on offer.
        key: The release key.
        findings: Told where the oracle cannot be offered.
    """
    dialogues = voiced.dialogues
    toneless = sum(clip.tone is None for dialogue in dialogues for clip in dialogue.clips)
    modalities = [name for name in presentations.modalities if name != ORACLE or not toneless]
    if ORACLE in presentations.modalities and toneless:
        findings.add(NO_TONES, found=f"{toneless} clips without a tone")
    if not modalities:
        findings.add(ONE_WAY, id="[presentations]", expected="modalities with one besides the oracle")
    made = tables(dialogues, templates, key=key, seed=release.seed, chains=presentations.chains, modalities=modalities)
    copies = sorted({(dialogue.corpus, dialogue.corpus_version, dialogue.licence) for dialogue in dialogues})
    recipe: Mapping[str, object] = {
        "presentations": {"chains": [*presentations.chains], "modalities": modalities},
        "templates": templates.as_recipe(),
        **voiced.recipe,
    }
    return Plan(
        facets={subscale.slug: subscale.name for subscale in SUBSCALES},
        tables={
            **made,
            "attempts": voiced.attempts,
            "dialogues": [*map(written_row, dialogues), *voiced.dropped],
        },
        roots={corpus: voiced.root for corpus, _, _ in copies},
        sources=tuple(
            SourceEntry(corpus=corpus, version=version, licence=licence, metadata={})
            for corpus, version, licence in copies
        ),
        recipe=_json({"release": release, **recipe}),
        report=_json(voiced.report),
        exact=True,
        media=True,
        pages=voiced.pages,
    )


def _json(value: Mapping[str, object]) -> dict[str, Json]:
    """Records among values as plain ones."""
    plain: dict[str, Json] = msgspec.to_builtins(value)
    return plain
