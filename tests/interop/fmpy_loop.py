"""Couples prey and predator by hand through FMPy: Jacobi, fixed step. See pair.py."""
import shutil

import fmpy
from fmpy.fmi2 import FMU2Slave

import pair


def open_slave(name, path):
    description = fmpy.read_model_description(path)
    directory = fmpy.extract(path)
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=directory,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName=name,
    )
    slave.instantiate()
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    return slave, references, directory


def main():
    paths, step_size, steps = pair.arguments()
    slaves = {name: open_slave(name, path) for name, path in paths.items()}

    def get(instance, variable):
        slave, references, _ = slaves[instance]
        return slave.getReal([references[variable]])[0]

    def exchange():
        values = [get(*source) for source, _ in pair.CONNECTIONS]
        for value, (_, (instance, variable)) in zip(values, pair.CONNECTIONS):
            slave, references, _ = slaves[instance]
            slave.setReal([references[variable]], [value])

    for slave, _, _ in slaves.values():
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
    exchange()
    for slave, _, _ in slaves.values():
        slave.exitInitializationMode()

    rows = [[0.0] + [get(*source) for source in pair.RECORDED]]
    for step in range(steps):
        if step > 0:
            exchange()
        for slave, _, _ in slaves.values():
            slave.doStep(currentCommunicationPoint=rows[-1][0], communicationStepSize=step_size)
        rows.append([rows[-1][0] + step_size] + [get(*source) for source in pair.RECORDED])

    for slave, _, directory in slaves.values():
        slave.terminate()
        slave.freeInstance()
        shutil.rmtree(directory, ignore_errors=True)
    pair.print_table(rows)


main()
