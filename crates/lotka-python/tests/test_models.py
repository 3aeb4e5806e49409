"""Python classes as instances."""

from __future__ import annotations

import math
import pickle
import traceback
from pathlib import Path

import numpy as np
import pytest

import lotka


class Decay(lotka.Model):
    """x' = u - k x, exactly for inputs that are held."""

    u = lotka.Input(unit="1/s", description="inflow")
    x = lotka.Output(1.0, unit="1", description="content")
    k = lotka.Parameter(1.0, unit="1/s")

    def step(self, t: float, h: float) -> None:
        assert self.u.mean == self.u
        rest = self.u / self.k
        self.x = rest + (self.x - rest) * math.exp(-self.k * h)


class Prey(lotka.Model):
    """x' = x (a - b y), by ten steps of the classical Runge-Kutta method."""

    a = lotka.Parameter(0.1)
    b = lotka.Parameter(0.02)
    y = lotka.Input(10.0)
    x = lotka.Output(10.0)

    def step(self, t: float, h: float) -> None:
        rate = self.a - self.b * self.y
        self.x = self.x * math.exp(rate * h)


class Kinds(lotka.Model):
    """Variables of all types, and an output that follows inputs at once."""

    r_in = lotka.Input(0.5)
    i_in = lotka.Input(3)
    b_in = lotka.Input(False)
    s_in = lotka.Input("a")
    r = lotka.Output(0.0)
    i = lotka.Output(0, depends_on=["i_in"])
    b = lotka.Output(False)
    s = lotka.Output("")
    n = lotka.Output(0, depends_on=[])

    def outputs(self) -> None:
        self.r, self.i, self.b, self.s = 2.0 * self.r_in, self.i_in + 1, not self.b_in, self.s_in + "!"

    def step(self, t: float, h: float) -> None:
        self.n += 1


def run(model: lotka.Model, **settings: object) -> lotka.Result:
    return lotka.System().instance("m", model).run(**{"stop": 1.0, "step": 0.1, **settings})  # type: ignore[arg-type]


@pytest.mark.parametrize("model", [Decay(), Prey(), Kinds()], ids=lambda model: type(model).__name__)
def test_models_pass_the_checks_of_all_kinds_of_instances(model: lotka.Model) -> None:
    model.check()


def test_what_cannot_be_rolled_back_fails_the_checks() -> None:
    class Shared(Decay):
        def restore(self, state: object) -> None:
            """Keeps the present values."""

        def __init__(self) -> None:
            self.list = [0.0]

        def step(self, t: float, h: float) -> None:
            self.list[0] += 1.0
            self.x = self.list[0]

    with pytest.raises(AssertionError):
        Shared().check()


def test_a_model_steps() -> None:
    result = run(Decay())
    assert np.allclose(result["m.x"], np.exp(-result.time), rtol=1e-12)
    column = result.columns["m.x"]
    assert (column.unit, column.description, column.type) == ("1", "content", "float")


def test_start_values_come_from_object_and_system() -> None:
    model = Decay()
    model.k = 2.0
    system = lotka.System().instance("m", model, start={"u": 4.0}).stop(1.0).step(0.1)
    model.k = 100.0
    assert system["m"].variables["k"].start == 2.0
    assert lotka.compare(pickle.loads(pickle.dumps(system)).run(), system.run()).equal
    assert math.isclose(system.run()["m.x"][-1], 2.0 - math.exp(-2.0))
    assert math.isclose(system.run(start={"m.k": 4.0})["m.x"][-1], 1.0)
    assert system["m"].variables["u"].unit == "1/s" and system["m"].variables.names == ["u", "x", "k"]


def test_a_tolerance_rolls_models_back(predator_prey: Path) -> None:
    reference = lotka.run(predator_prey, tolerance=1e-8)
    files = lotka.System.from_file(predator_prey).fmu_files()
    system = lotka.System().instance("prey", Prey()).instance("predator", files["predator"])
    system.connect({"prey.y": "predator.y", "predator.x": "prey.x"}).stop(100.0).output_interval(1.0)
    result = system.run(tolerance=1e-3)
    assert result.reached
    assert lotka.compare(result, reference, tolerance=2e-3, variables=["prey.x", "predator.y"]).equal
    local = system.run(local_tolerance=1e-4)
    assert local.report["statistics"]["n_rollbacks"] > 10
    assert lotka.compare(local, reference, tolerance=0.05, variables=["prey.x"]).equal


def test_values_of_all_types_pass() -> None:
    system = lotka.System().instance("one", Kinds()).instance("two", Kinds())
    system.connect({f"two.{kind}_in": f"one.{kind}" for kind in "ribs"}).stop(1.0).step(0.5)
    result = system.run(record=["*"])
    assert result["two.r"].tolist() == [2.0] * 3 and result["two.i"].tolist() == [5] * 3
    assert result["two.b"].tolist() == [False] * 3 and result["two.s"].tolist() == ["a!!"] * 3
    assert result["one.n"].tolist() == [0, 1, 2]
    assert system.graph().order == ["one", "two"]


def test_an_exception_ends_the_run_and_reaches_the_caller_with_its_traceback() -> None:
    class Late(Decay):
        def step(self, t: float, h: float) -> None:
            if t > 0.45:
                raise ZeroDivisionError("late")

    with pytest.raises(ZeroDivisionError, match="late") as raised:
        run(Late())
    assert "in step" in "".join(traceback.format_exception(raised.value))
    assert raised.value.rows.n_rows == 6 and raised.value.rows.end == "failed"  # type: ignore[attr-defined]
    with pytest.raises(NotImplementedError, match="`step`"):
        run(lotka.Model())


def test_an_object_that_cannot_be_copied_says_why() -> None:
    model = Decay()
    model.lock = __import__("threading").Lock()  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="lock"):
        run(model)

    class Careful(Decay):
        def save(self) -> object:
            return dict(x=self.x, u=self.u, k=self.k)

    careful = Careful()
    careful.lock = model.lock  # type: ignore[attr-defined]
    careful.check()
    assert run(careful, step=None, tolerance=1e-6).reached


def test_a_model_may_stop_early() -> None:
    class Ticks(lotka.Model):
        n = lotka.Output(0)

        def step(self, t: float, h: float) -> float | None:
            next_tick = math.floor(t / 0.25 + 1e-9) * 0.25 + 0.25
            if t + h < next_tick:
                return None
            self.n += 1
            return next_tick

    result = run(Ticks(), step=1.0)
    assert result["m.n"][-1] == 4


def test_initialize_is_called_once_with_the_start_time() -> None:
    class Started(Decay):
        def initialize(self, start: float) -> None:
            self.x = 10.0 * start + self.k

    assert run(Started(), start_time=0.5)["m.x"][0] == 6.0


def test_mistakes_in_declarations_are_told() -> None:
    class Wrong(lotka.Model):
        y = lotka.Output(depends_on=["z"])

    with pytest.raises(ValueError, match="`z`"):
        run(Wrong())
    with pytest.raises(ValueError, match="whole number for `n`, found 0.5"):
        Kinds().n = 0.5
    with pytest.raises(TypeError, match="start value"):
        lotka.Output([1.0])  # type: ignore[arg-type]


def test_systems_with_objects_are_pickled_but_not_saved(tmp_path: Path) -> None:
    system = lotka.System().instance("m", Decay(), start={"k": 3.0}).stop(1.0).step(0.1)
    again = pickle.loads(pickle.dumps(system))
    assert lotka.compare(again.run(), system.run()).equal
    with pytest.raises(lotka.SaveError, match="`m`"):
        system.save(tmp_path / "system.toml")
