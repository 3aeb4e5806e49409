"""Validates model descriptions of FMI 3.0. Usage: fmi3_validate.py FILE.xml…; prints a line per file: path, problems of the schema, problems of FMPy."""
import sys
from pathlib import Path

import fmpy
from fmpy.model_description import ValidationError
from lxml import etree

schema = etree.XMLSchema(etree.parse(Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3ModelDescription.xsd"))


def of_schema(path):
    try:
        schema.validate(etree.parse(path))
    except etree.XMLSyntaxError as error:
        return [error]
    return list(schema.error_log)


def of_fmpy(path):
    try:
        fmpy.read_model_description(path, validate=True, validate_variable_names=True, validate_model_structure=True)
    except ValidationError as error:
        return error.problems
    except Exception as error:
        return [error]
    return []


for path in sys.argv[1:]:
    found = [of_schema(path), of_fmpy(path)]
    print(path, *(len(problems) for problems in found), sep="\t")
    for problem in (problem for problems in found for problem in problems):
        print(f"{path}: {problem}", file=sys.stderr)
