"""Sweeps: many runs of one system."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lotka

RATES = np.linspace(0.05, 0.15, 9)


def system(predator_prey: Path) -> lotka.System:
    return lotka.System.from_file(predator_prey).tolerance(1e-5).stop(10.0).output_interval(0.5)


def test_records_are_what_runs_of_their_own_have(predator_prey: Path) -> None:
    described = system(predator_prey)
    records = described.study(
        {"prey.a": RATES, "prey.x": 12}, keep=["final", "maximum"], times=[2.5], variables=["prey.x"], jobs=2
    )
    assert list(records) == [
        "run", "prey.a", "prey.x", "status", "reached", "error", "time", "calls",
        "final(prey.x)", "maximum(prey.x)", "at(prey.x, 2.5)",
    ]
    assert records.n_runs == 9 and set(records["status"]) == {"ok"} and records["reached"].all() and records.is_complete
    assert repr(records) == "<9 runs: 9 ok>"
    for run in (0, 4, 8):
        result = described.run(start={"prey.a": RATES[run], "prey.x": 12}, record=["prey.x"])
        assert records["final(prey.x)"][run] == result["prey.x"][-1]
        assert records["maximum(prey.x)"][run] == result["prey.x"].max()
        assert records["at(prey.x, 2.5)"][run] == result["prey.x"][5]
        assert records["error"][run] == result.largest_error
    table = records.df()
    assert table.loc[4, "prey.a"] == RATES[4]


def test_records_do_not_depend_on_jobs(predator_prey: Path) -> None:
    described = system(predator_prey)
    one, two = (described.study({"prey.a": RATES}, jobs=jobs) for jobs in (1, 2))
    for name in one:
        assert one[name].tobytes() == two[name].tobytes()


def test_a_grid_has_all_combinations(predator_prey: Path) -> None:
    records = system(predator_prey).study({"prey.a": [0.1, 0.2], "prey.x": (5, 10.0, 20)}, sampling="grid")
    assert records["prey.a"].tolist() == [0.1] * 3 + [0.2] * 3
    assert records["prey.x"].tolist() == [5.0, 10.0, 20.0] * 2
    with pytest.raises(ValueError, match="found prey.a: 2, prey.x: 3"):
        system(predator_prey).study({"prey.a": [0.1, 0.2], "prey.x": [5, 10, 20]})
    with pytest.raises(lotka.DescriptionError, match="has no variable `q`"):
        system(predator_prey).study({"prey.q": [1.0]})


@pytest.mark.parametrize("kind", [np.float32, np.int64, np.uint8, list, tuple])
def test_values_come_in_any_form(kind: type, predator_prey: Path) -> None:
    values: Any = kind([5, 10, 20]) if kind in (list, tuple) else np.array([5, 10, 20], dtype=kind)
    records = system(predator_prey).step(0.1).study({"prey.x": values, "prey.a": np.array(0.1), "predator.y": 10})
    assert records["prey.x"].tolist() == [5.0, 10.0, 20.0] and records["prey.a"].tolist() == [0.1] * 3
    assert set(records["status"]) == {"ok"}
    every_other = np.arange(0.0, 1.0, 0.1)[::2]
    assert system(predator_prey).study({"prey.a": every_other})["prey.a"].tolist() == every_other.tolist()


@pytest.mark.parametrize("unfit", [-0.25, 1.5, np.inf, -np.inf])
def test_one_of_many_values_is_beyond_a_limit(unfit: float) -> None:
    values = np.linspace(0.0, 1.0, 50)
    ball = lotka.System.from_file(lotka.example("bouncing-ball"))
    values[20] = unfit
    with pytest.raises(lotka.DescriptionError, match="`ball.e` is .*, (less|greater) than the m") as raised:
        ball.study({"ball.e": values}, stop=0.1)
    assert raised.value.code == "beyond-limits"


def test_a_failure_is_a_record(predator_prey: Path) -> None:
    described = lotka.System.from_file(predator_prey).local_tolerance(1e-6).stop(10.0)
    records = described.study({"prey.a": [0.1, 1e9, 0.2]}, jobs=1)
    assert records["status"][[0, 2]].tolist() == ["ok", "ok"] and records["status"][1] != "ok"
    assert np.isnan(records["final(prey.x)"][1]) and not np.isnan(records["final(prey.x)"][2])
    assert list(records.messages) == [1]


def test_progress_and_interrupts(predator_prey: Path) -> None:
    calls: list[tuple[int, int]] = []
    system(predator_prey).study({"prey.a": RATES}, progress=lambda done, runs: calls.append((done, runs)))
    assert calls == [(done, 9) for done in range(1, 10)]

    def enough(done: int, runs: int) -> None:
        if done == 3:
            raise StopIteration("three")

    with pytest.raises(StopIteration) as raised:
        system(predator_prey).study({"prey.a": np.linspace(0.05, 0.15, 100000)}, progress=enough)
    assert 3 <= raised.value.records.n_runs < 100000  # type: ignore[attr-defined]

    def interrupt(done: int, runs: int) -> None:
        if done == 3:
            threading.Thread(target=lambda: signal.raise_signal(signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt) as interrupted:
        system(predator_prey).study({"prey.a": np.linspace(0.05, 0.15, 100000)}, progress=interrupt)
    assert not interrupted.value.records.is_complete  # type: ignore[attr-defined]


def test_studies_in_files(scratch: Path) -> None:
    Path("study.toml").write_text(
        "[sweep]\nsystem = 'system.toml'\nsampling = 'sobol'\nruns = 10\n[parameters]\nprey.a = { from = 0.05, to = 0.2 }\n"
    )
    all_runs = lotka.sweep("study.toml", jobs=2)
    parts = [lotka.sweep("study.toml", shard=(number, 2)) for number in (1, 2)]
    for part, first in zip(parts, (0, 1)):
        assert part["final(prey.x)"].tobytes() == all_runs["final(prey.x)"][first::2].tobytes()
    pandas = pytest.importorskip("pandas")
    table = pandas.read_parquet("study.parquet")
    assert table["final(prey.x)"].tolist() == all_runs["final(prey.x)"].tolist()
    assert Path("study-2-of-2.parquet").exists()
    assert lotka.sweep("study.toml", resume=True).n_runs == 0
    with pytest.raises(ValueError, match="expected a shard"):
        lotka.sweep("study.toml", shard=(3, 2))


def test_records_are_shown_as_plots(predator_prey: Path, tmp_path: Path) -> None:
    described = lotka.System.from_file(predator_prey).local_tolerance(1e-6).stop(10.0)
    records = described.study({"prey.a": [0.1, 1e9, 0.2], "prey.x": [5.0, 10.0]}, sampling="grid")
    page = records.html()
    failed = set(records["status"]) - {"ok"}
    assert len(failed) == 1 and f"6 runs: 2 {failed.pop()}, 4 ok" in page and "0.1 to 1e9 (3 values)" in page
    assert records._repr_html_().startswith("<iframe srcdoc=") and "allow-same-origin" not in records._repr_html_()
    records.save(tmp_path / "study.html")
    assert (tmp_path / "study.html").read_text() == page
    with pytest.raises(ValueError, match="expected a name that ends in .html"):
        records.save(tmp_path / "study.csv")


def test_the_page_of_a_study_is_that_of_its_file(scratch: Path) -> None:
    Path("study.toml").write_text("[sweep]\nsystem = 'system.toml'\n[parameters]\nprey.a = [0.1, 0.2]\n")
    page = lotka.sweep("study.toml").html()
    subprocess.run([Path(sys.executable).with_name("lotka"), "report", "study.parquet", "-o", "study.html"], check=True)
    assert Path("study.html").read_text().replace("study.parquet", "study") == page
