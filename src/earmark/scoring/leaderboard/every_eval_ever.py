"""Records for Every Eval Ever, a shared collection of results: one JSON file for each report, of its schema 0.3.0.

A record holds the defined figures for which it is known which end is better; the schema knows no undefined score, so those are
named in the record's source with their reasons. There it also says what the figures may be used for and what not. Rules that do
not listen are no models and have no record. A file stands where that collection looks for it,
`data/RELEASE/DEVELOPER/MODEL/UUID.json`; the UUID is drawn from the report's hash, so that the same report has the same file.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.leaderboard import UNDECLARED, Board, Kind, Leaderboard, Standing
from earmark.manifests.report import OVERALL, MetricEntry, rounded_floats
from earmark.pages.formats import metric_label
from earmark.pages.purposes import purposes
from earmark.pages.shown import shown
from earmark.scoring.leaderboard.scales import Better, Scale, scale_of

NOT_EXPORTED = declare("leaderboard.not-exported", Severity.NOTE, "no record of Every Eval Ever is made of this report")

SCHEMA = "0.3.0"
"""Version of the schema that the records are of."""

_UNPORTABLE = re.compile(r"[^A-Za-z0-9._+-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?|data|unknown")
_LONGEST = 100
_SETTINGS = {"temperature": float, "top_p": float, "top_k": float, "max_tokens": int}
_METRICS = {"auroc": "auroc", "accuracy": "accuracy", "balanced_accuracy": "balanced_accuracy", "eer": "eer"}
"""Metrics that go by a name of their own everywhere; the others have ours before theirs."""


class Relationship(StrEnum):
    """Who marked, as seen from whoever made the judge."""

    FIRST_PARTY = "first_party"
    THIRD_PARTY = "third_party"
    COLLABORATIVE = "collaborative"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class Publisher:
    """Who publishes records, which no report says.

    Args:
        organisation: Whose figures they are.
        relationship: Theirs to the makers of the judges.
        retrieved: When the records were made, in seconds since 1970.
    """

    organisation: str = UNDECLARED
    relationship: Relationship = Relationship.OTHER
    retrieved: int


def write_records(leaderboard: Leaderboard, publisher: Publisher, out: Path, findings: Findings) -> tuple[Path, ...]:
    """Write a record for each submission that is no rule.

    Args:
        leaderboard: The leaderboard.
        publisher: Who publishes.
        out: Folder; made where it is absent.
        findings: Where it is said of which report there is no record.

    Returns:
        The files.
    """
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for board in leaderboard.boards:
        for one in board.standings:
            record = None if one.kind is Kind.RULE else _record(board, one, publisher)
            if record is None:
                why = "a rule that does not listen" if one.kind is Kind.RULE else "no defined figure"
                findings.add(NOT_EXPORTED, id=one.name[:200], found=why, expected="a model with a figure")
                continue
            path = out.joinpath(*record_path(board, one).parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json_text(record), encoding="utf-8", newline="\n")
            written.append(path)
    return tuple(written)


def record_path(board: Board, one: Standing) -> PurePosixPath:
    """Where the record of a submission stands, portable names all the way."""
    release = _portable(str(board.ground.get("release")).partition("@")[0])
    return PurePosixPath("data", release, *_identity(one), f"{_uuid(one)}.json")


def _uuid(one: Standing) -> uuid.UUID:
    """A UUID of version 4 in form, but drawn from the report's hash."""
    return uuid.UUID(bytes=hashlib.blake2b(one.report.encode(), digest_size=16).digest(), version=4)


def _identity(one: Standing) -> tuple[str, str]:
    """Developer and model, as the part of the name before its first slash and what is behind it."""
    developer, slash, model = one.name.partition("/")
    return (_portable(developer), _portable(model)) if slash else (UNDECLARED, _portable(one.name))


def _portable(name: str) -> str:
    """A name as part of a path on every system.

    >>> _portable("GPT 4o: audio"), _portable("../x"), _portable("nul.txt"), _portable("…")
    ('GPT_4o_audio', 'x', '_nul.txt', 'unnamed')
    """
    plain = unicodedata.normalize("NFKD", name[: 4 * _LONGEST]).encode("ascii", "ignore").decode()
    safe = _UNPORTABLE.sub("_", plain)[:_LONGEST].strip("._ ")
    return f"_{safe}" if _RESERVED.fullmatch(safe) else safe or "unnamed"


def _record(board: Board, one: Standing, publisher: Publisher) -> Mapping[str, Json] | None:
    defined = [
        (entry, scale)
        for entry in one.metrics
        if entry.value is not None and (scale := _direction(entry, board)) is not None
    ]
    if not defined:
        return None
    undefined = [entry for entry in one.metrics if entry.value is None and _direction(entry, board) is not None]
    release, identity = str(board.ground.get("release")), "/".join(_identity(one))
    source: dict[str, Json] = {f"coverage_{name}": str(count) for name, count in one.counts[OVERALL].items()}
    source |= {"report": one.report, "label_source": shown(board.label_source, 2000)}
    source |= {_slug(title): said for title, said in purposes(board.use)}
    if undefined:
        source["undefined"] = json.dumps(
            {f"{entry.metric}/{entry.facet}": entry.reason for entry in undefined}, sort_keys=True
        )
    record: dict[str, Json] = {
        "schema_version": SCHEMA,
        # By the report and not by the time, so that the same report has the same record.
        "evaluation_id": f"{release}/{board.protocol}/{identity}/{_uuid(one)}",
        "retrieved_timestamp": str(publisher.retrieved),
        "source_metadata": {
            "source_name": f"Earmark leaderboard of {release}",
            "source_type": "evaluation_run",
            "source_organization_name": publisher.organisation,
            "evaluator_relationship": publisher.relationship.value,
            "additional_details": source,
        },
        "eval_library": {
            "name": "earmark",
            "version": str(board.ground.get("scorer")).partition(" ")[2] or "unknown",
            "additional_details": {name: _text(value) for name, value in {**board.ground, **one.draws}.items()},
        },
        "model_info": _model(board, one, identity),
        "evaluation_results": [_result(board, one, entry, scale) for entry, scale in defined],
    }
    rounded = rounded_floats(record)
    assert isinstance(rounded, Mapping)  # noqa: S101 - as it was
    return rounded


