"""Programs as equations: statements, comments, prints, loops over rows."""

from __future__ import annotations

import pytest

from symattn import check_article
from symattn.reading.articles import read_article
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.passages import lines_of
from symattn.reading.articles.scanning.programs import find_in_program
from tests.checking.checked import judged


def read(program: str, printed: str = "") -> list[str]:
    prints = lines_of(Located.whole(printed)) if printed else ()
    return [found.located.text for found in find_in_program(lines_of(Located.whole(program)), prints)]


@pytest.mark.parametrize(
    ("program", "equations"),
    [
        ("S = Q @ K.T = [[1, 0],  # first\n   [0, 9]]", ["S = Q @ K.T = [[1, 0],  \n   [0, 9]]"]),
        ("A = softmax(S)\n= [[0.5, 0.5]]", ["A = softmax(S)\n= [[0.5, 0.5]]"]),
        ("S = np.dot(Q, K.T) / np.sqrt(d_k)", ["S = dot(Q, K.T) / sqrt(d_k)"]),
        (
            "S = Q @ K.T\n# Result: tensor([[1, 0],\n#                 [0, 9]])",
            ["S = Q @ K.T", "S = [[1, 0],\n                [0, 9]]"],
        ),
        ("print(softmax(x))  # Output: [0.3, 0.7] - soft", ["softmax(x) = [0.3, 0.7]"]),
        ("y = np.exp(x)  # ≈ 7.39", ["y = exp(x)", "y = 7.39"]),
        ("S = Q @ K.T  # [2, 4]", ["S = Q @ K.T"]),  # a shape
        ("S = Q @ K.T  # the scores", ["S = Q @ K.T"]),
        ("S = Q @ K.T  # a remark that is much longer than what names a result", ["S = Q @ K.T"]),
        ("g = W.T * e\n# = [[0.5], [0.6]] * (-0.2)", ["g = W.T * e", "g = [[0.5], [0.6]] * (-0.2)"]),
        (
            "g = W * e\n# ≈ [[-0.5*0.2], [0.1]]\n# ≈ [[-0.1], [0.1]]",
            ["g = W * e", "g = [[-0.5*0.2], [0.1]]", "g = [[-0.1], [0.1]]"],
        ),
        ("e = y - a  # -0.35", ["e = y - a", "e = -0.35"]),
        ("b = np.zeros((2, 1))", ["b = [[0], [0]]"]),
        ("b = np.ones(3) - torch.eye(2)", ["b = [1, 1, 1] - [[1, 0], [0, 1]]"]),
        ("b = np.zeros((100, 100))", ["b = unstated"]),
        ("X = np.random.rand(2, 2)", ["X = unstated"]),
        ("d = K.size(-1)\nS = S / K.shape[-1]**0.5", ["d = ncols(K)", "S = S / ncols(K)**0.5"]),
        ("for i in range(n):\n    A[i, :] = softmax(S[i, :])", ["A = softmax(S)"]),
        ("for i in range(n):\n    x = X[i]\n    s[i] = x @ q", ["s = X @ q"]),
        ("for i, x in enumerate(X):\n    s[i] = torch.dot(x, q)", ["s = dot(X, q)"]),
        ("for i in range(n):\n    z += a[i] * V[i]", ["z = a @ V"]),
        ("def f(S):\n    S = S / 2\n    return S", []),
        ("d_k = 64\nd_q = d_k = 64", []),  # settings that nothing uses
        ("h, d = 8, 64", []),
        ("h, d = 8, 64  # sizes\nn = h * d * d", ["h = 8", "d = 64", "n = h * d * d"]),
        ("h, d = 8, 64, 2\nn = h * d * d", ["n = h * d * d"]),
        ("a, b = b, a\nn = a * a * b", ["n = a * a * b"]),
        ("d_k = 4\nS = S / np.sqrt(d_k)", ["d_k = 4", "S = S / sqrt(d_k)"]),
    ],
)
def test_statements_are_equations(program: str, equations: list[str]) -> None:
    assert read(program) == equations


