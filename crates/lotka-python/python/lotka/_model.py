"""Instances of Python classes.

    class Heater(lotka.Model):
        u = lotka.Input(unit="K", start=293.0)
        q = lotka.Output(unit="W")
        gain = lotka.Parameter(2.0)

        def step(self, t, h):
            self.q = self.gain * (300.0 - self.u)
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any, Union

#: A value of a variable.
Value = Union[float, int, bool, str]

_NAMES = {float: "Real", int: "Integer", bool: "Boolean", str: "String"}


class Signal(float):
    """The value of a Real input during a step."""

    @property
    def mean(self) -> float:
        """Its mean over the step. Inputs of Python models are constant during a step."""
        return float(self)


class _Variable:
    """A variable of a model class. Objects have its value under the same name."""

    causality: str

    def __init__(self, start: Value, unit: str | None, description: str | None, depends_on: Iterable[str] | None) -> None:
        if type(start) not in _NAMES:
            raise TypeError(f"expected a float, int, bool or str as start value, found {start!r}")
        self.start = start
        self.type = type(start)
        self.unit = unit
        self.description = description
        self.depends_on = None if depends_on is None else list(depends_on)
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, model: Model | None, owner: type | None = None) -> Any:
        return self if model is None else model.__dict__.get(self.name, self.start)

    def __set__(self, model: Model, value: Any) -> None:
        converted = self.type(value)
        if self.type is int and converted != value:
            raise ValueError(f"expected a whole number for `{self.name}`, found {value!r}; a Real variable has a start value such as 0.0")
        model.__dict__[self.name] = converted


class Input(_Variable):
    """An input: the model reads it. Its type is that of `start`."""

    causality = "input"

    def __init__(self, start: Value = 0.0, *, unit: str | None = None, description: str | None = None) -> None:
        super().__init__(start, unit, description, None)

    def __get__(self, model: Model | None, owner: type | None = None) -> Any:
        value = super().__get__(model, owner)
        return Signal(value) if isinstance(value, float) else value


class Output(_Variable):
    """An output: the model sets it. Its type is that of `start`.

    `depends_on` names the inputs on which it depends at once (direct feedthrough), besides the state: by default none, and all if the model has a
    method `outputs`.
    """

    causality = "output"

    def __init__(
        self,
        start: Value = 0.0,
        *,
        unit: str | None = None,
        description: str | None = None,
        depends_on: Iterable[str] | None = None,
    ) -> None:
        super().__init__(start, unit, description, depends_on)


class Parameter(_Variable):
    """A parameter: it is set before the run, and keeps its value. Its type is that of `start`."""

    causality = "parameter"

    def __init__(self, start: Value, *, unit: str | None = None, description: str | None = None) -> None:
        super().__init__(start, unit, description, None)


class Model:
    """The base of classes whose objects are instances. A class defines variables, and the method `step`.

    A system makes copies of the object, one for each run and each saved state: so every method can roll it back. A copy has copies of all attributes
    (`copy.deepcopy`). If that is too much, define `save` and `restore`: attributes that they leave out are shared by all copies.
    """

    def initialize(self, start: float) -> None:
        """Called once at the start time [s], after inputs and parameters were set."""

    def step(self, t: float, h: float) -> float | None:
        """Steps from the time `t` by `h` > 0 [s]. A model that stops earlier, at an event of its own, returns the time that it reached."""
        raise NotImplementedError(f"{type(self).__name__} has no method `step`")

    def outputs(self) -> None:
        """Computes the outputs from state, inputs and parameters. Define it if outputs depend on inputs at once."""

    def save(self) -> Any:
        """Returns the state: by default copies of all attributes."""
        return copy.deepcopy(self.__dict__)

    def restore(self, state: Any) -> None:
        """Takes over a state that `save` returned."""
        self.__dict__.update(state)

    def check(self) -> None:
        """Makes instances of this object, and checks what every method relies on: they step, are independent, and return to saved states exactly.

        Raises the exception of the object, or `AssertionError` with the name of the check that failed.
        """
        from ._lotka import check_instances

        check_instances(self._copy())

    def _copy(self) -> Model:
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.restore(self.save())
        return new

    def _overrides(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(Model, method)

    @classmethod
    def _all(cls) -> Iterator[_Variable]:
        names = {name: None for kind in reversed(cls.__mro__) for name in vars(kind)}
        found = (getattr(cls, name, None) for name in names)
        return (variable for variable in found if isinstance(variable, _Variable))

    def _describe(self) -> list[tuple[str, str, str, str | None, str | None, list[str] | None]]:
        """The variables, for the extension module."""
        follows = self._overrides("outputs")

        def depends_on(variable: _Variable) -> list[str] | None:
            return variable.depends_on if follows or variable.depends_on is not None else []

        return [
            (
                variable.name,
                variable.causality,
                variable.type.__name__,
                variable.unit,
                variable.description,
                depends_on(variable),
            )
            for variable in self._all()
        ]

    def _variables(self) -> list[tuple[str, str, str, str | None, Value, str | None]]:
        """The variables, for people."""
        return [
            (
                variable.name,
                _NAMES[variable.type],
                variable.causality,
                variable.unit,
                getattr(self, variable.name),
                variable.description,
            )
            for variable in self._all()
        ]
