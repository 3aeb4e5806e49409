"""What Python adds to runs: verified runs of predator and prey, by the clock.

The limit of the first line is a study, whose loop is in Rust; that of the second one is the command, whose runs and records are in Rust.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import lotka
import numpy as np
import numpy.typing

ROUNDS = 5
RUNS = 1000
SWEPT = 10_000


def least(*works: Callable[[], object]) -> list[float]:
    """The least time of each work [ms]; they take turns."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[place] = min(best[place], (time.perf_counter() - start) * 1e3)
    return best


def values(runs: int) -> dict[str, numpy.typing.NDArray[np.float64]]:
    return {"prey.a": np.linspace(0.05, 0.15, runs)}


def main() -> None:
    path = lotka.example("predator-prey")
    system = lotka.System.from_file(path)
    with system.build() as simulation:

        def each() -> None:
            for value in values(RUNS)["prey.a"]:
                simulation.set_start("prey.a", value)
                simulation.run()

        limit, ours = least(lambda: system.study(values(RUNS), jobs=1), each)
    over = (ours - limit) / RUNS
    print(f"a run, its rows and its report: {limit / RUNS:.3f} ms, in Python {ours / RUNS:.3f} ms: {over:.3f} ms more (aim: 0.2 ms, {'met' if over <= 0.2 else 'missed'})")

    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "study.toml"
        study.write_text(f"[sweep]\nsystem = {str(path)!r}\n[parameters]\n'prey.a' = {{ from = 0.05, to = 0.15, count = {SWEPT} }}\n")
        command = [str(Path(sys.executable).with_name("lotka")), "sweep", str(study), "--force", "--quiet", "--jobs", "2"]
        limit, ours = least(lambda: subprocess.run(command, check=True), lambda: system.study(values(SWEPT), jobs=2))
    ratio = ours / limit
    print(f"{SWEPT} runs, 2 jobs: lotka sweep {limit:.0f} ms, system.study {ours:.0f} ms: {ratio:.2f} (aim: 1.5, {'met' if ratio <= 1.5 else 'missed'})")


main()
