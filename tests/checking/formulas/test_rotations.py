"""Rotary positions: cos a cos b + sin a sin b = cos(a − b), and what follows from it for pairs of features."""

import re

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

TURNED = r"\begin{pmatrix} x_1 \cos m\theta - x_2 \sin m\theta \\ x_1 \sin m\theta + x_2 \cos m\theta \end{pmatrix}"


def judged(*formulas):
    text = "RoPE rotates pairs:\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    return check_article(read_article("a.md", text)).formulas


@pytest.mark.parametrize(
    "formula",
    [
        r"\langle R_m q, R_n k \rangle = q^T R_{n-m} k",
        r"(R_m q)^\top (R_n k) = q^\top R_m^\top R_n k = q^\top R_{n-m} k",
        r"R_m^T R_n = R_{n-m}",
        r"(q R_m)(k R_n)^T = q R_{m-n} k^T",  # rows
        r"(R_{\Theta,m}^d W_q x_m)^T (R^d_{\Theta,n} W_k x_n) = x_m^T W_q^T R^d_{\Theta,n-m} W_k x_n",
        r"q_m^\top k_n = (R_m q)^\top (R_n k) = q^\top R_{n-m} k",
        r"(R_{\Theta,m}^{d_k} q_m)^T (R^{d_k}_{\Theta,n} k_n) = q_m^T R^{d_k}_{\Theta,n-m} k_n",
        r"f(x, m) = R_m x = x e^{im\theta}",
        f"f(x, m) = {TURNED}",
        r"\langle f(q, m), f(k, n) \rangle = \text{Re}\left(q k^* e^{i(m-n)\theta}\right)",
        r"R_m = \begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}",
    ],
)  # fmt: skip
def test_what_angles_that_add_give_holds(formula):
    [found] = judged(formula)
    assert found.verdict == "holds"


def turn(angle):
    return rf"\begin{{bmatrix}} \cos {angle} & -\sin {angle} \\ \sin {angle} & \cos {angle} \end{{bmatrix}}"


BACK = r"\begin{bmatrix} \cos m\theta & \sin m\theta \\ -\sin m\theta & \cos m\theta \end{bmatrix}"
Q, K = r"[q_{m,1}\ \ q_{m,2}]", r"\begin{bmatrix} k_{n,1} \\ k_{n,2} \end{bmatrix}"


@pytest.mark.parametrize(
    "formula",
    [
        r"R_m^T R_n = R_{(n-m)}",
        r"q_m^T k_n = (R_m W_q x_m)^T (R_n W_k x_n) = x_m^T W_q^T R_{n-m} W_k x_n",
        r"(x_1 + j x_2)(\cos m\theta_1 + j \sin m\theta_1)"
        r" = (x_1 \cos m\theta_1 - x_2 \sin m\theta_1) + j(x_1 \sin m\theta_1 + x_2 \cos m\theta_1)",
        r"x_m e^{im\theta} = (x_m^1 + i x_m^2)(\cos m\theta + i \sin m\theta)"
        r" = (x_m^1 \cos m\theta - x_m^2 \sin m\theta, x_m^1 \sin m\theta + x_m^2 \cos m\theta)",
        r"f_k(x_n, n) = R^d_{\Theta,n} W_k x_n",
        r"f_{\{q,k\}}(x_m, m) = R^d_{\Theta,m} W_{\{q,k\}} x_m",
        rf"f_q(x_m, m) = {turn('m theta')} {Q}^T".replace(" theta", r"\theta"),
        rf"g(x_m, x_n, m-n) = {Q} {BACK} {turn('n theta')} {K}".replace(" theta", r"\theta"),
        rf"{BACK} {turn('n theta')} = {turn('(n-m) theta')}".replace(" theta", r"\theta"),
        r"\text{RoPE}(x_{2i}, x_{2i+1}, m) ="
        r" \big( x_{2i}\cos m\theta_i - x_{2i+1}\sin m\theta_i, x_{2i}\sin m\theta_i + x_{2i+1}\cos m\theta_i \big)",
    ],
)
def test_turns_written_in_other_ways_hold(formula):
    [found] = judged(formula)
    assert found.verdict == "holds"


