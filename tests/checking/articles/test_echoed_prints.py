"""Comments that repeat a print above them; −ln 0.25 = 1.386, and 0.8 ln(0.8/0.7) + 0.2 ln(0.2/0.3) = 0.0257."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

PROGRAM = """```python
p = torch.tensor([0.25, 0.25, 0.25, 0.25])
h = -(p * torch.log(p)).sum()
print(f"Entropy: {{h:.3f}}")
# Entropy: {}  (large)
P = torch.tensor([0.8, 0.2])
Q = torch.tensor([0.7, 0.3])
kl = (P * torch.log(P / Q)).sum()
print(f"KL: {{kl:.4f}} nats")
print(f"Both: {{h + kl:.3f}}")
# KL: {} nats
# Both: 1.412
```"""


def test_a_comment_with_the_words_of_a_print() -> None:
    assert [wrong for *_, wrong in judged(PROGRAM.format("1.386", "0.0257"))] == [[], [], []]


@pytest.mark.parametrize(("entropy", "divergence"), [("1.629", "0.0257"), ("1.386", "0.0418")])
def test_another_number_is_listed(entropy: str, divergence: str) -> None:
    """A run may have had other numbers."""
    text = PROGRAM.format(entropy, divergence)
    assert not any(wrong for *_, wrong in judged(text))
    assert any("1.629" in said or "0.0418" in said for said in listed(text))


@pytest.mark.parametrize(("entropy", "divergence"), [("1.586", "0.0257"), ("1.386", "0.0275")])
def test_a_slip_of_the_pen_is_wrong(entropy: str, divergence: str) -> None:
    """Other inputs give another number, and not the same with one digit changed or two that changed places."""
    wrong = [number for *_, bad in judged(PROGRAM.format(entropy, divergence)) for number in bad]
    assert wrong == [entropy if entropy == "1.586" else divergence]


def test_prints_of_one_label_are_taken_in_their_order() -> None:
    text = """```python
a, b = np.array([1.0, 2.0]), np.array([3.0, 5.0])
print(f"Mean: {a.mean()}")
# Mean: 1.5
print(f"Mean: {b.mean()}")
# Mean: 4.0
```"""
    assert not any(wrong for *_, wrong in judged(text))


def test_a_setting_is_listed_where_another_number_is_printed() -> None:
    text = '```python\nx = 2.675\nprint(f"Value: {x:.2f}")\n# Value: 9.99\n```'
    assert not judged(text) and any("9.99" in said for said in listed(text))


def test_a_comment_with_other_words_is_listed() -> None:
    text = PROGRAM.replace("# Entropy", "# In bits").format("1.586", "0.0257")
    assert not any(wrong for *_, wrong in judged(text)) and any("1.586" in said for said in listed(text))


def test_what_a_call_may_have_changed_is_not_accused() -> None:
    text = '```python\nz = np.array([3.0, 1.0])\n{}print(f"sum: {{z.sum()}}")\n# sum: 6.0\n```'
    assert not any(wrong for *_, wrong in judged(text.format("fill(z)\n")))
