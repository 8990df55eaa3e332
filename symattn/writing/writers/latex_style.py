"""How LaTeX spells the pieces of a formula. What KaTeX and GitHub refuse is not used (`\\operatorname`, `\\label`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from sympy import MatrixSymbol
from sympy.printing.latex import LatexPrinter

from symattn.patterns import regex
from symattn.writing.document import Box, Entries
from symattn.writing.notation import GREEK, VASWANI, Name, Notation
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy
from symattn.writing.writers.style import NamingStyle, StyledPrinter, is_loose
from symattn.writing.writers.text_style import TextStyle

ACCENTS = {
    "a": r"\grave",  # absorbed
    "b": r"\dot",  # with a bias
    "c": r"\bar",  # capped; cached; centred
    "d": r"\ddot",  # after dropout
    "f": r"\check",  # features
    "g": r"\acute",  # gained
    "j": r"\underline",  # joined
    "m": r"\breve",  # modified
    "n": r"\hat",  # normalised
    "r": r"\mathring",  # rotated
    "t": r"\vec",  # the largest, selected
}
_FUNCTIONS = ("tanh", "exp")  # that LaTeX has by name
SIGNS = {
    "cdots": r"\cdots",
    "ldots": r"\ldots",
    "vdots": r"\vdots",
    "ddots": r"\ddots",
    "ne": r"\ne",
    "le": r"\le",
    "ge": r"\ge",
    "partial": r"\partial",
}


def spell(name: Name, *, raw: bool = False) -> str:
    """A name as set: letters in italics, words upright; `raw` where its base is LaTeX already."""
    base = name.base if raw else rf"\{name.base}" if name.base in GREEK else _word(name.base)
    base = rf"\tilde{{{base}}}" if name.mark == "~" else base + name.mark
    base = rf"{ACCENTS[name.done]}{{{base}}}" if name.done in ACCENTS else base
    base = name.gradient + base
    if name.member_index and name.indices:  # head_1 has an index already
        whole = rf"\left({spell(replace(name, indices=()), raw=raw)}\right)"
        return spell(Name(whole, indices=name.indices), raw=True)
    apart = "," if any(len(i) > 1 for i in name.indices) else ""
    below = ",".join(filter(None, [_script(name.sub), _script(name.member_index), apart.join(name.indices)]))
    sup = rf"\mathrm{{{name.sup}}}" if name.sup.isalpha() and name.sup.islower() else _script(name.sup)
    above = f"^{{{sup}}}" if sup else ""
    if not below:
        return base + above
    low = f"_{below}" if below == name.sub and below.islower() and len(below) == 1 else f"_{{{below}}}"
    return base + (above + low if name.mark == "'" else low + above)  # TeX joins a prime with what is next above


def _word(text: str) -> str:
    return text if len(text) == 1 else rf"\mathrm{{{_escape(text)}}}"


_INDEXED = regex(r"[A-Za-z]+_[A-Za-z0-9]+")  # H_2, whose norms are N_{H_2}
_BEFORE_OR_AFTER = regex(r"[a-z] [-+] [0-9]|-[0-9]+")  # t - 1, or -1 before 0


def _script(text: str) -> str:
    """A subscript or superscript: single letters, digits, t - 1 and (q) as they are, words upright."""
    if text.startswith("("):
        return f"({_script(text[1:-1])})"
    if "," in text:
        return ",".join(map(_script, text.split(",")))
    if "⌈" in text:
        return text.replace("⌈", r"\lceil ").replace("⌉", r" \rceil")
    if len(text) < 2 or text.isdigit():
        return text
    if _BEFORE_OR_AFTER.fullmatch(text):
        return text.replace(" ", "")
    if _INDEXED.fullmatch(text):
        base, _, index = text.partition("_")
        return f"{_script(base)}_{{{_script(index)}}}"
    return rf"\mathrm{{{_escape(text)}}}"


def _escape(text: str) -> str:
    return text.replace("_", r"\_").replace("#", r"\#").replace("%", r"\%").replace("&", r"\&")


class _Printer(StyledPrinter, LatexPrinter):  # type: ignore[misc]
    """SymPy's printer with the conventions of attention: terms in the order as written, QK^\top set tight."""

    def __init__(self, style: LatexStyle) -> None:
        super().__init__({"order": "none", "mat_delim": "", "ln_notation": True})
        self.style = replace(style, printer=self)  # in which nodes write themselves

    def _print_Piecewise(self, expr: Any) -> str:
        *cases, (last, condition) = expr.args
        if condition != True:  # noqa: E712
            return str(super()._print_Piecewise(expr))
        return str(self.style.cases([(self._print(v), self._print(c)) for v, c in cases], self._print(last)))

    def _print_MatMul(self, expr: Any) -> str:
        factor, matrices = expr.as_coeff_matrices()
        number = rf"\left({self._print(factor)}\right)" if factor.is_Add else self._print(factor)
        parts = [] if factor == 1 else [number]
        for m in reversed(matrices) if self.style.notation.columns else matrices:
            text = self._print(m)
            parts.append(
                rf"\left({text}\right)"
                if is_loose(m) or (" + " in text and m.args and not text.startswith("\\mathrm"))
                else text
            )
        # dS K, which without a space would read d S K
        apart = any(self.style.notation.name(m.name).gradient for m in matrices if isinstance(m, MatrixSymbol))
        return (r" \, " if apart else " ").join(parts)


