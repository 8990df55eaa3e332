"""Tokens that are counted from 0 are so throughout: in states, headings, rows and ranges."""

from __future__ import annotations

import pytest

from tests.samples import derived

INPUTS = """[inputs]
Q = [[1, 0], [2, 1], [0, 3], [1, 1]]
K = [[0, 1], [1, 2], [1, 1], [2, 0]]
V = [[1, 2], [3, 4], [0, -1], [1, 0]]
"""
FROM_ZERO = "\n[notation]\nfirst_index = 0\n"
KINDS = {
    "linear": 'kind = "linear"\nmask = "causal"',
    "retention": 'kind = "retention"\ngamma = "1/2"',
    "delta": 'kind = "delta"\nbeta = [["1/2"], [1], [1], [1]]',
    "gated": 'kind = "gated-linear"\nalpha = [["1/2", 1], [1, 1], [1, 1], [1, 1]]',
    "state space": 'kind = "state-space"\na = [["1/2"], [1], [1], [1]]',
}


def told(kind: str, ending: str = FROM_ZERO) -> str:
    extra = [line for line in kind.splitlines() if line.startswith(("beta", "alpha", "a ="))]
    options = "\n".join(line for line in kind.splitlines() if line not in extra)
    return derived(INPUTS + "\n".join(extra) + f"\n[attention]\n{options}\n{ending}").to_text()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_state_before_token_0_is_that_of_minus_1(kind: str) -> None:
    page = told(kind)
    assert "H^(−1) = [ 0  0 ]" in page
    assert "Token 0\n" in page
    assert "Token 3\n" in page
    assert "Token 4\n" not in page
    first = page.partition("Token 0\n")[2].partition("Token 1\n")[0]
    assert "H^(−1)" in first
    assert "H^(1)" not in first
    usual = told(kind, "").partition("Token 1\n")[2]
    assert "H^(0)" in usual.partition("Token 2\n")[0]


def test_blocks_and_their_rows_are_counted_from_0() -> None:
    page = told('kind = "retention"\ngamma = "1/2"\nform = { chunk = 2 }')
    assert "Q[2·t:2·t+1, :]" in page
    assert "Q[2:3, :]" in page.partition("Block 1\n")[2]
    assert "O = [o^(0); o^(1)]" in page
    markdown = derived(INPUTS + '[attention]\nkind = "linear"\nmask = "causal"\n' + FROM_ZERO).to_markdown()
    assert r"H^{(-1)}" in markdown


def test_without_values_tokens_run_to_one_less_than_their_number() -> None:
    sizes = '[inputs]\nQ = "n x d"\nK = "n x d"\nV = "n x e"\n[attention]\nkind = "linear"\nmask = "causal"\n'
    assert "For t = 0, …, n−1," in derived(sizes + FROM_ZERO).to_text()
    assert "For t = 1, …, n," in derived(sizes).to_text()


def test_the_inputs_say_where_the_numbers_begin() -> None:
    said = "Rows, columns and tokens are numbered from 0."
    assert said in told("")
    assert said not in told("", "")
    assert "行、列和词元从 0 开始编号。" in derived(INPUTS + FROM_ZERO).to_text(language="zh")
