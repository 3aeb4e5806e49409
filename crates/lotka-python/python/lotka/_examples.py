"""The examples of this package: system files with prebuilt FMUs."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "_examples"


def examples() -> list[str]:
    """Returns the names of the examples."""
    return sorted(file.parent.name for file in _FOLDER.glob("*/system.toml"))


def example(name: str) -> Path:
    """Returns the system file of an example, such as `predator-prey`; its FMUs are beside it."""
    path = _FOLDER / name / "system.toml"
    if not path.is_file():
        raise ValueError(f"unknown example `{name}`; available: {', '.join(examples())}")
    return path
