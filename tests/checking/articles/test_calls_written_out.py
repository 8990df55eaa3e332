"""Programs whose functions, unpackings and lines of several statements have to be followed, worked with NumPy."""

import pytest

from tests.checking.checked import judged, listed, report
from tests.processor_time import takes_at_most

SESSION = """```python
>>> X = np.array([[1, 0], [1, 2]])
>>> def attend(Q, K, width=2):
...     scores = Q @ K.T / np.sqrt(width)
...     weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
...     return scores, weights
>>> S, A = attend(X, 2 * X)
>>> S
array([[1.414, 1.414],
       [1.414, 7.071]])
>>> A
array([[0.5, 0.5],
       [0.003, 0.997]])
```
"""


def numbers(text):
    return {subject: (printed, wrong) for subject, printed, wrong in judged(text)}


def test_a_function_is_followed_where_it_is_called():
    """2 · 5 / √2 = 7.071, and e^1.414 / (e^1.414 + e^7.071) = 0.003."""
    found = numbers(SESSION)
    assert found["S"] == (["1.414", "1.414", "1.414", "7.071"], [])
    assert found["A"] == (["0.5", "0.5", "0.003", "0.997"], [])
    assert numbers(SESSION.replace("7.071]", "7.171]"))["S"][1] == ["7.171"]


def test_a_keyword_of_a_call_is_put_in():
    """10/√8 = 3.536."""
    text = SESSION.replace("2 * X)", "2 * X, width=8)").replace("1.414", "0.707").replace("7.071", "3.536")
    assert numbers(text)["S"] == (["0.707", "0.707", "0.707", "3.536"], [])


@pytest.mark.parametrize(
    "body",
    [
        "if width:\n...         Q = 2 * Q\n...     scores = Q @ K.T\n...     weights = scores",
        "scores = Q @ K.T\n...     for i in range(2):\n...         scores[i] = 0\n...     weights = scores",
    ],
)
def test_what_depends_on_a_condition_or_a_loop_stays_a_call(body):
    start, end = SESSION.index("scores ="), SESSION.index("\n...     return")
    text = SESSION[:start] + body + SESSION[end:]
    assert "S" not in numbers(text)


def test_lines_of_several_statements_and_methods_with_options():
    text = """```python
>>> A = np.array([[1, 3], [2, 2]]); B = A / A.sum(axis=1, keepdims=True); B
array([[0.25, 0.75],
       [0.5, 0.6]])
>>> left, right = B[:, :1], B[:, 1:]
>>> right
array([[0.75], [0.5]])
```
"""
    found = numbers(text)
    assert found["B"] == (["0.25", "0.75", "0.5", "0.6"], ["0.6"])
    assert found["right"] == (["0.75", "0.5"], [])


def test_two_names_that_are_exchanged_are_not_given_one_after_the_other():
    text = "```python\n>>> a = np.array([1, 2])\n>>> b = np.array([3, 4])\n>>> a, b = b, a\n>>> a\narray([3, 4])\n```\n"
    assert "a" not in numbers(text) and listed(text)


@pytest.mark.parametrize(
    "words", ["The output is:", "**Out[3]:**", "运行结果如下：", "出力は以下の通り", "실행 결과:", "Ausgabe:"]
)
def test_what_a_program_prints_stands_below_words_that_say_so(words):
    """[1, 0] · [1, 2] = 1 and [1, 2] · [1, 2] = 5."""
    code = "X = np.array([[1, 0], [1, 2]])\nS = X @ X.T\nprint(S)"
    found = numbers(f"```python\n{code}\n```\n\n{words}\n\n```\n[[1 1]\n [1 5]]\n```\n")
    assert found["S"] == (["1", "1", "1", "5"], [])


TWICE = ">>> def f(x):\n...     return x * 2\n...\n"


@pytest.mark.parametrize(
    "anew",
    [
        ">>> def f(x):\n...     for i in range(2):\n...         x = x * 2\n...     return x\n...\n",
        ">>> f = lambda x: x * 4\n",
        ">>> from lib import f\n",
        ">>> f, g = g, f\n",
    ],
)
def test_a_function_that_is_given_anew_is_not_the_one_before(anew):
    """5 · 2 · 2 = 20, and not 10."""
    assert not [wrong for _, wrong in numbers(f"```\n{TWICE}{anew}>>> b = f(5)\n>>> b\n20\n```\n").values() if wrong]
    assert numbers(f"```\n{TWICE}>>> b = f(5)\n>>> b\n20\n```\n")["b"][1] == ["20"]


def test_the_names_of_a_function_are_not_those_of_the_program():
    """y of f is 5 X, and yA of the program 7 X."""
    text = "```python\n>>> X = np.array([[1., 2.]])\n>>> yA = X * 7\n"
    text += ">>> def f(x):\n...     y = x * 5\n...     return (y)\n...\n>>> A = f(X)\n>>> A\n"
    text += "array([[ 5., 10.]])\n>>> yA\narray([[ 7., 14.]])\n```\n"
    assert not [wrong for _, wrong in numbers(text).values() if wrong] and "A" in numbers(text)


def test_the_sums_of_rows_without_their_axis_are_a_row():
    """[[1, 2], [3, 5]] over [3, 8]: column 2 is divided by the sum of row 2."""
    text = "```python\n>>> X = np.array([[1, 2], [3, 5]])\n>>> B = X / X.sum(1)\n>>> B\n"
    text += "array([[0.3333, 0.25], [1., 0.625]])\n```\n"
    assert not [wrong for _, wrong in numbers(text).values() if wrong]


def test_what_is_given_often_does_not_grow_without_bounds():
    body = " + ".join(["x"] * 4_000)
    text = f"```python\ndef f(x):\n    y = {body}\n    return y\n" + f"A = f({'1 + ' * 4_000}1)\n" * 60 + "```\n"
    with takes_at_most(5):
        report(text)
