"""What is not understood is refused, at its place; nothing hangs."""

import pytest

from symattn.errors import FormulaError
from symattn.reading.formula import parse
from tests.processor_time import takes_at_most


@pytest.mark.parametrize(
    ("text", "place"),
    [
        # prose
        ("I have 3 apples", "have"),
        ("Attention is all you need", "is"),
        ("The quick brown fox.", "quick"),
        ("a b c", "b"),
        ("x = 5 tokens", "tokens"),
        ("Step 2: weights", "2"),
        ("Attention weights: [1, 2]", "weights"),
        ("i = 0 (even)", "("),
        (r"W = 5 (\text{rounded})", r"\text{rounded}"),
        (r"\text{[[1, 0], [0, 1]]}", r"\text{[[1, 0], [0, 1]]}"),
        # unknown
        (r"\frac{\partial L}{\partial (q + k)}", r"\frac{\partial L}{\partial (q + k)}"),
        (r"Q = \bpmat 1 \epmat", r"\bpmat"),
        (r"\begin{cases} 1 & 2 \end{cases}", r"\begin{cases}"),
        ("a ± b", "±"),
        ("x!", "!"),
        ("s.masked_fill(m, 1)", "."),
        ("s = x.reshape(1)", "."),
        # brackets
        ("A = (B", "("),
        ("[1, 2", "["),
        ("1, 2]]", "]"),
        (r"\begin{bmatrix} 1", r"\begin{bmatrix}"),
        (r"\begin{bmatrix} 1 \end{pmatrix}", r"\begin{bmatrix}"),
        (r"\frac{1}{2", "{"),
        (r"\text{softmax", "{"),
        ("[0, 1)", "["),
        # two readings
        ("1/2 x", "x"),
        (r"2\frac{1}{2} = 2.5", r"\frac{1}{2}"),
        (r"1/\sqrt{d_k} QK^T", "QK"),
        (r"A \odot B C", "A"),
        ("3x4", "x4"),
        (r"\sqrt 64", "64"),
        (r"\alpha^12", "12"),
        (r"\alpha S_ij", "ij"),
        (r"\cos m\theta", r"\theta"),
        (r"q_1(K^T)", "q_1"),
        ("e^T", "T"),
        ("[1,2, 3]", ","),
        ("d = 1,024", ","),
        ("[1,024.5, 2]", "024.5"),
        ("Q = X @ Wq [4, 16]", "["),
        ("V = [2, 3] / [0, 1]", "[0, 1]"),
        (r"S = QK^T \; (3 \times 3)", r"3 \times 3"),
        ("(Q @ K.T)[0]", "["),
        ("U28 A = softmax(S)", "A"),
        ("Q, K = 3", "Q"),
        (r"\alpha = 3\mathrm{e}{-4}", "{"),
        ("a = 1, 2", "2"),
        (r"\begin{bmatrix} 1 & & 2 \end{bmatrix}", r"\begin{bmatrix}"),
        (r"\mathbf{QK}^\top", "QK"),
        (r"{a + b}^2", "a + b"),
        ("K^{-T}", "-"),
        (r"\exp^2 x", "^"),
        (r"QK \text{ is scaled}", r"\text{ is scaled}"),
        ("V = 5 (softmax)", "("),
        ("p ≈ 0.269 (26.9%)", "26.9%"),
        (r"p \approx 0.269 (26.9\%)", r"26.9\%"),
        ("A = [0.27, 0.73] B = [1, 2]", "B"),
        (r"W^Q = \begin{bmatrix} 1 \end{bmatrix} W^K = \begin{bmatrix} 2 \end{bmatrix}", "W^K"),
        (r"\alpha = 3 K = 4", "K"),
        # rows
        ("[[1, 2, 3],\n [4, 5]]", "4"),
        (r"\begin{bmatrix} 1 & 2 \\ 3 \end{bmatrix}", "3"),
        ("[[[1, 2], [3, 4]]]", "[[1, 2], [3, 4]]"),
        # limits
        ("1e5000", "1e5000"),
        ("1" * 1001, "1" * 1001),
        (r"10^{9999}", "10"),
    ],
)
def test_refused_at(text: str, place: str) -> None:
    with pytest.raises(FormulaError) as refusal:
        parse(text)
    assert text[refusal.value.start : refusal.value.end] == place
    assert all(refusal.value.message.text(language) for language in ("en", "zh"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n ",
        "$$",
        "= ",
        "a +",
        r"\frac{1}",
        "Q K^",
        "[ ]",
        "()",
        "{}",
        ", ,",
        "W_",
        "softmax_",
        "softmax()",
        "exp() + 1",
        r"\mathrm{softmax}\left(V=)",
        r"\max_",
        r"\sum_",
        r"\boxed{[1, 2]_}",
        "Σ^",
        "\\",
    ],
)
def test_nothing_or_half_of_it_is_refused(text: str) -> None:
    with pytest.raises(FormulaError) as refusal:
        parse(text)
    assert 0 <= refusal.value.start <= refusal.value.end <= max(len(text), 1)


ROW = " & ".join(["0.12"] * 1000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        "(" * 1000,
        "(" * 70 + "1" + ")" * 70,
        "[" * 70 + "1" + "]" * 70,
        r"\frac{" * 1000,
        r"\sqrt" * 10_000 + "2",
        "e" + "^{e" * 70 + "}" * 70,
        "x" + "^x" * 5000 + "=",
        "-" * 10_000 + "1",
        r"\text{" * 10_000,
        r"\begin{bmatrix}" * 5000,
        r"\begin{bmatrix}" + r" \\ ".join([ROW] * 1000) + r"\end{bmatrix}",
        "[" + ",".join("[" + "1," * 999 + "1]" for _ in range(1000)) + "]",
        "a=" * 50_000,
        r"\\" * 50_000,
        r"\\&" * 40_000,
        r"\\-" * 40_000,
        "1" + "/2" * 40_000,
        "(x)" + "'" * 40_000,
        "(x)" + "_1" * 40_000,
        "(x)" + ".T" * 40_000,
        "x_x" * 50_000 + "=",
        r"\mathrm{a" * 10_000,
        '"a' * 50_000,
    ],
    ids=range(24),
)
def test_no_text_hangs(text: str) -> None:
    with takes_at_most(4), pytest.raises(FormulaError):
        parse(text)


@pytest.mark.parametrize("text", [r"\|q\|_", r"\|q - k\|^2 = \|q\|_", r"\underbrace{x}_", r"\underbrace{x}^"])
def test_nothing_stands_below(text: str) -> None:
    with pytest.raises(FormulaError, match="before it is complete"):
        parse(text)


def test_a_wide_matrix_is_read_in_time() -> None:
    row = " & ".join(["0.12"] * 150)
    with takes_at_most(3):
        [chain] = parse(r"A = \begin{bmatrix}" + r" \\ ".join([row] * 150) + r"\end{bmatrix}")
    assert len(chain.sides[1].expression.rows) == 150


@pytest.mark.parametrize("text", ["1e^{-5}", r"\sqrt{5.0 + 1e^{-5}}", "3e^{-4}", "2 + 1e^{-8}"])
def test_what_may_be_a_power_of_ten_is_refused(text: str) -> None:
    with pytest.raises(FormulaError, match=r"\de\^\{-\d\} can be read in more than one way"):
        parse(text)


@pytest.mark.parametrize("text", ["e^{-5}", "2e^{-1}", "2e^{-0.5}", "1 + e^{-3}", "10^{-5}"])
def test_what_is_an_exponential_is_read(text: str) -> None:
    assert parse(text)
