"""Steps that are named but have no formula, names given after their first use, and numbers known again.

The numbers are those of Q = [[1, 0], [0, 2]], K = [[2, 0], [0, 1]], V = [[10, 0], [0, 20]]: S = [[2, 0], [0, 2]],
S/√2 = 1.414…, softmax(√2, 0) = (0.8044, 0.1956) since 1/(1 + e^(−√2)) = 0.80443.
"""

from __future__ import annotations

import math

import pytest

from symattn.checking.articles import check_article
from symattn.checking.findings import Cause, Findings
from symattn.reading.articles import read_article
from symattn.reading.articles.article import Article
from tests.checking.checked import judged

GIVEN = r"""
$$Q = \begin{bmatrix} 1 & 0 \\ 0 & 2 \end{bmatrix}, \quad K = \begin{bmatrix} 2 & 0 \\ 0 & 1 \end{bmatrix}$$

$$V = \begin{bmatrix} 10 & 0 \\ 0 & 20 \end{bmatrix}$$
"""
SCORES = r"""
$$\text{Scores} = Q K^T = \begin{bmatrix} 2 & 0 \\ 0 & 2 \end{bmatrix}$$
"""


def check(text: str) -> Findings:
    article: Article = read_article(text + "\n")
    return check_article(article)


def verdicts(report: Findings, subject: str) -> list[str]:
    (claim,) = (c for c in report.findings if c.subject == subject)
    return [e.verdict for e in claim.entries]


def test_scaled_scores_and_weights_by_name() -> None:
    assert 1 / (1 + math.exp(-math.sqrt(2))) == pytest.approx(0.80443, abs=5e-6)
    report = check(
        GIVEN
        + SCORES
        + r"""
$$\text{Scaled Scores} = \begin{bmatrix} 1.41 & 0 \\ 0 & 1.42 \end{bmatrix}$$

$$\text{Attention Weights} = \begin{bmatrix} 0.80 & 0.20 \\ 0.23 & 0.80 \end{bmatrix}$$
"""
    )
    assert verdicts(report, r"\text{Scaled Scores}") == ["rounded", "exact", "exact", "last-digit"]
    assert verdicts(report, r"\text{Attention Weights}") == ["rounded", "rounded", "wrong", "rounded"]


def test_a_name_alone_is_no_evidence() -> None:
    report = check(
        GIVEN + SCORES + r"$$\text{Attention Weights} = \begin{bmatrix} 0.4 & 0.6 \\ 0.7 & 0.3 \end{bmatrix}$$"
    )
    assert r"\text{Attention Weights}" not in {c.subject for c in report.findings}


def test_what_is_given_once_may_be_given_later() -> None:
    report = check(SCORES.replace("0 & 2", "0 & 3") + GIVEN)
    assert verdicts(report, r"\text{Scores}") == ["exact", "exact", "exact", "wrong"]


def test_what_is_given_twice_is_not_taken_from_later() -> None:
    other = r"$$Q = \begin{bmatrix} 5 & 5 \\ 5 & 5 \end{bmatrix}$$"
    report = check(SCORES + GIVEN + other)
    assert not report.findings
    assert "name_unknown" in {n.reason.key for n in report.not_checked}


def test_a_label_between_ends_a_chain() -> None:
    report = check('"Hello" = [1, 2] + [0, 1] = [1, 3]\n\n"World" = [2, 3] + [0.84, 1] = [2.84, 4]')
    assert [e.verdict for c in report.findings for e in c.entries] == ["exact"] * 4


def test_a_line_that_begins_with_a_sign_goes_on_only_with_what_it_is_worth() -> None:
    weights = r"$\text{softmax}([1, 0]) = [0.731, 0.269]$"
    goes_on = check(weights + "\n\n$= [2.718/3.718, 1/3.718] = [0.73, 0.26]$")
    assert [e.verdict for e in goes_on.findings[-1].entries] == ["rounded", "truncated"]
    other = check(weights + r"\n\n$= 0.731 \cdot [10, 0] + 0.269 \cdot [0, 20] = [7.31, 5.37]$".replace(r"\n", "\n"))
    assert [e.verdict for e in other.findings[-1].entries] == ["exact", "wrong"]  # 0.269 · 20 = 5.38
    assert other.findings[-1].entries[1].decimal == "5.38"


