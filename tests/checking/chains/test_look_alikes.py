"""Right numbers that look like slips: of another arithmetic, of more digits, of another name; and slips beside them."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

SCALED = r"$$\frac{QK^T}{\sqrt{d_k}} = \begin{bmatrix}1.0&0.8&0.1\\0.2&1.0&0.4\end{bmatrix}$$" + "\n\n"
# σ(1.0), σ(0.8), σ(0.1) = 0.731, 0.690, 0.525 over their sum 1.946; softmax gives 0.45, 0.37, 0.18
SIGMOID = r"$$A = \begin{bmatrix}0.38&0.35&0.27\\0.29&0.39&0.32\end{bmatrix}$$"


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize(
    "text",
    [
        SCALED + "Normalised sigmoid attention:\n\n" + SIGMOID,
        SCALED + "### Head 2\n\n" + SIGMOID,
        # σ(1) = 0.7311, 1 − σ(1) = 0.2689; 1/(1 + e^(−0.624)) has 0.536
        r"The output is $a = 0.73$, its slope $a(1-a) = 0.73 \cdot (1 - 0.73) = 0.73 \cdot 0.269 = 0.197$",
        r"$\frac{1}{1+e^{-0.62}} = \frac{1}{1+0.536}$",
        r"$P = 1{,}73 \cdot 400 \cdot 10 = 6928$",  # √3
        "In float16 `0.1 + 0.2 = 0.2998`",  # NumPy
        "In bf16 `256 + 1 + 1 = 256`",
        "XOR: $1 + 1 = 0$",
        "异或：$1 + 1 = 0$",
        "Boolean OR: $1 + 1 = 1$",
        "Accuracy $629/1000 = 0.629$ → 64.1% with the new head.",
        r"$\li(100) = 30.1$, $\li(1000) = 177.6$",  # the logarithmic integral
        "Error $e = 3$. $e^2 + e^1 + e^0 = 7.39 + 2.72 + 1 = 11.11$",
        r"$nd = 4 \cdot 8 = 32$ and $nd^2 = 4 \cdot 64 = 256$",
        r"$mv = 2 \cdot 3 = 6$; $mv^2/2 = 2 \cdot 9/2 = 9$",
        r"Error $e = 2$. $\frac{e^2}{e^2+e^1} = \frac{7.389}{7.389+2.718} = 0.731$",
        r"$e = 0.5$. $e^2/(1+e^2) = 7.389/8.389 = 0.881$",
        r"$d = 4$, $\theta = 0.5$, $d\theta = 0.01$, $\theta + d\theta = 0.51$",
        r"LayerNorm with $d = 2$, $\sigma = 0.5$. Backward: $d\sigma = -0.3$.",
        "In base 2, $1 + 1 = 10$.",
        # it goes back to the z_s above the third question
        "$z_t = [2, 1, 0]$, $z_s = [0, 1, 2]$\n\nQuestion 3: $z_s = [1, 1, 1]$\n\nAbove: $z_t - z_s = [2, 0, -2]$",
        r"Aktiveringsfunktion: ReLU. $y_1 = \sigma(0{,}8) = 0{,}8$",
        r"$\delta_5 \approx 1 - 1{,}107 = -0{,}107$",
        r"$\Delta c = e \cdot r = -0.76 \cdot 0.1 = -0.076$" + "\n\n# 2\n\n"
        r"$\Delta c = e \cdot r = -0.5 \cdot 0.1 = -0.05$" + "\n\n" + r"$b = a + \Delta c = -0.2 + (-0.05) = -0.25$",
        r"$x = 100$: $\log x = 2$, $\ln x = 4.605$",
        "$w=2$, $b=1$\n\n- $x = 3$: $z = wx+b = 7$\n- $x = 3$: $z = wx+b = 7$\n- $x = 4$: $z = wx+b = 9$",
        r"Here $\sigma = \tanh$: $\sigma(1) = 0.762$",
        "激活函数 $\\sigma$ 取 ReLU：$\\sigma(2)=2$",
        "## Example 1\n\n$w = 0.7$\n\n$$w \\leftarrow w - 0.5\\cdot(0.004) = 0.698$$\n\n"
        "## Example 2\n\n$w = 0.7$\n\n$$w \\leftarrow w - 0.5\\cdot(0.017) = 0.692$$",
        r"$\|x\| = 7$ in the 1-norm for $x = [3, 4]$",
        "$s = q \\cdot k = 2$ where $q = [1, 1]$, $k = [2, 0]$.\n\n$s = q \\cdot k = 5$ where $q = "
        "[1, 2]$, $k = [1, 2]$.",
        "- $q\\cdot k = 2$ ($q=[1,1]$, $k=[2,0]$)\n- $q\\cdot k = 5$ ($q=[1,2]$, $k=[1,2]$)",
        r"$\|x\| = 5$ where $x=[3,4]$. $\|x\| = 13$ where $x=[5,12]$.",
    ],
)
def test_what_is_right_in_its_own_way_is_not_called_wrong(text: str) -> None:
    assert wrong(text) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (r"$\frac{1}{1+e^{-0.3112}} = \frac{1}{1.7323} = 0.5773$", ["1.7323", "0.5773"]),
        (r"$d = (0.3 - 0.5) \cdot 0.3 \cdot (1 - 0.3) = (-0.2)(0.22) = -0.044$", ["0.22"]),
        ("$1 + 1 = 0$", ["0"]),
        ("In float16: $0.5 + 0.25 = 0.85$", ["0.85"]),
        ("$e = 3$, $L = e^2 = 8$", ["8"]),
        (r"$\sigma(1) = 0.762$", ["0.762"]),
        (r"$q = [1, 1]$, $k = [2, 0]$: $s = q \cdot k = 3$", ["3"]),
    ],
)
def test_a_slip_beside_them_is_one(text: str, numbers: list[str]) -> None:
    assert wrong(text) == numbers
