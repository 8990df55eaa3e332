"""Functions that an article defines, applied to something else in its other lines."""

import pytest

from symattn.checking import check_article
from symattn.checking.formulas.identities.own_calls import apply_own, find_own_functions
from symattn.checking.formulas.statements.statement import gather
from symattn.reading.articles import read_article


def verdicts(text):
    return [(x.line, x.verdict) for x in check_article(read_article("a.md", text + "\n")).formulas]


def last(text):
    line = text.count("\n") + 1
    return [verdict for at, verdict in verdicts(text) if at == line]


ATTENTION = r"$$F(X) = \text{softmax}\left(\frac{X W_Q W_K^T X^T}{\sqrt{d}}\right) X W_V$$" + "\n\n"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"$$F(P_\pi X) = P_\pi F(X)$$", ["holds"]),  # attention is permutation equivariant
        (r"$$\text{softmax}(P_\pi S P_\pi^T) = P_\pi \text{softmax}(S) P_\pi^T$$", ["holds"]),
        (r"$$P_\pi^T P_\pi = I$$", ["holds"]),
        (r"$$P_\pi P_\pi = I$$", []),  # of those that change two places it is true
        (r"$$\text{softmax}(P_\pi S) = P_\pi \text{softmax}(S)$$", ["holds"]),
        (r"$$F(P_\pi X) = F(X)$$", []),
    ],
)
def test_permuted_tokens_permute_what_attention_gives(said, verdict):
    assert last(ATTENTION + said) == verdict


TURN = r"M(a) = \begin{pmatrix} \cos a & \sin a \\ -\sin a & \cos a \end{pmatrix}"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("$$PE(t + k) = M(w k) PE(t)$$", ["holds"]),  # sin(x + y) = sin x cos y + cos x sin y
        ("$$PE(t + k) = M(w k)^T PE(t)$$", ["fails"]),
        ("$$PE(t)^T PE(t) = 1$$", []),
        ("$$M(a + b) = M(a) M(b)$$", ["holds"]),
        ("$$M(a - b) = M(a) M(b)$$", ["fails"]),
    ],
)
def test_positions_are_turned_by_the_matrix_that_is_said(said, verdict):
    text = rf"$$PE(t) = \begin{{pmatrix}} \sin(w t) \\ \cos(w t) \end{{pmatrix}}$$ and ${TURN}$" + "\n\n"
    assert last(text + said) == verdict


def test_a_row_in_plain_brackets_stands_or_lies():
    lines = ["P(n+k) = [sin(w·(n+k)), cos(w·(n+k))]", "R(a) = [[cos(a), sin(a)], [-sin(a), cos(a)]]"]
    text = "```\n" + "\n".join(lines) + "\n```\n\n```\n%s\n```"
    assert verdicts(text % "P(n+k) = R(w·k) · P(n)")[-1] == (7, "holds")
    text = text.replace("[[cos(a), sin(a)], [-sin(a)", "[[cos(a), -sin(a)], [sin(a)")
    assert verdicts(text % "P(n+k) = R(w·k) · P(n)")[-1] == (7, "fails")


def test_a_function_that_two_lines_define_is_none():
    statements = gather(article := read_article("a.md", "$$g(x) = x^T x$$\n\n$$g(y) = y y^T$$\n\n$$h(x) = 2 x$$\n"))
    functions = find_own_functions(article, statements)
    assert list(functions) == [("h",)]


def test_functions_that_are_made_of_each_other_end():
    statements = gather(article := read_article("a.md", "$$g(x) = h(x) + h(x)$$\n\n$$h(x) = g(x) + g(x)$$\n"))
    functions = find_own_functions(article, statements)
    side = statements[0].equals[0]
    assert len(functions) == 2
    assert len(str(apply_own(side, functions))) < 100_000