@pytest.mark.parametrize(
    "formula",
    [
        r"R(\theta)^T R(\theta) = I",
        r"R_\theta^{-1} = R_\theta^T",
        r"R(\alpha) R(\beta) = R(\alpha + \beta)",
        r"R_{\theta + \phi} = R_\theta R_\phi",
        r"R_\theta(m)^T R_\theta(n) = R_\theta(n - m)",
        r"R(\theta, m)^T R(\theta, n) = R(\theta, n - m)",
        r"R(m, \omega)^T R(n, \omega) = R(n - m, \omega)",
        r"R_m q \cdot R_n k = q \cdot R_{n-m} k",  # inner products without brackets
        r"\|R_m q\| = \|q\|",
    ],
)
def test_rotations_by_an_angle_itself(formula):
    [found] = judged(formula)
    assert found.verdict == "holds"


def test_an_article_is_on_rotations_where_it_says_of_what_r_is_made():
    text = f"$R_\\theta = {turn('x')}$\n\n$R_\\theta R_\\phi = R_{{\\theta - \\phi}}$".replace(" x", r" \theta")
    found = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in found] == ["holds", "fails"]


WRONG = [
    (r"R_\theta R_\phi = R_{2\theta}", False),
    (r"R_\theta(m)^T R_\theta(n) = R_\theta(m - n)", True),
    (r"R(\theta, m)^T R(\theta, n) = R(\theta, m - n)", True),
    (f"R(theta, m)^T = {turn('m theta')}".replace("theta", r"\theta"), False),
    (r"R_m q \cdot R_n k = q \cdot R_{m-n} k", True),
    (r"\langle R_m q, R_n k \rangle = q^T R_{m-n} k", True),
    (r"R_m^T R_n = R_{n+m}", True),
    (r"\langle f(q, m), f(k, n) \rangle = \text{Re}\left(q k^* e^{i(m+n)\theta}\right)", True),
    (f"f(x, m) = {TURNED.replace('+', '-')}", True),
    (r"(R_m W_q x_m)^T (R_n W_k x_n) = x_m^T W_q^T R_{m-n} W_k x_n", True),
    (r"q_m^T k_n = x_m^T W_q R^d_{\Theta,n-m} W_k x_n", True),
    (r"(x_1 + ix_2)(\cos \theta_2 + i \sin \theta_2) = (x_1 \cos \theta_1 - x_2 \sin \theta_1)"
     r" + i(x_1 \sin \theta_1 + x_2 \cos \theta_1)", False),
    (rf"{BACK} {turn('n theta')} = {turn('(m-n) theta')}".replace(" theta", r"\theta"), True),
    (r"R_m = \text{diag}(\cos m\theta, \sin m\theta)", False),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "mended"), WRONG)
def test_other_angles_fail_and_the_right_ones_are_named(formula, mended):
    [found] = judged(formula)
    assert found.verdict == "fails"
    assert not mended or [x.verdict for x in judged(found.right)] == ["holds"]


@pytest.mark.parametrize(
    "formula",
    [
        r"q_m^T k_n = q^T R_{n-m} k",
        "f(x, m) = x + p_m",
        r"R_m x = \lambda x",
        r"\langle R_m q, R_n k \rangle = g(q, k, m-n)",
    ],
)
def test_letters_with_another_meaning_are_left_alone(formula):
    assert judged(formula) == ()


def test_a_turn_the_other_way_is_a_convention():
    [found] = judged(f"R_m = {BACK}")
    assert (found.verdict, found.condition.key) == ("holds-if", "condition.clockwise")


FEATURES = r"x'_1 = x_1 \cos m\theta - x_2 \sin m\theta", r"x'_2 = x_1 \sin m\theta + x_2 \cos m\theta"
CLOCKWISE = r"\hat k_1 = k_1 \cos n\theta + k_2 \sin n\theta", r"\hat k_2 = -k_1 \sin n\theta + k_2 \cos n\theta"


