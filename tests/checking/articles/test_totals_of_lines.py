"""Totals of the lines above them, totals in brackets, and equations side by side; numbers worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


def numbers(text: str) -> list[str]:
    return [number for _, shown, _ in judged(text) for number in shown]


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


LAYER = """```
- Multi-head attention: 4 × 512² = 1,048,576
- FFN: 2 × 512 × 2048 = 2,097,152
- Layer norms: ~2K
Total per layer: ~{}M

Encoder (6 layers): ~{}M
```
"""


def test_a_total_and_a_stack() -> None:
    assert numbers(LAYER.format("3.15", "18.9"))[-2:] == ["3.15M", "18.9M"] and not wrong(LAYER.format("3.15", "18.9"))


@pytest.mark.parametrize(("total", "stack"), [("3.25", "18.9"), ("4.2", "25.2")])
def test_a_total_of_something_else(total: str, stack: str) -> None:
    assert not wrong(LAYER.format(total, stack))


def test_the_total_in_brackets() -> None:
    text = "```\nGRU: 6 matrices: 6×(2×2) = 24 params (+W_out=2, total {})\n```\n"
    assert numbers(text.format(26)) == ["24", "26"] and not wrong(text.format(26))
    assert wrong(text.format(28)) == ["28"]


COLUMNS = """```
X = [[1,0,1,0], [0,1,0,1], [1,1,0,0]]
W = [[1,0], [0,1], [1,0], [0,1]]
U = [[0,1], [1,0], [0,1], [1,0]]
```

```
Q = X @ W                     K = X @ U
  = [[1,0,1,0],                 = [[1,0,1,0],
     [0,1,0,1],                    [0,1,0,1],
     [1,1,0,0]]                    [1,1,0,0]]
    @ [[1,0],                     @ [[0,1],
       [0,1],                        [1,0],
       [1,0],                        [0,1],
       [0,1]]                        [1,0]]

Q = [[2, 0],                  K = [[0, 2],
     [0, 2],                       [2, 0],
     [1, 1]]                       [{}, 1]]
```
"""


def test_equations_side_by_side_over_several_lines() -> None:
    assert len(numbers(COLUMNS.format(1))) == 12 and not wrong(COLUMNS.format(1))
    assert wrong(COLUMNS.format(3)) == ["3"]


def test_names_side_by_side_are_no_columns() -> None:
    text = "```\nd = 2      n = 3\n   size       count\n   2 · 3 = 6     3 + 4 = 7\n```\n"
    assert numbers(text) == ["6", "7"]


@pytest.mark.parametrize(
    ("line", "found", "bad"),
    [
        ("- RNN: 1024 sequential steps × 2ms per step = 2048 ms", ["2048"], []),
        ("- RNN: 1024 sequential steps × 2ms per step = 2148 ms", [], []),  # another unit may be meant
        ("- Transformer: ~10 parallel steps × 5ms per step = 50 ms", ["50"], []),
        ("- RNN: 1000 sequential steps × 2ms per step = 2 s", [], []),
    ],
)
def test_products_of_times(line: str, found: list[str], bad: list[str]) -> None:
    assert numbers(line + "\n") == found and wrong(line + "\n") == bad


def test_a_total_in_russian() -> None:
    text = "- W_Q: 3 × 4 = 12\n- W_K: 3 × 5 = 15\n- **Итого: {} параметров**\n"
    assert numbers(text.format(27)) == ["12", "15", "27"] and numbers(text.format(28)) == ["12", "15"]


LEDGER = """```
words      38.597.376      50.257 × 768
places        786.432      ← learned
blocks     12 × 7.087.872 = 85.054.464
                ----------
whole      {}
```
"""


def test_a_ledger_with_points_between_the_thousands() -> None:
    assert numbers(LEDGER.format("124.438.272"))[-1] == "124.438.272"
    assert "124.438.282" not in numbers(LEDGER.format("124.438.282"))  # not all lines may be of it
    assert not wrong(LEDGER.format("124.438.282"))


def test_a_total_below_a_fence() -> None:
    text = "```\nQ: (4096 × 4096) = 16,777,216\nK: (4096 × 1024) = 4,194,304   (8 heads × 128 = 1024)\n```\n"
    text += "\nTotal of both: {}\n"
    assert numbers(text.format("20,971,520"))[-1] == "20,971,520"
    assert not wrong(text.format("20,971,620"))


def test_the_fewest_lines_that_make_a_total() -> None:
    text = "```\nEach: 200,000\n32 of them: 6,400,000\nOther:   100,000 (if it is there)\nTotal:   {} ≈ 6.5M\n```\n"
    assert numbers(text.format("6,500,000"))[:1] == ["6,500,000"]
