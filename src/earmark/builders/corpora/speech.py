"""What a reader of a speech corpus yields: rows of the utterances table, and the hashes of what they were read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.builders.plan import Rows


@dataclass(frozen=True)
class SpeechCorpus:
    """A corpus as read.

    Args:
        name: Its name, such as "expresso"; the first part of every id in the rows.
        rows: Rows of `earmark.manifests.pairing.UTTERANCES`, ascending by utterance, whatever the order of the files was.
        metadata: Hash of each metadata file that was used, by its POSIX path within the corpus.
    """

    name: str
    rows: Rows
    metadata: Mapping[str, str]
