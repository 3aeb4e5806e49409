"""Systems."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _lotka
from ._cluster import Cluster
from ._errors import Problem, problem
from ._graph import Graph
from ._instance import Instance
from ._model import Model
from ._programs import HOST
from ._result import Result
from ._session import Session
from ._settings import Settings
from ._sweep import Keep, Parameters, Records, SweepProgress, at_a_time, follow
from ._simulation import OnMiss, OnRow, Progress, Simulation, _log
from ._table import write_table

if TYPE_CHECKING:
    import distributed
    import numpy.typing

#: Where FMUs run: in this process (`None`), each in a process of its own (`"process"`), or by their makers (`"auto"`).
Isolation = Union[Literal["auto", "process"], None]

#: A path.
PathLike = Union[str, "os.PathLike[str]"]

_tells_of_isolation = True


class System(Settings):
    """A system of instances and connections, read from a file or described in Python.

    Its methods have the names of the keys of a system file. They change the system, and return it. Nothing is checked or loaded before a run, or
    `check`. A system can be pickled: for another process it is described again.
    """

    def __init__(self) -> None:
        self._begin(None)

    @classmethod
    def from_file(cls, path: PathLike) -> System:
        """Reads a system file: TOML, SSP (`.ssd`, `.ssp`), MasterSim (`.msim`), `OspSystemStructure.xml` or `mm.json`."""
        system = cls.__new__(cls)
        system._begin(os.fspath(path))
        return system

    def _begin(self, path: str | None) -> None:
        self._path = path
        self._core = _lotka.System(path)
        self._calls: list[tuple[str, tuple[Any, ...]]] = []
        self._objects: dict[str, Model] = {}
        self._folders: list[tempfile.TemporaryDirectory[str]] = []
        if "LOTKA_FMU_HOST" not in os.environ:
            self._core.apply("host_program", HOST)

    def _set(self, name: str, *arguments: Any) -> System:
        self._core.apply(name, *arguments)
        self._calls.append((name, arguments))
        return self

    def instance(
        self,
        name: str,
        fmu: PathLike | Model,
        *,
        start: Mapping[str, object] | None = None,
        sample_time: float | None = None,
    ) -> System:
        """Adds an instance of an FMU, or of an object of a class of `lotka.Model`, with start values of its variables, and sampled if it has a time for that."""
        if isinstance(fmu, Model):
            # Later changes of the object do not change the system.
            model = fmu._copy()
            self._core.instance_from(name, model)
            self._objects[name] = model
            self._calls.append(("instance", (name, model)))
        else:
            self._set("instance", name, os.fspath(fmu))
        for variable, value in (start or {}).items():
            self.start_value(f"{name}.{variable}", value)
        if sample_time is not None:
            self.sample_time(name, sample_time)
        return self

    def source(
        self,
        name: str,
        signal: Mapping[str, object] | numpy.typing.ArrayLike,
        values: numpy.typing.ArrayLike | Mapping[str, numpy.typing.ArrayLike] | None = None,
        *,
        interpolation: Literal["linear", "previous"] = "linear",
        outside: Literal["error", "hold"] = "error",
    ) -> System:
        """Adds a source of signals that are known before the run.

        With `values`, `signal` has the times [s]: equal times are a jump. The output is `y`, or those that a mapping names. Steps end at the jumps
        and kinks. Without, `signal` describes a formula with the keys of a system file, such as `{"signal": "step", "time": 1.0, "to": 5.0}`.
        """
        if values is None:
            if not isinstance(signal, Mapping):
                raise TypeError("expected values, or a formula as a mapping")
            return self._set("source", name, dict(signal))
        columns = values if isinstance(values, Mapping) else {"y": values}
        folder = tempfile.TemporaryDirectory(prefix="lotka-")
        path = Path(folder.name) / f"{name}.csv"
        table = write_table(path, signal, columns)
        self._core.apply("source_csv", name, path, interpolation, outside)
        self._folders.append(folder)
        self._calls.append(("source", (name, *table, interpolation, outside)))
        return self

    def source_csv(
        self,
        name: str,
        path: PathLike,
        *,
        interpolation: Literal["linear", "previous"] = "linear",
        outside: Literal["error", "hold"] = "error",
    ) -> System:
        """Adds the columns of a CSV file as a source. Rows of the same time are a jump."""
        return self._set("source_csv", name, os.fspath(path), interpolation, outside)

    def connect(self, input: str | Mapping[str, str], output: str | None = None) -> System:
        """Connects an input to an output, both as `instance.variable`; a mapping connects several."""
        pairs = input if isinstance(input, Mapping) else {input: output}
        for of_input, of_output in pairs.items():
            if of_output is None:
                raise TypeError("expected an output")
            self._set("connect", of_input, of_output)
        return self

    def build(self, *, isolation: Isolation = "auto") -> Simulation:
        """Checks everything, loads the FMUs and makes instances.

        FMUs that other tools made run in processes of their own, so that their crash is an exception. `isolation=None` loads them into this process,
        which is faster; `"process"` isolates all.
        """
        simulation, isolated = self._core.build(isolation)
        _tell_of_isolation(isolated)
        return Simulation(simulation, self._folders)

    def run(
        self,
        *,
        start: Mapping[str, object] | None = None,
        isolation: Isolation = "auto",
        on_row: OnRow | None = None,
        progress: Progress = False,
        steps: bool = True,
        on_miss: OnMiss = "raise",
        **settings: Any,
    ) -> Result:
        """Builds the system and makes a run.

        `start` has start values by `instance.variable`; `settings` are those of this class by name, for this run only, such as `tolerance=1e-6` or
        `stop=10.0`, and `start_time` is the start time. The other arguments are those of `build` and of `Simulation.run`.
        """
        system = self._with(start, settings) if start or settings else self
        with system.build(isolation=isolation) as simulation:
            return simulation.run(on_row=on_row, progress=progress, steps=steps, on_miss=on_miss)

    def session(
        self, *, start: Mapping[str, object] | None = None, isolation: Isolation = "auto", **settings: Any
    ) -> Session:
        """Builds the system, with settings as for `run`, and begins a session: a run that pauses."""
        system = self._with(start, settings) if start or settings else self
        simulation = system.build(isolation=isolation)
        try:
            session = simulation.start()
        except BaseException:
            simulation.close()
            raise
        session._close = simulation.close
        return session

    def study(
        self,
        parameters: Mapping[str, object],
        *,
        sampling: Literal["list", "grid"] = "list",
        keep: Iterable[Keep] = ("final",),
        times: Iterable[float] = (),
        variables: Iterable[str] | None = None,
        jobs: int | None = None,
        client: distributed.Client | None = None,
        chunk: int | None = None,
        resources: Mapping[str, float] | None = None,
        retries: int = 0,
        isolation: Isolation = "auto",
        progress: SweepProgress = False,
        **settings: Any,
    ) -> Records:
        """Makes runs with other start values, several at a time, and returns their records.

        `parameters` has the values of each variable: one run per place in the sequences, or all combinations with `sampling="grid"`. A single value is that of
        all runs. `keep` and `times` [s] choose what is kept of the rows of `variables`. FMUs are opened once for each of the `jobs`, by default one per processor. A run that
        fails is a record; the records are the same, bit by bit, for any number of jobs.

        With a `client` of Dask, the workers of a cluster make the runs, with the same records. Each task is a chunk of runs that lasts a few seconds, or of `chunk`
        runs, on one thread. A task needs `resources` of its worker, such as `{"license": 1}`. A task whose FMUs cannot be opened is tried `retries` times again.
        """
        system = self._with(None, settings) if settings else self
        values = Parameters(parameters, sampling == "grid")
        words: list[str] = list(keep)
        kept = (words, None if variables is None else list(variables), [float(time) for time in times])
        make: Callable[[Any], tuple[_lotka._Outcome, list[str]]]
        if client is not None:
            if jobs is not None:
                raise TypeError("`jobs` is for runs on this machine; with a client, each thread of its workers makes runs")
            make = Cluster(client, chunk, resources, retries).study(system, values, kept, isolation)
        elif chunk is not None or resources is not None or retries:
            raise TypeError("`chunk`, `resources` and `retries` are for runs on a cluster; pass a `client`, too")
        else:
            make = partial(system._core.sweep, isolation, values.native(), values.is_grid, kept, at_a_time(jobs))
        isolated: list[str] = []

        def noted(call: Any) -> _lotka._Outcome:
            outcome, names = make(call)
            isolated.extend(names)
            return outcome

        try:
            return follow(progress, noted)
        finally:
            _tell_of_isolation(isolated)

    def check(self) -> list[Problem]:
        """Checks the system against the model descriptions of its FMUs, without loading them. Returns all problems and warnings."""
        return [problem(entries) for entries in json.loads(self._core.check())]

    def graph(self) -> Graph:
        """Returns the order of evaluation and the loops; a notebook shows a picture."""
        return Graph(**self._core.graph())

    def coupling(self, step: float | None = None, *, isolation: Isolation = "auto") -> dict[str, Any]:
        """Builds the system, and analyzes its coupling: see `Simulation.analyze_coupling`."""
        with self.build(isolation=isolation) as simulation:
            return simulation.analyze_coupling(step)

    def save(self, path: PathLike) -> list[str]:
        """Writes the system as .toml, .ssd or .ssp. Returns what other tools will not see of it.

        Tables of sources that came from arrays are written beside the file.
        """
        path = Path(path)
        tables = []
        for folder in self._folders:
            for table in Path(folder.name).iterdir():
                beside = path.absolute().with_name(f"{path.stem}-{table.name}")
                beside.write_bytes(table.read_bytes())
                tables.append((table, beside))
        return [message for message, _ in self._core.save(path, tables)]

    def files(self) -> list[Path]:
        """Returns the files that a run reads, each once."""
        return [Path(file) for file in self._core.files()]

    def fmu_files(self) -> dict[str, Path]:
        """Returns the file of every instance that has one."""
        return {name: Path(file) for name, file in self._core.fmu_files()}

    def manifest(self) -> dict[str, Any]:
        """Returns files with their hashes, and settings, as in the manifest of a run."""
        manifest: dict[str, Any] = json.loads(self._core.manifest())
        return manifest

    def copy(self) -> System:
        """Returns a copy; changes of one do not change the other."""
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new._core = self._core.copy()
        new._calls, new._objects, new._folders = list(self._calls), dict(self._objects), list(self._folders)
        return new

    def __getitem__(self, name: str) -> Instance:
        """Returns an instance."""
        source = self._objects.get(name) or self.fmu_files().get(name)
        if source is None:
            raise KeyError(name)
        return Instance(name, source)

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.instances())

    def __len__(self) -> int:
        return len(self._core.instances())

    def __contains__(self, name: object) -> bool:
        return name in self._core.instances()

    def __repr__(self) -> str:
        return _lotka.printable(f"<system of {', '.join(self) or 'no instances'}>")

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self._path and os.path.abspath(self._path), "calls": [self._portable(*call) for call in self._calls]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._begin(state["path"])
        for name, arguments in state["calls"]:
            if name == "source" and len(arguments) > 2:
                of_source, times, columns, interpolation, outside = arguments
                self.source(of_source, times, columns, interpolation=interpolation, outside=outside)
            elif name == "instance":
                self.instance(*arguments)
            else:
                self._set(name, *arguments)

    def _portable(self, name: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
        """A call as another process makes it, which may have another working directory."""
        is_relative = self._path is None and name in ("instance", "source_csv") and isinstance(arguments[1], str)
        return (name, (arguments[0], os.path.abspath(arguments[1]), *arguments[2:])) if is_relative else (name, arguments)

    def _with(self, start: Mapping[str, object] | None, settings: Mapping[str, Any]) -> System:
        """A copy with settings of one run. What chooses the steps comes first, because it replaces others."""
        system = self.copy()
        first = [name for name in ("tolerance", "local_tolerance", "step") if settings.get(name) is not None]
        for name in [*first, *(name for name in settings if name not in first)]:
            value = settings[name]
            setting = getattr(Settings, "start" if name == "start_time" else name, None)
            if setting is None or name.startswith("_"):
                raise TypeError(f"a system has no setting `{name}`")
            if value is not None:
                setting(system, value)
        for variable, value in (start or {}).items():
            system.start_value(variable, value)
        return system


def _tell_of_isolation(isolated: list[str]) -> None:
    global _tells_of_isolation
    if isolated and _tells_of_isolation:
        _tells_of_isolation = False
        names = ", ".join(isolated)
        _log.warning("FMUs of other tools run in processes of their own (%s); pass isolation=None to load them into this process", names)


def run(
    path: PathLike,
    *,
    tolerance: float | None = None,
    local_tolerance: float | None = None,
    step: float | None = None,
    stop: float | None = None,
    start: Mapping[str, object] | None = None,
    start_time: float | None = None,
    output_interval: float | None = None,
    record: Iterable[str] | None = None,
    isolation: Isolation = "auto",
    on_row: OnRow | None = None,
    progress: Progress = False,
    steps: bool = True,
    on_miss: OnMiss = "raise",
    **settings: Any,
) -> Result:
    """Simulates the system of a file.

    The arguments replace settings of the file: see `System.run`.
    """
    given = {
        "tolerance": tolerance,
        "local_tolerance": local_tolerance,
        "step": step,
        "stop": stop,
        "start_time": start_time,
        "output_interval": output_interval,
        "record": record,
    }
    settings.update((name, value) for name, value in given.items() if value is not None)
    system = System.from_file(path)
    return system.run(
        start=start, isolation=isolation, on_row=on_row, progress=progress, steps=steps, on_miss=on_miss, **settings
    )


