"""Results of runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _lotka
from ._page import framed

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import pandas


@dataclass(frozen=True)
class Column:
    """A recorded variable."""

    #: `instance.variable`.
    name: str
    #: `float`, `int`, `bool` or `str`.
    type: str
    unit: str | None
    description: str | None
    #: The items of an enumeration by their numbers.
    items: dict[int, str]
    #: Whether the value is the same in all rows.
    constant: bool


@dataclass(frozen=True)
class Event:
    """An event of a run."""

    #: Its time [s].
    time: float
    #: What happened.
    what: str
    #: The row just before it; the next row has the values after it.
    row: int


@dataclass(frozen=True)
class Steps:
    """The communication steps of a run. There are none with `tolerance`: `report["runs"]` has the numbers of steps of its runs."""

    #: Time at the end of each step [s].
    time: numpy.typing.NDArray[numpy.float64] = field(repr=False)
    #: Size of each step [s].
    size: numpy.typing.NDArray[numpy.float64] = field(repr=False)
    #: Local error estimate of each step, in units of the tolerance; empty without error control.
    estimate: numpy.typing.NDArray[numpy.float64] = field(repr=False)
    #: Rejected steps: time at the beginning [s], size [s], reason.
    rejected: list[tuple[float, float, str]] = field(repr=False)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<{len(self)} steps, {len(self.rejected)} rejected>"


class Result:
    """Rows, estimated errors, events and the report of a run.

    Variables have arrays by their names: `result["prey.x"]`, and `for name in result`. Arrays of Real variables are read-only views; nothing is copied. pandas,
    polars, pyarrow and others read the rows through the Arrow PyCapsule interface: `polars.DataFrame(result)`, `pyarrow.table(result)`.
    """

    def __init__(self, rows: _lotka.Rows) -> None:
        self._rows = rows

    @property
    def time(self) -> numpy.typing.NDArray[numpy.float64]:
        """The times of the rows [s]."""
        return _array(self._rows.time())

    def __getitem__(self, name: str) -> numpy.typing.NDArray[Any]:
        """Returns the values of a variable, `instance.variable`."""
        import numpy

        about = self._about(name)
        if about[0] == "str":
            return numpy.array(self._rows.text(name), dtype=numpy.str_)
        wide = self._rows.wide_integers(name) if about[0] == "int" else None
        if wide is not None:
            return numpy.frombuffer(wide[1], dtype=wide[0])
        values = _array(self._rows.values(name))
        if about[0] == "float":
            return values
        converted = values.astype(numpy.int32 if about[0] == "int" else numpy.bool_)
        converted.setflags(write=False)
        return converted

    def error(self, name: str) -> numpy.typing.NDArray[numpy.float64] | None:
        """Returns estimates of the absolute errors of the values, in a run with `tolerance`; `None` if they are not estimated."""
        self._about(name)
        view = self._rows.errors(name)
        return None if view is None else _array(view)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def keys(self) -> list[str]:
        """Returns the names of the variables."""
        return list(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self._rows)

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The recorded variables by name."""
        return {name: self._column(name) for name in self._names}

    @cached_property
    def events(self) -> list[Event]:
        """The events at which steps ended."""
        return [Event(*entries) for entries in self._rows.events()]

    @cached_property
    def steps(self) -> Steps | None:
        """The communication steps; `None` if they were not recorded."""
        import numpy

        found = self._rows.steps()
        if found is None:
            return None
        time, size, estimate, rejected = found
        return Steps(numpy.array(time), numpy.array(size), numpy.array(estimate), rejected)

    @cached_property
    def report(self) -> dict[str, Any]:
        """End, counters, error estimates, calls and warnings of the run, as in `lotka run --json`."""
        report: dict[str, Any] = self._document["outcome"]
        return report

    @property
    def end(self) -> str:
        """How the run ended: `stop-time`, `terminated-by-instance`, `tolerance-not-reached`, `canceled` or `failed`."""
        end: str = self.report["end"]
        return end

    @property
    def reached(self) -> bool | None:
        """Whether the `tolerance` was reached; `None` without one."""
        reached: bool | None = self.report["reached"]
        return reached

    @property
    def verdict(self) -> str | None:
        """Says in a sentence whether the `tolerance` was kept, and what is known of the error; `None` without one."""
        verdict: str | None = self.report["verdict"]
        return verdict

    @property
    def largest_error(self) -> float | None:
        """The estimated largest error of all values, relative; `None` without `tolerance`."""
        errors = self.report["global_error_estimate"]
        return None if errors is None else errors["largest"]

    @property
    def warnings(self) -> list[str]:
        """The warnings of set-up and run."""
        warnings: list[str] = self.report["warnings"]
        return warnings

    @property
    def algorithm(self) -> str:
        """The algorithm of the run."""
        algorithm: str = self._document["algorithm"]
        return algorithm

    def df(self) -> pandas.DataFrame:
        """Returns a table of pandas, with the time as index. `df.attrs["units"]` has the units."""
        import pandas

        table = pandas.DataFrame({name: self[name] for name in self}, index=pandas.Index(self.time, name="time"))
        table.attrs["units"] = {name: column.unit for name, column in self.columns.items() if column.unit}
        return table

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows and their estimated errors as .csv, .mat, .parquet or .arrow, or the report with its plots as .html."""
        path = Path(path)
        if path.suffix.lower() == ".html":
            path.write_text(self.html(), encoding="utf-8")
        else:
            self._rows.save(path)

    def html(self) -> str:
        """Returns the report: a page with plots that can be zoomed, without anything to load."""
        return self._rows.html()

    def __arrow_c_schema__(self) -> object:
        return self._rows.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return framed(self.html())

    def __repr__(self) -> str:
        heads = [["", "unit", "first", "last", "smallest", "largest", "error"]]
        cells = heads + [self._line(name) for name in self._names]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
        return _lotka.printable("\n".join([*self._headlines(), *lines]))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_result, (self._rows.to_bytes(),))

    @cached_property
    def _names(self) -> list[str]:
        return self._rows.names()

    @cached_property
    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self._rows.report())
        return document

    def _about(self, name: str) -> tuple[str, str | None, str | None, list[tuple[int, str]], bool]:
        about = self._rows.about(name)
        if about is None:
            raise KeyError(name)
        return about

    def _column(self, name: str) -> Column:
        kind, unit, description, items, constant = self._about(name)
        return Column(name, kind, unit, description, dict(items), constant)

    def _headlines(self) -> list[str]:
        rows = f"{self.n_rows} row{'' if self.n_rows == 1 else 's'}"
        time = self.report["time"]
        verdict = [] if self.verdict is None else [self.verdict]
        return [*verdict, f"{rows}, {self.end} at t = {time} s"]

    def _line(self, name: str) -> list[str]:
        values = self[name]
        if len(values) == 0:
            return [name, self.columns[name].unit or "", "", "", "", "", ""]
        is_number = self.columns[name].type in ("float", "int")
        extremes = [values.min(), values.max()] if is_number else ["", ""]
        errors = self.error(name)
        cells = [str(value) if isinstance(value, str) else f"{value:.6g}" for value in (values[0], values[-1], *extremes)]
        return [name, self.columns[name].unit or "", *cells, "" if errors is None else f"{errors.max():.1e}"]


def _result(data: bytes) -> Result:
    return Result(_lotka.Rows.from_bytes(data))


def _array(view: _lotka.View | None) -> numpy.typing.NDArray[numpy.float64]:
    import numpy

    return numpy.asarray(view)
