"""A minus behind a colon may be a dash, and ln 1/4 may be the logarithm of a quarter."""

import pytest
from checking.checked import judged, report


@pytest.mark.parametrize(
    "text",
    [
        "nll: - ln 0.5 = 0.693",
        "$p_1 = 0.5$\n\nnll: - ln(p_1) = 0.693",
        "loss: −ln 0.5 = 0.693",
        "$\\ln 1/4 = -1.386$",
        "$\\log_2 1/4 = -2$",
        "log₂ 1/4 = -2",
        "ln 1/4 = -1.386",
        "$log_2 1/4 = -2$",
        "$\\ln 4 / 2 = 0.693$",
    ],
)
def test_right_ones(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))
    assert report(text).not_checked or judged(text)


@pytest.mark.parametrize("text", ["- ln 0.5 = 0.693", "sum: 2 + 3 = 6", "$\\ln 4 / 2 = 0.8$", "- 2 + 3 = 6"])
def test_wrong_ones(text: str) -> None:
    assert any(bad for *_, bad in judged(text))
