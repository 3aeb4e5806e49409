"""Studies on a cluster of Dask: the same records as on one machine, whatever happens to its workers."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import distributed
import numpy as np
import pytest

import lotka
from lotka import _cluster
from test_isolation import CRASH, Make, make as make  # noqa: PLC0414

RATES = np.linspace(0.05, 0.15, 40)


class Slow(lotka.Model):
    """Lasts long, and says where it runs and when."""

    duration = lotka.Parameter(0.0)
    is_deadly = lotka.Parameter(False)
    log = lotka.Parameter("")
    process = lotka.Output(0)

    def initialize(self, start: float) -> None:
        if self.is_deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        self.process = os.getpid()
        begin = time.monotonic()
        time.sleep(self.duration)
        if self.log:
            with open(self.log, "a") as file:
                file.write(f"{begin} {time.monotonic()} {os.getpid()}\n")

    def step(self, t: float, h: float) -> None:
        """Has nothing to do."""


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A cluster of two worker processes: one thread, and two threads that share one license."""
    options: dict[str, Any] = {"dashboard": False, "dashboard_address": ":0", "host": "127.0.0.1"}
    workers = {
        "one": {"cls": distributed.Nanny, "options": {"nthreads": 1, **options}},
        "two": {"cls": distributed.Nanny, "options": {"nthreads": 2, "resources": {"license": 1}, **options}},
    }
    scheduler = {"cls": distributed.Scheduler, "options": options}
    settings = {
        "distributed.scheduler.allowed-failures": 1,
        # A cluster closes a worker that is absent this long after it ended: also one that was restarted, and ended again.
        "distributed.deploy.lost-worker-timeout": "1 hour",
    }
    with dask.config.set(settings):
        with distributed.SpecCluster(workers=workers, scheduler=scheduler) as cluster, cluster.get_client() as client:
            client.wait_for_workers(2)
            yield client


@pytest.fixture
def system(predator_prey: Path) -> lotka.System:
    return lotka.System.from_file(predator_prey).stop(10.0).output_interval(0.5)


def slow(**start: object) -> lotka.System:
    return lotka.System().instance("m", Slow(), start=start).stop(1.0).step(1.0)


def same(one: lotka.Records, other: lotka.Records) -> bool:
    return list(one) == list(other) and all(one[name].tobytes() == other[name].tobytes() for name in one)


def test_runs_that_miss_their_tolerance_are_marked(client: Any, system: lotka.System) -> None:
    records = system.copy().tolerance(1e-12).max_calls(500).study({"prey.a": RATES[:4]}, client=client)
    assert set(records["status"]) == {"tolerance-not-reached"} and not records["reached"].any()
    assert list(records.messages) == [0, 1, 2, 3] and np.isfinite(records["final(prey.x)"]).all()


@pytest.mark.parametrize("chunk", [None, 1, 7, 1000])
def test_records_are_those_of_one_machine(client: Any, system: lotka.System, chunk: int | None) -> None:
    rates = RATES.copy()
    rates[[3, 20]] = 1e9
    study: dict[str, Any] = {"keep": ["final", "maximum"], "times": [2.5], "local_tolerance": 1e-6}
    here = system.study({"prey.a": rates, "prey.x": 12}, **study)
    calls: list[tuple[int, int]] = []
    there = system.study(
        {"prey.a": rates, "prey.x": 12}, client=client, chunk=chunk, progress=lambda *done: calls.append(done), **study
    )
    assert same(here, there) and there.is_complete and there.units == here.units and there.messages == here.messages
    assert list(there.messages) == [3, 20]
    assert calls == sorted(calls) and calls[-1] == (40, 40) and len(calls) == {None: len(calls), 1: 40, 7: 6, 1000: 1}[chunk]


def test_values_of_all_types_in_a_grid(client: Any, system: lotka.System) -> None:
    grid: dict[str, Any] = {"prey.a": [0.1, 0.2], "prey.x": (5, 10, 20), "predator.c": np.array([0.3, 0.4], dtype=np.float32)}
    here, there = (system.study(grid, sampling="grid", step=0.1, client=each, chunk=each and 5) for each in (None, client))
    assert same(here, there) and there.n_runs == 12
    mixed: dict[str, Any] = {"m.is_deadly": [False, False], "m.log": ["", "/dev/null"], "m.duration": np.array([0, 0])}
    here, there = (slow().study(mixed, variables=["m.p*"], keep=[], client=each) for each in (None, client))
    assert same(here, there) and there["m.log"].tolist() == ["", "/dev/null"]
    assert system.study({}, sampling="grid", step=0.1, client=client).n_runs == 1
    assert system.study({"prey.a": []}, step=0.1, client=client).n_runs == 0


