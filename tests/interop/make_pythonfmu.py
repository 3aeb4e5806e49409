"""Makes Lag.fmu with pythonfmu. Usage: make_pythonfmu.py DIRECTORY; prints the path."""
import sys
from pathlib import Path

from pythonfmu.builder import FmuBuilder

print(FmuBuilder.build_FMU(Path(__file__).with_name("lag.py"), dest=sys.argv[1]).resolve())
