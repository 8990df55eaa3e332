"""What the writers make of matrices and words: elision, breaking, alignment, escaping, size."""

from __future__ import annotations

import json
import re

import pytest
from sympy import MatrixSymbol

from symattn import derive
from symattn.writing.document import Chain, Diagram, Document, Equation, Heading, Place, Row, Symbol, Table
from symattn.writing.visible import columns
from symattn.writing.writers import write_latex, write_markdown, write_text
from symattn.writing.writers.latex import escape as escape_latex
from symattn.writing.writers.markdown import escape as escape_markdown
from symattn.writing.writers.text import wrap
from tests.samples import AWKWARD, SHEETS, derived, page, qkv, sample, square

pytestmark = pytest.mark.slow


def test_a_large_matrix_shows_its_first_and_last_rows_and_columns() -> None:
    wide = [[10_000 + 100 * i + j for j in range(40)] for i in range(40)]
    derivation = derived(f"[inputs]\nscaled = {json.dumps(wide)}\n")
    page = derivation.to_markdown().partition("## 2")[0]
    assert page.count(r"\\") == 4 and r"\vdots" in page and r"\cdots" in page and r"\ddots" in page
    shown = {int(x) for x in re.findall(r"\d{5}", page)}
    assert {10_000, 10_039, 10_100, 10_139, 10_200, 10_239, 13_900, 13_939} <= shown
    assert not shown & {10_020, 12_000}
    full = derivation.to_markdown(elide=False).partition("## 2")[0]
    assert {int(x) for x in re.findall(r"\d{5}", full)} == {x for row in wide for x in row}
    assert "dots" not in full


@pytest.mark.parametrize("target", ["latex", "markdown"])
def test_eight_by_eight_stays_small(target: str) -> None:
    assert len(derived(qkv(8)).to(target).encode()) < 20_000


def test_long_sums_have_dots() -> None:
    rows = json.dumps(square(12))
    page = derived(f"[inputs]\nQ = {rows}\nK = {rows}\nV = {rows}\n").to_markdown()
    example = next(line for line in page.splitlines() if line.startswith("For example, $S_{2,12}"))
    assert r"\cdots" in example and example.count(r" \cdot ") == 1 + 4


SHOWN = [n for n in SHEETS if n not in ("matrix mask", "several masks", "finite mask")]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SHOWN)
def test_lines_of_a_matrix_are_equally_wide(name: str, language: str) -> None:
    seen = 0
    for block in sample(name).to_text(language=language).split("\n\n"):
        lines = block.splitlines()
        one_matrix = sum(line.count(sign) for line in lines for sign in "=≈") <= 1
        if len(lines) > 1 and one_matrix and all(re.search(r"\[ .* \]", line) for line in lines):
            ends = {columns(line[: line.rindex("]")]) for line in lines if line.rstrip().endswith("]")}
            seen += 1
            starts = {columns(line[: line.rindex("[")]) for line in lines}
            most = max(2, *(line.count("[") - 1 for line in lines))  # factors may differ in height
            assert len(ends) <= most and len(starts) <= most, block
            if all(line.count("[") == 1 for line in lines):
                assert len(ends) == len(starts) == 1, block
    assert seen or sample(name).symbolic or not re.search(r"^ +\[", sample(name).to_text(), flags=re.MULTILINE)


def test_words_are_no_commands() -> None:
    assert escape_latex("50% & _x_ #1 $y$ {z}") == r"50\% \& \_x\_ \#1 \$y\$ \{z\}"
    assert escape_latex("\\~^<>") == (r"\textbackslash{}\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}")
    assert escape_markdown("*a* [b](c) `d` $e$ <f> #|_\\") == r"\*a\* \[b\](c) \`d\` \$e\$ \<f\> \#\|\_\\"


def test_awkward_titles_and_tokens_in_every_form() -> None:
    derivation = sample("awkward words")
    assert AWKWARD in derivation.to_text(width=200)
    assert f"# {escape_markdown(AWKWARD)}" in derivation.to_markdown()
    assert f"{escape_latex(AWKWARD)}}}\n\\author" in derivation.to_latex()


