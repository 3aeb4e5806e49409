"""The instances of a system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from . import _lotka
from ._command import inspect

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Variable:
    """A variable of a model."""

    name: str
    #: `Real`, `Integer`, `Boolean`, `String` or `Enumeration`.
    type: str
    #: `input`, `output`, `parameter`, `local` and so on.
    causality: str
    unit: str | None
    start: float | int | bool | str | None
    description: str | None


class Variables(Sequence[Variable]):
    """The variables of a model, by number or by name."""

    def __init__(self, variables: Sequence[Variable]) -> None:
        self._variables = tuple(variables)

    @overload
    def __getitem__(self, key: int | str) -> Variable: ...
    @overload
    def __getitem__(self, key: slice) -> Variables: ...
    def __getitem__(self, key: int | str | slice) -> Variable | Variables:
        if isinstance(key, slice):
            return Variables(self._variables[key])
        if isinstance(key, int):
            return self._variables[key]
        for variable in self._variables:
            if variable.name == key:
                return variable
        raise KeyError(key)

    def __len__(self) -> int:
        return len(self._variables)

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._variables)

    @property
    def names(self) -> list[str]:
        """The names."""
        return [variable.name for variable in self]

    def _cells(self) -> list[list[str]]:
        heads = [field.name for field in fields(Variable)]
        rows = [["" if (cell := getattr(variable, head)) is None else str(cell) for head in heads] for variable in self]
        return [heads, *rows]

    def df(self) -> pandas.DataFrame:
        """Returns a table of pandas, a row per variable."""
        import pandas

        heads = [field.name for field in fields(Variable)]
        return pandas.DataFrame([[getattr(variable, head) for head in heads] for variable in self], columns=heads)

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        return _lotka.printable("\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells))

    def _repr_html_(self) -> str:
        heads, *rows = self._cells()
        head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Instance:
    """An instance of a system."""

    def __init__(self, name: str, source: Path | Any) -> None:
        #: Its name.
        self.name = name
        self._source = source

    @property
    def fmu(self) -> Path | None:
        """The file of its FMU; `None` for an object."""
        return self._source if isinstance(self._source, Path) else None

    @property
    def variables(self) -> Variables:
        """The variables of its model."""
        if isinstance(self._source, Path):
            variables = inspect(self._source)["variables"]
            heads = [field.name for field in fields(Variable)]
            return Variables([Variable(**{head: entries.get(head) for head in heads}) for entries in variables])
        return Variables([Variable(*entries) for entries in self._source._variables()])

    def __repr__(self) -> str:
        return _lotka.printable(f"<instance {self.name} of {self.fmu or type(self._source).__name__}>")
