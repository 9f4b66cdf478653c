"""Earmark builds benchmarks that ask an audio judge *how* something was said, and marks any judge's predictions against them.

Nothing heavy is imported here: the rooms and the verbs below are loaded when they are first touched.
"""

from importlib import import_module

TYPE_CHECKING = False  # type checkers know the name; to import `typing` would be most of what `import earmark` costs

if TYPE_CHECKING:
    from earmark import builders, manifests, scoring, validation
    from earmark.builders.converting.face import convert
    from earmark.life import diff, materialize, publish, validate, verify, withdraw
    from earmark.opened import open_release
    from earmark.scoring.comparing import compare
    from earmark.scoring.face import check, score
    from earmark.scoring.leaderboard.face import leaderboard
    from earmark.scoring.power.units_needed import power

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "builders",
    "check",
    "compare",
    "convert",
    "diff",
    "leaderboard",
    "manifests",
    "materialize",
    "open_release",
    "power",
    "publish",
    "score",
    "scoring",
    "validate",
    "validation",
    "verify",
    "withdraw",
]

_ROOMS = frozenset({"builders", "manifests", "scoring", "validation"})
_VERBS = {
    "open_release": "earmark.opened",
    "check": "earmark.scoring.face",
    "compare": "earmark.scoring.comparing",
    "convert": "earmark.builders.converting.face",
    "leaderboard": "earmark.scoring.leaderboard.face",
    "power": "earmark.scoring.power.units_needed",
    "score": "earmark.scoring.face",
    **dict.fromkeys(("diff", "materialize", "publish", "validate", "verify", "withdraw"), "earmark.life"),
}


def __getattr__(name: str) -> object:
    """Load a room or a verb on first touch (PEP 562)."""
    if name in _ROOMS:
        return import_module(f"earmark.{name}")
    if name in _VERBS:
        return getattr(import_module(_VERBS[name]), name)
    raise AttributeError(f"module 'earmark' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
