"""What notebooks show of every object, and the executed notebooks in docs/, which say what symattn says now."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from symattn import check_article, lower
from tests.samples import derived, sample

DOCS = Path(__file__).parents[2] / "docs"
specification = importlib.util.spec_from_file_location("make_notebooks", DOCS / "make_notebooks.py")
assert specification is not None and specification.loader is not None
maker = importlib.util.module_from_spec(specification)
specification.loader.exec_module(maker)


@pytest.mark.parametrize("name", maker.NOTEBOOKS)
def test_a_notebook_is_as_it_would_be_made_now(name: str) -> None:
    """Executed again, cell by cell; no cell fails, and what is stored is what comes out."""
    stored = (DOCS / name).read_text(encoding="utf-8")
    assert stored == maker.make(maker.NOTEBOOKS[name]), "make it again: python docs/make_notebooks.py"


@pytest.mark.parametrize("name", maker.NOTEBOOKS)
def test_a_notebook_is_of_format_4_5(name: str) -> None:
    of_format_4_5((DOCS / name).read_text(encoding="utf-8"))


def of_format_4_5(text: str) -> list[str]:
    """What the schema of nbformat 4.5 requires of a notebook, its cells and their outputs; the sources of the cells."""
    notebook = json.loads(text)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5) and set(notebook) >= {"metadata", "cells"}
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    counts = [cell["execution_count"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    for cell in notebook["cells"]:
        needed = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == (needed | {"execution_count", "outputs"} if cell["cell_type"] == "code" else needed)
        for output in cell.get("outputs", ()):
            stream = {"name", "output_type", "text"}
            assert set(output) == (
                stream if output["output_type"] == "stream" else {"output_type", "data", "metadata", "execution_count"}
            )
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def test_a_derivation_is_written_as_a_notebook() -> None:
    """A cell for the title and one for each section; together they are the Markdown page."""
    derivation = sample("tokens")
    cells = of_format_4_5(derivation.to_notebook(language="zh"))
    assert "\n\n".join(cells) + "\n" == derivation.to_markdown(language="zh")
    assert [cell.split(" ", 1)[0] for cell in cells[:2]] == ["#", "##"] and len(cells) > 4
    found = check_article("page.ipynb", derivation.to_notebook())
    assert found.clean and found.summary["exact"] > 10
    body = of_format_4_5(derivation.to_notebook(fragment=True))
    assert all(cell.startswith("##") for cell in body)


def shown(thing: Any) -> str:
    return str(thing._repr_markdown_())


def test_a_step_shows_itself_alone() -> None:
    step = sample("tokens")["scores"]
    assert r"S_{23} = q_{2} \cdot k_{3}" in shown(step).replace("\n", " ") and "##" not in shown(step)
    assert shown(step) == sample("tokens").to_markdown(step="scores", fragment=True)


def test_shapes_and_costs_show_their_tables() -> None:
    derivation = sample("tokens")
    # Q is 3 by 2: its scores take 3·3·2 multiply-adds
    assert "| $Q$ |" in shown(derivation.shapes(batch=4)) and "[4,\\; 3,\\; 2]" in shown(derivation.shapes(batch=4))
    assert "| 18 |" in shown(derivation.costs())
    assert derivation.costs().to_text().startswith("Costs\n")


def test_shapes_are_written_as_the_derivation_is() -> None:
    sheet = "[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n[notation]\nsymbols = { Q = 'B' }\n"
    assert "| $B$ |" in shown(derived(sheet).shapes())


def test_a_lowered_function_shows_itself() -> None:
    function = lower(sample("tokens").expression, style="plain")
    told = shown(function).removeprefix("```python\n").removesuffix("\n```")
    assert told in function.source and told.count("\ndef ") == 0
    assert told.startswith("def attention(") and told.endswith("    return output")
