"""Lines of programs that go back through a norm; NumPy's finite differences tell which is right."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

RIGHT = [
    "dx = (1/std) * (dxhat - mean(dxhat) - xhat * mean(dxhat * xhat))",
    "dx = rstd * (dx_hat - dx_hat.mean(-1, keepdims=True) - x_hat * (dx_hat * x_hat).mean(-1, keepdims=True))",
    "dx = (1/N) * rstd * (N * dxhat - np.sum(dxhat, axis=-1) - xhat * np.sum(dxhat * xhat, axis=-1))",
    "dgamma = (dout * xhat).sum(axis=0)",
    "dbeta = np.sum(dy, axis=0)",
]
WRONG = [
    "dx = rstd * (dxhat - mean(dxhat) + xhat * mean(dxhat * xhat))",
    "dx = rstd * (dxhat - xhat * mean(dxhat * xhat))",
    "dgamma = dout.sum(axis=0)",
    "dbeta = sum(dy * xhat)",
]


def verdicts(line: str, title: str = "LayerNorm, backward pass") -> list[str]:
    article = read_article("a.md", f"{title}:\n\n```python\n{line}\n```\n")
    return [formula.verdict for formula in check_article(article).formulas]


def test_finite_differences_agree() -> None:
    draw = np.random.default_rng(1)
    x, above = draw.normal(size=6), draw.normal(size=6)

    def value(x: np.ndarray) -> float:
        return float(above @ ((x - x.mean()) / x.std()))

    xhat = (x - x.mean()) / x.std()
    made = (above - above.mean() - xhat * (above * xhat).mean()) / x.std()
    step = 1e-6 * np.eye(6)
    differences = [(value(x + each) - value(x - each)) / 2e-6 for each in step]
    assert np.allclose(made, differences, atol=1e-6)


@pytest.mark.parametrize("line", RIGHT)
def test_right_lines_hold(line: str) -> None:
    assert verdicts(line) == ["holds"]


@pytest.mark.parametrize("line", WRONG)
def test_one_slip_fails(line: str) -> None:
    assert verdicts(line) == ["fails"]


def test_rms_norm_takes_no_mean_off() -> None:
    assert verdicts(WRONG[1].replace("rstd", "rrms"), "RMSNorm, backward pass") == ["holds"]


def test_a_line_that_the_next_ones_complete_is_no_slip() -> None:
    assert verdicts("dx = rstd * (dxhat - mean(dxhat))\ndx -= rstd * xhat * mean(dxhat * xhat)") == []


@pytest.mark.parametrize("line", ["dx = rstd * (dxhat - bound)", "dx = 0.5 * step", "dbeta = beta - old_beta"])
def test_other_lines_are_left_alone(line: str) -> None:
    assert verdicts(line) == []
