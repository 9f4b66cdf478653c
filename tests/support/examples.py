"""How often Hypothesis tries what deserves more than a hundred examples."""

from __future__ import annotations

from hypothesis import settings

THOROUGH = "thorough"
"""The profile under which `make test-slow` tries such tests as often as they ask for."""

_USUALLY = 100


def many(wanted: int) -> int:
    """So many examples under the thorough profile, and a hundred in the default run, which is to be over soon."""
    return wanted if settings.get_current_profile_name() == THOROUGH else min(wanted, _USUALLY)
