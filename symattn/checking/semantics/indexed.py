"""Formulas of entries, S_ij = Σ_k Q_ik K_jk, written out: sums term by term, and what they say of the whole matrix.

The sizes of the matrices that a letter counts the rows or columns of say how far it runs; where they disagree, or where
none is known, nothing is written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, TypeGuard

from symattn.checking.semantics.masks import holds
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls

Lookup = Callable[[f.Expression], Balls | None]
MOST_TERMS = 4_000  # of all the sums of a formula together
_SIZE = "d"  # the k of d_k counts nothing


def spread(name: f.Expression, formula: f.Expression, lookup: Lookup) -> tuple[f.Name, f.Matrix] | None:
    """The matrix that a formula of its entries defines, `S_ij = ...`, every entry written out; None if it defines none.

    >>> Q = f.Name("Q", ("ij",))
    >>> two = Balls((1, 2), None, ((None, None),))
    >>> spread(f.Name("S", ("ij",)), Q, lambda x: two if x == f.Name("Q") else None)[1].rows[0][1].indices
    ('1', '2')
    """
    split = split_indices(name)
    if split is None:
        return None
    whole, letters = split
    if not letters.isalpha() or not letters.islower() or letters[:1] == letters[1:] or not isinstance(whole, f.Name):
        return None
    if len(letters) == 1 and isinstance(formula, f.Name) and formula.base.removeprefix("d")[:1].isupper():
        return None  # dH_h = dC_h, of head h
    ends = [_end(formula, letter, lookup) for letter in letters]
    if any(end is None for end in ends):
        return None
    rows, columns = (*ends, 1)[:2]
    assert rows is not None and columns is not None
    terms = rows * columns * _count_terms(formula, lookup)
    if not 0 < terms <= MOST_TERMS:
        return None
    cells = []
    for i, j in product(range(1, rows + 1), range(1, columns + 1)):
        cell = _put(formula, dict(zip(letters, (i, j), strict=False)), lookup)
        if cell is None:
            return None
        cells.append(cell)
    table = tuple(tuple(cells[i * columns : (i + 1) * columns]) for i in range(rows))
    return whole, f.Matrix(table, start=formula.start, end=formula.end)


def write_out(total: f.BigSum | f.Call, lookup: Lookup) -> f.Expression | None:
    """A sum, or the largest of something, over a letter term by term; None where it is not known how far that runs."""
    if isinstance(total, f.BigSum) and not total.index and total.lower is None and total.upper is None:
        total = replace(total, index=_only_letter(total.body))
    if not 0 < _count_terms(total, lookup) <= MOST_TERMS:
        return None
    return _put(total, {}, lookup)


def _only_letter(body: f.Expression) -> str:
    """The letter that a sum without one runs over, Σ α_i v_i: the only one among its indices, or ""."""
    split = [split_indices(part) for part in f.walk(body)]
    letters = {c for found in split if found is not None for c in found[1] if c.isalpha()}
    return letters.pop() if len(letters) == 1 else ""


def _count_terms(formula: f.Expression, lookup: Lookup) -> int:
    """How many terms the sums of a formula have, one in another multiplied; 0 if that is not known."""
    count = 1
    for part in f.walk(formula):
        if isinstance(part, f.BigSum):
            count *= _end(part.body, part.index, lookup) or 0
        elif is_over_letter(part):
            count *= _end(part.arguments[0], part.label[0], lookup) or 0
    return count


def is_over_letter(part: f.Expression) -> TypeGuard[f.Call]:
    """Whether this is the largest or the smallest over a letter, max_j S_ij."""
    if not (isinstance(part, f.Call) and part.function in ("max", "min") and len(part.arguments) == 1):
        return False
    return len(part.label) == 1 and len(part.label[0]) == 1 and not part.options


# --- how far a letter runs


def _end(formula: f.Expression, letter: str, lookup: Lookup) -> int | None:
    """How many rows or columns a letter counts in a formula; None where that is not known, or not one number."""
    if len(letter) != 1:
        return None
    found = {size for part in f.walk(formula) for size in _sizes(part, letter, lookup)}
    return found.pop() if len(found) == 1 else None


def _sizes(part: f.Expression, letter: str, lookup: Lookup) -> Iterator[int]:
    split = _split(part, lookup)
    if split is None or letter not in split[1]:
        return
    whole, letters = split
    value = lookup(whole)
    if value is not None and len(letters) == 2:
        yield value.shape[letters.index(letter)]
    elif value is not None:
        if value.shape != (1, 1) or not getattr(whole, "sub", ()):  # in E_11,j stands row 11, and no entry E_11
            yield max(value.shape)
    elif isinstance(part, f.Name):
        first = lookup(replace(part, sub=("1",)))
        of = lookup(replace(part, base=part.base.upper(), sub=part.sub[:-1]))
        if first is not None and of is not None:
            yield of.shape[0 if first.shape[0] == 1 else 1]


def split_indices(part: f.Expression) -> tuple[f.Expression, str] | None:
    """What has indices, and these: Q and "ik" of Q_ik, (B C) and "2k" of (B C)_2k; None without a letter among them."""
    if isinstance(part, f.Name) and part.sub and not part.item and part.base != _SIZE:
        whole: f.Expression = replace(part, sub=part.sub[:-1])
        indices = part.sub[-1]
        if len(part.sub) == 2 and len(part.sub[0]) == 1 and len(indices) == 1:
            whole, indices = replace(part, sub=()), part.sub[0] + indices
    elif isinstance(part, f.Entry):
        whole, indices = part.operand, "".join(part.indices)
    else:
        return None
    if len(indices) > 2 or not indices.isalnum() or indices.isdigit():
        return None
    return whole, indices


def _split(part: f.Expression, lookup: Lookup) -> tuple[f.Expression, str] | None:
    """The same, where b_{q,j} is entry j of a vector b_q that is known, and not of a matrix b."""
    match part:
        case f.Name(sub=(first, last), item=()) if len(first) == len(last) == 1 and part.base != _SIZE:
            vector = replace(part, sub=(first,))
            if first.isalpha() and last.isalpha() and lookup(replace(part, sub=())) is None:
                value = lookup(vector)
                if value is not None and 1 in value.shape:
                    return vector, last
    return split_indices(part)


# --- numbers in the place of letters


class _UnknownError(Exception):
    """Something cannot be written out."""


def _put(formula: f.Expression, letters: Mapping[str, int], lookup: Lookup) -> f.Expression | None:
    try:
        return _written(formula, letters, lookup)
    except _UnknownError:
        return None


def _written(formula: f.Expression, letters: Mapping[str, int], lookup: Lookup) -> f.Expression:
    """A formula with numbers for some letters, and its sums term by term."""
    match formula:
        case f.BigSum():
            return _sum(formula, letters, lookup)
        case f.Call() if is_over_letter(formula):
            return _extreme(formula, letters, lookup)
        case f.Cases():
            return _written(_case(formula, letters, lookup), letters, lookup)
        case f.Transpose(operand) if split_indices(operand) is not None:
            raise _UnknownError  # the transpose of an entry, or an entry of the transpose
        case f.Name(base, sub=()) if base in letters:
            return f.Number(str(letters[base]), Fraction(letters[base]), Fraction(1), start=formula.start)
    split = _split(formula, lookup)
    if split is None:
        return _with_parts(formula, letters, lookup)
    whole, indices = split
    if not any(c in letters for c in indices):
        return formula
    numbers = tuple(str(letters[c]) if c in letters else c for c in indices)
    if not all(n.isdigit() for n in numbers):
        raise _UnknownError
    where = {"start": formula.start, "end": formula.end}
    if lookup(whole) is None and isinstance(formula, f.Name):
        return replace(formula, sub=(*formula.sub[:-1], *numbers))  # q_i is a row of Q
    if isinstance(whole, f.Name) and len(indices) == 2 and not all(c in letters for c in indices):
        # the 1 of S_1k counts as the author does, from 0 perhaps: entry k of the row that S_1 names
        line = tuple(":" if c in letters else c for c in indices)
        whole = f.Entry(whole, line) if isinstance(formula, f.Entry) else replace(whole, sub=(*whole.sub, *line))
        numbers = tuple(n if c in letters else "1" for n, c in zip(numbers, indices, strict=True))
    return f.Entry(whole, numbers, **where)


def _with_parts(formula: f.Expression, letters: Mapping[str, int], lookup: Lookup) -> f.Expression:
    done: dict[int, f.Expression] = {id(part): _written(part, letters, lookup) for part in formula.parts}
    if not done:
        return formula
    return _replaced(formula, done)


def _replaced(formula: f.Expression, done: Mapping[int, f.Expression]) -> f.Expression:
    """An expression with other parts directly inside it."""
    names: tuple[str, ...] = formula.__match_args__
    changed: dict[str, Any] = {name: _of_value(getattr(formula, name), done) for name in names}
    return replace(formula, **changed)


def _of_value(value: object, done: Mapping[int, f.Expression]) -> object:
    if isinstance(value, f.Expression):
        return done[id(value)]
    return tuple(_of_value(x, done) for x in value) if isinstance(value, tuple) else value


def _sum(total: f.BigSum, letters: Mapping[str, int], lookup: Lookup) -> f.Expression:
    end, first = _end(total.body, total.index, lookup), total.lower
    if end is None or total.index in letters or not (first is None or first in (_ZERO, _ONE)):
        raise _UnknownError
    if isinstance(total.upper, f.Number) and total.upper.value != (end - 1 if first == _ZERO else end):
        raise _UnknownError
    known = lookup(total.upper) if isinstance(total.upper, f.Name) else None
    if known is not None and not (known.shape == (1, 1) and known.rows[0][0] == end):
        raise _UnknownError
    if first == _ZERO and any(part == f.Name(total.index) for part in f.walk(total.body)):
        raise _UnknownError  # the letter as a number, counted from 0
    terms = tuple(_written(total.body, {**letters, total.index: k}, lookup) for k in range(1, end + 1))
    return terms[0] if end == 1 else f.Sum(terms, (1,) * end, start=total.start, end=total.end)


def _extreme(largest: f.Call, letters: Mapping[str, int], lookup: Lookup) -> f.Expression:
    body, letter = largest.arguments[0], largest.label[0]
    end = _end(body, letter, lookup)
    if end is None or letter in letters:
        raise _UnknownError
    values = tuple(_written(body, {**letters, letter: k}, lookup) for k in range(1, end + 1))
    return values[0] if end == 1 else replace(largest, arguments=values, label=())


_OTHERWISE = regex(r"otherwise|else|sonst|其他|其它|否则", re.IGNORECASE)
_ZERO, _ONE = (f.Number(str(k), Fraction(k), Fraction(1)) for k in (0, 1))


def _case(cases: f.Cases, letters: Mapping[str, int], lookup: Lookup) -> f.Expression:
    """The value whose condition holds; the last one holds where no other does."""
    counted = {letter: number - 1 + cases.first for letter, number in letters.items()}
    for k, (value, condition) in enumerate(zip(cases.values, cases.conditions, strict=True)):
        matrices: list[str] = []  # that the condition reads, whose rows are counted by no letter

        def matrix(named: str, read: list[str] = matrices) -> Balls | None:
            read.append(named)
            return lookup(f.Name(named))

        found = holds(condition, counted, matrix)
        if matrices:
            found = holds(condition, letters, matrix)
        if found is None and not (k == len(cases.values) - 1 and _OTHERWISE.search(condition)):
            raise _UnknownError
        if found is not False:
            return value
    raise _UnknownError