def _direction(entry: MetricEntry, board: Board) -> Scale | None:
    """The scale of a figure of which it is known which end is better."""
    scale = scale_of(entry.metric)
    if scale is None and entry.metric == board.headline:
        return Scale(float("-inf"), float("inf"))  # a headline ranks from the greatest, in every family
    return None if scale is None or scale.better is Better.NEITHER else scale


def _model(board: Board, one: Standing, identity: str) -> Mapping[str, Json]:
    access = one.judge.get("access")
    availability = {"open_weights": "open_weights", "commercial": "closed_weights"}.get(str(access), "unknown")
    managed = access == "commercial" or one.judge.get("api_date") is not None
    details: dict[str, Json] = {name: shown(one.said(name), 4000) for name in sorted(one.judge)}
    details |= {f"run_{name}": shown(_text(value), 4000) for name, value in one.run.items()}
    return {
        "name": shown(one.name, 4000),
        "id": identity,
        "developer": identity.partition("/")[0],
        "additional_details": {
            **details,
            "modality": board.modality,
            "kind": one.kind.value,
            "deployment_type": "externally_managed" if managed else "unknown",
            "model_availability": availability,
        },
    }


def _result(board: Board, one: Standing, entry: MetricEntry, scale: Scale) -> Mapping[str, Json]:
    release = str(board.ground.get("release"))
    of = "" if entry.facet == OVERALL else f".{_portable(entry.facet)}"
    details: dict[str, Json] = {"facet": shown(entry.facet, 200)}
    if entry.chance is not None:
        details["chance"] = _text(rounded_floats(entry.chance))
    bounded = scale.low > float("-inf")
    result: dict[str, Json] = {
        "evaluation_result_id": f"{entry.metric[:200]}/{entry.facet[:200]}",
        "evaluation_name": f"earmark.{_portable(release.partition('@')[0])}.{_portable(board.protocol)}{of}",
        "source_data": {
            "dataset_name": release.partition("@")[0],
            "source_type": "other",
            "additional_details": {
                name: _text(board.ground.get(name)) for name in ("release", "content_hash", "family")
            },
        },
        "metric_config": {
            "metric_id": _METRICS.get(entry.metric, f"earmark.{_portable(entry.metric)}"),
            "metric_name": metric_label(entry.metric),
            "metric_kind": _kind(entry.metric),
            "metric_unit": "proportion" if (scale.low, scale.high) == (0, 1) else "points",
            "lower_is_better": scale.better is Better.LOW,
            "score_type": "continuous",
            "min_score": scale.low if bounded else "-Infinity",
            "max_score": scale.high if bounded else "Infinity",
            "additional_details": details,
        },
        "score_details": _score(one, entry, scale),
    }
    generation = _generation(one)
    return {**result, "generation_config": generation} if generation else result


def _score(one: Standing, entry: MetricEntry, scale: Scale) -> Mapping[str, Json]:
    value = min(max(entry.value or 0.0, scale.low), scale.high)  # the last of six digits may stand beyond an end
    details: dict[str, Json] = {"n": str(entry.n)}
    for name, p in (("p", entry.p), ("p_adjusted", entry.p_adjusted)):
        if p is not None:
            details[name] = _text(rounded_floats(p))
    uncertainty: dict[str, Json] = {"num_samples": entry.n}
    whole = [found for found in entry.intervals if found.low is not None and found.high is not None]
    if whole:
        first = whole[0]
        clusters = f"{first.clusters} {first.by}{'' if first.clusters == 1 else 's'}"
        uncertainty["confidence_interval"] = {
            "lower": first.low,
            "upper": first.high,
            "confidence_level": first.level,
            "method": shown(f"{first.method} cluster bootstrap over {clusters}", 300),
        }
        resamples = one.draws.get("resamples")
        if isinstance(resamples, int):
            uncertainty["num_bootstrap_samples"] = resamples
        if first.reason:
            details["interval_reason"] = shown(first.reason, 1000)
    return {"score": value, "details": details, "uncertainty": uncertainty}


def _generation(one: Standing) -> Mapping[str, Json]:
    """How text was sampled, where the submitter says: what the schema has a place for, and the rest as text."""
    decoding = one.judge.get("decoding")
    if decoding is None:
        return {}
    settings = decoding if isinstance(decoding, Mapping) else {"decoding": decoding}
    typed = {name: settings[name] for name, kind in _SETTINGS.items() if name in settings and _is(settings[name], kind)}
    rest = {shown(name, 100): shown(_text(value), 1000) for name, value in settings.items() if name not in typed}
    return {"generation_args": typed, "additional_details": rest}


def _is(value: Json, kind: type) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return kind is float or (isinstance(value, int) and value > 0)


def _slug(title: str) -> str:
    """A title as the name of a detail: `intended_use`, `out_of_scope`."""
    return title.lower().replace(" ", "_")


def _kind(metric: str) -> str:
    for kind in ("auroc", "eer", "f1", "rate", "consistency", "seq"):
        if kind in metric.split("_"):
            return kind
    return "accuracy" if metric.startswith(("acc", "balanced", "class_balanced", "vote", "recall")) else metric


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
