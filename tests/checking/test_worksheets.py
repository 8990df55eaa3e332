"""Claims of worksheets: judged step by step, from the true values and from what was claimed before."""

from pathlib import Path

import pytest

from symattn import check_worksheet
from symattn.checking import Cause, Findings, Reading
from symattn.errors import InputError

INPUTS = """
[inputs]
X   = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
W_Q = [[1, 0], [1, 0], [0, 1], [0, 1]]
W_K = [[0, 1], [0, 1], [1, 0], [1, 0]]
W_V = [[1, 0], [0, 1], [1, 0], [0, 1]]
"""


def check(claims: str, folder: Path, inputs: str = INPUTS) -> Findings:
    path = folder / "sheet.toml"
    path.write_text(inputs + "[claims]\n" + claims, encoding="utf-8")
    return check_worksheet(path)


def verdicts(report: Findings, step: str) -> list[str]:
    (claim,) = [c for c in report.findings if c.subject == step]
    return [e.verdict for e in claim.entries]


def test_the_hand_calculation(tmp_path: Path) -> None:
    # 9·21 + 13·17 = 410, not 400; 400/√2 = 282.84 follows; 714/√2 = 504.87, and 504.90 does not follow from anything
    report = check(
        """scores = [["10", "58", "106"], ["58", "234", "400"], ["106", "400", "714"]]
scaled = [["7.07", "41.01", "74.95"], ["41.01", "165.46", "282.84"], ["74.95", "282.84", "504.90"]]
weights = [["0", "0", "1"], ["0", "0", "1"], ["0", "0", "1"]]
output = [[18, 20], [18, 20], [18, 20]]
""",
        tmp_path,
    )
    assert verdicts(report, "scores") == ["exact"] * 5 + ["wrong", "exact", "wrong", "exact"]
    assert verdicts(report, "scaled")[4:] == ["rounded", "carried", "rounded", "carried", "wrong"]
    assert set(verdicts(report, "output")) == {"rounded", "exact"}  # 18 less 3.5e-93 is exact to thirty digits
    scaled = report.findings[1]
    assert scaled.entries[5].because == Cause(None, "scores", 2, 3)
    assert scaled.entries[7].because == Cause(None, "scores", 3, 2)
    assert scaled.entries[8].decimal == "504.87"
    assert (scaled.line, scaled.column) == (None, None)
    assert "carried: follows from (2,3) and (3,2) of scores" in str(report)
    assert str(report).endswith("2 numbers wrong in scores, 1 in scaled; 2 carried; 28 right\n")


SCORES = """
[inputs]
scores = [[1, 2]]
V = [["3"], ["5"]]
[attention]
scale = 1
"""


def test_digits_count_as_printed(tmp_path: Path) -> None:
    # softmax(1, 2) = 1/(1+e), e/(1+e) = 0.2689, 0.7311; 0.27·3 + 0.73·5 = 4.46
    report = check('weights = [[0.27, "0.732"]]\noutput = [["4.46"]]\n', tmp_path, SCORES)
    assert verdicts(report, "weights") == ["rounded", "last-digit"]
    assert verdicts(report, "output") == ["rounded"]


def test_a_step_may_follow_from_what_was_claimed_before(tmp_path: Path) -> None:
    # 0.37·3 + 0.63·5 = 4.26 from wrong weights; 0.3·3 + 0.7·5 = 4.4 from right ones as printed, truly 4.462
    carried = check('weights = [["0.37", "0.63"]]\noutput = [["4.26"]]\n', tmp_path, SCORES)
    assert verdicts(carried, "output") == ["carried"]
    rounded = check('weights = [["0.3", "0.7"]]\noutput = [["4.40"]]\n', tmp_path, SCORES)
    assert verdicts(rounded, "output") == ["intermediate"]


