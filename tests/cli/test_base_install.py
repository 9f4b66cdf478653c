"""What `pip install earmark` alone must do: check, score and the verbs beside them, every package of an extra locked away."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from earmark.manifests.release import Release

LOCKED = """
import sys
class Locked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"{{name}} belongs to an extra", name=name)
sys.meta_path.insert(0, Locked())
from earmark.cli.main import app
from earmark.cli.console import run
for words in {verbs!r}:
    sys.argv = ["earmark", *words]
    try:
        code = run(app)
    except SystemExit as ended:
        code = ended.code
    if code:
        sys.exit(f"{{words}} ended with {{code}}")
"""


EXTRAS = {
    *("datasets", "joblib", "librosa", "parselmouth", "pyloudnorm", "sklearn", "soundfile", "soxr"),
    *("openai", "httpx", "espeakng_loader", "faster_whisper", "ctranslate2", "inflect", "jiwer"),
    *("whisper", "torch", "transformers", "hypothesis", "requests", "numba"),
}
"""Import names of what the extras bring, and of what comes along with it."""


def eval_log(release: Release, path: Path) -> Path:
    """A log of another framework that answers one presentation."""
    (protocol, *_) = release.manifest.protocols
    rows = release.table("presentations").to_pylist()
    one = next(row["presentation_id"] for row in rows if protocol.name in row["protocols"])
    sample = {"id": one, "epoch": 1, "output": {"completion": "<answer>1</answer>"}}
    log = {"version": 2, "status": "success", "eval": {"model": "toy"}, "samples": [sample]}
    path.write_text(json.dumps(log), encoding="utf-8")
    return path


def test_dialogues_are_checked_and_marked_without_any_extra(toy_dialogues: Release, tmp_path: Path) -> None:
    release, rows = str(toy_dialogues.path), tmp_path / "rows"
    one, other = rows / "longer.jsonl", rows / "uniform.jsonl"
    log = eval_log(toy_dialogues, tmp_path / "log.json")
    base = [str(tmp_path / name) for name in ("marks", "norm.json")]
    marked = ["score", str(one), "--release", release]
    marks = [*marked, "--resamples", "100"]
    verbs = [
        ["validate", release],
        ["info", release],
        ["baseline", release, "--no-reports", "--out", str(rows)],
        ["check", str(one), "--release", release],
        [*marks, "--out", base[0], "--against", str(other)],
        ["norm", "freeze", f"{base[0]}/report.json", "--name", "ours", "--out", base[1]],
        [*marks, "--out", f"{base[0]}-2", "--norm", base[1], "--paper", "speecheq"],
        ["paper", "speecheq"],
        [
            "compare",
            str(one),
            str(other),
            "--release",
            release,
            "--out",
            str(tmp_path / "apart"),
            "--metric",
            "acc_traj",
        ],
        ["power", "--release", release, "--delta", "10", "--with", str(one), "--with", str(other)],
        ["leaderboard", base[0], "--release", release, "--out", str(tmp_path / "board")],
        ["convert", str(log), "--from", "inspect", "--release", release, "--out", str(tmp_path / "converted.jsonl")],
        [
            *marked,
            "--ladder",
            str(tmp_path / "host.sqlite"),
            "--submitter",
            "somebody",
            "--out",
            str(tmp_path / "told"),
        ],
    ]
    ran = subprocess.run(
        [sys.executable, "-c", LOCKED.format(names=EXTRAS, verbs=verbs)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    written = [
        "marks/report.html",
        "apart/comparison.html",
        "board/leaderboard.html",
        "converted.jsonl",
        "told/headline.json",
    ]
    assert [name for name in written if not (tmp_path / name).is_file()] == []
