"""The weights of several heads beside each other: W^O has a row for every column of all heads, h d_v."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

HEADS = (
    "Multi-head attention has $W_i^Q \\in \\mathbb{R}^{D \\times d_k}$, $W_i^K \\in \\mathbb{R}^{D \\times d_k}$, "
    "$W_i^V \\in \\mathbb{R}^{D \\times d_v}$ and "
)
SIDE_BY_SIDE = (
    "Multi-head attention has $W^Q \\in \\mathbb{R}^{hd_k \\times D}$, $W^K \\in \\mathbb{R}^{hd_k \\times D}$, "
    "$W^V \\in \\mathbb{R}^{hd_v \\times D}$ and "
)
RIGHT, WRONG = r"W^O \in \mathbb{R}^{h d_v \times D}", r"W^O \in \mathbb{R}^{h d_k \times D}"
TURNED, TURNED_WRONG = r"W^O \in \mathbb{R}^{D \times h d_v}", r"W^O \in \mathbb{R}^{D \times h d_k}"


def judged(words, formula, behind="."):
    found = check_article(read_article("a.md", f"{words}${formula}${behind}\n")).formulas
    return [x.verdict for x in found if x.text == formula]


@pytest.mark.parametrize(("words", "right", "wrong"), [(HEADS, RIGHT, WRONG), (SIDE_BY_SIDE, TURNED, TURNED_WRONG)])
def test_the_output_is_as_wide_as_the_values_of_all_heads(words, right, wrong):
    assert judged(words, right) == ["holds"]
    assert judged(words, wrong) == ["holds-if"]
    assert judged(words, wrong, f", and later ${right}$.") == ["fails"]  # where the article has both


@pytest.mark.parametrize(
    "behind", [", where $d_k = d_v = D/h$.", ", with $d_v = d_k$.", "; keys and values have the same width."]
)
def test_where_keys_and_values_are_as_wide_nothing_fails(behind):
    assert judged(HEADS, WRONG, behind) in (["holds"], ["holds-if"])


def test_what_the_text_corrects_is_not_called_wrong():
    behind = f", it should say ${RIGHT}$."
    assert judged(HEADS + "instead of ", WRONG, behind) == []


@pytest.mark.parametrize(
    ("axes", "verdict"), [(r"h d_v \times d_{model}", "fails"), (r"d_{model} \times h d_v", "holds")]
)
def test_the_output_weights_stand_on_the_left_where_the_others_do(axes: str, verdict: str) -> None:
    others = "".join(rf"$W^{x} \in \mathbb{{R}}^{{h d_{y} \times d_{{model}}}}$, " for x, y in ("Qk", "Kk", "Vv"))
    text = "Multi-head attention: " + others + rf"and $W^O \in \mathbb{{R}}^{{{axes}}}$." + "\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [each.verdict for each in found][-1] == verdict


@pytest.mark.parametrize(("height", "verdicts"), [("hd_v", ["holds"]), ("hd_k", ["holds-if"]), ("d_v", ["fails"])])
def test_two_letters_of_plain_text_are_the_width_of_all_heads(height, verdicts):
    lines = ["MultiHead(Q, K, V) = Concat(head_1, ..., head_h)W^O", ""]
    lines += [f"- W^{role}_i ∈ ℝ^(d_model × d_{role.lower()})" for role in "KV"]
    lines += ["- W^Q_i ∈ ℝ^(d_model × d_k)", f"- W^O ∈ ℝ^({height} × d_model)"]
    found = check_article(read_article("a.md", "\n".join(lines) + "\n")).formulas
    assert [x.verdict for x in found if "W^O ∈" in x.text] == verdicts


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"W^O \in \mathbb{R}^{hd_v \times d_{model}}", ["holds"]),
        (r"W_O \in \mathbb{R}^{(n_{heads} \cdot d_k) \times d_{model}}", ["holds"]),
        (r"W^O \in \mathbb{R}^{d_{model} \times hd_v}", []),  # the transpose, before tokens in columns
        (r"W^O \in \mathbb{R}^{hd_k \times d_{model}}$ where $d_v = 2 d_k", []),
        (r"W^O \in \mathbb{R}^{hd_v \times d_v}", []),
    ],
)
def test_output_weights_alone_have_the_usual_letters(formula, verdicts):
    found = check_article(read_article("a.md", f"Multi-head attention ends with ${formula}$.\n")).formulas
    assert [x.verdict for x in found if "W" in x.text] == verdicts
