"""What a hub, its client or the way to it raise, as one line that says what to do; no line has a token or a signed address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from earmark.manifests.errors import EarmarkError

MOST_LETTERS = 200
"""Letters of what a server says that are passed on."""

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""States that pass by themselves."""

_AGAIN = "run the same command again, and it goes on where it stopped"
_ADVICE = {
    400: "correct what it objects to",
    401: "the token is not valid: `hf auth login`, or a new token in HF_TOKEN",
    402: "see to the plan or the storage of the account that owns it",
    403: "the token may not do that: it needs the right to write there, and the owner must be you or your organisation",
    404: "there is no such repository, or the token may not see it",
    408: f"the hub took too long; {_AGAIN}",
    409: f"somebody else is changing it; {_AGAIN}",
    412: f"somebody else changed it meanwhile; {_AGAIN}",
    413: "a file or request is larger than the hub takes; publish with a smaller --shard-size, into another --staging folder",
    422: "correct what it objects to",
    429: f"too many requests; wait as long as it says, then {_AGAIN}",
    507: "the account's storage is full",
}


class HubError(EarmarkError):
    """Something that a hub does not do, or that must not be done there.

    Args:
        message: What, and what to do.
        status: Status of HTTP, if the hub answered with one.
        passing: Whether it may be otherwise in a moment.
    """

    def __init__(self, message: str, *, status: int | None = None, passing: bool = False) -> None:
        super().__init__(message)
        self.status, self.passing = status, passing


@contextmanager
def told(where: str, doing: str, endpoint: str, token: str | None) -> Iterator[None]:
    """Turn whatever the client raises into a `HubError`.

    Args:
        where: The repository, or the hub.
        doing: What is being done, after "cannot".
        endpoint: Address of the hub.
        token: What must not be repeated, whoever says it.
    """
    try:
        yield
    except EarmarkError:
        raise
    except Exception as error:
        raise hub_error(error, f"{where}: cannot {doing}", endpoint, token) from None  # the cause names what is secret


def hub_error(error: BaseException, what: str, endpoint: str, token: str | None) -> HubError:
    """One line about what the client raised.

    Args:
        error: What it raised.
        what: What could not be done, and where.
        endpoint: Address of the hub.
        token: What must not be repeated.
    """
    from huggingface_hub import errors

    transport = errors.HfHubHTTPError.__bases__[0]  # base of all that its HTTP library raises, whichever that is
    status: int | None = None
    passing = False
    match _root(error):
        case errors.LocalTokenNotFoundError():
            why = "there is no token: `hf auth login`, or HF_TOKEN in the environment"
        case errors.OfflineModeIsEnabled():
            why = "HF_HUB_OFFLINE forbids it: unset that, or publish into a folder"
        case errors.GatedRepoError() as root:
            status = root.response.status_code
            why = f"it is gated; ask its owner for access{_said(root, token)}"
        case errors.HfHubHTTPError() as root:
            status = root.response.status_code
            passing = status in PASSING
            why = f"{_advice(status)} (HTTP {status}{_said(root, token)})"
        case root if "xet" in str(root).lower():
            why = f"its Xet storage does not take it ({_plain(root, token)}); HF_HUB_DISABLE_XET=1 sends it by Git LFS"
        case root if isinstance(root, (transport, ConnectionError, TimeoutError)):
            passing = not type(root).__name__.startswith("Unsupported")
            why = f"no answer from {host(endpoint)} ({_plain(root, token)}); see to the connection and HF_ENDPOINT, then {_AGAIN}"
        case root if isinstance(root, OSError):
            why = _plain(root, token)
        case root:
            why = f"the client cannot make sense of it ({_plain(root, token)}); is {host(endpoint)} a hub?"
    return HubError(f"{what}: {why}", status=status, passing=passing)


def host(endpoint: str) -> str:
    """Host and port of an address, without a user or a password that may stand in it."""
    try:
        return urlsplit(endpoint).netloc.rpartition("@")[2] or "HF_ENDPOINT"
    except ValueError:
        return "HF_ENDPOINT"


def _root(error: BaseException) -> BaseException:
    """What is behind the client's own wrappings of it."""
    while type(error) is RuntimeError and error.__cause__ is not None:
        error = error.__cause__
    return error


def _advice(status: int) -> str:
    if status >= 500 and status not in _ADVICE:
        return f"the hub is unwell; {_AGAIN} later"
    return _ADVICE.get(status, "the hub refuses it")


def _said(error: object, token: str | None) -> str:
    said = _one_line(str(getattr(error, "server_message", None) or ""), token)
    return f": {said}" if said else ""


def _plain(error: BaseException, token: str | None) -> str:
    said = _one_line(str(error), token)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _one_line(text: str, token: str | None) -> str:
    text = text.replace(token, "***") if token else text
    text = re.sub(r"hf_[A-Za-z0-9]{8,}", "***", text)
    # What follows the question mark of an address may be its signature.
    text = re.sub(r"(https?://)[^\s/@]*@", r"\1", re.sub(r"(https?://[^\s?'\"]+)\?[^\s'\"]+", r"\1", text))
    line = " ".join(text.split())
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1]}…"
