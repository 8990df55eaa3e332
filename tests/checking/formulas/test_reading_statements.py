"""Where statements stand: displays, lines of programs, equations across marks, among words; and bad input."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.checking.formulas.statements.rows import read_rows
from symattn.checking.formulas.statements.statement import gather
from symattn.checking.formulas.trials.indices import split_name
from symattn.reading import formula as f
from symattn.reading.articles import read_article
from tests.processor_time import takes_at_most


def texts(source: str) -> list[str]:
    return [statement.text for statement in gather(read_article("a.md", source))]


def test_formulas_among_the_lines_of_a_program() -> None:
    source = "```python\nx = 3\nFFN(x) = max(0, x @ W_1) @ W_2\n```\n"
    assert texts(source) == ["FFN(x) = max(0, x @ W_1) @ W_2"]


def test_an_equation_whose_sides_are_marked_apart() -> None:
    assert texts("Then `s_12` = $q_1 k_2^T$.\n")[0] == "s_12 = q_1 k_2^T"


def test_equations_among_words() -> None:
    assert texts("Let O = PV with P ∈ ℝ^{N×N} be given.\n") == ["O = PV", "P ∈ ℝ^{N×N}"]


def test_layers_of_small_letters_among_words() -> None:
    assert texts("Then q_i = W_q x_i; k_i = x_i W_k.\n") == ["q_i = W_q x_i", "k_i = x_i W_k"]
    assert texts("The layer has z = W x + b there.\n") == ["z = W x + b"]
    assert texts("Then q_i = W_q x_i + p_i is a sum.\n") == []
    assert texts("Then h = W x + b x is another.\n") == []


def test_a_chain_that_goes_on() -> None:
    [first, second] = gather(read_article("a.md", "$A = B C$\n$= C D$\n"))
    assert second.head is first
    assert second.left == f.Name("A")


def test_indices_of_names() -> None:
    name = f.Name("a", ("ij",))
    assert split_name(name, {"i": 1, "j": 2}) == (("a", (), ()), ["i", "j"])
    assert split_name(f.Name("d", ("k",)), {"i": 1}) == (("d", ("k",), ()), [])
    assert split_name(f.Name("S", ("t-1",)), {"t": 2}) == (("S", (), ()), ["t-1"])


def test_a_system_whose_lines_begin_with_a_mark_of_alignment() -> None:
    source = (
        "```{math}\n:label: backward\n\n\\text{base}:\n\\begin{cases}\n\\begin{align}\n"
        "&A = B C \\in \\mathbb{R}^{n}, \\quad D = E F \\notag \\\\\n&G = H C \\notag\n"
        "\\end{align}\n\\end{cases}\n```\n"
    )
    found = [text.partition(" \\")[0] for text in texts(source)]
    assert found == ["A = B C", "D = E F", "G = H C"]


@pytest.mark.parametrize(
    "between",
    [r"\Leftrightarrow", r"\;\Longleftrightarrow\;", "⟺", r"\land", r"\text{且}", r"\text{ и }", r"\text{ где }"],
)
def test_two_equations_with_a_sign_or_a_word_between(between: str) -> None:
    assert texts(f"$$Q = X W_Q {between} K = X W_K$$\n") == ["Q = X W_Q", "K = X W_K"]


def test_values_by_cases_are_no_system() -> None:
    source = "$$p_{ij} = \\begin{cases} a, & i = j \\\\ b, & i \\neq j \\end{cases}$$\n"
    [statement] = gather(read_article("a.md", source))
    assert statement.left == f.Name("p", ("ij",))


SUMS = "".join(rf"\sum_{{j_{{{k}}}=1}}^n " for k in range(50))


@pytest.mark.slow
@pytest.mark.parametrize(
    "formula",
    [
        "A = " + "Q K^T " * 3000,
        r"\text{Attention}(Q,K,V) = \text{softmax}(" + "+".join(["QK^T"] * 100) + ")V",
        "o_i = " + SUMS + "a_{ij} v_j",
        r"\alpha_{ij} = \frac{e_{ij}}{" + SUMS + "e_{ik}}",
        r"\text{SiLU}(x) = " + "e^{" * 40 + "x" + "}" * 40,
        r"\text{softmax}(x)_i = \frac{e^{x_i}}{\sum_{j=2}^{999999999} e^{x_j}}",
        r"\text{SiLU}(x) = 9^{9^{9^{9}}} x",
    ],
)
def test_what_is_too_large_is_not_decided(formula: str) -> None:
    with takes_at_most(20):
        assert judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas == ()


def test_definitions_that_go_round_end() -> None:
    source = "$A = B$ and $B = A$. $$\\text{Attention}(Q, K, V) = A B$$ $C = C D$ $$C^T = D^T C^T$$\n"
    assert "fails" not in {each.verdict for each in judge_formulas(read_article("a.md", source)).formulas}


def test_rows_of_a_matrix_are_no_rows_of_the_display() -> None:
    text = r"\begin{aligned} y &= \begin{pmatrix} a \\ b \end{pmatrix} c \\ u &= ??? \\ z &= 2 w \end{aligned}"
    assert [text[chain.start : chain.end] for chain in read_rows(text)] == [
        r"y &= \begin{pmatrix} a \\ b \end{pmatrix} c",
        "z &= 2 w",
    ]


def test_a_row_that_begins_with_a_relation_is_no_second_equation() -> None:
    text = r"y = \begin{pmatrix} 1 & 2 \end{pmatrix} x \\ = z"
    (chain,) = f.parse(text, algebra=True)
    assert [text[side.start : side.end] for side in chain.sides] == ["y", r"\begin{pmatrix} 1 & 2 \end{pmatrix} x", "z"]


def test_cells_stay_apart_where_a_display_is_read_row_by_row() -> None:
    text = r"A = \begin{pmatrix} p & & \\ & p \end{pmatrix}, \quad B = \begin{pmatrix} a & -b \\ b & a \end{pmatrix}"
    (chain,) = read_rows(text)
    (matrix,) = [part for part in f.walk(chain.sides[1].expression) if isinstance(part, f.Matrix)]
    assert [len(row) for row in matrix.rows] == [2, 2]


def test_a_command_with_its_backslash_written_twice_is_that_command():
    source = r"$$a = \\text{softmax}\\left( \\frac{b}{c} \right) \\ d = e$$"
    first, second = gather(read_article("a.md", source))
    assert first.sides[1].expression == f.Call("softmax", (f.Quotient(f.Name("b"), f.Name("c")),))
    assert second.sides[0].expression == f.Name("d")
