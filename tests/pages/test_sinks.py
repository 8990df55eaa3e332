"""What a page says of weights beside a sink, whose rows sum to less than 1."""

from __future__ import annotations

import pytest

from tests.samples import derived

# the scores times 1/2: (0, -1/2, 5/4) and so on, by hand
SHEET = """tokens = ["the", "cat", "sleeps"]
[inputs]
Q = [[1, 0, 2, -1], [0.5, 1, 0, 3], [2, "-1/3", 1, 0]]
K = [[0, 1, 1, 2], [1, 1, -1, 0], [3, 0, 0.25, 1]]
V = [[1, 2, 3, 4], [0, -1, 0, 1], [2, 2, -2, 0.1]]
[attention]
"""


@pytest.mark.parametrize(
    ("option", "rows", "columns"),
    [
        ("sink = 1", r"{e^{1} + \sum_{k} e^{S'_{ik}}}", r"{e^{1} + \sum_{k} e^{S'_{ki}}}"),
        ("sink = [[1]]", r"{e^{s} + \sum_{k} e^{S'_{ik}}}", r"{e^{s} + \sum_{k} e^{S'_{ki}}}"),
        ('weighting = "softmax-off-by-one"', r"{1 + \sum_{k} e^{S'_{ik}}}", r"{1 + \sum_{k} e^{S'_{ki}}}"),
    ],
)
def test_an_entry_of_weights_beside_a_sink_is_written_out(option: str, rows: str, columns: str) -> None:
    assert rf"A_{{ij}} = \frac{{e^{{S'_{{ij}}}}}}{rows}" in told(SHEET + option)
    turned = told(SHEET + option + '\n[notation]\ntokens = "columns"\n')
    assert rf"A_{{ji}} = \frac{{e^{{S'_{{ji}}}}}}{columns}" in turned


def test_what_is_subtracted_is_said_be_it_a_score_or_the_logit() -> None:
    assert "The row of “the” after subtracting the largest of these, $1.25$:" in told(SHEET + "sink = 1")
    assert "The row of “the” after subtracting the largest of these, $3$:" in told(SHEET + "sink = 3")
    assert "“the”所在的行减去其中最大的 $3$ 后：" in told(SHEET + "sink = 3", language="zh")
    # under a causal mask the first token sees the score 0 alone
    causal = told(SHEET + 'sink = -1\nmask = "causal"')
    assert "The row of “the” after subtracting the largest of these, $0$:" in causal


def test_rows_beside_a_sink_need_not_sum_to_one() -> None:
    page = told(SHEET + "sink = 1")
    assert "sum to exactly 1" not in page
    # e^0, e^-0.5, e^1.25 over their sum and e^1, by NumPy
    assert r"0.128 & 0.078 & 0.447" in page


def told(text: str, **options: object) -> str:
    return " ".join(derived(text + "\n").to_markdown(**options).split())


@pytest.mark.parametrize("level", ["matrix", "index"])
def test_capped_scores_with_a_sink_are_worked_out(level: str) -> None:
    """5 tanh(√2/10) = 0.7024: row 1 is 1/(1 + e^(1/2 − 0.7024)) = 0.5504, by hand."""
    options = 'softcap = 5\nsink = "1/2"\nmask = "causal"\n'
    rows = "Q = [[1, 0], [0, 1]]\nK = [[1, 1], [0, 1]]\nV = [[1, 0], [0, 1]]\n"
    page = derived(f"[inputs]\n{rows}[attention]\n{options}").to_text(level=level)
    assert "A_ij = e^(S̃_ij)/(e^(1/2) + Σ_k e^(S̃_ik))" in page
    if level == "matrix":
        assert "largest of these, 0.7024" in page.replace("\n", " ")
        assert "A₁ ≈ [ 1  0 ] / (1 + e^(−0.2024)) ≈ [ 0.55  0 ]" in page


def test_a_row_whose_scores_are_told_as_decimals_is_worked_out() -> None:
    """5 tanh(46√2/5) is 5 − 5.00·10⁻¹¹, which is no number to put in; the second row has exponents."""
    options = 'softcap = 5\nsink = 0\nmask = "causal"\n'
    rows = "Q = [[10, 2], [-5, 4]]\nK = [[9, 1], [4, 4]]\nV = [[1, 0], [0, 1]]\n"
    page = derived(f"[inputs]\n{rows}[attention]\n{options}").to_text()
    assert "A₁" not in page and "A₂ ≈ [" in page and "subtracting the largest of these, 0" in page.replace("\n", " ")
