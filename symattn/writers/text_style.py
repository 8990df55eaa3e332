"""How plain text spells the pieces of a formula, on one line each; `text.py` lays matrices out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.printing.str import StrPrinter

_RAISED = str.maketrans("0123456789-−+TQKVO", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺ᵀᵠᴷⱽᴼ")
_LOWERED = str.maketrans("0123456789-aeijkmn", "₀₁₂₃₄₅₆₇₈₉₋ₐₑᵢⱼₖₘₙ")
_MARKS = str.maketrans("acfgmnrQKX", "ᵃᶜᶠᵍᵐⁿʳᵠᴷˣ")
NAMES = {
    "S~": "S̃",
    "mu": "μ",
    "alpha": "α",
    "Delta": "Δ",
    "ell": "ℓ",
    "cdots": "⋯",
    "ldots": "…",
    "vdots": "⋮",
    "ddots": "⋱",
    "cdot": "·",
}


def text_name(name: str) -> str:
    """A name as it reads in a terminal: W_Q, d_k, S'."""
    if name.startswith("head^("):
        return f"head_{name[6:-1]}"
    base, mark, index = name.partition("^(")
    stem, _, done = base.partition("^")
    if done.isalpha():  # what was done to it: Qʳ, the queries rotated
        return text_name(stem) + done.translate(_MARKS) + mark + index
    return NAMES.get(base, base) + mark + index


class _Printer(StrPrinter):  # type: ignore[misc]
    def _print_MatrixSymbol(self, expr: Any) -> str:
        return text_name(expr.name)

    def _print_Transpose(self, expr: Any) -> str:
        inside = self._print(expr.arg)
        return f"{inside}ᵀ" if expr.arg.is_symbol else f"({inside})ᵀ"

    def _print_MatMul(self, expr: Any) -> str:
        factor, matrices = expr.as_coeff_matrices()
        parts = [] if factor == 1 else [self._print(factor)]
        parts += [f"({self._print(m)})" if m.is_MatAdd else self._print(m) for m in matrices]
        return " ".join(parts)

    def _print_ImmutableDenseMatrix(self, expr: Any) -> str:
        return "[" + "; ".join(", ".join(self._print(x) for x in row) for row in expr.tolist()) + "]"

    def _print_Piecewise(self, expr: Any) -> str:
        cases = [(self._print(value), condition) for value, condition in expr.args]
        return ", ".join(f"{v} if {self._print(c)}" if c != True else f"else {v}" for v, c in cases)  # noqa: E712

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp == sympy.Rational(1, 2):
            inside = self._print(expr.base)
            return f"√{inside}" if expr.base.is_Symbol or expr.base.is_Integer else f"√({inside})"
        return str(super()._print_Pow(expr, rational))


@dataclass(frozen=True)
class TextStyle:
    target: str = "text"
    minus: str = "−"
    times: str = "×"
    dot: str = "·"
    equals: str = "="
    approx: str = "≈"
    minus_infinity: str = "−∞"
    space: str = " "

    def name(self, name: str) -> str:
        return text_name(name)

    def expression(self, expression: object) -> str:
        text = str(_Printer({"order": "none"}).doprint(sympy.sympify(expression)))
        return text.replace("**", "^").replace("*", "·").replace("-", self.minus).replace("oo", "∞")

    def fraction(self, above: str, below: str) -> str:
        return f"{_grouped(above)}/{_grouped(below, tight=True)}"

    def root(self, inside: str) -> str:
        return f"√{_grouped(inside, tight=True)}"

    def power(self, base: str, exponent: str) -> str:
        if all(c in "0123456789-−" for c in exponent):
            return base + exponent.translate(_RAISED)
        return f"{base}^{exponent}" if exponent.isalnum() else f"{base}^({exponent})"

    def index(self, base: str, *indices: str) -> str:
        if base.startswith("head_"):
            base = f"({base})"
        joined = ("," if any(len(i) > 1 for i in indices) else "").join(indices)
        low = joined.translate(_LOWERED)
        return base + low if joined.isdigit() else f"{base}_{joined}"

    def total(self, index: str, body: str) -> str:
        return f"Σ_{index} {body}"

    def belongs(self, name: str, rows: str, columns: str) -> str:
        return f"{name}: {rows} × {columns}"

    def boxed(self, digits: str) -> str:
        return f"[{digits}]"

    def matrix(self, rows: Sequence[Sequence[str]]) -> str:
        return "[" + "; ".join("  ".join(row) for row in rows) + "]"


def _grouped(text: str, *, tight: bool = False) -> str:
    """Brackets where a reader would otherwise take a part for the whole."""
    loose = " " in text or text.startswith("−") or (tight and ("/" in text or "·" in text or ("√" in text[1:])))
    return f"({text})" if loose else text
