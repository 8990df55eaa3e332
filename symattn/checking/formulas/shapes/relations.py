"""What an article says of its sizes: d_k = d_model/h, h d_v = d_model, d_ff = 4 d_model, n = 16."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import sympy
from sympy import Expr, Symbol

from symattn.checking.formulas.shapes.sizes import Sizes, kind_of, read_size
from symattn.checking.formulas.statements.statement import EQUAL, Statement
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f

MOST_RELATIONS = 60
MOST_SIDES = 6
LONGEST = 200  # characters of a line

_PIECE = regex(r"[^,;:，；：。、$()（）`]+")
_SIZES_ONLY = regex(r"\s*[-+*/·=\w\s\\{}]+\s*")
_MARKER = regex(r"^\s*(?:[-*+•>]|\d+[.)])\s+")
_CASE = regex(r"\b(?:if|when|case|e\.g|unless)\b|如果|若|当|退化|比如|例如", re.IGNORECASE)  # no fact, but a case
_BESIDE = regex(r"(?<=[\w}])[ \t]+(?=[A-Za-z\\\d])")


@dataclass
class Relations:
    """`formulas` are letters in terms of others, without circles; `numbers` what letters are said to be."""

    formulas: dict[Symbol, Expr] = field(default_factory=dict)
    numbers: dict[Symbol, set[int]] = field(default_factory=dict)

    def add(self, left: Expr, right: Expr) -> None:
        """Note that two sizes are the same.

        >>> h, d, d_k, d_v = sympy.symbols("h d d_k d_v", positive=True, integer=True)
        >>> said = Relations()
        >>> said.add(h * d_k, d)
        >>> said.add(h * d_v, d)
        >>> said.formulas
        {d: d_v*h, d_k: d_v}
        """
        for letter, other in ((left, right), (right, left)):
            if isinstance(letter, Symbol) and other.is_Integer:
                self.numbers.setdefault(letter, set()).add(int(other))
                return
        sizes = Sizes(self.formulas)
        a, b = sizes.settle(left), sizes.settle(right)
        if left.is_Integer or right.is_Integer:
            return  # d_model/h = 64 is so of one model
        if a == b or not (a.free_symbols | b.free_symbols) or len(self.formulas) >= MOST_RELATIONS:
            return
        solved = _solve(a, b)
        if solved is None or solved[1].is_Integer:
            return  # two counts under one name, 12 L d² and 12 L d, do not make d = 1
        letter, value = solved
        self.formulas = {k: sympy.expand(v.xreplace({letter: value})) for k, v in self.formulas.items()}
        self.formulas[letter] = value

    def say(self, a: Expr, b: Expr) -> bool:
        """Whether a letter is said to be a number, as `d_k = 64`.

        >>> Relations(numbers={Symbol("d_k"): {64}}).say(Symbol("d_k"), sympy.Integer(64))
        True
        """
        return any(
            isinstance(letter, Symbol) and number.is_Integer and int(number) in self.numbers.get(letter, ())
            for letter, number in ((a, b), (b, a))
        )


def _solve(a: Expr, b: Expr) -> tuple[Symbol, Expr] | None:
    """One letter of an equation of sizes in terms of the others; letters that stand alone come first."""
    for letter, other in ((b, a), (a, b)) if a.is_Symbol and b.is_Symbol else ((a, b), (b, a)):
        if isinstance(letter, Symbol) and letter not in other.free_symbols:
            return letter, other
    powers = sympy.expand(a / b).as_powers_dict()
    for letter in sorted((s for s, e in powers.items() if s.is_Symbol and abs(e) == 1), key=str):
        value = sympy.expand(letter * (b / a) ** powers[letter])
        if letter not in value.free_symbols:
            return letter, value
    return None


def find_relations(lines: Iterable[str], statements: Sequence[Statement]) -> Relations:
    """What the formulas of an article and the rest of its text say of sizes.

    >>> find_relations(["d_ff = 4 d_model, h d_k = h d_v = d_model"], []).formulas
    {d_ff: 4*d_v*h, d_model: d_v*h, d_k: d_v}
    """
    found = Relations()
    chains = [
        [side.expression for side in statement.sides if side.relation in EQUAL]
        for statement in statements
        if not _CASE.search(f"{statement.before[-20:]}|{statement.after[:20]}")
    ]
    for line in lines:
        chains += _in_line(line)
    for sides in chains:
        sizes = [size for side in sides[:MOST_SIDES] if (size := read_size(side)) is not None]
        for left, right in combinations(sizes, 2):
            if _are_sizes(left, right):
                found.add(left, right)
    return found


def _are_sizes(left: Expr, right: Expr) -> bool:
    """Whether this says what a size is: one side is a letter, and every letter one that the field writes for a size."""
    if not (left.is_Symbol or right.is_Symbol):
        return False
    if any(power > 1 for size in (left, right) for power in size.as_powers_dict().values()):
        return False  # 12 d²: a count
    letters = left.free_symbols | right.free_symbols
    return bool(letters) and all(kind_of(letter.name) or letter.name in ("h", "H", "g", "k") for letter in letters)


def _in_line(line: str) -> Iterator[list[f.Expression]]:
    for piece in _PIECE.findall(_MARKER.sub("", line)) if len(line) <= LONGEST and not _CASE.search(line) else ():
        if "=" not in piece or not _SIZES_ONLY.fullmatch(piece):
            continue
        try:
            chains = [f.parse(_BESIDE.sub(" * ", side)) for side in piece.split("=") if side.strip()]
        except FormulaError:
            continue
        if all(len(chain) == 1 and len(chain[0].sides) == 1 for chain in chains):
            yield [chain[0].sides[0].expression for chain in chains]
