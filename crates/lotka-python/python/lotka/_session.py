"""Sessions: runs that pause."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Union, overload

from . import _lotka
from ._errors import RunFailure
from ._result import Result

#: A value of a variable.
Value = Union[float, int, bool, str]


class Session:
    """A run that pauses at communication points, where variables are read and set; it can return to saved points.

    `session["prey.x"]` reads a variable, `session["prey.y"] = 3.0` sets it from this point on: bit by bit as a `[[scenario]]` of this time. In a `with`
    statement, the end of the block ends the run; `result` then has its rows. An exception of the block has them as its attribute `rows`.
    """

    def __init__(self, core: _lotka.Session, close: Callable[[], None] | None = None) -> None:
        self._core = core
        self._close = close
        #: The rows and the report, once the session is finished.
        self.result: Result | None = None

    @property
    def time(self) -> float:
        """The time of the last communication point [s]."""
        return self._core.state()[0]

    @property
    def can_continue(self) -> bool:
        """Whether the run has neither ended nor failed."""
        return self._core.state()[1]

    def advance_to(self, time: float, *, exactly: bool = False) -> bool:
        """Advances to the first communication point at or after `time` [s]. Returns whether the run can continue from there.

        No step is changed for it, unless `exactly` is true: then the step that would pass `time` ends there, with a row.
        """
        return self._core.advance_to(time, exactly)

    def advance(self, duration: float, *, exactly: bool = False) -> bool:
        """Advances by `duration` [s], like `advance_to`."""
        return self._core.advance_to(self.time + duration, exactly)

    def step(self) -> bool:
        """Makes one communication step. Returns whether the run can continue from its end."""
        return self._core.step()

    @overload
    def get(self, variables: str) -> Value: ...  # type: ignore[overload-overlap]

    @overload
    def get(self, variables: Iterable[str]) -> list[Value]: ...

    def get(self, variables: str | Iterable[str]) -> Value | list[Value]:
        """Returns the value of a variable, `instance.variable`, or a list of values, at this point and after the changes made here."""
        if isinstance(variables, str):
            return self._core.get([variables])[0]
        return self._core.get(list(variables))

    def set(self, variables: str | Mapping[str, object], value: object = None) -> None:
        """Sets an input or a tunable parameter, or several, from this point on.

        Changes at one point take effect together: before the next step, or when a variable is read. A connected input stays at its value until
        `reconnect`.
        """
        values = {variables: value} if isinstance(variables, str) else variables
        self._core.set([(name, _plain(value)) for name, value in values.items()])

    def __getitem__(self, name: str) -> Value:
        """Returns the value of `instance.variable` at this point, after the changes made here."""
        return self._core.get([name])[0]

    def __setitem__(self, name: str, value: object) -> None:
        self.set(name, value)

    def reconnect(self, variable: str) -> None:
        """Connects an input again that was set."""
        self._core.reconnect(variable)

    def save(self) -> _lotka.SavedPoint:
        """Saves this point. All FMUs must be able to save their state."""
        return self._core.save()

    def restore(self, point: _lotka.SavedPoint) -> None:
        """Returns to a saved point of this session, as if there had been nothing after it; later rows are withdrawn."""
        self._core.restore(point)

    def pace(self, factor: float | None = 1.0) -> None:
        """Lets simulated time pass `factor` times as fast as the clock from now on; `None`: as fast as possible."""
        self._core.pace(factor)

    @property
    def overruns(self) -> tuple[int, float]:
        """Number of steps that ended later than `pace` requests, and the longest delay [s]."""
        return self._core.overruns()

    def finish(self) -> Result:
        """Ends the run where it is, or after its end, and returns its rows and report. A failure of the run is raised here, with the rows until then."""
        if self.result is not None:
            return self.result
        rows, error = self._core.finish()
        self.result = Result(rows)
        if self._close is not None:
            self._close()
        if error is None:
            return self.result
        if isinstance(error, RunFailure) or hasattr(error, "__dict__"):
            error.rows = self.result  # type: ignore[attr-defined]
        raise error

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self.finish()
            return
        # The exception of the block counts, and keeps the rows.
        with suppress(Exception):
            self.finish()
        with suppress(AttributeError):
            error.rows = getattr(error, "rows", None) or self.result  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"<session at t = {self.time} s>" if self.result is None else "<finished session>"


def _plain(value: object) -> Value:
    """A value of Python, also of numpy."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value)  # type: ignore[arg-type]
