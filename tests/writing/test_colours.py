"""Queries, keys, values and weights keep a colour through all steps, in LaTeX and in notebooks as on pages."""

from __future__ import annotations

import re

import pytest

from symattn.writing.document import OBJECTS
from symattn.writing.writers.latex import INKS
from tests.samples import derived, sample

SHEET = "[inputs]\nQ = [[1, 2]]\nK = [[5, 6], [7, 8]]\nV = [[1, 0], [0, 2]]\n"


def luminance(ink: str) -> float:
    """As WCAG defines it."""
    channels = [int(ink[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("ink", INKS.values())
def test_inks_are_dark_enough_to_read_on_paper(ink: str) -> None:
    assert 1.05 / (luminance(ink) + 0.05) >= 4.5


def test_an_article_names_its_colours_and_paints_names_and_matrices() -> None:
    article = derived(SHEET).to_latex()
    for kind, ink in INKS.items():
        assert rf"\definecolor{{{kind}}}{{HTML}}{{{ink}}}" in article
    assert r"S" + "\n" + r"= {\textcolor{queries}{Q}} {\textcolor{keys}{K}}^{\top}" in article
    assert r"\textcolor{keys}{\begin{bmatrix} 5 & 7 \\ 6 & 8 \end{bmatrix}}" in article
    assert r"\textcolor{weights}{A}" in article and r"\textcolor{values}{V}" in article


@pytest.mark.parametrize("options", [{"plain": True}, {"fragment": True}])
def test_plain_articles_and_fragments_have_no_colour(options: dict[str, bool]) -> None:
    assert "color" not in derived(SHEET).to_latex(**options)


def test_only_markup_differs() -> None:
    """Without its colours an article is the plain one."""
    coloured, plain = derived(SHEET).to_latex(), derived(SHEET).to_latex(plain=True)
    bare = re.sub(r"\\usepackage\{xcolor\}\n|\\definecolor.*\n", "", coloured)
    while (less := re.sub(r"(?:\\mathinner)?\{\\textcolor\{\w+\}\{((?:[^{}]|\{[^{}]*\})*)\}\}", r"\1", bare)) != bare:
        bare = less
    assert bare == plain


def test_letters_tell_the_same_without_colours() -> None:
    """Each object has a letter of its own, which stands wherever its colour does."""
    inks = re.findall(r"\{\\textcolor\{(\w+)\}\{(\\?[A-Za-z]+)", derived(SHEET).to_latex())
    letters = {kind: {letter for of, letter in inks if of == kind and letter != r"\begin"} for kind in OBJECTS}
    assert letters == {"queries": {"Q", "q"}, "keys": {"K", "k"}, "values": {"V"}, "weights": {"A"}}


@pytest.mark.parametrize("name", ["tokens", "symbolic"])
def test_notebooks_have_colours_without_the_page_around(name: str) -> None:
    shown = sample(name).to_html(fragment=True)
    for kind, ink in INKS.items():
        assert f"enclosing {kind}" in shown and f"var(--{kind}, #{ink.lower()})" in shown
    assert "enclosing queries" not in sample(name).to_html(fragment=True, plain=True)
