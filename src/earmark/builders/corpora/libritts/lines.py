"""Text files of LibriTTS."""

from __future__ import annotations

from pathlib import Path

from earmark.builders.corpora import text_lines
from earmark.builders.corpora.text_lines import Line, declare_line_codes
from earmark.manifests.findings import Findings

CODES = declare_line_codes("libritts")


def read_lines(root: Path, file: str, findings: Findings) -> tuple[Line, ...] | None:
    """The lines of a file that say something, in file order; None, and a finding, if it cannot be read."""
    return text_lines.read_lines(root, file, findings, codes=CODES)