@pytest.mark.parametrize(
    ("program", "printed", "equations"),
    [
        ("A", "array([[0.5, 0.5]])", ["A = [[0.5, 0.5]]"]),
        ("print(A)\nprint('sum', A.sum())", "[[0.5 0.5]]\nsum 1.0", []),
        ("print('A:', A)\nprint(f'B: {B:.2f}')", "A: [0.5 0.5]\nB: 0.25", ["A = [0.5 0.5]", "B = 0.25"]),
        ("print(A)", "[1 2]\n[3 4]", []),  # of two prints nobody knows which is meant
    ],
)
def test_prints_belong_to_what_was_printed(program: str, printed: str, equations: list[str]) -> None:
    assert read(program, printed) == equations


@pytest.mark.parametrize("words", ["", "Output:", "**输出**"])
def test_the_fence_after_a_program_is_what_it_printed(words: str) -> None:
    text = f"```python\nprint(A)\n```\n{words}\n\n```\n[0.5 0.5]\n```\n"
    assert [p.text for p in read_article("a.md", text).passages] == ["A = [0.5 0.5]"]


PRINTED = "```python\n{}\nprint(np.exp(x))\n```\n\n```\n{}\n```\n"


@pytest.mark.parametrize(
    "program",
    [
        "x = np.array([1, 2])\nx.sort()",
        "x = np.array([1, 2])\nfor _ in range(3):\n    x = x * 2",
        "x = np.array([1, 2])\nupdate(x)",
        "x = np.array([1, 2])\nx = [3, 4]",
        "x = np.array([1, 2])\nnp.maximum(x, 2, out=x)",
    ],
)
def test_a_program_is_not_called_wrong_for_what_it_printed(program: str) -> None:
    report = check_article(PRINTED.format(program, "[9.5 3.25]"))
    assert report.summary == {}


def test_what_a_plain_program_cannot_have_printed() -> None:
    assert check_article(PRINTED.format("x = np.array([1, 2])", "[2.718 7.389]")).summary == {"rounded": 2}
    assert check_article(PRINTED.format("x = np.array([1, 2])", "[2.718 8.389]")).summary == {"rounded": 1, "wrong": 1}


SOFTMAX = """```python
S = np.array({})
def softmax(x{}):
    e = np.exp(x - np.max(x{}))
    return e / e.sum({})
print("Weights:", softmax(S))
```

Output:
```
Weights: {}
```
"""


@pytest.mark.parametrize(
    ("scores", "parameter", "most", "total", "weights", "wrong"),
    [
        ("[1, 0]", "", "", "", "[0.3 0.7]", 2),  # [0.731, 0.269]
        ("[[1, 0], [0, 1]]", "", "", "", "[[0.3 0.7]\n [0.7 0.3]]", 0),  # of all four numbers
        ("[[1, 0], [0, 1]]", "", ", axis=-1, keepdims=True", "axis=-1, keepdims=True", "[[0.3 0.7]\n [0.7 0.3]]", 4),
        ("[[1, 0], [0, 1]]", "", ", axis=0", "axis=0", "[[0.3 0.7]\n [0.7 0.3]]", 0),  # down the columns
        ("[1, 0]", ", t=0.5", "", "", "[0.3 0.7]", 0),  # with a temperature
    ],
)
def test_the_softmax_of_a_program(scores: str, parameter: str, most: str, total: str, weights: str, wrong: int) -> None:
    report = check_article(SOFTMAX.format(scores, parameter, most, total, weights))
    assert report.summary.get("wrong", 0) == wrong


def test_a_name_that_a_program_gives_another_value_is_not_known_any_more() -> None:
    report = check_article("$x = [1, 2]$\n\n```python\nx = load(file)\n```\n\n$2x = [8, 9]$\n")
    assert report.summary == {}


