"""Comparison of results."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import _lotka
from ._result import Result


@dataclass(frozen=True)
class Comparison:
    """Differences between two results."""

    #: Whether the times and all columns are equal within the tolerances.
    equal: bool
    #: Per column: `verdict` (`same`, `within`, `different`, …), `largest_difference`, `time` and so on, as in `lotka compare --json`.
    columns: dict[str, dict[str, Any]]
    #: The result whose rows were compared with interpolated values of the other (`first` or `second`); `None` if the times are equal.
    interpolated: str | None

    def __repr__(self) -> str:
        different = [name for name, column in self.columns.items() if column["verdict"] not in ("same", "within")]
        return "<equal>" if self.equal else _lotka.printable(f"<different: {', '.join(different)}>")


def compare(
    first: Result | str | os.PathLike[str],
    second: Result | str | os.PathLike[str],
    tolerance: float = 0.0,
    *,
    absolute_tolerance: float | None = None,
    variables: Iterable[str] = (),
) -> Comparison:
    """Compares two results; each is one of a run or a file (CSV, .mat, .parquet or .arrow).

    Numbers `a` and `b` are equal if `|a - b| <= tolerance max(|a|, |b|, s)`, where `s` is a thousandth of the largest value of the column. An
    `absolute_tolerance` takes the place of `s`. Without tolerances, all values must be the same.
    """
    sides = [side._rows if isinstance(side, Result) else os.fspath(side) for side in (first, second)]
    found = json.loads(_lotka.compare(sides[0], sides[1], tolerance, absolute_tolerance, list(variables)))
    return Comparison(found["equal"], found["columns"], found["interpolated"])