def test_arithmetic_on_a_wrong_number_carries_it() -> None:
    report = check(
        r"$\text{softmax}([1, 0]) = [0.741, 0.269]$"
        + "\n\n"
        + r"$0.741 \cdot [10, 0] + 0.269 \cdot [0, 20] = [7.41, 5.38]$"
    )
    first, second = report.findings
    assert [e.verdict for e in first.entries] == ["wrong", "rounded"]  # 1/(1 + 1/e) = 0.7311
    assert [e.verdict for e in second.entries] == ["carried", "exact"]
    assert second.entries[0].because == Cause(1, r"\text{softmax}([1, 0])", 1, 1)


def test_arithmetic_on_a_replaced_number_is_left_alone() -> None:
    report = check(
        r"$[0.82 + 0.44, 0.65] = [1.26, 0.65] \to [0.62, 0.65]$" + "\n\n" + r"$2 \cdot [0.62, 0.65] = [2.52, 1.30]$"
    )
    assert [e.verdict for c in report.findings for e in c.entries] == ["exact"] * 4  # 2 · 1.26
    assert report.not_checked


def test_rows_with_slashes_and_component_matrices() -> None:
    sheet = '<Product matrixA={[[1, 0], [0, 2]]} nameA="Q" matrixB={[[2, 0], [0, 1]]} nameB="K" />\n\n'
    report = check(sheet + "Q K^T: 2 0 / 0 3")
    assert [e.verdict for c in report.findings for e in c.entries] == ["exact", "exact", "exact", "wrong"]


ROWS = r"""
$$\text{Scaled} = \begin{bmatrix} 1.41 & 0 \\ 0 & 1.41 \end{bmatrix}$$

- Row 1: softmax([1.41, 0]) = [0.80, 0.20]
"""


def test_softmax_of_the_next_row_needs_no_formula() -> None:
    report = check(GIVEN + SCORES + ROWS + "- Row 2: [0.23, 0.80]")
    assert verdicts(report, "[0.23, 0.80]") == ["wrong", "rounded"]
    report = check(GIVEN + SCORES + ROWS.rstrip() + " ; [0.23, 0.80]")
    assert verdicts(report, "[0.23, 0.80]") == ["wrong", "rounded"]


@pytest.mark.parametrize("text", ["- Row 2: [0.5, 0.5]", "Then $d = 2$.\n\n[0.23, 0.80]", "[0.2, 0.2, 0.6]"])
def test_a_bare_list_that_is_no_next_row_is_given(text: str) -> None:
    assert len(check(GIVEN + SCORES + ROWS + text).findings) == len(check(GIVEN + SCORES + ROWS).findings)


def test_names_of_steps_in_chinese() -> None:
    report = check(
        GIVEN
        + SCORES
        + r"""
$$\text{缩放后的分数} = \begin{bmatrix} 1.41 & 0 \\ 0 & 1.42 \end{bmatrix}$$

$$\text{注意力权重} = \begin{bmatrix} 0.80 & 0.20 \\ 0.23 & 0.80 \end{bmatrix}$$
"""
    )
    assert verdicts(report, r"\text{缩放后的分数}") == ["rounded", "exact", "exact", "last-digit"]
    assert verdicts(report, r"\text{注意力权重}") == ["rounded", "rounded", "wrong", "rounded"]


TABLE = """
| Token | Query vector | K | **Value** (V) |
|---|---|---|---|
| I | [1, 0] | [2, 0] | [10, 0] |
| am | [0, 2] | [0, 1] | [0, 20] |

$QK^T = [[2, 0], [0, 3]]$
"""


@pytest.mark.parametrize("table", [TABLE, TABLE.replace("|---|---|---|---|\n", "\n").replace("| am", "\n| am")])
def test_columns_of_vectors_are_the_matrices_that_they_are_headed(table: str) -> None:
    report = check(table + "\n$AV = 2$ with $V = [[10, 0], [0, 20]]$")
    assert verdicts(report, "QK^T") == ["exact", "exact", "exact", "wrong"]
    assert verdicts(report, "V") == ["exact"] * 4


@pytest.mark.parametrize("corner", ["$A$", "**$A$**", "$`A`$"])
def test_a_letter_in_the_corner_of_a_table_names_its_matrix(corner: str) -> None:
    # softmax(0, ln 3) = 1/4, 3/4 and softmax(0, 0) = 1/2, 1/2
    table = f"| {corner} | a | b |\n|---|---|---|\n| a | 0.25 | 0.75 |\n| b | 0.50 | 0.51 |\n"
    report = check(
        r"With $S = \begin{bmatrix} 0 & \ln 3 \\ 0 & 0 \end{bmatrix}$, $A = \mathrm{softmax}(S)$ is" f"\n\n{table}"
    )
    assert verdicts(report, "A") == ["exact", "exact", "exact", "wrong"]
    assert report.findings[0].entries[3].correction == "0.50"


