"""Tables whose columns say how their numbers are computed: functions, softmax at temperatures, sizes of matrices."""

from __future__ import annotations

import pytest

from symattn.reading.articles import read_article


@pytest.mark.parametrize(
    ("header", "row", "equations"),
    [
        ("x | sin(x)", "1 | 0.84", ["sin(1) = 0.84"]),
        ("Position | sin | cos", "**2** | 0.91 | -0.42", ["sin(2) = 0.91", "cos(2) = -0.42"]),
        ("pos | **tanh(pos)**", "20 | ≈1", ["tanh(20) = 1"]),
        ("x | sin(y)", "1 | 0.84", []),
        ("$x$ | $\\sigma(x)$ | SiLU($x$)", "2 | 0.88 | 1.76", ["sigmoid(2) = 0.88", "SiLU(2) = 1.76"]),
        ("$z$ | $\\text{ReLU}(z)$", "-1 | 0", ["ReLU(-1) = 0"]),
        ("sin | x", "1 | 0.84", []),
        ("x | sin(x) | why", "1 | 0.84 | 2", ["sin(1) = 0.84"]),
        (
            "z-Wert | Sigmoid σ(z) | Tanh(z) | Leaky ReLU",
            "1 | 0.73 | 0.76 | 1",
            ["sigmoid(1) = 0.73", "tanh(1) = 0.76"],
        ),
        ("Layers | ReLU | GELU | SwiGLU", "6 | 27.1 | 27.4 | 27.9", []),
        ("pair | angle | sin | cos | cap", "1 | 2 | 0.91 | -0.42 | 0", []),
        ("ID | EXP", "1 | 100", []),
        ("Layers | ReLU | GELU", "6 | 27.1 | 27.4", []),
    ],
)
def test_a_table_of_a_function_is_an_equation_for_each_cell(header: str, row: str, equations: list[str]) -> None:
    dashes = "|".join("---" for _ in header.split("|"))
    text = f"| {header} |\n|{dashes}|\n| {row} |\n| {row} |\n"
    found = [p.text for p in read_article("a.md", text).passages if "=" in p.text]
    assert found == [e for _ in range(2) for e in equations]


TEMPERATURES = """{}

| {} | Weights |
|---|---|
| 0.5 | [0.88, 0.12] |
| 2.0 | [0.62, 0.38] |
"""


@pytest.mark.parametrize("heading", ["T", "$\\tau$", "Temperature", "温度"])
def test_softmax_at_several_temperatures(heading: str) -> None:
    text = TEMPERATURES.format("For the logits [2, 1]:", heading)
    found = [p.text for p in read_article("a.md", text).passages if p.kind == "table"]
    expected = ["softmax([2, 1] / 0.5) = [0.88, 0.12]", "softmax([2, 1] / 2.0) = [0.62, 0.38]"]
    assert [e for e in found if "=" in e] == expected


@pytest.mark.parametrize(
    ("words", "heading"),
    [("For the logits [2, 1]:", "Layer"), ("For [2, 1]:", "T"), ("Logits [2, 1] and [3, 1]:", "T"), ("Logits:", "T")],
)
def test_other_rows_are_of_no_temperature(words: str, heading: str) -> None:
    found = [p.text for p in read_article("a.md", TEMPERATURES.format(words, heading)).passages]
    assert not any("softmax" in text for text in found)


def test_shapes_with_their_numbers_of_entries() -> None:
    rows = "| a | [64, 32] | 2,048 |\n| b | 32 × 16 | 512 |\n| c | [8, 4] | {} |\n| d | [3] | 3 |\n"
    text = "| name | shape | size |\n|---|---|---|\n" + rows
    assert _equations(text.format("32")) == ["64 × 32 = 2,048", "32 × 16 = 512", "8 × 4 = 32"]
    assert _equations(text.format("36")) == []  # 8 × 4 + 4, with a bias: what the others count is not sure


def _equations(text: str) -> list[str]:
    return [p.text for p in read_article("a.md", text).passages if "=" in p.text]
