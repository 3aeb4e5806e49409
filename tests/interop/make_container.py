"""Packs prey and predator, connected, into one FMU with fmu-manipulation-toolbox.

Usage: make_container.py PREY.fmu PREDATOR.fmu STEP_SIZE FMI_VERSION DIRECTORY; prints the path of DIRECTORY/container.fmu.
FMI_VERSION is that of the container, 2 or 3; the embedded FMUs may be of another one.
The embedded FMUs exchange values every STEP_SIZE seconds, Jacobi. Outputs: x and y.
"""
import json
import shutil
import sys
from pathlib import Path

from fmu_manipulation_toolbox.assembly import Assembly


def main():
    _, prey, predator, step_size, fmi_version, directory = sys.argv
    directory = Path(directory).resolve()
    for path, name in (prey, "prey.fmu"), (predator, "predator.fmu"):
        if Path(path).resolve() != directory / name:
            shutil.copyfile(path, directory / name)
    description = {
        "name": "container.fmu",
        "step_size": float(step_size),
        "mt": False,
        "sequential": False,
        "auto_link": False,
        "auto_input": False,
        "auto_output": False,
        "auto_parameter": False,
        "fmu": ["prey.fmu", "predator.fmu"],
        "link": [["prey.fmu", "x", "predator.fmu", "x"], ["predator.fmu", "y", "prey.fmu", "y"]],
        "output": [["prey.fmu", "x", "x"], ["predator.fmu", "y", "y"]],
    }
    (directory / "container.json").write_text(json.dumps(description))
    Assembly("container.json", fmu_directory=directory).make_fmu(fmi_version=int(fmi_version))
    print(directory / "container.fmu")


main()