def test_both_features_of_a_turned_pair_hold():
    assert [x.verdict for x in judged(*FEATURES)] == ["holds", "holds"]
    assert [x.verdict for x in judged(*CLOCKWISE)] == ["holds-if", "holds-if"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (r"x'_2 = x_2 \cos m\theta - x_1 \sin m\theta", r"x'_2 = x_1 \sin m\theta + x_2 \cos m\theta"),
        (r"x'_2 = x_1 \cos m\theta + x_2 \sin m\theta", r"x'_2 = x_1 \sin m\theta + x_2 \cos m\theta"),
    ],
)
def test_a_feature_of_no_turn_fails(wrong, right):
    first, second = judged(FEATURES[0], wrong)
    assert (first.verdict, second.verdict, second.right) == ("holds", "fails", right)
    assert second.counterexample.left != second.counterexample.right


def test_keys_turned_against_queries_fail_where_both_are_multiplied():
    query = FEATURES[0].replace("x", "q")
    assert [x.verdict for x in judged(query, *CLOCKWISE)] == ["holds"]
    found = judged(query, *CLOCKWISE, r"\langle \hat q, \hat k \rangle = c")
    assert [x.verdict for x in found] == ["holds", "fails", "fails"]


def test_features_under_one_brace_are_read_each():
    rows = r" \\ ".join(FEATURES)
    assert [x.verdict for x in judged(rf"\begin{{cases}} {rows} \end{{cases}}")] == ["holds", "holds"]


G = r"g(x_m, x_n, m-n) = \text{Re}[(W_q x_m)(W_k x_n)^* e^{i(m-n)\theta}]"


@pytest.mark.parametrize(("formula", "verdicts"), [
    (r"f_q(x_m, m) = (W_q x_m) e^{i m \theta}", ["holds"]),
    (G, ["holds"]), (G.replace("{i(m-n)", "{i(m+n)"), ["fails"]),
])  # fmt: skip
def test_a_pair_made_by_a_matrix_is_a_complex_number(formula, verdicts):
    text = f"RoFormer, with complex numbers:\n\n$${formula}$$\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == verdicts


def column(*cells):
    return r"\begin{pmatrix} " + r" \\ ".join(cells) + r" \end{pmatrix}"


def by_columns(own, other, angles):
    cosines, sines = (column(*(rf"\{name} m\theta_{{{x}}}" for x in angles.split())) for name in ("cos", "sin"))
    cosines, sines = (re.sub(r"\\(cos|sin) m\\theta_\{:\}", r"\\vdots", x) for x in (cosines, sines))
    own, other = (column(*(r"\vdots" if x == ":" else x for x in text.split())) for text in (own, other))
    return rf"R_{{\Theta,m}} x = {own} \otimes {cosines} + {other} \otimes {sines}"


@pytest.mark.parametrize(
    ("other", "angles", "verdict"),
    [
        ("-x_2 x_1 : -x_d x_{d-1}", "1 1 : d/2 d/2", "holds"),
        ("x_2 -x_1 : x_d -x_{d-1}", "1 1 : d/2 d/2", "holds-if"),  # clockwise
        ("-x_2 x_1 : -x_{d-1} x_d", "1 1 : d/2 d/2", "fails"),
        ("x_2 x_1 : x_d x_{d-1}", "1 1 : d/2 d/2", "fails"),
        ("-x_2 x_1 : -x_d x_{d-1}", "1 2 : d/2 d/2", "fails"),
        ("-x_2 x_1 : x_d -x_{d-1}", "1 1 : d/2 d/2", "fails"),
    ],
)
def test_columns_of_features_turn_pair_by_pair(other, angles, verdict):
    [found] = judged(by_columns("x_1 x_2 : x_{d-1} x_d", other, angles))
    assert found.verdict == verdict


def test_columns_by_halves_turn_and_what_dots_leave_out_is_left_alone():
    [found] = judged(by_columns("x_1 x_2 x_3 x_4", "-x_3 -x_4 x_1 x_2", "1 2 1 2"))
    assert found.verdict == "holds"
    assert judged(by_columns("x_1 x_2 : x_d", "-x_5 -x_6 : x_4", "1 2 : 4")) == ()


