"""The programs of this package."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "_programs"

#: The command `lotka`.
COMMAND = _FOLDER / "lotka"

#: The program in which isolated FMUs run.
HOST = _FOLDER / "lotka-fmu-host"
