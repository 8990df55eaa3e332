"""What lines and tables say of the sizes of models and caches; the numbers are worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


def numbers(text: str) -> list[str]:
    return [number for _, shown, _ in judged(text) for number in shown]


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("LLaMA 70B FP16: ~140 GB VRAM, 2x A100 80GB", ["140"]),
        ("INT4: 每个参数 0.5 字节 → 7B = 3.5GB (节省 75%)", ["3.5", "75%"]),
        ("INT8: 1 byte per parameter, 13B = 13 GB (saves 50%)", ["13", "50%"]),
        ("LLaMA 8B FP16: 16.1 GB", []),  # it has 8.03 billion parameters
        ("70B in FP16 or INT4: 140 GB", []),  # which of them?
        ("A 7B model needs 14 GB", []),
    ],
)
def test_what_parameters_take(line: str, found: list[str]) -> None:
    text = f"```\n{line}\n```\n"
    assert numbers(text) == found and not wrong(text)


@pytest.mark.parametrize(
    ("line", "found", "bad"),
    [
        ("GQA: 64 Q-heads, 8 KV-heads   → 12.5% KV-cache", ["12.5%"], []),
        ("GQA: 64 Q-heads, 8 KV-heads   → 25% KV-cache", ["25%"], ["25%"]),
        ("GQA: 64 Q-heads, 8 KV-heads   → 25% faster", [], []),
        ("MQA: 32 个 head → 1 组 KV (节省 97%)", ["97%"], []),
        ("MQA: 32 heads, 1 group (saves 90% of the time)", [], []),
    ],
)
def test_shares_of_heads(line: str, found: list[str], bad: list[str]) -> None:
    text = f"```\n{line}\n```\n"
    assert numbers(text) == found and wrong(text) == bad


@pytest.mark.parametrize("word", ["약 ", "about ", "ca. ", "около ", "约"])
def test_a_word_for_about(word: str) -> None:
    assert numbers(f"2 × 80 × 8 × 128 × 4096 × 1 × 2 bytes = {word}1.3GB\n") == ["1.3"]
    assert not wrong(f"2.5 × 3.02 = {word}7.5\n") and wrong(f"2.5 × 3.02 = {word}9.5\n") == ["9.5"]


def test_the_share_that_is_trained() -> None:
    text = "```\ntrainable params: 4,000,000 || all params: 8,000,000,000 || trainable%: {}\n```\n"
    assert not wrong(text.format("0.05")) and wrong(text.format("0.50")) == ["0.50"]


def test_matrices_of_scores_in_a_format() -> None:
    text = "| n | scores | memory (float32) |\n|---|---|---|\n| 1,024 | 1,024 × 1,024 | 4 MB |\n"
    text += "| 2,048 | 2,048 × 2,048 | 16 MB |\n| 128,000 | 128K × 128K | 64 GB |\n"
    assert numbers(text) == ["4", "16", "64"] and not wrong(text)
    assert not numbers(text.replace("16 MB", "20 MB"))  # two rows show too little


SHOWN = """```python
attn_scores = [[0.3, -inf, -inf, -inf, -inf],
     [0.1,  0.4, -inf, -inf, -inf],
     [0.5, -0.2,  0.3, -inf, -inf],
     ...]

# after softmax:
attn_weights = [[1.0, 0.0, 0.0, 0.0, 0.0],
                [0.43, 0.57, 0.0, 0.0, 0.0],
                [0.43, {}, 0.35, 0.0, 0.0],
                ...]
```
"""


def test_the_first_rows_of_a_square_matrix() -> None:
    right = SHOWN.format("0.21")
    assert len(numbers(right)) == 15 and not wrong(right)
    assert wrong(SHOWN.format("0.31")) == ["0.31"]


def test_the_first_rows_of_another_matrix() -> None:
    assert not judged(
        "```python\nX = [[1, 2],\n     [3, 4],\n     [5, 6],\n     ...]\nS = [[1, 2, 3], [3, 4, 5], ...]\n```\n"
    )


BARRED = """Scores:

```
Q = [[1, 0], [0, 1]]
K = [[0.31, 0.72], [1.43, 0.25]]
```

```
      │ "a"   "b"
──────┼──────────
"a"   │ 0.31   1.43   ← first
"b"   │ 0.72   {}
```
"""


def test_rows_behind_a_bar() -> None:
    assert numbers(BARRED.format("0.25")) == ["0.31", "1.43", "0.72", "0.25"] and not wrong(BARRED.format("0.25"))


def test_points_that_part_millions_part_thousands_too() -> None:
    """2048 · 2048 = 4194304, and 24 · 4194304 = 100663296; 0,5 is a half beside them."""
    text = "Breite d = 2.048\n\nEine: 2.048 * 2.048 = 4.194.304\n\nAlle: 24 * 4.194.304 = 100.663.296, mal 0,5: {}\n"
    right = judged(text.format("0,5 * 2.048 = 1.024"))
    assert [wrong for _, _, wrong in right] == [[], [], []]
    assert judged(text.format("0,5 * 2.048 = 1.042"))[-1][2] == ["1.042"]
    assert not [wrong for _, _, wrong in judged("d = 2.048 und 2 · 2.048 = 4.096\n") if wrong]