def test_a_matrix_of_fractions_is_no_formula_to_be_settled() -> None:
    report = check(r"$Q = \begin{bmatrix} 1 & 0 \\ 0 & 1/2 \end{bmatrix}$, $Q_{22} = 0.5$")
    assert not report.not_checked


def test_columns_of_steps_are_one_query() -> None:
    # softmax(1, 2, 3) = 0.0900, 0.2447, 0.6652
    table = "| Word | Score | After scaling | Weight |\n|-|-|-|-|\n" + "".join(
        f"| {row} |\n" for row in ("a | 2.0 | 1.0 | 0.09", "b | 4.0 | 2.0 | 0.30", "c | 6.0 | 3.0 | 0.66")
    )
    report = check(table)
    assert verdicts(report, r"\text{Weight}") == ["rounded", "wrong", "truncated"]
    assert report.findings[0].entries[1].span == (table.index("0.30"), table.index("0.30") + 4)
    # one such column alone, or other things counted, say nothing
    assert not check(table.replace("Weight", "Share").replace("Score", "Count")).findings


# Concat · W_O = [[2, 1], [1, 3], [3, 4]], with X = 1 everywhere [[3, 2], [2, 4], [4, 5]]
HEADS = r"""
$$X = \begin{bmatrix} 1 & 1 \\ 1 & 1 \\ 1 & 1 \end{bmatrix}$$

$$Z_{\text{concat}} = \begin{bmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \end{bmatrix}$$

$$W_O = \begin{bmatrix} 2 & 1 \\ 1 & 3 \end{bmatrix}$$
"""
OUTPUT = r"""
$$\text{Multi-Head Output} = \begin{bmatrix} 2 & 1 \\ 1 & 3 \\ 3 & 2 \end{bmatrix}$$
"""
RESIDUAL = r"""
$$\text{Residual Output} = \begin{bmatrix} 3 & 2 \\ 2 & 4 \\ 4 & 3 \end{bmatrix}$$
"""


def test_the_output_of_all_heads_right_after_its_factors_and_a_residual_sum() -> None:
    report = check(HEADS + OUTPUT + RESIDUAL)
    assert verdicts(report, r"\text{Multi-Head Output}") == ["exact"] * 5 + ["wrong"]
    assert verdicts(report, r"\text{Residual Output}") == ["exact"] * 5 + ["carried"]
    called = check(HEADS + OUTPUT.replace(r"\text{Multi-Head Output}", r"\text{MultiHead}(Q, K, V)"))
    assert [e.verdict for c in called.findings for e in c.entries] == ["exact"] * 5 + ["wrong"]


@pytest.mark.parametrize(
    "text",
    [
        HEADS + "$$Y = 3$$\n" + OUTPUT,  # something else stands between
        HEADS + "$$b_O = [1, 1]$$\n" + OUTPUT,  # a bias was added
        HEADS + OUTPUT.replace("3 & 2", "-9 & -9"),  # points another way
        HEADS + OUTPUT.replace("3 & 2", "3"),  # of another size
        HEADS + RESIDUAL,  # no sum of the last two
        HEADS + OUTPUT.replace("Head Output", "Head Output after LayerNorm"),
    ],
)
def test_without_evidence_a_named_matrix_is_given(text: str) -> None:
    assert not check(text).findings


def test_two_equations_run_together_are_not_judged() -> None:
    report = check("$h = 8$\n\nso with d_model=512h=8 each head")
    assert not report.findings
    assert "run together" in str(report.not_checked[-1].reason)
    assert [e.verdict for c in check("$U = 8$\n\n$W = 10U = 81$").findings for e in c.entries] == ["wrong"]


SHORT = """
`attention_scores = Q @ K.T`

$$\\text{Scores} = [[2, 0], [0, 3]]$$

`attention_weights = softmax(attention_scores / sqrt(2))`

$$\\text{Weights} = [[0.80, 0.20], [0.20, 0.70]]$$
"""


def test_the_last_word_of_the_name_just_defined_stands_for_it() -> None:
    report = check(GIVEN + SHORT)
    assert verdicts(report, r"\text{Scores}") == ["exact", "exact", "exact", "wrong"]
    assert verdicts(report, r"\text{Weights}") == ["rounded", "rounded", "rounded", "wrong"]


