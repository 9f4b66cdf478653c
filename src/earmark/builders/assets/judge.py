"""A judge for any server that speaks the OpenAI protocol: `python judge.py MODEL predictions.jsonl`.

OPENAI_BASE_URL and OPENAI_API_KEY say where it is. Needs `pip install openai soundfile`.
"""

import base64
import io
import json
import sys
from pathlib import Path

import soundfile
from openai import OpenAI

client, here, model = OpenAI(), Path(__file__).parent, sys.argv[1]


def parts(clip: dict[str, str]) -> list[dict[str, object]]:
    """One clip behind its label: its words, or its audio as WAV, which every server takes."""
    label: dict[str, object] = {"type": "text", "text": f"{clip['label']}: {clip.get('text', '')}".rstrip()}
    if "text" in clip:
        return [label]
    soundfile.write(wav := io.BytesIO(), *soundfile.read(here / clip["audio"], dtype="int16"), format="WAV")
    return [
        label,
        {"type": "input_audio", "input_audio": {"format": "wav", "data": base64.b64encode(wav.getvalue()).decode()}},
    ]


with Path(sys.argv[2]).open("w", encoding="utf-8", newline="\n") as predictions:
    head = json.loads((here / "sample_submission.jsonl").read_bytes().splitlines()[0])
    head["earmark"]["judge"]["name"] = model
    print(json.dumps(head), file=predictions)
    for request in map(json.loads, (here / "requests.jsonl").read_bytes().splitlines()):
        user = [*(part for clip in request["clips"] for part in parts(clip)), {"type": "text", "text": request["user"]}]
        messages = [{"role": "system", "content": request["system"]}, {"role": "user", "content": user}]
        row = {"presentation_id": request["presentation_id"]}
        try:
            reply = client.chat.completions.create(model=model, messages=messages, temperature=0)
            row["response"] = reply.choices[0].message.content or ""
        except Exception as error:  # an answer that never came is a failed row, not the end of the run
            row["status"] = "failed"
            print(error, file=sys.stderr)
        print(json.dumps(row), file=predictions, flush=True)
