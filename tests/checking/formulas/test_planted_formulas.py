"""False statements of the kinds that articles print: none is called right."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def turn(angle):
    return rf"\begin{{bmatrix}} \cos {angle} & -\sin {angle} \\ \sin {angle} & \cos {angle} \end{{bmatrix}}"


PLANTED = {
    "RoPE rotates.": [
        r"R_m^T R_n = R_{(m-n)}", r"R_m R_n = R_{m-n}", r"R_m^{-1} = R_m", r"R_m R_m^T = R_{2m}",
        r"q_m^T k_n = x_m^T W_q^T W_k R_{n-m} x_n", r"q_m^T k_n = x_n^T W_q^T R_{n-m} W_k x_m",
        r"q_m^T k_n = (R_m W_q x_m)^T (R_m W_k x_n)", r"f_q(x_m, m) = R_{\Theta,m} W_k x_m",
        r"f_k(x_n, n) = R_{\Theta,n}^T W_k x_n", rf"{turn('a')} {turn('b')} = {turn('(a-b)')}",
        r"(x_1 + i x_2)(\cos t + i\sin t) = (x_1\cos t + x_2\sin t) + i(x_1\sin t + x_2\cos t)",
        r"R_m = \begin{bmatrix} \cos m\theta & \sin m\theta \\ \sin m\theta & \cos m\theta \end{bmatrix}",
        r"x'_1 = x_1 \sin t - x_2 \cos t", r"x'_2 = -x_1 \sin t - x_2 \cos t",
    ],
    "Sigmoid, SiLU and GELU.": [
        r"\sigma'(x) = \sigma(x)", r"\sigma'(x) = \sigma(x)(\sigma(x) - 1)", r"\tanh'(x) = 1 - \tanh(x)",
        r"\text{GELU}'(x) = \Phi(x) - x\phi(x)", r"\text{SiLU}'(x) = \sigma(x)(1 - \sigma(x))",
        r"\frac{d}{dx} e^{-x} = e^{-x}", r"\frac{d}{dx}\cos(x) = \sin(x)", r"\frac{d}{dx} x^3 = 3x",
        r"GELU(x) \approx x\sigma(1.207x)", r"GELU(x) \approx \sigma(1.702x)",
    ],
    "Softmax with cross-entropy.": [
        r"\frac{\partial L}{\partial z_i} = \hat{y}_i + y_i",
        r"\frac{\partial L}{\partial \hat{y}_i} = \frac{y_i}{\hat{y}_i}",
        r"\frac{\partial \hat{y}_i}{\partial z_j} = \hat{y}_i(\delta_{ij} - \hat{y}_i)",
        r"f(x_i) = \frac{e^{-x_i}}{\sum_j e^{x_j}}", r"f(x_i) = \frac{e^{x_j}}{\sum_j e^{x_j}}",
    ],
    "Online.": [
        r"m_{new} = \max(m_{old}, \max(x_{old}))",
        r"\ell_{new} = e^{m_{old} - m_{new}} (\ell_{old} + \sum e^{x_i - m_{new}})",
        r"l_i = l_{i-1} e^{m_{i-1} - m_i} + \sum_j e^{s_k - m_i}",
        r"l_i = l_{i-1} e^{m_{i-1} - m_i} + \sum_j e^{s_{i-1} - m_i}",
        r"y_{new} = e^{m_{old} - m_{new}} y_{old} + \sum_j e^{S_j - m_{new}} V_k",
        r"y_{new} = e^{m_{old} - m_{new}} y_{old} + \sum_j e^{S_j - m_{new}} V_{old}",
        r"d'_i = d'_{i-1} + e^{m_{i-1} - m_i} e^{x_i - m_i}",
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", PLANTED)
def test_no_planted_falsehood_is_called_right(words):
    for formula in PLANTED[words]:
        found = judge_formulas(read_article("a.md", f"{words}\n\n$${formula}$$\n")).formulas
        assert "holds" not in [each.verdict for each in found], formula