PLANE = r"\begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}"
OTHER = r"\begin{pmatrix} \cos m\theta & \sin m\theta \\ -\sin m\theta & \cos m\theta \end{pmatrix}"
NO_TURN = r"\begin{pmatrix} \cos m\theta & \sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}"


def pair(first, second):
    return rf"\begin{{pmatrix}} {first} \\ {second} \end{{pmatrix}}"


@pytest.mark.parametrize(("plane", "verdict"), [(PLANE, "holds"), (OTHER, "holds-if"), (NO_TURN, "fails")])
@pytest.mark.parametrize(("first", "second"), [("q_0", "q_1"), ("x_1", "x_2"), ("q_{2i}", "q_{2i+1}"), ("x", "y")])
def test_a_turned_pair_as_a_column(plane, verdict, first, second):
    left = pair(first + "'", second + "'")
    text = f"RoPE: $${left} = {plane} {pair(first, second)}$$\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == [verdict]


@pytest.mark.parametrize(("first", "second"), [("q_0", "q_1"), ("q_1", "q_2"), ("q_{2i}", "q_{2i+1}")])
def test_features_are_counted_from_any_number(first, second):
    text = f"RoPE: $$f(q, m) = {PLANE} {pair(first, second)}$$\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == ["holds"]


NAMED = [r"\tilde{q}_m = R_m q_m", r"\tilde{k}_n = R_n k_n"]


@pytest.mark.parametrize(
    ("before", "formula", "verdict"),
    [
        (NAMED, r"\tilde{q}_m^T \tilde{k}_n = q_m^T R_{n-m} k_n", "holds"),
        (NAMED, r"\tilde{q}_m^T \tilde{k}_n = q_m^T R_{m-n} k_n", "fails"),
        ([], r"(R_{m\theta} q)^T (R_{n\theta} k) = q^T R_{(n-m)\theta} k", "holds"),
        ([], r"(R_{m\theta} q)^T (R_{n\theta} k) = q^T R_{(m-n)\theta} k", "fails"),
        ([], r"\langle R_\Theta^m q, R_\Theta^n k \rangle = \langle R_\Theta^{m-n} q, k \rangle", "holds"),
        ([], r"\langle R_\Theta^m q, R_\Theta^n k \rangle = \langle R_\Theta^{n-m} q, k \rangle", "fails"),
    ],
)
def test_turned_vectors_may_have_names_and_angles_multiples(before, formula, verdict):
    assert judged(*before, formula)[-1].verdict == verdict


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("With RoPE the score depends on relative positions, not absolute ones:", ["fails"]),
        ("In RoPE it is not true that", []),
    ],
)
def test_what_positions_are_not_is_no_word_on_the_formula(words, said):
    text = rf"{words}" + "\n\n" + r"$$(R_m q)^T (R_n k) = q^T R_{m-n} k$$" + "\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == said


def test_the_block_of_a_pair_is_no_rotation_by_its_number():
    block = (
        r"R_i = \begin{pmatrix} \cos(m\theta_i) & -\sin(m\theta_i) \\ \sin(m\theta_i) & \cos(m\theta_i) \end{pmatrix}"
    )
    assert [each.verdict for each in judged(block)] == []


def test_names_of_vectors_that_are_turned_after_a_projection():
    turned = (r"q_m = R_m W_q x_m", r"k_n = R_n W_k x_n")
    defined = (r"f(x_m, m) = R_m W_q x_m = q_m", r"f(x_n, n) = R_n W_k x_n = k_n")
    for definitions in (turned, defined):
        assert judged(*definitions, r"g(x_m, x_n, n - m) = q_m^T k_n")[-1].verdict == "holds"
        assert judged(*definitions, r"g(x_m, x_n, n - m) = x_m^T W_q^T R_{n+m} W_k x_n")[-1].verdict == "fails"


PAIR = r"""\begin{aligned} q e^{im\theta} &= (q^1, q^2) e^{im\theta} \\
 &= (q^1 + i q^2)(\cos m\theta + i \sin m\theta) \\
 &= (q^1 \cos m\theta - q^2 \sin m\theta, q^1 \sin m\theta + q^2 \cos m\theta) \end{aligned}"""


