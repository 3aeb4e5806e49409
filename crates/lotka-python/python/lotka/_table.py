"""Tables of sources."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing


def write_table(
    path: Path, times: Any, columns: Mapping[str, numpy.typing.ArrayLike]
) -> tuple[list[float], dict[str, list[float]]]:
    """Writes times and columns as CSV; numbers read back to the same. Returns them as lists."""
    import numpy

    time = numpy.asarray(times, dtype=numpy.float64)
    arrays = {name: numpy.asarray(values, dtype=numpy.float64) for name, values in columns.items()}
    for name, array in arrays.items():
        if time.ndim != 1 or array.shape != time.shape:
            raise ValueError(f"expected as many values of `{name}` as times, found {array.shape} and {time.shape}")
    lists = {name: array.tolist() for name, array in arrays.items()}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time", *lists])
        writer.writerows(zip(time.tolist(), *lists.values()))
    return time.tolist(), lists
