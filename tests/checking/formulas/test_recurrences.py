"""States of linear attention: what follows from o_t = Σ_{j ≤ t} (q_t · k_j) v_j and the recurrences of papers."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

COLUMNS = [r"S_t = S_{t-1} + k_t v_t^T"]
ROWS = [r"S_t = S_{t-1} + k_t^T v_t"]
DELTA = [r"S_t = S_{t-1}(I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T"]


def verdicts(*formulas):
    text = "Linear attention with a recurrent state:\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    return [x.verdict for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    "formulas",
    [
        [*COLUMNS, "o_t = S_t^T q_t"],
        [*COLUMNS, r"o_t = \sum_{j=1}^{t} (q_t^T k_j) v_j"],
        [*ROWS, "o_t = q_t S_t"],
        [r"S_t = S_{t-1} + v_t k_t^T", "o_t = S_t q_t"],
        [r"S_t = \gamma S_{t-1} + k_t^T v_t", "o_t = q_t S_t"],
        [r"S_t = \text{Diag}(\alpha_t) S_{t-1} + k_t v_t^T", "o_t = S_t^T q_t"],
        [*DELTA, "o_t = S_t q_t"],
        [r"S_t = \alpha_t S_{t-1}(I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T"],
        [r"S_t = (I - \beta_t k_t k_t^T) S_{t-1} + \beta_t k_t v_t^T"],
        [r"S_t = S_{t-1} - \beta_t (S_{t-1} k_t - v_t) k_t^T", "o_t = S_t q_t"],
        [r"S_t = S_{t-1} + \phi(k_t) v_t^T", r"z_t = z_{t-1} + \phi(k_t)",
         r"o_t = \frac{S_t^T \phi(q_t)}{\phi(q_t)^T z_t}"],
        [r"S_{t+1} = S_t + K_t^T V_t", r"O_t = Q_t S_t + (Q_t K_t^T \odot M) V_t"],
        [r"S_i = \sum_{j \le i} \phi(K_j) V_j^T", r"Z_i = \sum_{j \le i} \phi(K_j)",
         r"S_i = S_{i-1} + \phi(K_i) V_i^T"],
        [r"S_i = S_{i-1} + \phi(k_i) v_i^T", r"z_i = z_{i-1} + \phi(k_i)",
         r"h_i = \frac{\phi(q_i)^T S_i}{\phi(q_i)^T z_i}"],
    ],
)  # fmt: skip
def test_states_that_fit_together_hold(formulas):
    assert verdicts(*formulas) == ["holds"] * len(formulas)


@pytest.mark.parametrize(
    "formulas",
    [
        [*COLUMNS, "o_t = S_t q_t"],
        [*COLUMNS, r"o_t = q_t S_t"],
        [*COLUMNS, r"o_t = \sum_{j=1}^{t-1} (q_t^T k_j) v_j"],
        [r"S_t = S_{t-1} + v_t k_t^T", "o_t = S_t^T q_t"],
        [r"S_t = S_{t-1} + \phi(k_t) v_t^T", r"z_t = z_{t-1} + \phi(k_t)", r"o_t = \frac{S_t^T \phi(q_t)}{z_t}"],
        [r"S_{t+1} = S_t + K_t^T V_t", r"O_t = Q_t S_t + (Q_t K_t^T) V_t"],
        [r"S_i = \sum_{j \le i} \phi(K_j) V_j^T", r"S_i = S_{i-1} + \phi(K_{i-1}) V_i^T"],
        [
            r"S_i = S_{i-1} + \phi(k_i) v_i^T",
            r"z_i = z_{i-1} + \phi(k_i)",
            r"h_i = \frac{\phi(q_i)^T z_i}{\phi(q_i)^T S_i}",
        ],
    ],
)
def test_what_does_not_fit_the_lines_before_fails(formulas):
    *before, last = verdicts(*formulas)
    assert (set(before), last) == ({"holds"}, "fails")


@pytest.mark.parametrize(
    "formula",
    [
        r"S_t = S_{t-1}(I + \beta_t k_t k_t^T) + \beta_t v_t k_t^T",
        r"S_t = (I - \beta_t k_t k_t^T) S_{t-1} + \beta_t v_t k_t^T",
        r"S_t = S_{t-1}(I - \beta_t k_t k_t^T) + v_t k_t^T",
    ],
)
def test_a_delta_rule_that_is_none_fails(formula):
    assert verdicts(formula) == ["fails"]


@pytest.mark.parametrize(
    "formula", ["S_t = U_t S_{t-1} + k_t v_t^T", r"S_t = \tanh(S_{t-1} + k_t v_t^T)", "S_t = S_{t-1} + k_t v_t"]
)
def test_another_recurrence_is_not_judged(formula):
    assert "fails" not in verdicts(formula)


def test_a_sum_over_all_tokens_is_no_state():
    assert "fails" not in verdicts(r"O_i = \phi(Q_i)^\top \left(\sum_j \phi(K_j) V_j^\top\right)")
    whole = r"o_i = \frac{\phi(q_i)^T \sum_{j=1}^{N} \phi(k_j) v_j^T}{\phi(q_i)^T \sum_{j=1}^{N} \phi(k_j)}"
    assert "fails" not in verdicts(
        whole, r"S_t = S_{t-1} + \phi(k_t) v_t^T", r"o_t = \frac{\phi(q_t)^T S_t}{\phi(q_t)^T z_t}"
    )


GATE = r"\text{Diag}(\alpha_t)"
GATED = [
    r"S_t = (I - \beta_t k_t k_t^T) G S_{t-1} + \beta_t k_t v_t^T",
    r"S_t = G S_{t-1} - \beta_t k_t k_t^T G S_{t-1} + \beta_t k_t v_t^T",
    r"S_t = G S_{t-1} + \beta_t k_t (v_t^T - k_t^T G S_{t-1})",
    r"S_t = G (I - \beta_t k_t k_t^T) S_{t-1} + \beta_t k_t v_t^T",
    r"S_t = S_{t-1} G (I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T",
    r"S_t = S_{t-1} (I - \beta_t k_t k_t^T) G + \beta_t v_t k_t^T",
]


@pytest.mark.parametrize("gate", [GATE, r"\alpha_t", r"\gamma"])
@pytest.mark.parametrize("formula", GATED)
def test_the_delta_rule_decays_before_or_after_it_takes_off(formula, gate):
    assert verdicts(formula.replace("G", gate)) == ["holds"]


def test_the_delta_rule_may_have_strength_1():
    assert verdicts(r"S_t = S_{t-1} (I - k_t k_t^T) + v_t k_t^T") == ["holds"]
    assert verdicts(r"S_t = S_{t-1} (I + k_t k_t^T) + v_t k_t^T") == ["fails"]


@pytest.mark.parametrize(
    "formula",
    [
        r"S_t = \alpha_t S_{t-1} + (1 - \alpha_t) k_t v_t^T",
        r"S_t = \alpha_t (S_{t-1} + k_t v_t^T)",
        r"S_t = (1 - \beta_t) S_{t-1} + \beta_t k_t v_t^T",
        r"S_t = S_{t-1} \text{Diag}(\alpha_t) + k_t v_t^T",
        r"S_t = \alpha_t S_{t-1} + \beta_t k_t (v_t^T - k_t^T S_{t-1})",
        r"S_t = S_{t-1} G (I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T".replace("G", GATE),  # the state turned
    ],
)
def test_another_gate_than_the_usual_is_not_false(formula):
    assert verdicts(*COLUMNS, "o_t = S_t^T q_t", formula) == ["holds", "holds"]


@pytest.mark.parametrize("formula", [GATED[0].replace("I -", "I +"), GATED[2].replace("- k", "+ k")])
def test_a_wrong_sign_in_a_gated_rule_fails(formula):
    assert verdicts(GATED[0].replace("G", GATE), formula.replace("G", GATE)) == ["holds", "fails"]


def test_a_state_that_goes_on_says_so_by_itself():
    right = r"$$S_t = (I - \beta_t k_t k_t^\top) S_{t-1} + \beta_t k_t v_t^\top$$"
    wrong = r"$$S_t = S_{t-1}(I - \beta_t k_t k_t^\top) + v_t k_t^\top = S_{t-1} + \beta_t(v_t - S_{t-1} k_t)k_t^\top$$"
    for text, verdict in ((right, "holds"), (wrong, "fails")):
        [found] = check_article(read_article("a.md", text + "\n")).formulas
        assert found.verdict == verdict


@pytest.mark.parametrize(("step", "inner"), [("j", "i"), ("r", "m"), ("n", "j")])
def test_any_letter_may_count_the_steps(step: str, inner: str) -> None:
    text = (
        rf"Linear attention: $S_{step} = \sum_{{{inner}=1}}^{step} \phi(k_{inner}) v_{inner}^T$, "
        rf"$z_{step} = z_{{{step}-1}} + \phi(k_{step})$ and "
        rf"$S_{step} = S_{{{step}-1}} + \phi(k_{{{step}-1}}) v_{step}^T$."
    )
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == ["holds", "holds", "fails"]


@pytest.mark.parametrize("letter", ["W", "M", "H"])
def test_the_state_may_have_any_letter(letter: str) -> None:
    lines = [*COLUMNS, *DELTA, "o_t = S_t q_t"]
    lines = [lines[0], *(line.replace("S_", f"{letter}_") for line in lines[1:])]
    assert verdicts(*lines) == ["holds"] * 3
    assert verdicts(*lines[:2], lines[2].replace(f"{letter}_t", f"{letter}_t^T")) == ["holds", "holds", "fails"]


RULE = ("v_{delta} = \\beta_t (v_t - v_{old})", "S_t = S_{t-1} + k_t v_{delta}^T", "o_t = S_t^T q_t")


@pytest.mark.parametrize(
    ("read", "verdict"),
    [("v_{old} = S_{t-1}^T k_t", "holds"), ("v_{old} = S_{t-1} k_t", "fails")],
)
def test_what_the_key_reads_is_a_value(read, verdict):
    found = verdicts(read, *RULE)
    assert found[0] == verdict
    assert "fails" not in found[1:]


def test_what_a_key_reads_is_mended_in_the_layout_of_the_other_lines():
    text = "\n\n".join(f"$${x}$$" for x in ("v_{old} = S_{t-1} k_t", *RULE))
    found = check_article(read_article("a.md", f"A recurrent state:\n\n{text}\n")).formulas
    assert next(each.right for each in found if each.verdict == "fails") in (
        "v_{old} = S_{t-1}^T k_t",
        "v_{old} = S_{t-1}^\\top k_t",
    )


def test_a_vector_beside_a_programs_product_stands_as_it_fits():
    update = "S_t = (I - \\beta_t k_t k_t^T) S_{t-1} + \\beta_t k_t v_t^T"
    assert verdicts("o_t = q_t @ S_t", update) == ["holds", "holds"]
    assert verdicts(update, "o_t = S_t @ q_t") == ["holds", "fails"]


def test_a_letter_written_out_is_that_letter():
    assert verdicts("S_t = (I - beta_t k_t k_t^T) S_{t-1} + beta_t k_t v_t^T", "o_t = S_t^T q_t") == ["holds", "holds"]


def test_the_state_may_have_another_letter():
    assert verdicts("M_t = M_{t-1} + v_t k_t^T", "y_t = M_t q_t") == ["holds", "holds"]
    assert verdicts("M_t = M_{t-1} + v_t k_t^T", "y_t = M_t^T q_t")[-1] == "fails"
    assert verdicts("k_t = x_t W_k", "M_t = M_{t-1} + v_t k_t^T", "y_t = M_t q_t")[1:] == ["holds-if", "holds-if"]


@pytest.mark.parametrize(("key", "expected"), [(r"\phi(k_t)", "holds"), ("k_t", None)])
def test_an_update_has_the_features_of_the_sum_that_the_state_is(key: str, expected: str | None) -> None:
    total = r"S = \sum_{j \le t} \phi(k_j) v_j^T"
    found = check_article(
        read_article("a.md", f"Linear attention: ${total}$\n\n$S_t = S_{{t-1}} + {key} v_t^T$\n")
    ).formulas
    assert next((x.verdict for x in found if x.line == 3), None) == expected


SUMMED = r"o_t = \frac{\phi(q_t)^T \sum_{i \le t} \phi(k_i) v_i^T}{\phi(q_t)^T \sum_{i \le t} \phi(k_i)}"
READ = r"o_t = \frac{\phi(q_t)^T S_t}{\phi(q_t)^T z_t}"


def test_the_order_of_a_sum_tells_which_of_two_lines_is_turned():
    added = r"z_t = z_{t-1} + \phi(k_t)"
    assert verdicts(SUMMED, r"S_t = S_{t-1} + v_t \phi(k_t)^T", added, READ) == ["holds", "fails", "holds", "holds"]
    assert verdicts(SUMMED, r"S_t = S_{t-1} + \phi(k_t) v_t^T", added, READ) == ["holds"] * 4


@pytest.mark.parametrize(("update", "expected"), [(r"\phi(k_t) v_t^T", "holds"), ("v_t k_t^T", "fails")])
def test_a_sum_in_words_says_how_the_state_stands(update: str, expected: str) -> None:
    text = "A recurrent state, S = sum_{j≤t} φ(k_j) v_j^T, which goes on as $S_t = S_{t-1} + " + update + "$.\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in found] == ["holds", expected]
    assert not found[-1].right  # without φ nothing that is near would be right


@pytest.mark.parametrize(("sign", "expected"), [("-", "holds"), ("+", "fails")])
@pytest.mark.parametrize("turned", [False, True])
def test_what_a_step_writes_is_the_value_without_what_the_key_reads(sign: str, expected: str, turned: bool) -> None:
    columns = (r"S_t = S_{t-1}(I - \beta_t k_t k_t^T) + \beta_t v_t k_t^T", r"S_t = \sum_{i=1}^{t} u_i k_i^T")
    rows = (r"S_t = (I - \beta_t k_t k_t^T) S_{t-1} + \beta_t k_t v_t^T", r"S_t = \sum_{i=1}^{t} k_i u_i^T")
    written = rf"u_t = \beta_t \left(v_t {sign} \sum_{{i=1}}^{{t-1}} u_i (k_i^T k_t)\right)"
    assert verdicts(*(rows if turned else columns), written) == ["holds", "holds", expected]


CHUNKS = r"O_{[t]} = Q_{[t]} S_{[t]} + (Q_{[t]} K_{[t]}^T \odot M) V_{[t]}"


@pytest.mark.parametrize(
    ("formulas", "expected"),
    [
        ([CHUNKS, r"S_{[t+1]} = S_{[t]} + V_{[t]}^T K_{[t]}"], ["holds", "fails"]),  # d_v × d_k, and read as d_k × d_v
        ([r"S_{[t+1]} = S_{[t]} + V_{[t]}^T K_{[t]}", CHUNKS], ["holds", "fails"]),
        ([CHUNKS, r"S_{[t+1]} = S_{[t]} + K_{[t]}^T V_{[t]}"], ["holds", "holds"]),
        ([CHUNKS, r"S_{[t+1]} = S_{[t]} + K_{[t]}^T V_{[t]}", r"S_t = S_{t-1} + V_t K_t^T"], ["holds", "holds"]),
    ],
)
def test_a_state_after_chunks_is_read_as_it_is_written(formulas, expected):
    assert verdicts(*formulas) == expected  # by tokens it may stand otherwise


ERROR = ["e_t = S_{t-1} k_t - v_t", r"S_t = S_{t-1} - \beta_t e_t k_t^\top"]
BACK = r"S_t k_t = S_{t-1} k_t - \beta_t (S_{t-1} k_t - v_t)"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("A recurrent state:", "holds-if"),
        ("Keys of a recurrent state have unit length:", "holds"),
        (r"A recurrent state, where $k_t^\top k_t = 1$:", "holds"),
        (r"A recurrent state, where $\|k_t\| = 1$:", "holds"),
    ],
)
def test_what_was_written_is_read_back_where_keys_have_unit_length(words, expected):
    def said(formula):
        text = words + "\n\n" + "\n\n".join(f"$${x}$$" for x in (*ERROR, formula)) + "\n"
        return [x.verdict for x in check_article(read_article("a.md", text)).formulas if x.line == 7]

    assert said(BACK) == [expected]
    assert said(r"S_t k_t = S_{t-1} k_t - \beta_t e_t (k_t^\top k_t) = S_{t-1} k_t - \beta_t e_t") == [expected]
    assert said(r"S_t k_t = S_{t-1} k_t - \beta_t e_t (k_t^\top k_t)") == ["holds"]
    assert said(BACK.replace("(S_{t-1} k_t - v_t)", "(S_{t-1} k_t + v_t)")) == ["fails"]
    assert said("S_t k_t = v_t") == []  # where β_t is 1


VALUES_FIRST = r"S_t = \sum_{i=1}^{t} v_i \phi(k_i)^\top"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\hat{o}_t = S_{t-1} q_t", []),  # what the old state predicts
        (r"o'_t = S_{t-1} \phi(q_t)", []),
        (r"p_t = S_{t-1} \phi(q_t)", []),
        (r"h_t = S_t \phi(q_t)", ["holds"]),
        (r"o_t = S_{t-1} \phi(q_t)", ["fails"]),
    ],
)
def test_what_is_read_under_a_name_of_its_own_is_not_the_output(formula, expected):
    text = f"A recurrent state:\n\n$${VALUES_FIRST}$$\n\n$$o_t = S_t \\phi(q_t)$$\n\n$${formula}$$\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in found if x.line == 7] == expected


@pytest.mark.parametrize(("power", "key", "verdict"), [
    ("t-i", "k_i", "holds"),  # γ² k_1ᵀv_1 + γ k_2ᵀv_2 + k_3ᵀv_3 after three steps
    ("i-t", "k_i", "fails"),
    ("t-i", "k_t", "fails"),
])  # fmt: skip
def test_a_state_that_decays_is_a_sum_with_powers(power, key, verdict):
    text = r"The state $S_t = \gamma S_{t-1} + k_t^\top v_t$ is"
    total = rf"S_t = \sum_{{i=1}}^{{t}} \gamma^{{{power}}} {key}^\top v_i"
    found = check_article(read_article("a.md", f"{text}\n\n$${total}$$\n")).formulas
    assert [each.verdict for each in found] == ["holds", verdict]
