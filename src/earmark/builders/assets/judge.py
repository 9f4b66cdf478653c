"""A judge for any server that speaks the OpenAI protocol: `python judge.py MODEL predictions.jsonl`.

OPENAI_BASE_URL and OPENAI_API_KEY say where it is. Needs `pip install openai soundfile`.
"""

import base64
import io
import json
import re
import sys
from pathlib import Path

import soundfile
from openai import OpenAI

client, here, model = OpenAI(), Path(__file__).parent, sys.argv[1]
requests = {
    line["presentation_id"]: line for line in map(json.loads, (here / "requests.jsonl").read_bytes().splitlines())
}
said: dict[str, str] = {}  # what the judge answered, by presentation


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


def conversation(request: dict) -> list[dict[str, object]]:
    """All that is sent: a request that comes after another one goes on with that one's conversation and the choice made there."""
    messages, clips, question, after = [], request["clips"], request["user"], request.get("after")
    if after is None:
        messages = [{"role": "system", "content": request["system"]}]
    else:
        if after not in said or not (
            found := re.findall(r'"selected"\s*:\s*"\s*(?:option\s*)?([12])\s*"', said[after], re.I)
        ):
            raise ValueError(f"{request['presentation_id']} needs a choice in {after}, and there is none")
        messages = [*conversation(requests[after]), {"role": "assistant", "content": said[after]}]
        clips = [{**clip, **clip["options"][found[-1]]} if "options" in clip else clip for clip in clips]
        question = question.replace("$chosen", f"Option {found[-1]}")
    content = [*(part for clip in clips for part in parts(clip)), {"type": "text", "text": question}]
    return [*messages, {"role": "user", "content": content}]


with Path(sys.argv[2]).open("w", encoding="utf-8", newline="\n") as predictions:
    head = json.loads((here / "sample_submission.jsonl").read_bytes().splitlines()[0])
    head["earmark"]["judge"]["name"] = model
    print(json.dumps(head), file=predictions)
    for id, request in sorted(
        requests.items(), key=lambda entry: "after" in entry[1]
    ):  # what others come after is asked first
        row = {"presentation_id": id}
        try:
            reply = client.chat.completions.create(model=model, messages=conversation(request), temperature=0)
            row["response"] = said[id] = reply.choices[0].message.content or ""
        except Exception as error:  # an answer that never came is a failed row, not the end of the run
            row["status"] = "failed"
            print(error, file=sys.stderr)
        print(json.dumps(row), file=predictions, flush=True)
