"""Packs a package of prey and predator into one FMU with fmu-manipulation-toolbox.

Usage: make_container_of_ssp.py SYSTEM.ssp STEP_SIZE; the container is made beside the package, and its path printed. The embedded FMUs exchange
values every STEP_SIZE seconds, Jacobi. Outputs: x and y.
"""
import sys
from pathlib import Path

from fmu_manipulation_toolbox.assembly import Assembly


def main():
    _, package, step_size = sys.argv
    package = Path(package).resolve()
    assembly = Assembly(package.name, default_step_size=float(step_size), fmu_directory=package.parent)
    for fmu, variable in ("prey.fmu", "x"), ("predator.fmu", "y"):
        assembly.root.add_output(fmu, variable, variable)
    assembly.make_fmu()
    print(package.with_suffix(".fmu"))


main()
