"""Runs a package of prey and predator with ecos: Jacobi, fixed step. Usage: ecos_ssp.py SYSTEM.ssp STEP_SIZE STEPS; output as in pair.py."""
import sys

from ecospy.EcosSimulation import EcosSimulation
from ecospy.lib import EcosLib

import pair


def main():
    _, package, step_size, steps = sys.argv
    EcosLib.set_log_level("warn")
    with EcosSimulation(step_size=float(step_size), ssp_path=package) as simulation:
        simulation.init(0.0)

        def row():
            values = [simulation.get_real("::".join(variable)) for variable in pair.RECORDED]
            return [simulation.get_time()] + values

        rows = [row()]
        for _ in range(int(steps)):
            simulation.step()
            rows.append(row())
        simulation.terminate()
    pair.print_table(rows)


main()
