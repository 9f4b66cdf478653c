"""The four miniature corpora that pairs are made of, side by side in one folder, and recipes for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from earmark.builders.miniatures.ears import make_ears
from earmark.builders.miniatures.expresso import make_expresso
from earmark.builders.miniatures.libritts import make_libritts
from earmark.builders.miniatures.svc import make_svc
from earmark.builders.pairs import plan
from earmark.builders.plan import Plan
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings

KEY = bytes(range(32))

CORPORA: Mapping[str, Json] = {
    "expresso": {"root": "expresso"},
    "ears": {"root": "EARS"},
    "svc": {"root": "svc-dataset"},
    "libritts": {"root": "LibriTTS"},
}


def make_corpora(base: Path, *, flaws: bool) -> Path:
    """Write all four."""
    make_expresso(base / "expresso", flaws=flaws)
    make_ears(base / "EARS", flaws=flaws)
    make_svc(base / "svc-dataset", flaws=flaws)
    make_libritts(base / "LibriTTS", flaws=flaws)
    return base


def recipe(*, pairing: Mapping[str, Json], **sections: Json) -> dict[str, Json]:
    """A recipe for all four that measures nothing unless told to."""
    return {
        "release": {"name": "mini-pairs", "version": "1.0.0", "seed": 4},
        "corpora": CORPORA,
        "pairing": {"measure": False, **pairing},
        **sections,
    }


def planned(base: Path, *, pairing: Mapping[str, Json], key: bytes = KEY, **sections: Json) -> tuple[Plan, Findings]:
    """A plan, and what was found on the way."""
    findings = Findings()
    return plan(recipe(pairing=pairing, **sections), base, key, findings, lambda *_: None)[1], findings
