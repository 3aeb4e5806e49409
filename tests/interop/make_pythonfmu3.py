"""Makes Lag3.fmu with pythonfmu3. Usage: make_pythonfmu3.py DIRECTORY; prints the path."""
import sys
from pathlib import Path

from pythonfmu3.builder import FmuBuilder

lag = Path(__file__).with_name("lag3.py")
print(FmuBuilder.build_FMU(lag, dest=sys.argv[1], canHandleVariableCommunicationStepSize=True).resolve())
