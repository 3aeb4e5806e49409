"""Couples prey and predator with ecos: Jacobi, fixed step. See pair.py."""
from ecospy.EcosSimulation import EcosSimulation
from ecospy.EcosSimulationStructure import EcosSimulationStructure
from ecospy.lib import EcosLib

import pair


def main():
    paths, step_size, steps = pair.arguments()
    EcosLib.set_log_level("warn")
    with EcosSimulationStructure() as structure:
        for name, path in paths.items():
            structure.add_model(name, path)
        for source, target in pair.CONNECTIONS:
            structure.make_real_connection("::".join(source), "::".join(target))
        with EcosSimulation(structure=structure, step_size=step_size) as simulation:
            simulation.init(0.0)

            def row():
                values = [simulation.get_real("::".join(variable)) for variable in pair.RECORDED]
                return [simulation.get_time()] + values

            rows = [row()]
            for _ in range(steps):
                simulation.step()
                rows.append(row())
            simulation.terminate()
    pair.print_table(rows)


main()
