"""One thread for matrix products.

Those of a bootstrap are small: a second thread gains little on an idle machine, and on a busy one the two wait for
each other, which made a report take four times as long.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # it ships no types


def one_thread() -> AbstractContextManager[object]:
    """Within this context NumPy's BLAS runs in the calling thread alone."""
    context: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return context


@cache  # looking the libraries up takes 3 ms
def _controller() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