def test_the_first_print_of_what_a_formula_defines_is_held_against_it() -> None:
    report = check_article("```python\nx = [[1, 2]]\ny = 2 * x\n# Result:\ny = [[7, 9]]\n```\n")
    assert report.summary == {"wrong": 2}


def test_the_columns_of_an_array_are_counted() -> None:
    program = (
        "K = np.array([[1, 2, 3, 4], [3, 4, 5, 6]])\nS = np.array([[1, 2], [3, 5]])\nA = S / K.shape[-1]**0.5\nprint(A)"
    )
    article = f"```python\n{program}\n```\n\n```\n[[0.5, 1.0], [1.5, 2.5]]\n```\n"
    assert check_article(article).summary == {"exact": 4}


def test_rows_in_a_comment_may_have_comments_of_their_own() -> None:
    program = (
        "Q = [[1, 2], [0, 1]]\nS = Q @ Q\n# tensor([[1., 4.],  # of the first\n#         [0., 1.]]) # and the second\n"
    )
    report = check_article(f"```python\n{program}T = 2 * S  # [[2, 8],  # twice\n#  [0, 3]]\n```\n")
    assert report.summary == {"exact": 7, "wrong": 1}


@pytest.mark.parametrize(
    "shown", ["A.round(3)", "np.round(A, 3)", "np.around(A, decimals=3)", "A.detach().numpy().round(3)", "A.tolist()"]
)
def test_what_is_rounded_to_be_shown_is_what_was_computed(shown: str) -> None:
    program = f"Q = np.array([[1, 0], [0, 2]])\nK = Q.copy()\nA = softmax(Q @ K.T)\nprint({shown})"
    article = f"```python\n{program}\n```\n\n```\n[[0.731 0.269]\n [0.018 0.982]]\n```\n"
    assert check_article(article).summary == {"rounded": 4}  # e/(e + 1), 1/(1 + e⁴)


def test_what_is_rounded_to_be_computed_with_is_not_followed() -> None:
    program = "Q = np.array([[1, 0], [0, 2]])\nA = softmax(Q).round(1)\nB = 1000 * A\nprint(B)"
    assert not check_article(f"```python\n{program}\n```\n\n```\n[[700. 300.]\n [100. 900.]]\n```\n").failing


def test_comments_of_a_calculation_by_hand_say_what_its_names_are_worth() -> None:
    lines = [
        "S = QKᵀ / √d  # e.g., [[1, 2],",
        "              #        [3, 1]]",
        "",
        "A = softmax(S)",
        "# [[0.27, 0.73],  # one",
    ]
    text = "\n".join(["```python", *lines, "#  [0.88, 0.12]]", "```", ""])
    assert [[e.verdict for e in claim.entries] for claim in check_article(text).findings] == [["rounded"] * 4]


BACKWARD = """```python
x = np.array([[0.5], [0.3]])
W1 = np.array([[0.1, 0.2], [0.3, 0.4]])
a1 = sigmoid(W1 @ x + np.zeros((2, 1)))
# ≈ [[0.5275], [0.5671]]
z2 = 0.5*0.5275 + 0.6*0.5671
a2 = sigmoid(z2)
# 0.6466
```

### Backwards

```python
slope = a1 * (1 - a1)
# ≈ [[0.2492], [0.2455]]
e = -(1 - a2[0,0])  # -0.3534
```
"""


def test_a_backward_pass_in_comments() -> None:
    # σ(0.11) = 0.527472, σ(0.27) = 0.567093, their slopes 0.249245 and 0.245499, σ(0.604010) = 0.646573
    claims = check_article(BACKWARD).findings
    assert [e.printed for c in claims for e in c.entries] == [
        "0.5275",
        "0.5671",
        "0.6466",
        "0.2492",
        "0.2455",
        "-0.3534",
    ]
    assert not any(c.bad for c in claims)
    [bad] = [c.bad for c in check_article(BACKWARD.replace("0.5671]]\n", "0.5761]]\n")).findings if c.bad]
    assert [e.printed for e in bad] == ["0.5761"]


