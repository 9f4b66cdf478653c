"""Presenting: everything that a judge's author needs to answer a protocol, and nothing that tells the answer.

The folder holds `requests.jsonl` (a line per owed presentation), the audio it names, `sample_submission.jsonl`, the JSON Schema
or marks of the answer within each request, and `judge.py`, a short judge for any server that speaks the OpenAI protocol.

A request with `after` goes on with the conversation of the request that it names; those stand first. What the judge chose there
is a clip of `options`, and `$chosen` in the text is the option's name.
"""

from earmark.builders.presenting.folder import present
from earmark.builders.presenting.history import Earlier

__all__ = ["Earlier", "present"]
