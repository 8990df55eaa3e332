"""Notebooks that show arrays as tables of pandas, and hide later keys by a triangle of ones."""

from __future__ import annotations

import json

import pytest

from symattn.checking import Findings, check_article
from symattn.reading.articles import read_article

Q, K = "[[1.0, 0.0], [0.0, 2.0]]", "[[1.0, 1.0], [0.5, 0.0]]"  # QKᵀ = [[1, 0.5], [2, 0]]


def notebook(*cells: tuple[str, str]) -> Findings:
    made = [
        {
            "cell_type": "code",
            "metadata": {},
            "source": code,
            "outputs": [{"output_type": "execute_result", "data": {"text/plain": shown}}] if shown else [],
        }
        for code, shown in cells
    ]
    return check_article(read_article("a.ipynb", json.dumps({"cells": made, "nbformat": 4}, indent=1)))


def verdicts(report: Findings) -> list[list[str]]:
    return [[entry.verdict for entry in claim.entries] for claim in report.findings]


GIVEN = (f"Q = np.array({Q})\nK = np.array({K})\nS = Q @ K.T", "")


@pytest.mark.parametrize(
    "code",
    [
        "pd.DataFrame(S, index=['a', 'b'], columns=['k:a', 'k:b'])",
        "pandas.DataFrame(Q @ K.T, columns=names).round(2)",
        "table = pd.DataFrame(S, columns=names)\ntable.round(2)",
    ],
)
def test_a_frame_is_the_array_that_it_is_made_of(code: str) -> None:
    right = notebook(GIVEN, (code, "     k:a  k:b\nq:a  1.0  0.5\nq:b  2.0  0.0"))
    assert verdicts(right) == [["exact"] * 4]
    slip = notebook(GIVEN, (code, "     k:a  k:b\nq:a  1.0  0.7\nq:b  2.0  0.0"))
    assert verdicts(slip) == [["exact", "wrong", "exact", "exact"]]


def test_a_frame_that_is_changed_is_not_judged() -> None:
    for code in ("pd.DataFrame(S).T", "pd.DataFrame(S).head(2)", "pd.DataFrame({'a': S[0]})"):
        report = notebook(GIVEN, (code, "     a    b\n0  7.0  0.5\n1  3.0  0.0"))
        assert not any("wrong" in found for found in verdicts(report))


# softmax of [[1, −∞], [2, 0]]: e⁻²/(1 + e⁻²) = 0.119
@pytest.mark.parametrize(
    ("mask", "masked"),
    [
        ("np.tril(np.ones((n, n), dtype=bool))", "np.where(M, S, -1e9)"),
        ("np.tril(np.ones((n, n)))", "np.where(M == 0, -np.inf, S)"),
        ("torch.triu(torch.ones(n, n), diagonal=1).bool()", "S.masked_fill(M, float('-inf'))"),
        ("torch.tril(torch.ones(n, n)).bool()", "S.masked_fill(~M, -torch.inf)"),
    ],
)
def test_a_triangle_of_ones_hides_the_keys_to_come(mask: str, masked: str) -> None:
    cells = GIVEN, (f"n = len(Q)\nM = {mask}", ""), (f"Z = {masked}\nA = softmax(Z)", "")
    assert verdicts(notebook(*cells, ("A", "[[1.    0.   ]\n [0.881 0.119]]"))) == [
        ["exact", "exact", "rounded", "rounded"]
    ]
    assert "wrong" in verdicts(notebook(*cells, ("A", "[[1.    0.   ]\n [0.881 0.139]]")))[0]


@pytest.mark.parametrize(
    "mask",
    [
        "np.tril(np.ones((n, n)), k=1)",
        "np.triu(np.ones((n, n)))",
        "np.tril(scores)",
        "np.tril(np.ones((n, n))); M[0, 1] = 1",
    ],
)
def test_another_triangle_is_no_causal_mask(mask: str) -> None:
    cells = GIVEN, (f"n = len(Q)\nM = {mask}\nZ = np.where(M, S, -1e9)\nA = softmax(Z)", "")
    assert verdicts(notebook(*cells, ("A", "[[0.3 0.7]\n [0.4 0.6]]"))) == []


def test_the_number_that_hides_is_printed_for_minus_infinity() -> None:
    code = "S = np.array([[1.25, 2.5], [0.75, 1.5]])\nM = np.tril(np.ones((2, 2)))\nZ = np.where(M, S, -1e9)\nprint(Z)"
    for number, verdict in (("-1.0e+09", "exact"), ("2.5e+00", "wrong")):
        shown = f"[[1.25e+00 {number}]\n [7.5e-01 1.5e+00]]"
        report = check_article(read_article("a.md", f"```python\n{code}\n```\n\nOutput:\n\n```\n{shown}\n```\n"))
        assert verdicts(report) == [["exact", verdict, "exact", "exact"]]


@pytest.mark.parametrize(("weights", "bad"), [("[[0.2689, 0.7311, 0]]", 0), ("[[0.2689, 0.7211, 0]]", 1)])
def test_weights_are_of_the_masked_scores_printed_before_them(weights, bad):
    text = (
        "Q = [[1, 1]]\n\nK = [[1, 0], [1, 1], [1, 0.5]]\n\nd_k = 1\n\n"
        f"$\\tilde{{S}}_{{ij}} = (QK^T)_{{ij}}$ for all but the last\n\nT = [[1, 2, -inf]]\n\nA = {weights}\n"
    )
    report = check_article(read_article("a.md", text))
    assert sum(len(claim.bad) for claim in report.findings) == bad


@pytest.mark.parametrize("given", ["P = 2·[[1, 2], [3, 4]] = [[2, 4], [6, 8]]", "P = [[2, 4], [6, 8]]"])
def test_a_matrix_printed_again_behind_a_mask_is_another(given):
    text = f"{given}\n\nP = [[2, -inf], [6, 8]]\n\nA = softmax(P) = [[1, 0], [0.12, 0.88]]\n"
    found = check_article(read_article("a.md", text)).findings
    assert {entry.verdict for claim in found for entry in claim.entries} <= {"exact", "rounded"}
    assert len(found[-1].entries) == 4
    other = check_article(read_article("a.md", text.replace("6, 8]]\n\nA", "6, 9]]\n\nA"))).findings
    assert any(claim.bad for claim in other)
