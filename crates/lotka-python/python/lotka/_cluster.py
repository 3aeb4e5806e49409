"""Studies on a cluster: each task of Dask makes a chunk of runs.

The client checks the study (`Cluster`), and sends chunks (`_Running`) whose sizes follow from the times of those that are done (`_Sizes`). A worker
makes the runs of a chunk (`make_runs`). What is sent consists of builtin types and of the code of a function: a worker that cannot import this package
says so, instead of losing its connection when it receives a task.
"""

from __future__ import annotations

import hashlib
import logging
import math
import os
import pickle
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ._errors import Error
from ._lotka import __version__

if TYPE_CHECKING:
    import distributed

    from . import _lotka
    from ._sweep import Parameters
    from ._system import Isolation, System

_log = logging.getLogger("lotka")

#: What is kept of each run: words, names of variables, times.
_Kept = tuple[list[str], "list[str] | None", list[float]]

#: What all chunks share: version, pickled system, its files with their hashes, what is kept.
_Study = tuple[str, bytes, "list[tuple[str, str | None]]", _Kept]

#: Parameters with their values, and whether all combinations are made.
_Values = tuple["list[tuple[str, bytes | list[Any]]]", bool]

#: Shortest and longest time that a chunk is meant to last [s].
_SHORTEST, _LONGEST = 1.0, 10.0

#: A chunk is meant to last this many times as long as FMUs are opened.
_OPENINGS = 50

#: A chunk has at most this many times as many runs as the largest one whose time is known.
_GROWTH = 10

#: Number of chunks, per thread of the cluster, that are sent ahead.
_AHEAD = 4

#: A system of more bytes is sent to each worker once, instead of with each chunk.
_LARGE = 100_000

#: Intervals at which the client counts the threads of the cluster, and polls for finished tasks [s].
_LOOK, _PAUSE = 2.0, 0.01


class Chunk(NamedTuple):
    """The records of some runs, and how long it took to open the FMUs and to make the runs [s]."""

    columns: list[_lotka._Column]
    messages: list[tuple[int, str]]
    opening: float
    running: float


#: Taken while FMUs of other tools run in the process of a worker, because the study wants it: those of another thread would share their static data.
_alone = threading.Lock()

#: Digests of systems whose files this process has compared, and what these files were like then.
_compared: set[tuple[bytes, tuple[tuple[int, ...] | None, ...]]] = set()


def make_runs(study: _Study, runs: range, values: _Values, isolation: Isolation) -> Chunk:
    """Makes the runs of a chunk, in a worker."""
    from distributed import Reschedule, get_worker

    version, system, files, kept = study
    worker = get_worker()
    where = f"worker {worker.address}"
    if version != __version__:
        message = f"{where} has Lotka {__version__}, and the client has {version}; install the same version everywhere"
        raise Error(message, "wrong-usage")
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    begin = time.monotonic()
    try:
        opened = _open(system, files)
        read = time.monotonic()
        with _alone if opened._core.has_foreign_fmus(isolation) else nullcontext():
            locked = time.monotonic()
            outcome, _ = opened._core.sweep(isolation, *values, kept, 1, None, is_wanted)
            end = time.monotonic()
    except Error as error:
        error.args = (f"{where}: {error}", *error.args[1:])
        raise
    columns, messages, is_complete, raised, opening = outcome
    if raised is not None:
        raise raised
    if not is_complete:
        # Nobody waits for it any more, or somebody does again.
        raise Reschedule
    running = end - locked - opening
    return Chunk(_numbered(columns, runs), [(runs[place], text) for place, text in messages], read - begin + opening, running)


