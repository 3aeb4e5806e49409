"""Simulations: systems that are built once and run many times."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Literal, Union, get_args

from . import _lotka
from ._errors import RunFailure, ToleranceNotReached
from ._result import Result
from ._session import Session

_log = logging.getLogger("lotka")

#: Levels of the lines that FMUs log, by their status.
_LEVELS = {
    "OK": logging.INFO,
    "Pending": logging.INFO,
    "Warning": logging.WARNING,
    "Discard": logging.WARNING,
    "Error": logging.ERROR,
    "Fatal": logging.CRITICAL,
}

#: Called with the time [s] and the values of a row.
OnRow = Callable[[float, "dict[str, Any]"], Any]

#: What happens if a run does not reach its `tolerance`: an exception with the best results, or a warning beside them.
OnMiss = Literal["raise", "warn"]

#: `True` for a bar, or what is called with the share of the run that is done, 0 to 1.
Progress = Union[bool, Callable[[float], Any]]


def text(value: object) -> str:
    """Formats a value for a variable of any type, or those of an array; numbers read back to the same."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    # Arrays of numpy have `__index__`, too.
    if hasattr(value, "tolist"):
        return text(value.tolist())
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(json.dumps(item) if isinstance(item, str) else text(item) for item in value)}]"
    return repr(float(value))  # type: ignore[arg-type]


def _shown(message: str) -> str:
    """A message as a terminal may get it: escape sequences have no effect, and further lines are indented."""
    return _lotka.printable(message).replace("\n", "\n  ")


def warn(message: str, code: str) -> None:
    """Logs a warning of Lotka."""
    _log.warning("%s [%s]", _shown(message), code)


def _fmu_line(instance: str, status: str, category: str, message: str) -> None:
    logging.getLogger(f"lotka.fmu.{_lotka.printable(instance)}").log(_LEVELS.get(status, logging.WARNING), "%s", _shown(message))


class Simulation:
    """A built system, ready for any number of runs. FMUs stay open from run to run, and each run is bit by bit that of a new simulation.

    Its FMUs run on a thread of their own; only one thread can use a simulation at a time. Use it in a `with` statement, or call `close`, to free its
    instances.
    """

    def __init__(self, simulation: _lotka.Simulation, keep: Iterable[object] = ()) -> None:
        self._simulation = simulation
        self._keep = list(keep)
        for message, code in simulation.warnings():
            warn(message, code)

    def run(
        self, *, on_row: OnRow | None = None, progress: Progress = False, steps: bool = False, on_miss: OnMiss = "raise"
    ) -> Result:
        """Makes a run from the start to the stop time.

        `on_row` is called with each row; an exception that it raises ends the run. With `tolerance`, all rows come at the end. `steps` records the
        communication steps. Ctrl-C ends the run: the exception `KeyboardInterrupt` has the rows so far as its attribute `rows`, as `RunFailure` and
        the exceptions of callbacks and models do.

        A run that does not reach its `tolerance` raises `ToleranceNotReached`, which has the best results in `rows`; `on_miss="warn"` returns them and logs a
        warning.
        """
        if on_miss not in get_args(OnMiss):
            raise ValueError(f'expected on_miss="raise" or "warn", found {on_miss!r}')
        bar = _bar(progress)
        try:
            rows, error = self._simulation.run(_fmu_line, warn, on_row, None if bar is None else bar.show, steps)
        finally:
            if bar is not None:
                bar.close()
        result = Result(rows)
        if error is None:
            return result
        if isinstance(error, ToleranceNotReached) and on_miss == "warn":
            warn(str(error), error.code)
            return result
        if isinstance(error, RunFailure) or hasattr(error, "__dict__"):
            error.rows = result  # type: ignore[attr-defined]
        raise error

    def start(self) -> Session:
        """Begins a session: a run that pauses. The simulation can run again when it is finished.

        The system must have `step` or `local_tolerance`: a `tolerance` repeats whole runs.
        """
        return Session(self._simulation.start(_fmu_line, warn))

    def set_start(self, variable: str, value: object) -> None:
        """Sets the start value of `instance.variable` in later runs."""
        self.set_starts({variable: value})

    def set_starts(self, values: Mapping[str, object]) -> None:
        """Sets start values of later runs; if one of them is refused, none is set."""
        self._simulation.set_starts({variable: text(value) for variable, value in values.items()})

    def analyze_coupling(self, step: float | None = None) -> dict[str, Any]:
        """Returns sensitivities and the largest steps at which coupling without iteration is stable, as `lotka inspect --coupling --json` does."""
        found: dict[str, Any] = json.loads(self._simulation.analyze_coupling(step))
        return found

    def columns(self) -> list[str]:
        """Returns the names of the recorded variables."""
        return self._simulation.columns()

    def warnings(self) -> list[str]:
        """Returns the warnings of the set-up."""
        return [message for message, _ in self._simulation.warnings()]

    def describe_algorithm(self) -> str:
        """Describes the chosen algorithm."""
        return self._simulation.describe_algorithm()

    def describe_runs(self) -> str | None:
        """Describes how many runs of a `tolerance` are made at a time."""
        return self._simulation.describe_runs()

    def cancel(self) -> None:
        """Ends the run that another thread makes, at its next communication point."""
        self._simulation.cancel()

    def close(self) -> None:
        """Frees the instances."""
        self._simulation.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class _Bar:
    """A progress bar: that of tqdm if it is installed, or a line of text."""

    def __init__(self) -> None:
        self._is_drawn = False
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._tqdm: Any = None
        else:
            self._tqdm = tqdm(total=100, unit="%", leave=False)

    def show(self, run: int, share: float) -> None:
        percent = round(100 * share)
        if self._tqdm is None:
            sys.stderr.write(f"\r{percent:3} % ")
            self._is_drawn = True
            return
        if run:
            self._tqdm.set_description(f"run of {run} steps")
        self._tqdm.n = percent
        self._tqdm.refresh()

    def close(self) -> None:
        if self._tqdm is not None:
            self._tqdm.close()
        elif self._is_drawn:
            sys.stderr.write("\r      \r")


class _Calls:
    """Calls a function with the share that is done."""

    def __init__(self, function: Callable[[float], Any]) -> None:
        self._function = function

    def show(self, run: int, share: float) -> None:
        self._function(share)

    def close(self) -> None:
        """Nothing was opened."""


def _bar(progress: Progress) -> _Bar | _Calls | None:
    if callable(progress):
        return _Calls(progress)
    return _Bar() if progress else None
