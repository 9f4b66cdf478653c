"""What an error of the `openai` client means for a build: try again, try no more, or stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.builders.ledger.calls import KeyRefused, NoCredit, RequestRefused, Unanswered, UnknownModel
from earmark.builders.ledger.retries import asked_to_wait

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

_AGAIN = frozenset({408, 409, 425, 429})
_REFUSED = frozenset({400, 413, 422})
_NEVER_SENT = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError"})
_MOST_SAID = 300
_LEAST_SECRET = 8  # a server that asks for no key is given any word, which stands in messages too


def unanswered(error: OpenAIError, *, called: str, model: str, variable: str, key: str) -> Unanswered:
    """The error that the ledger acts on.

    A status that is no success says that the server did not answer, and is not billed. A connection that broke after the
    request was sent may be.

    Args:
        error: What the client raised.
        called: Address that was called.
        model: Model that was asked for.
        variable: Environment variable that holds the key.
        key: The key itself, which no message may repeat.
    """
    from openai import APIConnectionError, APIStatusError

    if isinstance(error, APIStatusError):
        return _of_status(error, f"{called} answers {error.status_code}: {_said(error, key)}", model, variable)
    if isinstance(error, APIConnectionError):  # a timeout is one
        cause = error.__cause__
        never_sent = type(cause).__name__ in _NEVER_SENT
        what = "cannot be reached" if never_sent else "gave no whole answer"
        return Unanswered(f"{called} {what} ({_line(str(cause or error), key)})", again=True, billed=not never_sent)
    return Unanswered(f"{called} gave an answer that cannot be used ({_line(str(error), key)})", billed=True)


def is_page(body: bytes) -> bool:
    """Whether a body is HTML or XML, as neither a completion nor audio ever begins.

    >>> is_page(b" <!doctype html>"), is_page(b'{"choices": []}'), is_page(b"RIFF")
    (True, False, False)
    """
    return body[:_MOST_SAID].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def page(body: bytes, *, called: str, key: str) -> Unanswered:
    """The error of a page that came in place of an answer, with a status that says all is well.

    It is from something in front of the provider, such as a sign-in or a wrong address: the provider was not asked, so it is not
    billed, and were it recorded as the answer nobody could ask again once that is mended.

    Args:
        body: The page.
        called: Address that was called.
        key: The API key, which no message may repeat.
    """
    said = _line(body.decode(errors="replace"), key)
    return Unanswered(f"{called} answers with a page; is base_url right? It says: {said}")


def _of_status(error: APIStatusError, reason: str, model: str, variable: str) -> Unanswered:
    status, code = error.status_code, error.code or ""
    if status in {401, 403}:
        return KeyRefused(f"{reason}; is the key in {variable} the right one?", status=status)
    if code in {"model_not_found", "invalid_model"} or (status in {400, 404, 422} and error.param == "model"):
        return UnknownModel(f"{reason}; is {model!r} the model's id?", status=status)
    if status == 402 or code == "insufficient_quota":
        return NoCredit(reason, status=status)
    if status == 404:
        return Unanswered(f"{reason}; is base_url right, and {model!r} the model's id?", status=status)
    if status in _AGAIN or status >= 500:
        return Unanswered(reason, again=True, status=status, wait_s=asked_to_wait(error.response.headers))
    return RequestRefused(reason, status=status) if status in _REFUSED else Unanswered(reason, status=status)


def _said(error: APIStatusError, key: str) -> str:
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    return _line(str(message or error.message), key)


def _line(text: str, key: str) -> str:
    line = " ".join((text.replace(key, "…") if len(key) >= _LEAST_SECRET else text).split())
    return line if len(line) <= _MOST_SAID else f"{line[:_MOST_SAID]}…"