def test_an_error_is_felt_beyond_a_claimed_step_that_shows_nothing(tmp_path: Path) -> None:
    # QK^T = 2; printed 3, scaled by 1/√4 it is 1.5, printed as 2 (carried), and the next step goes on from 1.5
    inputs = "[inputs]\nQ = [[1, 1, 0, 0]]\nK = [[1, 1, 0, 0], [0, 0, 0, 0]]\nV = [[1], [0]]\n"
    # softmax(1.5, 0): 1/(1 + e^-1.5) = 0.8176; the true softmax(1, 0) is 0.7311
    report = check('scores = [["3", "0"]]\nscaled = [["2", "0"]]\noutput = [["0.8176"]]\n', tmp_path, inputs)
    assert verdicts(report, "scores") == ["wrong", "exact"]
    assert verdicts(report, "scaled") == ["carried", "exact"]
    assert verdicts(report, "output") == ["carried"]


def test_what_was_computed_before_a_wrong_number_was_rounded_follows(tmp_path: Path) -> None:
    # a slip, 1.5949 for 2/√3, is written as 1.59; the calculator goes on: 1/(1 + exp(1/√3 − 1.5949)) = 0.7345,
    # while 1.59 would give 0.7335, and the true scores 0.6405
    sheet = "[inputs]\nQ = [[1, 1, 1]]\nK = [[1, 1, 0], [0, 1, 0]]\nV = [[1], [0]]\n"
    report = check('scaled = [["1.59", "0.58"]]\nweights = [["0.7345", "0.2655"]]\n', tmp_path, sheet)
    assert verdicts(report, "scaled") == ["wrong", "rounded"]
    assert verdicts(report, "weights") == ["carried", "carried"]
    report = check('scaled = [["1.15", "0.58"]]\nweights = [["0.7345", "0.2655"]]\n', tmp_path, sheet)
    assert set(verdicts(report, "weights")) == {"wrong"}


def test_masked_entries(tmp_path: Path) -> None:
    inputs = '[inputs]\nQ = [[1], [1]]\nK = [[1], [2]]\nV = [[1], [0]]\n[attention]\nmask = "causal"\n'
    report = check('masked = [["1", "-inf"], ["1", "2"]]\n', tmp_path, inputs)
    assert verdicts(report, "masked") == ["exact"] * 4
    report = check('masked = [["1", "2"], ["1", "−∞"]]\n', tmp_path, inputs)
    assert verdicts(report, "masked") == ["exact", "wrong", "exact", "wrong"]
    assert report.findings[0].bad[0].decimal == "-inf"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ("score = [[1]]", 'claims.score: there is no step "score"; the steps are Q, K, V, scores'),
        ("scores = [[1, 2]]", "claims.scores: 1×2 numbers are claimed, but the step is 3×3"),
        ('scores = [[1, 2, 3], [1, 2, "x"], [1, 2, 3]]', "claims.scores, row 2, column 3: "),
        ("scores = [[1, 2, 3], [1, 2, true], [1, 2, 3]]", "claims.scores, row 2, column 3: "),
        ('scores = [[1, 2, "1+1"]]', 'claims.scores, row 1, column 3: "1+1" is not a printed number'),
        ("scores = [[1, 2], [1]]", "claims.scores: row 2 is 1 long"),
        ("scores = 3", "claims.scores: a matrix is a list of rows"),
        ('scores = [["inf"]]', "claims.scores, row 1, column 1: "),
    ],
)
def test_claims_that_cannot_be_used(claims: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        check(claims, tmp_path)
    assert said in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path))


def test_claims_of_heads_that_are_not_there_and_without_values(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"claims.head_1.weights: "):
        check("head_1.weights = [[1]]", tmp_path)
    with pytest.raises(InputError, match="claims need inputs with values"):
        check("scores = [[1]]", tmp_path, '[inputs]\nQ = "n x d"\nK = "m x d"\nV = "m x e"\n')


def test_a_worksheet_without_claims_says_so(tmp_path: Path) -> None:
    assert "there are no [claims] to check" in str(check("", tmp_path))


