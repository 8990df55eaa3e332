"""Pages of a layer's own steps: every step has a title and a reason, at every level, in both languages and layouts."""

import re

import pytest
from sympy import MatrixSymbol, Rational

from symattn import derive, differentiate, lower
from symattn.api.worksheets import derive_sheet
from symattn.errors import InputError
from symattn.nodes import Activation, RMSNorm, Softmax
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.writing.prose.sentences import SENTENCES
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.text_style import TextStyle
from tests.lowering.test_layers import CASES, given_for
from tests.samples import derived, sample

LEVELS = ("matrix", "token", "index")


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_step_is_told(name):
    expression = CASES[name]
    symbolic, known = derive(expression), derive(expression, given_for(expression))
    G = [[1] * int(known.steps[-1].shape[1])] * int(known.steps[-1].shape[0])
    told = differentiate(symbolic)
    for level, notation in zip(LEVELS, ("vaswani", "phuong-hutter", "bishop"), strict=True):
        assert "## 2 " in told.to_markdown(level=level, notation=notation)
    assert not re.search(r"\bstep\.", told.to_text(language="zh"))
    back = differentiate(known, G=G)
    assert back.to_latex(language="zh", notation="phuong-hutter", level="index") and back.to_json()


def test_every_role_of_a_layer_has_a_title_and_a_reason():
    roles = {step.role for expression in CASES.values() for step in derive(expression).families}
    for role in roles:
        assert f"title.{role}" in SENTENCES, role
        assert any(key == f"step.{role}" or key.startswith(f"step.{role}.") for key in SENTENCES), role


STACK = """[inputs]
E = [[1, 0], [0, 2]]
W_U = [[1, -1], [0, 1]]
[stack]
ids = [0, 1]
labels = [1, 0]
norm = "none"
[[layer]]
heads = 2
W_Q = [[1, 0], [0, 1]]
W_K = [[0, 1], [1, 0]]
W_V = [[1, 1], [0, 1]]
[gradient]
"""


NORMALISED = """[inputs]
X = [[1, 0, 2, -1], [0, 1, 0, 3]]
[stack]
norm = "layer"
[[layer]]
W_Q = [[1, 0], [0, 1], [1, 0], [0, 1]]
W_K = [[0, 1], [1, 0], [1, 1], [0, 0]]
W_V = [[1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
"""
UNREADABLE = re.compile(r"(\\frac|\\sqrt)\{[^}]*\d{7}|\d{7}\}")


def test_fractions_and_roots_of_long_integers_are_told_as_decimals():
    """ε makes a root of 1500010 of the deviation, whose products have integers of ten digits."""
    derivation = derive_sheet(parse_worksheet(NORMALISED), "brief", "en")
    page = derivation.to_markdown()
    assert not UNREADABLE.search(page) and r"\cdots" not in page
    # NumPy: row 1 of the scores is (−1.13136, 1.03279), and of the weights (0.10302, 0.89698)
    assert re.search(r"largest score \$1\.03\d*\$", page)
    assert re.search(r"0\.10\d* & 0\.(90|897\d*) ", page)
    assert UNREADABLE.search(derivation.to_markdown(exact=True))


def test_nothing_may_be_added_under_the_root():
    """ε = 0: the row (0, 1, 0, 3) less its mean is (−1, 0, −1, 2), whose root mean square is √(6/4)."""
    sheet = NORMALISED.replace('"layer"\n', '"layer"\nepsilon = 0\n')
    page = derive_sheet(parse_worksheet(sheet), "brief", "en").to_markdown()
    assert r"\frac{\sqrt{6}}{2}" in page and "the root of the mean of the squares of its entries." in page
    flat = derive_sheet(parse_worksheet(sheet.replace("[0, 1, 0, 3]", "[1, 1, 1, 1]")), "brief", "en")
    with pytest.raises(InputError, match="row 2 would be divided by 0"):
        flat.to_markdown()


NORMS = {
    "vaswani": r"\sqrt{\frac{\mathrm{rowsum}\left(%s \circ %s\right)}{2} + \frac{1}{4}}",
    "prince": r"\sqrt{\frac{\mathrm{colsum}\left(%s \circ %s\right)}{2} + \frac{1}{4}}",
}


@pytest.mark.parametrize("notation", NORMS)
@pytest.mark.parametrize("norm", ["layer", "rms"])
def test_what_is_added_under_the_root_stands_in_the_formula(norm: str, notation: str) -> None:
    """The row (1, 3) has the mean 2 and the mean square 5: √(1 + 1/4) = √5/2 and √(5 + 1/4) = √21/2."""
    sheet = f"""[inputs]\nX = [[1, 3]]
[stack]\nnorm = "{norm}"\nepsilon = "1/4"
[[layer]]\nW_Q = [[1], [0]]\nW_K = [[1], [0]]\nW_V = [[1, 0], [0, 1]]
"""
    derivation = derive_sheet(parse_worksheet(sheet, preset=notation), "brief", "en")
    page = derivation.to_markdown()
    assert r"\frac{\sqrt{5}}{2}" in page if norm == "layer" else r"\frac{\sqrt{21}}{2}" in page
    of = r"X" if norm == "rms" else r"[^=]*?"
    assert re.search(re.escape(NORMS[notation]).replace("%s", of), page), page


