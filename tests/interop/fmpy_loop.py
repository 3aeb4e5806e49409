"""Couples prey and predator of either version by hand through FMPy: Jacobi, fixed step. See pair.py."""
import shutil

import fmpy
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave

import pair


def open_slave(name, path):
    description = fmpy.read_model_description(path)
    directory = fmpy.extract(path)
    is_fmi2 = description.fmiVersion == "2.0"
    slave = (FMU2Slave if is_fmi2 else FMU3Slave)(
        guid=description.guid,
        unzipDirectory=directory,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName=name,
    )
    slave.instantiate()
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    read = slave.getReal if is_fmi2 else slave.getFloat64
    write = slave.setReal if is_fmi2 else slave.setFloat64
    if is_fmi2:
        slave.setupExperiment(startTime=0.0)
    return slave, (references, read, write), directory


def main():
    paths, step_size, steps = pair.arguments()
    slaves = {name: open_slave(name, path) for name, path in paths.items()}

    def get(instance, variable):
        references, read, _ = slaves[instance][1]
        return read([references[variable]])[0]

    def exchange():
        values = [get(*source) for source, _ in pair.CONNECTIONS]
        for value, (_, (instance, variable)) in zip(values, pair.CONNECTIONS):
            references, _, write = slaves[instance][1]
            write([references[variable]], [value])

    for slave, _, _ in slaves.values():
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
