"""The errors that a caller can act on; every one is an `EarmarkError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.manifests.findings import Findings


class EarmarkError(Exception):
    """Base of every error that Earmark raises on purpose."""


class Refused(EarmarkError):
    """Input that cannot be used; the findings say what, where and what would be right."""

    exit_code = 1
    """What a command owes."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings.summary())
        self.findings = findings

    def __reduce__(self) -> tuple[type[Refused], tuple[Findings]]:
        return type(self), (self.findings,)  # pickled by its own arguments, or a worker process could not raise it


class CannotBegin(Refused):
    """Something without which a build that costs money cannot begin, such as the wording of its prompts."""

    exit_code = 2


class MissingExtra(EarmarkError):
    """A package of an extra is needed and not installed."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f"this needs the package {package!r}: pip install 'earmark[{extra}]'")
        self.extra, self.package = extra, package

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return MissingExtra, (self.extra, self.package)


class UnknownName(EarmarkError):
    """A name that is not among the valid ones."""

    def __init__(self, what: str, name: str, valid: tuple[str, ...], besides: str = "") -> None:
        more = f"; {besides}" if besides else ""
        super().__init__(f"no {what} named {name!r}; there is {', '.join(valid) or 'none'}{more}")
        self.what, self.name, self.valid, self.besides = what, name, valid, besides

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, tuple[str, ...], str]]:
        return UnknownName, (self.what, self.name, self.valid, self.besides)


class DestinationExists(EarmarkError):
    """The folder to be written is there already."""


class ReleaseError(EarmarkError):
    """A folder that is no readable release."""


class PrivateSideMissing(ReleaseError):
    """What is asked for stands on the private side, which this copy of the release lacks."""


class Busy(EarmarkError):
    """Another process is at work on the same folder."""
