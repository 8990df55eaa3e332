"""How an article writes: what its letters, marks and labels are, as far as its own lines say so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from unicodedata import combining

from symattn.checking.formulas.gradients.upstream import Named, find_named, name_gradients
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import join_changes, letter_of, slope_of
from symattn.checking.models.spelling import rename_indices, spell, sum_repeated
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_KNOWN = frozenset(
    ("exp", "log", "tanh", "sin", "cos", "softmax", "sigmoid", "sigma", "relu", "max", "min", "sum", "mean", "var")
) | {"rowsum", "rowmax", "diag", "inner", "norm", "abs", "concat", "sqrt", "tril", "argmax"}


@dataclass(frozen=True)
class Notation:
    """What an article's own notation is: functions that are letters, names of gradients, marks of gradients, labels."""

    functions: frozenset[f.Call]
    named: Named
    accents: frozenset[str]  # the mark of x̄ = ∂L/∂x
    labelled: frozenset[f.Name]  # B_1 and B_2, which are no entries or rows of a B
    bold: frozenset[str]  # small letters in bold: vectors, where others are numbers
    bare: frozenset[str]  # letters that functions are called by, σ, which stand alone here
    counted: frozenset[f.Expression]  # |θ| of which a line says how many that are
    permutations: frozenset[str]  # the letters of matrices that change places, P_π where permutations are spoken of


def find_notation(article: Article, statements: Sequence[Statement]) -> Notation:
    """The notation as the lines of an article have it."""
    sides = [side for statement in statements for side in statement.equals]
    named = find_named(article, statements)
    return Notation(
        _functions_in(sides, statements),
        named,
        _accents_in(statements),
        _labelled_in(sides, statements),
        frozenset(_BOLD.findall(article.said)),
        frozenset(s.left.base for s in statements if len(s.equals) > 1 and isinstance(s.left, f.Name)),
        frozenset(s.left for s in statements if len(s.equals) > 1 and _is_size_of_name(s.left)),
        _permutations_in(sides, _PERMUTES.search(article.said) is not None),
    )


_PERMUTES = regex(r"permut|置换|置換|重排|순열", re.IGNORECASE)


def _permutations_in(sides: Sequence[f.Expression], told: bool) -> frozenset[str]:
    """P_π and P_σ, and where permutations are spoken of P and Π, whatever stands below them."""
    names = {part for side in sides for part in f.walk(side) if isinstance(part, f.Name) and part.base in ("P", "Π")}
    meant = (name for name in names if told or name.sub in (("π",), ("σ",)))
    return frozenset(letter_of(name).key for name in meant if not letter_of(name).indices)


_BOLD = regex(r"\\(?:mathbf|boldsymbol|bm|vec)\s*\{?\s*([a-z])(?![A-Za-z])")


def _accents_in(statements: Sequence[Statement]) -> frozenset[str]:
    """The marks by which an article says gradients: `\\bar{y} = ∂L/∂y`."""
    found = set[str]()
    for statement in statements:
        slopes = [name for side in statement.equals if isinstance(side, f.Derivative) and (name := slope_of(side))]
        names = [side for side in statement.equals if isinstance(side, f.Name) and slope_of(side) is None]
        for name, by in product(names, slopes):
            mark = name.base.removeprefix(by.base)
            if mark != name.base and len(mark) == 1 and combining(mark) and (name.sub, name.sup) == (by.sub, by.sup):
                found.add(mark)
    return frozenset(found)


def _labelled_in(sides: Sequence[f.Expression], statements: Sequence[Statement]) -> frozenset[f.Name]:
    """The names with a number that are letters of their own: those that a line defines, that are multiplied entry by
    entry, and capitals that no other index stands below; not p_1 where p is a vector that a line defines."""
    names = {part for side in sides for part in f.walk(side) if isinstance(part, f.Name) and len(part.sub) == 1}
    numbered = {name for name in names if name.sub[0].isdigit() and len(name.sub[0]) == 1 and not name.item}
    indexed = {name.base for name in names - numbered if letter_of(name).indices}
    indexed |= {base for s in statements if len(s.equals) > 1 and (base := _small_name(s.left)) is not None}
    whole = {x for side in sides for part in f.walk(side) if isinstance(part, f.Elementwise) for x in part.factors}
    whole |= {statement.left for statement in statements if len(statement.equals) > 1}
    capitals = {name for name in numbered if name.base.isupper() and name.base not in indexed}
    return frozenset(capitals | {name for name in numbered & whole if name.base not in indexed})


def _small_name(e: f.Expression) -> str | None:
    """The letter that a name is, if it is small and stands alone."""
    return e.base if isinstance(e, f.Name) and e.base.islower() and not (e.sub or e.sup or e.item) else None