def test_columns_of_a_terminal() -> None:
    # a Chinese character takes two, a combining mark none
    assert (columns("abc"), columns("注意"), columns("S̃")) == (3, 4, 1)
    text = "注意力" * 40 + " and " + "word " * 40
    lines = wrap(text, 80).splitlines()
    assert all(columns(line) <= 80 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_paragraphs_of_plain_text_fit_the_terminal(language: str) -> None:
    for name in ("decimals", "causal", "tokens", "symbolic"):
        for line in sample(name).to_text(language=language).splitlines():
            assert columns(line) <= 92, line


def test_every_target_draws_a_diagram() -> None:
    flow = Diagram((Place("a", Symbol("Q")), Place("b", Symbol("S"), "scores")), (("a", "b"),))
    stated = Equation((Chain((("", Symbol("S")),)),), "scores")
    told = Document("Title", (Heading(1, "First"), stated, Heading(1, "Flow"), flow))
    assert r"\usepackage{tikz}" in write_latex(told) and r"$S$\quad\eqref{eq:scores}" in write_latex(told)
    assert "    a --> b\n" in write_markdown(told)
    assert "Q  →  S" in write_text(told)
    assert r"\usepackage{tikz}" not in write_latex(Document("Title", (Heading(1, "First"),)))


@pytest.mark.parametrize("width", [20, 40, 57, 80, 132])
def test_nothing_leaves_the_columns_but_matrices_and_words(width: int) -> None:
    Q, K = MatrixSymbol("Q", 1, 9), MatrixSymbol("K", 2, 9)
    derivation = derive(Q * K.T, {Q: [[10**12 + k for k in range(9)]], K: [[k - 5] * 9 for k in range(2)]})
    text = derivation.to_text(width=width)
    wide = [line for line in text.splitlines() if columns(line) > max(width, 40)]
    assert all("[" in line or " " not in line.strip() for line in wide)
    assert "".join(text.split()).replace("-", "") == "".join(derivation.to_text(width=999).split()).replace("-", "")


def test_a_long_formula_goes_on_before_a_sign_outside_of_brackets() -> None:
    sides = [("", Symbol("S")), ("=", Row(("aaaa", "+", "(bbbb + cccc)", "+", "dddd")))]
    shown = write_text(Document("T", (Equation((Chain(tuple(sides)),)),)), fragment=True, width=40)
    assert shown == "    S = aaaa + (bbbb + cccc) + dddd\n"
    sides[1] = ("=", Row(("aaaa", "+", "(bbbb + cccc)", "+", "dddd", "+", "eeee", "+", "ffff")))
    shown = write_text(Document("T", (Equation((Chain(tuple(sides)),)),)), fragment=True, width=40)
    assert shown == "    S = aaaa + (bbbb + cccc) + dddd\n        + eeee + ffff\n"


def test_a_table_whose_words_have_no_room_stays_aligned() -> None:
    header = ("Step", "Multiplications", "Exponentials", "Divisions")
    row = ("S", "2,147,483,648", "0", "0")
    written = write_text(Document("T", (Table(header, (row,)),)), fragment=True, width=40)
    assert {columns(line) for line in written.splitlines()} == {4 + 2 + 15 + 2 + 12 + 2 + 9}


def test_a_long_quotient_goes_on_before_its_stroke_and_inside_its_brackets() -> None:
    scores = "'-9*sqrt(2)', 0, '-85*sqrt(2)/2', '-155*sqrt(2)/2', '-201*sqrt(2)/2'"
    text = derived(f"[inputs]\nscaled = [[{scores}]]\n").to_text(width=70)
    (told,) = re.findall(r"\[ e\^.*\n +/ \((?:.*\n)+?\n", text)
    assert all(columns(line) <= 70 for line in told.splitlines()) and told.count("e^(−201√2/2)") == 2


def test_rows_of_fractions_keep_apart() -> None:
    page = derived('[inputs]\nscores = [["1/2", 1], ["1/3", 2], [3, 4]]\n[attention]\nscale = 1\n').to_markdown()
    assert r"\begin{bmatrix} \frac{1}{2} & 1 \\[3pt] \frac{1}{3} & 2 \\ 3 & 4 \end{bmatrix}" in page


def test_a_tall_chain_goes_on_over_pages_and_a_short_one_does_not() -> None:
    """Its first two lines stay together, its last has the number."""
    found = re.findall(r"\\begin\{align\}.*?\\end\{align\}", page("two-layer-block", "latex"), re.DOTALL)
    assert len(found) > 10
    for chain in found:
        lines = re.split(r" \\\\\*?\n&", chain)
        assert chain.count(r"\\*") == 1 and chain.count(r"\notag") == len(lines) - 1 and r"\label{eq:" in lines[-1]
    assert "align" not in sample("tokens").to_latex().replace("aligned", "")


def test_nothing_stands_between_a_heading_and_its_equation() -> None:
    """TeX would begin a paragraph there, whose empty line is above the formula."""
    text = page("encoder-decoder", "latex")
    assert not re.search(r"section\{[^\n]*\}\n\n\\(begin|\[)", text)
    assert len(re.findall(r"section\{[^\n]*\}\n\\vspace\{-0.7\\baselineskip\}\n\\(begin|\[)", text)) > 5


def test_arrows_and_numbers_in_circles_are_set() -> None:
    assert escape_latex("①→⑳") == r"\textcircled{\scriptsize 1}$\to$\textcircled{\scriptsize 20}"
