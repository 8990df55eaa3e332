"""Sinusoidal positions as programs compute them: entries 2i and 2i + 1 share the power 2i/d of 10000.

Where a program goes through all entries, `for i in range(d)`, the power is 2 (i // 2)/d, and 2i/d is that of no pair.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from operator import add, floordiv, mul, sub, truediv

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_OPERATIONS = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv, ast.FloorDiv: floordiv}
WIDTH = 8  # any even number of entries
_NESTED = r"(?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))"
_POWER = regex(
    rf"(?:(?:np|numpy|math|torch)\.)?(?:power|pow)\(\s*10000(?:\.0*)?\s*,(?P<called>{_NESTED}{{1,80}})\)"
    rf"|10000(?:\.0*)?\s*\*\*\s*\((?P<raised>{_NESTED}{{1,80}})\)"
)
_LOOP = regex(r"\s*\)?\s*for (?P<index>[a-z]) in range\(\s*(?P<width>\w+)\s*\)\s*\]?")
_BEGIN = regex(r"\[\s*[a-z]+\s*/\s*$")
_WAVE = regex(
    r"(?P<left>PE_?[\[(]\s*\w+\s*,\s*2\s?\*?\s?(?P<index>[a-z])\s*(?P<odd>\+\s*1\s*)?[\])]\s*=\s*)?"
    r"(?:(?:np|numpy|math|torch)\.)?(?P<function>sin|cos)\(\s*\w+\s*/\s*\(?\s*$"
)


def judge_positions_in_code(context: Context) -> Iterator[Formula]:
    """The powers of 10000 of a loop over all entries, of a formula for PE(pos, 2i), and those of i // 2."""
    source = context.article.words
    for power in _POWER.finditer(source):
        exponent = _read(power["called"] or power["raised"])
        if exponent is None:
            continue
        loop = _LOOP.match(source, power.end())
        line = source.rfind("\n", 0, power.start()) + 1
        begin, wave = _BEGIN.search(source, line, power.start()), _WAVE.search(source, line, power.start())
        if loop is not None and begin is not None:
            yield from _of_loop(context, (begin.start(), loop.end()), exponent, loop, power)
        elif wave is not None and wave["left"] and (wave["function"] == "cos") == (wave["odd"] is not None):
            worths = [_worth(exponent, wave["index"], i) for i in range(1, 4)]
            if worths == [Fraction(2 * i, WIDTH) for i in range(1, 4)]:
                end = power.end() + len(re.match(r"\s*\)*", source[power.end() :])[0])  # type: ignore[index]
                yield conclude_in_words(context, (wave.start(), end), "holds", Sentence("formula.positions"))
        elif "//" in power[0] and (letters := _letters(exponent)) and len(letters - {_width(exponent)}) == 1:
            [index] = letters - {_width(exponent)}
            if [_worth(exponent, index, i) for i in range(WIDTH)] == _pairs():
                yield conclude_in_words(context, power.span(), "holds", Sentence("formula.positions"))


def _of_loop(
    context: Context, span: tuple[int, int], exponent: ast.expr, loop: re.Match[str], power: re.Match[str]
) -> Iterator[Formula]:
    """A list of all entries, whose loop runs to the width below the exponent's line of division."""
    if _letters(exponent) != {loop["index"], loop["width"]}:
        return
    worths = [_worth(exponent, loop["index"], i) for i in range(WIDTH)]
    theorem = Sentence("formula.positions")
    if worths == _pairs():
        yield conclude_in_words(context, span, "holds", theorem)
    elif worths == [Fraction(2 * i, WIDTH) for i in range(WIDTH)]:
        right = context.article.words[span[0] : span[1]].replace(
            power["called"] or power["raised"], f" 2 * ({loop['index']} // 2) / {loop['width']}"
        )
        yield conclude_in_words(context, span, "fails", theorem, right)


def _pairs() -> list[Fraction | None]:
    return [Fraction(i // 2 * 2, WIDTH) for i in range(WIDTH)]


def _read(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _letters(e: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(e) if isinstance(part, ast.Name)}


def _width(e: ast.expr) -> str:
    """The name that all is divided by."""
    below = e.right if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Div) else None
    return below.id if isinstance(below, ast.Name) else ""


def _worth(e: ast.expr, index: str, at: int) -> Fraction | None:
    """What the exponent comes to at an index, where every other name is the width; None of anything else."""
    match e:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return Fraction(str(value)) if abs(value) < WIDTH**6 else None
        case ast.Name(id=name):
            return Fraction(at if name == index else WIDTH)
        case ast.BinOp(left=left, op=operator, right=right):
            a, b, combine = _worth(left, index, at), _worth(right, index, at), _OPERATIONS.get(type(operator))
            divided = isinstance(operator, ast.Div | ast.FloorDiv)
            if combine is None or a is None or b is None or (divided and not b):
                return None
            return Fraction(combine(a, b))
    return None
