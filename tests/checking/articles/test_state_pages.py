"""Pages of attention by a state, read back: nothing is wrong, and every number that follows from another is judged."""

import pytest
from sympy import MatrixSymbol, Rational, symbols

from symattn import check_article, derive
from symattn.nodes import DeltaRule, GatedDeltaRule, GatedLinearAttention, Retention, StateSpaceDuality
from tests.checking.articles.test_own_pages import shares

n, d, e = symbols("n d_k d_v", integer=True, positive=True)
GIVEN = MatrixSymbol("Q", n, d), MatrixSymbol("K", n, d), MatrixSymbol("V", n, e)
a, beta, alpha = MatrixSymbol("a", n, 1), MatrixSymbol("beta", n, 1), MatrixSymbol("alpha", n, d)
VALUES = {
    "Q": [[1, 2], [3, -1], [0, 1]],
    "K": [[1, 0], [1, 1], [2, -1]],
    "V": [[2, 1], [0, 1], [1, 1]],
    "a": [["1/2"], ["1/3"], ["3/4"]],
    "beta": [[1], ["1/2"], ["1/4"]],
    "alpha": [["1/2", "1/3"], ["3/4", 1], ["1/5", "2/3"]],
}
KINDS = (
    Retention(*GIVEN, Rational(1, 2)),
    GatedLinearAttention(*GIVEN, alpha),
    StateSpaceDuality(*GIVEN, a),
    DeltaRule(*GIVEN, beta),
    GatedDeltaRule(*GIVEN, a, beta),
)


@pytest.mark.slow
@pytest.mark.parametrize(("notation", "level"), [("vaswani", "matrix"), ("vaswani", "index"), ("prince", "token")])
@pytest.mark.parametrize("node", KINDS, ids=lambda node: type(node).__name__)
def test_a_page_is_judged_throughout(node, notation, level):
    given = {x: VALUES[x.name] for x in node.atoms(MatrixSymbol)}
    page = derive(node, given, notation=notation, level=level).to_markdown()
    found = check_article("page.md", page)
    assert [e.printed for c in found.findings for e in c.bad] == []
    judged, left = shares("page.md", page, found)
    assert judged >= 20 and left == 0
