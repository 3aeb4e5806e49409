"""Sweeps: many runs of one system, and the records of each."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _lotka
from ._page import framed
from ._session import _plain
from ._simulation import warn

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import pandas

#: The status of runs that did not reach their tolerance.
MISSED = "tolerance-not-reached"

#: What can be kept of each run.
Keep = Literal["final", "minimum", "maximum"]

#: Values of a parameter.
Values = Union["numpy.typing.NDArray[numpy.float64]", list[Any]]

#: `True` for a bar, or what is called with the number of runs that are done and that of all.
SweepProgress = Union[bool, Callable[[int, int], Any]]


class Records(Mapping[str, Any]):
    """The records of a sweep: a column per parameter, outcome and kept value, a row per run.

    The columns are numpy arrays by their names: `run`, the parameters, `status`, `reached`, `error`, `time`, `calls`, and `final(prey.x)`, `minimum(prey.x)`,
    `maximum(prey.x)`, `at(prey.x, 2.5)` as far as they are kept. `status` is `ok`; `tolerance-not-reached`, with the best values; or the code of the message
    with which the run failed: its values are NaN then.
    """

    def __init__(self, outcome: _lotka._Outcome) -> None:
        import numpy

        columns, messages, is_complete, *_ = outcome
        self._described = columns
        self._columns: dict[str, numpy.typing.NDArray[Any]] = {}
        #: The units of the columns that have one.
        self.units: dict[str, str] = {}
        #: The messages of runs that failed, or did not reach their tolerance, by the number of the run.
        self.messages: dict[int, str] = dict(messages)
        #: Whether all runs were made.
        self.is_complete: bool = is_complete
        for name, unit, _, kind, data in columns:
            if isinstance(data, bytes):
                self._columns[name] = numpy.frombuffer(data, dtype=kind)
            else:
                self._columns[name] = numpy.array(data, dtype=numpy.str_)
            if unit is not None:
                self.units[name] = unit

    def __getitem__(self, name: str) -> numpy.typing.NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def n_runs(self) -> int:
        """The number of runs."""
        return len(self._columns["run"])

    def df(self) -> pandas.DataFrame:
        """Returns a table of pandas, with the number of the run as index. `df.attrs["units"]` has the units."""
        import pandas

        table = pandas.DataFrame(self._columns).set_index("run")
        table.attrs["units"] = self.units
        return table

    def html(self) -> str:
        """Returns the report: a page with plots of the kept values over the parameters, without anything to load."""
        return _lotka.study_html("study", self._described, [] if self.is_complete else ["Not all runs of the study were made."])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as .html. (`df()` has the methods that write tables.)"""
        path = Path(path)
        if path.suffix.lower() != ".html":
            raise ValueError(f"expected a name that ends in .html, found {path}; to write the records as a table, use the methods of df()")
        path.write_text(self.html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        return framed(self.html())

    def __repr__(self) -> str:
        import numpy

        counts = sorted(zip(*numpy.unique(self["status"], return_counts=True)), key=lambda each: each[0] == "ok")
        each = ", ".join(f"{count} {status}" for status, count in counts)
        return f"<{self.n_runs} runs: {each}>"


class Parameters:
    """The parameters of a study, with their values: those of real numbers as arrays. In a list of runs, a single value is that of all runs."""

    def __init__(self, values: Mapping[str, object], is_grid: bool) -> None:
        found = {name: _list(value) for name, value in values.items()}
        counts = [len(each) for each in found.values() if each is not None]
        count = counts[0] if counts else 1
        if not is_grid and any(other != count for other in counts):
            lengths = ", ".join(f"{name}: {len(each)}" for name, each in found.items() if each is not None)
            message = f'expected as many values for each parameter, found {lengths}; for all combinations, pass sampling="grid"'
            raise ValueError(message)
        alone = 1 if is_grid else count
        #: Whether all combinations are made.
        self.is_grid = is_grid
        self._values = {name: [_plain(values[name])] * alone if each is None else each for name, each in found.items()}

    @property
    def n_runs(self) -> int:
        """The number of runs."""
        counts = [len(values) for values in self._values.values()]
        return math.prod(counts) if self.is_grid else next(iter(counts), 0)

    def part(self, runs: range) -> Parameters:
        """The values of some runs, one for each."""
        part = Parameters({}, self.is_grid and not self._values)
        if self.is_grid:
            part._values = self._combinations(runs)
        else:
            part._values = {name: values[runs.start : runs.stop] for name, values in self._values.items()}
        return part

    def _combinations(self, runs: range) -> dict[str, Values]:
        """The values of combinations, of which the last parameter varies fastest."""
        import numpy

        counts = [len(values) for values in self._values.values()]
        places = numpy.unravel_index(numpy.arange(runs.start, runs.stop), counts) if counts else ()

        def pick(values: Values, places: numpy.typing.NDArray[numpy.intp]) -> Values:
            return [values[place] for place in places] if isinstance(values, list) else values[places]

        return {name: pick(values, each) for (name, values), each in zip(self._values.items(), places)}

    def items(self) -> Iterable[tuple[str, Values]]:
        """Names and values."""
        return self._values.items()

    def native(self) -> list[tuple[str, bytes | list[Any]]]:
        """Names and values, for the extension module."""
        return [(name, values if isinstance(values, list) else values.tobytes()) for name, values in self._values.items()]


def at_a_time(jobs: int | None) -> int | None:
    """The number of runs that are made at a time."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"expected at least one job, found {jobs}")
    return jobs


def _list(value: object) -> Values | None:
    """The values of a sequence or an array; `None` for a single value."""
    import numpy

    if hasattr(value, "__array__"):
        array = numpy.asarray(value)
        if array.ndim == 0:
            return None
        if array.ndim == 1 and array.dtype.kind == "f":
            # A copy: the caller may change the array while runs are made.
            return numpy.array(array, dtype=numpy.float64)
        if array.ndim == 1 and array.dtype.kind in "biu":
            return list(array.tolist())
    if isinstance(value, str) or not isinstance(value, Iterable):
        return None
    values = [_plain(item) for item in value]
    return numpy.array(values) if values and all(type(each) is float for each in values) else values


class _Bar:
    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._tqdm: Any = None
        else:
            self._tqdm = tqdm(unit="run", leave=False)

    def __call__(self, done: int, runs: int) -> None:
        if self._tqdm is not None:
            self._tqdm.total = runs
            self._tqdm.n = done
            self._tqdm.update(0)

    def close(self) -> None:
        if self._tqdm is not None:
            self._tqdm.close()


def follow(progress: SweepProgress, make: Callable[[Callable[[int, int], Any] | None], _lotka._Outcome]) -> Records:
    """Makes runs with a progress bar, warns of those that missed their tolerance, and raises what ended them, with the records so far as its attribute `records`."""
    bar = _Bar() if progress is True else None
    try:
        outcome = make(bar or (progress if callable(progress) else None))
    finally:
        if bar is not None:
            bar.close()
    records, error = Records(outcome), outcome[3]
    missed = int((records["status"] == MISSED).sum())
    if missed:
        warn(f"{missed} of {records.n_runs} runs did not reach their tolerance; the column `status` says which", MISSED)
    if error is None:
        return records
    if hasattr(error, "__dict__"):
        error.records = records  # type: ignore[attr-defined]
    raise error


def sweep(
    study: str | os.PathLike[str],
    output_file: str | os.PathLike[str] | None = None,
    *,
    jobs: int | None = None,
    shard: Sequence[int] = (1, 1),
    resume: bool = False,
    progress: SweepProgress = False,
) -> Records:
    """Makes the runs of a study in a file, as `lotka sweep` does, and writes its records as Parquet.

    Returns the records of the runs that were made: with `resume`, those that the file did not have. The values of `shard` are its number, from 1, and the number of shards.
    """
    number, of = shard
    study = Path(study)
    path = Path(output_file) if output_file is not None else study.with_suffix(".parquet")
    if output_file is None and of > 1:
        path = study.with_name(f"{study.stem}-{number}-of-{of}.parquet")
    return follow(progress, lambda call: _lotka.sweep_file(study, (path, (number, of), resume), at_a_time(jobs), call))