def intervals(log: Path) -> list[tuple[float, float, int]]:
    """When runs began and ended, in which process."""
    lines = map(str.split, log.read_text().splitlines())
    return sorted((float(begin), float(end), int(process)) for begin, end, process in lines)


def most_at_a_time(times: list[tuple[float, float, int]]) -> int:
    return max(sum(begin <= time < end for begin, end, _ in times) for time, _, _ in times)


def test_all_workers_make_runs_at_a_time(client: Any, tmp_path: Path) -> None:
    records = slow(duration=0.05, log=str(tmp_path / "log")).study({"m.is_deadly": [False] * 30}, client=client)
    assert len(set(records["final(m.process)"])) == 2
    assert most_at_a_time(intervals(tmp_path / "log")) == 3


@pytest.mark.parametrize("is_foreign", [True, False], ids=["other tool", "kit"])
@pytest.mark.parametrize("isolation", [None, "auto"])
def test_a_process_runs_an_fmu_of_another_tool_once_at_a_time(
    client: Any, make: Make, predator_prey: Path, tmp_path: Path, is_foreign: bool, isolation: None
) -> None:
    fmu = make("other", None) if is_foreign else predator_prey.parent.parent / "fmus/prey.fmu"
    system = slow(duration=0.05, log=str(tmp_path / "log")).instance("prey", fmu)
    if isolation:
        system.isolate(False)
    study: dict[str, Any] = {"m.is_deadly": [False] * 20}
    records = system.study(study, variables=["m.process"], client=client, chunk=2, isolation=isolation)
    times = intervals(tmp_path / "log")
    most = {process: most_at_a_time([each for each in times if each[2] == process]) for process in records["final(m.process)"]}
    assert max(most.values()) == (1 if is_foreign else 2)


def test_a_worker_that_is_killed_changes_nothing(client: Any, system: lotka.System) -> None:
    rates = np.linspace(0.05, 0.15, 300)
    victims: list[int] = []

    def kill(done: int, runs: int) -> None:
        if not victims:
            victims.extend(client.run(os.getpid).values())
            os.kill(victims[0], signal.SIGKILL)

    there = system.study({"prey.a": rates}, tolerance=1e-7, client=client, chunk=20, progress=kill)
    assert same(system.study({"prey.a": rates}, tolerance=1e-7), there)
    client.wait_for_workers(2)
    assert len(set(client.run(os.getpid).values()) - set(victims)) == 1


def test_an_fmu_that_kills_its_worker_is_isolated(client: Any, make: Make) -> None:
    other = lotka.System().instance("prey", make("crashing", CRASH)).stop(1.0).step(0.1)
    records = other.study({"prey.a": [0.1, 0.2, 0.3]}, client=client, chunk=2, isolation=None)
    assert records["status"].tolist() == ["process-ended"] * 3 and records["time"].tolist() == [0.0] * 3
    assert same(records, other.study({"prey.a": [0.1, 0.2, 0.3]}))


def test_runs_whose_workers_always_die_are_records(client: Any) -> None:
    deadly = np.zeros(9, dtype=bool)
    deadly[4] = True
    records = slow().study({"m.is_deadly": deadly, "m.duration": np.arange(9) / 1e4}, client=client, chunk=3, isolation=None)
    assert records["status"].tolist() == ["ok"] * 3 + ["process-ended"] * 3 + ["ok"] * 3 and records.is_complete
    assert records["reached"].tolist() == [status == "ok" for status in records["status"]]
    assert np.isnan(records["final(m.process)"]).tolist() == [status != "ok" for status in records["status"]]
    assert records["m.duration"].tolist() == (np.arange(9) / 1e4).tolist() and records["run"].tolist() == list(range(9))
    assert list(records.messages) == [3, 4, 5] and "runs 3 to 5" in records.messages[4]


def test_large_systems_are_sent(client: Any, fmus: Path) -> None:
    t = np.linspace(0.0, 1.0, 10_000)
    driven = lotka.System().source("wind", t, np.sin(t)).instance("mass", fmus / "mass.fmu").connect("mass.f", "wind.y")
    here, there = (driven.study({"mass.m": RATES}, stop=1.0, step=0.5, client=each, chunk=each and 10) for each in (None, client))
    assert same(here, there) and set(there["status"]) == {"ok"}


def test_tasks_wait_for_resources(client: Any, tmp_path: Path) -> None:
    log = tmp_path / "log"
    records = slow(duration=0.05, log=str(log)).study(
        {"m.is_deadly": [False] * 8}, client=client, chunk=1, resources={"license": 1}
    )
    assert len(set(records["final(m.process)"])) == 1
    times = intervals(log)
    assert len(times) == 8 and most_at_a_time(times) == 1


