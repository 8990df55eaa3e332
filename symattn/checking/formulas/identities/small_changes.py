"""Small changes by the product rule, dO = dP V + P dV and dS = dQ Kᵀ + Q dKᵀ, as forward differentiation has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_USUAL = {"S": (("Q", False), ("K", True)), "O": (("P", False), ("V", False))}  # where no line says what they are
_LETTERS = frozenset("QKVPSOAXW")
Factors = tuple[tuple[str, bool], ...]  # each letter, and whether it is transposed


@dataclass(frozen=True)
class _Term:
    """A product of matrices of which one is a change, and the numbers in it."""

    factors: Factors
    changed: int
    numbers: tuple[f.Expression, ...]


def judge_small_change(statement: Statement, context: Context) -> Formula | None:
    """The change of a product: one term for each factor, in which that one changes."""
    if len(statement.equals) != 2:
        return None
    left = _atoms(statement.left)
    if left is None or len(left) != 1 or not left[0][1] or left[0][2]:
        return None
    key = left[0][0].upper()
    made = context.once(_find_products).get(key, _USUAL.get(key))
    terms = _terms(statement.equals[1])
    if made is None or terms is None or len({term.numbers for term in terms}) != 1:
        return None
    letters = {letter: letter for letter, _ in made}
    wanted = {(made, k) for k in range(len(made))}
    if len(terms) != len(wanted) or any({letter for letter, _ in term.factors} != letters.keys() for term in terms):
        return None
    if {(term.factors, term.changed) for term in terms} == wanted:
        return conclude(statement, "holds", Sentence("theorem.product_rule"))
    if {term.factors[term.changed][0] for term in terms} != letters.keys():
        return None  # one of them does not change
    right = " + ".join(
        " ".join(("d" if k == changed else "") + letter + ("^T" if turned else "")
                 for k, (letter, turned) in enumerate(made))
        for changed in range(len(made))
    )  # fmt: skip
    plain = not terms[0].numbers
    return refuse(statement, Sentence("theorem.product_rule"), f"d{key} = {right}" if plain else None)


def _find_products(_: Article, statements: Sequence[Statement]) -> dict[str, Factors]:
    """The letters that are said to be products of two matrices, the first time each."""
    found: dict[str, Factors] = {}
    for statement in statements:
        sides = statement.equals
        if len(sides) < 2 or not isinstance(sides[0], f.Name) or sides[0].sub or sides[0].base not in _LETTERS:
            continue
        whole = _split(sides[1])
        if whole is not None and len(whole[0]) == 2 and not any(changed for _, changed, _ in whole[0]):
            found.setdefault(sides[0].base, tuple((letter.upper(), turned) for letter, _, turned in whole[0]))
    return found


def _terms(side: f.Expression) -> list[_Term] | None:
    """The terms of a sum, with the numbers that stand in front of its brackets or behind them."""
    outer: tuple[f.Expression, ...] = ()
    if isinstance(side, f.Product):
        sums = [factor for factor in side.factors if isinstance(factor, f.Sum)]
        outer = tuple(factor for factor in side.factors if not isinstance(factor, f.Sum))
        if len(sums) != 1 or not all(map(_is_number, outer)):
            return None
        side = sums[0]
    if not isinstance(side, f.Sum) or set(side.signs) != {1}:
        return None
    found = []
    for term in side.terms:
        whole = _split(term)
        changed = [] if whole is None else [k for k, (_, is_change, _) in enumerate(whole[0]) if is_change]
        if whole is None or len(changed) != 1:
            return None
        factors = tuple((letter.upper(), turned) for letter, _, turned in whole[0])
        found.append(_Term(factors, changed[0], (*outer, *whole[1])))
    return found


_Atom = tuple[str, bool, bool]  # the letter, whether it is a change, whether it is transposed


def _split(e: f.Expression) -> tuple[list[_Atom], tuple[f.Expression, ...]] | None:
    """The matrices of a product and its numbers; None where a factor is neither."""
    factors = list(_flat(e))
    numbers = tuple(factor for factor in factors if _is_number(factor))
    atoms = _merged([factor for factor in factors if not _is_number(factor)])
    return None if atoms is None else (atoms, numbers)


def _atoms(e: f.Expression) -> list[_Atom] | None:
    return _merged(list(_flat(e)))


def _flat(e: f.Expression) -> Iterator[f.Expression]:
    if isinstance(e, f.Product):
        for factor in e.factors:
            yield from _flat(factor)
    else:
        yield e


def _merged(factors: Sequence[f.Expression]) -> list[_Atom] | None:
    """The matrices one after the other; d and K behind it are the change of K."""
    found: list[_Atom] = []
    change = False
    for factor in factors:
        turned = isinstance(factor, f.Transpose)
        name = factor.operand if isinstance(factor, f.Transpose) else factor
        if not isinstance(name, f.Name) or name.sub or name.sup or name.item:
            return None
        if name.base in ("d", "δ", "Δ") and not turned and not change:
            change = True
            continue
        own = len(name.base) == 2 and name.base[0] in "dδΔ"
        letter = name.base[1:] if own else name.base
        if letter.upper() not in _LETTERS or (own and change):
            return None
        found.append((letter, own or change, turned))
        change = False
    return None if change else found


def _is_number(e: f.Expression) -> bool:
    """Whether it is a number, a scale or a fraction with a root below."""
    match e:
        case f.Number() | f.Name("scale" | "τ" | "sm_scale"):
            return True
        case f.Quotient(f.Number(), f.Root()):
            return True
    return False
