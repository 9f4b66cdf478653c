"""What `pip install earmark` alone must do: check, score and the verbs beside them, every package of an extra locked away."""

from __future__ import annotations

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


def test_dialogues_are_checked_and_marked_without_any_extra(toy_dialogues: Release, tmp_path: Path) -> None:
    release, rows = str(toy_dialogues.path), tmp_path / "rows"
    one, other = rows / "longer.jsonl", rows / "uniform.jsonl"
    base = [str(tmp_path / name) for name in ("marks", "norm.json")]
    marks = ["score", str(one), "--release", release, "--resamples", "100"]
    verbs = [
        ["validate", release],
        ["info", release],
        ["baseline", release, "--out", str(rows)],
        ["check", str(one), "--release", release],
        [*marks, "--out", base[0], "--against", str(other)],
        ["norm", "freeze", f"{base[0]}/report.json", "--name", "ours", "--out", base[1]],
        [*marks, "--out", f"{base[0]}-2", "--norm", base[1], "--paper", "speecheq"],
        ["paper", "speecheq"],
    ]
    ran = subprocess.run(
        [sys.executable, "-c", LOCKED.format(names=EXTRAS, verbs=verbs)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    assert (tmp_path / "marks" / "report.html").is_file()
