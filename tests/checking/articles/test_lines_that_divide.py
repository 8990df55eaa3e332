"""A line that begins with a sign of division goes on with the expression above; it is no item of a list."""

from checking.checked import judged


def test_a_row_divided_in_the_next_line() -> None:
    # (2 + 6) / 4 = 2
    text = "Row 2:\n\n    (head_3)₂ = (2 + 6)\n        / (3 + 1)\n      = 2\n"
    assert judged(text) == [("(head_3)₂", ["2"], [])]
    assert judged(text.replace("= 2\n", "= 3\n")) == [("(head_3)₂", ["3"], ["3"])]
