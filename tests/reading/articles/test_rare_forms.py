"""Forms that are met seldom: what they hold is found as a reader finds it, or nothing is."""

import json

import pytest

from symattn.reading.articles import read_article
from tests.checking.checked import judged


def found(text: str, path: str = "page.md") -> list[str]:
    return [passage.text for passage in read_article(path, text).passages]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        # a dollar behind a backslash is money, in a formula too
        (r"costs \$5 and \$6 $ a = 1 $", ["a = 1"]),
        (r"$a = 1\$ b$ and $c = 2$", [r"a = 1\$ b", "c = 2"]),
        (r"$$a = 1 \$$ b$$ c", [r"a = 1 \$$ b"]),
        # the backslashes of a row break are no end
        (r"\[ a = 1 \\[4pt] b = 2 \]", [r"a = 1 \\[4pt] b = 2"]),
        (r"\( a \\) = 1 \)", [r"a \\) = 1"]),
        (r"\begin{align} a &= 1 \end{aligned} \end{align}", [r"\begin{align} a &= 1 \end{aligned} \end{align}"]),
    ],
)
def test_where_a_formula_ends(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas


def test_a_short_code_that_is_not_closed_is_none() -> None:
    first, *rest = read_article("page.md", "{{< math >}}a = 1{{< /math >}} and\n\n{{< math >}}b = 2").passages
    assert (first.text, first.kind) == ("a = 1", "display")
    assert [passage.kind for passage in rest] == ["line"]


@pytest.mark.parametrize("text", [r"$\newcommand{\q}[1]{#1 = 3} \q{2$", r"$\newcommand{\q}[2]{#1 = #2} \q{2}{ 3 = 4$"])
def test_a_macro_whose_argument_is_not_closed_is_not_read(text: str) -> None:
    article = read_article("page.md", text)
    assert not article.passages and article.not_read


def test_a_definition_within_a_definition_is_none_of_the_page() -> None:
    assert found("\\newcommand{\\a}[1]{\\b{#1} \n$\\a{1} = 2$", "page.tex") == [r"\a{1} = 2"]  # never closed
    assert found(r"$\def\q{\def\p{1} \p = 1} \q$") == [r"\def\p{1} \p = 1"]


MARKDOWN = {"cell_type": "markdown", "source": ["$a = 1$"]}


@pytest.mark.parametrize(
    ("notebook", "formulas"),
    [
        ({"cells": [3, MARKDOWN], "nbformat": 4}, ["a = 1"]),  # what is no cell is left out
        ({"worksheets": [{"cells": [MARKDOWN]}], "nbformat": 3}, ["a = 1"]),  # format 3
        ({"worksheets": [4, {"cells": 5}], "nbformat": 3}, []),
        ({"cells": [{"cell_type": "code", "source": "", "outputs": [3, {"data": 3}]}], "nbformat": 4}, []),
    ],
)
def test_notebooks(notebook: object, formulas: list[str]) -> None:
    assert found(json.dumps(notebook), "a.ipynb") == formulas


def fenced(*lines: str, language: str = "") -> str:
    return "\n".join((f"```{language}", *lines, "```"))


@pytest.mark.parametrize(
    ("lines", "passages"),
    [
        (("array([[1, 2],", "", "       [3, 4]],", "", "      dtype=float32)"), ["[[1, 2],\n\n       [3, 4]]"]),
        (("tensor(array([1, 2]))",), ["tensor([1, 2])"]),
        (("X = tensor(1, 2",), ["X = tensor(1, 2"]),
    ],
)
def test_prints_of_arrays(lines: tuple[str, ...], passages: list[str]) -> None:
    assert found(fenced(*lines)) == passages


@pytest.mark.parametrize(
    ("lines", "passages"),
    [
        (("def f():", "    x = [[1, 2], [3, 4]]", "    return x"), ["x = [[1, 2], [3, 4]]"]),
        (("[[1, 2], [3, 4]]",), ["[[1, 2], [3, 4]]"]),
        # no matrices, or none that is written out
        (("x = torch.zeros(2, 3, 4)", "y = np.ones(2000)"), ["x = unstated", "y = unstated"]),
        # a loop that copies more than rows is no product
        (("for i in range(3):", "    a = q[i]", "    b = k", "    s[i] = a @ b"), []),
        (("print('y', y, foo=3)",), []),
    ],
)
def test_programs(lines: tuple[str, ...], passages: list[str]) -> None:
    assert found(fenced(*lines, language="python")) == passages


@pytest.mark.parametrize(
    ("table", "passages"),
    [
        ("x | exp(x)\n---|---\n1 | 2.718\n2 | 7.389\n", ["exp(1) = 2.718", "exp(2) = 7.389"]),  # without outer bars
        ("| x | exp(x) |\n|---|---|\n| a | 2.7 |\n| 1 | n/a |\n| 2 | 7.389 |\n", ["exp(2) = 7.389"]),
    ],
)
def test_tables_of_functions(table: str, passages: list[str]) -> None:
    assert found(table) == passages


def test_a_derivative_in_brackets_is_a_part_of_its_line() -> None:
    line = "dS_ik = Σ_j dP_ij (∂ P_ij)/(∂ S_ik)"
    assert [p.text for p in read_article("a.txt", f"S = Q Kᵀ\n\n{line}\n").passages] == ["S = Q Kᵀ", line]


@pytest.mark.parametrize("gradient", ["dṼ", "dS̃", "dX̂"])
def test_a_gradient_by_a_letter_with_a_mark_begins_or_ends_a_product(gradient: str) -> None:
    for line in (f"dV = {gradient} Aᵀ = [ 1  3 ]", f"dA = Vᵀ {gradient} = [ 1  3 ]"):
        (passage,) = read_article("a.txt", line + "\n").passages
        assert (passage.text, len(passage.chains)) == (line, 1)


def test_what_is_not_in_a_set_is_a_condition() -> None:
    (passage,) = read_article("a.txt", "S̃_ij = S_ij (j ∉ {2}); −∞ (otherwise)\n").passages
    assert "∉" in passage.text


@pytest.mark.parametrize("name", ["dY", "Sa", "dSa", "MhSa", "dMhSa"])
def test_a_name_of_capitals_goes_on_below_a_blank_line(name: str) -> None:
    lines = f"    {name} = G\n\n      = [ 1  2 ]\n        [ 3  4 ]\n"
    assert [p.text.split()[0] for p in read_article("a.txt", lines).passages] == [name]


def test_decimal_commas_of_exponentials_and_products_in_brackets() -> None:
    """e^5 = 148.41, e = 2.72 and 2 · 0.5 + 3 = 4."""
    text = "$e^5 = 148,41$, $e^1 = 2,72$ and $(2*0,5)+(3*1) = {}$"
    assert [bad for *_, bad in judged(text.format("4,1"))] == [[], [], ["4,1"]]
    assert [bad for *_, bad in judged(text.format("4"))] == [[], [], []]
