"""Errors say what a caller can act on, and survive the way back from a worker process."""

from __future__ import annotations

import pickle

import pytest

from earmark.manifests.errors import EarmarkError, MissingExtra, PrivateSideMissing, Refused, ReleaseError, UnknownName
from earmark.manifests.findings import Findings, Severity, declare


def test_messages_name_the_way_out() -> None:
    assert (
        str(MissingExtra("voice", "espeakng_loader"))
        == "this needs the package 'espeakng_loader': pip install 'earmark[voice]'"
    )
    assert str(UnknownName("protocol", "x", ("a", "b"))) == "no protocol named 'x'; there is a, b"
    assert str(UnknownName("protocol", "x", ())) == "no protocol named 'x'; there is none"
    assert issubclass(PrivateSideMissing, ReleaseError)


def refused() -> Refused:
    findings = Findings()
    findings.add(declare("tests.refused", Severity.ERROR, "no"), row=3)
    return Refused(findings)


@pytest.mark.parametrize(
    "error", [refused(), MissingExtra("a", "b"), UnknownName("a", "b", ("c",)), ReleaseError("no")]
)
def test_pickling(error: EarmarkError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert str(again) == str(error)
    if isinstance(error, Refused):
        assert again.findings.as_json() == error.findings.as_json()
    else:
        assert vars(again) == vars(error)
