"""Where `earmark` and `python -m earmark` start: an interrupt is minded before the command line is there.

Until `main` runs, an interrupt ends in Python's own traceback: so nothing is imported above it that is not there already.
"""

import os
import sys

INTERRUPTED = 130

_TOLD = "earmark: interrupted\n"


def main() -> None:
    """Run the command line; an interrupt ends in one line, even while the command line itself is being imported."""
    try:
        _import_command_line()
        from earmark.cli.main import main as command_line

        command_line()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write(_TOLD)
        sys.exit(INTERRUPTED)


def _import_command_line() -> None:
    """Import it, while an interrupt ends the process on the spot.

    Nothing is under way yet that would have to be put in order, and a KeyboardInterrupt within an import may be lost: raised in
    a callback of the import system, it is printed with a traceback and then ignored.
    """
    import signal

    minded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if minded:
        try:
            signal.signal(signal.SIGINT, _end)
        except ValueError:  # not the main thread, to which no interrupt comes
            minded = False
    try:
        import earmark.cli.main  # noqa: F401 (for later)
    finally:
        if minded:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    try:
        os.write(2, _TOLD.encode())
    finally:  # even if nobody reads it
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
