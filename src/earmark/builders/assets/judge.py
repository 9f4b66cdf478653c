"""A judge for any server that speaks the OpenAI protocol: `python judge.py MODEL > predictions.jsonl`.

OPENAI_BASE_URL and OPENAI_API_KEY say where it is. Needs `pip install openai soundfile`.
"""

import base64
import io
import json
import sys
from pathlib import Path
from typing import Any

import soundfile
from openai import OpenAI

HERE = Path(__file__).parent


def lines(name: str) -> list[dict[str, Any]]:
    """A file of JSON Lines beside this one."""
    return [json.loads(line) for line in (HERE / name).read_bytes().splitlines()]


def parts(clip: dict[str, str]) -> list[dict[str, object]]:
    """One clip behind its label: its words, or its audio as WAV, which every server takes."""
    label: dict[str, object] = {"type": "text", "text": f"{clip['label']}:"}
    if "text" in clip:
        return [label, {"type": "text", "text": clip["text"]}]
    soundfile.write(wav := io.BytesIO(), *soundfile.read(HERE / clip["audio"], dtype="int16"), format="WAV")
    audio = {"data": base64.b64encode(wav.getvalue()).decode(), "format": "wav"}
    return [label, {"type": "input_audio", "input_audio": audio}]


def main() -> None:
    """Answer every request once; an answer that never came is a failed row, not the end of the run."""
    client, (head, *_) = OpenAI(), lines("sample_submission.jsonl")
    head["earmark"]["judge"]["name"] = sys.argv[1]
    print(json.dumps(head))
    for request in lines("requests.jsonl"):
        user = [part for clip in request["clips"] for part in parts(clip)] + [{"type": "text", "text": request["user"]}]
        messages = [{"role": "system", "content": request["system"]}, {"role": "user", "content": user}]
        row = {"presentation_id": request["presentation_id"]}
        try:
            reply = client.chat.completions.create(model=sys.argv[1], messages=messages, temperature=0)
            row["response"] = reply.choices[0].message.content or ""
        except Exception as error:
            row["status"] = "failed"
            print(error, file=sys.stderr)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
