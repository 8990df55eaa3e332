"""What notes write down line by line: masks by conditions, factors of partial sums, turned products, a norm's root."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(each.line, each.verdict, each.right) for each in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("M[i][j] = 0 if j ≤ i", ("holds", None)),
        ("mask[i, j] = -inf if j > i", ("holds", None)),
        ("mask[i, j] = -inf if i < j", ("holds", None)),
        ("M[i][j] = 0 if j >= i", ("fails", "M[i][j] = 0 if j ≤ i")),
        ("M[i][j] = -1e9 when j < i", ("fails", "M[i][j] = -1e9 when j > i")),
        ("M[i][j] = 0 if j < i", None),  # another line may have the rest
    ],
)
def test_a_causal_mask_line_by_line(line, said):
    found = judged(f"The causal mask of a decoder:\n\n```\n{line}\n```\n")
    assert found == ([] if said is None else [(4, *said)])


def test_a_mask_that_nobody_calls_causal_is_left_open():
    assert judged("The mask:\n\n```\nM[i][j] = 0 if j >= i\n```\n") == []


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        ("exp((m2 - m) * scale)", ("holds", None)),
        ("exp((m - m2) * scale)", ("fails", "p2 = exp((m2 - m) * scale)")),
        ("exp(m - m2)", ("fails", "p2 = exp(m2 - m)")),
    ],
)
def test_the_factor_to_a_common_maximum(factor, said):
    assert judged(f"Merging two partial sums with m = max(m1, m2):\n\n```\np2 = {factor}\n```\n")[-1:] == [(4, *said)]


def test_a_factor_of_other_letters_is_left_open():
    assert judged("With m = max(m1, m2):\n\n```\np2 = exp((m - m3) * scale)\n```\n") == []


@pytest.mark.parametrize(
    ("places", "verdict"), [(("0", "n-m"), "holds"), (("m-n", "0"), "holds"), (("0", "m+n"), "fails")]
)
def test_a_turned_query_and_key_depend_on_the_difference(places, verdict):
    a, b = places
    found = judged(f"Of positions m and n:\n\n```\n<RoPE(q, m), RoPE(k, n)> = <RoPE(q, {a}), RoPE(k, {b})>\n```\n")
    right = "<RoPE(q, m), RoPE(k, n)> = <RoPE(q, 0), RoPE(k, n - m)>" if verdict == "fails" else None
    assert found == [(4, verdict, right)]


@pytest.mark.parametrize("gain", [r"g_i", r"\gamma_i"])
def test_rmsnorm_without_its_root(gain):
    mean = r"\frac{1}{n} \sum_{i=1}^n x_i^2"
    [found] = judged(f"RMSNorm scales by the root mean square:\n\n$$y_i = \\frac{{x_i}}{{{mean}}} {gain}$$\n")
    assert found[1] == "fails"
    assert rf"\sqrt{{{mean}}}" in found[2]
    assert judged(f"Another norm:\n\n$$y_i = \\frac{{x_i}}{{{mean}}} {gain}$$\n") == []


@pytest.mark.parametrize(("ones", "known"), [(r"i \geq j", True), (r"i \leq j", False)])
def test_the_logarithm_of_a_mask_of_ones(ones, known):
    other = "i < j" if known else "i > j"
    cases = rf"\begin{{cases}} 1 & \text{{if }} {ones} \\ 0 & \text{{if }} {other} \end{{cases}}"
    output = r"$$O = \text{softmax}(QK^\top / \sqrt{d} + \log M) V$$"
    text = f"The causal mask is\n\n$$M_{{i,j}} = {cases}$$\n\n{output}\n"
    assert any(line == 5 for line, verdict, _ in judged(text) if verdict.startswith("holds")) is known


@pytest.mark.parametrize(
    ("size", "said"),
    [("√d_k", ("holds", None)), ("d_k", ("fails", "dot products grow in magnitude proportional to √d_k"))],
)
def test_how_large_scores_grow(size, said):
    sentence = f"dot products grow in magnitude proportional to {size}"
    assert (3, *said) in judged(f"Then $\\mathrm{{Var}}(q \\cdot k) = d_k$.\n\nThe {sentence}.\n")
    assert judged(f"The {sentence}.\n") == []
    chinese = f"方差为 d_k。\n\n因此点积的大小与 {size} 成正比。\n"
    corrected = None if said[1] is None else "点积的大小与 √d_k 成正比"
    assert judged(chinese) == [(3, said[0], corrected)]


def test_a_label_with_an_i_in_it_is_no_index():
    right = r"q_{\text{dim}} e^{i\theta} = q_{\text{dim}} (\cos\theta + i\sin\theta)"
    assert judged(f"A pair of features is a complex number.\n\n$${right}$$\n") == [(3, "holds", None)]
    assert judged(f"A pair of features is a complex number.\n\n$${right.replace('text{dim}', 'mathrm{i,x}')}$$\n") == []


def test_every_sentence_about_growth_is_judged():
    both = "Dot products grow in magnitude proportional to √d_k. The scores grow in magnitude proportional to d_k."
    assert [verdict for _, verdict, _ in judged(f"Here $\\mathrm{{Var}}(q \\cdot k) = d_k$.\n\n{both}\n")][1:] == [
        "holds",
        "fails",
    ]


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("d_k = 64, the std is 8", ("holds", None)),
        ("d_k = 64, the std is 64", ("fails", "d_k = 64, the std is √64")),
        ("d_k = 64, the std is 16", None),
        ("d_k = 2, the standard deviation is 1.41", ("holds", None)),  # √2 = 1.414
        ("d_k = 2, the standard deviation is 2", ("fails", "d_k = 2, the standard deviation is √2")),
        ("d_k = 2, the standard deviation is 1.5", None),
        ("d_k = 5, the std is 2.24", ("holds", None)),  # √5 = 2.236
        ("d_k = 3, the std is 1.74", None),  # √3 = 1.732
        ("d_k = 1, the std is 1", None),
        ("d_k = 64, after scaling the std is 8", None),
        ("d_k = 64, after scaling the std is 64", None),
    ],
)
def test_how_far_scores_spread(sentence, said):
    assert judged(f"The variance is d_k.\n\nWith {sentence}.\n") == ([] if said is None else [(3, *said)])
    assert judged(f"With {sentence}.\n") == []
