"""The backward pass of a norm as a line of a program: dx = rstd * (dxhat - mean(dxhat) - xhat * mean(dxhat * xhat))."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import sympy
from sympy import Expr, Symbol

from symattn.checking.findings import Formula, FormulaVerdict
from symattn.checking.formulas.polynomials import UnreadError, read_polynomial
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ABOUT = regex(r"(?:layer|batch|rms|group)[ -]?norm|normali[sz]|归一化|正規化|정규화", re.IGNORECASE)
_RMS = regex(r"\br?rms|root mean square|均方根", re.IGNORECASE)
_NEAR = 400  # characters around a line that say which norm it is of
_LINE = regex(
    r"^[ \t>]*(?:[-*•][ \t]+)?`?(?P<line>(?P<left>dx|dL/dx|grad_x|grad_input|d_?gamma|dγ|d_?beta|dβ)[ \t]*="
    r"(?P<right>[^\n#`]{3,200}?))[ \t]*`?(?:[ \t]+(?:#|//)[^\n]*)?$",
    re.MULTILINE,
)
_GOES_ON = regex(
    r"(?:\n[^\n]*){0,2}\n[ \t>]*(?:dx|grad_x|grad_input)[ \t]*(?:[-+*/]=|=[ \t]*(?:dx|grad_x|grad_input)\b)"
)
_METHOD = regex(r"(?P<of>\w+|\([^()]*\))\.(?P<name>mean|sum)\([^()]*\)")
_FURTHER = regex(r"(?P<head>(?:mean|sum)\((?:[^(),]|\([^()]*\))*),[^()]*\)")  # mean(x, axis=-1)
_SPELLINGS = (
    (regex(r"\b(?:np|torch|jnp)\."), ""),
    (regex(r"\bd_?x_?(?:hat|norm)\b|\bdx̂"), "G"),
    (regex(r"\bx_?(?:hat|norm)\b|x̂"), "X"),
    (regex(r"\b(?:dy|dout|d_out|grad_out(?:put)?|go)\b"), "Y"),
    (regex(r"\b(?:rstd|inv_?std|rrms|inv_?rms)\b"), "(1/R)"),
    (regex(r"σ|\b(?:std|sigma|rms)\b"), "R"),
)
_G, _X, _Y, _R, _N = sympy.symbols("G X Y R N")
_LETTERS = {"G": _G, "X": _X, "Y": _Y, "R": _R, **dict.fromkeys("NDHn", _N)}


def judge_norm_lines(context: Context) -> Iterator[Formula]:
    """Lines that are the usual backward pass, or it with another sign, without a mean, or of the other gradient."""
    words = context.article.words
    for found in _LINE.finditer(words) if context.mentions(_ABOUT) else ():
        made = _read(found["right"])
        near = words[max(found.start() - _NEAR, 0) : found.end() + _NEAR]
        verdict = None if made is None else _verdict(found["left"], made, rms=_RMS.search(near) is not None)
        if verdict is None or (verdict == "fails" and _GOES_ON.match(words, found.end())):
            continue  # dx -= … below it
        theorem = "theorem.norm_gains" if _is_of_gains(found["left"]) else "theorem.norm_backward"
        yield conclude_in_words(context, found.span("line"), verdict, Sentence(theorem))


def _is_of_gains(left: str) -> bool:
    return left.endswith(("gamma", "γ", "beta", "β"))


def _verdict(left: str, made: Expr, *, rms: bool) -> FormulaVerdict | None:
    """Whether a side is the gradient that its name says; None where it is neither that nor that with one slip."""
    if _is_of_gains(left):
        gains = [_total(_Y * _X)], [_total(_Y)]
        right, others = gains if left.endswith(("gamma", "γ")) else gains[::-1]
    else:
        first, second = _total(_G) / _N, _X * _total(_G * _X) / _N
        right = [(_G - first - second) / _R, *([(_G - second) / _R] if rms else [])]
        others = [(_G + a * first + b * second) / _R for a, b in ((1, -1), (-1, 1), (1, 1))]
        others += [] if rms else [(_G - second) / _R, (_G - first) / _R]
    if any(_is_zero(made - each) for each in right):
        return "holds"
    return "fails" if any(_is_zero(made - each) for each in others) else None


def _is_zero(e: Expr) -> bool:
    return bool(sympy.expand(e) == 0)


def _read(text: str) -> Expr | None:
    """A side as a polynomial of the gradient above, x̂, the deviation, and their sums."""
    for pattern, letter in _SPELLINGS:
        text = pattern.sub(letter, text)
    text = _FURTHER.sub(r"\g<head>)", _METHOD.sub(lambda m: f"{m['name']}({m['of']})", text))
    try:
        chains = f.parse(text.strip(), algebra=True)
    except (FormulaError, ValueError):
        return None
    sides = [side for chain in chains for side in chain.sides]
    return read_polynomial(sides[0].expression, _leaf) if len(sides) == 1 else None


def _total(inside: Expr) -> Symbol:
    return Symbol(f"sum({sympy.expand(inside)})")


def _leaf(e: f.Expression, read: Callable[[f.Expression], Expr]) -> Expr | None:
    match e:
        case f.Name(base, (), ()) if base in _LETTERS:
            return _LETTERS[base]
        case f.Call("mean", (inside,)):
            return _total(read(inside)) / _N
        case f.Call("sum", (inside,)) | f.BigSum("", None, None, inside, None):
            return _total(read(inside))
        case f.Name() | f.Call() | f.BigSum():
            raise UnreadError
    return None
