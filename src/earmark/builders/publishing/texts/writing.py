"""The texts of a published copy: each is made from the same facts, and has the canary in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import earmark
from earmark.builders.publishing.data.configs import SPLIT
from earmark.builders.publishing.texts.yaml_text import yaml_text
from earmark.manifests.canonical import Json, json_text
from earmark.manifests.copies.published import CARD, CHANGES, CITATION, DATASHEET, EVALUATION, LICENCE

if TYPE_CHECKING:
    from earmark.builders.publishing.texts.facts import Facts
    from earmark.manifests.release import Manifest, Release
    from earmark.manifests.revisions.records import Difference


def write_texts(facts: Facts, folder: Path) -> None:
    """Write the card, `eval.yaml`, `CITATION.cff`, the datasheet and the licence.

    Args:
        facts: What they say.
        folder: The copy.
    """
    # jinja2 takes a while to import, and nothing else of publishing needs it.
    from earmark.builders.publishing.texts.card import card
    from earmark.builders.publishing.texts.citation import citation
    from earmark.builders.publishing.texts.datasheet import datasheet
    from earmark.builders.publishing.texts.eval_file import eval_yaml
    from earmark.builders.publishing.texts.licence_file import licence_file

    texts: dict[str, Callable[[Facts], str]] = {
        CARD: card,
        EVALUATION: eval_yaml,
        CITATION: citation,
        DATASHEET: datasheet,
        LICENCE: licence_file,
    }
    for name, text in texts.items():
        write_text(folder / name, text(facts))


def write_text(path: Path, text: str) -> None:
    """Write a text as it is read everywhere: UTF-8, lines that end in a newline."""
    path.write_text(text, encoding="utf-8", newline="\n")


def answers_card(manifest: Manifest) -> str:
    """The card of a repository that has nothing but the private side of a copy with hidden gold."""
    configs = [
        {"config_name": name, "data_files": [{"split": SPLIT, "path": f"private/{name}.parquet"}]}
        for name in ("answers", "sources")
    ]
    head = yaml_text({"pretty_name": f"Answers of {manifest.name} {manifest.version}", "configs": configs})
    return f"""---
{head}---

# Answers of {manifest.name} {manifest.version}

What is hidden in the published copy of the release: its answers, and of its sources what scoring needs and licences let be told.
Keep this repository private or gated. Whoever can read it marks prediction files with

    earmark score FILE --release COPY --answers FOLDER/private --out REPORT

Neither the key nor anything else of the release is here. Content hash of the release: `{manifest.content_hash}`

Benchmark data must not be in a training corpus. Canary: {manifest.canary}
"""


def changes_text(release: Release, previous: Release | None, difference: Difference | None, published: str) -> str:
    """`CHANGES.md`: what this version changed, and what the copy of the one before it says of earlier ones.

    Args:
        release: The release.
        previous: The version before it; None for the first one.
        difference: What they differ in.
        published: Date of publication.
    """
    from earmark.builders.publishing.texts.changes import changes

    said = None if previous is None else history(previous)
    return changes(release, difference, said, release.manifest.canary, published)


def history(previous: Release) -> str | None:
    """What a version says of its changes and of those before it; None if that is not there or no text."""
    from earmark.builders.publishing.texts.changes import MOST_PREVIOUS

    path = previous.path / CHANGES
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_PREVIOUS:
        return None
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def audit_text(facts: Facts) -> str:
    """What validation found, without places and values, which may stand on the private side."""
    said: Mapping[str, Json] = {
        "canary": facts.canary,
        "release": f"{facts.name}@{facts.version}",
        "content_hash": facts.content_hash,
        "validator": f"earmark {earmark.__version__}",
        "found": [
            {"code": entry.code, "severity": entry.severity, "count": entry.count, "means": entry.means}
            for entry in facts.audit
        ],
    }
    return json_text(said)
