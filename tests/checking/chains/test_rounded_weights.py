"""Weights, gradients and decimals in a product are prints themselves: what they allow is not called wrong."""

import pytest
from checking.checked import judged, report, verdicts

# softmax((9, 6, 6)/√2) = (0.80657, 0.09672, 0.09672); with v = (0, 3), (2, 2), (1, 0) the output is (0.29015, 2.61315)
VECTORS = ("v_1 = (0, 3)", "v_2 = (2, 2)", "v_3 = (1, 0)")
NAMED = (r"\alpha_1 = 0.807", r"\alpha_2 = 0.097", r"\alpha_3 = 0.097", *VECTORS)
TOTAL = r"o = \alpha_1 v_1 + \alpha_2 v_2 + \alpha_3 v_3 = ({}, {})"
ROW = r"\begin{pmatrix}0.81 & 0.10 & 0.10\end{pmatrix}"
# P ∘ (dP − rowsum) of some attention, and dSᵀ Q of its unrounded entries 0.0294 and 0.0217
GRADIENT = r"\begin{pmatrix}0.029 & -0.029\\0.022 & -0.022\end{pmatrix}"
QUERIES = r"Q = \begin{pmatrix}3 & 1\\-3 & -2\end{pmatrix}"
BACK = r"dK = dS^T Q = \begin{pmatrix}0.023 & -0.014\\-0.023 & 0.014\end{pmatrix}"
# whole numbers follow from these weights, so that they are no rounded ones
EXACT, NUMBERS = (
    r"A = \begin{pmatrix}0.60 & 0.40\\0.80 & 0.20\end{pmatrix}",
    r"V = \begin{pmatrix}10 & 20\\20 & 30\end{pmatrix}",
)
FIRST = r"0.60 \cdot 10 + 0.40 \cdot 20 = 13.9"
# of weights that nothing says what they are: 0.14, 0.24, 0.34 are printed so, and add up to 0.72
UNKNOWN = r"O = A V \approx \begin{pmatrix}0.1&0.2&0.3\end{pmatrix}\begin{pmatrix}1&0\\1&0\\1&1\end{pmatrix}"
UNKNOWN += r" \approx \begin{pmatrix}{} & 0.3\end{pmatrix}"


@pytest.mark.parametrize(
    "formulas",
    [
        (*NAMED, TOTAL.format("0.290", "2.613")),
        (
            rf"A = {ROW}",
            r"V = \begin{pmatrix}0 & 3\\2 & 2\\1 & 0\end{pmatrix}",
            r"AV = \begin{pmatrix}0.29&2.61\end{pmatrix}",
        ),
        (r"0.807 \cdot (0, 3) + 0.097 \cdot (2, 2) + 0.097 \cdot (1, 0) = (0.290, 2.613)",),
        (r"0.81 \cdot (0, 3) + 0.10 \cdot (2, 2) + 0.10 \cdot (1, 0) \approx (0.29, 2.61)",),
        (r"0.81 \cdot 3 + 0.10 \cdot 2 + 0.10 \cdot 0 = 2.61",),
        ("p = (0.670, 0.330)", r"0.670 \cdot 3 + 0.330 \cdot 0 = 2.009"),
        (r"0.8069 \cdot 3 + 0.0965 \cdot 2 = 2.6140",),
        (r"1.41 \cdot 3 \approx 4.24", r"1.41 \cdot 1.41 = 2.00", r"4 / 1.41 = 2.83"),  # of √2
        (r"3.14 \cdot 4 = 12.57",),  # 4π
        (r"\mathrm{softmax}([1, 0]) = [0.73, 0.27]", r"0.73 \cdot 10 + 0.27 \cdot 30 = 15.38"),  # of 0.7311 and 0.2689
        (r"p \approx [0.73, 0.27]", r"0.73 \cdot 10 + 0.27 \cdot 30 = 15.38"),
        (r"p = [0.73, 0.27]", "v = [10, 30]", r"p \cdot v = 0.73 \cdot 10 + 0.27 \cdot 30 = 15.38"),
        (f"dS = {GRADIENT}", QUERIES, BACK),
        (UNKNOWN.replace("{}", "0.7"),),
        # the first row of A V for weights 0.1402, 0.5182 and 0.3416: 0.9636, 1.8598, 1.9752
        (
            r"A \approx \begin{pmatrix}0.140 & 0.518 & 0.342\\0.200 & 0.300 & 0.500\end{pmatrix}",
            r"V = \begin{pmatrix}2 & 1 & 3\\0 & 2 & 3\\2 & 2 & 0\end{pmatrix}",
            "O = A V",
            r"O_1 \approx \begin{pmatrix}0.964 & 1.860 & 1.975\end{pmatrix}",
        ),
    ],
)
def test_what_the_digits_allow_is_right(formulas):
    assert "wrong" not in verdicts(*formulas)
    assert verdicts(*formulas)


