"""Every formula that the writers emit is one that KaTeX accepts in its strict mode."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from symattn import differentiate
from symattn.checking.theorems import THEOREMS
from symattn.pages.options import LEVELS
from symattn.reading.worksheets import library
from symattn.writing.notation import PRESETS
from symattn.writing.prose import LANGUAGES
from tests.formulas import latex_formulas, markdown_formulas
from tests.samples import LARGE, SHEETS, derived, page, proven, sample
from tests.sampling import EVERY, sampled

Katex = Callable[[str], str]


def refused(formulas: Iterable[str], katex: Katex) -> list[str]:
    """The formulas that KaTeX refuses, each with its reason."""
    distinct = set(formulas)
    assert distinct
    return [f"{said}\n{tex}" for tex in distinct if (said := katex(tex))]


@pytest.mark.parametrize("bad", [r"\label{a}", r"\frac{1}", "权重", r"\begin{bmatrix} 1", r"\text{a_b}"])
def test_the_fixture_refuses_what_is_no_formula(bad: str, katex: Katex) -> None:
    assert katex(bad)


@pytest.mark.parametrize(("name", "detail"), sampled([(x, d) for d in ("full", "brief") for x in SHEETS], 3))
def test_every_formula_of_a_worksheet(name: str, detail: str, katex: Katex) -> None:
    derivation = sample(name, detail)
    found = markdown_formulas(page(name, "markdown", "zh", detail)) + latex_formulas(page(name, "latex", "en", detail))
    digits = {} if derivation.symbolic else {"digits": 7}
    found += markdown_formulas(derivation.to_markdown(elide=False, **digits))
    for step in derivation.to_json()["steps"]:
        found += step["latex"], step["definition"]
    assert refused(found, katex) == []


@pytest.mark.parametrize(("detail", "level"), [("full", "matrix"), ("brief", "token")])
@pytest.mark.parametrize("name", library.names())
def test_every_formula_of_the_derivations_that_ship(name: str, detail: str, level: str, katex: Katex) -> None:
    found = markdown_formulas(page(name, "markdown", "zh", detail, level))
    found += latex_formulas(page(name, "latex", "en", detail, level))
    assert refused(found, katex) == []


@pytest.mark.parametrize("name", library.names())
def test_every_formula_of_the_derivations_as_they_are_shown(name: str, katex: Katex) -> None:
    pages = [page(name, "markdown", language) for language in LANGUAGES]
    assert refused([formula for text in pages for formula in markdown_formulas(text)], katex) == []


@pytest.mark.parametrize("notation", PRESETS)
def test_every_formula_in_every_notation(notation: str, katex: Katex) -> None:
    grouped = (
        '[inputs]\nX = "n x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\nW_V = "d_model x d_v"\n'
        'W_O = "d_v x d_model"\n[attention]\nheads = "h"\nkv_heads = 1\n'
    )
    found = []
    for text, detail, level in (
        (SHEETS["by token, everything"], "full", LEVELS[list(PRESETS).index(notation) % 3]),
        (SHEETS["symbolic, projected"], "full", "index"),
        (SHEETS["symbolic, projected"], "brief", "token"),
        (grouped, "brief", "matrix"),
        (grouped.replace('"h"', "4").replace("= 1", "= 2"), "brief", "index"),
    ):
        derivation = derived(text.partition("[show]")[0] + f'\n[show]\nlevel = "{level}"\n', detail)
        found += markdown_formulas(derivation.to_markdown(notation=notation))
        found += [step["latex"] for step in derivation.to_json(notation=notation)["steps"]]
    assert refused(found, katex) == []


@pytest.mark.parametrize("name", LARGE)
def test_every_formula_of_large_matrices(name: str, katex: Katex) -> None:
    assert refused(markdown_formulas(sample(name).to_markdown()), katex) == []


def test_a_matrix_printed_in_full(katex: Katex) -> None:
    assert refused(markdown_formulas(sample("12 by 12").to_markdown(elide=False)), katex) == []


def test_the_notebook_view_is_one_formula(katex: Katex) -> None:
    for name in ("decimals", "symbolic", "tokens"):
        shown = sample(name)._repr_latex_()
        assert shown.startswith("$$") and shown.endswith("$$")
        assert katex(shown[2:-2]) == ""


@pytest.mark.parametrize("notation", PRESETS)
def test_every_formula_of_the_proofs(notation: str, katex: Katex) -> None:
    """In Markdown of every second notation, in LaTeX of one."""
    found, turn = [], list(PRESETS).index(notation)
    for k, proof in enumerate(map(proven, THEOREMS)):
        found += (
            markdown_formulas(proof.to_markdown(language="zh", notation=notation)) if EVERY or k % 2 == turn % 2 else []
        )
        found += latex_formulas(proof.to_latex(notation=notation)) if k % len(PRESETS) == turn else []
    assert refused(found, katex) == []


@pytest.mark.parametrize("notation", PRESETS)
def test_every_formula_of_the_gradients_in_every_notation(notation: str, katex: Katex) -> None:
    found = []
    level = LEVELS[list(PRESETS).index(notation) % 3]
    for name in ("symbolic, projected", "bahdanau", "linear, causal", "empty row, nan", "rotary"):
        text = SHEETS[name].partition("[show]")[0] + f'\n[show]\nlevel = "{level}"\n'
        found += markdown_formulas(differentiate(derived(text)).to_markdown(notation=notation))
    assert refused(found, katex) == []


@pytest.mark.parametrize("name", sampled(SHEETS, 3))
def test_every_formula_of_a_backward_pass(name: str, katex: Katex) -> None:
    derivation = sample(name, "brief")
    found = []
    shape = [int(s) for s in derivation[derivation.families.steps[-1].name].shape] if not derivation.symbolic else []
    upstream = [[(i + 2 * j) % 3 - 1 for j in range(shape[1])] for i in range(shape[0])] if shape else None
    for G in (None, upstream):
        found += markdown_formulas(differentiate(derivation, G=G).to_markdown(language="zh"))
    found += [step["latex"] for step in differentiate(derivation).to_json()["steps"]]
    assert refused(found, katex) == []
