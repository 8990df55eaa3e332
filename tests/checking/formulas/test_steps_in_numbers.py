"""A formula that puts numbers in for a name is not listed as unsettled where the value of that is judged below."""

import pytest
from checking.checked import judged, listed


@pytest.mark.parametrize(
    "step",
    [
        r"E=\frac12(1-0.7)^2",
        r"E = -0.5 \times \log(0.9139311852712282)",
        "E & = 0.15 * 0.2 + 0.015",
        r"E = 0.045 \log_2(2)",
    ],
)
def test_it_is_not_listed(step: str) -> None:
    text = f"$${step}$$\n\n$$E = 0.045$$"
    assert judged(text)[-1][:2] == ("E", ["0.045"])
    assert listed(text) == []


@pytest.mark.parametrize(
    "text",
    ["$$E=\\frac12(1-0.7)^2$$", "$$E=\\frac12(t-0.7)^2$$\n\n$$E = 0.045$$", "$$F=2(1-0.7)^2$$\n\n$$E = 1 + 2 = 3$$"],
)
def test_others_are(text: str) -> None:
    assert any("0.7" in each for each in listed(text))
