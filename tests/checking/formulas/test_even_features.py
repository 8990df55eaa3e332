"""Sinusoidal positions by one letter for the feature, PE(pos, i), and as a program writes them.

Source: Vaswani et al., Attention Is All You Need (2017), section 3.5.
"""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

EVEN = "PE[pos, i] = sin(pos / 10000^(i/d_model))"
ODD = "PE[pos, i] = cos(pos / 10000^((i-1)/d_model))"
PROGRAM = """```python
for i in range({}):
    pe[pos, {}] = math.sin(pos / 10000 ** ({} / d_model))
    pe[pos, {} + 1] = math.cos(pos / 10000 ** ({} / d_model))
```
"""


def verdicts(text):
    return [each.verdict for each in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"For even i:\n\n{EVEN}\n\nand for odd i:\n\n{ODD}\n", ["holds", "holds"]),
        (f"i 为偶数时:\n\n{EVEN}\n", ["holds"]),
        (f"The code:\n\n{EVEN}\n", []),  # nobody says which features these are
        ("For even i:\n\nPE[pos, i] = sin(pos / 10000^(2i/d_model))\n", []),
        ("For odd i:\n\nPE[pos, i] = cos(pos / 10000^(i/d_model))\n", []),
        (PROGRAM.format("0, d_model, 2", "i", "i", "i", "i"), ["holds", "holds"]),
        (PROGRAM.format("d_model // 2", "2 * i", "2 * i", "2 * i", "2 * i"), ["holds", "holds"]),
        (PROGRAM.format("0, d_model, 2", "i", "2 * i", "i", "2 * i"), []),
        (PROGRAM.format("d_model // 2", "2 * i", "2 * i", "2 * i", "(2 * i + 1)"), ["holds"]),
    ],
)
def test_features_that_are_even_and_odd(text, expected):
    assert verdicts(text) == expected