@pytest.mark.parametrize("between", ["`scaled_scores = Q @ K.T / 2`", "`attention_scores = Q @ K.T`\n\n## Later"])
def test_another_step_or_another_heading_is_not_meant(between: str) -> None:
    report = check(GIVEN + between + "\n\n$$\\text{Scores} = [[5, 4], [3, 5]]$$")
    assert not report.findings


ORDERED = """```
scores = [[0.8, 0.3, 0.1], [0.3, 0.9, 0.5]]
scaled = scores / 8
scaled = [[0.10, 0.04, 0.01], [0.04, 0.11, 0.06]]
weights = {}
```"""


def test_weights_in_the_order_of_the_scores_are_their_softmax() -> None:
    right = "[[0.35, 0.33, 0.32], [0.32, 0.35, 0.33]]"
    assert [bad for *_, bad in judged(ORDERED.format(right))][-1] == []
    sharper = "[[0.37, 0.35, 0.28], [0.28, 0.39, 0.33]]"
    assert [bad for *_, bad in judged(ORDERED.format(sharper))][-1] == ["0.37", "0.35", "0.28", "0.28", "0.39"]


@pytest.mark.parametrize(
    "weights", ["[[0.27, 0.35, 0.38], [0.28, 0.39, 0.33]]", "[[0.37, 0.35, 0.18], [0.20, 0.45, 0.30]]"]
)
def test_other_rows_may_be_of_something_else(weights: str) -> None:
    assert all(not bad for *_, bad in judged(ORDERED.format(weights)))


@pytest.mark.parametrize("environment", ["tabular", "longtable"])
@pytest.mark.parametrize("mark", ["{}", "${}$", r"\num{{{}}}", r"$\num[round-precision=2]{{{}}}$"])
def test_a_letter_in_the_corner_of_a_table_in_latex_names_its_matrix(environment: str, mark: str) -> None:
    # softmax(0, ln 3) = 1/4, 3/4 and softmax(0, 0) = 1/2, 1/2
    rows = ("0.25", "0.75"), ("0.50", "0.51")
    lines = [
        f"{label} & {mark.format(x)} & {mark.format(y)} " + r"\\" for label, (x, y) in zip("ab", rows, strict=True)
    ]
    table = "\n".join(
        [rf"\begin{{{environment}}}{{lrr}}", r"$A$ & a & {b} \\", r"\hline", *lines, rf"\end{{{environment}}}"]
    )
    given = r"With $S = \begin{bmatrix} 0 & \ln 3 \\ 0 & 0 \end{bmatrix}$, $A = \mathrm{softmax}(S)$ is"
    report = check_article(read_article("a.tex", f"{given}\n{table}\n"))
    assert verdicts(report, "A") == ["exact", "exact", "exact", "wrong"]
    assert report.findings[0].entries[3].correction == "0.50"


def test_a_table_in_latex_that_is_no_matrix_is_read_by_its_cells() -> None:
    table = "\\begin{tabular}{ll}\nname & $2 + 3 = 6$ \\\\\nother & $1 + 1 = 2$ \\\\\n\\end{tabular}\n"
    report = check_article(read_article("a.tex", table))
    assert [[e.verdict for e in c.entries] for c in report.findings] == [["wrong"], ["exact"]]


PROJECTED = """$$X = [[1, 0, 2], [0, 1, 1]]$$

$$W^Q = [[1, 0], [0, 3], [1, 0]]$$

$$Q = [[3, 0], [1, 3]]$$
"""


def test_tokens_and_weights_before_say_what_a_projection_is() -> None:
    assert [claim[1:] for claim in judged(PROJECTED)] == [(["3", "0", "1", "3"], [])]
    assert judged(PROJECTED.replace("[[3, 0], [1, 3]]", "[[5, 0], [2, 7]]")) == []  # an example of its own


def test_alpha_is_a_name_of_the_weights() -> None:
    text = "$$QK^T = [[2, 0], [0, 4]]$$\n\n$$S = [[2, 0], [0, 4]]$$\n\n$$\\alpha = [[0.88, 0.12], [0.02, 0.98]]$$\n"
    assert judged(text)[-1][1:] == (["0.88", "0.12", "0.02", "0.98"], [])