def test_mistakes_are_told_before_anything_is_sent(
    client: Any, system: lotka.System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "submit", None)
    with pytest.raises(lotka.DescriptionError, match="has no variable `q`"):
        system.study({"prey.q": [1.0]}, step=0.1, client=client)
    with pytest.raises(lotka.DescriptionError, match="no row at 0.3 s"):
        system.study({"prey.a": [0.1]}, times=[0.3], step=0.1, client=client)
    with pytest.raises(ValueError, match="found prey.a: 2, prey.x: 3"):
        system.study({"prey.a": [0.1, 0.2], "prey.x": [5, 10, 20]}, client=client)
    with pytest.raises(ValueError, match="at least one run per chunk, found 0"):
        system.study({"prey.a": [0.1]}, client=client, chunk=0)
    with pytest.raises(TypeError, match="`jobs`"):
        system.study({"prey.a": [0.1]}, client=client, jobs=2)
    with pytest.raises(TypeError, match="pass a `client`"):
        system.study({"prey.a": [0.1]}, resources={"license": 1})
    with pytest.raises(TypeError, match="get_client"):
        system.study({"prey.a": [0.1]}, client=client.cluster)

    class Careful(Slow):
        def save(self) -> object:
            return {}

        def restore(self, state: object) -> None:
            """Keeps the lock."""

    locked = Careful()
    locked.lock = threading.Lock()  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="cannot send the system to the workers: .*lock"):
        lotka.System().instance("m", locked).stop(1.0).step(1.0).study({"m.duration": [0.0]}, client=client)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match="pip install distributed"):
        system.study({"prey.a": [0.1]}, client=client)


def test_an_exception_of_progress_keeps_the_records(client: Any, system: lotka.System) -> None:
    def enough(done: int, runs: int) -> None:
        if done >= 30:
            raise StopIteration("thirty")

    with pytest.raises(StopIteration) as raised:
        system.study({"prey.a": np.linspace(0.05, 0.15, 10**6)}, step=0.1, client=client, chunk=10, progress=enough)
    records = raised.value.records  # type: ignore[attr-defined]
    assert records.n_runs == 30 and not records.is_complete
    every = np.linspace(0.05, 0.15, 10**6)[records["run"]]
    assert records["prey.a"].tolist() == every.tolist()


def wait_for_workers(client: Any) -> None:
    """Waits until the workers make nothing: not even a chunk that nobody wants any more, which would take five minutes."""
    begin = time.monotonic()
    while any(client.run(lambda dask_worker: len(dask_worker.state.executing)).values()) or any(client.processing().values()):
        assert time.monotonic() - begin < 15
        time.sleep(0.05)


# The study is checked, its files are read, its chunks are sent and made; which of them is interrupted depends on the machine.
@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3, 0.6, 0.7, 0.8])
def test_ctrl_c_is_never_lost(client: Any, delay: float) -> None:
    def press() -> None:
        time.sleep(delay)
        signal.raise_signal(signal.SIGINT)

    system = slow(duration=0.01)
    thread = threading.Thread(target=press, daemon=True)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        system.study({"m.is_deadly": [False] * 90000}, client=client, chunk=30000)
    wait_for_workers(client)


def test_ctrl_c_ends_chunks_that_are_being_made(client: Any) -> None:
    wait_for_workers(client)

    def press() -> None:
        while not any(client.processing().values()):
            time.sleep(0.05)
        time.sleep(0.3)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt) as raised:
        slow(duration=0.01).study({"m.is_deadly": [False] * 90000}, client=client, chunk=30000)
    assert raised.value.records.n_runs == 0  # type: ignore[attr-defined]
    wait_for_workers(client)


