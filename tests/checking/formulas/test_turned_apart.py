"""Inner products of queries and keys that are turned the same way, or apart."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

QUERY = r"$$q'_j = (q_j + i q_{j+d/2}) (\cos(m\theta_j) + i\sin(m\theta_j))$$"
KEY = r"$$k'_j = (k_j + i k_{j+d/2}) (\cos(n\theta_j) %s i\sin(n\theta_j))$$"
CLAIM = r"$$\langle q'(m), k'(n) \rangle = g(m - n)$$"


@pytest.mark.parametrize(("sign", "verdict"), [("+", "holds"), ("-", "fails")])
def test_the_difference_of_positions_is_left_where_both_turn_the_same_way(sign, verdict):
    text = "\n\n".join((QUERY, KEY % sign, CLAIM)) + "\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [each.verdict for each in found if "langle" in each.text] == [verdict]


def test_nothing_is_said_where_no_line_says_how_keys_turn():
    found = check_article(read_article("a.md", f"{QUERY}\n\n{CLAIM}\n")).formulas
    assert not [each for each in found if "langle" in each.text]
