"""Settings of a system, with the names of the keys of a system file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from ._model import Value
from ._simulation import text

if TYPE_CHECKING:
    from typing import TypeVar

    from ._system import PathLike

    Self = TypeVar("Self", bound="Settings")


class Settings:
    """The methods that change one setting each, and return the system."""

    def _set(self: Self, name: str, *arguments: Any) -> Self:
        raise NotImplementedError

    def set_at(self: Self, time: float, variable: str, value: object) -> Self:
        """Sets an input or a tunable parameter from a time [s] on, instead of the value that is connected to it."""
        return self._set("set_at", time, variable, text(value))

    def scenario(self: Self, at: float, until: float | None = None, *, set: Mapping[str, Value] | None = None, add: Mapping[str, Value] | None = None) -> Self:
        """Sets inputs and tunable parameters for a while, or adds to their connected values."""
        return self._set("scenario", at, until, dict(set or {}), dict(add or {}))

    def connect_sum(self: Self, input: str, outputs: Mapping[str, float] | Iterable[tuple[str, float]]) -> Self:
        """Connects an input to a sum of outputs, each with a factor."""
        return self._set("connect_sum", input, list(outputs.items() if isinstance(outputs, Mapping) else outputs))

    def power_bond(self: Self, name: str, effort: str, flow: str) -> Self:
        """Records the energy that passes between two instances: the product of an effort and a flow, both outputs."""
        return self._set("power_bond", name, effort, flow)

    def start_value(self: Self, variable: str, value: object) -> Self:
        """Sets the start value of `instance.variable`, instead of that in the file.

        That of an array is a list or a numpy array of the values of its elements, or one value for all of them.
        """
        return self._set("start_value", variable, text(value))

    def start(self: Self, time: float) -> Self:
        """Sets the start time [s], default 0."""
        return self._set("start", time)

    def stop(self: Self, time: float) -> Self:
        """Sets the stop time [s]."""
        return self._set("stop", time)

    def solve_start(self: Self, unknown: str, residual: str) -> Self:
        """Solves for a start value: all unknowns change together until all residuals are 0 right after initialization."""
        return self._set("solve_start", unknown, residual)

    def loop_tolerance(self: Self, tolerance: float) -> Self:
        """Sets the largest residuals at which the start values of an algebraic loop are accepted."""
        return self._set("loop_tolerance", tolerance)

    def absolute_tolerance(self: Self, tolerance: float) -> Self:
        """Sets the value below which errors are judged absolutely; 0 makes `tolerance` purely relative."""
        return self._set("absolute_tolerance", tolerance)

    def fmu_tolerance(self: Self, tolerance: float) -> Self:
        """Sets the tolerance that the FMUs receive."""
        return self._set("fmu_tolerance", tolerance)

    def sample_time(self: Self, instance: str, seconds: float) -> Self:
        """Samples the inputs of an instance at the start and at every multiple of this time after it, and holds them and its outputs in between."""
        return self._set("sample_time", instance, seconds)

    def event(self: Self, output: str, level: float | str, direction: Literal["up", "down", "both"] = "both") -> Self:
        """Ends a step where this output crosses `level`, a number or another output."""
        return self._set("event", output, level, direction)

    def event_by_discard(self: Self, instance: str) -> Self:
        """Ends a step where this instance requests it, by discarding a longer step."""
        return self._set("event_by_discard", instance)

    def event_mode(self: Self, instance: str) -> Self:
        """Handles the events of this instance in event mode (FMI 3.0): a step ends at each of them."""
        return self._set("event_mode", instance)

    def max_calls(self: Self, calls: int) -> Self:
        """Sets the number of doStep calls after which a run with `tolerance` ends without reaching it."""
        return self._set("max_calls", calls)

    def event_every(self: Self, instance: str, every: float, offset: float = 0.0) -> Self:
        """Declares that this instance acts at `offset` and whole periods before and after it [s]. Steps end there."""
        return self._set("event_every", instance, every, offset)

    def event_at(self: Self, instance: str, times: Iterable[float]) -> Self:
        """Declares that this instance acts at these times [s]. Steps end there."""
        return self._set("event_at", instance, list(times))

    def event_tolerance(self: Self, tolerance: float) -> Self:
        """Sets the accuracy of event localization [s]."""
        return self._set("event_tolerance", tolerance)

    def output_interval(self: Self, interval: float) -> Self:
        """Records rows at this distance [s]. The default is every step, and with `tolerance` a hundredth of the experiment."""
        return self._set("output_interval", interval)

    def min_output_interval(self: Self, interval: float) -> Self:
        """Records a row at the first step at or after each multiple of this distance [s]."""
        return self._set("min_output_interval", interval)

    def record(self: Self, patterns: Iterable[str]) -> Self:
        """Records these variables instead of all outputs: names, patterns with `*` and `?`, or `outputs`, `inputs`, `locals`, `parameters`."""
        return self._set("record", [patterns] if isinstance(patterns, str) else list(patterns))

    def tolerance(self: Self, tolerance: float) -> Self:
        """Bounds the error of the results: the run is repeated on finer meshes until its global error is known to be at most this."""
        return self._set("tolerance", tolerance)

    def step(self: Self, size: float) -> Self:
        """Uses fixed communication steps of this size [s] instead of error control."""
        return self._set("step", size)

    def local_tolerance(self: Self, tolerance: float) -> Self:
        """Controls the local error of each step."""
        return self._set("local_tolerance", tolerance)

    def first_step(self: Self, size: float) -> Self:
        """Sets the first step under control of the local error [s]."""
        return self._set("first_step", size)

    def min_step(self: Self, size: float) -> Self:
        """Sets the smallest step under control of the local error [s]."""
        return self._set("min_step", size)

    def max_step(self: Self, size: float) -> Self:
        """Sets the largest step under control of the local error, or of the coarsest run of a `tolerance` [s]."""
        return self._set("max_step", size)

    def sweep(self: Self, name: str) -> Self:
        """Selects the coupling scheme: `gauss-seidel`, `jacobi` or `symmetric`."""
        return self._set("sweep", name)

    def order(self: Self, instances: Iterable[str]) -> Self:
        """Sets the order in which instances step."""
        return self._set("order", list(instances))

    def input_degree(self: Self, degree: int) -> Self:
        """Sets the degree of the input signals (extrapolation order), 0 to 3."""
        return self._set("input_degree", degree)

    def input_delivery(self: Self, delivery: Literal["mean", "derivatives"]) -> Self:
        """Selects how FMUs receive inputs of degree 1 to 3."""
        return self._set("input_delivery", delivery)

    def output_derivatives(self: Self, on: bool = True) -> Self:
        """Selects whether output derivatives are used if an FMU provides them."""
        return self._set("output_derivatives", on)

    def feedthrough_outputs(self: Self, policy: Literal["auto", "stale", "re-read", "derivative"]) -> Self:
        """Selects how outputs with direct feedthrough are updated after a step."""
        return self._set("feedthrough_outputs", policy)

    def iterations(self: Self, limit: int, tolerance: float | None = None) -> Self:
        """Iterates inside loops: at most this many times, until values change by less than the tolerance."""
        return self._set("iterations", limit, tolerance)

    def min_iterated_step(self: Self, step: float) -> Self:
        """Makes steps shorter than this [s] in one pass, without iteration."""
        return self._set("min_iterated_step", step)

    def acceleration(self: Self, name: str) -> Self:
        """Selects the acceleration of the iteration: `none`, `relaxation`, `aitken`, `anderson` or `newton`."""
        return self._set("acceleration", name)

    def on_no_convergence(self: Self, choice: Literal["error", "last-iterate", "smaller-steps"]) -> Self:
        """Selects what happens with fixed steps if a loop does not converge."""
        return self._set("on_no_convergence", choice)

    def estimator(self: Self, name: str) -> Self:
        """Selects the estimator of the local error, such as `step-doubling` or `embedded`."""
        return self._set("estimator", name)

    def controller(self: Self, name: str) -> Self:
        """Selects the step-size controller: `pi`, `i`, `pid` or `h211`."""
        return self._set("controller", name)

    def step_factors(self: Self, safety: float, smallest: float, largest: float) -> Self:
        """Sets the safety factor of the step-size controller, and the smallest and largest factor from one step size to the next."""
        return self._set("step_factors", safety, smallest, largest)

    def gains(self: Self, proportional: float, integral: float) -> Self:
        """Sets the gains of the controller `pi`, of the change of the error and of the error."""
        return self._set("gains", proportional, integral)

    def compatibility(self: Self, master: Literal["mastersim", "libcosim"]) -> Self:
        """Uses the formulas of another master."""
        return self._set("compatibility", master)

    def isolate(self: Self, on: bool = True) -> Self:
        """Runs every instance in its own process, or none that does not need one. `System.build` has a default for FMUs of other tools."""
        return self._set("isolate", on)

    def sandbox(self: Self, *, memory: int | None = 4 << 30, cpu_time: int | None = None, read: Iterable[PathLike] = (), write: Iterable[PathLike] = (), allow_weaker: bool = False) -> Self:
        """Confines every instance that has no sandbox of its own: memory [byte], processor time [s], files."""
        return self._set("sandbox", memory, cpu_time, list(read), list(write), allow_weaker)

    def init_timeout(self: Self, seconds: float) -> Self:
        """Limits the duration of loading, instantiation and each call up to the end of initialization [s], for FMUs in processes of their own."""
        return self._set("init_timeout", seconds)

    def step_timeout(self: Self, seconds: float) -> Self:
        """Limits the duration of each call after initialization [s], for FMUs in processes of their own."""
        return self._set("step_timeout", seconds)

    def host_program(self: Self, path: PathLike) -> Self:
        """Sets the program `lotka-fmu-host` in which isolated FMUs run, instead of that of this package."""
        return self._set("host_program", os.fspath(path))

    def cache(self: Self, folder: PathLike) -> Self:
        """Keeps the contents of FMU archives in this folder, so that they are opened faster next time."""
        return self._set("cache", os.fspath(folder))

    def behavior_records(self: Self, on: bool = True) -> Self:
        """Uses the behavior records of the FMUs in the cache, which `lotka check --run` makes. They change no row."""
        return self._set("behavior_records", on)

    def profile(self: Self, on: bool = True) -> Self:
        """Measures the time spent in each instance."""
        return self._set("profile", on)

    def debug_logging(self: Self, on: bool = True) -> Self:
        """Asks the FMUs to log what they do; the lines go to the loggers `lotka.fmu.NAME`."""
        return self._set("debug_logging", on)

    def threads(self: Self, most: int) -> Self:
        """Limits the number of threads. The results are the same, bit for bit."""
        return self._set("threads", most)
