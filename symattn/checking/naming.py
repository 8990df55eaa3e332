"""One name for what an article spells in several ways: `attention_weights`, `Attention Weights`, AttentionWeights."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import is_
from typing import Any

from symattn.patterns import regex
from symattn.reading import formula as f

_SIZES = ("dk", "dv", "dmodel")  # d_k without its mark
SHORTEST = 4  # letters of a name that is a word
_WORDS = regex(r"[^\W\d_]+(?:[ _-][^\W\d_]+)*")


def with_one_spelling(chain: f.Chain) -> f.Chain:
    """The chain with its names of words in lower case, without what stands between the words."""
    sides = tuple(map(_respell, chain.sides))
    return chain if all(a is b for a, b in zip(sides, chain.sides, strict=True)) else replace(chain, sides=sides)


def _respell(side: f.Side) -> f.Side:
    if f.is_printed(side.expression):
        return side
    expression = rewrite(side.expression, _one_spelling)
    return side if expression is side.expression else replace(side, expression=expression)


def _one_spelling(expression: f.Expression) -> f.Expression:
    """
    >>> _one_spelling(f.Name("attention", sub=("weights",))) == _one_spelling(f.Name("Attention Weights"))
    True
    """
    if isinstance(expression, f.Name) and expression.base in _SIZES and not expression.sub:
        return replace(expression, base="d", sub=(expression.base[1:],))
    if not isinstance(expression, f.Name) or len(expression.base) < SHORTEST - 1:
        return expression
    if not _WORDS.fullmatch(expression.base):
        return expression
    words = [part for part in expression.sub if len(part) > 1 and part.isalpha()]
    base = re.sub(r"[ _-]", "", "".join((expression.base, *words))).lower()
    if len(base) < SHORTEST:
        return expression
    return replace(expression, base=base, sub=tuple(part for part in expression.sub if part not in words))


def ends_in(whole: f.Expression, name: f.Expression) -> bool:
    """Whether a name is the last words of a longer one: Scores of attention_scores.

    >>> ends_in(f.Name("attentionscores"), f.Name("scores")), ends_in(f.Name("scores"), f.Name("scores"))
    (True, False)
    """
    if not (isinstance(whole, f.Name) and isinstance(name, f.Name)) or len(name.base) < SHORTEST:
        return False
    return whole != name and whole.base.endswith(name.base) and (whole.sub, whole.sup) == (name.sub, name.sup)


def begins_with(label: str, name: f.Name) -> bool:
    """Whether a label is one name of a program that begins with a shorter one.

    >>> begins_with("logits_at_position_2", f.Name("logits")), begins_with("logits of the model", f.Name("logits"))
    (True, False)
    """
    if len(name.base) < SHORTEST or name.sub or name.sup or name.item:
        return False
    return re.fullmatch(rf"{re.escape(name.base)}_\w+", label, re.IGNORECASE) is not None


def substitute(expression: f.Expression, name: f.Name, by: f.Expression) -> f.Expression:
    """The expression with another in the place of a name."""
    return rewrite(expression, lambda part: by if part == name else part)


def rewrite(expression: f.Expression, change: Callable[[f.Expression], f.Expression]) -> f.Expression:
    """The expression with every part changed, the inner ones first; what does not change stays the same object."""
    parts = expression.parts
    if parts:
        new = [rewrite(part, change) if part.parts else change(part) for part in parts]
        if not all(map(is_, new, parts)):
            rest = iter(new)
            fields: tuple[str, ...] = expression.__match_args__
            expression = replace(expression, **{name: _refill(getattr(expression, name), rest) for name in fields})
    return change(expression)


def _refill(value: Any, parts: Iterator[f.Expression]) -> Any:
    """What a field holds, with other expressions in the places of its own."""
    if isinstance(value, f.Expression):
        return next(parts)
    return tuple([_refill(each, parts) for each in value]) if isinstance(value, tuple) else value


def rewrite_sides(chain: f.Chain, change: Callable[[f.Expression], f.Expression]) -> f.Chain:
    """The chain with every part of its sides changed."""
    return replace(chain, sides=tuple(replace(s, expression=rewrite(s.expression, change)) for s in chain.sides))


def is_of_quantities(chain: f.Chain) -> bool:
    """Whether nothing that its first side names is a type or a constant of a program, `pod_size: int = 8`."""
    first = chain.sides[0].expression
    parts = (first,) if isinstance(first, f.Call) else (first, *first.parts)  # accuracy(True) may be a number
    return not any(isinstance(part, f.Name) and part.text in _NO_QUANTITIES for part in parts)


_NO_QUANTITIES = frozenset(("None", "True", "False", "null", "undefined", "int", "float", "bool", "str"))


def spellings(name: f.Name) -> list[f.Name]:
    """W_Q for W^Q and the other way round: the same symbol in two notations."""
    found = []
    for part in ("Q", "K", "V", "O", "q", "k", "v", "o"):
        if name.sub == (part,) and not name.sup:
            found.append(f.Name(name.base, sup=(part.upper(),)))
            found.append(f.Name(name.base, sub=(part.swapcase(),)))
        if name.sup == (part,) and not name.sub:
            found.append(f.Name(name.base, sub=(part,)))
            found.append(f.Name(name.base, sub=(part.swapcase(),)))
    return found


def is_logarithm(expression: f.Expression) -> bool:
    """Whether it is log x, which has another base than the ln x that is read as the same."""
    return isinstance(expression, f.Call) and expression.function == "log" and not expression.label


def letters_in(name: f.Name) -> Sequence[f.Name]:
    """The name, and w and x where it is wx, which are set together."""
    pair = len(name.base) == 2 and name.base.isascii() and name.base.islower()
    return (name, *map(f.Name, name.base)) if pair else (name,)
