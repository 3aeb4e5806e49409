"""Reads the same rows from CSV, Parquet, MATLAB and Arrow files with pandas, polars, pyarrow, scipy and DyMat, and compares them bit for bit.
Writes the rows beside the Arrow file as other programs do: from pyarrow, pandas and polars, for Lotka to read.

Arguments: four files, or eight, and so on. Prints the units that Parquet and MATLAB files have, by variable, as JSON, a line for four files.
"""

import json
import sys

import numpy
import pandas
import polars
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import scipy.io
from DyMat import DyMatFile


def same(found, expected, what):
    found, expected = numpy.asarray(found), numpy.asarray(expected)
    if found.shape != expected.shape or not (found == expected).all():
        sys.exit(f"{what}: {found} is not {expected}")


DTYPES = {"Real": "float64", "Integer": "int32", "Enumeration": "int32", "Boolean": "bool", "String": "str"}
POLARS = {"Real": polars.Float64, "Integer": polars.Int32, "Enumeration": polars.Int32, "Boolean": polars.Boolean, "String": polars.String}


def check(csv, parquet, mat, arrow):
    rows = pandas.read_csv(csv, float_precision="round_trip", keep_default_na=False)
    about = json.loads(pyarrow.parquet.read_schema(parquet).metadata[b"lotka"])["columns"]
    assert json.loads(polars.read_parquet_metadata(parquet)["lotka"])["columns"] == about
    assert list(about) == list(rows.columns), list(about)

    # Parquet: every column with its type.
    frame, table = pandas.read_parquet(parquet), polars.read_parquet(parquet)
    for name, column in about.items():
        assert str(frame[name].dtype) == DTYPES[column["type"]], (name, frame[name].dtype)
        assert table[name].dtype == POLARS[column["type"]], (name, table[name].dtype)
        same(frame[name], rows[name], f"pandas, Parquet: {name}")
        same(table[name], rows[name], f"polars, Parquet: {name}")
    some = list(about)[1]
    same(pandas.read_parquet(parquet, columns=[some])[some], rows[some], f"pandas, Parquet, one column: {some}")
    same(polars.scan_parquet(parquet).select(some).collect()[some], rows[some], f"polars, Parquet, one column: {some}")

    # Arrow: the same types and metadata, without a copy, and again in metadata of each field.
    mapped = pyarrow.memory_map(arrow)
    before = pyarrow.total_allocated_bytes()
    stored = pyarrow.ipc.open_file(mapped).read_all()
    assert pyarrow.total_allocated_bytes() == before, "pyarrow copies"
    assert json.loads(stored.schema.metadata[b"lotka"])["columns"] == about
    frame, table = pandas.read_feather(arrow), polars.read_ipc(arrow)
    for name, column in about.items():
        metadata = stored.schema.field(name).metadata
        assert metadata[b"type"].decode() == column["type"], name
        for key in ("unit", "description"):
            assert metadata.get(key.encode(), b"").decode() == (column[key] or ""), name
        assert str(frame[name].dtype) == DTYPES[column["type"]] and table[name].dtype == POLARS[column["type"]], name
        for found in (stored[name], frame[name], table[name]):
            same(found, rows[name], f"Arrow: {name}")
    # What is left of a file whose end is lost.
    stream = pyarrow.ipc.open_stream(open(arrow, "rb").read()[8:-100])
    assert stream.read_all().equals(stored)
    pyarrow.feather.write_feather(stored.replace_schema_metadata(None), f"{arrow}.pyarrow", compression="uncompressed")
    frame.to_feather(f"{arrow}.pandas", compression="uncompressed")
    texts = [name for name, kind in table.schema.items() if kind == polars.String]
    table.with_columns(polars.col(texts).cast(polars.Categorical)).write_ipc(f"{arrow}.polars", compression="uncompressed")

    # MATLAB: numbers only, constants once.
    numbers = [name for name, column in about.items() if column["type"] != "String"]
    trajectories = DyMatFile(mat)
    assert ["time", *sorted(trajectories.names())] == ["time", *sorted(name for name in numbers if name != "time")]
    for name in numbers[1:]:
        values = numpy.broadcast_to(trajectories.data(name)[:1], len(rows)) if about[name]["constant"] else trajectories.data(name)
        same(values, rows[name].astype("float64"), f"DyMat: {name}")
        if not about[name]["constant"]:
            same(trajectories.abscissa(name, valuesOnly=True), rows["time"], f"DyMat: time of {name}")
    matrices = scipy.io.loadmat(mat, chars_as_strings=False)
    same(matrices["data_2"][0], rows["time"], "scipy: time")
    assert matrices["data_2"].dtype == numpy.float64 and matrices["dataInfo"].dtype == numpy.int32

    # Units and descriptions stand behind each other in a MATLAB file. scipy reads its bytes as Latin-1.
    units = {}
    for name in numbers[1:]:
        description = trajectories.description(name).encode("latin-1").decode()
        expected = about[name]["description"] or ""
        if about[name]["unit"] is not None:
            expected = f"{expected} [{about[name]['unit']}]".strip()
        assert description == expected, (name, description)
        units[name] = about[name]["unit"]
    print(json.dumps(units))


files = sys.argv[1:]
for first in range(0, len(files), 4):
    check(*files[first : first + 4])
