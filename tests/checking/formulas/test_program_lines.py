"""Lines of programs that compute attention; what they are was worked out from the shapes by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(*lines):
    """By line of the program: those that have a verdict."""
    text = "Attention in code:\n\n```python\n" + "\n".join(lines) + "\n```\n"
    return {x.line - 4: x.verdict for x in check_article(read_article("a.md", text)).formulas}


@pytest.mark.parametrize(
    "line",
    [
        "scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)  # similarity",
        "attn = (xq @ xk.transpose(-2, -1)) * self.scale",
        "s = q_i @ k_j.mT / sqrt(d)",
        "S = Qh @ Kh.transpose(0, 1, 3, 2) / np.sqrt(dh)",
        "scores = q @ k.transpose(-1, -2) / self.head_dim ** 0.5",
        'QK = scale * einsum(Q, K, "... i k, ... j k -> ... i j")',
        "att = scale * torch.einsum('bhid,bhjd->bhij', q, k)",
        "d_k = query.size(-1)",
        "scale = 1 / (K.shape[-1] ** 0.5)",
    ],
)
def test_scores_of_a_program_hold(line):
    assert verdicts(line) == {0: "holds"}


@pytest.mark.parametrize(
    "line",
    [
        "scores = q @ k.transpose(-2, -1) / math.sqrt(d_model)",  # another width
        "scores = q @ k.transpose(1, 2, 0) / math.sqrt(d_k)",
        "scores = q @ k.transpose(-2, -1) / tau",
        "att = scale * torch.einsum('bhid,bhjd->bhji', q, k)",
        "d_k = x.size(-1)",
        "scale = 1 / K.shape[1] ** 0.5",
    ],
)
def test_other_lines_are_left_open(line):
    assert "holds" not in verdicts(line).values()


HIDE = "scores = scores.masked_fill(mask, float('-inf'))"
SHOW = "scores = scores.masked_fill(mask == 0, -1e9)"


@pytest.mark.parametrize(
    ("mask", "use", "verdict"),
    [
        ("torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)", HIDE, "holds"),
        ("np.triu(np.ones((T, T), dtype=bool), k=1)", "s = np.where(mask, -1e9, s)", "holds"),
        ("torch.tril(torch.ones(T, T))", SHOW, "holds"),
        ("torch.triu(torch.ones(T, T)).bool()", HIDE, "fails"),  # its own key is hidden
        ("torch.tril(torch.ones(T, T), diagonal=-1)", SHOW, "fails"),
        ("torch.triu(torch.ones(T, T), diagonal=1)", SHOW, None),
        ("torch.triu(torch.ones(T, S), diagonal=1)", HIDE, None),
        ("torch.triu(torch.ones(T, T)).T", HIDE, None),
        ("torch.triu(torch.ones(T, T))", f"mask = mask == 0\n{HIDE}", None),
        ("torch.triu(torch.ones(T, T), diagonal=2)", HIDE, None),  # a window, perhaps
    ],
)
def test_a_causal_mask_hides_the_future_alone(mask, use, verdict):
    assert verdicts(f"mask = {mask}", use).get(0) == verdict


SOFTMAX = "attn = softmax(scores, axis=-1)  # (B, H, T, S)"


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("out = attn @ Vh  # (B, H, T, dh)", "holds"),
        ("return attn @ v  # (B, H, T, d)", "holds"),
        ("out = attn @ Vh  # (B, H, dh, T)", "fails"),
        ("out = attn @ Vh  # (B, T, H, dh)", None),
        ("out = attn @ x  # (B, H, T, dh)", None),
    ],
)
def test_an_output_has_the_rows_of_the_weights(line, verdict):
    assert verdicts(SOFTMAX, line).get(1) == verdict


def test_heads_are_merged_beside_their_width():
    merge = "def merge_heads(z):"
    assert verdicts(merge, "    return z.transpose(0, 2, 1, 3).reshape(B, T, H * dh)  # (B, T, D)") == {1: "holds"}
    assert verdicts(merge, "    return z.reshape(B, T, H * dh)") == {}
    assert verdicts(merge, "    return z.transpose(1, 2).reshape(B, T, dh * H)") == {}


BLOCK = ("m_new = torch.maximum(m, S.max(dim=-1, keepdim=True).values)", "P = torch.exp(S - m_new)")
SUMMED = "l_new = l * torch.exp(m - m_new) + P.sum(dim=-1, keepdim=True)"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([SUMMED], {2: "holds"}),
        ([SUMMED.replace("m - m_new", "m_new - m")], {2: "fails"}),
        ([SUMMED.replace("P.sum", "S.sum")], {2: "fails"}),
        ([SUMMED, "O = O * torch.exp(m - m_new) + P @ V"], {2: "holds", 3: "holds"}),
        ([SUMMED, "O = O * (l * torch.exp(m - m_new) / l_new) + (P / l_new) @ V"], {2: "holds", 3: "holds"}),
        ([SUMMED, "O = O * torch.exp(m_new - m) + P @ V"], {2: "holds", 3: "fails"}),
    ],
)
def test_blocks_of_a_program(lines, found):
    said = verdicts(*BLOCK, *lines)
    assert {line: said[line] for line in said if line > 1} == found


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))", "holds"),
        ("gS = (gP - np.sum(P * gP, axis=-1, keepdims=True)) * P", "holds"),
        ("dS = A * (dA + (dA * A).sum(axis=-1, keepdims=True))", "fails"),
        ("dS = A * (dA - (dA * B).sum(axis=-1, keepdims=True))", None),
        ("dQ = scale * np.einsum('bhij,bhja->bhia', dS, K)", "holds"),
        ("gK = scale * np.einsum('bhij, bhia -> bhja', gS, Q)", "holds"),
        ("dV = torch.einsum('bhij,bhid->bhjd', attn, dO)", "holds"),
        ("dA = torch.einsum('bhid,bhjd->bhij', dO, V)", "holds"),
        ("dV = torch.einsum('bhij,bhjd->bhid', attn, dO)", "fails"),  # A dO for Aᵀ dO
        ("dQ = np.einsum('bhij,bhja->bhia', dS, K)", None),  # where the scale is, is not seen
        ("O = torch.einsum('bhij,bhjd->bhid', attn, V)", None),
    ],
)
def test_gradients_of_a_program(line, verdict):
    assert verdicts(line).get(0) == verdict


def test_a_gradient_in_backticks():
    text = "In code: `dS = (dA - (dA * A).sum(axis=-1, keepdims=True)) * A`.\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == ["holds"]
