"""Lines of plain inputs say anew what letters are, whatever a formula before made of them."""

import pytest
from checking.checked import judged, report

pytestmark = pytest.mark.slow

FIRST = "Forward: x=1, w=0.5, b=0, y=1.\n\nThe gradient is g = -0.5, with η = 0.1."
UPDATES = [
    "w = w - 0.1 * g",
    r"$w = w - \eta g$",
    "w -= 0.1 * g",
    "```\nw = w - 0.1 * g\n```",
    "w = w - 0.1 * g = 0.55",
]
HEADINGS = ["## Cross entropy", "**Cross entropy**", "2. Cross entropy", "Cross entropy\n-------------", "---"]
HALVED = (r"$$S = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}$$", "$$S = S / 2$$")


def bad(*parts):
    return [(subject, wrong) for subject, _, wrong in judged("\n\n".join(parts)) if wrong]


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize(
    "inputs",
    [
        "forward: x=1, w=0.5, b=0, y=0",
        "forward: $x = 1, w = 0.5, b = 0, y = 0$",
        "forward: $x = 1$, $w = 0.5$, $b = 0$, $y = 0$",
        "```\nforward: x=1, w=0.5, b=0, y=0\n```",
        "forward: x=1, w=0.5, b=0, y=0 → z = w*x + b = 0.5",
    ],
)
def test_inputs_in_one_line_define_their_letters_anew(update, heading, inputs):
    assert bad(FIRST, update, heading, inputs, "z = w*x + b = 0.5") == []


def test_what_is_computed_from_them_is_judged():
    text = (FIRST, UPDATES[0], HEADINGS[1], "forward: x=1, w=0.5, b=0, y=0", "z = w*x + b = 0.58")
    assert bad(*text) == [("z", ["0.58"])]


def test_results_of_formulas_are_judged():
    assert bad("v=0.5, c=0, g=-0.5", "w = v - 0.1*g", "b = c - 0.1*g", "w = 0.55, b = 0.06") == [("b", ["0.06"])]
    assert bad("v=0.5, c=0, g=-0.5", "w = v - 0.1*g", "Later:", "v=0.5, c=0, w=0.45") == []


def test_a_right_result_beside_an_input_is_judged():
    assert ("w", ["0.55"], []) in judged("\n\n".join((FIRST, UPDATES[0], "x = 1, w = 0.55")))


def test_a_formula_of_its_own_name_is_reckoned_once():
    assert judged("w=0.5, g=-0.5.\n\nw = w - 0.1 * g\n\nw = 0.55") == [("w", ["0.55"], [])]
    halved = r"$$S = \begin{pmatrix} 0.5 & 1 \\ 1.5 & 2 \end{pmatrix}$$"
    assert judged("\n\n".join((*HALVED, halved))) == [("S", ["0.5", "1", "1.5", "2"], [])]


def test_a_wrong_entry_of_what_is_halved_is_found():
    assert bad(*HALVED, r"$$S = \begin{pmatrix} 0.5 & 1 \\ 1.7 & 2 \end{pmatrix}$$") == [("S", ["1.7"])]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("T = 512: T^2 = 262K", []),
        ("T = 512: T^2 = 262,144\n\nT = 2048: T² = 4,194,304", []),
        ("T = 512: T^2 = 362144", ["362144"]),
        ("Error: (200,000 - 195,000)² = 25,000,000", []),
        ("Error: (200,000 - 195,000)² = 2,500,000", ["2,500,000"]),
    ],
)
def test_squares_of_large_numbers(text: str, wrong: list[str]) -> None:
    found = report(f"```\n{text}\n```").findings
    assert found and [e.printed for claim in found for e in claim.bad] == wrong


def test_a_letter_that_is_a_matrix_is_not_squared() -> None:
    assert not report("$W = [[1, 2], [3, 4]]$\n\n$W^2 = [[5, 6], [7, 8]]$").findings


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (r"$4096 \times 1024 \approx 4.2$ ล้าน", []),  # million
        (r"$4096 \times 1024 \approx 4.3$ ล้าน", []),
        (r"$24 \times 24 = 567$ แพตช์", ["567"]),
        (r"$12 \text{ layers} \times 2 \text{ maps} \times 64 = 1563$", ["1563"]),  # 1536
        (r"$12 \text{ layers} \times 2 \text{ bytes (FP16)} = 24$", []),
        (r"$\frac{1024}{8} = 128\times$", []),
        (r"$\frac{1024}{8} = 126\times$", ["126"]),
    ],
)
def test_what_is_counted(text: str, wrong: list[str]) -> None:
    found = report(text).findings
    assert [e.printed for claim in found for e in claim.bad] == wrong
    assert found or "ล้าน" in text


def test_an_accent_below_a_name() -> None:
    text = (
        r"$P_{\hat{s}} = (0.5, 0.3, 0.2)$ and $P_y = (0.7, 0.2, 0.1)$"
        + "\n\n"
        + r"$g = P_{\hat{s}} - P_y = ({}, 0.1, 0.1)$"
    )
    assert judged(text.replace("{}", "-0.2"))[-1][2] == []
    assert judged(text.replace("{}", "-0.3"))[-1][2] == ["-0.3"]


def test_a_column_of_formulas_beside_their_values() -> None:
    rows = "| dim | formula | value |\n|---|---|---|\n" + r"| 0 | $\sin(2/2) = \sin(1)$ | $0.841$ |" + "\n"
    rows += r"| 1 | $\cos(2/2) = \cos(1)$ | $0.450$ |" + "\n"  # 0.540
    assert [bad for _, numbers, bad in judged(rows) if numbers in (["0.841"], ["0.450"])] == [[], ["0.450"]]
