"""Equations between formulas whose symbols the article defines, or that hold for every shape that fits."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

ABSORBED = r"$q_t = W^{UQ} c_t^Q$ and $k_t = W^{UK} c_t$, so "


def verdicts(text: str) -> list[str]:
    return [each.verdict for each in judge_formulas(read_article("a.md", text + "\n")).formulas]


def test_definitions_are_looked_into() -> None:
    assert verdicts(ABSORBED + r"$q_t^T k_t = (c_t^Q)^T (W^{UQ})^T W^{UK} c_t$.")[2:] == ["holds"]
    assert verdicts(ABSORBED + r"$q_t^T k_t = (c_t^Q)^T W^{UQ} W^{UK} c_t$.")[2:] == ["fails"]


def test_functions_of_which_nothing_is_known() -> None:
    assert verdicts(r"$$O = (\phi(Q) \phi(K)^T) V = \phi(Q) (\phi(K)^T V)$$") == ["holds"]
    assert verdicts(r"$$O = (\phi(Q) \phi(K)^T) V = \phi(Q) (\phi(K) V^T)$$") == ["fails"]


def test_what_is_supposed_is_not_false() -> None:
    assert verdicts(r"If they commute, $ABC = CBA$.") == []
    assert verdicts(r"Suppose that $W A B = A W B$.") == []


@pytest.mark.parametrize(
    ("whole", "entry", "said"),
    [
        ("C = QK^T", r"C_{ij} = \sum_{k=1}^{N} Q_{ik} K_{jk}", "holds"),
        ("C = QK^T", r"C_{ij} = \sum_{k=1}^{N} Q_{ik} K_{kj}", "fails"),
        ("C = QK^T", r"C_{ij} = \sum_k Q_{ik} K_{kj}^T", None),  # the entry of K^T, as some write it
        ("C = QK^T", r"C_{ij} = \sum_k Q_{ik} (K^T)_{kj}", "holds"),
        ("O = AV", r"O_{ij} = \sum_l A_{il} V_{lj}", "holds"),
        ("O = AV", r"O_{ij} = \sum_l A_{li} V_{lj}", "fails"),
        ("C = Q^T K", r"C_{ij} = \sum_k Q_{ki} K_{kj}", "holds"),
    ],
)
def test_entries_of_products_of_the_matrices_of_attention(whole: str, entry: str, said: str | None) -> None:
    found = judge_formulas(read_article("a.md", f"$${whole}$$\n\n$${entry}$$\n")).formulas
    assert [x.verdict for x in found if x.line == 3] == ([] if said is None else [said])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"$\mathrm{tr}(ABC) = \mathrm{tr}(CAB)$", ["holds"]),
        (r"$\text{Tr}(\mathbf{ABC}) = \text{Tr}(\mathbf{ACB})$", ["fails"]),
        (r"$\operatorname{tr}(A + B) = \operatorname{tr}(A) + \operatorname{tr}(B)$", ["holds"]),
        (r"$dL = \mathrm{tr}(G^T dP V) = \mathrm{tr}(V G^T dP)$", ["holds"]),  # dP is a matrix, no number d times P
        (r"$dL = \mathrm{tr}(G^T dP V) = \mathrm{tr}(G^T V dP)$", ["fails"]),
    ],
)
def test_traces(text: str, said: list[str]) -> None:
    assert verdicts(text) == said


LATENT = "```\nQ = X @ WaQ\nK = X @ WbK\nQ @ K.T = {}\n```"


@pytest.mark.parametrize(
    ("product", "said"),
    [
        ("(X @ WaQ) @ (X @ WbK).T", "holds"),
        ("(X @ WaQ @ WbK.T) @ X.T", "holds"),
        ("(X @ WaQ @ WbK) @ X.T", "fails"),  # no two numbers, which could change places
    ],
)
def test_names_of_several_letters_in_a_matrix_product_are_matrices(product: str, said: str) -> None:
    assert verdicts(LATENT.format(product))[-1:] == [said]


def test_a_word_in_capitals_is_no_number() -> None:
    assert verdicts(r"$\text{MLP}\, A B = A\, \text{MLP}\, B$") == []


def test_differentials_of_numbers_are_no_gradients() -> None:
    assert verdicts(r"$d(\mathrm{tr}(A)) = \mathrm{tr}(dA)$") == []
