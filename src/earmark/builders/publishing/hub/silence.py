"""What the client is not to say, and how long a hub may say nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

SILENCE_S = 300.0
"""Seconds without a byte after which a connection is given up; the client itself waits for ever."""

BARS = "HF_HUB_DISABLE_PROGRESS_BARS"
"""Environment variable by which the client shows bars or not, whatever a program says."""


@contextmanager
def quietly() -> Iterator[None]:
    """Let the client say nothing: neither its bars nor the addresses in its log, which may be signed, are for others."""
    import logging
    import warnings

    from huggingface_hub import get_session
    from huggingface_hub.utils.logging import get_verbosity, set_verbosity
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    get_session().timeout = SILENCE_S
    level, theirs = get_verbosity(), are_progress_bars_disabled() or BARS in os.environ
    set_verbosity(logging.CRITICAL)
    if not theirs:
        disable_progress_bars()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        set_verbosity(level)
        if not theirs:
            enable_progress_bars()
