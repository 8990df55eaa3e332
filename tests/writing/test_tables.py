"""Tables of every writer: columns that share the page, numbers to the right, pages that a long one goes on over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from symattn.writing.document import Chain, Document, Equation, Matrix, Paragraph, Signed, Symbol, Table
from symattn.writing.prose import Sentence
from symattn.writing.visible import columns
from symattn.writing.writers import write_latex, write_markdown, write_text
from symattn.writing.writers.text import WIDTH
from symattn.writing.writers.width import share_out

NUMBERS = Table(("Step", "Count"), ((Symbol("Q"), "12"), (Symbol("K"), "1,048,576")))
WIDE = Table(("Name", "Words", "Count"), ((Symbol("Q"), "word " * 60, "7"), ("plain", "50% & more", "1,000")))


@given(widths=st.lists(st.integers(1, 99), min_size=1, max_size=7), room=st.integers(7, 99))
def test_columns_share_the_room(widths: list[int], room: int) -> None:
    kept = share_out(widths, room)
    assert sum(kept) <= max(room, len(widths)) and all(k <= w for k, w in zip(kept, widths, strict=True))
    if sum(widths) <= room:
        assert kept == widths
    cut = [k for k, w in zip(kept, widths, strict=True) if k < w]
    assert len(set(cut)) <= 1 and all(k <= cut[0] for k in kept if cut)  # the widest are cut, and alike


def test_numbers_stand_to_the_right() -> None:
    told = Document("Title", (NUMBERS,))
    assert "Step      Count\n----  ---------\nQ            12\nK     1,048,576" in write_text(told)
    assert "|---|---:|" in write_markdown(told)
    assert r"\begin{tabular}{lr}" in write_latex(told)


def test_wide_columns_have_several_lines() -> None:
    told = Document("Title", (WIDE,))
    text, latex = write_text(told), write_latex(told)
    assert all(columns(line) <= WIDTH for line in text.splitlines()) and text.count("word") == 60
    assert r"\raggedright word" in latex and r"\linewidth}" in latex and r"\tabularnewline" in latex
    assert r"50\% \& more" in latex


def test_a_long_table_goes_on_over_pages() -> None:
    rows = tuple((Symbol("Q"), str(k)) for k in range(40))
    latex = write_latex(Document("Title", (Table(("Step", "Count"), rows),)))
    assert r"\usepackage{longtable}" in latex and r"\endhead" in latex and latex.count(r"$Q$ &") == 40
    assert "longtable" not in write_latex(Document("Title", (NUMBERS,)))


def test_a_long_paragraph_may_stand_on_the_page_before_its_table() -> None:
    said = [Paragraph((Sentence("costs.counted"),) * k) for k in (0, 1)]
    short, long = (write_latex(Document("Title", (p, NUMBERS))) for p in said)
    assert r"\pagebreak[0]" in long and r"\pagebreak[0]" not in short


def test_a_long_sum_above_a_matrix_is_broken_before_its_signs() -> None:
    total = Signed(tuple(("+", Symbol(f"Product{k}")) for k in range(12)))
    chain = Chain((("", Symbol("S")), ("=", total), ("=", Matrix((("1", "2"), ("3", "4"))))))
    lines = write_text(Document("Title", (Equation((chain,)),))).splitlines()
    assert max(map(columns, lines)) <= WIDTH and any(line.strip().startswith("+ Product") for line in lines)
