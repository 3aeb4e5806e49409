"""Runs: callbacks, signals, threads, processes, logging."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import lotka


def test_rows_come_while_the_run_goes_on(predator_prey: Path) -> None:
    rows: list[tuple[float, dict[str, object]]] = []
    thread = threading.get_ident()

    def on_row(time: float, row: dict[str, Any]) -> None:
        assert threading.get_ident() == thread
        rows.append((time, row))

    result = lotka.run(predator_prey, step=0.1, on_row=on_row)
    assert [time for time, _ in rows] == result.time.tolist()
    assert [row["prey.x"] for _, row in rows] == result["prey.x"].tolist()
    assert list(rows[0][1]) == list(result)


def test_an_exception_of_a_callback_ends_the_run_and_reaches_the_caller(predator_prey: Path) -> None:
    class Enough(Exception):
        pass

    seen = []

    def on_row(time: float, row: dict[str, Any]) -> None:
        seen.append(time)
        if time >= 3.0:
            raise Enough("three")

    with pytest.raises(Enough, match="three") as raised:
        lotka.run(predator_prey, step=0.1, on_row=on_row)
    assert seen == [0.0, 1.0, 2.0, 3.0], "no row after the exception"
    rows = raised.value.rows  # type: ignore[attr-defined]
    assert rows.end == "canceled" and rows.time[-1] >= 3.0
    assert any(entry.name == "on_row" for entry in raised.traceback)


def test_a_simulation_runs_again_after_it_was_canceled(predator_prey: Path) -> None:
    with lotka.System.from_file(predator_prey).step(0.1).build() as simulation:
        whole = simulation.run()

        def stop(time: float, row: object) -> None:
            raise StopIteration

        with pytest.raises(StopIteration):
            simulation.run(on_row=stop)
        assert lotka.compare(simulation.run(), whole).equal


INTERRUPTED = """
import os, signal, threading, sys, time
import lotka
system = lotka.System.from_file(sys.argv[1]).step(1e-5).stop(1e6).output_interval(1.0)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    system.run()
except KeyboardInterrupt as interrupt:
    assert interrupt.rows.n_rows > 0 and interrupt.rows.end == "canceled", interrupt.rows
    print("interrupted", time.monotonic() - begin < 5.0)
"""


def test_control_c_ends_a_run_and_keeps_its_rows(predator_prey: Path) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, predator_prey], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["interrupted", "True"], done.stderr


def test_progress_is_told(predator_prey: Path) -> None:
    shares: list[float] = []
    system = lotka.System.from_file(predator_prey).step(1e-3).stop(500.0)
    result = system.run(progress=shares.append)
    assert result.end == "stop-time"
    assert shares and shares == sorted(shares) and 0.0 < shares[-1] <= 1.0


def test_progress_has_a_bar(predator_prey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lotka.System.from_file(predator_prey).step(1e-3).stop(500.0).run(progress=True)
    assert "%" in capsys.readouterr().err


def test_an_exception_of_the_progress_ends_the_run(predator_prey: Path) -> None:
    def progress(share: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        lotka.System.from_file(predator_prey).step(1e-4).stop(1e5).output_interval(100.0).run(progress=progress)


def test_other_threads_run_meanwhile(predator_prey: Path) -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    lotka.System.from_file(predator_prey).step(1e-3).stop(500.0).run()
    done.set()
    thread.join()
    assert counted > 1000


def test_two_threads_have_two_simulations(predator_prey: Path) -> None:
    expected = lotka.run(predator_prey, step=0.01)
    results: list[lotka.Result] = []
    threads = [threading.Thread(target=lambda: results.append(lotka.run(predator_prey, step=0.01))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2 and all(lotka.compare(result, expected).equal for result in results)


def test_a_second_thread_gets_a_clear_error(predator_prey: Path) -> None:
    simulation = lotka.System.from_file(predator_prey).step(0.1).build()
    errors: list[BaseException] = []

    def second() -> None:
        try:
            simulation.run()
        except lotka.Error as error:
            errors.append(error)

    def on_row(time: float, row: object) -> None:
        if time == 1.0:
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()

    assert simulation.run(on_row=on_row).end == "stop-time"
    assert len(errors) == 1 and type(errors[0]) is lotka.BusyError
    assert "by another thread" in str(errors[0]) and errors[0].code == "wrong-usage"
    simulation.close()
    with pytest.raises(lotka.ClosedError):
        simulation.run()


def test_a_callback_cannot_use_its_simulation(predator_prey: Path) -> None:
    with lotka.System.from_file(predator_prey).step(0.1).build() as simulation:
        for use in (simulation.run, simulation.close, lambda: simulation.set_start("prey.x", 1.0)):
            with pytest.raises(lotka.BusyError, match="callback"):
                simulation.run(on_row=lambda time, row, use=use: use())  # type: ignore[misc]


def test_another_thread_cancels(predator_prey: Path) -> None:
    simulation = lotka.System.from_file(predator_prey).step(1e-4).stop(1e6).output_interval(1.0).build()
    timer = threading.Timer(0.2, simulation.cancel)
    timer.start()
    assert simulation.run().end == "canceled"


def test_a_fork_is_noticed(predator_prey: Path) -> None:
    simulation = lotka.System.from_file(predator_prey).step(0.1).build()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            simulation.run()
        except BaseException as error:
            os.write(write, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    text = os.read(read, 10_000).decode()
    assert text.startswith("ForkError: ") and "spawn" in text
    assert simulation.run().end == "stop-time"


def test_a_fork_leaves_the_files_of_its_parent(predator_prey: Path) -> None:
    """Temporary folders of loaded FMUs are removed by the process that made them."""
    program = """
