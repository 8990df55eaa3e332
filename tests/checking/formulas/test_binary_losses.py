"""Binary cross-entropies, and sums of y log p without an index."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [each.verdict for each in check_article(read_article("a.md", text)).formulas]


RIGHT = [
    "BCE = -(1/m) * Σ [y_i * log(p_i) + (1-y_i) * log(1-p_i)]",
    r"$\mathcal{L}_{BCE} = -\frac{1}{N}\sum_{i=1}^N y_i \log \hat{y}_i + (1 - y_i) \log(1 - \hat{y}_i)$",  # no brackets
    r"$\mathcal{L}_{\text{BCE}} = -y \log \hat{y} - (1 - y) \log(1 - \hat{y})$",
    "BCE(y, ŷ) = −(y·log(ŷ) + (1−y)·log(1−ŷ))",
    r"L'entropie croisée binaire est $L = -[t \log o + (1 - t) \log(1 - o)]$",
    r"Entropía cruzada binaria: $L = -(y \log σ(z) + (1 - y) \log(1 - σ(z)))$",
    r"With the BCE loss, $L = -\frac{1}{N}\sum_i ( (1 - y_i) \ln(1 - p_i) + y_i \ln p_i )$",
    "Maximiser la vraisemblance, c'est minimiser BCE = -[y log(p) + (1-y) log(1-p)].",
    r"The binary cross-entropy of targets t and outputs y is $L = -[t \log y + (1-t) \log(1-y)]$",
    r"The cross-entropy of two outcomes is $H = -p \log q - (1-p) \log(1-q)$",
]
WRONG = [
    "BCE = (1/m) Σ_i [y_i log(p_i) + (1-y_i) log(1-p_i)]",
    "BCE = -(1/m) Σ_i [y_i log(p_i) + (1+y_i) log(1-p_i)]",
    "BCE = -(1/m) Σ_i [y_i log(p_i) + (1-y_i) log(1+p_i)]",
    r"$\mathcal{L}_{\text{BCE}} = -y \log \hat{y} + (1 - y) \log(1 - \hat{y})$",
    r"$\mathcal{L}_{\text{BCE}} = -[y \log (1-\hat{y}) + (1 - y) \log \hat{y}]$",
    r"$\mathrm{BCE}(y, p) = -[y \log p + (1 - y) \log p]$",
    r"With the BCE loss, $L = -\frac{1}{N}\sum_i ( y_i \ln p_i - (1 - y_i) \ln(1 - p_i) )$",
]
OTHER = [
    r"$BCE = -w y \log p - (1 - y) \log(1 - p)$",  # weights of the classes
    r"$L_{BCE} = -(1-p)^2 y \log p - p^2 (1 - y) \log(1 - p)$",
    r"Maximise the log-likelihood $L = y \log p + (1-y) \log(1-p)$, that is minus the BCE.",
    r"$L_{BCE} = -[\hat{y} \log y + (1 - \hat{y}) \log(1-y)]$",
    r"$L = -[y \log p - (1 - y) \log(1 - p)]$",  # no word says which loss it is
    "The naive BCE = (1/m) Σ_i [y_i log(p_i) + (1-y_i) log(1-p_i)] is wrong: its sign is that of a likelihood.",
    r"$BCE = -\frac{1}{N}\sum_i y_i \log p_i - (1 - y_i) \log(1 - p_i)$",  # where the sum ends is not seen
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_binary_cross_entropy_holds(text):
    assert judged(text) == ["holds"]


@pytest.mark.parametrize("text", WRONG)
def test_a_slip_in_one_does_not_hold(text):
    assert judged(text) == []


@pytest.mark.parametrize(
    "text",
    [
        r"The BCE is minus $L = y \log p + (1 - y) \log(1 - p)$.",
        r"The cross-entropy of two classes is minus $L = \sum_i [y_i \log p_i + (1 - y_i) \log(1 - p_i)]$.",
        r"With $p = P(y = 0)$ the BCE loss is $L = -(1-y) \log p - y \log(1-p)$.",
        r"Gradient ascent for logistic regression climbs $J = \sum_i y_i \log p_i + (1-y_i) \log(1-p_i)$.",
    ],
)
def test_another_sign_or_other_classes_may_be_meant(text):
    assert judged(text) == []


def test_a_loss_that_has_its_minus_is_no_likelihood_without_it():
    assert judged(r"Cross-entropy: $L = -\sum_k y_k \log p_k$, and not $L = \sum_k y_k \log p_k$.") == ["holds"]


@pytest.mark.parametrize("text", OTHER)
def test_other_losses_of_this_form_are_not_judged(text):
    assert judged(text) == []


LOSS = " This is the cross-entropy loss."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Loss = -Σ y_true × log(y_pred)", ["holds"]),
        ("Loss = -sum(y_true * log(y_pred))", ["holds"]),
        (r"$L = -\sum y \log \hat{y}$", ["holds"]),
        ("Loss = Σ y_true × log(y_pred)", ["fails"]),
        ("Loss = -Σ y_pred × log(y_true)", []),
        (r"$L = -\sum_i y_{pred,i} \log y_{true,i}$", []),
        (r"$L = -\sum p \log q$", []),  # either may be predicted
        (r"$H(p, q) = -\sum p \log q$", ["holds"]),
        ("Loss = -Σ p log(p)", []),
    ],
)
def test_a_sum_without_an_index_is_over_the_entries(text, expected):
    assert judged(text + "." + LOSS) == expected