def _open(pickled: bytes, files: list[tuple[str, str | None]]) -> System:
    """The system, if its files are those of the client."""
    try:
        system: System = pickle.loads(pickled)
    except (ImportError, AttributeError) as error:
        message = f"cannot import a class of the system: {error}; install its module on all workers, or define the class in the main program"
        raise Error(message, "wrong-usage") from error
    key = (hashlib.sha256(pickle.dumps((pickled, files))).digest(), tuple(map(_state, system.files())))
    if key in _compared:
        return system
    for (path, expected), (_, found) in zip(files, _files(system)):
        if expected is None:
            # An object is part of the system.
            continue
        if found is None:
            message = f"cannot read {path}; put the files of the system in a folder that all workers read by the same name"
            raise Error(message, "unreadable-file")
        if found != expected:
            message = f"{path} is not the file that the client has read; put it in a folder that all workers share"
            raise Error(message, "unreadable-file")
    _compared.add(key)
    return system


def _state(path: Path) -> tuple[int, ...] | None:
    """What changes with the content of a file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _files(system: System) -> list[tuple[str, str | None]]:
    """The files of a system, with their hashes as far as they can be read."""
    manifest = system.manifest()
    main = [manifest["system"]] if manifest["system"] else []
    return [(file["path"], file["sha256"]) for file in (*main, *manifest["fmus"], *manifest["sources"])]


def _numbered(columns: list[_lotka._Column], runs: range) -> list[_lotka._Column]:
    """Records with the numbers of the runs in the study."""
    import numpy

    (name, unit, description, kind, data), *others = columns
    numbers = numpy.arange(runs.start, runs.start + len(data) // numpy.dtype(kind).itemsize, dtype=kind)
    return [(name, unit, description, kind, numbers.tobytes()), *others]


class _Sizes:
    """How many runs the next chunk has."""

    def __init__(self, n_runs: int, chunk: int | None) -> None:
        self._n_runs = n_runs
        self._next = 0
        self._largest = 0
        #: Number of runs, their time and that of the opening of FMUs [s], of the last chunks.
        self._measured: deque[tuple[int, float, float]] = deque(maxlen=32)
        #: The size of all chunks that are left.
        self._final: int | None = chunk

    def measured(self, runs: range, chunk: Chunk) -> None:
        """Takes note of the times of a chunk."""
        self._measured.append((len(runs), chunk.running, chunk.opening))
        self._largest = max(self._largest, len(runs))

    def _wanted(self) -> float:
        """The number of runs that last as long as a chunk is meant to."""
        runs, running, opening = map(sum, zip(*self._measured))
        duration = min(max(_SHORTEST, _OPENINGS * opening / len(self._measured)), _LONGEST)
        return max(1.0, duration * runs / max(running, 1e-9))

    def ahead(self) -> int:
        """The number of chunks, per thread, that are sent ahead: the first ones show how large others can be."""
        is_known = self._final is not None or (bool(self._measured) and self._wanted() <= _GROWTH * self._largest)
        return _AHEAD if is_known else 1

    def next(self, threads: int) -> range | None:
        """The runs of the next chunk."""
        rest = self._n_runs - self._next
        if not rest:
            return None
        size = self._final
        if size is None and not self._measured:
            size = 1
        elif size is None:
            most = int(min(self._wanted(), _GROWTH * self._largest))
            if rest <= most * threads:
                # No worker has nothing to do while others still have much.
                self._final = math.ceil(rest / threads)
            size = self._final or most
        runs = range(self._next, min(self._next + size, self._n_runs))
        self._next = runs.stop
        return runs


@dataclass
class Cluster:
    """A cluster that makes the runs of a study."""

    client: distributed.Client
    #: Number of runs of a chunk.
    chunk: int | None
    #: What a task needs of its worker.
    resources: Mapping[str, float] | None
    #: How often a task is tried again that raised an exception.
    retries: int

    def __post_init__(self) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise ImportError("runs on a cluster need the package distributed: pip install distributed") from error
        if not isinstance(self.client, Client):
            raise TypeError(f"expected a client of dask.distributed, found {self.client!r}; of a cluster, pass `cluster.get_client()`")
        if self.client.asynchronous:
            raise TypeError("expected a client that is not asynchronous; make it with asynchronous=False")
        if self.chunk is not None and self.chunk < 1:
            raise ValueError(f"expected at least one run per chunk, found {self.chunk}")

    def study(
        self, system: System, parameters: Parameters, kept: _Kept, isolation: Isolation
    ) -> Callable[[Callable[[int, int], Any] | None], tuple[_lotka._Outcome, list[str]]]:
        """Returns what checks the study, and makes its runs."""

        def make(call: Callable[[int, int], Any] | None) -> tuple[_lotka._Outcome, list[str]]:
            outcome, isolated = system._core.sweep(isolation, parameters.native(), parameters.is_grid, kept, 0, None)
            if outcome[3] is None:
                outcome = _Running(self, system, kept, parameters, isolation, outcome[0]).make(call)
            return outcome, isolated

        return make

    def threads(self) -> int:
        """The number of tasks that the workers make at a time; none if there are no workers yet."""
        if not self.resources:
            return sum(self.client.nthreads().values())
        # All workers, which is not the default of every version.
        return sum(map(self._threads_of, self.client.scheduler_info(n_workers=-1)["workers"].values()))

    def _threads_of(self, worker: Mapping[str, Any]) -> int:
        """The number of tasks of a worker that has resources."""
        has = worker["resources"]
        fits = [int(has.get(name, 0) // needed) for name, needed in (self.resources or {}).items() if needed > 0]
        return min([int(worker["nthreads"]), *fits])


def _pickled(system: System) -> bytes:
    import cloudpickle

    try:
        pickled: bytes = cloudpickle.dumps(system)
    except Exception as error:
        raise TypeError(f"cannot send the system to the workers: {error}; its objects must be pickled") from error
    return pickled


class _Running:
    """The runs of a study while a cluster makes them."""

    def __init__(
        self,
        cluster: Cluster,
        system: System,
        kept: _Kept,
        parameters: Parameters,
        isolation: Isolation,
        columns: list[_lotka._Column],
    ) -> None:
        self._cluster = cluster
        self._system = system
        self._kept = kept
        self._parameters = parameters
        self._isolation = isolation
        #: The columns of no runs.
        self._columns = columns
        self._name = uuid.uuid4().hex[:8]
        self._sizes = _Sizes(parameters.n_runs, cluster.chunk)
        #: The runs of the tasks that were sent, and whether a task is the only one.
        self._sent: dict[distributed.Future, tuple[range, bool]] = {}
        #: Runs whose workers died, by their own fault or that of others.
        self._suspects: deque[range] = deque()
        #: The records, by the first run.
        self._records: dict[int, Chunk] = {}
        self._done = 0
        #: The number of threads of the cluster, when it was looked last.
        self._threads = 1
        self._looked = -math.inf

    def make(self, call: Callable[[int, int], Any] | None) -> _lotka._Outcome:
        """Makes the runs. What ends them is part of the result, as are all records until then."""
        ended: BaseException | None = None
        try:
            self._make(call)
        except BaseException as error:
            ended = error
            # The cluster may be what is lost.
            with suppress(Exception):
                self._cluster.client.cancel(list(self._sent))
        return self._outcome(ended)

    def _make(self, call: Callable[[int, int], Any] | None) -> None:
        from distributed import as_completed

        study: _Study = (__version__, _pickled(self._system), _files(self._system), self._kept)
        shared: Any = study
        if len(study[1]) > _LARGE:
            # A task of its own holds it: each worker receives it once, and again if the worker that has it dies. Dask prefers workers that have it.
            shared = self._cluster.client.submit(tuple, study, key=f"lotka-study-{self._name}", pure=False)
        completed = as_completed()
        self._fill(shared, completed)
        while self._sent:
            if completed.has_ready():
                self._take(next(completed))
                if call is not None:
                    call(self._done, self._parameters.n_runs)
            else:
                time.sleep(_PAUSE)
            self._fill(shared, completed)

    def _take(self, future: distributed.Future) -> None:
        """Handles a finished task."""
        from distributed import KilledWorker

        runs, is_alone = self._sent.pop(future)
        try:
            self._receive(runs, future.result())
        except KilledWorker as killed:
            if is_alone:
                self._receive(runs, self._lost(runs, killed))
            else:
                self._suspect(runs)
        except ImportError as error:
            message = f"a worker cannot import {error.name or error}; install the same packages everywhere"
            raise Error(message, "wrong-usage") from error
        future.release()

    def _receive(self, runs: range, chunk: Chunk) -> None:
        if chunk.running:
            self._sizes.measured(runs, chunk)
        self._records[runs.start] = chunk
        self._done += len(runs)

    def _suspect(self, runs: range) -> None:
        """Makes runs whose workers died again, alone. From now on, FMUs are isolated."""
        _log.warning("workers died in runs %d to %d, which are made again; from now on, FMUs run in processes of their own", runs[0], runs[-1])
        self._isolation = "process"
        self._suspects.append(runs)

    def _fill(self, shared: Any, completed: distributed.as_completed) -> None:
        """Sends as many chunks as the cluster can use."""
        self._look()
        if self._suspects:
            if not self._sent:
                self._send(shared, completed, self._suspects.popleft(), is_alone=True)
            return
        threads = max(self._threads, 1)
        while len(self._sent) < threads * self._sizes.ahead():
            runs = self._sizes.next(threads)
            if runs is None:
                return
            self._send(shared, completed, runs, is_alone=False)

    def _look(self) -> None:
        """Looks how many threads the cluster has, from time to time."""
        if time.monotonic() - self._looked < _LOOK:
            return
        before, self._threads = self._threads, self._cluster.threads()
        self._looked = time.monotonic()
        if before and not self._threads:
            needed = f" that has {dict(self._cluster.resources)}" if self._cluster.resources else ""
            _log.warning("the runs wait for a worker%s", needed)

    def _send(self, shared: Any, completed: distributed.as_completed, runs: range, is_alone: bool) -> None:
        part = self._parameters.part(runs)

        # The code of a function inside another one is sent, instead of its name.
        def task(*arguments: Any) -> Any:
            from lotka._cluster import make_runs

            return make_runs(*arguments)

        future = self._cluster.client.submit(
            task,
            shared,
            runs,
            (part.native(), part.is_grid),
            self._isolation,
            key=f"lotka-runs-{self._name}-{runs.start}-{runs.stop}{'-alone' if is_alone else ''}",
            pure=False,
            resources=self._cluster.resources,
            retries=self._cluster.retries,
        )
        self._sent[future] = (runs, is_alone)
        completed.add(future)

    def _lost(self, runs: range, killed: Exception) -> Chunk:
        """The records of runs whose workers died."""
        import numpy

        values = dict(self._parameters.part(runs).items())
        known = {"status": ["process-ended"] * len(runs), "run": runs, **values}
        columns: list[_lotka._Column] = []
        for name, unit, description, kind, _ in self._columns:
            of_failure = {"str": "", "<f8": math.nan}.get(kind, 0)
            found = known.get(name, [of_failure] * len(runs))
            data = [str(value) for value in found] if kind == "str" else numpy.asarray(found).astype(kind).tobytes()
            columns.append((name, unit, description, kind, data))
        text = f"the processes of workers ended in runs {runs[0]} to {runs[-1]}: {killed}"
        return Chunk(columns, [(run, text) for run in runs], 0.0, 0.0)

    def _outcome(self, ended: BaseException | None) -> _lotka._Outcome:
        """All records, in the order of the runs."""
        chunks = [self._records[first] for first in sorted(self._records)]
        columns: list[_lotka._Column] = []
        for place, (name, unit, description, kind, empty) in enumerate(self._columns):
            parts = [chunk.columns[place][4] for chunk in chunks]
            if isinstance(empty, bytes):
                columns.append((name, unit, description, kind, b"".join(part for part in parts if isinstance(part, bytes))))
            else:
                columns.append((name, unit, description, kind, [text for part in parts for text in part if isinstance(text, str)]))
        messages = [message for chunk in chunks for message in chunk.messages]
        return columns, messages, self._done == self._parameters.n_runs and ended is None, ended, 0.0