@pytest.mark.parametrize(
    ("formulas", "wrong"),
    [
        ((*NAMED, TOTAL.format("0.290", "2.713")), ["2.713"]),
        ((r"\alpha = 0.05", "g = 12", r"w = 3 - \alpha g = 2.45"), ["2.45"]),  # 2.4
        (
            (
                r"A = \begin{pmatrix}0.25 & 0.75\end{pmatrix}",
                r"V = \begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}",
                r"AV = \begin{pmatrix}2.5 & 3.6\end{pmatrix}",
            ),
            ["3.6"],
        ),
        (
            (
                r"A = \begin{pmatrix}0.5 & 0.5\end{pmatrix}",
                r"V = \begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}",
                r"AV = \begin{pmatrix}2.01 & 3\end{pmatrix}",
            ),
            ["2.01"],
        ),
        ((r"W = \begin{pmatrix}1.25 & 0.75\end{pmatrix}", r"W^T = \begin{pmatrix}1.25\\0.76\end{pmatrix}"), ["0.76"]),
        ((r"2 \cdot 0.3 = 0.7",), ["0.7"]),
        ((r"2 \cdot 0.3 \approx 0.7",), ["0.7"]),
        ((r"4 \cdot 2.31 = 9.26",), ["9.26"]),
        ((r"0.95 \cdot 20 + 0.05 \cdot 4 = 19.3",), ["19.3"]),  # of a moving average: 19.2
        ((r"0.81 \cdot (0, 3) + 0.10 \cdot (2, 2) + 0.10 \cdot (1, 0) = (0.30, 2.73)",), ["2.73"]),
        ((f"dS = {GRADIENT}", QUERIES, BACK.replace("-0.014", "-0.024")), ["-0.024"]),
        ((r"0.73 \cdot 10 + 0.27 \cdot 30 = 15.38",), ["15.38"]),  # of nothing more exact: 15.4
        ((UNKNOWN.replace("{}", "0.9"),), ["0.9"]),
        ((r"0.55 / 0.25 \approx 2.21",), ["2.21"]),
        ((r"1.34 \cdot 5 \approx 6.69",), ["6.69"]),
        ((r"2.50 + 1.75 \approx 4.26",), ["4.26"]),
        ((EXACT, NUMBERS, r"AV = \begin{pmatrix}14 & 24\\12 & 22\end{pmatrix}", FIRST), ["13.9"]),
    ],
)
def test_what_they_do_not_allow_is_wrong(formulas, wrong):
    text = "\n\n".join(f"$${formula}$$" for formula in formulas)
    assert [bad for *_, bad in judged(text)][-1] == wrong


def test_what_is_printed_again_is_no_more_than_it_was() -> None:
    rows = r"\begin{pmatrix}0.45 & 0.37 & 0.11 & 0.21\\0.52 & 0.48 & 0.11 & 0.21\end{pmatrix}"
    twice = r"\begin{pmatrix}0.90 & 0.74 & 0.22 & 0.42\\1.04 & 0.96 & 0.22 & 0.42\end{pmatrix}"
    again = r"Y_1 \approx \begin{pmatrix}0.9 & 0.8 & 0.2 & 0.4\end{pmatrix}"
    assert verdicts(rf"W \approx {rows}", rf"Y = W + W \approx {twice}", again)[1] == "last-digit"


