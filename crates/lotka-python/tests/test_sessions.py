"""Sessions: runs that pause."""

from __future__ import annotations

import gc
import inspect
import re
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import lotka


def test_pieces_are_bit_by_bit_the_run(predator_prey: Path) -> None:
    whole = lotka.run(predator_prey, step=0.1)
    with lotka.System.from_file(predator_prey).session(step=0.1) as session:
        while session.advance(7.3):
            assert session.get(["prey.x", "predator.y"]) == [session["prey.x"], session["predator.y"]]
    result = session.result
    assert result is not None and result.end == "stop-time"
    assert result.time.tobytes() == whole.time.tobytes()
    for name in whole:
        assert result[name].tobytes() == whole[name].tobytes()
    assert result.report["statistics"] == whole.report["statistics"]


def test_changes_are_those_of_a_scenario(predator_prey: Path) -> None:
    system = lotka.System.from_file(predator_prey).step(0.1).input_degree(1).sweep("gauss-seidel")
    scenario = system.copy().set_at(2.0, "prey.y", 3.0).run()
    with system.session() as session:
        session.advance_to(2.0)
        session["prey.y"] = np.float64(3.0)
        assert session["prey.y"] == 3.0
        session.advance_to(1e9)
        assert not session.can_continue
    assert session.result is not None
    assert session.result["prey.x"].tobytes() == scenario["prey.x"].tobytes()


def test_a_session_returns_to_a_point(predator_prey: Path) -> None:
    system = lotka.System.from_file(predator_prey).step(0.1).output_interval(0.1)
    expected = system.run()
    with system.session() as session:
        session.advance_to(3.0)
        point = session.save()
        values = {}
        for predators in (2, 4.0, 8.0):
            session.set({"prey.y": predators})
            session.advance_to(5.05, exactly=True)
            assert session.time == 5.05
            values[predators] = session["prey.x"]
            session.restore(point)
            assert session.time == point.time == 3.0
        assert sorted(values, key=values.__getitem__) == [8.0, 4.0, 2]
        session.set("prey.y", 1.0)
        session.reconnect("prey.y")
        session.restore(point)
        session.advance_to(100.0)
    assert session.result is not None
    assert session.result["prey.x"].tobytes() == expected["prey.x"].tobytes()


def test_what_is_refused(predator_prey: Path) -> None:
    system = lotka.System.from_file(predator_prey)
    with pytest.raises(lotka.Error, match="use `local-tolerance` or `step` for a session") as refused:
        system.session(tolerance=1e-6)
    assert refused.value.code == "session-refused"
    with system.step(1.0).build() as simulation:
        session = simulation.start()
        with pytest.raises(lotka.BusyError, match="finish the session first"):
            simulation.run()
        with pytest.raises(lotka.DescriptionError, match="has no variable `q`"):
            session["prey.q"]
        with pytest.raises(lotka.DescriptionError, match="cannot be changed during a run"):
            session["prey.x"] = 1.0
        with pytest.raises(ValueError, match="positive"):
            session.pace(0.0)
        assert session.finish().end == "stopped"
        with pytest.raises(lotka.ClosedError, match="start another one"):
            session.step()
        assert simulation.run().end == "stop-time"
        again = simulation.start()
        with pytest.raises(lotka.ClosedError, match="start another one"):
            session.step()
        again.finish()


def test_methods_are_those_of_the_library(root: Path) -> None:
    text = (root / "crates/lotka/src/session/mod.rs").read_text()
    block = text.split("impl Session<'_> {")[1].split("\n}\n")[0]
    rust = set(re.findall(r"^    pub fn (\w+)", block, flags=re.M))
    ours = {name for name, _ in inspect.getmembers(lotka.Session) if not name.startswith("_")}
    # Handles are not needed, values have types, and `exactly` is an argument.
    assert rust - ours == {"variable", "real", "advance_exactly_to"} and ours - rust == {"advance"}


def test_a_session_that_nobody_finishes_ends(predator_prey: Path) -> None:
    with lotka.System.from_file(predator_prey).step(0.1).build() as simulation:
        session = simulation.start()
        session.advance(1.0)
        del session
        gc.collect()
        deadline = time.monotonic() + 10.0
        while True:
            try:
                assert simulation.run().end == "stop-time"
                break
            except lotka.BusyError:
                assert time.monotonic() < deadline


def test_an_exception_of_the_block_has_the_rows(predator_prey: Path) -> None:
    with pytest.raises(KeyError, match="mine") as raised:
        with lotka.System.from_file(predator_prey).session(step=0.1) as session:
            session.advance_to(3.0)
            raise KeyError("mine")
    assert raised.value.rows.time.tolist() == [0.0, 1.0, 2.0, 3.0]  # type: ignore[attr-defined]


def test_a_failure_is_raised_with_the_rows(predator_prey: Path) -> None:
    system = lotka.System.from_file(predator_prey).local_tolerance(1e-6).start_value("prey.a", 1e9)
    with pytest.raises(lotka.RunFailure) as failed:
        with system.session() as session:
            assert not session.advance_to(50.0)
    assert failed.value.rows is not None and failed.value.rows.n_rows >= 1


def test_an_exception_of_a_model_reaches_the_caller() -> None:
    class Bad(lotka.Model):
        y = lotka.Output(depends_on=[])

        def step(self, t: float, h: float) -> None:
            if t > 0.4:
                raise ZeroDivisionError("of the model")

    system = lotka.System().instance("bad", Bad()).stop(1.0).step(0.1)
    with pytest.raises(ZeroDivisionError, match="of the model"), system.session() as session:
        session.advance_to(1.0)


def test_the_pace_follows_the_clock(predator_prey: Path) -> None:
    with lotka.System.from_file(predator_prey).session(step=0.1) as session:
        begin = time.perf_counter()
        session.pace(100.0)
        session.advance(5.0)
        assert time.perf_counter() - begin >= 0.05
        session.pace(None)
        session.advance(1.0)
        count, longest = session.overruns
        assert count >= 0 and longest >= 0.0


def test_ctrl_c_ends_a_session_that_waits(predator_prey: Path) -> None:
    session = lotka.System.from_file(predator_prey).session(step=0.1)
    session.pace(1.0)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        session.advance_to(90.0)
    timer.join()
    result = session.finish()
    assert result.end == "canceled" and 0 < result.n_rows < 100