@dataclass(frozen=True)
class LatexStyle(NamingStyle):
    notation: Notation = VASWANI
    language: str = "en"
    target: str = "latex"
    minus: str = "-"
    times: str = r"\times"
    dot: str = r"\cdot"
    equals: str = "="
    approx: str = r"\approx"
    one: str = r"\mathbf{1}"
    minus_infinity: str = r"-\infty"
    space: str = r"\; "
    printer: Any = field(default=None, compare=False, repr=False)  # the one inside which a node is written

    @cached_property
    def plain(self) -> TextStyle:
        """The same in plain text, by which widths are measured."""
        return TextStyle(self.notation, self.language)

    def word(self, text: str) -> str:
        return rf"\{text}" if text in _FUNCTIONS else rf"\mathrm{{{_escape(text)}}}"

    def bracketed(self, inside: str, opening: str, closing: str) -> str:
        return rf"\left{opening}{inside}\right{closing}"

    def indexed(self, whole: str, below: str) -> str:
        return f"{whole}_{{{below}}}"

    def transposed(self, inside: str) -> str:
        return f"{inside}^{{{self.notation.transpose}}}"

    def blocks(self, rows: Sequence[Sequence[str]]) -> str:
        return self.matrix(rows)

    @property
    def signs(self) -> Mapping[str, str]:
        return SIGNS

    def spelled(self, name: Name) -> str:
        return spell(name)

    def part(self, whole: str, indices: tuple[str, ...]) -> str:
        return spell(Name(rf"\left({whole}\right)", indices=self.notation.ordered(indices)), raw=True)

    def expression(self, expression: object) -> str:
        printed = _Printer(self).doprint if self.printer is None else self.printer._print
        return str(printed(as_sympy(expression)))

    def fraction(self, above: str, below: str) -> str:
        return rf"\frac{{{above}}}{{{below}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def power(self, base: str, exponent: str) -> str:
        if ("^" in base or "'" in base) and not base.endswith(")"):  # TeX sets no second exponent, and a prime is one
            base = self.bracketed(base, *"()")
        return f"{base}^{{{exponent}}}"

    def over(self, sign: str, index: str, last: str, body: str) -> str:
        if not last:
            return rf"\{sign}_{{{index}}} {body}"
        return rf"\{sign}_{{{index}={self.notation.first_index}}}^{{{self.last_index(last)}}} {body}"

    def summed(self, under: str, above: str, body: str) -> str:
        return rf"\sum_{{{under}}}" + (f"^{{{above}}}" if above else "") + f" {body}"

    def applied(self, function: str, inside: str) -> str:
        return self.word(function) + self.bracketed(inside, *"()")

    def cases(self, cases: Sequence[tuple[str, str]], otherwise: str) -> str:
        word = Sentence("otherwise").text(self.language)
        rows = [*(f"{value} & {condition}" for value, condition in cases), rf"{otherwise} & \text{{{word}}}"]
        inside = r" \\ ".join(rows)
        return rf"\begin{{cases}} {inside} \end{{cases}}"

    def belongs(self, name: str, rows: str, columns: str) -> str:
        return rf"{name} \in \mathbb{{R}}^{{{rows} \times {columns}}}"

    def boxed(self, digits: str) -> str:
        return rf"\boxed{{{digits}}}"

    def sides(self, sides: Sequence[tuple[str, Box]], written: list[str]) -> list[str]:
        """The sides of a chain after its first, with their relations; a page that can be explored marks some."""
        return written

    def shrunk(self, written: str) -> str:
        """What is wider than the page: as it is, where pages scroll."""
        return written

    def matrix(self, rows: Sequence[Sequence[str]]) -> str:
        """Rows of fractions are set a little apart, or they would touch."""
        ends = [r" \\[3pt] " if has_fraction(row) and has_fraction(after) else r" \\ " for row, after in pairwise(rows)]
        inside = "".join(" & ".join(row) + end for row, end in zip(rows, [*ends, ""], strict=True))
        return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"


def has_fraction(row: Sequence[str]) -> bool:
    return any(r"\frac" in cell for cell in row)


@dataclass(frozen=True)
class ColouredStyle(LatexStyle):
    """Queries, keys, values and weights each in its colour: their names, and matrices of their entries."""

    objects: Mapping[str, str] = field(default_factory=dict)

    def paint(self, kind: str, written: str) -> str:
        """In outer braces, so that what is raised or lowered beside it belongs to it."""
        return rf"{{\textcolor{{{kind}}}{{{written}}}}}"

    def _painted(self, name: str, written: str) -> str:
        kind = self.objects.get(name)
        return written if kind is None else self.paint(kind, written)

    def name(self, name: str) -> str:
        return self._painted(name, super().name(name))

    def entry(self, name: str, indices: tuple[str, ...]) -> str:
        return self._painted(name, super().entry(name, indices))

    def vector(self, name: str, index: str) -> str:
        return self._painted(name, super().vector(name, index))

    def matrix_of(self, entries: Entries, rows: list[list[str]]) -> str:
        kind = self.objects.get(entries.name)
        return self.matrix(rows) if kind is None else rf"\mathinner{self.paint(kind, self.matrix(rows))}"
