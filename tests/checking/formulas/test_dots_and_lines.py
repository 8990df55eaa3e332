"""Dots that contract a query with the state, and equations whose terms stand on lines of their own."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

UPDATE = "Linear attention keeps a state:\n\n```\nS_t = S_{t-1} + k_t v_t^T\n```\n\n"


def verdicts(text):
    return [(each.line, each.verdict) for each in check_article(read_article("a.md", text)).formulas]


def test_a_dot_meets_the_state_where_it_is_an_inner_product():
    text = UPDATE + "```\no_t = sum_{i ≤ t} (q_t · k_i) * v_i = q_t · (sum_{i ≤ t} k_i v_i^T)\no_t = q_t · S_t\n```\n"
    assert verdicts(text) == [(4, "holds"), (8, "holds"), (9, "holds")]


def test_a_dot_of_which_nothing_is_known_is_left_open():
    assert verdicts(UPDATE + "```\no_t = q_t · S_t\n```\n") == [(4, "holds")]


def test_a_dot_with_the_state_turned_fails():
    text = UPDATE + "```\ne_i = q_t · k_i\no_t = v_t · S_t\n```\n"
    assert (9, "holds") not in verdicts(text)


ONLINE = "Online softmax, block by block:\n\n```\n"


@pytest.mark.parametrize(
    "lines",
    [
        "l_new = l_old × exp(m_old - m_new)     ← what there was\n      + sum(exp(S_new - m_new))    ← what comes\n",
        "Step 2: l_new = l_old × exp(m_old - m_new)\n              + sum(exp(S_new - m_new))\n",
    ],
)
def test_a_sum_goes_on_in_the_next_line(lines):
    text = f"{ONLINE}m_new = max(m_old, max(S_new))\n{lines}```\n"
    assert verdicts(text) == [(4, "holds"), (5, "holds")]


def test_what_goes_on_below_unread_is_not_called_wrong():
    lines = "即 l_new = l_old × exp(m_old - m_new)\n    + 新块的 sum(exp(S_new))\n"
    text = f"{ONLINE}m_new = max(m_old, max(S_new))\n{lines}```\n"
    assert (5, "fails") not in verdicts(text)


def test_a_sum_without_what_comes_still_fails():
    text = f"{ONLINE}m_new = max(m_old, max(S_new))\nl_new = l_old × exp(m_old - m_new)\n```\n"
    assert verdicts(text)[-1] == (5, "fails")
