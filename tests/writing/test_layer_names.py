"""Names of layers' matrices, none of which reads as another or as a power."""

from __future__ import annotations

from tests.samples import derived

LAYER = """[inputs]
X = [[1, 0], [0, 1]]
[stack]
norm = "none"
activation = "relu"
[[layer]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
W_1 = [[1, 0], [0, 1]]
b_1 = [1, 0]
W_2 = [[1, 0], [0, 1]]
"""
LATENT = """[inputs]
X = [[1, 0], [0, 1]]
W_Q = [[[1], [0]], [[0], [1]]]
W_C = [[1], [1]]
U_K = [[1, 1]]
U_V = [[1, 2]]
[attention]
kind = "latent"
"""


def test_matrices_of_a_feed_forward_network_are_written_as_its_biases_are() -> None:
    page = derived(LAYER).to_markdown()
    assert r"W_{1}^{(\mathrm{layer1})}" in page
    assert r"b_{1}^{(\mathrm{layer1})}" in page
    assert r"W_{\mathrm{layer1}}^{Q}" in page
    assert "^{1}" not in page


def test_the_concatenation_beside_latent_vectors_is_no_second_c() -> None:
    page = derived(LATENT).to_text()
    assert "C = X W^C" in page
    assert "O = Concat(head_1, head_2)" in page
    assert "C_2" not in page


def test_a_gate_is_called_as_in_chinese_textbooks() -> None:
    gated = LAYER.replace("W_1 =", "W_3 = [[1, 0], [0, 1]]\nW_1 =")
    page = derived(gated).to_markdown(language="zh")
    assert "隐藏层的门控" in page and "门控后的激活值" in page
