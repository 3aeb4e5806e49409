"""The graph of a system."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Graph:
    """Order of evaluation, loops and picture of a system. A notebook shows the picture."""

    #: The instances in the order of evaluation.
    order: list[str]
    #: The instances of each loop (strongly connected component).
    loops: list[list[str]]
    #: The instances of each algebraic loop.
    algebraic_loops: list[list[str]]
    #: The inputs without a source, and the values that they keep: start values of the system or its FMUs; `None` where neither states one, or it is solved for.
    unconnected: dict[str, float | int | bool | str | bytes | None]
    #: The picture.
    svg: str = field(repr=False)
    #: The system in the language of Graphviz.
    dot: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg
