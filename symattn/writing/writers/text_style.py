"""How plain text spells the pieces of a formula, on one line each; `text.py` lays matrices out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import sympy
from sympy.printing.str import StrPrinter

from symattn.patterns import regex
from symattn.writing.notation import GREEK, VASWANI, Name, Notation
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy
from symattn.writing.writers.style import NamingStyle, StyledPrinter, is_loose

_RAISED = str.maketrans("0123456789-−+TQKVO", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺ᵀᵠᴷⱽᴼ")
_LOWERED = str.maketrans("0123456789-aeijkmn", "₀₁₂₃₄₅₆₇₈₉₋ₐₑᵢⱼₖₘₙ")
_MARKS = str.maketrans("abcdfgjmnrt", "ᵃᵇᶜᵈᶠᵍʲᵐⁿʳᵗ")  # what was done to a matrix
# the same as LaTeX has it, for pages with fonts that put a mark above its letter
_ACCENTS = str.maketrans("abcdfgjmnrt", "\u0300\u0307\u0304\u0308\u030c\u0301\u0332\u0306\u0302\u030a\u20d7")
SIGNS = {
    "cdots": "⋯",
    "ldots": "…",
    "vdots": "⋮",
    "ddots": "⋱",
    "ne": "≠",
    "le": "≤",
    "ge": "≥",
    "partial": "∂",
}


def spelled(name: Name, *, accented: bool = False) -> str:
    """A name as it reads in a terminal: W^Q, d_k, S', S̃₁₂, Qʳ; `accented`, as LaTeX sets it: Q̊."""
    base, done = GREEK.get(name.base, name.base), name.done.translate(_ACCENTS if accented else _MARKS)
    base += "\u0303" + done if name.mark == "~" else done + name.mark if accented else name.mark + done
    base = unicodedata.normalize("NFC", name.gradient + base)
    if name.member_index and name.indices:  # head_1 has an index already
        return spelled(Name(f"({spelled(replace(name, indices=()), accented=accented)})", indices=name.indices))
    apart = "," if any(len(i) > 1 for i in name.indices) else ""
    last = apart.join(name.indices)
    named = "".join(f"_{_script(part)}" for part in (name.sub, name.member_index) if part)
    above = f"^{_script(name.sup)}" if name.sup else ""
    if not last:
        return base + named + above
    return base + named + above + (last.translate(_LOWERED) if last.isdigit() else f"_{_script(last)}")


_BELOW_ZERO = regex(r"(?<!\w)-(?=[0-9])")  # H^(-1), before H^(0)


def _script(text: str) -> str:
    """A list or a sum without brackets is braced as in LaTeX, that its end is seen: W_{layer2,2}^Q, H_{t−1}."""
    tight = _BELOW_ZERO.sub("−", text.replace(" - ", "−").replace(" + ", "+"))
    return f"{{{tight}}}" if any(c in ",−+" for c in tight) and not tight.startswith("(") else tight


class _Printer(StyledPrinter, StrPrinter):  # type: ignore[misc]
    def __init__(self, style: TextStyle) -> None:
        super().__init__({"order": "none"})
        self.style = replace(style, minus="-", printer=self)  # in which nodes write themselves, with SymPy's own minus

    def _print_Sum(self, expr: Any) -> str:
        body, limits = expr.function, reversed(expr.limits)
        signs = "".join(f"Σ_({letter}={self._print(low)}..{self._print(high)}) " for letter, low, high in limits)
        return signs + (f"({self._print(body)})" if body.is_Add else self._print(body))

    def _print_Indexed(self, expr: Any) -> str:
        return f"{expr.base}_{','.join(self._print(i) for i in expr.indices)}"

    def _print_KroneckerDelta(self, expr: Any) -> str:
        return "δ_" + "".join(self._print(i) for i in expr.args)

    def _print_Abs(self, expr: Any) -> str:
        return f"|{self._print(expr.args[0])}|"

    def _print_Derivative(self, expr: Any) -> str:
        return f"∂/∂{self._print(expr.variables[0])} ({self._print(expr.expr)})"

    def _print_Infinity(self, _: Any) -> str:
        return "∞"

    def _print_NegativeInfinity(self, _: Any) -> str:
        return "-∞"

    def _print_MatMul(self, expr: Any) -> str:
        factor, matrices = expr.as_coeff_matrices()
        number = f"({self._print(factor)})" if factor.is_Add else self._print(factor)
        parts = [] if factor == 1 else [number]
        ordered = reversed(matrices) if self.style.notation.columns else matrices
        parts += [f"({self._print(m)})" if is_loose(m) else self._print(m) for m in ordered]
        return " ".join(parts)

    def _print_ImmutableDenseMatrix(self, expr: Any) -> str:
        return "[" + "; ".join(", ".join(self._print(x) for x in row) for row in expr.tolist()) + "]"

    def _print_Piecewise(self, expr: Any) -> str:
        if self.style.language != "en" and expr.args[-1][1] == True:  # noqa: E712
            *rest, (last, _) = expr.args
            return str(self.style.cases([(self._print(v), self._print(c)) for v, c in rest], self._print(last)))
        cases = [(self._print(value), condition) for value, condition in expr.args]
        return ", ".join(f"{v} if {self._print(c)}" if c != True else f"else {v}" for v, c in cases)  # noqa: E712

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if isinstance(expr.base, sympy.Sum) and expr.exp.is_Integer and expr.exp > 0:
            return f"({self._print(expr.base)})**{expr.exp}"
        if expr.exp == sympy.Rational(1, 2):
            inside = self._print(expr.base)
            return f"√{inside}" if expr.base.is_Symbol or expr.base.is_Integer else f"√({inside})"
        return str(super()._print_Pow(expr, rational))


@dataclass(frozen=True)
class TextStyle(NamingStyle):
    notation: Notation = VASWANI
    language: str = "en"
    target: str = "text"
    minus: str = "−"
    times: str = "×"
    dot: str = "·"
    equals: str = "="
    approx: str = "≈"
    one: str = "1"
    minus_infinity: str = "−∞"
    space: str = " "
    accented: bool = False  # Q̊ rather than Qʳ for a rotated Q
    printer: Any = field(default=None, compare=False, repr=False)  # the one inside which a node is written

    def word(self, text: str) -> str:
        return text

    def bracketed(self, inside: str, opening: str, closing: str) -> str:
        return f"{opening}{inside}{closing}"

    def indexed(self, whole: str, below: str) -> str:
        return f"{whole}_({below})" if " " in below else f"{whole}_{below}"

    def transposed(self, inside: str) -> str:
        return f"{inside}ᵀ"

    def blocks(self, rows: Sequence[Sequence[str]]) -> str:
        return "[" + "; ".join(", ".join(row) for row in rows) + "]"

    @property
    def signs(self) -> Mapping[str, str]:
        return SIGNS

    def spelled(self, name: Name) -> str:
        return spelled(name, accented=self.accented)

    def part(self, whole: str, indices: tuple[str, ...]) -> str:
        return spelled(Name(f"({whole})", indices=self.notation.ordered(indices)))

    def expression(self, expression: object) -> str:
        given = as_sympy(expression)
        return self._written(given) if self.printer is None else str(self.printer._print(given))

    @cached_property
    def _written(self) -> Callable[[Any], str]:
        """A page measures and writes the same formulas many times."""
        return lru_cache(maxsize=1 << 10)(self._write)

    def _write(self, expression: Any) -> str:
        text = str(_Printer(self).doprint(expression))
        text = text.replace("<=", "≤").replace(">=", "≥").replace(" not in {", " ∉ {")
        return text.replace("**", "^").replace("*", "·").replace("-", self.minus)

    def fraction(self, above: str, below: str) -> str:
        return f"{_group(above)}/{_group(below, tight=True)}"

    def root(self, inside: str) -> str:
        return f"√{_group(inside, tight=True)}"

    def power(self, base: str, exponent: str) -> str:
        if all(c in "0123456789-−" for c in exponent):
            return base + exponent.translate(_RAISED)
        return f"{base}^{exponent}" if exponent.isalnum() else f"{base}^({exponent})"

    def over(self, sign: str, index: str, last: str, body: str) -> str:
        shown = "Σ" if sign == "sum" else sign
        if not last:
            return f"{self.indexed(shown, index)} {body}"
        return f"{shown}_{index}={self.notation.first_index}..{self.last_index(last)} {body}"

    def summed(self, under: str, above: str, body: str) -> str:
        return f"{self.indexed('Σ', under)} {body}" if not above else f"Σ_({under}..{above}) {body}"

    def applied(self, function: str, inside: str) -> str:
        return f"{function}({inside})"

    def cases(self, cases: Sequence[tuple[str, str]], otherwise: str) -> str:
        word = Sentence("otherwise").text(self.language)
        parts = [f"{value} ({condition})" for value, condition in cases]
        return "; ".join([*parts, f"{otherwise} ({word})"])

    def belongs(self, name: str, rows: str, columns: str) -> str:
        return f"{name}: {rows} × {columns}"

    def boxed(self, digits: str) -> str:
        return f"[{digits}]"

    def matrix(self, rows: Sequence[Sequence[str]]) -> str:
        return "[" + "; ".join("  ".join(row) for row in rows) + "]"


def _group(text: str, *, tight: bool = False) -> str:
    """Brackets where a reader would otherwise take a part for the whole."""
    loose = " " in text or text.startswith("−") or (tight and ("/" in text or "·" in text or ("√" in text[1:])))
    return f"({text})" if loose else text
