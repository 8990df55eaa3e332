"""What a program printed was computed from more digits than it printed; the numbers are NumPy's, from seed 5."""

from __future__ import annotations

import json

import pytest

from symattn.checking import Findings, check_article
from symattn.reading.articles import read_article

Q = "[[-0.8  -1.32 -0.25]\n [ 0.42  1.14  0.11]\n [-0.55 -0.78  0.75]]\n"
W = "[[ 1.63  0.27 -1.23]\n [-0.96  1.6   0.2 ]\n [-1.73 -0.08 -1.16]]\n"
PRODUCT = "[[ 0.39 -2.32  1.01]\n [-0.59  1.92 -0.42]\n [-1.45 -1.47 -0.35]]\n"


def run(product: str) -> Findings:
    def cell(source: str, output: str) -> dict[str, object]:
        printed = {"output_type": "stream", "name": "stdout", "text": [output]}
        return {"cell_type": "code", "source": [source], "outputs": [printed]}

    cells = [
        cell("Q = rng.normal(size=(3, 3))\nprint(Q)", Q),
        cell("W = rng.normal(size=(3, 3))\nprint(W)", W),
        cell("P = Q @ W\nprint(P)", product),
    ]
    text = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}, indent=1)
    return check_article(read_article("a.ipynb", text))


def test_the_last_digits_of_a_product_of_rounded_prints_are_no_fault() -> None:
    report = run(PRODUCT)
    [claim] = report.findings
    assert {each.verdict for each in claim.entries} <= {
        "exact",
        "rounded",
        "truncated",
        "intermediate",
        "input-rounding",
    }
    assert len(claim.entries) == 9


def test_a_number_out_of_reach_of_the_rounding_is_wrong() -> None:
    [claim] = run(PRODUCT.replace("1.92", "1.29")).findings
    assert [each.printed for each in claim.bad] == ["1.29"]


def test_another_matrix_was_computed_from_something_else() -> None:
    report = run("[[ 0.41 -2.12  1.21]\n [-0.51  1.72 -0.62]\n [-1.25 -1.27 -0.15]]\n")
    assert report.findings == ()
    assert any(each.reason.key in ("printed_otherwise", "defined_anew") for each in report.not_checked)


A = "[[0.401 0.401 0.198]\n [0.198 0.401 0.401]\n [0.248 0.503 0.248]]\n"


def sums(printed: str) -> Findings:
    """A notebook that prints weights, rounded, and the sums of their rows as a list."""
    cells = [
        {
            "cell_type": "code",
            "source": [source],
            "outputs": [{"output_type": "stream", "name": "stdout", "text": [out]}],
        }
        for source, out in (("A = f(S)\nprint(A)", A), ("print(A.sum(axis=1))", printed))
    ]
    return check_article(read_article("a.ipynb", json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}, indent=1)))


def test_sums_of_rows_are_printed_as_a_list() -> None:
    [claim] = sums("[1. 1. 1.]\n").findings
    assert len(claim.entries) == 3 and not claim.bad
    assert sums("[3. 2. 5.]\n").findings == ()


GIVEN = "A = np.array([[0.5, 0.5], [0.25, 0.75]])\nV = np.array([[1.0, 2.0], [3.0, 4.0]])\n"
TYPED = f"```python\n{GIVEN}{{}}\n```\n\n```\n{{}}\n```\n"


def wrong_of_typed(lines: str, output: str = "[[2.  3. ]\n [2.5 3.6]]") -> list[str]:
    report = check_article(read_article("a.md", TYPED.format(lines, output)))
    return [e.printed for claim in report.findings for e in claim.bad]


@pytest.mark.parametrize("lines", ["print(A @ V)", 'out = A @ V\nprint("out =\\n", out)'])
def test_a_program_has_no_more_digits_than_it_was_given(lines: str) -> None:
    assert wrong_of_typed(lines) == ["3.6"]
    assert wrong_of_typed(lines, "[[2.  3. ]\n [2.5 3.5]]") == []


@pytest.mark.parametrize(
    "change",
    [
        "V[1, 1] = 4.1",
        "V[1][1] = 4.1",
        "A *= 1.02",
        "A = A / A.sum(axis=1, keepdims=True)",
        "A = dropout(A, 0.01)",
        "V = V + 0.05 * np.random.randn(2, 2)",
        "np.fill_diagonal(V, 4.1)",
        "V = np.array([[1.0, 2.0], [3.0, 4.1]])",
        "A = softmax(A / 0.9)",
        "V.add_(0.03)",
        "V = quantize(V)",
        "for row in V:\n    row += 0.03",
        "A, V = perturb(A, V)",
        "train(A, V)",
    ],
)
def test_what_a_program_changes_is_not_what_it_was_given(change: str) -> None:
    assert wrong_of_typed(f"{change}\nout = A @ V\nprint(out)") == []


def test_rounded_numbers_of_a_program_are_as_near_as_its_format() -> None:
    assert wrong_of_typed("print((A @ V).astype('float16'))", "[[2.001 3.   ]\n [2.5   3.502]]") == []
