"""Which conversations are taken: a share of those of each role, ranked behind the key, or StanceBench's own draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from earmark.builders.corpora.seamless import SeamlessCorpus
from earmark.builders.plan import Rows
from earmark.builders.sampling import Sample, reference_sample, stratified_sample
from earmark.builders.stance.items import judged
from earmark.builders.stance.mapping import RoleMapping
from earmark.builders.stance.recipe import StanceRecipe
from earmark.manifests import keys
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare

PUBLIC_DRAW = declare(
    "stance.public-draw",
    Severity.WARNING,
    "StanceBench's own sampling follows the roles with a public seed, so whoever has the corpus can narrow the answers",
)


def choose_conversations(
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
        return _reference_choice(recipe, corpus, strata)
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


def _reference_choice(
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