def test_weights_told_in_words_may_be_rounded():
    """0.6225 · 10 + 0.3775 · 20 = 13.775; a rate of dropout is what somebody chose."""
    claim = "\n\n" + r"$0.62 \cdot 10 + 0.38 \cdot 20 = 13.78$"
    assert judged("The attention weights are 0.62 for the cat and 0.38 for the dog." + claim)[-1][2] == []
    assert judged("The cat is 0.62 m high, the dog is 0.38 m long." + claim)[-1][2] == ["13.78"]
    assert judged(r"Weights are dropped out at a rate of 0.15. So $0.15 \cdot 40 = 6.1$.")[-1][2] == ["6.1"]


def test_a_constant_beside_a_print_is_what_it_says_or_what_it_is_known_for():
    """e^0.35 = 1.41907; over 3.14 that is 0.45193, over π 0.45170, and 1.42/3.14 would be 0.45223."""
    for result, wrong in (("0.4519", []), ("0.4517", []), ("0.4525", ["0.4525"])):
        assert judged(f"$e^{{0.35}} = 1.42$ and $1.42 / 3.14 = {result}$")[-1][2] == wrong


def test_a_print_may_be_written_again_with_fewer_digits():
    """0.44 · 0.56 · 0.56 is 0.138, of which 0.2 is 0.0276; 0.14 · 0.2 is 0.028."""
    step = r"$d = 0.44 \cdot 0.56 \cdot 0.56 = 0.138$"
    for result, wrong in (("0.0276", []), ("0.0280", []), ("0.0270", ["0.0270"])):
        assert judged(step + rf" and $0.14 \cdot 0.2 = {result}$")[-1][2] == wrong
    assert judged(step + r" and $0.15 \cdot 0.2 = 0.0276$")[-1][2] == ["0.0276"]


@pytest.mark.parametrize("tokens", ["columns", "rows"])
def test_weights_of_one_key_are_one(tokens: str) -> None:
    scores, ones = ("2 & 4 & 0", "1 & 1 & 1")
    text = "Each column of X is one token. " if tokens == "columns" else ""
    numbers = [row if tokens == "columns" else row.replace("&", r"\\") for row in (scores, ones)]
    given, weights = (rf"\begin{{bmatrix}} {row} \end{{bmatrix}}" for row in numbers)
    values = (
        r"V = \begin{bmatrix} 5 \\ 7 \end{bmatrix}"
        if tokens == "columns"
        else r"V = \begin{bmatrix} 5 & 7 \end{bmatrix}"
    )
    product = "V A" if tokens == "columns" else "A V"
    output = r"\begin{bmatrix} 5 & 5 & 5 \\ 7 & 7 & 7 \end{bmatrix}"
    output = output if tokens == "columns" else r"\begin{bmatrix} 5 & 7 \\ 5 & 7 \\ 5 & 7 \end{bmatrix}"
    lines = [f"S = {given}", rf"A = \mathrm{{softmax}}(S) = {weights}", values, f"O = {product} = {output}"]
    found = report(text + "\n\n".join(f"$${line}$$" for line in lines)).findings
    assert [e.verdict for claim in found for e in claim.entries] == ["exact"] * 9


def test_a_column_of_scores_is_a_vector_still() -> None:
    scores = r"s = \begin{bmatrix} 0 \\ 0 \end{bmatrix}"
    half = r"\mathrm{softmax}(s) = \begin{bmatrix} 0.5 \\ 0.5 \end{bmatrix}"
    assert verdicts(scores, half) == ["exact", "exact"]
    assert "exact" not in verdicts(scores, half.replace("0.5", "0.6"))


def test_a_print_of_another_shape_behind_approx_is_rounded() -> None:
    parts = r"$a = \begin{bmatrix} 1.04 & 2 \end{bmatrix}$ $b = \begin{bmatrix} 2.04 & 3 \end{bmatrix}$"
    stacked = r"$$C = \mathrm{Concat}(a, b) \approx \begin{bmatrix} 1.0 & 2 \\ 2.0 & 3 \end{bmatrix}$$"
    line = r"$$Y = \begin{bmatrix} 1 & 1 \end{bmatrix} C \approx \begin{bmatrix} {} & 5 \end{bmatrix}$$"
    for total, wrong in (("3.1", []), ("3.2", ["3.2"])):  # 1.04 + 2.04 = 3.08
        assert judged(f"{parts}\n\n{stacked}\n\n{line.replace('{}', total)}")[-1][2] == wrong


