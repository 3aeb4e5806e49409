"""Runs a package of prey and predator with libcosim, with the steps that the package says. Usage: libcosim_ssp.py SYSTEM.ssp STEPS.

Output as in libcosim_run.py.
"""
import sys

from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver

import pair

NANOSECONDS = 1_000_000_000


def main():
    _, package, steps = sys.argv
    log_output_level(CosimLogLevel.WARNING)
    execution = CosimExecution.from_ssp_file(ssp_path=package)
    index = {name: execution.slave_index_from_instance_name(name) for name in ("prey", "predator")}
    references = {
        (name, variable.name.decode()): variable.reference
        for name in index
        for variable in execution.slave_variables(index[name])
    }
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)

    rows = []
    for _ in range(int(steps)):
        if not execution.step():
            raise RuntimeError(f"libcosim fails: {execution.status()}")
        values = [observer.last_real_values(index[v[0]], [references[v]])[0] for v in pair.RECORDED]
        rows.append([execution.status().current_time / NANOSECONDS] + values)
    pair.print_table(rows)


main()
