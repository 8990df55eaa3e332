"""Weights of the list right before them, where the words between the two say so plainly, and where they do not."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

pytestmark = pytest.mark.slow

# softmax of [2, 1, 0] is 0.665, 0.245, 0.090; over √2 0.576, 0.284, 0.140; over 2 0.506, 0.307, 0.186
PLAIN = [
    "Softmax of [2, 1, 0]: [0.66, 0.34, 0.00].",
    "The softmax of [2, 1, 0] is [0.66, 0.34, 0.00].",
    "Softmax von [2, 1, 0]: [0.66, 0.34, 0.00]",
    "El softmax de [2, 1, 0] es [0.66, 0.34, 0.00]",
    "Le softmax de [2, 1, 0] donne [0.66, 0.34, 0.00]",
    "对 [2, 1, 0] 做 softmax 得到 [0.66, 0.34, 0.00]",
    "[2, 1, 0] 经过 softmax 后变为 [0.66, 0.34, 0.00]",
    "[2, 1, 0] の softmax は [0.66, 0.34, 0.00]",
    "Attention.\n\nScores: [2, 1, 0]\n\nWeights: [0.66, 0.34, 0.00]",
    "Attention.\n\nScores: [2, 1, 0]\n\nThe weights are [0.61, 0.30, 0.09].",
    "Logits: [2, 1, 0]\n\nProbabilities: [0.61, 0.30, 0.09]",
    "Logits: `[2, 1, 0]`\nProbabilities: `[0.61, 0.30, 0.09]`",
    "- **Logits**: [2, 1, 0]\n- **Probabilities**: [0.61, 0.30, 0.09]",
    "Scores: [2, 1, 0] → softmax: [0.66, 0.34, 0.00]",
    "Scores: [2, 1, 0]\n\nSoftmax weights = [0.66, 0.34, 0.00]",
    "```\nscores = [1.0, 0.0]  → softmax ≈ [0.60, 0.40]\n```",
    "Attention scores `[2, 1, 0]`; the weights are about `[0.61, 0.30, 0.09]`.",
    "Scores \\( h = [1.0, 0.0, 2.0] \\) → softmax \\( p \\approx [0.345, 0.090, 0.565] \\).",
    "Logits $z = [1.0, 0.0, 2.0]$, probabilities $p = [0.345, 0.090, 0.565]$",
    "注意力分数：[2, 1, 0]\n\n权重：[0.61, 0.30, 0.09]",
    "注意力分数：[2, 1, 0]\n\nsoftmax 后的权重：[0.61, 0.30, 0.09]",
    "アテンション スコア: [2, 1, 0]\n\n重み: [0.61, 0.30, 0.09]",
    "Attention. Scores : [2, 1, 0]\n\nPoids : [0.61, 0.30, 0.09]",
    "Attention. Puntuaciones: [2, 1, 0]\n\nPesos: [0.61, 0.30, 0.09]",
    "어텐션 점수: [2, 1, 0]\n\n가중치: [0.61, 0.30, 0.09]",
    "Scores: [2, 1, 0]\n- T=0.5: probabilities [0.87, 0.12, 0.02]\n- T=2: probabilities [0.61, 0.30, 0.09]",
    "Scaled scores: [2, 1, 0]\n\nAfter softmax: [0.61, 0.30, 0.09]",
    "Scores: [[2, 1], [0, 1]]\n\nSoftmax weights: [[0.80, 0.20], [0.31, 0.69]]",
    "$$\\text{scores} = \\begin{bmatrix} 2 & 1 & 0 \\end{bmatrix}$$\n\n"
    "$$\\text{softmax weights} = \\begin{bmatrix} 0.61 & 0.30 & 0.09 \\end{bmatrix}$$",
    "$\\text{scores} = [2, 1, 0] \\xrightarrow{\\text{softmax}} [0.61, 0.30, 0.09]$",
    "$[2, 1, 0] \\rightarrow \\text{softmax} \\rightarrow [0.61, 0.30, 0.09]$",
    "Apply softmax to [2, 1, 0] → [0.61, 0.30, 0.09]",
    "Applying softmax to [2, 1, 0] gives [0.61, 0.30, 0.09]",
    "The scores are [2, 1, 0], so softmax gives [0.61, 0.30, 0.09].",
    "Scores: $\\left[2, 1, 0\\right]$\n\nAfter softmax: $\\left[0.61, 0.30, 0.09\\right]$",
    "Scores = [2, 1, 0].\n\nApply softmax:\n\n$\\alpha = [0.61, 0.30, 0.09]$",
    "3. Softmax: [2, 1, 0] → [0.61, 0.30, 0.09]",
    "Scores: [2, 1, 0]\n\nNext, we normalise these with softmax so that they can serve as weights: [0.61, 0.30, 0.09]",
    "The raw scores were [2, 1, 0], and softmax made of them [0.61, 0.30, 0.09].",
    "Scores: [2,0; 1,0; 0,0]\n\nNach Softmax: [0,61; 0,30; 0,09]",
]
OMITTED = [  # a step that the author may have left out, or other words than those that say what is computed from what
    "Scores: [2, 1, 0]. With d_k = 4, weights: [0.51, 0.31, 0.19]",
    "Softmax of [2, 1, 0] after scaling by 1/sqrt(2): [0.58, 0.28, 0.14]",
    "Attention.\n\nScores: [2, 1, 0]\n\nWeights: [0.58, 0.28, 0.14]",
    "Attention.\n\nScores: [8, 4, 0]\n\nWeights: [0.87, 0.12, 0.02]",
    "Attention.\n\nScores: [2, 1, 0]\n\nSoftmax weights: [0.58, 0.28, 0.14]",
    "Attention.\n\nScores: [2, 1, 3]\n\nWith the mask, weights: [0.73, 0.27, 0.00]",
    "Attention.\n\nScores: [2, 1, 3]\n\nSoftmax weights: [0.73, 0.27, 0.00]",
    "Attention.\n\nScores: [2, 1, 3]\n\nSoftmax weights: [0.67, 0.33, 0.00]",
    "Attention.\n\nScores: [2, 1, 0] → softmax → [0.51, 0.31, 0.19]",
    "Attention.\n\nScores: [2, 1, 0] → probabilities [0.57, 0.29, 0.14]",
    "Attention.\n\nScores: [3, 2, 1]\n\nWeights: [0.50, 0.33, 0.17]",
    "Attention.\n\nScores: [2, 1, 0]\n\nTop-2 weights: [0.73, 0.27, 0.00]",
    "Attention.\n\nScores: [2, 1, 0]\n\nTarget probabilities: [0.9, 0.05, 0.05]",
    "Attention.\n\nScores: [2, 1, 0]\n\nLearned gate weights: [0.61, 0.30, 0.09]",
    "Scores: [80, 90, 70]\n\nWeights: [0.31, 0.52, 0.17]\n",
    "Attention.\n\nSuppose the scores are [2, 1, 0] and the weights [0.61, 0.30, 0.09].",
    "Attention.\n\nHead 1 scores: [2, 1, 0]\n\nHead 2 weights: [0.61, 0.30, 0.09]",
    "Attention.\n\nHead 1 scores: [2, 1, 0], head 2 scores: [1, 0, 1]. Head 1 weights: [0.61, 0.30, 0.09]",
    "Attention.\n\nQuery 1 scores: [2, 1, 0]. The average weights: [0.61, 0.30, 0.09]",
    "注意力\n\n分数：[2, 1, 0]\n\n除以 √d_k 后 softmax：[0.61, 0.30, 0.09]",
    "注意力\n\n分数：[2, 1, 0]\n\n权重：[0.58, 0.28, 0.14]",
    "注意力\n\n假设分数为 [2, 1, 0]，权重为 [0.6, 0.3, 0.1]。",
    "注意力\n\n分数：[2, 1, 3]\n\n掩码后的权重：[0.70, 0.30, 0.00]",
    "注意力機構\n\nスコア：[2, 1, 0]\n\nマスク後の重み：[0.70, 0.30, 0.00]",
    "Attention\n\nPunktzahlen: [2, 1, 0]\n\nnach Skalierung und Softmax: [0.60, 0.30, 0.10]",
    "Attention\n\nScores : [2, 1, 0]\n\nPoids après mise à l'échelle : [0.60, 0.28, 0.12]",
    "Softmax-like weights of [2, 1, 0]: [0.61, 0.30, 0.09]",
    "log-softmax of [2, 1, 0]: [0.41, 0.51, 0.08]",
    "Sparse softmax of [2, 1, 0]: [0.80, 0.20, 0.00]",
    "Unlike softmax of [2, 1, 0]: [0.80, 0.15, 0.05]",
    "Softmax of [2, 1, 0] with temperature 2: [0.52, 0.30, 0.18]",
    "Softmax with temperature 2 of [2, 1, 0]: [0.52, 0.30, 0.18]",
    "Softmax of [2, 1, 0] (T = 0.5): [0.88, 0.11, 0.01]",
    "Gumbel-softmax of [2, 1, 0]: [0.80, 0.15, 0.05]",
    "The gradient of softmax at [2, 1, 0]: [0.22, 0.18, 0.08]",
    "Derivative of the softmax of [2, 1, 0]: [0.22, 0.18, 0.08]",
    "Softmax of [2, 1, 0] and [1, 0, 0]: [0.67, 0.24, 0.09] and [0.58, 0.21, 0.21]",
    "Before softmax: [2, 1, 0]\nRanks: [0.61, 0.30, 0.09]",
    "Softmax scores: [0.7, 0.2, 0.1]\n\nWeights: [0.61, 0.30, 0.09]",
    "Attention scores for `cat`: [2, 1, 0]\n\nAfter dropout the weights: [0.80, 0.00, 0.11]",
    "Logits: [2, 1, 0]. Label-smoothed probabilities: [0.91, 0.05, 0.04]",
    "Logits: [2, 1, 0]. Teacher probabilities: [0.71, 0.19, 0.10]",
    "Logits z = [2, 1, 0], labels y = [0.71, 0.19, 0.10]",
    "Logits z = [2, 1, 0], target p = [0.71, 0.19, 0.10]",
    "Logits $z = [2, 1, 0]$ and prior $p = [0.71, 0.19, 0.10]$",
    "attention\n\nscores = [2, 1, 0]\nscores /= 1.7\nweights = [0.53, 0.30, 0.17]",
    "attention\n\n```python\nscores = [2, 1, 0]\nscaled = [s / 1.7 for s in scores]\nweights = [0.53, 0.30, 0.17]\n```",
    "Attention scores: [2, 1, 0] (before scaling)\n\nWeights: [0.53, 0.30, 0.17]",
    "Attention scores: [2, 1, 0], then divide by 1.7. Weights: [0.53, 0.30, 0.17]",
    "Attention: d = 3. Scores: [2, 1, 0]. Softmax: [0.54, 0.30, 0.17]",
    "Attention with ALiBi. Scores: [2, 1, 0]\n\nWeights: [0.80, 0.16, 0.04]",
    "Attention, temperature τ = 0.7.\n\nScores: [2, 1, 0]\n\nWeights: [0.77, 0.18, 0.04]",
    "We use attention with causal mask. Scores: [2, 1, 0]\n\nWeights: [1.00, 0.00, 0.00]",
    "Softmax of [2, 1, 0]: [7.39, 2.72, 1.00]",
    "Softmax of [2, 1, 0]: [1, 0.37, 0.14]",
    "Router logits: [2, 1, 0, -1]. Router probabilities (top-2, renormalised): [0.73, 0.27, 0, 0]",
    "Router logits: [2, 1, 0, -1] → softmax: [0.73, 0.27, 0.00, 0.00]",
    "Softmax exponentials of [2, 1, 0]: [0.74, 0.27, 0.10]",
    "Attention. Scores per head: [2, 1, 0]. Mean weights: [0.53, 0.30, 0.17]",
    "Compute softmax([2, 1, 0] / 1.7): [0.53, 0.30, 0.17]",
    "Compute softmax of [2, 1, 0]/1.7: [0.53, 0.30, 0.17]",
    "softmax([2, 1, 0]) is not [0.53, 0.30, 0.17]",
    "Is the softmax of [2, 1, 0] [0.53, 0.30, 0.17]?",
    "Softmax of [2, 1, 0]: ~[0.7, 0.2, 0.1]",
    "Quiz: softmax of [2, 1, 0]: [0.5, 0.3, 0.2] or [0.67, 0.24, 0.09]?",
    "Quiz: softmax of [2, 1, 0]: (a) [0.51, 0.30, 0.19] (b) [0.67, 0.24, 0.09]",
    "What is softmax of [2, 1, 0]?\n\nA: [0.51, 0.33, 0.16]\n\nB: [0.67, 0.24, 0.09]",
    "Scores: [1.0, 2.0, 3.0] softmax (sum to 1): [0.09, 0.24, 0.67]",
    "Attention. Scores: [2, 1, 0]\n\nWeights (ReLU attention): [0.66, 0.34, 0.00]",
    "Attention. Raw scores: [2, 1, 0]\n\nNormalized weights: [0.66, 0.33, 0.00]",
    "Scores: [[2, 1], [0, 1]]\n\nSoftmax weights: [[1.00, 0.00], [0.27, 0.73]]",
    "Scores: [[2, 1], [0, 1]]\n\nSoftmax weights: [[0.67, 0.33], [0.33, 0.67]]",
    "Скоры внимания: [2, 1, 0]. Веса после масштабирования: [0.6, 0.28, 0.12]",
    "Attention. Puntuaciones: [2, 1, 0]\n\nPesos (escalados): [0.60, 0.28, 0.12]",
    "어텐션\n\n점수: [2, 1, 0]\n\n스케일 후 가중치: [0.60, 0.28, 0.12]",
    "Attention scores: [2, 1, 0] become weights [0.6, 0.3, 0.1], say.",
    "Attention scores: [2, 1, 0] become weights like [0.62, 0.29, 0.09]",
    "Attention scores [2, 1, 0]: imagine weights [0.62, 0.29, 0.09]",
    "Attention scores [2, 1, 0]; weights [0.62, 0.29, 0.09] (made up)",
    "Attention scores [2, 1, 0]; weights [0.62, 0.29, 0.09] (illustrative)",
    "Attention scores [2, 1, 0]; weights [0.62, 0.29, 0.09] after dividing by 1.4",
]


CHANGED = [  # what the text above, or right below, says is done to scores or weights
    "Temperature is set to 0.6.\n\n`logits = [2.0, 1.0, 0.1] → softmax → [0.81, 0.15, 0.03]`",  # exp(s/0.6), shared out
    "温度为 0.6。\n\n分数 = [2.0, 1.0, 0.1] → softmax → [0.81, 0.15, 0.03]",
    "It gets sharp.\n\n`Scores: [2.0, 1.0, 0.1] → softmax → [0.99, 0.01, 0.00]`",  # exp(s/0.2)
    "We use sparsemax here.\n\n`scores = [2.0, 1.5, 0.1]`\n\n`After softmax: [0.75, 0.25, 0.00]`",
    "A bias [0.3, 0, -0.3] is added.\n\n`Scores: [1.0, 2.0, 1.5]`\n\n`After softmax: [0.28, 0.57, 0.15]`",
    "Scores are capped by 5·tanh(s/5).\n\n`logits = [4.0, 8.0, 1.0] → softmax → [0.21, 0.77, 0.02]`",
    "Logit scale 20. Similarity scores: [0.30, 0.20, 0.10] → softmax → [0.87, 0.12, 0.02]",  # exp(20 s)
    "The first three of six: scores [2.0, 1.0, 0.1] → softmax → [0.40, 0.15, 0.06]",  # e^2 : e : e^0.1
    "Step 2 scores [1, 2, 0], step 1 scores [2.0, 2.5, 0.5] → softmax of step 2 → [0.24, 0.67, 0.09]",
    "Attention. Scores: [2, 1, 0]\n\nWeights: [0.60, 0.30, 0.10]",  # twentieths all, of no softmax
    "Logits: [2.0, 1.0, 0.0]\nProbabilities: [0.73, 0.20, 0.07]\nwith temperature 0.7",
    "Scores of head 1 [2.0, 1.0, 0.0]. Attention weights: [0.55, 0.25, 0.20]. They are averaged over heads.",
    # down the columns: e²/(e² + 1) = 0.88, e/(e + e³) = 0.12
    "Slots compete.\n\nScores:\n\n$[[2, 1], [0, 3]]$\n\nAfter softmax:\n\n$[[0.88, 0.12], [0.12, 0.88]]$",
]


@pytest.mark.parametrize("text", PLAIN)
def test_weights_that_are_wrong_all_over(text: str) -> None:
    assert [number for *_, wrong in judged(text) for number in wrong]


@pytest.mark.parametrize("text", [*OMITTED, *CHANGED])
def test_weights_of_which_words_do_not_say_that(text: str) -> None:
    assert not [number for *_, wrong in judged(text) for number in wrong]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Softmax of [2, 1, 0]: [0.66, 0.34, 0.00]", ["0.34", "0.00"]),  # 0.66 is cut off
        ("Scores: [2, 1, 0] → softmax: [0.67, 0.24, 0.19]", ["0.19"]),
        ("Logits: [2, 1, 0]\n- T=0.5: [0.87, 0.12, 0.02]\n- T=2: probabilities [0.61, 0.31, 0.19]", ["0.61"]),
        ("Softmax of [2, 1, 0]: [0.67, 0.24, 0.09]", []),
        ("Scores: [3, 1, 0]\n- T=0.5 (cold): Probabilities become [0.98, 0.02, 0.00]", []),
    ],
)
def test_which_of_them_are_wrong(text: str, wrong: list[str]) -> None:
    assert [number for *_, bad in judged(text) for number in bad] == wrong


def test_right_weights_are_said_to_be_right() -> None:
    text = "Logits $h = [1, 0, 2]$, $p \\approx [0.245, 0.090, 0.665]$"
    assert judged(text)[-1][1:] == (["0.245", "0.090", "0.665"], [])


def test_scores_that_weights_are_held_against_are_given() -> None:
    text = "Scores: [2, 1, 0]\n\nAfter softmax: [{}, 0.24, 0.09]"
    assert listed(text.format("0.67")) == listed(text.format("0.76")) == []
    assert listed("Sizes: [2, 1, 0]") == ["[2, 1, 0]"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # e^2.1 : e^5.8 : e^1.2 = 0.024 : 0.966 : 0.010
        ("Attention:\n\nBefore: [2.1, 5.8, 1.2]\nAfter softmax: [0.03, 0.94, 0.03]", ["0.94", "0.03"]),
        ("Attention:\n\nBefore: [2.1, 5.8, 1.2]\nAfter softmax: [0.02, 0.97, 0.01]", []),
        ("Attention:\n\nBefore: [2.1, 5.8, 1.2]\nAfter softmax at temperature 2: [0.03, 0.94, 0.03]", []),
        ("Attention:\n\nBefore masking: [2.1, 5.8, 1.2]\nAfter softmax: [0.03, 0.94, 0.03]", []),
        ("Attention:\n\nBefore: [2.1, 5.8, 1.2]\nAfter: [0.03, 0.94, 0.03]", []),
        # e^2 : e : 1 = 0.665 : 0.245 : 0.090
        ("Softmax turns scores into probabilities.\n\nExample:\n\n`[2, 1, 0]`\n\nbecomes\n\n`[0.66, 0.27, 0.07]`",
         ["0.27", "0.07"]),
        ("Softmax turns scores into probabilities.\n\nExample:\n\n`[2, 1, 0]`\n\nbecomes\n\n`[0.67, 0.24, 0.09]`", []),
        ("Scaling changes softmax.\n\nExample:\n\n`[2, 1, 0]`\n\nbecomes\n\n`[0.66, 0.27, 0.07]`", []),
    ],
)  # fmt: skip
def test_before_and_after_softmax_and_an_example_of_what_it_does(text: str, wrong: list[str]) -> None:
    assert [number for *_, bad in judged(text) for number in bad] == wrong
