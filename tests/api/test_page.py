"""What every result that users hold can do: it is written in every format, and refuses what it does not know."""

import numpy as np
import pytest
from sympy import MatrixSymbol

from symattn import Softmax, check_article, derive, measure_arrays, measure_saturation, prove
from symattn.api.page import Page
from symattn.errors import InputError

S = MatrixSymbol("S", 1, 2)


@pytest.fixture(params=["derivation", "proof", "check", "saturation", "arrays"])
def page(request, tmp_path):
    match request.param:
        case "derivation":
            return derive(Softmax(S), {S: [[0, 20]]})
        case "proof":
            return prove("shift-invariance")
        case "check":
            return check_article("Then $2 + 3 = 6$.\n")
        case "saturation":
            return measure_saturation(derive(Softmax(S), {S: [[0, 20]]}))
    np.save(tmp_path / "scores.npy", np.array([[0.0, 20.0]]))
    return measure_arrays(tmp_path / "scores.npy")


def test_every_page_is_written_in_every_format(page):
    assert isinstance(page, Page)
    assert page.to_latex().startswith(r"\documentclass") and r"\documentclass" not in page.to_latex(fragment=True)
    assert page.to_markdown().startswith("# ") and not page.to_markdown(fragment=True).startswith("# ")
    assert page.to_text() == page.to("text")
    assert page._repr_markdown_() == page.to_markdown(fragment=True)
    assert len({page.to_text(language=language) for language in ("en", "zh")}) == 2


def test_every_page_is_a_page_of_html(page):
    pytest.importorskip("quickjs")
    assert page.to_html().startswith("<!DOCTYPE html>")
    assert page._repr_html_() == page.to_html(fragment=True)


@pytest.mark.parametrize("target", ["x", "pdf", ["latex"], None])
def test_an_unknown_format_is_refused_with_those_that_there_are(page, target):
    with pytest.raises(InputError, match="choose one of latex, markdown, notebook, text, html"):
        page.to(target)


@pytest.mark.parametrize("target", ["text", "markdown"])
def test_an_unknown_language_is_refused_with_those_that_there_are(page, target):
    with pytest.raises(InputError, match='"fr" is not a valid language; choose one of en, zh'):
        page.to(target, language="fr")


@pytest.mark.parametrize("choose", [{"level": True}, {"notation": {"first_index": True}}, {"detail": ["full"]}])
def test_a_choice_of_another_kind_is_refused(choose):
    with pytest.raises(InputError, match="choose one of"):
        derive(Softmax(S), **choose)