def test_a_pair_that_stands_for_a_complex_number_is_left_alone():
    assert "fails" not in [x.verdict for x in judged(PAIR)]


@pytest.mark.parametrize(("sign", "verdict"), [("-", "holds"), ("+", "fails")])
def test_a_pair_in_a_row_is_turned_as_the_column_that_it_is(sign: str, verdict: str) -> None:
    turned = rf"R_m(x_1, x_2) = [x_1\cos(m\theta) {sign} x_2\sin(m\theta), x_1\sin(m\theta) + x_2\cos(m\theta)]"
    text = f"The rotation of RoPE, for a token at position $m$:\n\n$${turned}$$\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [each.verdict for each in found] == [verdict]


def test_a_letter_that_is_defined_by_its_rotation_is_not_false():
    said = judged(r"q_m = R_m q_0", r"k_n = R_n k_0", r"q_m^\top k_n = q_0^\top R_{n-m} k_0")
    assert "fails" not in [each.verdict for each in said] and said[-1].verdict == "holds"
    assert judged(r"q_m = R_m q_0", r"k_n = R_n k_0", r"q_m^\top k_n = q_0^\top R_{m-n} k_0")[-1].verdict == "fails"


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"\langle q e^{im\theta}, k e^{in\theta} \rangle = \text{Re}[q k^* e^{i(m-n)\theta}]", ["holds"]),
        (r"\langle x e^{im\theta}, k e^{in\theta} \rangle = \text{Re}[x e^{im\theta} (k e^{in\theta})^*]", ["holds"]),
        (r"\langle q e^{im\theta}, k e^{in\theta} \rangle = \langle R_m q, R_n k \rangle", ["holds"]),
        (r"\langle q e^{im\theta}, k e^{in\theta} \rangle = \text{Re}[q k^* e^{i(m+n)\theta}]", ["fails"]),
        (r"\langle q e^{im\theta}, k e^{in\theta} \rangle = \text{Re}[q k e^{i(m-n)\theta}]", ["fails"]),
        (
            r"\langle q e^{im\theta}, k e^{in\theta} \rangle = q k^* e^{i(m-n)\theta}",
            [],
        ),  # a product of complex numbers
    ],
)
def test_the_inner_product_of_complex_numbers_is_that_of_their_pairs(formula, verdicts):
    text = f"RoPE turns a pair by the matrix $R_m$:\n\n$${formula}$$\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == verdicts


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"R_m^\top R_n = R_{m+k}^\top R_{n+k} = W_{m-n}", ["holds"]),  # a name for what depends on m − n
        (r"q^\top R_m^\top R_n k = q^\top W_{m-n} k", []),
        (r"R_m^\top R_n = R_{m+k}^\top R_{n-k} = R_{n-m}", ["fails"]),
        (r"(R_m W_q x_m)^\top (R_n W_k x_n) = x_m^\top W_q^\top R_{m-n} W_k x_n", ["fails"]),
    ],
)
def test_a_letter_that_one_side_alone_has_is_a_name_for_the_other(formula, verdicts):
    assert [x.verdict for x in judged(formula)] == verdicts


def test_one_row_of_a_drawn_rotation_is_no_rotation() -> None:
    drawn = "The rotation matrix:\n\n```\nR(θ, m) = [cos(mθ), -sin(mθ)]\n          [sin(mθ),  cos(mθ)]\n```\n"
    assert check_article(read_article("a.md", drawn)).formulas == ()


@pytest.mark.parametrize(
    "formula",
    ["q_m = f_q(x_m, m)", "v_n = f_v(x_n, n)", "f_q(x_m, m) = q_m", "q_m = f_q(x_m, m) = R_m W_q x_m"],
)
def test_a_letter_may_be_what_any_function_of_a_position_makes(formula):
    assert judged(formula) == ()


@pytest.mark.parametrize("formula", ["f(x, m) = x", "q_m = R_m q_m"])
def test_what_is_turned_is_not_what_it_was(formula):
    assert [x.verdict for x in judged(formula)] == ["fails"]
