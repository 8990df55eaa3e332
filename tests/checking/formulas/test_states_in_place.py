"""Recurrences whose state a program changes in place; right is what attention without softmax sums up to."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

LINEAR = """\
    S = S + k_t v_t^T
    z = z + k_t
    o_t = S^T q_t / (z^T q_t)"""
DELTA = """\
    S = S + β_t (v_t − S k_t) k_t^T
    o_t = S q_t"""


def verdicts(program: str, title: str) -> dict[str, str]:
    article = read_article("a.md", f"{title}, token by token:\n\n```\n{program}\n```\n")
    return {formula.text: formula.verdict for formula in check_article(article).formulas}


def test_numpy_agrees_that_the_state_sums_attention_up() -> None:
    draw = np.random.default_rng(2)
    q, k, v = draw.uniform(size=(3, 5, 2))
    state, total = np.zeros((2, 2)), np.zeros(2)
    for t in range(5):
        state, total = state + np.outer(k[t], v[t]), total + k[t]
    scores = k @ q[4]
    assert np.allclose(state.T @ q[4] / (total @ q[4]), scores @ v / scores.sum())


@pytest.mark.parametrize(("program", "title"), [(LINEAR, "Linear attention"), (DELTA, "The delta rule")])
def test_right_updates_hold(program: str, title: str) -> None:
    found = verdicts(program, title)
    assert set(found.values()) == {"holds"} and len(found) == len(program.splitlines())


@pytest.mark.parametrize(
    ("program", "title", "line", "slip"),
    [
        (LINEAR, "Linear attention", "S^T q_t / (z^T q_t)", "S^T k_t / (z^T q_t)"),
        (DELTA, "The delta rule", "(v_t − S k_t)", "(v_t + S k_t)"),
    ],
)
def test_a_slip_is_not_said_to_hold(program: str, title: str, line: str, slip: str) -> None:
    found = verdicts(program.replace(line, slip), title)
    assert not any(verdict == "holds" for text, verdict in found.items() if slip in text)


def test_other_assignments_keep_their_letters() -> None:
    """A learning step is no state of attention."""
    assert verdicts("w = w - lr * g_t\nm = b * m + (1 - b) * g_t", "Momentum") == {}
