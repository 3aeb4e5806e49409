"""What the tests of the package share."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import lotka

#: The root of the project.
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Python, and the processes that tests start, hear Ctrl-C also where SIGINT was ignored when the tests began: `nohup`, `&` in a script."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def fmus() -> Path:
    """The folder of the project's FMUs."""
    return Path(os.environ.get("LOTKA_FMUS", ROOT / "target/fmus"))


@pytest.fixture(scope="session")
def predator_prey() -> Path:
    """The system file of the package."""
    return lotka.example("predator-prey")


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, predator_prey: Path) -> Iterator[Path]:
    """A folder with the predator-prey system, in which the test runs."""
    text = predator_prey.read_text()
    (tmp_path / "system.toml").write_text(text.replace("../fmus/", ""))
    for name in ("prey", "predator"):
        shutil.copy(predator_prey.parent.parent / f"fmus/{name}.fmu", tmp_path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
