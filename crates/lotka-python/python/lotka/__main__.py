"""The command `lotka`, also as `python -m lotka`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from ._programs import COMMAND


def main() -> NoReturn:
    """Replaces this process by the command."""
    os.execv(COMMAND, [os.fspath(COMMAND), *sys.argv[1:]])


if __name__ == "__main__":
    main()