def test_workers_need_the_same_version_and_files(
    client: Any, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = lotka.System.from_file("system.toml").step(0.1)
    with monkeypatch.context() as patch:
        patch.setattr(_cluster, "__version__", "0.0.1")
        with pytest.raises(lotka.Error, match=f"worker tcp.* has Lotka {lotka.__version__}, and the client has 0.0.1"):
            system.study({"prey.a": [0.1]}, client=client)
    with monkeypatch.context() as patch:
        patch.setattr(_cluster, "_files", lambda system: [(path, "0") for path, _ in files(system)])
        with pytest.raises(lotka.Error, match="system.toml is not the file that the client has read"):
            system.study({"prey.a": [0.1]}, client=client)
    # Both workers have compared the files, and do it again when these change.
    assert system.study({"prey.a": [0.1] * 16}, client=client, chunk=1)["status"].tolist() == ["ok"] * 16
    Path("system.toml").write_text(Path("system.toml").read_text() + "# another one\n")
    for _ in range(4):
        with pytest.raises(lotka.Error, match="system.toml is not the file that the client has read"):
            system.study({"prey.a": [0.1]}, client=client)
    system = lotka.System.from_file("system.toml").step(0.1)
    for name in ("prey.fmu", "system.toml"):
        with monkeypatch.context() as patch:
            patch.setattr(_cluster, "_files", lambda system: (files(system), (scratch / name).rename("away"))[0])
            with pytest.raises(lotka.Error, match=rf"worker tcp.*cannot read.*{name}") as raised:
                system.study({"prey.a": [0.1]}, client=client)
        assert raised.value.code == "unreadable-file"
        Path("away").rename(name)
    assert system.study({"prey.a": [0.1]}, client=client)["status"].tolist() == ["ok"]


files = _cluster._files


def test_a_task_is_tried_again(client: Any, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = lotka.System.from_file("system.toml").step(0.1)

    def hide(system: lotka.System) -> list[tuple[str, str | None]]:
        found = files(system)
        Path("prey.fmu").rename("away")
        threading.Timer(0.3, lambda: (scratch / "away").rename(scratch / "prey.fmu")).start()
        return found

    monkeypatch.setattr(_cluster, "_files", hide)
    assert system.study({"prey.a": [0.1]}, client=client, retries=10**6)["status"].tolist() == ["ok"]


def test_shards_of_a_study_in_a_file(client: Any, scratch: Path) -> None:
    study = scratch / "study.toml"
    study.write_text("[sweep]\nsystem = 'system.toml'\n[parameters]\nprey.a = { from = 0.05, to = 0.2, count = 10 }\n")
    runs = client.gather(client.map(lambda k: lotka.sweep(study, shard=(k, 3), jobs=1).n_runs, range(1, 4)))
    assert runs == [4, 3, 3] and len(list(scratch.glob("study-*-of-3.parquet"))) == 3


def test_runs_wait_for_workers_and_end_with_the_cluster(
    system: lotka.System, caplog: pytest.LogCaptureFixture
) -> None:
    options: dict[str, Any] = {"processes": False, "n_workers": 0, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, cluster.get_client() as client:
        threading.Timer(0.5, lambda: cluster.scale(1)).start()
        assert system.study({"prey.a": RATES}, step=0.1, client=client, chunk=10).n_runs == 40
        assert "the runs wait for a worker" in caplog.text

        def lose(done: int, runs: int) -> None:
            if done == 3:
                cluster.close()

        with pytest.raises(Exception) as raised:
            system.study({"prey.a": np.linspace(0.05, 0.15, 10**5)}, step=0.1, client=client, chunk=1, progress=lose)
        assert 3 <= raised.value.records.n_runs < 100  # type: ignore[attr-defined]


def test_workers_need_the_modules_of_the_client(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("only_here")
    exec("import lotka\nclass Model(lotka.Model):\n    x = lotka.Parameter(0.0)", vars(module))
    monkeypatch.setitem(sys.modules, "only_here", module)
    absent = lotka.System().instance("m", module.Model()).stop(1.0).step(1.0)
    with pytest.raises(lotka.Error, match="cannot import a class of the system: No module named 'only_here'"):
        absent.study({"m.x": [0.0]}, client=client)

    def hide(name: str, is_hidden: bool) -> None:
        sys.modules[name] = None if is_hidden else sys.modules["lotka"].__dict__["_cluster"]  # type: ignore[assignment]

    client.run(hide, "lotka._cluster", True)
    try:
        with pytest.raises(lotka.Error, match="install the same packages everywhere"):
            slow().study({"m.duration": [0.0]}, client=client)
    finally:
        client.run(hide, "lotka._cluster", False)


@pytest.mark.parametrize(("per_run", "opening"), [(2e-4, 5e-3), (0.02, 0.3), (3.0, 0.1), (60.0, 1.0)])
@pytest.mark.parametrize("threads", [1, 2, 64])
def test_chunks_last_some_seconds(per_run: float, opening: float, threads: int) -> None:
    n_runs = 100_000
    sizes, runs, lengths = _cluster._Sizes(n_runs, None), 0, []
    while (part := sizes.next(threads)) is not None:
        assert part.start == runs
        runs = part.stop
        lengths.append(len(part))
        sizes.measured(part, _cluster.Chunk([], [], opening, per_run * len(part)))
    assert runs == n_runs
    durations = [length * per_run for length in lengths]
    # The first ones show how long a run lasts; the last ones are spread evenly.
    known = durations[6:-threads]
    assert known or n_runs * per_run < 12 * threads
    assert all(min(0.99, n_runs * per_run / threads / 2) <= duration <= max(10.0, per_run) for duration in known)
    assert max(lengths) <= -(-n_runs // threads)


def test_one_short_run_does_not_make_long_chunks() -> None:
    sizes = _cluster._Sizes(10_000, None)
    first = sizes.next(2)
    assert first == range(1)
    sizes.measured(first, _cluster.Chunk([], [], 0.01, 1e-5))
    second = sizes.next(2)
    assert second == range(1, 11)
    sizes.measured(second, _cluster.Chunk([], [], 0.01, 100.0))
    assert sizes.next(2) == range(11, 12)