TWO_HEADS = """
[inputs]
X = [[1, 0], [0, 2]]
W_Q = [[[1], [0]], [[0], [1]]]
W_K = [[[1], [1]], [[0], [1]]]
W_V = [[[1], [2]], [[3], [1]]]
W_O = [[1, 0], [0, 1]]
"""


def test_claims_of_each_head_are_judged_and_carried_within_it(tmp_path: Path) -> None:
    # by hand: head 1 has Q = [1, 0]', K = [1, 2]', so S = [1 2; 0 0]; head 2 has Q = K = [0, 2]', so S = [0 0; 0 4]
    report = check("head_1.scores = [[1, 2], [0, 0]]\nhead_2.scores = [[0, 0], [0, 5]]", tmp_path, TWO_HEADS)
    verdicts = {claim.subject: [entry.verdict for entry in claim.entries] for claim in report.findings}
    assert verdicts == {"head_1.scores": ["exact"] * 4, "head_2.scores": ["exact"] * 3 + ["wrong"]}


HEAD = """
[inputs]
Q = [[1, 5], [9, 13]]
K = [[5, 1], [13, 9]]
V = [[1, 2], [3, 4]]
"""


@pytest.mark.parametrize(
    ("claims", "step", "reading"),
    [
        # Q K: 1·5 + 5·13 = 70, ...; Q Kᵀ is [[10, 58], [58, 234]]
        ('scores = [["70", "46"], ["214", "126"]]', "scores", "transpose"),
        ('scaled = [["5", "29"], ["29", "117"]]', "scaled", "divided by 2"),  # instead of √2
        (
            'scores = [["10", "58"], ["58", "234"]]\nscaled = [["10", "58"], ["58", "234"]]',
            "scaled",
            "scale left out",
        ),
    ],
)
def test_a_mistake_with_a_name_is_named(claims: str, step: str, reading: str, tmp_path: Path) -> None:
    report = check(claims, tmp_path, HEAD)
    (claim,) = [c for c in report.findings if c.subject == step]
    assert {e.verdict for e in claim.entries} == {"wrong"}
    names = {str(e.because.name) for e in claim.entries if isinstance(e.because, Reading)}
    assert len(names) == 1 and reading in names.pop()


def test_softmax_down_the_columns_and_past_the_mask_is_named(tmp_path: Path) -> None:
    # columns (1, 3), (2, 1), (4, 0): 1/(1 + e²) = 0.1192, 1/(1 + e^-1) = 0.7311, 1/(1 + e^-4) = 0.9820
    inputs = '[inputs]\nscores = [[1, 2, 4], [3, 1, 0]]\nV = [["3"], ["5"], ["6"]]\n[attention]\nscale = 1\n'
    down = 'weights = [["0.119", "0.731", "0.982"], ["0.881", "0.269", "0.018"]]'
    (claim,) = check(down, tmp_path, inputs).findings
    assert "down the columns" in str({str(e.because.name) for e in claim.entries if isinstance(e.because, Reading)})
    # without the mask softmax(1, 2, 4) = 0.0420, 0.1142, 0.8438 and softmax(3, 1, 0) = 0.8438, 0.1142, 0.0420
    seen = 'weights = [["0.042", "0.114", "0.844"], ["0.844", "0.114", "0.042"]]'
    (claim,) = check(seen, tmp_path, inputs + "mask = [[1, 0, 1], [0, 1, 1]]\n").findings
    assert "mask" in str({str(e.because.name) for e in claim.entries if isinstance(e.because, Reading)})


def test_a_step_without_a_value_is_an_error_where_it_is_claimed(tmp_path: Path) -> None:
    inputs = HEAD + "[attention]\nmask = [[0, 0], [1, 1]]\n"
    assert verdicts(check('scores = [["10", "58"], ["58", "234"]]', tmp_path, inputs), "scores") == ["exact"] * 4
    with pytest.raises(InputError, match="row 1"):
        check('weights = [["1", "0"], ["0", "1"]]', tmp_path, inputs)
