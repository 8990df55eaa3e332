"""A print shows what it rounds to so many decimals, whatever it prints behind them: softmax(1, 0) is 0.7311, 0.2689."""

import pytest

from tests.checking.checked import judged, listed

GIVEN = "x = torch.tensor([1.0, 0.0])\nw = torch.softmax(x, dim=-1)\n"


def shown(statement: str, printed: str) -> list[str]:
    """The numbers that are called wrong of what a program prints."""
    [(_, _, wrong)] = judged(f"```python\n{GIVEN}print({statement})\n```\n\n```text\n{printed}\n```")
    return wrong


@pytest.mark.parametrize(
    ("statement", "printed"),
    [
        ("w.round(decimals=2)", "tensor([0.7300, 0.2700])"),
        ("torch.round(w, decimals=2)", "tensor([0.7300, 0.2700])"),
        ("w.numpy().round(3)", "[0.731 0.269]"),
        ("np.around(w, 1)", "[0.7 0.3]"),
        ("(w * 1).round(decimals=1)", "tensor([7.0000e-01, 3.0000e-01])"),
        ("w.round(decimals=2).tolist()", "[0.73, 0.27]"),
        ("round(w[0].item(), 2)", "0.73"),
        ('f"first: {round(w[0], 2):.4f}"', "first: 0.7300"),
        ("w", "tensor([0.7311, 0.2689])"),
    ],
)
def test_the_decimals_that_are_left_are_judged(statement: str, printed: str) -> None:
    assert shown(statement, printed) == []


def test_they_are_wrong_where_rounding_does_not_explain_them() -> None:
    assert shown("w.round(decimals=2)", "tensor([0.7900, 0.2100])") == ["0.79", "0.21"]
    assert shown("w", "tensor([0.7300, 0.2700])") == ["0.7300", "0.2700"]


def test_the_print_of_a_comment_and_of_a_session_are_no_others() -> None:
    of_comment = f"```python\n{GIVEN}print(w.round(decimals=2))  # tensor([0.7300, 0.2700])\n```"
    typed = "".join(f">>> {line}\n" for line in GIVEN.splitlines())
    for text in (of_comment, f"```python\n{typed}>>> w.round(decimals=2)\ntensor([0.7300, 0.2700])\n```"):
        assert judged(text) == [("w", ["0.73", "0.27"], [])]


def test_more_digits_than_are_left_were_printed_by_something_else() -> None:
    text = f"```python\n{GIVEN}print(w.round(decimals=2).tolist())\n```\n\n```text\n[0.7300000190734863, 0.27]\n```"
    assert judged(text) == []
    assert any("0.7300000190734863" in each for each in listed(text))
