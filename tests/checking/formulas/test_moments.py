"""Means and variances of scores, and the assumptions that they need."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

pytestmark = pytest.mark.slow

GIVEN = "The entries of q and k are independent, with mean 0 and variance 1.\n\n"


def judged(text):
    found = check_article(read_article("a.md", text)).formulas
    return [(each.verdict, each.condition and each.condition.text()) for each in found]


TRUE = [
    r"\text{Var}(q \cdot k) = \sum_{i=1}^{d_k} \text{Var}(q_i k_i) = d_k",
    r"\text{Var}\left(\frac{q^T k}{\sqrt{d_k}}\right) = \frac{1}{d_k} \text{Var}(q^T k) = 1",
    r"\text{Var}(q_i k_i) = \text{Var}(q_i) \text{Var}(k_i) = 1",
    r"\mathbb{E}[(q \cdot k)^2] = d_k",
    r"\text{std}(q \cdot k) = \sqrt{d_k}",
    r"\mathbb{E}[q \cdot q] = d_k",
    r"\text{Var}(\langle q, k \rangle) = d_k",
    r"\mathbb{E}[q_i^2] = 1",
    r"\text{Var}(2^2 q_i) = 16",
    r"\mathbb{E}[q_i q_i] = 1",
    r"\text{Var}([q_i]) = 1",
]
FALSE = [
    r"\text{Var}(q \cdot k) = d_k^2",
    r"\text{Var}(q \cdot k) = \sqrt{d_k}",
    r"\text{Var}\left(\frac{q \cdot k}{d_k}\right) = 1",
    r"\text{std}(q \cdot k) = d_k",
    r"\sigma(q \cdot k) = d_k",
    r"\mathbb{E}[q \cdot k] = d_k",
    r"\mathbb{E}[q \cdot q] = d_k^2",
    r"\text{Var}(\langle q, k \rangle) = 2 d_k",
    r"\mathbb{E}[q_i^2] = 0",
    r"\mathbb{E}[q_i q_i] = 0",
    r"\text{Var}(2 q_i) = 2",
]
NOT_DECIDED = [
    r"\text{Var}(q) = 1",
    r"\text{Var}(q k_i) = 1",
    r"\mathbb{E}[q \cdot k_i] = 0",
    r"\text{Var}(q_i k_i + q_j k_j) = 2",
    r"\text{Var}(\frac{q \cdot k}{k_i}) = d_k",
    r"\text{Var}(q_i / 0) = 1",
    r"\text{Var}(\sqrt{q_i}) = 1",
    r"q_i = \mathbb{E}[q_i]",
    r"\text{Var}(Q_i) = 1",
    r"\text{Var}(s_{ij}) = d_k",
    r"\text{Var}(q \cdot q) = 2 d_k",
    r"\mathbb{E}[(q \cdot q)^2] = d_k",
    r"\mathbb{E}[q_i q_i k_i] = 1",
    r"\text{Var}(\sum_j q_i k_i) = d_k",
    r"\text{Var}(\sum_i q_i^2) = d_k",
    r"\text{Var}(\sum_{i=1}^{x} q_i k_i) = x",
    r"\text{Var}(\sum_{i=1}^{a+b} q_i k_i) = a + b",
    r"\mathbb{E}[q \cdot 2 q] = 2 d_k",
    r"\mathbb{E}[\langle q_i, k \rangle] = 0",
    r"\text{Var}(q_i" + " + 1" * 300 + ") = 1",
]


@pytest.mark.parametrize("formula", TRUE)
def test_true_moments_hold_where_the_article_says_what_they_need(formula):
    assert judged(f"{GIVEN}$${formula}$$") == [("holds", None)]


@pytest.mark.parametrize("formula", TRUE)
def test_true_moments_hold_if_the_entries_are_so_where_nothing_is_said(formula):
    [(verdict, condition)] = judged(f"$${formula}$$")
    assert verdict == "holds-if"
    assert "independent" in condition


@pytest.mark.parametrize(("given", "expected"), [(GIVEN, [("holds", None)]), ("", [])])
def test_sigma_is_a_deviation_where_variances_are_spoken_of(given, expected):
    assert judged(given + r"$$\sigma(q \cdot k) = \sqrt{d_k}$$") == expected


def test_numbers_of_an_example_are_not_the_width_that_a_formula_means():
    text = "$d_k = 64$ and $Var[q·k] = d_k$\n\nQ: (2, 3, 4)\n\nV: (2, 3, 8)\n"
    assert [verdict for verdict, _ in judged(text)] == ["holds-if"]


@pytest.mark.parametrize(("width", "verdict"), [("64", "holds"), ("32", "fails")])
def test_the_width_may_be_stated_as_a_number(width, verdict):
    shapes = r"Let $Q \in \mathbb{R}^{n \times 64}$ and $K \in \mathbb{R}^{n \times 64}$."
    assert judged(f"{shapes} {GIVEN}$$\\text{{Var}}(q \\cdot k) = {width}$$")[-1] == (verdict, None)


@pytest.mark.parametrize(
    ("width", "formula", "verdicts"),
    [
        (r"$q, k \in \mathbb{R}^{d_k}$, $d_k = 64$. ", r"\mathrm{Var}(q \cdot k) = 64", ["holds"]),
        ("", r"\mathrm{Var}(q \cdot k) = d_k = 64", ["holds"]),
        ("With $d_k = 1$ nothing grows. ", r"\mathrm{Var}(q \cdot k) = d_k^2", ["fails"]),  # said of every width
        ("", r"\mathrm{Var}(q \cdot k) = d_k^2 = 4096", ["fails"]),
        ("$d_k = 64$. ", r"\mathrm{std}(q \cdot k) = \sqrt{d_k} = 8", ["holds"]),
        (r"$q, k \in \mathbb{R}^{d_k}$, $d_k = 64$. ", r"\mathrm{Var}(q \cdot k) = 32", ["fails"]),
        (r"$k \in \mathbb{R}^{d_k}$. ", r"\mathrm{Var}(q \cdot k) = 64", []),
        ("$d_k = 64$. ", r"\mathrm{Var}(q \cdot k / \sqrt{d_k}) = 2", ["fails"]),
    ],
)
def test_a_number_may_be_the_width(width, formula, verdicts):
    assert [verdict for verdict, _ in judged(f"{width}{GIVEN}$${formula}$$")] == verdicts


@pytest.mark.parametrize("formula", FALSE)
def test_false_moments_fail(formula):
    assert judged(f"{GIVEN}$${formula}$$") == [("fails", None)]


@pytest.mark.parametrize("formula", NOT_DECIDED, ids=range(len(NOT_DECIDED)))
def test_vectors_dependent_terms_and_unknown_letters_are_left_alone(formula):
    assert judged(f"{GIVEN}$${formula}$$") == []


@pytest.mark.parametrize(
    ("scores", "formula", "verdicts"),
    [
        ("QK^T", r"\text{Var}(s_{ij}) = d_k", ["holds"]),
        ("QK^T", r"\text{Var}(s_{ij}) = d_k^2", ["fails"]),
        ("Q + K", r"\text{Var}(s_{ij}) = d_k^2", []),
    ],
)
def test_entries_of_what_is_said_to_be_the_scores(scores, formula, verdicts):
    assert [verdict for verdict, _ in judged(f"{GIVEN}$S = {scores}$\n\n$${formula}$$")][-1:] == verdicts


def test_what_needs_no_mean_does_not_ask_for_one():
    [(_, condition)] = judged(r"$$\mathbb{E}[q_i k_i] = \mathbb{E}[q_i] \mathbb{E}[k_i]$$")
    assert condition == "the entries of q and k are independent"


def test_entries_of_another_variance_are_left_alone():
    assert judged(r"The variance of each entry is 1/d. $$\text{Var}(q \cdot k) = 1/d$$") == []
    assert judged(r"The variance is σ². $$\text{Var}(q \cdot k) = d \sigma^4$$") == []
    assert judged(r"Independent entries have mean μ and variance 1. $$\text{Var}(q \cdot k) = d$$") == []


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("the dot product q·k has mean 0 and variance d_k.", "holds-if"),
        ("The variance of the dot product is $d_k$.", "holds-if"),
        ("每个分量相互独立，均值为 0，方差为 1，点积的方差是 $d_k$。", "holds"),
        ("点积的方差为 √d_k。", "fails"),
        ("The variance of the dot product is $d_k^2$.", "fails"),
    ],
)
def test_the_variance_of_a_dot_product_in_a_sentence(said, verdict):
    assert [found for found, _ in judged(said)] == [verdict]


@pytest.mark.parametrize("said", ["The variance of the dot product grows with d_k.", "点积的方差为 128。"])
def test_sentences_that_say_no_size_are_left_alone(said):
    assert judged(said) == []


@pytest.mark.parametrize("formula", ["Var[q_i·k_j] = d_k", "Var[q_i·k_i / √d_k] = 1"])
def test_the_queries_of_tokens_may_be_counted(formula):
    assert [verdict for verdict, _ in judged(f"${formula}$")] == ["holds-if"]


def test_products_of_entries_that_are_summed_are_of_entries():
    assert [verdict for verdict, _ in judged(r"$$\sum_{i=1}^{d_k} \text{Var}(q_i k_i) = 1$$")] == ["fails"]


@pytest.mark.parametrize("given", [
    "Les composantes de q et k sont indépendantes, de moyenne 0 et de variance 1.",
    "Die Einträge von q und k sind unabhängig, mit Mittelwert 0 und Varianz 1.",
    "q와 k의 성분은 서로 독립이고 평균이 0, 분산이 1이다.",
    r"The entries of q and k are i.i.d. draws of $\mathcal{N}(0, 1)$.",
])  # fmt: skip
def test_assumptions_are_read_in_other_languages(given):
    assert judged(given + "\n\n" + r"$$\text{Var}(q \cdot k) = d_k$$") == [("holds", None)]


def test_a_letter_for_the_product_has_its_moments():
    chain = r"$$\text{Var}[\frac{s}{\sqrt{d_k}}] = \frac{1}{(\sqrt{d_k})^2} \text{Var}[s] = \frac{d_k}{d_k} = 1$$"
    assert [said for said, _ in judged("$s = q \\cdot k$\n\n" + chain)][-1] == "holds-if"
    assert [said for said, _ in judged("$s = q \\cdot k$\n\n" + chain.replace("{(\\sqrt{d_k})^2}", "{\\sqrt{d_k}}"))][
        -1
    ] == "fails"
    assert "holds-if" not in [said for said, _ in judged("$s = q + k$\n\n" + chain)]


def test_variances_may_have_letters():
    text = r"Entries of q and k are independent with mean 0 and variances $\sigma_q^2$ and $\sigma_k^2$." + "\n\n"
    assert judged(text + r"$$\text{Var}(q \cdot k) = d_k \sigma_q^2 \sigma_k^2$$") == [("holds", None)]
    assert ("holds", None) not in judged(text + r"$$\text{Var}(q \cdot k) = d_k \sigma_q^2$$")


def test_a_sum_is_over_the_entries_that_have_its_index():
    """Σ_i Var(q_j k_i) has q_j in every term."""
    assert not judged(GIVEN + r"$$\text{Var}(q \cdot k) = \sum_i \text{Var}(q_j k_i)$$")
    assert judged(GIVEN + r"$$\text{Var}(q \cdot k) = \sum_i \text{Var}(q_i k_i)$$") == [("holds", None)]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("d_k = 64", ["holds-if"]),
        ("d_k = 512", ["fails"]),  # the number of the chain itself says nothing of what d_k is
    ],
)
def test_a_width_is_what_other_lines_say_that_it_is(said, verdict):
    text = rf"With $d_k = 64$ and $d = 512$ we have $\mathrm{{Var}}(q \cdot k) = {said}$." + "\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in found if x.text.startswith(r"\mathrm{Var}")] == verdict


def test_a_number_may_stand_for_the_width_that_it_is():
    text = r"With $d_k = 64$, $\mathrm{Var}(q^T k / \sqrt{d_k}) = \frac{64}{d_k} = 1$." + "\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == ["holds-if"]


@pytest.mark.parametrize("said", ["độc lập", "независимы", "indipendenti", "bağımsız"])
def test_words_for_independence(said):
    given = r"$\mathbb{E}[q_i] = \mathbb{E}[k_i] = 0$, $\text{Var}(q_i) = \text{Var}(k_i) = 1$"
    variance = r"$\text{Var}(q^T k) = d_k$"

    def last(text):
        return check_article(read_article("a.md", text + "\n")).formulas[-1].verdict

    assert last(f"$q_i, k_i$ {said}, {given}: {variance}") == "holds"
    assert last(f"{given}: {variance}") == "holds-if"


WIDTH = r"The keys have width d_k, $K \in \mathbb{R}^{n \times d_k}$. "
SUMMED = r"""We score by $S = QK^T$. Entries are independent, with mean 0.

