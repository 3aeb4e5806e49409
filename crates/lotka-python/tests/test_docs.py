"""Every block of `docs/python.md` and of the package's README runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```python(?:,package)?\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)


@pytest.mark.parametrize("page", ["docs/python.md", "crates/lotka-python/README.md"])
def test_every_block_runs(
    root: Path, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((root / page).read_text())
    assert len(blocks) >= (9 if page.startswith("docs") else 1)
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
