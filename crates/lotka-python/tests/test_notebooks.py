"""Notebooks of the guide: all cells run, and assert what their texts say."""

from __future__ import annotations

import re
from pathlib import Path

import nbclient
import nbformat
import pytest

#: Notebooks, and how many of their cells show plots, pictures or tables.
NOTEBOOKS = {"tutorial.ipynb": 5}


def test_all_notebooks_are_listed(root: Path) -> None:
    assert [file.name for file in (root / "docs/notebooks").iterdir()] == list(NOTEBOOKS)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(root: Path, name: str, tmp_path: Path) -> None:
    notebook = nbformat.read(root / "docs/notebooks" / name, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # Outputs would become old.
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    kinds = [set(output.data) for cell in cells for output in cell.outputs if "data" in output]
    assert sum(bool(kind & {"text/html", "image/svg+xml"}) for kind in kinds) == NOTEBOOKS[name]
    assert not any(output.name == "stderr" for cell in cells for output in cell.outputs if "name" in output)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_of_a_notebook_lead_to_files(root: Path, name: str) -> None:
    folder = root / "docs/notebooks"
    notebook = nbformat.read(folder / name, as_version=4)
    links = [link for cell in notebook.cells if cell.cell_type == "markdown" for link in re.findall(r"\]\(([^)#]+)", cell.source)]
    assert links and all((folder / link).is_file() for link in links)
