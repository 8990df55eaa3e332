"""Scores, weights and outputs entry by entry, of one head or of each batch and head; heads of several letters."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdict(*lines: str) -> str | None:
    """What is said of the last line."""
    found = check_article(read_article("a.md", "\n\n".join(lines) + "\n")).formulas
    return next((each.verdict for each in found if each.line == 2 * len(lines) - 1), None)


@pytest.mark.parametrize("batch", ["", "h", "bh"])
@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"S_{@ij} = \frac{1}{\sqrt{d_k}}\sum_{c} Q_{@ic} K_{@jc}", "holds"),
        (r"S_{@ij} = \sum_{c} Q_{@ic} K_{@jc}", "holds"),
        (r"S_{@ij} = \frac{1}{\sqrt{d_k}}\sum_{j} Q_{@ic} K_{@jc}", "fails"),
        (r"S_{@ij} = \sum_{c} Q_{@ic} K_{@cj}", None),  # of keys in columns
        (r"O_{@ic} = \sum_j P_{@ij} V_{@jc}", "holds"),
        (r"O_{@ic} = \sum_i P_{@ij} V_{@jc}", "fails"),
        (r"O_{@ic} = \sum_j P_{@ji} V_{@jc}", None),  # of weights whose columns sum to 1
        (r"P_{@ij} = \frac{\exp(S_{@ij})}{\sum_{j'}\exp(S_{@ij'})}", "holds"),
        (r"P_{@ij} = \frac{e^{S_{@ij}}}{\sum_l e^{S_{@il}}}", "holds"),
    ],
)
def test_entries(formula: str, batch: str, expected: str | None) -> None:
    assert verdict("$$" + formula.replace("@", batch) + "$$") == expected


def test_weights_that_are_turned_though_their_rows_sum_to_one() -> None:
    weights = r"$$P_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}$$"
    assert verdict(weights, r"$$O_{ic} = \sum_j P_{ji} V_{jc}$$") == "fails"
    assert verdict(weights, r"$$O_{ic} = \sum_j P_{ij} V_{jc}$$") == "holds"


def test_a_sum_over_what_is_no_index_by_itself() -> None:
    first = r"$$T_{xyzw} = \sum_{u} F_{xyzu} G_{xywu}$$"
    assert verdict(first, first.replace(r"\sum_{u}", r"\sum_{w}")) is None


@pytest.mark.parametrize(
    ("key", "expected"), [("KW_a^K", "holds"), ("KW^K", "holds"), ("KW_b^K", None), ("KW_{g(a)}^K", "holds")]
)
def test_weights_of_one_head(key: str, expected: str | None) -> None:
    assert verdict(rf"$$\text{{head}}_a = \text{{Attention}}(QW_a^Q, {key}, VW_a^V)$$") == expected


def program(*lines: str) -> list[str]:
    text = "\n".join(["```python", *lines, "```"])
    return [each.verdict for each in check_article(read_article("a.md", text + "\n")).formulas]


SCORES = "scores = q @ k.T / math.sqrt(d)"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("attn = scores.softmax(dim=-1)", ["holds", "holds"]),
        ("attn = scores.softmax(dim=-2)", ["holds", "fails"]),
        ("attn = F.softmax(scores, dim=0)", ["holds", "fails"]),
        ("attn = F.softmax(scores, dim=0)  # over the queries: slots compete", ["holds"]),
    ],
)
def test_softmax_along_the_keys(line: str, expected: list[str]) -> None:
    assert program(SCORES, line) == expected


def test_softmax_down_the_columns_of_unknown_scores() -> None:
    assert program("attn = scores.softmax(dim=0)") == []


def test_the_output_tells_over_which_index_the_weights_go() -> None:
    weights = r"$$A_{ij} = \frac{\exp S_{ij}}{\sum_l \exp S_{lj}}$$"
    for letter in ("O", "y"):
        output = rf"$${letter}_{{i\mu}} = \sum_j A_{{ij}} * V_{{j\mu}}$$"
        assert verdict(weights, output) == "holds"
        assert verdict(output, weights) == "fails"
        assert verdict("Over the queries:", output, weights) is None
    assert verdict(weights) is None
