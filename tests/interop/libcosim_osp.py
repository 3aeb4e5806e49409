"""Runs an OspSystemStructure.xml with libcosim and the algorithm that it names. Usage: libcosim_osp.py STRUCTURE STEPS INSTANCE.VARIABLE…

Output: CSV with the time [s] and these values after each step. libcosim's clock counts nanoseconds.
"""
import sys

from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver

NANOSECONDS = 1_000_000_000


def main():
    _, structure, steps, *columns = sys.argv
    log_output_level(CosimLogLevel.WARNING)
    execution = CosimExecution.from_osp_config_file(structure)
    index = {info.name.decode(): info.index for info in execution.slave_infos()}
    references = {
        (name, variable.name.decode()): variable.reference
        for name in index
        for variable in execution.slave_variables(index[name])
    }
    recorded = [tuple(column.split(".", 1)) for column in columns]
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    print("time," + ",".join(columns))
    for _ in range(int(steps)):
        if not execution.step():
            raise RuntimeError(f"libcosim fails: {execution.status()}")
        values = [observer.last_real_values(index[v[0]], [references[v]])[0] for v in recorded]
        print(",".join(repr(value) for value in [execution.status().current_time / NANOSECONDS] + values))


main()
