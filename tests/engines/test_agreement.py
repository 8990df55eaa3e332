"""Our parser and KaTeX's read the same structure out of a formula, wherever both read it at all."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from symattn.errors import FormulaError
from symattn.reading.formula import parse
from symattn.reading.worksheets import library
from symattn.writing.prose import LANGUAGES
from tests.engines.normal_form import katex_line, our_line
from tests.formulas import latex_formulas, markdown_formulas
from tests.reading.formula.test_roundtrip import FORMULAS, Printed
from tests.samples import SHEETS, page
from tests.sampling import sampled

Parse = Callable[[str], list[dict[str, Any]] | None]
HERE = Path(__file__).resolve().parent

# what we read otherwise on purpose
OTHERWISE = {
    r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}_{(2 \times 2)}",  # a size noted below is no index
    r"\begin{bmatrix} 1 & | & 2 \\ 3 & | & 4 \end{bmatrix}",  # a bar between columns is no cell
    r"\begin{bmatrix} 1 & \\ 2 & \end{bmatrix}",  # an empty last column is none
    r"\text{-inf}",  # −∞
    r"\text{权重\_11}",  # an index written into the word
    r"z_1 = \text{权重\_11} \cdot v_1 + \text{权重\_12} \cdot v_2",
}
WORN = re.compile(r"\d \\ \d")  # rows that end with a lone backslash
MEANT = re.compile(r"10\^-\d|\{ ?- ?\}\d")  # 10^-4 is read as the 10^{-4} that was meant, {-}4 as -4
NAMED = re.compile(r"^\s*(?:[A-Z]+|g)\([^()]*\) ?=")  # H(p) = ..., g(h) = ...: what is set equal is a name with labels
UNUSUAL = re.compile(r"\\(?:underbrace|LaTeX|KaTeX|rule|hline)")


THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def disagreements(texts: Iterable[str], katex_tree: Parse) -> tuple[int, list[str]]:
    """How many texts both read, and those that they read differently."""
    count, found = 0, []
    for text in texts:
        try:
            ours = our_line(text, parse(text))
        except FormulaError:
            continue
        apart = text in OTHERWISE or any(pattern.search(text) for pattern in (WORN, MEANT, NAMED, UNUSUAL))
        tree = None if apart else katex_tree(text)
        if tree is not None:
            count += 1
            theirs = katex_line(tree)
            if theirs != THOUSANDS.sub(
                "", ours
            ):  # a comma between digits is a mark to KaTeX, of which its tree keeps none
                found.append(f"{text}\n  KaTeX {theirs}\n  ours  {ours}")
    return count, found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("QK^T", "(QK)^T"),
        ("Q^TK", "QK^T"),
        ("W_i^Q", "W_{i^Q}"),
        (r"\frac{QK}{d}V", r"\frac{Q}{Kd}V"),
        (r"\sqrt{d}_k", r"\sqrt{d_k}"),
        (r"\begin{bmatrix} 1 & 2 \end{bmatrix}", r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}"),
        (r"\begin{bmatrix} 12 & 3 \end{bmatrix}", r"\begin{bmatrix} 1 & 23 \end{bmatrix}"),
        (r"A = B \approx C", r"A \approx B = C"),
        ("e^{x}y", "e^{xy}"),
    ],
)
def test_the_line_tells_structures_apart(one: str, other: str, katex_tree: Parse) -> None:
    lines = [katex_line(tree) for text in (one, other) if (tree := katex_tree(text)) is not None]
    assert len(set(lines)) == 2


def test_the_formulas_of_articles(katex_tree: Parse) -> None:
    articles = json.loads((HERE.parent / "data" / "formulas.json").read_text("utf-8"))["articles"]
    texts = [t for a in articles for t in (*a["formulas"], *(line for line in a["lines"] if "\\" in line))]
    count, found = disagreements(texts, katex_tree)
    assert not found, "\n".join(found)
    assert count >= 300


def test_the_expressions_of_the_tests(katex_tree: Parse) -> None:
    strings: set[str] = set()
    for path in (HERE.parent / "reading" / "formula").glob("*.py"):
        constants = (n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant))
        strings |= {text for text in constants if isinstance(text, str) and re.search(r"\\[A-Za-z]", text)}
    count, found = disagreements(sorted(strings), katex_tree)
    assert not found, "\n".join(found)
    assert count >= 110


def test_what_the_writers_emit(katex_tree: Parse) -> None:
    texts: set[str] = set()
    for name in sampled((*library.names(), *SHEETS), 2):
        for language in LANGUAGES:
            texts.update(markdown_formulas(page(name, "markdown", language)))
        texts.update(latex_formulas(page(name, "latex", detail="brief" if name in SHEETS else "full")))
    count, found = disagreements(sorted(texts), katex_tree)
    assert not found, "\n".join(found)
    assert count >= 100


@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
@given(left=FORMULAS, right=FORMULAS)
def test_formulas_made_by_hypothesis(left: Printed, right: Printed, katex_tree: Parse) -> None:
    text = rf"{left[1]} = {right[1]} \approx {left[1]}"
    assert disagreements([text], katex_tree) == (1, [])


def test_brackets_that_grow_around_a_number(katex_tree: Parse) -> None:
    assert disagreements([r"a = (0) + \left(1e-03\right) \approx a"], katex_tree) == (1, [])


def test_brackets_of_whole_parts(katex_tree: Parse) -> None:
    texts = [r"x = \lfloor m \rfloor + 1", r"x = \left\lceil \frac{m}{2} \right\rceil"]
    assert disagreements(texts, katex_tree) == (2, [])
