"""Prints the path of the shared libpython, which FMUs made by pythonfmu expect in the process that loads them."""
import sys
import sysconfig
from pathlib import Path

variables = sysconfig.get_config_vars()
name = variables.get("INSTSONAME") or ""
directories = [variables.get("LIBDIR"), Path(variables.get("LIBDIR") or "/usr/lib") / (variables.get("MULTIARCH") or "")]
candidates = [Path(directory) / name for directory in directories if directory and name.startswith("libpython")]
found = [path for path in candidates if path.is_file() and ".so" in path.name]
if not found:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    sys.exit(f"{sys.executable} has no shared libpython; install it (Debian, Ubuntu: apt-get install libpython{version})")
print(found[0])
