"""Within the context there is one BLAS thread, and afterwards as many as before."""

from __future__ import annotations

from threadpoolctl import threadpool_info, threadpool_limits

from earmark.statistics.blas import one_thread


def blas_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_one_thread_within_and_as_before_after() -> None:
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with one_thread():
            assert blas_threads() == {1}
        assert blas_threads() == before