# Q1 K1ᵀ = [[1, 0], [1, 1]]; e^0.707 = 2.028, 2.028/3.028 = 0.670; 0.67·1 + 0.33·3 = 1.66, 0.67·2 + 0.33·4 = 2.66
TWO_HEADS = """
Q1 = [[1,0],[0,1]]
K1 = [[1,1],[0,1]]
V1 = [[1,2],[3,4]]

Scores1 = Q1 K1^T = [[1,0],[1,1]]
Scaled = [[0.707, 0], [0.707, 0.707]]
Weights1 = softmax(Scaled) = [[0.67, 0.33], [0.5, 0.5]]
Head1 = Weights1 V1 = [[1.66, 2.66], [2, 3]]

Head2 = [[5, 6], [7, 8]]

Concat = [[1.66, 2.66, 5, 6], [2, 3, 7, 8]]
"""


def test_heads_with_numbers_in_their_names() -> None:
    claims = ["Scores1", "Scaled", "Weights1", "Head1", "Concat"]
    assert [(c.subject, c.bad) for c in check(TWO_HEADS).findings] == [(name, ()) for name in claims]
    for right, slip in (("Q1 K1^T = [[1,0],[1,1]]", "Q1 K1^T = [[1,0],[1,2]]"), ("5, 6], [2,", "5, 9], [2,")):
        wrong = [e.printed for c in check(TWO_HEADS.replace(right, slip)).findings for e in c.bad]
        assert wrong[0] == ("2" if "Q1" in slip else "9")


THREE_ROWS = r"\begin{{bmatrix}} {} \\ {} \\ {} \end{{bmatrix}}"
SCORES_OF_THREE = f"$$Q = [[1, 0], [1, 1], [0, 1]]$$\n\n$$K = Q$$\n\n$$S = QK^T = {THREE_ROWS}$$".format(
    "1 & 1 & 0", "1 & 2 & 1", "0 & 1 & 1"
)


@pytest.mark.parametrize(
    ("entry", "bad"),
    [
        ("1.41", []),
        ("1.14", ["1.14"]),  # two digits exchanged: √2 is 1.41
        ("0.00", []),  # put out: a mask or a dropout
    ],
)
def test_one_slip_in_a_matrix_of_a_named_step(entry: str, bad: list[str]) -> None:
    rows = THREE_ROWS.format("0.71 & 0.71 & 0.00", f"0.71 & {entry} & 0.71", "0.00 & 0.71 & 0.71")
    report = check(f"{SCORES_OF_THREE}\n\n$$d_k = 2$$\n\n$$S_{{\\text{{scaled}}}} = {rows}$$\n")
    assert [e.printed for claim in report.findings for e in claim.bad] == bad


def test_the_reading_that_fits_every_entry_is_meant() -> None:
    """Softmax of (2, 2, 0) is (0.468, 0.468, 0.063), and that of these over √2 is (0.446, 0.446, 0.108): both near."""
    small = math.exp(-math.sqrt(2))
    assert (round(1 / (2 + small), 2), round(small / (2 + small), 2)) == (0.45, 0.11)
    steps = """Q = [[0, 0], [1, 1]], K = [[1, 1], [2, 0], [0, 0]].

Scores: QKᵀ = [[0, 0, 0], [2, 2, 0]]

Scaled scores: QKᵀ/√2 = [[0, 0, 0], [1.41, 1.41, 0]]
"""
    for title in ("Attention weights: A =", "Attention weights:"):
        right, slip = (f"{steps}\n{title} [[0.33, 0.33, 0.33], [0.45, {x}, 0.11]]" for x in ("0.45", "0.54"))
        assert judged(right)[-1][1:] == (["0.33"] * 3 + ["0.45"] * 2 + ["0.11"], [])
        assert judged(slip)[-1][2] == ["0.54"]


def test_weights_in_the_order_of_scores_that_were_printed_wrong() -> None:
    """Q Kᵀ is [[1, 2, 3], [3, 1, 2]]; printed with 3 and 1 exchanged in the first row, and so are their weights."""
    report = check(
        r"""
$$Q = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}, \quad K = \begin{bmatrix} 1 & 3 \\ 2 & 1 \\ 3 & 2 \end{bmatrix}$$

$$\text{Scores} = QK^T = \begin{bmatrix} 3 & 2 & 1 \\ 3 & 1 & 2 \end{bmatrix}$$

$$\frac{QK^T}{\sqrt{2}} = \begin{bmatrix} 2.12 & 1.41 & 0.71 \\ 2.12 & 0.71 & 1.41 \end{bmatrix}$$

### Apply softmax to each row

$$A = \begin{bmatrix} 0.75 & 0.20 & 0.05 \\ 0.70 & 0.12 & 0.18 \end{bmatrix}$$
"""
    )
    assert verdicts(report, "A")[3:] == [
        "wrong",
        "wrong",
        "wrong",
    ]  # e^(3/√2) : e^(1/√2) : e^√2 = 0.576 : 0.140 : 0.284


