"""Lines in the one form that their papers print; what differs in a letter, a sign or a factor is left open."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

WKV = r"\frac{%s v_i + e^{u + k_t} v_t}{%s + e^{u + k_t}}"
SUM = r"\sum_{i=1}^{t-1} e^{-(t-1-i)w + k_i}"


@pytest.mark.parametrize(
    ("words", "line", "other"),
    [
        ("RWKV", "wkv_t = " + WKV % (SUM, SUM), "wkv_t = " + WKV.replace("u + k_t", "k_t", 1) % (SUM, SUM)),
        ("RWKV", "WKV_s = " + (WKV % (SUM, SUM)).replace("t", "s").replace("i", "j"), "WKV_t = " + SUM),
        ("RWKV", r"a_t = e^{-w} \odot a_{t-1} + e^{k_t} \odot v_t",
         r"a_t = e^{-w} \odot a_{t-1} + e^{k_t + u} \odot v_t"),
        ("RWKV", r"r_t = W_r(\mu_r x_t + (1-\mu_r) x_{t-1})", r"r_t = W_r(\mu_k x_t + (1-\mu_r) x_{t-1})"),
        ("RetNet", r"\text{Retention}(Q, K, V) = (QK^T \odot D) V", r"\text{Retention}(Q, K, V) = (QK \odot D) V"),
        ("A gate", r"S_t = \alpha_t S_{t-1} + \beta_t k_t v_t^\top", r"S_t = \alpha_t S_{t} + \beta_t k_t v_t^\top"),
        ("A cache", "K_t = [K_{t-1}; k_t]", "K_t = [K_{t-1}; v_t]"),
        ("A cache", "V_{1:t} = [V_{1:t-1}; v_t]", "V_{1:t} = [V_{1:t}; v_t]"),
        ("MoE", "y = \\sum_{i=1}^k g_i E_i(x)", "y = \\sum_{i=1}^k g_i E_i(g)"),
        ("The width", r"d_{ff} = 4 \times d_{model}", r"d_{ff} = 3 d_{model}"),
        ("Cosine", r"\text{sim}(q, k) = \frac{q \cdot k}{\|q\| \|k\|}",
         r"\text{sim}(q, k) = \frac{q \cdot k}{\|q\| \|q\|}"),
        ("Cross-entropy of a softmax", r"\nabla_{\mathbf{z}} \text{CE} = \mathbf{p} - \mathbf{y}",
         r"\nabla_z \text{CE} = y - p"),
    ],
)  # fmt: skip
def test_the_form_holds_and_another_is_left_open(words, line, other):
    def verdicts(formula):
        return [x.verdict for x in check_article(read_article("a.md", f"{words}: ${formula}$\n")).formulas]

    assert verdicts(line) == ["holds"]
    assert "holds" not in verdicts(other)


@pytest.mark.parametrize(
    "text",
    [
        "KV cache: not $V_t = [V_{t-1}; v_t]$.",
        "缓存：错误写法 $K_t = [K_{t-1}; k_t]$。",
        "A cache with a sliding window: $K_t = [K_{t-1}; k_t]$",
        "$d_{ff} = 2048$ and $d_{model} = 768$, $d_{ff} = 4 d_{model}$",
        r"The mean cross-entropy of a batch: $\nabla_z \text{CE} = p - y$",
        r"DeltaNet: $S_t = \alpha_t S_{t-1} + \beta_t v_t k_t^T$",
    ],
)
def test_what_the_text_denies_or_means_otherwise_is_left_open(text):
    assert "holds" not in [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]
