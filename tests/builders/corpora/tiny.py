"""A tiny corpus in the official layout, written by the standard library alone."""

from __future__ import annotations

import csv
import json
import wave
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings

from earmark.builders.corpora.seamless.files import Files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.recordings import Recording, read_recording
from earmark.manifests.findings import Findings

UNTIMED = settings(deadline=None)  # files are written in every example, on whatever disk

PROMPT_COLUMNS = (
    "",
    "prompt_hash",
    "prompt_id_unique",
    "participant_a_prompt_text",
    "participant_b_prompt_text",
    "ipc_a",
    "ipc_b",
    "interaction_type",
)
LIST_COLUMNS = ("file_id", "label", "split", "batch_idx", "archive_idx", "has_imitator_movement")
ASSIGNMENT_COLUMNS = ("prompt_id_unique", "a_id", "b_id", "role_a", "role_b", "ipc_a")

A, B = "V00_S0001_I00000634_P0001A", "V00_S0001_I00000634_P0002"
C, D = "V01_S0001_I00000635_P0001", "V01_S0001_I00000635_P0003"
ROLES = {"00000634": ("Warm", "Aloof"), "00000635": ("Polite", "Firm")}
PROMPT_IDS = {"00000634": "P0634_v3.2.3.RP_ANCP_AMCM", "00000635": "RP1.2_AMCP_APCN"}


def prompt_row(hash: str, index: int = 0) -> list[str]:
    role_a, role_b = ROLES[hash]
    texts = (f"Scenario: Shop: Two\nmeet.\n ({role_a}): As the clerk, …", f"({role_b}) - Guest: As the guest, …")
    return [str(index), hash, PROMPT_IDS[hash], *texts, "ANCP", "AMCM", "ipc_conversation"]


def assignment_row(a: str, b: str) -> list[str]:
    hash = a.split("_I")[1][:8]
    return [PROMPT_IDS[hash], a, b, *ROLES[hash], "ANCP"]


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]], *, line_end: str = "\n") -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator=line_end)
        table.writerows([columns, *rows])
    return path


def write_wav(path: Path, frames: int = 4800, *, rate: int = 48_000, channels: int = 1, width: int = 2) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as stream:
        stream.setnchannels(channels)
        stream.setsampwidth(width)
        stream.setframerate(rate)
        stream.writeframes(bytes(frames * channels * width))
    return path


def metadata(file_id: str, vad: Sequence[tuple[float, float]] = ((0.01, 0.05),)) -> dict[str, object]:
    words = [{"word": "All", "start": 0.01, "end": 0.02, "score": 0.8}, {"word": "right"}]
    return {
        "id": file_id,
        "metadata:transcript": [{"words": words, "start": 0.01, "end": 0.05, "transcript": "All right"}],
        "metadata:vad": [{"start": start, "end": end} for start, end in vad],
        "annotations:1P-IS": [{"anything": None}],
    }


def write_json(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
    return path


@dataclass
class Tiny:
    """Two conversations, the members of each in different archives."""

    root: Path
    places: dict[str, str] = field(
        default_factory=lambda: {
            A: "improvised/dev/0000/0000",
            B: "improvised/dev/0000/0040",
            C: "improvised/train/0001/0002",
            D: "improvised/train/0000/0002",
        }
    )

    def path(self, file_id: str, suffix: str = ".wav") -> Path:
        return self.root / self.places[file_id] / f"{file_id}{suffix}"

    @property
    def prompts(self) -> Path:
        return self.root / "interactions.csv"

    @property
    def filelist(self) -> Path:
        return self.root / "filelist.csv"

    @property
    def assignments(self) -> Path:
        return self.root / "assignments.csv"

    def write(self) -> Tiny:
        for file_id in self.places:
            write_wav(self.path(file_id))
            write_json(self.path(file_id, ".json"), metadata(file_id))
        write_csv(self.prompts, PROMPT_COLUMNS, [prompt_row("00000634"), prompt_row("00000635", 1)])
        write_csv(self.filelist, LIST_COLUMNS, [self.list_row(file_id) for file_id in self.places])
        write_csv(self.assignments, ASSIGNMENT_COLUMNS, [assignment_row(C, D), assignment_row(A, B)])
        return self

    def list_row(self, file_id: str) -> list[str]:
        label, split, batch, archive = self.places[file_id].split("/")
        return [file_id, label, split, str(int(batch)), str(int(archive)), "0"]


def codes(findings: Findings) -> dict[str, int]:
    """Counts by code, the common prefix left out."""
    return {name.removeprefix("corpus."): count for name, count in findings.counts.items()}


FOLDER = "improvised/dev/0000/0007"
FILES = Files(f"{FOLDER}/{A}.wav", f"{FOLDER}/{A}.json")


def given_metadata(root: Path, value: object, frames: int = 4800) -> tuple[Recording | None, Findings]:
    """What is read of one recording with these metadata."""
    write_wav(root / FOLDER / f"{A}.wav", frames)
    write_json(root / FOLDER / f"{A}.json", value)
    return read_one(root)


def read_one(root: Path, files: Files = FILES) -> tuple[Recording | None, Findings]:
    """What is read of the recording that `given_metadata` wrote."""
    findings = Findings()
    return read_recording(root, FileId.parse(A), files, findings), findings