LOGITS = r"$$L = \begin{bmatrix} 0.2 & 0.6 & 0.3 \\ 1.0 & 0.1 & 0.7 \end{bmatrix}$$"


@pytest.mark.parametrize("name", ["A", r"A_{\text{weights}}", "P_{attn}"])
@pytest.mark.parametrize(("entry", "wrong"), [("0.41", []), ("0.44", ["0.44"])])
def test_weights_of_the_matrix_that_was_stated_last(name: str, entry: str, wrong: list[str]) -> None:
    # e^0.2, e^0.6, e^0.3 are 1.2214, 1.8221, 1.3499 of 4.3934; e^1, e^0.1, e^0.7 are 2.7183, 1.1052, 2.0138 of 5.8372
    weights = rf"\begin{{bmatrix}} 0.28 & {entry} & 0.31 \\ 0.47 & 0.19 & 0.34 \end{{bmatrix}}"
    claims = judged(f"{LOGITS}\n\nSoftmax of each row:\n\n$${name} \\approx {weights}$$")
    assert [bad for _, _, bad in claims] == [wrong]


@pytest.mark.parametrize(
    "weights",
    [
        r"\begin{bmatrix} 0.2 & 0.5 & 0.3 \\ 0.6 & 0.1 & 0.3 \end{bmatrix}",  # made up
        r"\begin{bmatrix} 0.33 & 0.33 & 0.33 \\ 0.47 & 0.19 & 0.34 \end{bmatrix}",  # the first row is another's
        r"\begin{bmatrix} 0.28 & 0.41 \\ 0.47 & 0.19 \end{bmatrix}",
    ],
)
def test_other_weights_than_those_of_the_matrix_before_are_given(weights: str) -> None:
    found = judged(f"{LOGITS}\n\n$$A = {weights}$$")  # but for a row that is one of them
    assert [printed for _, printed, _ in found] == ([["0.47", "0.19", "0.34"]] if "0.33" in weights else [])
    assert not any(bad for *_, bad in found)


@pytest.mark.parametrize("last", ["0.4 & 0.6 & 0", "0 & 0 & 0", "0.3 & 0.3 & 0.4", "0.19 & 0.47 & 0.34"])
def test_a_row_with_more_than_a_slip_is_given(last: str) -> None:
    # twice e^0.2, e^0.6, e^0.3 of 4.3934, then e^1, e^0.1, e^0.7 of 5.8372; the third has another mask, or is learned
    scores = LOGITS.replace("0.2 &", r"0.2 & 0.6 & 0.3 \\ 0.2 &", 1)
    weights = r"\begin{{bmatrix}} 0.28 & 0.41 & 0.31 \\ 0.28 & {} & 0.31 \\ {} \end{{bmatrix}}"
    found = judged(f"{scores}\n\n$$A = {weights.format('0.41', last)}$$")
    assert not any(bad for *_, bad in found)
    (claim,) = judged(f"{scores}\n\n$$A = {weights.format('0.44', '0.47 & 0.19 & 0.34')}$$")
    assert claim[2] == ["0.44"]


# S / √2, for d_k = 2
@pytest.mark.parametrize(("last", "bad"), [("0.707", []), ("0.907", ["0.907"])])
def test_scaled_scores_are_those_with_the_same_letter(last, bad):
    scores = "d_k = 2\n\nS = [[1, 0, 1], [1, 1, 0], [2, 1, 1]]\n\n"
    scaled = f"S_scaled = [[0.707, 0.000, 0.707], [0.707, 0.707, 0.000], [1.414, 0.707, {last}]]\n"
    report = check_article(read_article("a.md", scores + scaled))
    assert [entry.printed for claim in report.findings for entry in claim.bad] == bad
    assert sum(len(claim.entries) for claim in report.findings) == 9
    other = check_article(read_article("a.md", scores + "S_scaled = [[0.2, 0, 0.2], [0.2, 0.2, 0], [0.4, 0.2, 0.2]]\n"))
    assert other.findings == ()  # scaled by something else
