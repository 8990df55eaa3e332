"""The gradient through a softmax of several rows is not that of one row: the sums are over each row by itself.

For Z = [[0, 0], [0, 0]] and dP = [[1, 0], [0, 0]] the gradient is [[1/4, -1/4], [0, 0]]; P ∘ (dP − tr(Pᵀ dP)) has
-1/4 in its second row.
"""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

ROWS = (
    r"Let $Z \in \mathbb{R}^{n \times m}$ and $P = \mathrm{softmax}(Z)$ row by row, with the gradient $dP$ of a loss."
)
PLAIN = r"Let $P = \mathrm{softmax}(Z)$."
SCORES = r"Let $Z = QK^\top$, $P = \mathrm{softmax}(Z)$ row by row, $O = PV$."


def verdicts(text, formula):
    found = judge_formulas(read_article("a.md", f"{text}\n\n${formula}$\n"))
    return [each.verdict for each in found.formulas if each.line == 3]


@pytest.mark.parametrize("text", [ROWS, PLAIN, SCORES])
@pytest.mark.parametrize(
    "formula",
    [
        r"dZ = P \odot (dP - \mathrm{tr}(P^\top dP))",
        r"dZ = P \odot (dP - \mathrm{sum}(P \odot dP))",
        r"dZ = P \odot (dP - \mathrm{sum}(P \odot dP, axis=0))",
        r"dZ = P \odot dP - P \, \mathrm{diag}((P \odot dP)\mathbf{1})",
        r"dZ = P \odot dP - P \, \mathrm{diag}(\mathrm{rowsum}(P \odot dP))",
    ],
)
def test_a_matrix_is_not_taken_for_one_row(text, formula):
    assert "holds" not in verdicts(text, formula)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (ROWS, r"dZ = P \odot (dP - \mathrm{rowsum}(P \odot dP))"),
        (PLAIN, r"dZ = P \odot (dP - (P \odot dP)\mathbf{1}\mathbf{1}^\top)"),
        (r"Let $p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$ and for matrices $P = \mathrm{softmax}(Z)$.",
         r"dZ = P \odot (dP - (P \odot dP)\mathbf{1}\mathbf{1}^\top)"),
        (PLAIN + " Of one row:", r"dZ = P \odot (dP - \mathrm{sum}(P \odot dP))"),
        (r"Let $Z \in \mathbb{R}^n$ and $P = \mathrm{softmax}(Z)$.", r"dZ = P \odot (dP - \mathrm{sum}(P \odot dP))"),
        (r"Let $p = \mathrm{softmax}(z)$.", r"dz = p \odot (dp - \mathrm{sum}(p \odot dp))"),
        (PLAIN, r"\frac{\partial P_i}{\partial Z_j} = P_i(\delta_{ij} - P_j)"),
    ],
)  # fmt: skip
def test_what_is_right_of_rows_or_of_a_vector_holds(text, formula):
    assert verdicts(text, formula) == ["holds"]


def test_entries_with_one_index_are_of_one_vector():
    entries = r"Let $P = \mathrm{softmax}(S)$, $P_i = \frac{e^{S_i}}{\sum_j e^{S_j}}$."
    assert verdicts(entries, r"dS = P \odot (dP - P^\top dP)") == ["holds"]
    assert verdicts(r"Let $P = \mathrm{softmax}(S)$.", r"dS = P \odot (dP - P^\top dP)") != ["holds"]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [(r"dC_t = \sum_k dY_k W_{tk}", "holds"), (r"dC_t = \sum_k dY_k W_{kt}", "fails")],
)
def test_one_index_numbers_the_columns_of_a_matrix_with_one_row(formula, verdict):
    """dC = dY Wᵀ, so that of one row the entry t is Σ_k dY_k W_tk."""
    text = r"$Y = C W^O$, $C = \mathrm{Concat}(\mathrm{head}_1, \mathrm{head}_2)$."
    assert verdicts(text, formula.replace("W", "W^O")) == [verdict]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (r"with entries $p_{ij} = \frac{e^{s_{ij}}}{\sum_t e^{s_{it}}}$", "holds"),
        (r"where $s_i = q \cdot k_i$", "holds-if"),
    ],
)
def test_a_letter_that_has_entries_of_two_indices_is_a_row_with_one(entries, expected):
    text = rf"The weights are $p_i = \mathrm{{softmax}}(s_i)$, {entries}."
    assert judge_formulas(read_article("a.md", text + "\n")).formulas[0].verdict == expected


@pytest.mark.parametrize(("scores", "expected"), [("W h_t", []), ("s_t", ["holds-if"])])
def test_the_softmax_of_a_matrix_times_a_vector_is_no_entry(scores, expected):
    found = judge_formulas(read_article("a.md", rf"$$p_t = \mathrm{{softmax}}({scores})$$" + "\n"))
    assert [formula.verdict for formula in found.formulas] == expected


ROW_GRADIENTS = [
    r"ds = (\text{diag}(p) - p p^T) dp",
    r"ds = p \odot dp - p (p^T dp)",
    r"ds_j = \sum_i dp_i p_i (\delta_{ij} - p_j)",
]


@pytest.mark.parametrize("formula", ROW_GRADIENTS)
def test_one_row_may_stand_as_a_column(formula):
    assert verdicts("For one row of the weights:", formula) == ["holds"]
    assert verdicts(r"With $J = \text{diag}(p) - p p^T$:", formula) == []
    assert verdicts("For one row of the weights:", formula.replace("-", "+")) == ["fails"]


def test_weights_of_which_a_diagonal_is_taken_are_one_row():
    formula = r"dS = \text{diag}(P) dP - (P P^T) dP = P \circ dP - P \cdot D"
    assert verdicts("The backward pass:", formula) == []
    assert verdicts("The backward pass:", r"dS = (\text{diag}(P) + P P^T) dP") == ["fails"]


@pytest.mark.parametrize("sums", [r"D_i = P_{i:}^T dP_{i:}", r"D_i = \sum_j (dO_{i,:} \odot O_{i,:})"])
def test_row_sums_may_be_said_by_rows(sums):
    formula = r"dS_{ij} = P_{ij}(dP_{ij} - D_i)"
    assert verdicts(f"With ${sums}$ we get", formula) == ["holds"]
    assert verdicts(f"With ${sums}$ we get", formula.replace("-", "+")) == ["fails"]
    assert [x.verdict for x in judge_formulas(read_article("a.md", f"${sums}$\n")).formulas] == ["holds"]
