"""Validates FMUs with FMPy: XML schema, variable rules, model structure. Usage: fmpy_validate.py FMU…; prints one problem per line."""
import sys

from fmpy.validation import validate_fmu

problems = [f"{path}: {problem}" for path in sys.argv[1:] for problem in validate_fmu(path)]
print("\n".join(problems))
sys.exit(1 if problems else 0)
