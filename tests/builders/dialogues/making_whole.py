"""A whole build of a few dialogues against a server that writes, reads and speaks; as a process of its own it may kill itself.

`python -m tests.builders.dialogues.making_whole WORK URL POINT NUMBER` dies at the NUMBER-th time that it passes POINT.

What the server says follows from the question alone, so that a build that goes on can be held against one that never stopped.
One voice speaks both options alike: its dialogues fail the gate, and others are commissioned in their place.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from pathlib import Path

import numpy as np
import soundfile
from tests.builders.dialogues import written
from tests.builders.providers.killed import POINTS, dying
from tests.support.provider_server import RATE, Asked, Reply, completion

from earmark.builders.contrast.profile import shipped
from earmark.builders.dialogues.author import AuthorSection
from earmark.builders.dialogues.making.dialogues import make_dialogues
from earmark.builders.dialogues.making.production import Production
from earmark.builders.dialogues.oracle import OracleSection
from earmark.builders.dialogues.quotas import DialoguesSection, commissions
from earmark.builders.dialogues.sections import LedgerSection
from earmark.builders.dialogues.speakers import VoiceSection, cast_by_name
from earmark.builders.dialogues.speakers.openai import OPENAI_POOLS
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing.spoken import Origin
from earmark.builders.dialogues.voicing.synthesis import Gate
from earmark.builders.ledger import ModelPrice, RetriesSection
from earmark.builders.ledger.store import Store
from earmark.builders.media import Progress
from earmark.builders.providers import ServerSection, TextSection
from earmark.manifests.findings import Findings

PRICES = {
    "toy-text": ModelPrice(input_per_million_tokens=2.5, output_per_million_tokens=10),
    "toy-reader": ModelPrice(input_per_million_tokens=1, output_per_million_tokens=4),
    "toy-voice": ModelPrice(per_minute=0.015),
}
SECTION = DialoguesSection(per_subscale=1, subscales=("interpersonal_empathy", "stress_management_optimism"), spare=2)
CONCURRENCY = 3
GOOD = written.answers()
RESONANT = {written.DIALOGUE.tone(turn, "resonant").instruction for turn in (4, 6)}
DISSONANT = {written.DIALOGUE.tone(turn, "dissonant").instruction for turn in (4, 6)}
ALIKE = cast_by_name(written.DIALOGUE, OPENAI_POOLS)[1]
"""Voice of the second speaker of the first commission, whose name the toy dialogue has."""

assert commissions(SECTION)[0].name == written.DIALOGUE.name


def production(work: Path, url: str, **changes: object) -> Production:
    """What is to be made, all of it by a server."""
    server = ServerSection(base_url=url, timeout_s=20)
    values: dict[str, object] = {
        "dialogues": SECTION,
        "author": AuthorSection(
            provider="openai", server=server, text=TextSection(model="toy-text", seed=7, most_tokens=500)
        ),
        "oracle": OracleSection(provider="openai", server=server, model="toy-reader", most_tokens=200),
        "voice": VoiceSection(provider="openai", server=server, model="toy-voice"),
        "gate": Gate(profile=shipped("default"), most=1),
        "words": None,
        "origin": Origin(corpus="toy", version="1.0.0", licence="CC0-1.0"),
        "ledger": LedgerSection(concurrency=CONCURRENCY),
        "prices": PRICES,
        "retries": RetriesSection(tries=3, first_s=0.001, most_s=0.01),
        "work": work,
        "key": bytes(range(32)),
        "seed": 5,
        "jobs": 1,
    }
    return Production(**{**values, **changes})  # type: ignore[arg-type]


def make(made: Production, findings: Findings | None = None, progress: Progress = lambda *_: None) -> Voiced:
    return make_dialogues(made, findings=Findings() if findings is None else findings, progress=progress)


def answer(_: int, asked: Asked) -> Reply:
    """Whatever is asked for, well done."""
    if asked.path.endswith("/audio/speech"):
        return speech(asked)
    form = asked.body["response_format"]
    assert isinstance(form, dict)
    if form["json_schema"]["name"] == "Taken":
        return taken(asked)
    return written.reply(asked, GOOD)


def taken(asked: Asked) -> Reply:
    """The option whose tone is the resonant one; the first where no tone is shown."""
    messages = asked.body["messages"]
    assert isinstance(messages, list)
    text = messages[-1]["content"]
    first = text.find("Option 1")
    second = text.find("Option 2")
    right = 1 if any(tone in text[first:second] for tone in RESONANT) or not tones_in(text[first:]) else 2
    return completion(json.dumps({"demand": "", "option_1": "", "option_2": "", "selected": f"Option {right}"}))


def tones_in(text: str) -> bool:
    return any(tone in text for tone in RESONANT | DISSONANT)


def speech(asked: Asked) -> Reply:
    """Harmonics that swell and fade as syllables do: high, loud and fast for a dissonant tone, but not in the voice `ALIKE`."""
    said = {name: str(asked.body[name]) for name in ("input", "voice", "instructions")}
    own = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()
    harsh = said["instructions"] in DISSONANT and said["voice"] != ALIKE
    f0, level, pace, seconds = (290.0, -12.0, 6.0, 0.5) if harsh else (200.0, -20.0, 4.0, 0.7)
    times = np.arange(round(seconds * RATE)) / RATE
    carrier = sum(np.sin(2 * np.pi * (f0 + own[0] / 64) * harmonic * times) / harmonic for harmonic in range(1, 6))
    samples = carrier * (0.55 - 0.45 * np.cos(2 * np.pi * pace * times))
    samples *= 10 ** (level / 20) / np.sqrt(np.mean(samples**2))
    file = io.BytesIO()
    soundfile.write(file, samples, RATE, format="WAV", subtype="PCM_16")
    return Reply(file.getvalue(), form="audio/wav")


if __name__ == "__main__":
    _, work, url, point, number = sys.argv
    name, after = POINTS[point]
    setattr(Store, name, dying(getattr(Store, name), after=after, number=int(number)))
    make(production(Path(work), url))
