"""Checks FMUs with `fmutool -check` of fmu-manipulation-toolbox. Usage: fmutool_check.py FMU…"""
import sys

from fmu_manipulation_toolbox.cli.fmutool import fmutool

failed = False
for path in sys.argv[1:]:
    print(path, flush=True)
    sys.argv = ["fmutool", "-input", path, "-check"]
    try:
        fmutool()
    except SystemExit as end:
        failed |= bool(end.code)
sys.exit(1 if failed else 0)
