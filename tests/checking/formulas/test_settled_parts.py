"""A chain that no judge knows as a whole: a part that is false makes it so, a part that holds does not."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

FORWARD = "$S = QK^T$, $P = \\mathrm{softmax}(S)$ and $O = PV$, so\n\n"


@pytest.mark.parametrize(
    ("chain", "said"),
    [
        (r"dP = g(x) = dO V^T", []),  # right as far as it is known
        (r"dP = g(x) = dO V", [("fails", r"dO V")]),
        (r"dP = dO V^T = g(x)", []),
        (r"dP = g(x) = G", []),  # a name for what stands there
        (r"dV = P^T dO", [("holds", "dV = P^T dO")]),
    ],
)
def test_what_is_known_of_a_chain_is_said(chain: str, said: list[tuple[str, str]]) -> None:
    found = judge_formulas(read_article("a.md", f"{FORWARD}$${chain}$$\n")).formulas
    assert [(x.verdict, x.text) for x in found if x.line == 3] == said


@pytest.mark.parametrize(("chain", "expected"), [
    (r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right) V", ["holds"]),
    # each by itself is attention, with a scale or without one, and the chain says that both are one thing
    (r"\text{Attention}(Q, K, V) = \text{softmax}(\frac{QK^T}{\sqrt{d_k}}) V = \text{softmax}(QK^T) V", ["fails"]),
    (r"\text{Score}_{ij} = q_i \cdot k_j = \frac{1}{\sqrt{d_k}} (q_i \cdot k_j)", ["fails"]),
    (r"s_{ij} = q_i \cdot k_j = g(i, j, \omega)", []),
])  # fmt: skip
def test_a_part_that_holds_does_not_vouch_for_the_chain(chain: str, expected: list[str]) -> None:
    assert [x.verdict for x in judge_formulas(read_article("a.md", f"$${chain}$$\n")).formulas] == expected


def test_sums_of_a_block_with_its_step_above_are_not_called_false() -> None:
    text = "Online softmax:\n\n" + r"$$\ell_{new} = e^{m_j - m_{new}} \ell_j + \sum e^{S^{(j+1)} - m_{new}}$$" + "\n"
    assert "fails" not in [x.verdict for x in judge_formulas(read_article("a.md", text)).formulas]
