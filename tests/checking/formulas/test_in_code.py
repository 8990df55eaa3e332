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
        ("x / sqrt(mean(x²) + 1e-6/D) == sqrt(D) · x / sqrt(sum(x²) + 1e-6)", "holds"),
    ],
)
def test_equations_in_backticks(code, verdict):
    assert judged(f"LayerNorm, attention and RMSNorm: `{code}` here.") == [(code, verdict)]


def test_a_mean_is_no_sum():
    assert judged("RMSNorm: `x / sqrt(mean(x²) + 1e-6) == sqrt(D) · x / sqrt(sum(x²) + 1e-6)`") == []


@pytest.mark.parametrize(("inside", "verdict"), [("var + eps", "holds"), ("std + eps", "fails")])
def test_a_line_of_a_program_that_normalises(inside, verdict):
    line = f"out = (x - mean) / np.sqrt({inside})"
    found = judged(f"Layer norm:\n\n```python\n{line}\n```")
    assert [verdict for _, verdict in found] == [verdict]


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ("[ x*cosθ - y*sinθ , x*sinθ + y*cosθ ]", "holds"),
        ("[ x*cosθ + y*sinθ , -x*sinθ + y*cosθ ]", "holds-if"),
        ("[ x*cosθ + y*sinθ , x*sinθ + y*cosθ ]", "fails"),
    ],
)
def test_both_features_of_a_turned_pair(row, verdict):
    found = judged(f"Rotary positions:\n\n```\n[x', y'] = {row}\n```")
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


POSITIONS = "[pos / np.power(10000, {}) for i in range(d_vec)]"


@pytest.mark.parametrize(
    ("power", "verdicts"),
    [("2 * (i // 2) / d_vec", ["holds"]), ("2 * i / d_vec", ["fails"]), ("i / d_vec", [])],
)
def test_positions_of_a_loop_over_all_entries(power, verdicts):
    assert [verdict for _, verdict in judged(f"The table is {POSITIONS.format(power)}.")] == verdicts


@pytest.mark.parametrize(
    ("line", "verdicts"),
    [
        ("PE_(pos, 2i+1) = math.cos(pos / (10000 ** ((2 * i)/d_model)))", ["holds"]),
        ("PE_(pos, 2i) = math.cos(pos / (10000 ** ((2 * i)/d_model)))", []),
        ("PE_(pos, 2i+1) = math.cos(pos / (10000 ** ((2 * i + 2)/d_model)))", []),
    ],
)
def test_positions_as_code_in_words(line, verdicts):
    assert [verdict for _, verdict in judged(f"In the paper we have {line}, as usual.")] == verdicts
