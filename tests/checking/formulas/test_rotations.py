"""Rotary positions: cos a cos b + sin a sin b = cos(a − b), and what follows from it for pairs of features."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

TURNED = r"\begin{pmatrix} x_1 \cos m\theta - x_2 \sin m\theta \\ x_1 \sin m\theta + x_2 \cos m\theta \end{pmatrix}"


def judged(*formulas):
    text = "RoPE rotates pairs:\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    return check_article(read_article("a.md", text)).formulas


@pytest.mark.parametrize(
    "formula",
    [
        r"\langle R_m q, R_n k \rangle = q^T R_{n-m} k",
        r"(R_m q)^\top (R_n k) = q^\top R_m^\top R_n k = q^\top R_{n-m} k",
        r"R_m^T R_n = R_{n-m}",
        r"(q R_m)(k R_n)^T = q R_{m-n} k^T",  # rows
        r"(R_{\Theta,m}^d W_q x_m)^T (R^d_{\Theta,n} W_k x_n) = x_m^T W_q^T R^d_{\Theta,n-m} W_k x_n",
        r"q_m^\top k_n = (R_m q)^\top (R_n k) = q^\top R_{n-m} k",
        r"f(x, m) = R_m x = x e^{im\theta}",
        f"f(x, m) = {TURNED}",
        r"\langle f(q, m), f(k, n) \rangle = \text{Re}\left(q k^* e^{i(m-n)\theta}\right)",
        r"R_m = \begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}",
    ],
)  # fmt: skip
def test_what_angles_that_add_give_holds(formula):
    [found] = judged(formula)
    assert found.verdict == "holds"


WRONG = [
    (r"\langle R_m q, R_n k \rangle = q^T R_{m-n} k", True),
    (r"R_m^T R_n = R_{n+m}", True),
    (r"\langle f(q, m), f(k, n) \rangle = \text{Re}\left(q k^* e^{i(m+n)\theta}\right)", True),
    (f"f(x, m) = {TURNED.replace('+', '-')}", True),
    (r"(R_m W_q x_m)^T (R_n W_k x_n) = x_m^T W_q^T R_{m-n} W_k x_n", True),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "mended"), WRONG)
def test_other_angles_fail_and_the_right_ones_are_named(formula, mended):
    [found] = judged(formula)
    assert found.verdict == "fails"
    assert not mended or [x.verdict for x in judged(found.right)] == ["holds"]


@pytest.mark.parametrize(
    "formula",
    [
        r"q_m^T k_n = q^T R_{n-m} k",
        "f(x, m) = x + p_m",
        r"R_m x = \lambda x",
        r"\langle R_m q, R_n k \rangle = g(q, k, m-n)",
    ],
)
def test_letters_with_another_meaning_are_left_alone(formula):
    assert judged(formula) == ()
