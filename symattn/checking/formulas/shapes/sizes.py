"""Sizes of axes: products and sums of letters and numbers (h d_v, d_model/h, 512), and what they have to equal.

Two sizes are the same, or can never be the same (16 and 512; how many tokens there are and how wide a vector is), or
may be: then what is needed is kept, and the caller says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import sympy
from sympy import Expr, Symbol

from symattn.checking.formulas.polynomials import UnreadError, read_polynomial
from symattn.patterns import regex
from symattn.reading import formula as f

MOST_PARTS = 20  # of the formula of one size

_KINDS = {
    "vocabulary": regex(r"(?:d_?|n_?|num_?)?vocab(?:ulary)?(?:_?size)?|\|V\|"),
    "batch": regex(r"[bB]|(?:n_)?batch(?:_?size)?|bs|bsz"),
    "heads": regex(r"(?:num_?|n_?)?(?:kv_?)?heads?|n_?h|n_?kv(?:_?heads?)?"),
    "tokens": regex(
        r"[nmNMTL]|[nNTL]_?(?:[qkxyst0-9]|kv|tokens?|seq|ctx|src|tgt|queries|keys)|l(?:en)?"
        r"|seq(?:uence)?_?(?:len(?:gth)?)?|(?:ctx|context)_?(?:len(?:gth)?|size)?|(?:num_?)?tokens?"
        r"|(?:src|tgt|target|source|query|key|q|k|kv)_?(?:len|seq)\w*"
    ),
    "width": regex(
        r"[dDE]|h[sd]|[dD]_\w+|d(?:im|model|k|v|q|h|ff|head|in|out|m)"
        r"|(?:head|model|embed(?:ding)?|hidden|emb|key|value|inner)_?(?:dim|size)"
        r"|n_?embd|hidden|dim_\w+|C"
    ),
}

# letters for the number of heads; kind_of is silent on h and H, which may also be a height and a hidden state
HEAD_COUNTS = frozenset(("h", "H", "n_heads", "num_heads", "n_head", "n_h", "heads"))


def kind_of(letter: str) -> str:
    """What a size counts, by the letter that the field writes for it; "" for a letter that is used for several.

    >>> kind_of("seq_len"), kind_of("d_k"), kind_of("batch_size"), kind_of("n_heads"), kind_of("h")
    ('tokens', 'width', 'batch', 'heads', '')
    """
    return next((kind for kind, letters in _KINDS.items() if letters.fullmatch(letter)), "")


def is_size(name: f.Name) -> bool:
    """Whether a name can only be a size: d_k, seq_len; not m and b, which may be a maximum and a bias.

    >>> is_size(f.Name("d", ("k",))), is_size(f.Name("m"))
    (True, False)
    """
    long = len(name.base) > 1 or (name.base == "d" and name.sub)
    return bool(long and name.base[0].islower() and kind_of(letter_of(name)))


def letter_of(name: f.Name) -> str:
    """The text that stands for a size's name, however it was set.

    >>> letter_of(f.Name("d", ("model",))), letter_of(f.Name("seq", ("len",)))
    ('d_model', 'seq_len')
    """
    return "_".join((name.base, *name.sub, *name.sup, *name.item))


def read_size(expression: f.Expression) -> Expr | None:
    """The size that a formula stands for: letters, whole numbers and their products, sums, quotients and powers.

    >>> [chain] = f.parse("d_k / h + 2")
    >>> read_size(chain.sides[0].expression)
    d_k/h + 2
    """
    if sum(1 for _ in f.walk(expression)) > MOST_PARTS:
        return None
    return read_polynomial(expression, _leaf, range(-4, 5))


def _leaf(e: f.Expression, _: object) -> Expr | None:
    match e:
        case f.Number(value=value) if value.denominator != 1:
            raise UnreadError
        case f.Name(base=base, sub=(), sup=("2" | "3" as power,)) if len(base) == 1 and (kind_of(base) or base in "Ss"):
            return size_letter(base) ** int(power)  # D², which for a matrix would be its second
        case f.Name(base="hd" | "Hd" as base, sub=(_,)):  # h d_v, as plain text has it
            return size_letter(base[0]) * size_letter(letter_of(replace(e, base="d")))
        case f.Name():
            return size_letter(letter_of(e))
    return None


def size_letter(letter: str) -> Symbol:
    """The symbol of a size that an article names."""
    return Symbol(letter, integer=True, positive=True)


def is_unknown(size: Expr) -> bool:
    """Whether nothing states this size: it is an axis of a matrix that was not declared."""
    return isinstance(size, Symbol) and size.name.startswith("?")


@dataclass(frozen=True)
class Sizes:
    """What is known while sizes are held against each other; every method that changes it gives a new one.

    `relations` are what the article says of letters (d_k = d_model/h). `bound` are the unknown sizes found so far,
    `needed` the equations that have to hold beside the relations, `tested` how often two stated sizes were the same.
    """

    relations: Mapping[Symbol, Expr] = field(default_factory=dict)
    bound: Mapping[Symbol, Expr] = field(default_factory=dict)
    needed: frozenset[tuple[Expr, Expr]] = frozenset()
    tested: int = 0
    made: int = 0

    def invent(self) -> tuple[Symbol, Sizes]:
        """An unknown size."""
        return size_letter(f"?{self.made}"), replace(self, made=self.made + 1)

    def settle(self, size: Expr) -> Expr:
        """The size with what is known of its letters put in.

        >>> d, h = size_letter("d"), size_letter("h")
        >>> Sizes({size_letter("d_k"): d / h}).settle(h * size_letter("d_k"))
        d
        """
        for known in (self.bound, self.relations):
            for _ in range(len(known)):
                if not size.free_symbols & known.keys():
                    break
                size = sympy.expand(size.xreplace(known))
        return size

    def equate(self, a: Expr, b: Expr) -> Sizes | None:
        """Both sizes the same; None where they never are.

        >>> n, d = size_letter("n"), size_letter("d_q")
        >>> Sizes().equate(n, d), Sizes().equate(d, size_letter("d_k")).needed
        (None, frozenset({(d_q, d_k)}))
        """
        a, b = self.settle(a), self.settle(b)
        if is_unknown(a) or is_unknown(b):
            unknown, other = (a, b) if is_unknown(a) else (b, a)
            return (
                self if a == b or unknown in other.free_symbols else replace(self, bound={**self.bound, unknown: other})
            )
        if a == b:
            return replace(self, tested=self.tested + 1)
        if never_equal(a, b):
            return None
        pair = (a, b) if (b, a) not in self.needed else (b, a)
        return replace(self, needed=self.needed | {pair})

    def needed_now(self) -> tuple[tuple[Expr, Expr], ...]:
        """What is needed, with the unknown sizes that were found since; in a fixed order."""
        settled = ((self.settle(a), self.settle(b)) for a, b in self.needed)
        return tuple(sorted(((a, b) for a, b in settled if a != b), key=str))


def never_equal(a: Expr, b: Expr) -> bool:
    """Whether two sizes differ whatever their letters stand for: numbers, multiples, a sum and one of its terms, or
    things that are no equals.

    >>> never_equal(sympy.Integer(16), sympy.Integer(512)), never_equal(size_letter("n"), size_letter("d_k"))
    (True, True)
    >>> d, e = size_letter("d"), size_letter("e")
    >>> never_equal(4 * d, d), never_equal(d + e, d), never_equal(d, e)
    (True, True, False)
    """
    ratio = sympy.expand(a / b)
    if ratio.is_Rational:
        return bool(ratio != 1)
    if sympy.expand(a - b).is_nonzero:
        return True
    if 1 in (a, b):
        return True  # a width that is said in a letter is not 1
    kinds = {_kind(a), _kind(b)}
    return len(kinds) == 2 and "" not in kinds


def are_heads_apart(a: Expr, b: Expr) -> bool:
    """Whether one size is the other times the number of heads: h d_v is as wide as d_v for one head alone.

    >>> h, d_v = size_letter("h"), size_letter("d_v")
    >>> are_heads_apart(h * d_v, d_v), are_heads_apart(size_letter("d"), d_v)
    (True, False)
    """
    ratio = sympy.expand(a / b)
    times = next((each for each in (ratio, sympy.expand(1 / ratio)) if isinstance(each, Symbol)), None)
    return times is not None and (kind_of(times.name) == "heads" or times.name in ("h", "H"))


def are_heads_grouped(a: Expr, b: Expr) -> bool:
    """Whether one size has heads of keys, which groups of queries share, where the other has those of queries or one.

    >>> h, g, d = map(size_letter, "hgd")
    >>> are_heads_grouped(h, g), are_heads_grouped(g * d, d), are_heads_grouped(h, d)
    (True, True, False)
    """
    pair = tuple(map(str, sympy.fraction(sympy.cancel(a / b))))
    return any(
        _OF_KEYS.fullmatch(x) is not None and (y == "1" or _OF_QUERIES.fullmatch(y) is not None)
        for x, y in (pair, pair[::-1])
    )


_OF_KEYS = regex(r"(?:[hHg]|n|num)_?(?:h_?)?(?:kv|key_value|k)(?:_?heads?)?|kv_?heads?|[gG]|n_?g|(?:n_?|num_?)?groups?")
_OF_QUERIES = regex(r"[hH]|[hHn]_?q|n_?h|(?:n_?|num_?)?(?:q_?|query_?|attention_?)?heads?")


def _kind(size: Expr) -> str:
    """What a size counts: a letter its own kind, heads times widths a width."""
    kinds = {kind_of(letter.name) for letter in size.free_symbols}
    if len(kinds) == 1 and size.is_Symbol:
        return kinds.pop()
    return "width" if "width" in kinds and kinds <= {"width", "heads"} else ""
