"""Why scores are divided by √d_k: the variance of a dot product step by step, weights with and without the scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy
from sympy import Integer

from symattn.pages.numbers.entries import Expansion, Inline
from symattn.pages.saturation import join_names
from symattn.pages.studies.varied import display, scores_of, softmax_rows
from symattn.values import Valuation
from symattn.values.decimals import Shown
from symattn.values.saturation.measure import SaturatedRow
from symattn.writing.document import Block, Heading, Paragraph, Spelled, Table
from symattn.writing.prose import Sentence

WIDTHS = (1, 4, 16, 64, 256, 1024)
WIDE = ("float64", "float32", "float16", "bfloat16")
EIGHT = ("float8_e4m3fn", "float8_e5m2")
PRODUCT = (r"\mathbb{E}[q_i k_i]", "E[q_i k_i]")
VARIANCE = (r"\mathrm{Var}(q_i k_i)", "Var(q_i k_i)")
SUM = (r"\mathrm{Var}(q \cdot k)", "Var(q · k)")
ROOT = Spelled(r"\sqrt{d_k}", "√d_k")


def scaling(told: Expansion, tokens: Sequence[str]) -> Iterator[Block]:
    """Var(q·k) = d_k from stated assumptions, where they fail, and the first row of scores at other widths."""
    yield from _proof()
    yield from _failures()
    yield from _example(told.values)


def _proof() -> Iterator[Block]:
    yield Heading(1, Sentence("scaling.title", root=ROOT))
    q, k = Spelled(r"q_1, q_2, \dots", "q_1, q_2, …"), Spelled(r"k_1, k_2, \dots", "k_1, k_2, …")
    yield Paragraph((Sentence("scaling.assume", q=q, k=k),))
    yield Paragraph((Sentence("scaling.mean"),))
    yield display(PRODUCT, (r"\mathbb{E}[q_i]\,\mathbb{E}[k_i]", "E[q_i] E[k_i]"), (r"0 \cdot 0", "0·0"), ("0", "0"))
    yield Paragraph((Sentence("scaling.term"),))
    yield display(
        VARIANCE,
        (r"\mathbb{E}[q_i^2 k_i^2] - \mathbb{E}[q_i k_i]^2", "E[q_i² k_i²] − E[q_i k_i]²"),
        (r"\mathbb{E}[q_i^2]\,\mathbb{E}[k_i^2] - 0", "E[q_i²] E[k_i²] − 0"),
        (r"1 \cdot 1", "1·1"),
        ("1", "1"),
    )
    yield Paragraph((Sentence("scaling.cross"),))
    yield display(
        (r"\mathrm{Cov}(q_i k_i, q_j k_j)", "Cov(q_i k_i, q_j k_j)"),
        (
            r"\mathbb{E}[q_i]\,\mathbb{E}[k_i]\,\mathbb{E}[q_j]\,\mathbb{E}[k_j] - 0",
            "E[q_i] E[k_i] E[q_j] E[k_j] − 0",
        ),
        ("0", "0"),
    )
    yield Paragraph((Sentence("scaling.sum"),))
    yield display(
        SUM,
        (
            r"\sum_{i} \mathrm{Var}(q_i k_i) + \sum_{i \ne j} \mathrm{Cov}(q_i k_i, q_j k_j)",
            "Σ_i Var(q_i k_i) + Σ_(i≠j) Cov(q_i k_i, q_j k_j)",
        ),
        (r"\sum_{i=1}^{d_k} 1 + 0", "Σ_i 1 + 0"),
        ("d_k", "d_k"),
    )
    yield Paragraph((Sentence("scaling.scaled", root=ROOT),))
    yield display(
        (r"\mathrm{Var}\left(\frac{q \cdot k}{\sqrt{d_k}}\right)", "Var(q · k/√d_k)"),
        (r"\frac{\mathrm{Var}(q \cdot k)}{d_k}", "Var(q · k)/d_k"),
        ("1", "1"),
    )


def _failures() -> Iterator[Block]:
    yield Heading(1, Sentence("scaling.fails"))
    mean = Spelled(r"d_k\mu_q\mu_k", "d_k μ_q μ_k")
    yield Paragraph(
        (Sentence("scaling.means", mean=mean, root=ROOT, mu=Spelled(r"\mu", "μ"), sigma=Spelled(r"\sigma", "σ")),)
    )
    yield display(
        SUM,
        (
            r"d_k\left(\sigma_q^2\sigma_k^2 + \sigma_q^2\mu_k^2 + \sigma_k^2\mu_q^2\right)",
            "d_k (σ_q² σ_k² + σ_q² μ_k² + σ_k² μ_q²)",
        ),
    )
    square = Spelled("d_k^2", "d_k²")
    yield Paragraph((Sentence("scaling.correlated", square=square, root=ROOT, cov=Spelled(r"\Sigma", "Σ")),))
    yield display(SUM, (r"\mathrm{tr}(\Sigma_q \Sigma_k)", "tr(Σ_q Σ_k)"))
    same = Spelled(r"\mathbb{E}[q \cdot q] = d_k", "E[q · q] = d_k")
    yield Paragraph((Sentence("scaling.dependent", same=same, root=ROOT, itself=Spelled("k = q", "k = q")),))


def _example(values: Valuation) -> Iterator[Block]:
    standard = next((row for row in scores_of(values) if len(row) > 1), None)
    if standard is None:  # every query sees one key alone
        return
    yield Heading(1, Sentence("scaling.example"))
    times = Spelled(r"\sqrt{d_k}", "√d_k")
    norm = Spelled(r"\lVert J\rVert_\infty", "‖J‖∞")
    yield Paragraph((Sentence("scaling.row", times=times, norm=norm),))
    with_scale = softmax_rows([standard])[0]
    lines = [_line(d, softmax_rows([[sympy.sqrt(Integer(d)) * x for x in standard]])[0], with_scale) for d in WIDTHS]
    header = (
        Spelled("d_k", "d_k"),
        Sentence("saturation.gap"),
        Spelled(r"1 - a_{\max}", "1 − a_max"),
        norm,
        Sentence("scaling.ones"),
        Sentence("scaling.with_scale"),
    )
    yield Table(header, tuple(lines))
    yield Paragraph((Sentence("scaling.verdict", root=ROOT),))


def _line(d: int, row: SaturatedRow, scaled: SaturatedRow) -> tuple[Inline | Sentence | str, ...]:
    figures = (Inline(Shown(x)) for x in (row.gap, row.rest, row.jacobian_norm))
    return (str(d), *figures, _formats_of_one(row), Inline(Shown(scaled.rest)))


def _formats_of_one(row: SaturatedRow) -> Sentence | str:
    """The formats in which the largest weight is 1; those of eight bits in one word if it is both."""
    ones = {name for name, found in row.formats.items() if found.one is not None}
    if ones >= {*WIDE, *EIGHT}:
        return Sentence("scaling.all")
    eight = [Sentence("scaling.eight")] if ones >= set(EIGHT) else [name for name in EIGHT if name in ones]
    return join_names([*(name for name in WIDE if name in ones), *eight]) if ones else "—"