def test_what_is_added_under_the_root_stands_in_the_words_of_a_module() -> None:
    norm = RMSNorm(MatrixSymbol("X", 1, 2), epsilon=Rational(1, 4))
    assert "√(rowsum(X ∘ X)/2 + 1/4)" in lower(norm).source


def test_headings_of_gradients_say_which_head_and_no_two_parts_are_called_alike():
    page = derive_sheet(parse_worksheet(STACK), "brief", "en").to_markdown()
    parts = re.findall(r"^## \d+ (Layer.*)$", page, re.MULTILINE)
    assert parts == ["Layer 1", "Layer 1: backward pass", "Layer 1: gradients with respect to its parameters"]
    members = re.findall(r"^#+ Gradient with respect to (.*layer1.*)$", page, re.MULTILINE)
    assert len(set(members)) == len(members) and not any(",i" in symbol for symbol in members)


@pytest.mark.slow
def test_a_zero_that_is_not_proven_is_said_to_be_so():
    """The columns of W_U sum to 1 and rows of dZ to 0, so that dμ is 0, behind more than algebra takes apart."""
    sheet = STACK.replace('"none"', '"layer"').replace("[[1, -1], [0, 1]]", "[[1, 0], [0, 1]]", 1)
    page = derive_sheet(parse_worksheet(sheet), "brief", "en").to_markdown()
    _, _, told = page.partition(r"d\mu" + "\n=")
    assert re.match(r".*?0\.00.*?that it is exactly 0 is not proven", told, re.DOTALL), page


def test_cases_of_an_activation_are_told_in_the_language_of_the_page() -> None:
    relu = Activation(MatrixSymbol("X", 1, 1), "relu").function
    assert r"\text{其他情况}" in LatexStyle(language="zh").expression(relu.expr)
    assert r"\text{otherwise}" in LatexStyle().expression(relu.expr)
    assert TextStyle(language="zh").expression(relu.expr) == "z (z > 0); 0 (其他情况)"


UNEMBEDDED = """tokens = ["a", "b"]
[inputs]
E = [[1, 0], [0, 1], [1, 1]]
W_U = [[1, 0, 1], [0, 1, 1]]
[stack]
ids = [2, 0]
norm = "none"
[[layer]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
"""


@pytest.mark.parametrize(
    "sheet",
    [
        UNEMBEDDED,
        UNEMBEDDED.replace("[stack]", "b_U = [1, 0, 0]\n[stack]"),
        UNEMBEDDED.replace("W_U = [[1, 0, 1], [0, 1, 1]]\n", "").replace("ids", "tied = true\nids"),
    ],
    ids=["table of its own", "with a bias", "tied"],
)
def test_logits_without_labels_are_no_output_of_attention(sheet: str) -> None:
    made = derived(sheet)
    assert made["output"].exact.shape == (2, 3)  # under its usual name
    last = made.to_markdown().rpartition("\n## ")[2]
    assert last.startswith("4 Logits\n")
    assert "one score for each token of the vocabulary" in last
    assert "attention weights" not in last
    assert "注意力权重" not in made.to_markdown(language="zh").rpartition("\n## ")[2]


def test_a_last_product_of_ones_own_is_told_by_what_it_is() -> None:
    A, B = MatrixSymbol("A", 2, 3), MatrixSymbol("B", 3, 4)
    assert "attention" not in derive(A * B).to_text().partition("Output")[2]
    assert "weighted by the attention weights" in derive(Softmax(A) * B).to_text()


def test_the_rows_of_a_table_are_not_called_the_tokens_of_the_input() -> None:
    page = derived(UNEMBEDDED).to_markdown()
    assert "Each row of $E$ belongs to one token of the vocabulary. The tokens of the input are “a”, “b”" in page
    chinese = derived(UNEMBEDDED + '[notation]\ntokens = "columns"\n').to_markdown(language="zh")
    assert "$E$ 的每一列对应词表中的一个词元。输入的词元依次为" in chinese


def test_an_input_of_as_many_rows_as_tokens_has_them_for_rows() -> None:
    weights = "W_Q = [[1], [0]]\nW_K = [[1], [1]]\nW_V = [[1], [0]]\n"
    crossed = 'tokens = ["a"]\n[inputs]\nX = [[1, 0]]\nZ = [[1, 1], [0, 1]]\n' + weights
    assert "Each row of $X$ is one token: “a”, in this order." in derived(crossed).to_markdown()


def test_the_waves_of_positions_are_told_by_the_width_that_there_is() -> None:
    """10000^(−2k/2) for rows of two entries."""
    sheet = STACK.replace('norm = "none"', 'norm = "none"\npositions = "sinusoidal"')
    assert "t · 10000^(−k)" in derived(sheet).to_text()


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        ("vaswani", "The columns of W^Q, W^K, W^V are cut into h blocks of equal size; block i is written W_i^Q,"),
        ("prince", "The rows of Ω_q, Ω_k, Ω_v are cut into H blocks of equal size; block h is written"),
    ],
)
def test_the_blocks_that_heads_take_of_the_weights_are_said(notation: str, said: str) -> None:
    assert said in " ".join(sample("shapes").to_text(notation=notation).split())
