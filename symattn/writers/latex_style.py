"""How LaTeX spells the pieces of a formula. What KaTeX and GitHub refuse is not used (`\\operatorname`, `\\label`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

ACCENTS = {
    "a": r"\grave",  # absorbed
    "c": r"\bar",  # capped; cached
    "f": r"\check",  # features
    "g": r"\acute",  # gained
    "m": r"\breve",  # modified
    "n": r"\hat",  # normalised
    "r": r"\mathring",  # rotated
}
NAMES = {
    "S~": r"\tilde{S}",
    "mu": r"\mu",
    "alpha": r"\alpha",
    "NaN": r"\mathrm{NaN}",
    "Delta": r"\Delta",
    "ell": r"\ell",
    "d_model": r"d_{\mathrm{model}}",
    "d_k": "d_k",
    "d_v": "d_v",
    "cdots": r"\cdots",
    "ldots": r"\ldots",
    "vdots": r"\vdots",
    "ddots": r"\ddots",
    "cdot": r"\cdot",
}


def latex_name(name: str) -> str:
    """A name as set: W_Q is the matrix W^Q of the papers, b_Q keeps its subscript."""
    if name in NAMES:
        return NAMES[name]
    if name.endswith(")") and "^(" in name:
        return _member(*name[:-1].rsplit("^(", 1))
    stem, _, mark = name.partition("^")
    if mark in ACCENTS:  # what was done to it: Q^r, the queries rotated
        return rf"{ACCENTS[mark]}{{{latex_name(stem)}}}"
    letter, _, index = name.partition("_")
    if not index:
        return name if len(name) == 1 or name.endswith("'") else rf"\mathrm{{{_escaped(name)}}}"
    mark = "^" if letter == "W" else "_"
    shown = index if len(index) == 1 or index.isdigit() else rf"\mathrm{{{_escaped(index)}}}"
    return f"{latex_name(letter)}{mark}{{{shown}}}"


def _member(name: str, index: str) -> str:
    """One of a family of heads: W_i^Q and head_i as in the papers; Q^{(i)}, since q_i is a token's query."""
    index = ",".join(part if len(part) == 1 or part.isdigit() else rf"\mathrm{{{part}}}" for part in index.split(","))
    if name == "head":
        return rf"\mathrm{{head}}_{{{index}}}"
    if name.startswith("W_"):
        return f"W_{{{index}}}^{{{name[2:]}}}"
    base = latex_name(name)
    return f"{{{base}}}^{{({index})}}" if "^" in base else f"{base}^{{({index})}}"


def _escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("#", r"\#").replace("%", r"\%").replace("&", r"\&")


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer with the conventions of attention: terms in the order as written, QK^\\top set tight."""

    def _print_MatrixSymbol(self, expr: Any) -> str:
        return latex_name(expr.name)

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        return latex_name(expr.name)

    def _print_Transpose(self, expr: Any) -> str:
        inside = self._print(expr.arg)
        return rf"{inside}^{{\top}}" if expr.arg.is_symbol and "^" not in inside else rf"\left({inside}\right)^{{\top}}"

    def _print_MatMul(self, expr: Any) -> str:
        factor, matrices = expr.as_coeff_matrices()
        parts = [] if factor == 1 else [self._print(factor)]
        for m in matrices:
            text = self._print(m)
            parts.append(
                rf"\left({text}\right)"
                if m.is_MatAdd or (" + " in text and m.args and not text.startswith("\\mathrm"))
                else text
            )
        return " ".join(parts)


_SETTINGS = {"order": "none", "mat_delim": "", "ln_notation": True}


@dataclass(frozen=True)
class LatexStyle:
    target: str = "latex"
    minus: str = "-"
    times: str = r"\times"
    dot: str = r"\cdot"
    equals: str = "="
    approx: str = r"\approx"
    minus_infinity: str = r"-\infty"
    space: str = r"\; "

    def name(self, name: str) -> str:
        return latex_name(name)

    def expression(self, expression: object) -> str:
        return str(_Printer(dict(_SETTINGS)).doprint(sympy.sympify(expression)))

    def fraction(self, above: str, below: str) -> str:
        return rf"\frac{{{above}}}{{{below}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def index(self, base: str, *indices: str) -> str:
        apart = "," if any(len(i) > 1 for i in indices) else ""
        if "_{" in base:
            base = rf"\left({base}\right)"  # head_1 has an index already
        return f"{base}_{{{apart.join(indices)}}}"

    def total(self, index: str, body: str) -> str:
        return rf"\sum_{{{index}}} {body}"

    def belongs(self, name: str, rows: str, columns: str) -> str:
        return rf"{name} \in \mathbb{{R}}^{{{rows} \times {columns}}}"

    def boxed(self, digits: str) -> str:
        return rf"\boxed{{{digits}}}"

    def matrix(self, rows: Sequence[Sequence[str]]) -> str:
        inside = r" \\ ".join(" & ".join(row) for row in rows)
        return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"