$$\text{Var}(s_{ij}) = \sum_{l=1}^{d_k} \text{Var}(q_{il} \cdot k_{jl}) = %s \cdot \text{Var}(q \cdot k)$$

"""
SINGLE = "With $Var(q) = Var(k) = 1$ "


def verdicts(text):
    return [each.verdict for each in check_article(read_article("a.md", text)).formulas if "Var" in each.text]


def test_q_and_k_are_single_numbers_where_a_sum_over_entries_says_so():
    assert verdicts(SUMMED % "d_k" + WIDTH + SINGLE + "we get $Var(q·k) = 1$.") == ["holds", "holds"]
    assert verdicts(SUMMED % "d_k" + WIDTH + SINGLE + "we get $Var(q·k) = d_k$.") == ["holds"]  # of vectors again


def test_a_sum_over_entries_of_single_numbers_is_counted():
    assert verdicts(SUMMED % "d_k^2" + SINGLE) == ["fails"]
    assert verdicts(SUMMED % "d_k") == []  # they may be vectors as well


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("$Var(q·k) = d_k$", ["holds"]),  # the variance of each entry
        ("$Var(q·k) = 1$", []),  # of single numbers
        ("$Var(q·k) = d_k^2$", ["fails"]),
        ("$Var(q^T k) = 1$", ["fails"]),
        (r"$Var(q \cdot k) = \sum_{l=1}^{d_k} Var(q_l k_l) = d_k Var(q \cdot k)$", ["fails"]),
    ],
)
def test_the_variance_of_a_letter_may_be_that_of_each_entry(claim, expected):
    assert verdicts(f"{GIVEN}{WIDTH}{SINGLE}we get {claim}.") == expected
