"""A survey: what is right by the conventions of its own section is not wrong by those of another one."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

VALUE_FIRST = r"""# Linear attention

The state is $S_t \in \mathbb{R}^{d_v \times d_k}$.

$$S_t = S_{t-1} + v_t k_t^\top$$

$$o_t = S_t q_t$$
"""
KEY_FIRST = r"""# The delta rule

The state is $S_t \in \mathbb{R}^{d_k \times d_v}$.

$$S_t = (I - \beta_t k_t k_t^\top)S_{t-1} + \beta_t k_t v_t^\top$$

$$u_t = S_{t-1}^\top k_t$$

$$o_t = S_t^\top q_t$$
"""
FLASH = r"""# FlashAttention

For each block $j$ with scores $S_i^{(j)} = Q_i K_j^\top$:

$$m_i^{(j)} = \max(m_i^{(j-1)}, \text{rowmax}(S_i^{(j)}))$$

$$\tilde{P}_i^{(j)} = \exp(S_i^{(j)} - m_i^{(j)})$$

$$\ell_i^{(j)} = e^{m_i^{(j-1)} - m_i^{(j)}} \ell_i^{(j-1)} + \text{rowsum}(\tilde{P}_i^{(j)})$$
"""
MERGED = r"""# Two parts

Two results $(o_1, \ell_1)$ and $(o_2, \ell_2)$ are merged, where $\ell_i$ is the logsumexp of the scores of part $i$:

$$\ell = \log(e^{\ell_1} + e^{\ell_2})$$

$$o = e^{\ell_1 - \ell} o_1 + e^{\ell_2 - \ell} o_2$$
"""


def failing(text: str) -> list[str]:
    return [x.text for x in check_article(read_article("a.md", text)).formulas if x.verdict == "fails"]


@pytest.mark.parametrize("sections", [(VALUE_FIRST, KEY_FIRST), (KEY_FIRST, VALUE_FIRST), (FLASH, MERGED)])
def test_conventions_of_other_sections(sections: tuple[str, str]) -> None:
    assert failing("\n".join(sections)) == []


@pytest.mark.parametrize(
    ("section", "old", "new"),
    [
        (FLASH, r"m_i^{(j-1)} - m_i^{(j)}", r"m_i^{(j)} - m_i^{(j-1)}"),
        (VALUE_FIRST, "o_t = S_t q_t", r"o_t = S_t k_t"),
    ],
)
def test_what_is_wrong_in_its_own_section_too(section: str, old: str, new: str) -> None:
    wrong = section.replace(old, new)
    assert wrong != section
    assert failing(wrong + "\n" + MERGED) != []


def test_a_letter_of_another_section_is_no_bias() -> None:
    lora = "# LoRA\n\n" + r"$B \in \mathbb{R}^{d \times r}$, $A \in \mathbb{R}^{r \times k}$, $W = W_0 + BA$." + "\n\n"
    bias = "# Bias\n\n" + r"$$\text{softmax}\left(\frac{QK^\top}{\sqrt{d}} + B\right)V$$" + "\n"
    assert failing(lora + bias) == []


def test_rows_that_are_turned_from_the_right() -> None:
    turned = r"q_m = @, k_n = #"
    columns = turned.replace("@", "R_m W_q x_m").replace("#", "R_n W_k x_n")
    rows = turned.replace("@", "x_m W_q R_m").replace("#", "x_n W_k R_n")
    text = f"# RoPE\n\n${columns}$\n\n# RoPE of rows\n\n${rows}$\n\n"
    assert failing(text + r"$$q_m k_n^\top = x_m W_q R_{m-n} W_k^\top x_n^\top$$" + "\n") == []
