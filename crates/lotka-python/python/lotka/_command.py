"""What the command `lotka` does in a process of its own, because it runs code of FMUs."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from ._errors import DescriptionError, Error, Problem
from ._programs import COMMAND

def _output(*arguments: str | os.PathLike[str]) -> dict[str, Any]:
    """Runs the command, and returns the JSON that it prints."""
    done = subprocess.run(
        [COMMAND, *arguments, "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    try:
        printed: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise _error(done.stderr) from None
    return printed


def _error(text: str) -> Error:
    """Makes an exception of what the command printed: its last message ends with a code in brackets."""
    text = text.strip()
    message, _, code = text.rpartition("[")
    message = message.strip().removeprefix("error: ")
    return Error(message or text, code.rstrip("]")) if code.endswith("]") else Error(text)


def inspect(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Describes an FMU or a system, as `lotka inspect --json` does. No code of an FMU runs."""
    return _output("inspect", path)


def check(path: str | os.PathLike[str]) -> list[Problem]:
    """Checks an FMU or a system. Returns the problems; none if all is well.

    An FMU is checked as by `lotka check`, which loads it in another process: this one survives whatever the FMU does. Of a system the description
    is checked against the model descriptions of its FMUs, as by `System.check`.
    """
    from ._system import System

    if os.fspath(path).lower().endswith(".fmu"):
        return [_finding(entries) for entries in _output("check", path)["findings"]]
    try:
        return System.from_file(path).check()
    except DescriptionError as error:
        return error.problems


def _finding(entries: dict[str, Any]) -> Problem:
    places = {key: entries[key] for key in ("severity", "message", "file", "line", "column")}
    return Problem(code=entries["rule"], help=entries["remedy"], **places)
