"""Every block of the guide for this package, of the README and of the package's README, runs and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

#: Blocks of a page: those of the guide and of the README have a mark.
BLOCK = r"^```python%s\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?"

#: Pages, and the least number of their blocks.
PAGES = {"README.md": 1, "docs/coming-from.md": 5, "docs/python.md": 9, "docs/sweeps.md": 1, "crates/lotka-python/README.md": 1}


def test_all_pages_are_listed(root: Path) -> None:
    marked = (page.relative_to(root) for page in (root / "docs").rglob("*.md") if "```python,package\n" in page.read_text())
    assert sorted(map(str, marked)) == sorted(page for page in PAGES if page.startswith("docs"))


@pytest.mark.parametrize("page", PAGES)
def test_every_block_runs(
    root: Path, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    mark = "" if page.startswith("crates") else ",package"
    blocks = re.findall(BLOCK % mark, (root / page).read_text(), re.M | re.S)
    assert len(blocks) >= PAGES[page]
    namespace: dict[str, object] = {"__name__": "page"}
    for number, (text, expected) in enumerate(blocks):
        exec(compile(text, f"{page}, block {number + 1}", "exec"), namespace)
        printed = capsys.readouterr().out
        if expected:
            pattern = "[^\n]*".join(map(re.escape, expected.split("…")))
            assert re.fullmatch(pattern, printed), printed


def test_the_docstring_of_the_package_is_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    import doctest

    import lotka

    found = doctest.testmod(lotka)
    assert found.failed == 0 and found.attempted >= 3
