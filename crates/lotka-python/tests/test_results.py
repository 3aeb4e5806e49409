"""Results: numbers, views, tables, files, pages."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import lotka

@pytest.fixture(scope="module")
def result(predator_prey: Path) -> lotka.Result:
    return lotka.run(predator_prey, tolerance=1e-6)


@pytest.mark.parametrize("name", lotka.examples())
def test_numbers_are_those_that_the_examples_expect(root: Path, name: str) -> None:
    expected = tomllib.loads((root / "examples" / name / "expected.toml").read_text())
    points = [point for point in expected["value"] if point["system"] == "system.toml"]
    assert points, name
    found = lotka.run(lotka.example(name))
    for point in points:
        # After an event there is a second row at its time, which is known but for rounding.
        row = int(np.flatnonzero(np.isclose(found.time, point["time"], rtol=1e-9))[-1])
        assert abs(found[point["variable"]][row] - point["expected"]) <= point["tolerance"], point


def test_the_error_is_known_and_kept(result: lotka.Result) -> None:
    assert result.reached is True and result.end == "stop-time"
    assert result.largest_error is not None and 0.0 < result.largest_error <= 1e-6
    errors = result.error("prey.x")
    assert errors is not None and errors.shape == result.time.shape
    assert 0.0 < errors.max() < 1e-4
    assert result.report["statistics"]["n_do_step_calls"] > 1000
    assert "tolerance" not in result.algorithm and result.algorithm


def test_arrays_are_views_that_cannot_be_written(result: lotka.Result) -> None:
    first, second = result["prey.x"], result["prey.x"]
    assert first.dtype == np.float64 and np.shares_memory(first, second)
    assert result.time[0] == 0.0 and result.time[-1] == 100.0 and len(result.time) == result.n_rows == 101
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0


def test_views_outlive_the_result(predator_prey: Path) -> None:
    values = lotka.run(predator_prey, step=0.1)["prey.x"]
    copied = values.copy()
    for _ in range(20):
        lotka.run(predator_prey, step=0.1)
    assert (values == copied).all()


def test_a_result_is_a_mapping(result: lotka.Result) -> None:
    assert list(result) == ["prey.x", "predator.y"] and len(result) == 2
    assert "prey.x" in result and "prey.q" not in result
    for read in (result.__getitem__, result.error):
        with pytest.raises(KeyError, match=r"prey\.q"):
            read("prey.q")
    column = result.columns["prey.x"]
    assert (column.type, column.unit, column.constant) == ("float", "1", False)
    assert column.description


def test_pandas_polars_and_pyarrow_read_the_same(result: lotka.Result) -> None:
    import pandas
    import polars
    import pyarrow

    table = result.df()
    assert table.index.name == "time" and table["prey.x"].iloc[-1] == result["prey.x"][-1]
    assert table.attrs["units"]["prey.x"] == "1"
    names = ["time", "prey.x", "prey.x (error)", "predator.y", "predator.y (error)"]
    frame = polars.DataFrame(result)
    assert frame.columns == names
    assert frame["predator.y"].to_list() == result["predator.y"].tolist()
    arrow = pyarrow.table(result)
    assert arrow.column_names == names and arrow.num_rows == 101
    assert arrow.schema.field("prey.x").metadata[b"unit"] == b"1"
    assert arrow.schema.field("prey.x").metadata[b"description"] == (result.columns["prey.x"].description or "").encode()
    errors = result.error("prey.x")
    assert errors is not None and arrow["prey.x (error)"].to_pylist() == errors.tolist()
    assert pyarrow.schema(result) == arrow.schema
    assert pandas.DataFrame.from_arrow(result).equals(arrow.to_pandas())


@pytest.mark.parametrize("extension", ["csv", "mat", "parquet", "arrow"])
def test_files_read_back_to_the_same(result: lotka.Result, tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"rows.{extension}"
    result.save(path)
    found = lotka.compare(result, path)
    assert found.equal and set(found.columns) == {"time", "prey.x", "predator.y"}


def test_arrow_files_are_those_of_other_programs(result: lotka.Result, tmp_path: Path) -> None:
    import pandas
    import polars
    import pyarrow
    import pyarrow.feather
    import pyarrow.ipc

    path = tmp_path / "rows.arrow"
    result.save(path)
    table = pyarrow.ipc.open_file(pyarrow.memory_map(str(path))).read_all()
    assert table.column_names == ["time", "prey.x", "predator.y", "prey.x (error)", "predator.y (error)"]
    assert table["prey.x"].to_pylist() == result["prey.x"].tolist()
    assert table.schema.field("prey.x").metadata == pyarrow.table(result).schema.field("prey.x").metadata
    pyarrow.feather.write_feather(table, str(tmp_path / "pyarrow.arrow"), compression="uncompressed")
    pandas.read_feather(path).to_feather(tmp_path / "pandas.arrow", compression="uncompressed")
    polars.read_ipc(path).write_ipc(tmp_path / "polars.arrow")
    for program in ("pyarrow", "pandas", "polars"):
        found = lotka.compare(result, tmp_path / f"{program}.arrow")
        assert found.equal and "prey.x" in found.columns


def test_files_equal_those_of_the_command(result: lotka.Result, scratch: Path) -> None:
    result.save("ours.csv")
    command = [sys.executable, "-m", "lotka", "run", "system.toml", "-o", "theirs.csv", "--error-bars", "--quiet"]
    subprocess.run(command, check=True)
    assert Path("ours.csv").read_bytes() == Path("theirs.csv").read_bytes()


def test_differences_are_found(result: lotka.Result, predator_prey: Path) -> None:
    rough = lotka.run(predator_prey, step=0.1)
    found = lotka.compare(result, rough, tolerance=1e-6)
    assert not found.equal and found.columns["prey.x"]["verdict"] == "different"
    assert "prey.x" in repr(found)
    assert lotka.compare(result, rough, tolerance=0.5).equal


def test_a_file_that_cannot_be_written_is_an_error(result: lotka.Result, tmp_path: Path) -> None:
    with pytest.raises(lotka.SaveError) as refused:
        result.save(tmp_path / "rows.xlsx")
    assert refused.value.code == "unknown-format" and ".parquet" in str(refused.value)
    with pytest.raises(lotka.SaveError) as missing:
        result.save(tmp_path / "nowhere/rows.csv")
    assert missing.value.code == "unwritable-file"
    with pytest.raises(lotka.ResultsError):
        lotka.compare(result, tmp_path / "rows.csv")


def test_notebooks_show_the_page_of_the_report(result: lotka.Result, tmp_path: Path) -> None:
    page = result.html()
    assert page.startswith("<!DOCTYPE html>") and "prey.x" in page and "Tolerance 1e-6 kept by the coupling" in page
    assert "data:image/svg+xml" in page and "estimated error of prey.x" in page
    shown = result._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "<script" not in shown and "&lt;script" in shown
    result.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == page


def test_text_shows_the_variables(result: lotka.Result) -> None:
    verdict, head, columns, *lines = repr(result).splitlines()
    assert verdict.startswith("tolerance 1e-6 kept by the coupling; estimated largest error ")
    assert head == "101 rows, stop-time at t = 100.0 s"
    assert columns.split() == ["unit", "first", "last", "smallest", "largest", "error"]
    assert [line.split()[0] for line in lines] == ["prey.x", "predator.y"]


def test_results_are_pickled_without_the_system(result: lotka.Result, predator_prey: Path) -> None:
    again = pickle.loads(pickle.dumps(result))
    assert lotka.compare(result, again).equal
    assert (again.error("prey.x") == result.error("prey.x")).all()
    assert again.report == result.report and again.columns == result.columns and again.events == result.events
    assert again.steps is not None and result.steps is not None and (again.steps.size == result.steps.size).all()
    assert b".fmu" not in pickle.dumps(result)
    assert "Tolerance 1e-6 kept by the coupling" in again.html()
    rough = lotka.run(predator_prey, step=1.0, steps=False)
    assert len(pickle.dumps(rough)) < 8 * 3 * rough.n_rows + 4000
    assert pickle.loads(pickle.dumps(rough)).steps is None


def test_steps_are_recorded(predator_prey: Path) -> None:
    result = lotka.run(predator_prey, local_tolerance=1e-4, stop=20.0)
    assert 'id="plots-steps"' in result.html() and "steps" in repr(result.steps)
    steps = result.steps
    assert steps is not None and len(steps) == result.report["statistics"]["n_steps"]
    assert np.isclose(steps.size.sum(), 20.0) and steps.estimate.max() <= 1.0
    assert len(steps.rejected) == result.report["statistics"]["n_step_attempts"] - len(steps)


def test_integers_booleans_and_events(fmus: Path) -> None:
    system = lotka.System().instance("ball", fmus / "bouncing_ball.fmu").stop(2.0).local_tolerance(1e-6).record(["*"])
    system.event("ball.h", 0.1, "down")
    result = system.run()
    kinds = {column.type for column in result.columns.values()}
    assert "float" in kinds
    assert len(result.events) == result.report["statistics"]["n_events"] > 0
    event = result.events[0]
    assert result.time[event.row] == result.time[event.row + 1] == event.time
    for name, column in result.columns.items():
        expected = {"float": np.float64, "int": np.int32, "bool": np.bool_}
        assert column.type == "str" or result[name].dtype == expected[column.type]
