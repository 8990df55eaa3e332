"""A formula that says of a name what it is by this name itself: y = 1/(1 + e^-y)."""

import pytest
from checking.checked import judged, listed


@pytest.mark.parametrize(
    "formula",
    [r"y = \frac{1}{1 + e^{-y}}", r"y = \ln(y) + 1", r"y = e^{-2y}", r"y = 1 - \frac{1}{y + 2}"],
)
def test_it_is_not_applied_to_the_value_that_the_name_has(formula: str) -> None:
    text = f"$y = 0.75$\n\n$${formula}$$\n\n$$d = y(1 - y) = 0.73(1 - 0.73) = 0.1971$$"
    assert judged(text)[-1] == ("d", ["0.1971"], [])
    assert judged(text.replace("1971", "1791"))[-1] == ("d", ["0.1791"], ["0.1791"])


def test_what_follows_from_either_value_is_not_accused() -> None:
    text = "$y = 0.75$\n\n$$y = e^{-y}$$\n\n$$2y = {}$$"
    assert not any(bad for *_, bad in judged(text.replace("{}", "1.5")) + judged(text.replace("{}", "0.94")))
    assert "0.94" in listed(text.replace("{}", "0.94"))


@pytest.mark.parametrize("step", ["y = y + 0.1", r"y = 2y - y + \frac{1}{10}", "y = 0.1 + y"])
def test_a_step_to_the_next_value_is_taken(step: str) -> None:
    text = f"$y = 0.75$\n\n$${step}$$\n\n"
    assert judged(f"{text}$$2y = 1.7$$")[-1] == ("2y", ["1.7"], [])
    assert judged(f"{text}$$2y = 1.8$$")[-1] == ("2y", ["1.8"], ["1.8"])


def test_a_sum_that_is_printed_is_judged() -> None:
    assert judged("$y = 0.75$\n\n$$y = y + 0.1 = 0.95$$")[-1] == ("y", ["0.95"], ["0.95"])
    assert judged("$y = 0.75$\n\n$$y = y + 0.1 = 0.85$$")[-1] == ("y", ["0.85"], [])


def test_the_rate_of_another_exercise_is_not_rounded_again() -> None:
    text = "$\\eta = 0.25$\n\n# Q3\n\n$\\eta = 0.2$\n\n$3\\eta = 0.6$"
    assert not judged("$\\eta = 0.25$\n\n# Q3\n\n$\\eta = 0.2$")
    assert not any(bad for *_, bad in judged(text))
    assert judged("$\\eta = 0.25$\n\nand $\\eta = 0.25$")[-1] == ("\\eta", ["0.25"], [])