def test_sizes_of_layers_are_no_numbers_in_the_place_of_others() -> None:
    report = check_article("A network 2→2→1.\n\n$0.5 \\cdot 0.1250 \\cdot 2 = 0.25$, $2^3 = 8$\n")
    assert [e.verdict for c in report.findings for e in c.entries] == ["wrong", "exact"]


# mean 3, (4 + 1 + 9)/3 = 4.667, √4.667 = 2.160
@pytest.mark.parametrize(
    ("statement", "result"),
    [
        ("m = sum(v) / len(v)", "m = mean(v)"),
        ("w = sum((x - m) ** 2 for x in v) / len(v)", "w = mean((v - m) ** 2)"),
        ("w = sum([(x - m) ** 2 for x in v[0]]) / len(v[0])", "w = mean((v[0] - m) ** 2)"),
        ("n = [(x - m) / math.sqrt(w + 1e-5) for x in v]", "n = ((v - m) / sqrt(w + 1e-5))"),
        ("e = [math.exp(x) for x in v]", "e = (exp(v))"),
        ("d = sum(x * x for x in v)", "d = unstated"),
        ("d = sum(x for x in v if x)", "d = unstated"),
    ],
)
def test_what_is_done_to_each_number_of_a_list(statement: str, result: str) -> None:
    assert result in [found.located.text for found in find_in_program([Located.whole(statement)])]


def test_methods_are_functions_of_what_they_belong_to() -> None:
    # of 2, 4, 6, 8: mean 5, mean of the squared differences 5, its root 2.236
    said = {"mean()": "5.0", "var()": "5.0", "std()": "2.263", "sum(axis=0)": "20.0"}
    prints = "".join(f"print(x.{called})  # {value}\n" for called, value in said.items())
    claims = check_article(f"```python\nx = np.array([2.0, 4.0, 6.0, 8.0])\n{prints}```\n").findings
    assert {e.printed: e.verdict for c in claims for e in c.entries} == {
        "5.0": "exact",
        "2.263": "wrong",
        "20.0": "exact",
    }


def test_a_mean_of_one_number_is_a_function_of_the_program() -> None:
    """That of a distribution, by its parameter."""
    page = "```javascript\nvar v = mean( {} );\n// returns 9.0\n```\n"
    assert check_article(page.format("0.1")).summary == {}
    assert check_article(page.format("[8.0, 11.0]")).summary == {"wrong": 1}


def test_a_text_in_quotes_is_read_where_it_is_a_statement() -> None:
    program = """def f(q, k):
    r'''The product of two rows.

    Here 2*5 + 1*1 = 12.
    '''
    return q @ k
asked = '''
3*3 = 10
'''
'''4*4 = 17'''
"""
    text = f"```python\n{program}```\n"
    assert [claim[2] for claim in judged(text)] == [["12"], ["17"]]


def test_what_a_text_in_quotes_sets_is_not_set_in_the_program() -> None:
    program = 'class A:\n    """\n    d_k = 64\n    $d_k ** 0.5 = {}$\n    """\n\n{}print(d_k ** 0.5)  # 4.0\n'
    page = f"```python\n{program}```\n\n$\\sqrt{{{{d_k}}}} = 4$\n"
    assert check_article(page.format("8", "d_k = 16\n")).summary.get("wrong") is None
    assert check_article(page.format("8", "")).summary.get("wrong") is None
    assert check_article(page.format("9", "")).summary == {"wrong": 1}


@pytest.mark.parametrize("data", ["data = [\n{},\n]", "f(1,\n{})", "data = (\n{}\n'a')", "x = \\\n{}"])
def test_a_text_in_quotes_within_a_list_is_none_of_the_program(data: str) -> None:
    text = data.format("'''\n2 + 2 = 5\n'''".replace("'''", '"""'))
    assert judged(f"```python\n{text}\n```\n") == []
