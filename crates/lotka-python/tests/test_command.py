"""The command in the package."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import lotka

SCRIPT = str(Path(sysconfig.get_path("scripts")) / "lotka")


@pytest.mark.parametrize("command", [[sys.executable, "-m", "lotka"], [SCRIPT]], ids=["module", "script"])
def test_the_command_runs(command: list[str], scratch: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)

    assert run("--version").stdout == f"lotka {lotka.__version__}\n"
    done = run("run", "system.toml", "--output-file", "rows.csv")
    assert done.returncode == 0 and "stop time 100 s reached" in done.stderr
    assert lotka.compare("rows.csv", lotka.run("system.toml")).equal
    wrong = run("run", "nothing.toml")
    assert wrong.returncode != 0 and "nothing.toml" in wrong.stderr


def test_the_command_isolates_with_the_host_program_of_the_package(scratch: Path) -> None:
    command = [SCRIPT, "run", "system.toml", "--isolate", "--quiet", "--output-file", "isolated.csv"]
    subprocess.run(command, check=True)
    assert lotka.compare("isolated.csv", lotka.run("system.toml")).equal
