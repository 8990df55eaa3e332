"""Entries of products written out: (A Bᵀ)_ij is Σ_k A_ik B_jk, and (W x)_i is Σ_k W_ik x_k.

A capital is a matrix here and a small letter a vector, of which nothing else is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

_FIRST_LETTER = 0x2460  # of the indices that are summed over, which no article uses
MOST_FACTORS = 6


def write_out_entry(e: f.Entry) -> f.Expression | None:
    """An entry of a product, a sum or a transpose as sums over its entries; None of anything else.

    >>> from symattn.reading.formula import parse
    >>> [chain] = parse(r"(QK^T)_{ij}")
    >>> [name.sub for name in f.walk(write_out_entry(chain.sides[0].expression)) if isinstance(name, f.Name)]
    [('i', '①'), ('j', '①')]
    """
    indices = tuple(letter for part in e.indices for letter in part)
    if isinstance(e.operand, f.Name) or _rank(e.operand) != len(indices) or not all(map(str.isalnum, indices)):
        return None
    return _entry(e.operand, indices, map(chr, count(_FIRST_LETTER)))


def join_labels(e: f.Expression) -> f.Expression:
    """The expression with `(W_Q)_{ij}` as the name W with all of these below."""

    def join(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Entry) or not isinstance(part.operand, f.Name):
            return part
        name = part.operand
        return replace(name, sub=(*name.sub, *(letter for mark in part.indices for letter in mark)), text="")

    return rewrite(e, join)


def has_only_entries(e: f.Expression) -> bool:
    """Whether every matrix in it has two indices and every vector one."""
    lengths = [part.upper for part in f.walk(e) if isinstance(part, f.BigSum)]
    names = [part for part in f.walk(e) if isinstance(part, f.Name) and part not in lengths]
    return all(len(_letters_below(name)) == _rank(replace(name, sub=())) for name in names)


def _letters_below(name: f.Name) -> list[str]:
    return [letter for mark in name.sub for letter in mark if letter.islower() or not letter.isalpha()]


def _rank(e: f.Expression) -> int:
    """2 of a matrix, 1 of a vector, 0 of what is not known."""
    match e:
        case f.Name(base, sub) if len(base) == 1 and base.isascii() and not any(map(str.islower, sub)):
            return 2 if base.isupper() else 1
        case f.Transpose(operand):
            return 2 if _rank(operand) == 2 else 0
        case f.Sum(terms):
            ranks = set(map(_rank, terms))
            return ranks.pop() if len(ranks) == 1 else 0
        case f.Product(factors) if len(factors) <= MOST_FACTORS:
            ranks_of = [_rank(factor) for factor in factors]
            return ranks_of[-1] if set(ranks_of[:-1]) == {2} else 0
    return 0


def _entry(e: f.Expression, at: tuple[str, ...], fresh: Iterator[str]) -> f.Expression:
    match e:
        case f.Name():
            return replace(e, sub=(*e.sub, *at), text="")
        case f.Transpose(operand):
            return _entry(operand, at[::-1], fresh)
        case f.Sum(terms, signs):
            return f.Sum(tuple(_entry(term, at, fresh) for term in terms), signs)
        case f.Product((first, *rest)):
            letter = next(fresh)
            behind = rest[0] if len(rest) == 1 else f.Product(tuple(rest), ("",) * (len(rest) - 1))
            parts = (_entry(first, (at[0], letter), fresh), _entry(behind, (letter, *at[1:]), fresh))
            return f.BigSum(letter, None, None, f.Product(parts, ("",)))
    raise TypeError(type(e).__name__)
