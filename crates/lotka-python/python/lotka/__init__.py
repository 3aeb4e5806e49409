"""Couple FMUs, and know the error of the results.

>>> import lotka
>>> result = lotka.run(lotka.example("predator-prey"), tolerance=1e-6)
>>> result.reached, result.largest_error < 1e-6
(True, True)

- `run` simulates a system file; `System` describes a system in Python; `Simulation` makes many runs.
- `Session` is a run that pauses: it reads and sets variables, and returns to saved points.
- `Result` has rows, estimated errors, events and the report of a run.
- `Model` makes an instance of a Python class.
- `System.study` makes many runs with other start values, `sweep` those of a study in a file; `Records` has what is kept of each.
- `check`, `inspect` and `compare` look at FMUs, systems and results.
- `Error` is the base of all exceptions; each has the code of a message.
"""

from __future__ import annotations

import atexit

from . import _lotka
from ._command import check, inspect
from ._compare import Comparison, compare
from ._errors import (
    BusyError,
    CheckpointError,
    ClosedError,
    DescriptionError,
    Error,
    FmuError,
    ForkError,
    InternalError,
    LoadError,
    Problem,
    ReadError,
    ResultsError,
    RunFailure,
    SaveError,
    ToleranceNotReached,
)
from ._examples import example, examples
from ._graph import Graph
from ._instance import Instance, Variable, Variables
from ._lotka import SavedPoint, __version__
from ._model import Input, Model, Output, Parameter
from ._result import Column, Event, Result, Steps
from ._session import Session
from ._simulation import Simulation
from ._sweep import Records, sweep
from ._system import System, run

# Temporary folders of FMUs do not stay behind.
atexit.register(_lotka.forget)

__all__ = [
    "BusyError",
    "CheckpointError",
    "ClosedError",
    "Column",
    "Comparison",
    "DescriptionError",
    "Error",
    "Event",
    "FmuError",
    "ForkError",
    "Graph",
    "Input",
    "Instance",
    "InternalError",
    "LoadError",
    "Model",
    "Output",
    "Parameter",
    "Problem",
    "ReadError",
    "Records",
    "Result",
    "ResultsError",
    "RunFailure",
    "SaveError",
    "SavedPoint",
    "Session",
    "Simulation",
    "Steps",
    "System",
    "ToleranceNotReached",
    "Variable",
    "Variables",
    "__version__",
    "check",
    "compare",
    "example",
    "examples",
    "inspect",
    "run",
    "sweep",
]
