"""Where norms and residual connections stand, as Vaswani et al. (2017) and their successors have them."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(text):
    return [x.verdict for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A residual connection:\n\n$$x_{l+1} = x_l + \\text{FFN}(x_l)$$", ["holds"]),
        ("We write\n\n$$x_{l+1} = x_l + \\text{FFN}(x_l)$$", []),
        ("Layer:\n\n$$y = \\text{LayerNorm}(X + \\text{Dropout}(\\text{Sublayer}(X)))$$", ["holds"]),
        ("Encoder:\n\n$$E(x) = \\text{LayerNorm}(x) + \\text{Attention}(Q, K, V)$$", ["fails"]),
        ("Add & Norm:\n\n$$Y = X + \\text{LayerNorm}(\\text{Output})$$", ["fails"]),
        ("残差连接和层归一化：\n\n$$Y = X + \\text{LayerNorm}(\\text{FFN}(X))$$", ["fails"]),
        ("Add & Norm, as OLMo 2 has it:\n\n$$Y = X + \\text{LayerNorm}(\\text{FFN}(X))$$", []),
        ("A layer:\n\n$$Y = X + \\text{LayerNorm}(\\text{FFN}(X))$$", []),
        ("A layer:\n\n$$Y = X + \\text{LayerNorm}(\\text{Attention}(Q, K, V) + \\text{FFN}(X))$$", ["fails"]),
        ("A parallel layer:\n\n$$Y = X + \\text{Attention}(X) + \\text{FFN}(X)$$", []),
        ("**Post-norm (original, 2017):**\n\n\\\\[\ny = x + \\text{Sublayer}(\\text{LayerNorm}(x))\n\\\\]", ["fails"]),
        ("$$\\text{LayerNorm}(x) = \\frac{x - \\text{mean}(x)}{\\text{stddev}(x)}$$", ["holds"]),
        ("$$\\text{LayerNorm}(X) = \\frac{X - \\mu}{\\sigma} \\gamma$$", ["holds"]),
    ],
)  # fmt: skip
def test_norms_and_residuals(text, found):
    assert verdicts(text + "\n") == found


RESIDUAL = "A residual connection: $x_l = x_{l-1} + F_l(x_{l-1})$. "


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RESIDUAL, ["holds"]),
        (r"A residual connection: $h^{(l)} = h^{(l-1)} + F_l\left(h^{(l-1)}\right)$", ["holds"]),
        ("**Post-LN**:\n\n$x_l = LayerNorm(x_{l-1} + F_l(x_{l-1}))$", ["holds"]),
        ("**Pre-LN**:\n\nx_l = x_{l-1} + F_l(LayerNorm(x_{l-1}))", ["holds"]),
        ("**Pre-LN**:\n\n$x_l = LayerNorm(x_{l-1} + F_l(x_{l-1}))$", ["fails"]),
        (r"**Pre-LN**: $x_{l+1} = x_l + F(\mathrm{LN}(x_l))$", ["holds"]),
        (r"**Pre-LN**: $x_{l+1} = \mathrm{LN}(x_l) + F(x_l)$", ["fails"]),
        (r"Unlike Pre-LN, this adds: $x_{l+1} = \mathrm{LN}(x_l) + F(x_l)$", []),
        (r"A skip connection: $h = \mathrm{Norm}(x) + \mathrm{Block}(x)$", []),
        (r"Another block: $x_{l+1} = \mathrm{LN}(x_l) + F(x_l)$", []),
        (r"**Post-LN** with a gate: $x_{l+1} = \mathrm{LN}(x_l\,F(x_l))$", []),
        ("A residual connection: $x_l = x_l + F_l(x_{l-1})$", []),
        ("A residual connection: $x_l = x_{l-1} + F_l(x_l)$", []),
        ("A residual connection: $x_l = x_{l-1} + F_l x_{l-1}$", []),
        ("A residual connection: $x_l = x_{l-1} - F_l(x_{l-1})$", []),
    ],
)
def test_the_function_of_a_layer_may_have_its_number(text, found):
    assert verdicts(text + "\n") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RESIDUAL + "So ∂x_l/∂x_{l-1} = I + ∂F_l/∂x_{l-1}.", ["holds", "holds"]),
        (RESIDUAL + "So ∂x_l/∂x_{l-1} = I - ∂F_l/∂x_{l-1}.", ["holds", "fails"]),
        (RESIDUAL + "So ∂x_l/∂x_{l-1} = ∂F_l/∂x_{l-1}.", ["holds"]),  # it may be said of other networks
        (RESIDUAL + "Dans un réseau classique, ∂x_l/∂x_{l-1} = ∂F_l/∂x_{l-1}.", ["holds"]),
        (RESIDUAL + "Without the identity ∂x_l/∂x_{l-1} = ∂F_l/∂x_{l-1}.", ["holds"]),
        (RESIDUAL + "So ∂x_l/∂x_{l-1} = I + ∂G/∂x_{l-1}.", ["holds"]),
        (RESIDUAL + "A plain layer $x_l = F_l(x_{l-1})$ has ∂x_l/∂x_{l-1} = ∂F_l/∂x_{l-1}.", ["holds"]),
        (
            "$x_l = F_l(x_{l-1})$ has ∂x_l/∂x_{l-1} = ∂F_l/∂x_{l-1}. "
            + RESIDUAL
            + "∂x_l/∂x_{l-1} = I + ∂F_l/∂x_{l-1}.",
            ["holds"] * 2,
        ),
        (r"$y = x + F(x)$ has $\frac{\partial y}{\partial x} = 1 + \frac{\partial F(x)}{\partial x}$", ["holds"]),
        (r"$y = x + F(x) + b$ has $\frac{\partial y}{\partial x} = 1 - \frac{\partial F}{\partial x}$", []),
    ],
)
def test_the_derivative_of_a_residual_connection_has_the_identity(text, found):
    assert verdicts(text + "\n") == found