def spell_own(equals: Sequence[f.Expression], notation: Notation) -> list[f.Expression]:
    """The sides as models spell them, with a letter for a function that the article defines, RMS(x)."""
    sides = [own_letters(side, notation) for side in rename_indices(sum_repeated(join_changes(equals)))]
    if any(map(_has_width, sides)):
        sides = [rewrite(side, _by_width) for side in sides]
    return [name_gradients(spell(side), notation.named) for side in sides]


def _has_width(e: f.Expression) -> bool:
    """Whether d stands in it with no letter behind it, d + k or r d: then dk is a product."""
    alone = sum(part == f.Name("d") for part in f.walk(e))
    products = (part for part in f.walk(e) if isinstance(part, f.Product))
    return alone > sum(
        factor == f.Name("d") and sign == "" and isinstance(following, f.Name | f.Transpose)
        for part in products
        for factor, sign, following in zip(part.factors, part.operators, part.factors[1:], strict=False)
    )


def _by_width(part: f.Expression) -> f.Expression:
    if not isinstance(part, f.Product) or f.Name("d") not in part.factors:
        return part
    pairs = zip(part.operators, part.factors, strict=False)
    return replace(part, operators=tuple("·" if factor == f.Name("d") else sign for sign, factor in pairs))


def own_letters(e: f.Expression, notation: Notation) -> f.Expression:
    """The expression with every symbol as a letter of its own, and ∂L/∂x for x̄ where it is that."""

    def own(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and part in notation.functions:
            return f.Name(f"{part.function}ˣ", start=part.start, end=part.end)
        if part in notation.counted and isinstance(part, f.Call) and isinstance(part.arguments[0], f.Name):
            return replace(
                part.arguments[0], base=f"{part.arguments[0].base}ˣ", text="", start=part.start, end=part.end
            )
        if isinstance(part, f.Call) and part.function == "norm" and part.label in ((), ("2",)):
            return f.Root(f.Call("inner", part.arguments * 2), start=part.start, end=part.end)
        if not isinstance(part, f.Name):
            return part
        if not part.sub and any(part.base.lower() == call.function for call in notation.functions):
            return _power(f.Name(f"{part.base.lower()}ˣ", start=part.start, end=part.end), part)  # RMS for RMS(x)
        if part.base[-1:] in notation.accents and len(part.base) > 1:
            plain = own(replace(part, base=part.base[:-1], text=""))
            return f.Derivative(f.Name("L"), plain, start=part.start, end=part.end)
        if part in notation.labelled:
            return replace(part, sub=(), sup=(*part.sub, *part.sup), text="")
        return part

    return rewrite(_apart(e, notation.bare), own)


def _apart(e: f.Expression, bare: frozenset[str]) -> f.Expression:
    """The expression with a product for σ(a + b), (1/σ)(a + b) below a slash, where σ is a letter of the article."""

    def below(part: f.Expression) -> f.Expression:
        match part:
            case f.Quotient(above, f.Call(letter, (f.Sum() as factor,)) as call) if letter in bare:
                quotient = f.Quotient(above, f.Name(letter, start=call.start, end=call.start + 1))
                return f.Product((quotient, factor), ("",), start=part.start, end=part.end)
        return part

    def alone(part: f.Expression) -> f.Expression:
        match part:
            case f.Call(letter, (f.Sum() as factor,)) if letter in bare:
                return f.Product((f.Name(letter), factor), ("",), start=part.start, end=part.end)
        return part

    return rewrite(rewrite(e, below), alone)


def _power(letter: f.Name, written: f.Name) -> f.Expression:
    """RMS² of a letter with several characters, which is read as a name with a label."""
    mark = written.sup[0] if len(written.sup) == 1 else ""
    if not mark.isdigit():
        return letter if not written.sup else written
    exponent = f.Number(mark, Fraction(int(mark)), Fraction(1), start=written.start, end=written.end)
    return f.Power(letter, exponent, start=written.start, end=written.end)


def _functions_in(sides: Sequence[f.Expression], statements: Sequence[Statement]) -> frozenset[f.Call]:
    """The functions of letters that lines define, RMS(x) = ….

    What is always applied to the same letters is a letter itself.
    """
    parts = (part for side in sides for part in f.walk(side) if isinstance(part, f.Call))
    calls = {part for part in parts if part.function not in _KNOWN and _is_of_names(part)}
    lefts = {s.left for s in statements if len(s.equals) > 1}
    return frozenset(c for c in calls if c in lefts and sum(other.function == c.function for other in calls) == 1)


def _is_size_of_name(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "abs" and isinstance(e.arguments[0], f.Name)


def _is_of_names(call: f.Call) -> bool:
    return all(isinstance(argument, f.Name) for argument in call.arguments)
