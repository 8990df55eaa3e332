"""Rotary positions as notes spell them: RoPE(m) alone, chains over two displays, angles without their exponent."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

TURN = r"\begin{pmatrix} \cos(m\theta) & -\sin(m\theta) \\ \sin(m\theta) & \cos(m\theta) \end{pmatrix}"
PAIR = r"\begin{pmatrix} x_{2i-1} \\ x_{2i} \end{pmatrix}"
TURNED = (
    r"\begin{pmatrix} x_{2i-1} \cos(m\theta) - x_{2i} \sin(m\theta) \\"
    r" x_{2i-1} \sin(m\theta) + x_{2i} \cos(m\theta) \end{pmatrix}"
)


def verdicts(text):
    report = check_article(read_article("a.md", text))
    return [(each.verdict, each.right) for each in report.formulas]


@pytest.mark.parametrize(
    ("left", "right", "wrong"),
    [
        (r"\text{RoPE}(m)^T \text{RoPE}(n)", "RoPE(n-m)", "RoPE(m-n)"),
        (r"\mathrm{RoPE}(i)^\top \mathrm{RoPE}(j)", "RoPE(j-i)", "RoPE(i-j)"),
        (r"\text{RoPE}(m) \text{RoPE}(n)", "RoPE(m+n)", "RoPE(n-m)"),
        (r"(\text{RoPE}(m) q)^T (\text{RoPE}(n) k)", r"q^T \text{RoPE}(n-m) k", r"q^T \text{RoPE}(m-n) k"),
    ],
)
def test_a_rotation_by_a_position(left, right, wrong):
    assert [x for x, _ in verdicts(f"Rotary embeddings:\n\n$${left} = {right}$$\n")] == ["holds"]
    assert [x for x, _ in verdicts(f"Rotary embeddings:\n\n$${left} = {wrong}$$\n")] == ["fails"]


def test_a_call_of_a_vector_is_no_rotation():
    assert verdicts(r"Rotary embeddings: $$\text{RoPE}(q)^T \text{RoPE}(k) = \text{RoPE}(q - k)$$") == []


def test_a_chain_goes_on_in_the_next_display():
    text = f"$$R_{{\\theta_i}} \\cdot x = {TURN} {PAIR}$$\n$$= %s$$\n"
    assert [x for x, _ in verdicts(text % TURNED)] == ["holds"]
    assert "holds" not in [x for x, _ in verdicts(text % TURNED.replace(r"\sin(m\theta) +", r"\cos(m\theta) +"))]


@pytest.mark.parametrize(
    ("printed", "mended"),
    [
        ("10000-2(i-1)/d", "10000^{-2(i-1)/d}"),
        ("10000 - 2i/d", "10000^{- 2i/d}"),
        ("10000^{2(i-1)/d}", "10000^{-2(i-1)/d}"),
    ],
)
def test_an_angle_without_its_exponent(printed, mended):
    text = r"Each pair has its rotation matrix, with $\theta_i = %s$ for $i = 1, \ldots, d/2$."
    assert verdicts(text % printed) == [("fails", rf"\theta_i = {mended}")]
    assert [x for x, _ in verdicts(text % mended)] == ["holds"]


@pytest.mark.parametrize(("formula", "verdicts"), [
    (r"\theta_k = \mathrm{base}^{-2k/d}", ["holds"]),
    (r"\theta_k = \frac{1}{\text{base}^{2k/d}}", ["holds"]),
    (r"\theta_k = \mathrm{base}^{2k/d}", ["fails"]),
    (r"\theta_k = \mathrm{rate}^{-2k/d}", []),
])  # fmt: skip
def test_the_base_of_the_frequencies_may_have_its_name(formula, verdicts):
    article = read_article("a.md", f"The frequencies of RoPE are ${formula}$.\n")
    assert [x.verdict for x in check_article(article).formulas] == verdicts


ONE_PAIR = (
    r"$$R_{m\theta_i} = \begin{bmatrix} \cos(m\theta_i) & %s\sin(m\theta_i) \\"
    r" %s\sin(m\theta_i) & \cos(m\theta_i) \end{bmatrix}$$"
)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (ONE_PAIR % ("-", ""), ["holds"]),
        (ONE_PAIR % ("", "-"), ["holds-if"]),
        (ONE_PAIR % ("", ""), ["fails"]),
        ((ONE_PAIR % ("-", "")).replace(r"(m\theta_i)", r"(m\theta_j)"), []),
        (r"$$R_{m\theta_i}^T R_{n\theta_i} = R_{(n-m)\theta_i}$$", ["holds"]),
        (r"$$R_{m\theta_i}^T R_{n\theta_i} = R_{(m-n)\theta_i}$$", ["fails"]),
        (r"$$R_{m\theta_i}^T R_{n\theta_j} = R_{(n-m)\theta_i}$$", []),
    ],
)
def test_the_rotation_of_one_pair_has_its_angle(formula, expected):
    assert [verdict for verdict, _ in verdicts("Rotary embeddings:\n\n" + formula + "\n")] == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"R_p^\top R_q = R_{q-p}", ["holds"]),
        (r"R_{p+q} = R_p R_q", ["holds"]),
        (r"R_p^\top R_q = R_{p-q}", ["fails"]),
        (r"R_p^\top q = R_{p-q}", []),  # q is a vector here
        ("q_m = R_m q", ["holds"]),
        (r"k_n = R_{\Theta,n} k", ["holds"]),
        ("q_m = R_n q", []),
        ("q_m = R_{-m} q", []),
    ],
)
def test_positions_called_p_and_q_and_what_is_turned_from_a_bare_letter(formula, expected):
    assert [x for x, _ in verdicts(f"Rotary embeddings: ${formula}$\n")] == expected


@pytest.mark.parametrize(
    ("right", "verdict"),
    [
        (r"Q_m^T R(m\theta)^T R(n\theta) K_n", "holds"),
        (r"Q_m^T R(-m\theta) R(n\theta) K_n", "holds"),
        (r"Q_m^T R((n-m)\theta) K_n", "holds"),
        (r"Q_m^T R((m-n)\theta) K_n", "fails"),
    ],
)
def test_queries_with_capitals_at_one_position_each(right, verdict):
    """R(mθ) is a rotation by an angle there, and no matrix times a number."""
    assert [x for x, _ in verdicts(rf"RoPE: $$(R(m\theta) Q_m)^T (R(n\theta) K_n) = {right}$$")] == [verdict]