import os, sys, lotka
system = lotka.System.from_file(sys.argv[1]).step(0.1)
expected = system.run()
folders = lambda: {entry for line in open("/proc/self/maps") if "prey" in line for entry in [line.split()[-1]]}
before = folders()
assert before and all(map(os.path.exists, before)), before
if os.fork() == 0:
    assert lotka.compare(system.run(), expected).equal
    sys.exit(0)
assert os.wait()[1] == 0
assert all(map(os.path.exists, before)), before
assert lotka.compare(system.run(), expected).equal
print(*before)
"""
    done = subprocess.run([sys.executable, "-c", program, predator_prey], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() and not any(map(os.path.exists, done.stdout.split())), "nothing stays behind"


def final_prey(system: lotka.System, x: float) -> float:
    return float(system.run(start={"prey.x": x}, steps=False)["prey.x"][-1])


def test_pools_of_spawned_processes_get_systems(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = lotka.System().instance("prey", "prey.fmu").instance("predator", "predator.fmu")
    system.connect({"prey.y": "predator.y", "predator.x": "prey.x"}).stop(10.0).step(0.1)
    starts = [(system, x) for x in (5.0, 10.0, 20.0)]
    expected = [final_prey(*start) for start in starts]
    dumped = pickle.dumps(system)
    monkeypatch.chdir("/")
    assert final_prey(pickle.loads(dumped), 5.0) == expected[0], "paths do not depend on the working directory"
    monkeypatch.chdir(scratch)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.starmap(final_prey, starts) == expected


def test_lines_of_fmus_are_logged(predator_prey: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="lotka"):
        lotka.System.from_file(predator_prey).step(1.0).stop(2.0).debug_logging().run()
    names = {record.name for record in caplog.records}
    assert {"lotka.fmu.prey", "lotka.fmu.predator"} <= names


def test_warnings_are_logged_and_kept(predator_prey: Path, caplog: pytest.LogCaptureFixture) -> None:
    system = lotka.System.from_file(predator_prey).estimator("embedded").step(0.1)
    result = system.run()
    assert len(result.warnings) >= 1
    logged = [record.getMessage() for record in caplog.records if record.name == "lotka"]
    assert any(result.warnings[0] in line for line in logged), logged


def test_many_runs_equal_new_ones(predator_prey: Path) -> None:
    system = lotka.System.from_file(predator_prey).step(0.1).stop(10.0)
    with system.build() as simulation:
        for x in (5.0, 10.0, 20.0):
            simulation.set_start("prey.x", x)
            assert lotka.compare(simulation.run(), system.run(start={"prey.x": x})).equal
        with pytest.raises(lotka.DescriptionError):
            simulation.set_starts({"prey.x": 1.0, "prey.q": 2.0})
        assert simulation.run()["prey.x"][0] == 20.0


def memory() -> int:
    """Resident memory of this process [kB]."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_thousands_of_runs_leave_nothing_behind(predator_prey: Path) -> None:
    system = lotka.System.from_file(predator_prey).step(0.5).output_interval(0.5)
    with system.build() as simulation:
        for _ in range(300):
            simulation.run(steps=True)["prey.x"].sum()
        before = memory()
        for _ in range(2000):
            simulation.run(steps=True)["prey.x"].sum()
        assert memory() - before < 3000, "2000 results of 201 rows have 16 MB"
    for _ in range(20):
        system.run()
    before, threads, tasks = memory(), threading.active_count(), len(os.listdir("/proc/self/task"))
    for _ in range(200):
        system.run()
    assert memory() - before < 3000 and threading.active_count() == threads
    deadline = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > tasks and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/task")) <= tasks, "the threads of closed simulations have ended, those of other packages stay"


def test_the_overhead_of_a_run_is_small(predator_prey: Path) -> None:
    """A run of one step consists of overhead, that of the library and of the package: less than a third of what a thousand steps take."""
    system = lotka.System.from_file(predator_prey).step(1.0).output_interval(1000.0)
    with system.stop(1.0).build() as short, system.stop(1001.0).build() as long:
        durations: list[list[float]] = [[], []]
        for _ in range(50):
            for simulation, times in zip((short, long), durations):
                begin = time.perf_counter()
                simulation.run()["prey.x"]
                times.append(time.perf_counter() - begin)
    one, thousand = (sorted(every)[len(every) // 2] for every in durations)
    assert one < (thousand - one) / 3


def test_handlers_of_signals_run_during_a_run(predator_prey: Path) -> None:
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        lotka.System.from_file(predator_prey).step(1e-3).stop(500.0).output_interval(1.0).run()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen
