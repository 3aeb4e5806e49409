"""Systems in Python: as the library has them, by hand, with sources, saved, drawn, analyzed."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import lotka

#: Methods of the library that the package has in another form.
OTHERS = {
    "new": "System()",
    "instance_of": "instance",
    "instance_from": "instance",
    "description": "repr, instances by name",
    "description_mut": "the settings",
    "methods": "methods in Python would be called in every step",
    "analyze": "check, graph",
    "build_to_examine": "check, graph",
    "start_array": "start_value takes lists and arrays",
    "opened": "every build shares loaded FMUs",
}
#: Methods of the package alone.
OWN = {"run", "session", "study", "check", "graph", "coupling", "copy"}


def rust_methods(root: Path) -> dict[str, list[str]]:
    """The public methods of `lotka::System` and their parameters."""
    methods = {}
    for file in (root / "crates/lotka/src/system").glob("*.rs"):
        for block in re.split(r"^impl ", file.read_text(), flags=re.M)[1:]:
            if not block.startswith("System {"):
                continue
            body = block.split("\n}\n")[0]
            for name, parameters in re.findall(r"^    pub fn (\w+)(?:<[^>]*>)?\(([^)]*)\)", body, flags=re.M):
                names = re.findall(r"(\w+): ", parameters)
                methods[name] = [name for name in names if name != "self"]
    return methods


def test_the_methods_are_those_of_the_library(root: Path) -> None:
    rust = rust_methods(root)
    assert len(rust) > 60 and rust["connect"] == ["input", "output"]
    ours = {name: method for name, method in inspect.getmembers(lotka.System) if callable(method) and not name.startswith("_")}
    assert set(ours) - OWN == set(rust) - set(OTHERS)
    renamed = {"scenario": ["entry"], "sandbox": ["sandbox"], "build": [], "save": ["path"]}
    for name in set(ours) & set(rust):
        parameters = [parameter for parameter in inspect.signature(ours[name]).parameters if parameter != "self"]
        expected = rust[name]
        assert renamed.get(name) == expected or parameters[: len(expected)] == expected, (name, parameters, expected)


def test_every_setting_is_applied(scratch: Path) -> None:
    """Each setting changes what a manifest says, or is execution only."""
    only_execution = {"host_program", "cache", "profile", "debug_logging", "threads", "behavior_records"}
    arguments: dict[str, tuple[object, ...]] = {
        "set_at": (1.0, "prey.y", 2.0),
        "scenario": (1.0, 2.0),
        "connect_sum": ("prey.y", {"predator.y": 2.0}),
        "power_bond": ("p", "prey.x", "predator.y"),
        "start_value": ("prey.x", 3),
        "solve_start": ("prey.x", "predator.y"),
        "event": ("prey.x", 2.0),
        "event_by_discard": ("prey",),
        "event_mode": ("prey",),
        "sample_time": ("prey", 0.5),
        "event_every": ("prey", 1.0),
        "event_at": ("prey", [1.0]),
        "record": (["prey.*"],),
        "sweep": ("jacobi",),
        "order": (["predator", "prey"],),
        "input_degree": (2,),
        "input_delivery": ("mean",),
        "feedthrough_outputs": ("stale",),
        "iterations": (7,),
        "acceleration": ("aitken",),
        "on_no_convergence": ("last-iterate",),
        "estimator": ("embedded",),
        "controller": ("pid",),
        "step_factors": (0.8, 0.2, 1.5),
        "gains": (0.2, 0.15),
        "compatibility": ("mastersim",),
        "max_calls": (1000,),
        "sandbox": (),
        "threads": (1,),
        "host_program": ("host",),
        "cache": ("cache",),
        "output_derivatives": (False,),
        "behavior_records": (False,),
        "isolate": (),
        "profile": (),
        "debug_logging": (),
    }
    settings = [name for name in vars(lotka.System.__mro__[1]) if not name.startswith("_")]
    assert len(settings) > 45
    for name in settings:
        system = lotka.System.from_file("system.toml")
        before = system.manifest()["settings"]
        assert getattr(system, name)(*arguments.get(name, (0.125,))) is system
        assert (system.manifest()["settings"] != before) == (name not in only_execution), name


def by_hand(folder: Path) -> lotka.System:
    system = lotka.System()
    system.instance("prey", folder / "prey.fmu", start={"a": 0.1})
    system.instance("predator", folder / "predator.fmu")
    system.connect({"prey.y": "predator.y", "predator.x": "prey.x"})
    return system.stop(100.0).output_interval(1.0)


def test_a_system_by_hand_equals_that_of_the_file(scratch: Path, predator_prey: Path) -> None:
    system = by_hand(scratch)
    assert lotka.compare(system.run(tolerance=1e-6), lotka.run(predator_prey, tolerance=1e-6)).equal
    assert list(system) == ["prey", "predator"] and len(system) == 2 and "prey" in system
    assert repr(system) == "<system of prey, predator>"
    with pytest.raises(KeyError):
        system["fox"]


def test_a_sampled_instance_holds_its_outputs(scratch: Path) -> None:
    system = lotka.System()
    system.instance("prey", scratch / "prey.fmu", sample_time=0.5)
    system.instance("predator", scratch / "predator.fmu")
    system.connect({"prey.y": "predator.y", "predator.x": "prey.x"})
    result = system.stop(2.0).run(step=0.1)
    assert len(set(result["prey.x"])) == 4 and len(set(result["predator.y"])) > 15


def test_a_run_does_not_change_its_system(scratch: Path) -> None:
    system = by_hand(scratch)
    before = system.manifest()
    system.run(step=0.1, start={"prey.x": 5.0}, stop=10.0, start_time=1.0)
    assert system.manifest() == before
    changed = system.copy().stop(10.0)
    assert system.manifest() == before != changed.manifest()


def test_variables_are_listed(scratch: Path) -> None:
    prey = by_hand(scratch)["prey"]
    assert prey.fmu == scratch / "prey.fmu" and "prey" in repr(prey)
    a = prey.variables["a"]
    assert (a.type, a.causality, a.unit, a.start) == ("Real", "parameter", "1/s", 0.1) and a.description
    assert prey.variables[0].name in prey.variables.names and len(prey.variables[1:]) == len(prey.variables) - 1
    assert repr(prey.variables).splitlines()[0].split() == ["name", "type", "causality", "unit", "start", "description"]
    assert "<td>a</td>" in prey.variables._repr_html_()
    assert prey.variables.df().set_index("name").loc["a", "start"] == 0.1
    with pytest.raises(KeyError):
        prey.variables["nothing"]
    assert lotka.inspect(scratch / "prey.fmu")["model_name"] == "prey"
    with pytest.raises(lotka.Error) as raised:
        lotka.inspect(scratch / "nothing.fmu")
    assert raised.value.code != "internal-error"


@pytest.mark.parametrize("value", [[0.0, 0.5, 1.0], (0, 0.5, 1), np.array([0.0, 0.5, 1.0])])
def test_start_values_of_arrays_are_lists_by_the_size_that_is_set(fmus: Path, value: object) -> None:
    system = lotka.System().instance("rod", fmus / "fmi3/heat_rod.fmu", start={"n": 3, "T": value}).stop(0.1).step(0.1)
    assert [system.run()[f"rod.T[{node}]"][0] for node in (1, 2, 3)] == [0.0, 0.5, 1.0]
    with pytest.raises(lotka.DescriptionError, match="expected 3 values, found 2"):
        system.start_value("rod.T", [1.0, 2.0]).run()


def test_integers_of_64_bits_are_exact(fmus: Path) -> None:
    system = lotka.System().instance("rod", fmus / "fmi3/heat_rod.fmu", start={"n": 3}).stop(0.1).step(0.1).record(["*", "rod.n"])
    result = system.run()
    assert result["rod.n"].dtype == np.uint64 and list(result["rod.n"]) == [3, 3]


def test_sources_from_arrays_are_exact(fmus: Path, tmp_path: Path) -> None:
    t = np.array([0.0, 1.0, 1.0, 3.0])
    u = np.array([0.1 + 0.2, 1.0, -2.0, 4.0])
    system = lotka.System().source("wind", t, u).instance("mass", fmus / "mass.fmu").stop(3.0).step(0.25)
    names = {variable.causality: variable.name for variable in system["mass"].variables}
    system.connect(f"mass.{names['input']}", "wind.y").record(["inputs"])
    result = system.run()
    column = f"mass.{names['input']}"
    expected = np.interp(result.time, t, u)
    inside = (result.time != 1.0)
    assert np.allclose(result[column][inside], expected[inside], rtol=1e-15)
    assert sorted(result[column][~inside]) == [-2.0, 1.0]
    system.save(tmp_path / "driven.toml")
    del system
    assert lotka.compare(lotka.run(tmp_path / "driven.toml"), result).equal
    with pytest.raises(ValueError, match="as many values"):
        lotka.System().source("wind", [0.0, 1.0], [1.0])


def test_sources_are_formulas_and_files(fmus: Path, tmp_path: Path) -> None:
    (tmp_path / "wind.csv").write_text("time,v\n0,1\n2,3\n")
    (name,) = (v.name for v in lotka.System().instance("m", fmus / "mass.fmu")["m"].variables if v.causality == "input")

    def last(add: object, output: str) -> float:
        system = lotka.System().instance("m", fmus / "mass.fmu").stop(2.0).step(0.5).record(["inputs"])
        add(system)  # type: ignore[operator]
        return float(system.connect(f"m.{name}", output).run()[f"m.{name}"][-1])

    assert last(lambda system: system.source_csv("wind", tmp_path / "wind.csv"), "wind.v") == 3.0
    assert last(lambda system: system.source("s", {"signal": "step", "time": 1.0, "to": 5.0}), "s.y") == 5.0
    assert last(lambda system: system.source("s", {"signal": "constant", "value": 2.5}), "s.y") == 2.5
    ramp = {"signal": "ramp", "time": 0.0, "duration": 4.0, "to": 8.0}
    assert last(lambda system: system.source("s", ramp), "s.y") == 4.0
    sine = {"signal": "sine", "amplitude": 1.0, "frequency": 0.125, "offset": 1.0}
    assert abs(last(lambda system: system.source("s", sine), "s.y") - 2.0) < 1e-12
    with pytest.raises(ValueError, match="`noise`"):
        lotka.System().source("s", {"signal": "noise"})
    with pytest.raises(ValueError, match="`to`"):
        lotka.System().source("s", {"signal": "step", "time": 1.0})


@pytest.mark.parametrize("extension", ["toml", "ssd", "ssp"])
def test_systems_are_saved(scratch: Path, extension: str) -> None:
    system = by_hand(scratch).tolerance(1e-4)
    path = scratch / f"saved.{extension}"
    system.save(path)
    assert lotka.compare(lotka.run(path), system.run()).equal


def test_the_graph_has_order_loops_and_a_picture(scratch: Path) -> None:
    graph = by_hand(scratch).step(0.1).graph()
    assert sorted(graph.order) == ["predator", "prey"] and graph.algebraic_loops == []
    assert [sorted(loop) for loop in graph.loops] == [["predator", "prey"]]
    assert graph._repr_svg_().startswith("<svg") and graph.dot.startswith("digraph") and "svg" not in repr(graph)


def test_the_graph_lists_inputs_without_a_source(scratch: Path) -> None:
    assert by_hand(scratch).step(0.1).graph().unconnected == {}
    alone = lotka.System().step(0.1)
    alone.instance("prey", scratch / "prey.fmu", start={"y": 2.5})
    alone.instance("other", scratch / "prey.fmu")
    unconnected = alone.graph().unconnected
    assert list(unconnected) == ["prey.y", "other.y"] and unconnected["prey.y"] == 2.5


def test_the_coupling_is_analyzed(scratch: Path) -> None:
    found = by_hand(scratch).step(0.1).coupling()
    assert found["step"] == 0.1
    assert {(s["output"], s["input"]) for s in found["sensitivities"]} == {("prey.x", "prey.y"), ("predator.y", "predator.x")}


def test_files_of_a_run(scratch: Path) -> None:
    system = lotka.System.from_file("system.toml")
    assert {file.name for file in system.files()} == {"system.toml", "prey.fmu", "predator.fmu"}
    assert {name: file.name for name, file in system.fmu_files().items()} == {"prey": "prey.fmu", "predator": "predator.fmu"}
