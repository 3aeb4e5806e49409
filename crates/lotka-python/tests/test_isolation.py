"""FMUs of other tools run in processes of their own; their crashes leave the interpreter alive."""

from __future__ import annotations

import logging
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import lotka

#: The tool that made an FMU, in the description of those of the kit.
TOOL = 'generationTool="Lotka fmu-sdk '

#: Machine code of a `fmi2DoStep` that crashes: ud2, an invalid instruction.
CRASH = bytes.fromhex("0f0b")

Make = Callable[[str, "bytes | None"], Path]


def place_in_file(library: bytes, symbol: str, path: Path) -> int:
    """Where the code of a function is in an ELF file."""
    names = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    (address,) = (int(line.split()[0], 16) for line in names.splitlines() if line.endswith(f" {symbol}"))
    first, size, count = struct.unpack_from("<Q", library, 32)[0], *struct.unpack_from("<HH", library, 54)
    for number in range(count):
        kind, _, offset, start, _, length = struct.unpack_from("<IIQQQQ", library, first + number * size)
        if kind == 1 and start <= address < start + length:
            return int(address - start + offset)
    raise AssertionError(f"no segment has {symbol}")


@pytest.fixture
def make(predator_prey: Path, tmp_path: Path) -> Make:
    """Makes an FMU like `prey.fmu` that another tool made, with other code of `fmi2DoStep`."""

    def make(name: str, do_step: bytes | None) -> Path:
        folder = tmp_path / name
        with zipfile.ZipFile(predator_prey.parent.parent / "fmus/prey.fmu") as original:
            original.extractall(folder)
        description = folder / "modelDescription.xml"
        text = description.read_text()
        assert TOOL in text
        description.write_text(text.replace(TOOL, 'generationTool="Another tool '))
        if do_step is not None:
            library = folder / "binaries/linux64/prey.so"
            code = library.read_bytes()
            place = place_in_file(code, "fmi2DoStep", library)
            library.write_bytes(code[:place] + do_step + code[place + len(do_step) :])
        with zipfile.ZipFile(tmp_path / f"{name}.fmu", "w") as fmu:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    fmu.write(file, file.relative_to(folder))
        return tmp_path / f"{name}.fmu"

    return make


def system(fmu: Path) -> lotka.System:
    return lotka.System().instance("prey", fmu).stop(5.0).step(0.1)


def children() -> list[str]:
    """The programs of the children of this process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "status").read_text()
            except OSError:
                continue
            if f"PPid:\t{os.getpid()}\n" in status and "State:\tZ" not in status:
                found.append(status.split("\n")[0].split("\t")[1])
    return found


def test_fmus_of_other_tools_are_isolated(make: Make, predator_prey: Path) -> None:
    kit = lotka.System.from_file(predator_prey).step(0.1)
    other = system(make("other", None))
    for description, isolation, expected in [
        (kit, "auto", 0),
        (other, "auto", 1),
        (other, None, 0),
        (other.copy().isolate(False), "auto", 0),
        (kit, "process", 2),
    ]:
        before = len(children())
        with description.build(isolation=isolation) as simulation:  # type: ignore[arg-type]
            assert len(children()) - before == expected, (description, isolation)
            simulation.run()
    assert lotka.compare(other.run(), other.run(isolation=None)).equal


class Predator(lotka.Model):
    x = lotka.Input(10.0)
    y = lotka.Output(10.0)

    def step(self, t: float, h: float) -> None:
        self.y += h * self.y * (0.02 * self.x - 0.4)


def test_objects_stay_in_this_process(make: Make, predator_prey: Path) -> None:
    mixed = system(make("other", None)).instance("predator", Predator())
    mixed.connect({"prey.y": "predator.y", "predator.x": "prey.x"})
    isolated, here = mixed.run(isolation="process"), mixed.run(isolation=None)
    assert lotka.compare(isolated, here).equal and here["predator.y"][-1] != 10.0
    with pytest.raises(ValueError, match="`proces`"):
        mixed.run(isolation="proces")  # type: ignore[arg-type]


def test_a_crash_is_an_exception_with_the_rows_so_far(make: Make) -> None:
    crashing = system(make("crashing", CRASH))
    with pytest.raises(lotka.RunFailure, match="prey") as raised:
        crashing.run()
    rows = raised.value.rows
    assert rows is not None and rows.time.tolist() == [0.0] and rows.end == "failed"
    assert raised.value.code == "process-ended"
    # Again, in the same interpreter.
    with pytest.raises(lotka.RunFailure):
        crashing.run()
    assert [finding.severity for finding in lotka.check(make("other", None))].count("error") == 0


def test_a_crash_in_this_process_would_end_it(make: Make) -> None:
    """The test above tests something: the same FMU, not isolated."""
    program = "import lotka, sys; lotka.System().instance('prey', sys.argv[1]).stop(5.0).step(0.1).run(isolation=None)"
    done = subprocess.run([sys.executable, "-c", program, make("crashing", CRASH)], capture_output=True)
    assert done.returncode < 0


ONCE = """
import logging, sys, lotka
logging.basicConfig()
for _ in range(2):
    lotka.System().instance("prey", sys.argv[1]).stop(1.0).step(0.1).run()
"""


def test_the_first_isolated_run_says_so(make: Make) -> None:
    done = subprocess.run([sys.executable, "-c", ONCE, make("other", None)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("isolation=None") == 1 and "WARNING:lotka:" in done.stderr


def test_processes_end_with_their_simulation(make: Make) -> None:
    other, before = system(make("other", None)), children()
    with other.build():
        assert len(children()) == len(before) + 1
    assert children() == before
