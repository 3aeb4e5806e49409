"""Exceptions. Every one has the code of its message, which `docs/messages.md` explains."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._result import Result


@dataclass(frozen=True)
class Problem:
    """A problem of a system or of an FMU."""

    #: The code of the message.
    code: str
    #: `error` or `warning`.
    severity: str
    #: What is wrong.
    message: str
    #: The file, and the place in it from 1, if there is one.
    file: str | None = None
    line: int | None = None
    column: int | None = None
    #: What to do.
    help: str | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        mark = "warning: " if self.severity == "warning" else ""
        help_text = f"; {self.help}" if self.help else ""
        return f"{place}{': ' if place else ''}{mark}{self.message}{help_text}"


class Error(Exception):
    """The base of all exceptions of Lotka."""

    #: The code of the message.
    code: str
    #: All problems of a description at once; empty for other errors.
    problems: list[Problem]

    def __init__(self, message: str, code: str = "internal-error", problems: list[Problem] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.problems = problems or []

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.code, self.problems), self.__dict__)


class DescriptionError(Error):
    """The description of a system is inconsistent; `problems` has all problems."""


class ReadError(Error):
    """A system file cannot be read."""


class SaveError(Error):
    """A system or results cannot be written."""


class LoadError(Error):
    """FMUs cannot be loaded or instantiated."""


class FmuError(Error):
    """An FMU cannot be used."""


class CheckpointError(Error):
    """A checkpoint cannot be made or used."""


class ResultsError(Error):
    """Results cannot be read."""


class RunFailure(Error):
    """A run failed. Nothing is lost: `rows` has the results until then."""

    #: The results until the failure; `None` if there was no run yet.
    rows: Result | None = None

    @property
    def report(self) -> dict[str, Any]:
        """The report of the run until the failure."""
        return {} if self.rows is None else self.rows.report


class ToleranceNotReached(RunFailure):
    """The results are not within their `tolerance`. `rows` has the best ones, up to the stop time, with their estimated errors."""

    @property
    def estimate(self) -> float | None:
        """The estimated largest error of the best results, relative; `None` if it is unknown."""
        return None if self.rows is None else self.rows.largest_error

    @property
    def reason(self) -> str | None:
        """Why the tolerance was not reached."""
        reason: str | None = self.report.get("reason")
        return reason


class BusyError(Error):
    """The simulation is in use, by another thread or by the caller of a callback."""


class ClosedError(Error):
    """The simulation is closed."""


class ForkError(Error):
    """The simulation was built in another process."""


class InternalError(Error):
    """A bug of Lotka."""


_KINDS = {
    kind.__name__: kind
    for kind in (
        BusyError,
        CheckpointError,
        ClosedError,
        DescriptionError,
        Error,
        FmuError,
        ForkError,
        InternalError,
        LoadError,
        ReadError,
        ResultsError,
        RunFailure,
        SaveError,
        ToleranceNotReached,
    )
}


def problem(entries: dict[str, Any]) -> Problem:
    """Makes a problem of its JSON."""
    keys = ("code", "severity", "message", "file", "line", "column", "help")
    return Problem(**{key: entries[key] for key in keys if key in entries})


def from_native(kind: str, message: str, code: str, problems: str) -> Error:
    """Makes the exception for an error of the extension module."""
    return _KINDS[kind](message, code, [problem(entries) for entries in json.loads(problems)])
