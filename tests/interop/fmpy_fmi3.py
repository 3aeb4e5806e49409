"""Runs FMUs of FMI 3.0 in FMPy: events in event mode, early returns, structural parameters. Usage: fmpy_fmi3.py FOLDER; fails with a sentence."""
import math
import shutil
import sys
from pathlib import Path

from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

# Impacts from 1 m with e = 0.7 and g = 9.81 m/s²: partial sums of a geometric series.
FIRST = math.sqrt(2 / 9.81)
IMPACTS = [FIRST * (1 + 2 * sum(0.7**k for k in range(1, n))) for n in range(1, 6)]


def near(found, expected, largest, what):
    assert abs(found - expected) <= largest, f"{what}: found {found}, expected {expected}"


def bouncing_ball(path):
    """In event mode, steps end at the impacts, which FMPy records twice: before and after the bounce."""
    times = {}
    for early_return in (True, False):
        rows = simulate_fmu(path, stop_time=2.1, output_interval=0.1, early_return_allowed=early_return, use_event_mode=True)
        times[early_return] = [t for t, after in zip(rows["time"], rows["time"][1:]) if t == after]
        assert rows["n_impacts"][-1] == 5, rows["n_impacts"][-1]
        since = 2.1 - IMPACTS[4]
        height = 0.7**5 * math.sqrt(2 * 9.81) * since - 0.5 * 9.81 * since**2
        near(rows["h"][-1], height, 1e-12, f"the height with early_return = {early_return}")
    assert len(times[True]) == 5, times
    for found, exact in zip(times[True], IMPACTS):
        near(found, exact, 1e-12, "an impact")


def heat_rod(path):
    """With cold ends, half a sine wave decays with the rate of the discrete heat equation, for any number of nodes."""
    description = read_model_description(path)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    directory = extract(path)
    for n in (1, 25):
        rod = FMU3Slave(
            guid=description.guid,
            unzipDirectory=directory,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="rod",
        )
        rod.instantiate()
        rod.enterConfigurationMode()
        rod.setUInt64([references["n"]], [n])
        rod.exitConfigurationMode()
        rod.setFloat64([references["relative_tolerance"]], [1e-9])
        rod.enterInitializationMode(startTime=0.0)
        rod.exitInitializationMode()
        for step in range(10):
            answers = rod.doStep(currentCommunicationPoint=step / 10, communicationStepSize=0.1)
            assert not any(answers[:3]) and abs(answers[3] - (step + 1) / 10) < 1e-12, answers
        temperatures = rod.getFloat64([references["T"]], nValues=n)
        rate = 0.4 * (n + 1) ** 2 * math.sin(math.pi / (2 * (n + 1))) ** 2
        for i, found in enumerate(temperatures, 1):
            near(found, math.sin(math.pi * i / (n + 1)) * math.exp(-rate), 1e-8, f"node {i} of {n}")
        rod.terminate()
        rod.freeInstance()
    shutil.rmtree(directory, ignore_errors=True)


folder = Path(sys.argv[1])
fmus = sorted(folder.glob("*.fmu"))
problems = [f"{path}: {problem}" for path in fmus for problem in validate_fmu(str(path))]
assert fmus and not problems, problems or f"no FMU in {folder}; run `cargo xtask package-fmus --fmi 3.0`"
bouncing_ball(str(folder / "bouncing_ball.fmu"))
heat_rod(str(folder / "heat_rod.fmu"))
print(f"{len(fmus)} FMUs")