def test_a_dot_product_of_rows_is_written_out_with_rounded_numbers() -> None:
    given = r"$$ Q = \begin{bmatrix} 2 & 1 \\ -1 & \frac{\sqrt{3}}{2} \end{bmatrix} ,\qquad "
    given += r"K = \begin{bmatrix} 0 & 2 \\ -1 & 1 \end{bmatrix} $$"
    line = r"$$ S_{21} = q_{2} \cdot k_{1} \approx -1 \cdot 0 + 0.87 \cdot 2 \approx "
    for score, wrong in (("1.73", []), ("1.74", []), ("1.75", ["1.75"])):  # √3 = 1.732
        assert judged(f"{given}\n\n{line}{score} $$")[-1][2] == wrong


# softmax(2, 1, 0) = (0.6652, 0.2447, 0.0900), and with 3, 6, 1 it comes to 3.554
@pytest.mark.parametrize(
    ("weights", "result", "bad"),
    [
        (("0.67", "0.24", "0.09"), "3.55", []),
        (("0.67", "0.24", "0.09"), "3.65", ["3.65"]),
        (("0.65", "0.25", "0.10"), "3.56", ["3.56"]),  # 3.55: such weights are chosen
    ],
)
def test_weights_that_add_up_to_one_may_be_rounded(weights: tuple[str, ...], result: str, bad: list[str]) -> None:
    text = r"${} \cdot 3 + {} \cdot 6 + {} \cdot 1 = {}$".format(*weights, result)
    assert [number for *_, wrong in judged(text) for number in wrong] == bad


def test_a_rate_that_is_told_is_chosen() -> None:
    text = "The learning rate for attention weights is 0.05.\n\n" + r"$0.05 \cdot 10 = 0.54$"
    assert judged(text)[-1][2] == ["0.54"]


def test_weights_of_rounded_scores_are_known_to_their_digits_alone():
    """The scores are 0.45004 and 0, so that the weights are 0.610649 and 0.389351, and 30 · 0.610649 is 18.3195."""
    scores = r"S \approx \begin{pmatrix}0.4500 & 0\end{pmatrix}"
    weights = r"A = \mathrm{softmax}(S) \approx \begin{pmatrix}0.6106 & 0.3894\end{pmatrix}"
    product = r"\begin{{pmatrix}}0.6106 & 0.3894\end{{pmatrix}} \begin{{pmatrix}}30\\0\end{{pmatrix}} \approx {}"
    assert verdicts(scores, weights, product.format(18.3195)) == ["input-rounding"]
    assert verdicts(scores, weights, product.format(18.3215)) == ["wrong"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (r"It costs $2.45 \cdot 1000 = 2449$.", ["2449"]),  # 2450
        (r"With $\sqrt{6} \approx 2.45$ it is $2.45 \cdot 1000 = 2449$.", []),  # 2449.49
        (r"The norm of both is the same, $2.45 \cdot 1000 = 2449$.", []),
    ],
)
def test_a_decimal_is_a_root_where_roots_are_spoken_of(text: str, wrong: list[str]) -> None:
    assert [number for *_, bad in judged(text) for number in bad] == wrong


def test_numbers_written_shorter_than_they_were_printed_may_be_what_was_printed() -> None:
    given = "P = 200 / 233 ≈ 0.858, R = 200 / 251 ≈ 0.797\n\n"
    line = "F = 2 × (0.86 × 0.80) / (0.86 + 0.80) ≈ {}"  # 0.8289; of 0.858 and 0.797 it is 0.8264, of the fractions too
    assert [bad for *_, bad in judged(given + line.format("0.826"))][-1] == []
    longer = given.replace("0.858", "0.859")
    shown = [bad for *_, bad in judged(longer + line.format("0.827"))]
    assert shown[-1] == []  # of 0.859 and 0.797 it is 0.8268
    assert [bad for *_, bad in judged(given + line.format("0.824"))][-1] == ["0.824"]
