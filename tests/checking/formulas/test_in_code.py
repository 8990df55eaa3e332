"""Equations that stand as code, in backticks or as lines of a program."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(x.text, x.verdict) for x in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("y = (x - mean) / torch.sqrt(var + self.eps)", "holds"),
        ("y = (x - mean) / torch.sqrt(std + self.eps)", "fails"),
        ("QKT / math.sqrt(dk) = (Q / math.sqrt(math.sqrt(dk))) * (KT / math.sqrt(math.sqrt(dk)))", "holds"),
    ],
)
def test_equations_in_backticks(code, verdict):
    assert judged(f"LayerNorm, attention and RMSNorm: `{code}` here.") == [(code, verdict)]


@pytest.mark.parametrize(("inside", "verdict"), [("var + eps", "holds"), ("std + eps", "fails")])
def test_a_line_of_a_program_that_normalises(inside, verdict):
    line = f"out = (x - mean) / np.sqrt({inside})"
    found = judged(f"Layer norm:\n\n```python\n{line}\n```")
    assert [verdict for _, verdict in found] == [verdict]


BACKWARD = (
    "FlashAttention, tile by tile:\n\n```python\nfor each tile j:\n    {}\n```\n\n"
    "$O = PV$, $P = softmax(S)$, $S = QK^T$"
)


@pytest.mark.parametrize(
    ("line", "verdict"),
    [("dP = dOi @ Vj^T", "holds"), ("dK_j += dS^T @ Qi", "holds"), ("dK_j += dS @ Qi", "fails")],
)
def test_blocks_of_a_backward_pass(line, verdict):
    assert judged(BACKWARD.format(line))[0] == (line, verdict)
