"""Errors: codes, problems, rows so far."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import lotka
from lotka import _simulation


def test_all_problems_come_at_once_with_their_places(scratch: Path) -> None:
    text = Path("system.toml").read_text()
    Path("wrong.toml").write_text(text.replace('"prey.y"', '"prey.z"').replace('"predator.x"', '"predator.q"'))
    with pytest.raises(lotka.DescriptionError) as raised:
        lotka.run("wrong.toml")
    problems = raised.value.problems
    assert [problem.message.count("z") + problem.message.count("q") > 0 for problem in problems] == [True, True]
    first = problems[0]
    assert first.file == "wrong.toml" and first.severity == "error" and first.line and first.column == 1
    assert text.splitlines()[first.line - 1].startswith('"prey.y"')
    assert raised.value.code == first.code and first.help
    assert str(raised.value).startswith(f"wrong.toml:{first.line}:1: ")
    assert str(first) == str(raised.value).splitlines()[0]
    assert lotka.System.from_file("wrong.toml").check() == problems == lotka.check("wrong.toml")
    assert lotka.check("system.toml") == []


def test_codes_are_those_of_the_documentation(root: Path, tmp_path: Path) -> None:
    documented = (root / "docs/messages.md").read_text()
    with pytest.raises(lotka.LoadError) as missing:
        lotka.System().instance("a", tmp_path / "a.fmu").stop(1.0).run()
    with pytest.raises(lotka.ReadError) as unread:
        lotka.run(tmp_path / "nothing.toml")
    (tmp_path / "a.toml").write_text("a = [")
    with pytest.raises(lotka.DescriptionError) as syntax:
        lotka.run(tmp_path / "a.toml")
    for raised in (missing, unread, syntax):
        assert isinstance(raised.value, lotka.Error) and f"`{raised.value.code}`" in documented


def test_a_failed_run_keeps_its_rows(predator_prey: Path, root: Path) -> None:
    with pytest.raises(lotka.RunFailure) as raised:
        lotka.run(predator_prey, local_tolerance=1e-6, start={"prey.a": 1e9})
    failure = raised.value
    assert failure.rows is not None and failure.rows.n_rows > 0 and failure.rows.end == "failed"
    assert failure.report["end"] == "failed" and failure.report["time"] < 100.0
    assert f"`{failure.code}`" in (root / "docs/messages.md").read_text()
    assert repr(failure.rows).splitlines()[0].count("failed") == 1


def test_exceptions_go_to_other_processes(scratch: Path) -> None:
    Path("wrong.toml").write_text(Path("system.toml").read_text().replace('"prey.y"', '"prey.z"'))
    with pytest.raises(lotka.DescriptionError) as raised:
        lotka.run("wrong.toml")
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is lotka.DescriptionError and str(again) == str(raised.value)
    assert (again.code, again.problems) == (raised.value.code, raised.value.problems)


def test_wrong_arguments_are_python_errors(predator_prey: Path) -> None:
    system = lotka.System.from_file(predator_prey)
    with pytest.raises(TypeError, match="no setting `tolerence`"):
        system.run(tolerence=1e-6)
    with pytest.raises(TypeError):
        system.tolerance("small")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`up`, `down`, `both`"):
        system.event("prey.x", 1.0, "sideways")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown example `x`; available: .*predator-prey"):
        lotka.example("x")


def test_an_unknown_start_value_is_a_problem(predator_prey: Path) -> None:
    with pytest.raises(lotka.DescriptionError, match=r"prey.*`q`"):
        lotka.run(predator_prey, start={"prey.q": 1.0})


def test_texts_of_files_cannot_act_on_a_terminal(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    name = r"a\u001b]0;title\u0007\u001b[2J\u202e\u009b2J"
    (tmp_path / "a.toml").write_text(f'[experiment]\n"{name}" = 1\n')
    with pytest.raises(lotka.DescriptionError) as raised:
        lotka.run(tmp_path / "a.toml")
    problems = [str(problem) for problem in raised.value.problems]
    checked = [str(finding) for finding in lotka.check(tmp_path / "a.toml")]
    for texts in ([str(raised.value)], problems, checked):
        assert any("a␛]0;title␇␛[2J\ufffd\ufffd2J" in text for text in texts)
        assert all(line.isprintable() for text in texts for line in text.splitlines())
    _simulation.warn("\x1b[2J\nerror: forged", "code")
    _simulation._fmu_line("\x1b]0;a\x07", "Warning", "", "100 %\r\x9bm")
    assert [record.getMessage() for record in caplog.records] == ["␛[2J\n  error: forged [code]", "100 %␍\ufffdm"]
    assert caplog.records[1].name == "lotka.fmu.␛]0;a␇"
    assert repr(lotka.System().instance("\x1b[2J", "a.fmu")).isprintable()
