"""Validates system structure descriptions by the schemas of SSP 1.0, those of parameter values in them included.

Usage: ssp_validate.py FILE.ssd…; prints one problem per line.
"""
import sys
from pathlib import Path

import fmpy.ssp
from lxml import etree

SCHEMAS = Path(fmpy.ssp.__file__).parent / "schema"
NAMES = ["Common", "Description", "ParameterValues", "ParameterMapping"]


def schema():
    imports = "".join(
        f'<xs:import namespace="http://ssp-standard.org/SSP1/SystemStructure{name}" schemaLocation="{SCHEMAS / f"SystemStructure{name}.xsd"}"/>'
        for name in NAMES
    )
    return etree.XMLSchema(etree.fromstring(f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">{imports}</xs:schema>'))


def main():
    rules = schema()
    problems = []
    for path in sys.argv[1:]:
        rules.validate(etree.parse(path))
        problems += [f"{path}: {problem}" for problem in rules.error_log]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
