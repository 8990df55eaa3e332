"""Online softmax as papers print it. What is right was worked out by hand from Σ e^{s − m} v over all keys."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

UNDIVIDED = [r"\tilde{P}^{(j)} = \exp(S^{(j)} - m^{(j)})", r"O = \text{diag}(\ell^{(j)})^{-1} O^{(j)}"]
DIVIDED = [r"O^{(1)} = \text{diag}(\ell^{(1)})^{-1} e^{S^{(1)} - m^{(1)}} V^{(1)}"]
ONE_KEY = [r"d_i = d_{i-1} e^{m_{i-1} - m_i} + e^{x_i - m_i}"]
LOGARITHMS = [r"\ell_j = \log \sum \exp S_j", r"\ell = \log(e^{\ell_a} + e^{\ell_b})"]
FACTOR = [r"\rho = \exp(m_1 - m_2)"]


def verdict(*formulas):
    text = "Online softmax:\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    report = check_article(read_article("a.md", text))
    return [(x.verdict, x.theorem.key.rpartition("_")[2]) for x in report.formulas if x.line == 2 * len(formulas) + 1]


RIGHT = [
    ([], r"\ell^{(j)} = e^{m^{(j-1)} - m^{(j)}} \ell^{(j-1)} + \text{rowsum}(e^{S^{(j)} - m^{(j)}})", "tried"),
    ([], r"m^{(j)} = \max(m^{(j-1)}, \text{rowmax}(S^{(j)}))", "tried"),
    (UNDIVIDED, r"O^{(j)} = \text{diag}(e^{m^{(j-1)} - m^{(j)}}) O^{(j-1)} + \tilde{P}^{(j)} V^{(j)}", "proven"),
    (UNDIVIDED, r"L = m^{(j)} + \log(\ell^{(j)})", "tried"),
    (DIVIDED, r"O^{(2)} = \text{diag}(\ell^{(2)})^{-1} \left(\text{diag}(\ell^{(1)}) \text{diag}(e^{m^{(1)} - m^{(2)}})"
              r" O^{(1)} + e^{S^{(2)} - m^{(2)}} V^{(2)}\right)", "proven"),
    ([], ONE_KEY[0], "tried"),
    (ONE_KEY, r"o_i = o_{i-1} \frac{d_{i-1} e^{m_{i-1} - m_i}}{d_i} + \frac{e^{x_i - m_i}}{d_i} v_i", "tried"),
    ([], r"\ell^{new} = e^{m - m^{new}} \ell + e^{\tilde{m} - m^{new}} \tilde{\ell}", "tried"),
    ([], r"\text{lse} = \log(e^{\text{lse}_1} + e^{\text{lse}_2})", "tried"),
    ([r"\text{lse} = \log(e^{\text{lse}_1} + e^{\text{lse}_2})"],
     r"o = \frac{e^{\text{lse}_1} o_1 + e^{\text{lse}_2} o_2}{e^{\text{lse}_1} + e^{\text{lse}_2}}", "tried"),
    (LOGARITHMS, r"o = e^{\ell_a - \ell} o_a + e^{\ell_b - \ell} o_b", "tried"),
    (LOGARITHMS, r"P_j = \exp(S_j - \ell)", "tried"),
    (FACTOR, r"\ell_2 = \rho \ell_1 + \text{rowsum}(e^{S_2 - m_2})", "tried"),
    ([], r"m(x) = m([x^{(1)} \; x^{(2)}]) = \max([m(x^{(1)}) \; m(x^{(2)})])", "tried"),
    ([], r"\ell(x) = e^{m(x^{(1)}) - m(x)} \ell(x^{(1)}) + e^{m(x^{(2)}) - m(x)} \ell(x^{(2)})", "tried"),
    ([], r"\ell(x) = \sum_i f(x)_i", "tried"),
    ([], r"\text{softmax}(x) = \frac{f(x)}{\ell(x)}", "tried"),
]  # fmt: skip

WRONG = [
    ([], r"\ell^{(j)} = e^{m^{(j)} - m^{(j-1)}} \ell^{(j-1)} + \text{rowsum}(e^{S^{(j)} - m^{(j)}})"),
    ([], r"\ell^{(j)} = \ell^{(j-1)} + \text{rowsum}(e^{S^{(j)} - m^{(j)}})"),
    (UNDIVIDED, r"O^{(j)} = \text{diag}(e^{m^{(j-1)} - m^{(j)}})^{-1} O^{(j-1)} + \tilde{P}^{(j)} V^{(j)}"),
    (UNDIVIDED, r"O^{(j)} = O^{(j-1)} + \tilde{P}^{(j)} V^{(j)}"),
    (UNDIVIDED, r"L = m^{(j)} - \log(\ell^{(j)})"),
    (DIVIDED, r"O^{(2)} = \text{diag}(\ell^{(1)} / \ell^{(2)})^{-1} O^{(1)}"
              r" + \text{diag}(\ell^{(2)})^{-1} e^{S^{(2)} - m^{(2)}} V^{(2)}"),
    (ONE_KEY, r"o_i = o_{i-1} \frac{d_{i-1}}{d_i} + \frac{e^{x_i - m_i}}{d_i} v_i"),
    ([r"\text{lse} = \log(e^{\text{lse}_1} + e^{\text{lse}_2})"],
     r"o = o_1 e^{\text{lse} - \text{lse}_1} + o_2 e^{\text{lse} - \text{lse}_2}"),
    (LOGARITHMS, r"o = e^{\ell - \ell_a} o_a + e^{\ell - \ell_b} o_b"),
    ([], r"\ell(x) = e^{m(x) - m(x^{(1)})} \ell(x^{(1)}) + e^{m(x) - m(x^{(2)})} \ell(x^{(2)})"),
    (FACTOR, r"O_2 = \text{diag}(\ell_1 / \ell_2)^{-1} \rho O_1 + \text{diag}(\ell_2)^{-1} e^{S_2 - m_2} V_2"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "formula", "how"), RIGHT)
def test_a_right_update_holds(before, formula, how):
    assert verdict(*before, formula) in ([("holds", "proven")], [("holds", how)])


@pytest.mark.parametrize(("before", "formula"), WRONG)
def test_a_wrong_update_fails(before, formula):
    [(found, _)] = verdict(*before, formula)
    assert found == "fails"


def test_without_such_words_the_letters_may_mean_anything():
    report = check_article(read_article("a.md", "$$m^{(2)} = e^{m^{(1)}} + l$$\n"))
    assert report.formulas == ()


def test_the_larger_of_two_has_no_normal_form_and_is_only_tried():
    assert verdict(r"m^{(new)} = \max(m^{(old)}, m^{(block)})") in ([], [("holds", "tried")])


def test_sums_of_a_block_are_its_own():
    update = r"l_{new} = l_{old} \cdot e^{m_{old} - m_{new}} + l_{block} \cdot e^{m_{block} - m_{new}}"
    assert verdict(update)[0][0] == "holds"
    assert verdict(update.replace("m_{block} - m_{new}", "m_{new} - m_{block}"))[0][0] == "fails"
    assert verdict(update.replace("block", "carried")) == []


@pytest.mark.parametrize(
    "formula", ["m_{new} = \\max(2, 4) = 4", r"l_{new} = l_{old} \cdot \exp(2 - 4) + \exp(4 - 4) = 1.1353"]
)
def test_numbers_of_an_example_are_no_formula(formula):
    assert verdict(formula) == []


MERGE = [
    r"m_{new} = \max(m_i, m_{i+1})",
    r"\ell_{new} = e^{m_i - m_{new}} \ell_i + e^{m_{i+1} - m_{new}} \ell_{i+1}",
    r"O_{new} = \frac{e^{m_i - m_{new}} \ell_i O_i + e^{m_{i+1} - m_{new}} \ell_{i+1} O_{i+1}}{\ell_{new}}",
]


@pytest.mark.parametrize(
    "formula", [*MERGE, *(x.replace("{new}", "{i,i+1}").replace("\\ell_", "l_") for x in MERGE[:2])]
)
@pytest.mark.parametrize(
    "before", [[], [ONE_KEY[0], r"m_i = \max(m_{i-1}, x_i)"]], ids=["alone", "after a running sum"]
)
def test_blocks_with_consecutive_indices_are_merged_by_their_own_statistics(before, formula):
    assert [v for v, _ in verdict(*before, formula)] == ["holds"]


@pytest.mark.parametrize("formula", [
    r"e^{m_i - m_{new}} \ell_i + e^{m_{i+1} - m_{new}} \ell_{i+1} = \ell_{new}",
    r"\ell_{new} = e^{m_a - m_{new}} \ell_a + e^{m_b - m_{new}} \ell_b",
    r"L = e^{m_i - m} \ell_i + e^{m_{i+1} - m} \ell_{i+1}",
    r"\ell_{i+1}' = e^{m_i - m_{i+1}'} \ell_i + e^{m_{i+1} - m_{i+1}'} \ell_{i+1}",
    r"\ell_i = e^{m_i - m_{new}} \ell_i + e^{m_{i+1} - m_{new}} \ell_{i+1}",
])  # fmt: skip
def test_a_merge_is_known_in_other_letters_and_from_right_to_left(formula):
    assert [v for v, _ in verdict(formula)] == ["holds"]
    assert [v for v, _ in verdict(formula.replace("e^{m_i -", "e^{-m_i +").replace("e^{m_a -", "e^{-m_a +"))] == [
        "fails"
    ]


def test_a_merge_beside_others_does_not_settle_what_runs():
    assert [v for v, _ in verdict(*MERGE, ONE_KEY[0])] == ["holds"]


@pytest.mark.parametrize("formula", [
    r"\ell_{new} = e^{m_i - m_{new}} \ell_i + \ell_{i+1}",
    r"\ell_{new} = e^{m_{new} - m_i} \ell_i + e^{m_{i+1} - m_{new}} \ell_{i+1}",
])  # fmt: skip
def test_a_merge_with_a_factor_wrong_fails(formula):
    assert [v for v, _ in verdict(*MERGE[:2], formula)] == ["fails"]


UPDATE = "(exp(m_{old} - m_{new}) * l_{old} * O + exp(\\tilde{m} - m_{new}) * \\tilde{P} @ V) / l_{new}"


@pytest.mark.parametrize(
    ("before", "formula", "expected"),
    [
        ([], "O_{new} = " + UPDATE, ["holds"]),
        ([], "O = " + UPDATE, ["holds"]),  # overwritten
        ([], "O = " + UPDATE.replace("l_{old} * ", ""), ["fails"]),
        ([r"P = \exp(S - m_{new})", r"O_{new} = (e^{m_{old} - m_{new}} l_{old} O_{old} + P V) / l_{new}"],
         "O = " + UPDATE, []),
        ([], "O_i = diag(l_i^{new})^{-1} (diag(l_i) e^{m_i - m_i^{new}} O_i"
             r" + e^{\tilde{m}_{ij} - m_i^{new}} \tilde{P}_{ij} V_j)", ["holds"]),
        ([], r"l = e^{m_{old} - m} l + \text{rowsum}(e^{S - m})", ["holds"]),
        ([], r"l = e^{m - m_{old}} l + \text{rowsum}(e^{S - m})", ["fails"]),
        ([r"P = \exp(S - m_{new})"], r"l_{new} = e^{m_{old} - m_{new}} l_{old} + \text{rowsum}(P)", ["holds"]),
        ([r"P = \exp(S - m_{new})"], r"l_{new} = e^{m_{new} - m_{old}} l_{old} + \text{rowsum}(P)", ["fails"]),
    ],
)  # fmt: skip
def test_what_is_overwritten_is_that_of_the_next_step(before, formula, expected):
    assert [v for v, _ in verdict(*before, formula)] == expected


def test_sides_of_other_shapes_are_of_names_that_mean_something_else():
    # mp_0, the maximum of block 0, is no m times p_0
    text = [r"p_0 = q K_0^\intercal", r"mp_0 = \max(p_0)", r"m_{new} = \max(m, mp_0)", r"p_0 \gets \exp(p_0 - m_{new})"]
    for count in (3, 4):
        assert verdict(*text[:count]) == []


def told(*formulas):
    text = "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    return [each.verdict for each in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\ell_{new} = e^{m_{old} - m_{new}} \ell_{old} + \sum e^{x_i - m_{new}}", "holds"),
        (r"\ell_{new} = e^{m_{new} - m_{old}} \ell_{old} + \sum e^{x_i - m_{new}}", "fails"),
        (r"\ell_{new} = e^{m_{old} - m_{new}} \ell_{old} + \sum e^{x_i - m_{old}}", "fails"),
        (r"l_i = l_{i-1} e^{m_{i-1} - m_i} + \sum_j e^{s_j - m_i}", "holds"),
        (r"y_{new} = e^{m_{old} - m_{new}} y_{old} + \sum_j e^{S_j - m_{new}} V_j", "holds"),
    ],
)
def test_sums_over_the_keys_of_a_block(formula, verdict):
    assert told(formula) == [verdict]


def test_a_factor_with_a_name_of_its_own():
    factor = r"d_{scale} = e^{m_{old} - m_{new}}"
    assert told(factor, r"\ell_{new} = d_{scale} \ell_{old} + \sum e^{S_j - m_{new}}") == ["holds"]
    wrong = r"y_{new} = d_{scale} y_{old} + \sum \frac{e^{S_j - m_{new}}}{\ell_{new}} V_j"
    assert told(factor, wrong) == ["fails"]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"d'_i = \sum_{j=1}^{i} e^{x_j - m_i}", "holds"),
        (r"d'_i = \sum_{j=1}^{i-1} e^{x_j - m_i} + e^{x_i - m_i}", "holds"),
        (r"d'_i = \left(\sum_{j=1}^{i-1} e^{x_i - m_i}\right) + e^{x_i - m_i}", "fails"),
        (r"d'_i = \sum_{j=1}^{i-1} e^{x_j - m_i}", "fails"),
    ],
)
def test_sums_over_the_keys_so_far(formula, verdict):
    step = r"d'_i = d'_{i-1} e^{m_{i-1} - m_i} + e^{x_i - m_i}"
    assert told(step, formula) == ["holds", verdict]


def test_a_difference_the_other_way_round_is_named():
    text = r"Online softmax: $$d_j = d_{j-1} e^{m_j - m_{j-1}} + e^{x_j - m_j}$$" + "\n"
    [found] = check_article(read_article("a.md", text)).formulas
    assert found.right == r"d_j = d_{j-1} e^{m_{j-1} - m_j} + e^{x_j - m_j}"


def said(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]


MARKED = (
    r"$m^{(new)} = \max(m^{(old)}, m^{(block)})$, $\ell^{(new)} = e^{m^{(old)} - m^{(new)}} \ell^{(old)}"
    r" + e^{m^{(block)} - m^{(new)}} \sum_j e^{s_{ij} - m^{(%s)}}$"
)
PRIMED = r"$m_{new} = \max(m, m')$, $\ell_{new} = e^{m - m_{new}}\ell + e^{m' - m_{new}}%s$ in two blocks"


@pytest.mark.parametrize(
    ("text", "good", "bad"), [(MARKED, "block", "old"), (PRIMED, r"\ell'", r"\ell")], ids=["brackets", "primes"]
)
def test_states_in_brackets_and_a_second_block_with_primes(text: str, good: str, bad: str) -> None:
    assert said(text % good) == ["holds", "holds"]
    assert said(text % bad) == ["holds", "fails"]


def test_a_largest_width_is_no_running_sum() -> None:
    assert said("In each block the cost is $n^2 d$ with $d = max(d_k, d_v)$.") == []


STEP = r"\frac{e^{x_i - m_i}}{d'_i} V[i,:]"
OUTPUT = r"o'_i = o'_{i-1} \frac{d'_{i-1} e^{m_{i-1} - m_i}}{d'_i} + " + STEP
TWICE = r"l_{N+1} = l_N e^{m_N - m_{N+1}} + e^{x_{N+1} - m_{N+1}} = \sum_{j=1}^{N+1} e^{x_j - m_{N+1}}"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (OUTPUT, ("d'_{i-1} e", "d'_{i} e")),
        (
            r"o'_i = \sum_{j=1}^{i-1} \frac{e^{x_j - m_i}}{d'_i} V[j,:] + " + STEP,
            ("m_i}}{d'_i} V[j", "m_i}}{d'_{i-1}} V[j"),
        ),
        (r"\text{sum}_i = \text{sum}_{i-1} e^{m_{i-1} - m_i} + e^{x_i - m_i}", ("m_{i-1} - m_i", "m_i - m_{i-1}")),
        (r"o_i = o_{i-1} + a_i V[i,:]", ("o_{i-1}", "o_i")),
        (r"m_i = \max(x_1, \ldots, x_i)", ("x_1", "x_2")),
        (TWICE, ("- m_{N+1}} =", "- m_N} =")),
    ],
)
def test_outputs_key_by_key(right: str, wrong: tuple[str, str]) -> None:
    text = "Online softmax:\n\n$$d'_i = d'_{i-1} e^{m_{i-1} - m_i} + e^{x_i - m_i}$$\n\n$$%s$$\n"
    said = [
        [x.verdict for x in check_article(read_article("a.md", text % e)).formulas if x.line == 5]
        for e in (right, right.replace(*wrong))
    ]
    assert said[0] == ["holds"]
    assert "holds" not in said[1]


@pytest.mark.parametrize(
    ("words", "formula", "said"),
    [
        ("For $i = N$ we have", r"d_N = \sum_{j=1}^{i} e^{x_j - m_N}", "holds"),
        ("当 i = N 的时候，有：", r"o_N = \sum_{j=1}^i \frac{e^{x_j - m_N}}{d_N} v_j", "holds"),
        ("For $i = N$ we have", r"d_N = \sum_{j=1}^{i} e^{m_N - x_j}", "fails"),
        ("For $i = 1, \\ldots, N$ we have", r"d_N = \sum_{j=1}^{i} e^{x_j - m_N}", "fails"),
        ("For all of them, not only $i = N$. So", r"d_N = \sum_{j=1}^{i} e^{x_j - m_N}", "fails"),
    ],
)
def test_words_in_front_say_what_an_index_is(words, formula, said):
    rescaled = r"$$d_i = \sum_{j=1}^i e^{x_j - m_i} \\ d_i = d_{i-1} e^{m_{i-1} - m_i} + e^{x_i - m_i}$$"
    text = f"Online softmax: {rescaled}\n\n{words}\n\n$${formula}$$\n"
    found = [each for each in check_article(read_article("a.md", text)).formulas if each.line == 5]
    assert [each.verdict for each in found] == [said]


SCALED = [r"\alpha = e^{m_{old} - m_{new}}", r"p = e^{s - m_{new}}"]
OWN_SUM = [r"\ell_{block} = \sum e^{x_{block} - m_{block}}"]
SPELLED = [
    ([], "m_new = max(m_old, tile_max)", "m_new = max(m_old, m_old)"),
    ([], "l_new = exp(m_old - m_new) * l_old + sum(exp(score - m_new))",
     "l_new = exp(m_new - m_old) * l_old + sum(exp(score - m_new))"),
    ([], "acc_new = exp(m_old - m_new) * acc_old + sum(exp(scores - m_new) * V)",
     "acc_new = exp(m_old - m_new) * acc_old + sum(exp(scores - m_old) * V)"),
    (OWN_SUM, r"\ell_{new} = \ell_{running} e^{m_{running} - m_{new}} + \ell_{block} e^{m_{block} - m_{new}}",
     r"\ell_{new} = \ell_{running} e^{m_{running} - m_{new}} + \ell_{block} e^{m_{running} - m_{new}}"),
    (SCALED, r"l_{new} = \alpha l_{old} + \sum p", r"l_{new} = l_{old} + \alpha \sum p"),
    (SCALED, r"O_{new} = \alpha O_{old} + p^T V_{block}", r"O_{new} = O_{old} + p^T V_{block}"),
    ([], "l = l * exp(m_old - m_new) + sum(exp(chunk - m_new))", "l = l + sum(exp(chunk - m_new))"),
    ([], "l = l * exp(m_old - m_new) + sum(exp(x_block - m_new))", "l = l + sum(exp(x_block - m_new))"),
    ([], r"\ell_{new} = e^{m_t - m_{new}} \ell_t + \sum e^{S^{(t+1)} - m_{new}}",
     r"\ell_{new} = \ell_t + \sum e^{S^{(t+1)} - m_{new}}"),
    ([], r"O_{new} = \frac{e^{m_t - m_{new}} \ell_t O_t + e^{S^{(t+1)} - m_{new}} V^{(t+1)}}{\ell_{new}}",
     r"O_{new} = \frac{e^{m_t - m_{new}} O_t + e^{S^{(t+1)} - m_{new}} V^{(t+1)}}{\ell_{new}}"),
    ([], r"\ell^{\new} = e^{m - m^{\new}} \ell + e^{\tilde{m} - m^{\new}} \tilde{\ell}",
     r"\ell^{\new} = e^{m^{\new} - m} \ell + e^{\tilde{m} - m^{\new}} \tilde{\ell}"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "right", "wrong"), SPELLED)
def test_spellings_of_notes_and_programs(before, right, wrong):
    assert [x for x, _ in verdict(*before, right)] == ["holds"]
    assert [x for x, _ in verdict(*before, wrong)] == ["fails"]


def test_an_output_that_was_rescaled_in_place_is_left_alone():
    assert verdict(*SCALED, r"O_{old} = \alpha O_{old}", r"O_{new} = O_{old} + p^T V_{block}") == []


def test_a_line_that_rescales_in_place_is_half_a_step():
    assert verdict(r"O_{new} = O_{old} \cdot e^{m_{new} - m_{old}}", r"O = O \cdot e^{m_{old} - m_{new}}") == []
    assert [x for x, _ in verdict(r"O = O \cdot e^{m_{new} - m_{old}}")] == ["fails"]


def test_the_sum_of_a_block_alone_is_at_a_maximum_that_is_said_or_supposed():
    added = r"\ell_{new} = e^{m_{old} - m_{new}} \ell_{old} + \ell_{local}"
    assert [x for x, _ in verdict(added)] == ["holds-if"]
    assert [x for x, _ in verdict(r"\ell_{local} = \text{rowsum}(e^{S - m_{new}})", added)] == ["holds"]
    assert [x for x, _ in verdict(added.replace("m_{old} - m_{new}", "m_{new} - m_{old}"))] == ["fails"]


BLOCKS = "Online softmax with running maximum $m$ and running sum $\\ell$, when a block of scores arrives.\n\n"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"m' = \max(m, \max(s_{\text{new}}))", ["holds"]),  # s_new: the scores of the block, no state
        (r"\ell' = e^{m - m'} \ell + \sum_j e^{s_{\text{new},j} - m'}", ["holds"]),
        (r"\ell' = e^{m' - m} \ell + \sum_j e^{s_{\text{new},j} - m'}", ["fails"]),
        (r"m' = \max(m, \max_j x_j)", ["holds"]),
        (r"\ell' = e^{m - m'} \ell + \sum_j e^{x_j - m'}", ["holds"]),
        (r"\ell' = e^{m - m'} \ell + \sum_j e^{x_i - m'}", []),  # a sum over nothing
        (
            r"\ell_i^{(j)} = e^{m_i^{(j-1)} - m_i^{(j)}} \ell_i^{(j-1)} + \text{rowsum}(e^{S_i^{(j)} - m_i^{(j)}})",
            ["holds"],
        ),
        (r"\ell_k^{(j)} = e^{m_i^{(j-1)} - m_i^{(j)}} \ell_i^{(j-1)} + \text{rowsum}(e^{S_i^{(j)} - m_i^{(j)}})", []),
        (r"O_j = \text{diag}(\ell_i^{(N)})^{-1} O_i^{(N)}", []),
    ],
)
def test_a_block_is_read_by_its_scores_and_a_state_by_its_query(said, verdict):
    assert [x.verdict for x in check_article(read_article("a.md", f"{BLOCKS}$${said}$$\n")).formulas] == verdict


def test_a_line_that_takes_the_largest_of_a_block_says_what_a_sum_runs_over():
    lines = r"$$m' = \max(m, \max_j x_j)$$" + "\n\n" + r"$$\ell' = e^{m - m'} \ell + e^{x_j - m'}$$"
    assert [(x.line, x.verdict) for x in check_article(read_article("a.md", BLOCKS + lines)).formulas] == [(3, "holds")]


def test_the_largest_score_of_a_block_is_its_own():
    assert [
        x.verdict for x in check_article(read_article("a.md", BLOCKS + r"$\tilde m = \text{rowmax}(S_b)$")).formulas
    ] == ["holds"]


def test_a_gradient_is_of_no_running_softmax():
    text = r"The online softmax: $m^{(2)} = \max(m^{(1)}, s^{(2)})$."
    slope = r"$$ds'^{(1)}_s = dp_s^{(1)} (\mathrm{diag}(p_s^{(1)}) - (p_s^{(1)})^\top p_s^{(1)})$$"
    found = check_article(read_article("a.md", f"{text}\n\n{slope}\n")).formulas
    assert [each.verdict for each in found if each.line == 3] != ["fails"]


def test_a_bare_sum_may_be_of_the_keys_before():
    text = r"$d_{new} = d \cdot e^{m - m_{new}} + e^{x - m_{new}}$. So far $d = \sum e^{s_j - m}$."
    found = check_article(read_article("a.md", f"The online softmax: {text}\n")).formulas
    assert "fails" not in [each.verdict for each in found]


OF_TWO = r"\text{LSE}_{new} = \log(\exp(\text{LSE}_{old}) + \exp(\text{LSE}_{local}))"
LARGER = r"\max(\text{LSE}_{old}, \text{LSE}_{local}) + \log(1 + \exp(@|\text{LSE}_{old} - \text{LSE}_{local}|))"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (f"{OF_TWO} = {LARGER.replace('@', '-')}", ["holds"]),
        (f"{OF_TWO} = {LARGER.replace('@', '')}", ["fails"]),
        (rf"{OF_TWO} = \max(a, b) + \log(1 + \exp(-|a - b|))", []),  # a and b are of no line
        (rf"{OF_TWO} = m + \log(e^{{a - m}} + e^{{b - m}})", []),
        (r"m' = \max(\text{LSE}_1, \text{LSE}_2)", []),  # the larger of two logarithms, and of no scores
        (r"m = \max(\ell_1, \ell_2)", []),
        (r"m_{new} = \max(m_{old}, \text{LSE}_{block})", ["fails"]),
        (r"m_{new} = \max(m_{old}, \ell_{old})", ["fails"]),
    ],
)
def test_letters_of_no_line_in_a_merge_of_two_logarithms(formula, expected):
    assert [found for found, _ in verdict(formula)] == expected


BY_BLOCKS = [
    r"m_{new} = \max(m_{old}, \max(S_{block}))",
    r"\ell_{new} = e^{m_{old} - m_{new}} \cdot \ell_{old} + \sum_j e^{S_j - m_{new}}",
]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (r"e^{m_{old} - m_{new}} \cdot \ell_{old} \cdot O_{old}", r"e^{S_{block} - m_{new}} \cdot V_{block}", "holds"),
        (r"e^{m_{old} - m_{new}} \cdot \ell_{old} O_{old}", r"e^{S_{block} - m_{new}} V_{block}", "holds"),
        (r"\ell_{old} \cdot e^{m_{old} - m_{new}} \cdot O_{old}", r"e^{S_{block} - m_{new}} \cdot V_{block}", "holds"),
        (r"e^{m_{old} - m_{new}} \cdot \ell_{new} \cdot O_{old}", r"e^{S_{block} - m_{new}} \cdot V_{block}", "fails"),
        (r"e^{m_{old} - m_{new}} \cdot \ell_{old} \cdot O_{old}", r"e^{S_{block} - m_{old}} \cdot V_{block}", "fails"),
        (r"e^{m_{new} - m_{old}} \cdot \ell_{old} \cdot O_{old}", r"e^{S_{block} - m_{new}} \cdot V_{block}", "fails"),
    ],
)
def test_dots_between_the_numbers_of_queries_are_products_by_entry(old, new, expected):
    formula = rf"O_{{new}} = \frac{{{old} + {new}}}{{\ell_{{new}}}}"
    assert [found for found, _ in verdict(*BY_BLOCKS, formula)] == [expected]


@pytest.mark.parametrize(("inverse", "expected"), [("", "holds"), ("^{-1}", "fails")])
def test_a_block_may_be_named_by_its_set_of_keys(inverse, expected):
    largest = r"m^{(j)} = \max(m^{(j-1)}, \max(S_{B_j}))"
    factor = r"\text{diag}(e^{m^{(j-1)} - m^{(j)}})" + inverse
    update = rf"O^{{(j)}} = {factor} O^{{(j-1)}} + e^{{S_{{B_j}} - m^{{(j)}}}} V_{{B_j}}"
    assert [found for found, _ in verdict(largest, update)] == [expected]
    assert [found for found, _ in verdict(largest, update.replace(" O^{(j-1)}", r" \cdot O^{(j-1)}"))] == [expected]


@pytest.mark.parametrize(
    "formula",
    [
        r"L = e^{m_1 - m} L_1 + e^{m_2 - m} L_2",
        r"L_{new} = e^{m_{old} - m_{new}} L_{old} + e^{x_j - m_{new}}",
        r"O = \frac{e^{m_1 - m} L_1 O_1 + e^{m_2 - m} L_2 O_2}{L}",
        r"\text{softmax}(x_i) = e^{x_i - m} / l",
    ],
)
def test_a_rescaled_letter_is_a_sum_and_the_softmax_of_one_score_is_over_all_keys(formula):
    assert [said for said, _ in verdict(formula)] == ["holds"]
    wrong = formula.replace("m_2 - m}", "m - m_2}").replace("m_{old} - m_{new}", "m_{new} - m_{old}")
    wrong = wrong.replace("x_i - m}", "x_i + m}")
    assert [said for said, _ in verdict(wrong)] == ["fails"]


def test_a_mark_that_all_names_have_may_be_that_of_a_head():
    text = "m^(2) = rowmax(S_2)\n\nP^(2) = diag(ℓ^(2))^(−1) P̃^(2)"
    assert not [x for x in check_article(read_article("a.txt", text)).formulas if x.verdict == "fails"]
    wrong = text.replace("^(−1)", "")
    assert [x.verdict for x in check_article(read_article("a.txt", wrong)).formulas][-1:] == ["fails"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"m_i^{(j)} = \max(m_i^{(j-1)}, \text{rowmax}(S_{ij}))", ["holds"]),
        (r"m_i^{(j)} = \max(m_i^{(j)}, \text{rowmax}(S_{ij}))", []),
        (r"m_j = \max(m_j, x_j)", []),
        (r"m_i = \max(m_i, \text{rowmax}(S_{ij}))", ["holds"]),  # of row i
        (r"m_i \leftarrow \max(m_i, s_{ij})", ["holds"]),
        (r"m = \max(m, \text{rowmax}(S_{ij}))", ["holds"]),  # a new value
    ],
)
def test_a_maximum_at_a_step_that_is_that_of_itself_says_nothing(formula, expected):
    assert [said for said, _ in verdict(formula)] == expected


MERGED = "For row i the parts are merged by {}.\n"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("lse_i = log(e^{lse_i^{(1)}} + e^{lse_i^{(2)}})", ["holds"]),
        ("o_i = e^{lse_i^{(1)} − lse_i} o_i^{(1)} + e^{lse_i^{(2)} − lse_i} o_i^{(2)}", ["holds"]),
        ("lse_i = e^{lse_i^{(1)}} + e^{lse_i^{(2)}}", ["fails"]),
        ("o_i = e^{lse_i − lse_i^{(1)}} o_i^{(1)} + e^{lse_i − lse_i^{(2)}} o_i^{(2)}", ["fails"]),
        ("o_i = e^{lse_i^{(1)} − lse_i} o_i^{(1)} + e^{lse_i^{(1)} − lse_i} o_i^{(2)}", ["fails"]),
    ],
)
def test_the_name_of_a_log_sum_tells_what_is_merged(formula, expected):
    found = check_article(read_article("a.md", MERGED.format(formula))).formulas
    assert [each.verdict for each in found] == expected


@pytest.mark.parametrize("mark", ["block", "local"])
def test_the_weights_of_a_block_stand_beside_its_own_maximum(mark):
    own = rf"P = \exp(S - m_{{{mark}}})"
    assert verdict(rf"m_{{new}} = \max(m_{{old}}, m_{{{mark}}})", own) == [("holds", "proven")]
    assert verdict(rf"m_{{new}} = \max(m_{{old}}, m_{{{mark}}})", own.replace("- m", "+ m")) != [("holds", "proven")]


BY_TWO_INDICES = [
    r"m_{ij} = \max(S_{ij})",
    r"m_{new} = \max(m, m_{ij})",
    r"\ell_{new} = \ell \cdot e^{m - m_{new}} + \ell_{ij} \cdot e^{m_{ij} - m_{new}}",
    r"O_{local} = (e^{S_{ij} - m_{ij}}) V_j",
]
UPDATED_BY_LOCAL = (
    r"O_i = O_i \cdot \frac{\ell}{\ell_{new}} e^{m - m_{new}} + \frac{e^{m_{ij} - m_{new}}}{\ell_{new}} O_{local}"
)


def test_quantities_of_a_block_by_two_indices_and_its_own_output():
    for count in range(2, 5):
        assert verdict(*BY_TWO_INDICES[:count])[0][0] == "holds"
    assert verdict(*BY_TWO_INDICES, UPDATED_BY_LOCAL)[0][0] == "holds"
    assert verdict(*BY_TWO_INDICES, UPDATED_BY_LOCAL.replace(r"e^{m - m_{new}}", ""))[0][0] == "fails"
    assert (
        verdict(*BY_TWO_INDICES[:3], BY_TWO_INDICES[3].replace("m_{ij}", "m"), UPDATED_BY_LOCAL)[0][0] != "holds"
    )  # at another maximum
