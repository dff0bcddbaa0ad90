"""The code of the documentation runs as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def blocks(file):
    return re.findall(r"```python\n(.*?)```", (ROOT / file).read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("file", ["docs/python.md", "README.md", "crates/palpable-python/README.md"])
def test_every_block_runs(file, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)  # nothing but the wheel is needed
    if file == "docs/python.md":
        pytest.importorskip("gymnasium")
    found = blocks(file)
    assert found
    names: dict = {"__name__": "docs"}
    for number, block in enumerate(found):
        exec(compile(block, f"{file}, block {number + 1}", "exec"), names)
    assert "The account closes" in capsys.readouterr().out
