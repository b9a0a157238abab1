"""The tour of docs/python.md runs, and so do the notebooks."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def test_the_tour_runs(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(examples) >= 7
    names: dict = {}
    for example in examples:
        exec(compile(example, "docs/python.md", "exec"), names)


@pytest.mark.parametrize("notebook", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(notebook, tables, simpei, tictactoe, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    document = nbformat.read(notebook, as_version=4)
    code = [cell for cell in document.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "kept without output"
    environment = os.environ | {"KANZEN_DIR": str(tables), "MPLBACKEND": "agg"}
    client = nbclient.NotebookClient(
        document, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute(env=environment)
