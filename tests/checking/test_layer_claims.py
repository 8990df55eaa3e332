"""What a worksheet or an article prints of a norm or a feed-forward network is judged by it."""

from symattn import check_article
from symattn.checking.worksheets import judge_claims
from symattn.program.shapes import read_sizes
from symattn.program.unfolding import unfold
from symattn.reading.worksheets.worksheet import parse_worksheet

SHEET = """
[inputs]
X = [[1, 3], [2, -1]]
[stack]
epsilon = 0.5
[[layer]]
W_1 = [[1, 2], [0, 1]]
W_2 = [[1, -1], [2, 0]]
b_1 = [1, 0]
"""
# worked by hand: rows less their means are (-1, 1) and (3/2, -3/2), their deviations √(3/2) and √(11/4)
RIGHT = {
    "X_normalised": [["-0.816", "0.816"], ["0.905", "-0.905"]],
    "hidden": [["0.18", "-0.82"], ["1.90", "0.90"]],
    "activated": [["0.11", "-0.17"], ["1.85", "0.74"]],
    "residual": [["0.77", "2.89"], ["5.33", "-2.85"]],
}


def verdicts(claims):
    sheet = parse_worksheet(SHEET)
    program = unfold(sheet.expression)
    inputs = {s: sheet.values[s.name] for s in program.inputs}
    sizes = read_sizes({s: (len(rows), len(rows[0])) for s, rows in inputs.items()})
    claimed = {f"layer1.{name}": rows for name, rows in claims.items()}
    found = judge_claims(claimed, program, inputs, sizes)
    return [entry.verdict for claim in found for entry in claim.entries]


def test_right_numbers_of_a_layer_are_right():
    assert not {"wrong", "carried"} & set(verdicts(RIGHT))


def test_a_wrong_number_of_a_layer_is_found():
    for name, rows in RIGHT.items():
        slipped = [[*rows[0]], [rows[1][0], str(float(rows[1][1]) + 0.2)]]
        assert verdicts({name: slipped}).count("wrong") == 1, name


def test_an_article_that_normalises_and_activates():
    text = r"""
$$X = \begin{bmatrix} 1 & 3 \\ 2 & -2 \end{bmatrix}$$

$$\mathrm{LayerNorm}(X) = \begin{bmatrix} -1 & 1 \\ 1 & -0.9 \end{bmatrix}$$

$$\mathrm{GELU}(X) = \begin{bmatrix} 0.84 & 3.00 \\ 1.95 & -0.05 \end{bmatrix}$$
"""
    wrong = [e.printed for c in check_article(text).findings for e in c.entries if e.verdict == "wrong"]
    assert wrong == ["-0.9"]
