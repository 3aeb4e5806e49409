"""Counts what FMPy and fmu-manipulation-toolbox find wrong with FMUs. Usage: validators.py FMU…; prints "path<TAB>FMPy<TAB>fmutool"."""
import logging
import sys

from fmpy.validation import validate_fmu
from fmu_manipulation_toolbox.checker import get_checkers
from fmu_manipulation_toolbox.operations import FMU


class Errors(logging.Handler):
    """Counts what a checker logs as an error."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record):
        self.count += 1


def fmutool(path):
    errors = Errors()
    logger = logging.getLogger("fmu_manipulation_toolbox")
    logger.addHandler(errors)
    try:
        fmu = FMU(path)
        for checker in get_checkers():
            fmu.apply_operation(checker())
    except Exception:  # a file that it cannot read at all
        errors.count += 1
    finally:
        logger.removeHandler(errors)
    return errors.count


logging.getLogger("fmu_manipulation_toolbox").propagate = False
for path in sys.argv[1:]:
    print(path, len(validate_fmu(path)), fmutool(path), sep="\t")
