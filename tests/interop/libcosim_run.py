"""Couples prey and predator with libcosim: fixed step, which is Jacobi. See pair.py.

Its clock counts nanoseconds, and there is nothing to read before the first step, so that the row of the start is missing.
"""
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

import pair

NANOSECONDS = 1_000_000_000


def main():
    paths, step_size, steps = pair.arguments()
    log_output_level(CosimLogLevel.WARNING)
    execution = CosimExecution.from_step_size(round(step_size * NANOSECONDS))
    slaves = {name: CosimLocalSlave(fmu_path=path, instance_name=name) for name, path in paths.items()}
    index = {name: execution.add_local_slave(slave) for name, slave in slaves.items()}
    references = {
        (name, variable.name.decode()): variable.reference
        for name in paths
        for variable in execution.slave_variables(index[name])
    }
    for source, target in pair.CONNECTIONS:
        status = execution.connect_real_variables(
            index[source[0]], references[source], index[target[0]], references[target]
        )
        if status != 0:
            raise RuntimeError(f"libcosim refuses the connection {source} -> {target}: {status}")
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)

    rows = []
    for _ in range(steps):
        if not execution.step():
            raise RuntimeError(f"libcosim fails: {execution.status()}")
        values = [observer.last_real_values(index[v[0]], [references[v]])[0] for v in pair.RECORDED]
        rows.append([execution.status().current_time / NANOSECONDS] + values)
    pair.print_table(rows)


main()
