"""What an author may have meant: the printed text with one or two typical slips mended.

An edit is a change of the text at the place of a node, so that what comes out is in the author's own letters. It is
read again and judged like any formula; the mended text is what the formula should be only if it is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Protocol

from symattn.checking.formulas.statements.statement import as_mathematics
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.fonts import with_fonts
from symattn.checking.formulas.trials.functions import has_down_option
from symattn.checking.models.spelling import sums_over_its_own
from symattn.checking.work import OutOfWorkError, Work, spend, within
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.formula.spellings import LOWERED, SUBSCRIPTS

MOST_EDITS = 220  # of a text
_ORDER = {"root": 0, "transpose": 0, "inside": 0, "index": 0, "exponential": 0, "letter": 0, "factor": 2, "exchange": 2}
MOST_PAIRS = 1_500  # of edits on edits
MOST_STEPS = 20_000  # of mending one side
LARGE_BASE = 1000  # of angles, which no small number is taken off from


@dataclass(frozen=True)
class Edit:
    """A slip by its name, and the text with it mended."""

    name: str
    text: str


class Slips(Protocol):
    """Which slips are looked for: all, or `only` some, `without` those that would be another convention; `letters` may
    stand for any symbol."""

    @property
    def letters(self) -> tuple[str, ...]: ...
    @property
    def without(self) -> tuple[str, ...]: ...
    @property
    def only(self) -> tuple[str, ...]: ...


def mend(text: str, question: Question, slips: Slips | None = None, *, two: bool = False) -> Edit | None:
    """The text with one slip mended, or two, under which the question is answered by equal; None if there is none."""
    try:
        with within(Work(MOST_STEPS)):
            return _mend(text, question, slips, two)
    except OutOfWorkError:
        return None


def _mend(text: str, question: Question, slips: Slips | None, two: bool) -> Edit | None:
    first = [edit for edit in (*edits(text), *_rename(text, slips.letters if slips else ())) if _allowed(edit, slips)]
    first.sort(key=lambda edit: _ORDER.get(edit.name.partition(":")[0], 1))  # the likeliest slips first
    if not two:
        return next((edit for edit in first if _right(edit.text, question)), None)
    tried = {text, *(edit.text for edit in first)}
    for edit in first:
        for second in edits(edit.text):
            if len(tried) > MOST_PAIRS:
                return None
            if second.text not in tried and second.name != edit.name and _allowed(second, slips):
                tried.add(second.text)
                if _right(second.text, question):
                    return Edit(f"{edit.name}+{second.name}", second.text)
    return None


def _allowed(edit: Edit, slips: Slips | None) -> bool:
    kind = edit.name.partition(":")[0]
    return slips is None or (kind not in slips.without and (not slips.only or kind in slips.only))


def _rename(text: str, letters: Sequence[str]) -> Iterator[Edit]:
    """Another letter for each letter, one that the left side is a function of: `SiLU(x) = z σ(z)`.

    A word, `sum(exp(all))`, is meant as one.
    """
    expression = read_side(text)
    found = [] if expression is None else [e for e in f.walk(expression) if isinstance(e, f.Name) and len(e.base) < 3]
    for letter in letters:
        for name in dict.fromkeys(found):
            same = [(n.start, n.end, letter) for n in found if n == name]
            yield Edit("letter", _replace(text, same))


def _right(text: str, question: Question) -> bool:
    expression = read_side(text)
    return expression is not None and not sums_over_its_own(expression) and question.is_answered_by(expression)


def read_side(text: str) -> f.Expression | None:
    """A text as one expression."""
    spend(1 + len(text) // 8)
    try:
        return _read(text)
    except RecursionError:
        return None


@lru_cache(1 << 12)  # a text is mended in the same ways for each form that it may have been meant as
def _read(text: str) -> f.Expression | None:
    try:
        chains = f.parse(as_mathematics(text), algebra=True)
    except FormulaError:
        return None
    if len(chains) != 1 or len(chains[0].sides) != 1:
        return None
    return chains[0].sides[0].expression


def edits(text: str) -> Iterator[Edit]:
    """The text with one slip mended, in every way."""
    expression = read_side(text)
    if expression is None:
        return
    expression = with_fonts(expression, text)
    seen = {text}
    count = 0
    for node in f.walk(expression):
        for name, start, end, new in _edits_of(node, text):
            made = text[:start] + new + text[end:]
            if made not in seen:
                seen.add(made)
                count += 1
                yield Edit(name, made)
            if count > MOST_EDITS:
                return
    for edit in (*_edits_of_all(expression, text), *_exchanged(expression, text)):
        if edit.text not in seen:
            seen.add(edit.text)
            yield edit


def _edits_of(e: f.Expression, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Changes at one node: the slip, the stretch of text, what should stand there."""
    inside = text[e.start : e.end]
    match e:
        case f.Quotient():
            yield from _of_quotient(e, text)
        case f.Sum((f.Number(_, base), *_)) if base >= LARGE_BASE:  # 10000 - 2i/d for 10000^{-2i/d}
            first = e.terms[0]
            yield ("exponent", first.end, e.end, f"^{{{text[first.end : e.end].strip()}}}")
        case f.Derivative(by=f.Name()) if inside.startswith("\\frac"):
            yield ("transpose:set", e.start, e.end, transposed(f"({inside})", text))
        case f.Transpose(operand):
            yield ("transpose:left out", e.start, e.end, _bare(text, operand))
        case f.Number() if (moved := _moved_point(inside)) is not None:
            yield ("decimal", e.start, e.end, moved)
        case f.Root(radicand):
            yield ("root:taken", e.start, e.end, _grouped(text, radicand))
            if isinstance(radicand, f.Sum) and isinstance(radicand.terms[0], f.Name):
                first = radicand.terms[0]
                yield ("square", first.start, first.end, f"{text[first.start : first.end]}^2")
        case f.Product(factors, operators):
            yield from _of_product(factors, operators, text)
        case f.Call():
            yield from _of_call(e, text)
        case f.Sum(terms, _) if len(terms) > 1:
            yield from _of_sum(e, text)
            yield from _into_exponent(e, text)
        case f.Power():
            yield from _of_power(e, text)
        case f.BigSum():
            yield from _of_total(e, text)
    unknown = isinstance(e, f.Call) and len(e.function) == 1
    if (unknown or (isinstance(e, f.Name) and _is_matrix(e))) and not inside.endswith(("^T", "ᵀ")):
        yield ("transpose:set", e.start, e.end, transposed(inside, text))


def _of_call(e: f.Call, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Changes at a function of one argument or of several."""
    match e:
        case f.Call("sin" | "cos" as function, _) if (at := text.find(function, e.start)) >= 0:
            yield ("function", at, at + 3, "cos" if function == "sin" else "sin")
        case f.Call("max" | "min" as function, _) if (at := text.find(function, e.start)) >= 0:
            yield ("function", at, at + 3, "min" if function == "max" else "max")
        case f.Call("exp", (argument,)):
            power = text[argument.start : argument.end]
            yield ("sign", argument.start, argument.end, power[1:] if power.startswith("-") else f"-{power}")
            factors = argument.factors if isinstance(argument, f.Product) else ()
            for a, b in pairwise(factors):  # i m n θ for i (m - n) θ
                if isinstance(a, f.Name) and isinstance(b, f.Name):
                    yield ("sign", a.start, b.end, f"({text[a.start : a.end]} - {text[b.start : b.end]})")
        case f.Call("tanh", (f.Product((first, second), _) as argument,)):  # c tanh(c x) for c tanh(x/c)
            for above, below in ((first, second), (second, first)):
                inside = fraction(text[above.start : above.end], text[below.start : below.end], text)
                yield ("divided", argument.start, argument.end, inside)
        case f.Call("softmax") if has_down_option(e) and (axis := _AXIS.search(text, e.start, e.end)) is not None:
            yield ("axis", *axis.span(1), "-1")
        case f.Call("log", (f.BigSum(body=body) as total,)):  # log Σ x for Σ log x
            sign, function = text[total.start : body.start], text[e.start : total.start]
            yield ("exchange", e.start, e.end, f"{sign}{function}{text[body.start : e.end]}")
        case f.Call(function, (argument,)) if function not in ("exp", "log"):
            beside = text[: e.start].strip() or text[e.end :].strip()  # a last function may be meant, as in a network
            if beside and any(isinstance(part, f.Call) and part.function == function for part in f.walk(argument)):
                yield ("doubled", e.start, e.end, f"({text[argument.start : argument.end]})")
            yield from _out_of_call(e, argument, text)


def _of_total(e: f.BigSum, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Changes at a sum over an index."""
    body = e.body
    if isinstance(e.upper, f.Name) and isinstance(body, f.Power):  # the mean of squares
        yield ("mean", e.start, e.start, fraction("1", text[e.upper.start : e.upper.end], text) + " ")
    if isinstance(body, f.Sum) and text[body.start - 1 : body.start] == "(":
        yield ("square", body.end + 1, body.end + 1, "^2")
    if isinstance(body, f.Call) and _is_logarithm(body):  # Σ log x for log Σ x
        sign, function = text[e.start : body.start], text[body.start : body.arguments[0].start]
        yield ("exchange", e.start, e.end, f"{function}{sign}{text[body.arguments[0].start : e.end]}")


def _is_logarithm(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "log" and len(e.arguments) == 1


def _of_quotient(e: f.Quotient, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Changes at a quotient."""
    above, below = e.numerator, e.denominator
    yield ("root", below.start, below.end, root(text[below.start : below.end], text))
    if isinstance(above, f.Number):  # 2/π for √(2/π)
        yield ("root", e.start, e.end, root(text[e.start : e.end], text))
    if isinstance(above, f.Number) and isinstance(below, f.Number):  # 3/2 for 2/3
        turned = fraction(text[below.start : below.end], text[above.start : above.end], text)
        yield ("turned", e.start, e.end, turned)
    if (last := _last_power(above)) is not None:  # 10000^{2i}/d for 10000^{2i/d}
        at, divisor = last.exponent.end, text[below.start : below.end]
        yield ("exponent", at, e.end, f"/{divisor}{text[at : above.end]}")
    if isinstance(above, f.Call) and len(above.arguments) == 1:  # softmax(S)/√d_k
        inner = above.arguments[0]
        scaled = fraction(text[inner.start : inner.end], text[below.start : below.end], text)
        yield ("scale", e.start, e.end, text[above.start : inner.start] + scaled + text[inner.end : above.end])
    if isinstance(above, f.Number) and isinstance(below, f.Name):  # 8/h for 8h/H
        yield ("heads", e.start, e.end, f"{text[above.start : above.end]}{text[below.start : below.end]}/H")


def _of_power(e: f.Power, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Changes at a power."""
    base, exponent = e.base, e.exponent
    if isinstance(exponent, f.Number) and exponent.text in ("2", "3"):
        yield ("power", exponent.start, exponent.end, "3" if exponent.text == "2" else "2")
        if exponent.text == "2" and isinstance(base, f.Name):
            yield ("power:left out", base.start, e.end, text[base.start : e.end].partition("^")[0])
        return
    if (found := _NEGATIVE.fullmatch(text[exponent.start : exponent.end])) is not None:
        for whole in filter(None, (int(found[2]) + 1, int(found[2]) - 1)):
            yield ("power", exponent.start, exponent.end, f"{found[1]}{whole}")
    if text[exponent.start : exponent.end].replace(" ", "") in ("-1", "−1"):
        yield ("inverse", base.end, e.end, "")
    new = text[exponent.start : exponent.end]
    flipped = new[1:] if new.startswith("-") else f"-{new}"
    if not isinstance(exponent, f.Number):
        yield ("sign", exponent.start, exponent.end, flipped)
    if isinstance(exponent, f.Quotient):
        yield ("double", exponent.numerator.start, exponent.numerator.start, "2")


_AXIS = regex(r"\b(?:dim|axis)\s*=\s*(0|-2)\b")
_NEGATIVE = regex(r"([-−]\s*)([1-9])")


def _moved_point(number: str) -> str | None:
    """0.44715 for 0.044715 and the other way round: one place too few or too many."""
    if not number.startswith("0."):
        return None
    return f"0.{number[3:]}" if number.startswith("0.0") else f"0.0{number[2:]}"


def _into_exponent(e: f.Sum, text: str) -> Iterator[tuple[str, int, int, str]]:
    """Σ_j e^{x_j} − m for Σ_j e^{x_j − m}."""
    total = e.terms[0]
    if isinstance(total, f.BigSum) and isinstance(total.body, f.Call) and total.body.function == "exp":
        at = total.body.arguments[0].end
        yield ("inside", e.start, e.end, text[e.start : at] + text[total.end : e.end] + text[at : total.end])


def _last_power(e: f.Expression) -> f.Power | None:
    """The power that stands in front of a division sign."""
    if isinstance(e, f.Quotient):
        return _last_power(e.denominator)
    return e if isinstance(e, f.Power) and not isinstance(e.exponent, f.Number) else None


def _of_product(
    factors: Sequence[f.Expression], operators: Sequence[str], text: str
) -> Iterator[tuple[str, int, int, str]]:
    pieces = [text[x.start : x.end] for x in factors]
    for k in range(len(factors) - 1):
        between = text[factors[k].end : factors[k + 1].start]
        swapped = pieces[k + 1] + (between or " ") + pieces[k]
        yield ("order", factors[k].start, factors[k + 1].end, swapped)
        if _name_in(factors[k]) is not None and _name_in(factors[k + 1]) is not None:
            first, last = (_bare(text, x) for x in factors[k : k + 2])
            marks = [
                text[x.start : x.end].removeprefix(bare)
                for x, bare in zip(factors[k : k + 2], (first, last), strict=True)
            ]
            crossed = last + marks[0] + between + first + marks[1]
            yield ("exchange", factors[k].start, factors[k + 1].end, crossed)
        if not between.strip("\\,;! ") and isinstance(factors[k + 1], f.Call):  # m log Σ x for m + log Σ x
            yield from (("sign", factors[k].end, factors[k + 1].start, f" {sign} ") for sign in "+-")
        if len(factors) > 2 and all(isinstance(x, f.Name) for x in factors[k : k + 2]):
            pair = text[factors[k].start : factors[k + 1].end]
            yield ("transpose:set", factors[k].start, factors[k + 1].end, transposed(f"({pair})", text))
    if isinstance(factors[-1], f.Root):  # QKᵀ √d for QKᵀ/√d
        rest = text[factors[0].start : factors[-2].end]
        yield ("scale", factors[0].start, factors[-1].end, fraction(rest, pieces[-1], text))
    if len(factors) > 2:
        rest = text[factors[1].start : factors[-1].end]
        yield ("order", factors[0].start, factors[-1].end, f"{rest} {pieces[0]}")
        rest = text[factors[0].start : factors[-2].end]
        yield ("order", factors[0].start, factors[-1].end, f"{pieces[-1]} {rest}")
        yield from _into_call(factors[-2], factors[-1], text)
    for k, factor in enumerate(factors):
        beside = operators[max(k - 1, 0) : k + 1]
        if "@" in beside and isinstance(factor, f.Name) and not _is_matrix(factor):  # X @ WbK
            yield ("transpose:set", factor.start, factor.end, transposed(text[factor.start : factor.end], text))
    for k, factor in enumerate(factors):
        if isinstance(factor, f.Quotient | f.Number | f.Name | f.Root):
            start = factors[k].start if k + 1 < len(factors) else factors[k - 1].end
            end = factors[k + 1].start if k + 1 < len(factors) else factors[k].end
            yield ("factor", start, end, "")


def _into_call(e: f.Expression, following: f.Expression, text: str) -> Iterator[tuple[str, int, int, str]]:
    """`(1 + tanh(a))(b)`: the bracket of the function closes before the factor that belongs into it."""
    last = e.terms[-1] if isinstance(e, f.Sum) else e
    closes = text[following.end : following.end + 1]
    between = text[last.end : following.start]
    if isinstance(last, f.Call) and closes == ")" and between.endswith("(") and text[last.end - 1 : last.end] == ")":
        inside = f"({text[following.start : following.end]})"
        yield ("bracket", last.end - 1, following.end + 1, f"{inside}){between[:-1]}")


def _name_in(e: f.Expression) -> f.Name | None:
    """The name in a factor that is one, or the transpose of one."""
    inside = e.operand if isinstance(e, f.Transpose) else e
    return inside if isinstance(inside, f.Name) else None


def _out_of_call(e: f.Call, argument: f.Expression, text: str) -> Iterator[tuple[str, int, int, str]]:
    """`softmax(QKᵀ V)`: the last factor stands behind the brackets."""
    last = argument.factors[-1] if isinstance(argument, f.Product) else None
    if isinstance(argument, f.Quotient) and isinstance(argument.numerator, f.Product):
        last = argument.numerator.factors[-1]
        before = argument.numerator.factors[-2]
    elif isinstance(argument, f.Product):
        before = argument.factors[-2]
    if last is not None:
        kept = text[e.start : before.end] + text[last.end : e.end]
        yield ("inside", e.start, e.end, f"{kept}{text[last.start : last.end]}")


def _of_sum(e: f.Sum, text: str) -> Iterator[tuple[str, int, int, str]]:
    """A sign turned, a difference the other way round, or a term left out."""
    if e.signs == (1, -1):
        first, last = (text[term.start : term.end] for term in e.terms)
        yield ("sign", e.start, e.end, f"{last} - {first}")
    for k, (term, sign) in enumerate(zip(e.terms, e.signs, strict=True)):
        if k:
            new = ("- " if sign > 0 else "+ ") + text[term.start : term.end]
            opening = text.rfind("+" if sign > 0 else "-", e.terms[k - 1].end, term.start)
            if opening >= 0:
                yield ("sign", opening, term.end, new)
                yield ("term", e.terms[k - 1].end, term.end, "")
                if isinstance(term, f.Quotient) and isinstance(term.numerator, f.Number) and not is_latex(new):
                    yield ("term", e.terms[k - 1].end, term.numerator.end, "")  # 2i+1 / d for 2i / d
                if sign > 0:
                    for times in (r"\cdot ", r"\odot ") if is_latex(text) else ("* ", "⊙ "):
                        yield ("operator", opening, opening + 1, times)


def _edits_of_all(e: f.Expression, text: str) -> Iterator[Edit]:
    """Slips that are made at several places at once: softmax without its exponential, one letter for another."""
    if isinstance(e, f.Quotient) and isinstance(e.denominator, f.BigSum):
        bare = [x for x in (e.numerator, e.denominator.body) if not _has_exp(x)]
        made = _replace(text, [(x.start, x.end, exponential(text[x.start : x.end], text)) for x in bare])
        yield Edit("exponential", made)
        yield from _like_numerator(e, text)
    yield Edit("root", root(text, text))
    yield from _without_softmax(e, text)
    if not isinstance(e, f.Sum):
        yield Edit("sign", f"-{text}")
    sums = [part for part in f.walk(e) if isinstance(part, f.BigSum)]
    names = [part for part in f.walk(e) if isinstance(part, f.Name)]
    letters = sorted({c for n in names for part in n.sub if len(part) <= 2 and part.islower() for c in part})
    letters = sorted({*letters, *(big.index for big in sums if len(big.index) == 1)})
    for name in names if sums else ():
        yield from _index_edits(name, letters, text)
    for big in sums:
        small = _small(big.index)
        spell, first = (_small, 1) if small != big.index and small in text[big.start : big.body.start] else (str, 4)
        at = text.find(spell(big.index), big.start + first, big.body.start) if big.index else -1
        for letter in letters if at >= 0 else ():
            if letter != big.index:
                yield Edit("index", _replace(text, [(at, at + 1, spell(letter))]))


def _like_numerator(e: f.Quotient, text: str) -> Iterator[Edit]:
    """What is summed below the line as it stands above it, with the index of the sum for each index in turn."""
    above, big = text[e.numerator.start : e.numerator.end], e.denominator
    assert isinstance(big, f.BigSum)
    indices = {c for n in f.walk(e.numerator) if isinstance(n, f.Name) for part in n.sub if len(part) < 3 for c in part}
    for letter in sorted(indices - {big.index}):
        made = above
        for written in set(_SUBSCRIPT.findall(above)):
            new = written.replace(letter, big.index).replace(_small(letter), _small(big.index))
            made = made.replace(written, new)
        yield Edit("denominator", _replace(text, [(big.body.start, big.body.end, made)]))


_SUBSCRIPT = regex(rf"_(?:\{{[^{{}}]*\}}|\w)|[{''.join(SUBSCRIPTS)}]+")


def _small(letters: str) -> str:
    """Letters as they are written below the line by themselves, aᵢⱼ, if there are such."""
    small = [LOWERED.get(letter, "") for letter in letters]
    return "".join(small) if all(small) else letters


def _without_softmax(e: f.Expression, text: str) -> Iterator[Edit]:
    """`QKᵀ/√d V` and `softmax(QKᵀ/√d)`: softmax set around what weighs the values, and the values behind it."""
    if isinstance(e, f.Call) and e.function == "softmax":
        yield Edit("values", f"{text} V")
    if not isinstance(e, f.Product) or not isinstance(e.factors[-1], f.Name):
        return
    parts = list(f.walk(e))
    if sum(isinstance(part, f.Name) for part in parts) < 2:
        return  # 2 V
    if any(isinstance(part, f.Call) and part.function == "softmax" for part in parts):
        return
    last = e.factors[-1]
    before = text[e.start : last.start]
    inside = _OPERATOR.sub("", before)
    between = before[len(inside) :]
    grouped = inside if _GROUP.fullmatch(inside) else f"({inside})"
    made = rf"\text{{softmax}}\left({inside}\right)" if is_latex(text) else f"softmax{grouped}"
    yield Edit("softmax", text[: e.start] + made + (between or " ") + text[last.start :])


_GROUP = regex(r"\((?:[^()]|\([^()]*\))*\)")
_OPERATOR = regex(r"\s*(?:\\cdot|\\times|[*@·×])?\s*\Z")


def _exchanged(e: f.Expression, text: str) -> Iterator[Edit]:
    """Two matrices, each in the place of the other: `softmax(Q Vᵀ) K`."""
    paired = dict.fromkeys(p for p in f.walk(e) if isinstance(p, f.Name) and p.base == "W")
    for one, other in combinations(paired, 2):
        swap = {one: text[other.start : other.end], other: text[one.start : one.end]}
        same = [part for part in f.walk(e) if isinstance(part, f.Name) and part in swap]
        yield Edit("matrix", _replace(text, [(n.start, n.end, swap[n]) for n in same]))
    found = [part for part in f.walk(e) if isinstance(part, f.Name) and part.base in _ROLES and not part.sup]
    for a, b in (("K", "V"), ("Q", "K"), ("Q", "V")):
        if {a, b} <= {n.base for n in found}:
            swapped = {a: b, b: a}
            new = [text[n.start : n.end].replace(n.base, swapped.get(n.base, n.base)) for n in found]
            changes = [(n.start, n.end, made) for n, made in zip(found, new, strict=True)]
            yield Edit("matrix", _replace(text, changes))


_ROLES = frozenset("QKV")


def _index_edits(name: f.Name, letters: Sequence[str], text: str) -> Iterator[Edit]:
    """`e_{kj}` for `e_{ik}`: other letters for the indices of a name, of those that the text has."""
    inside = text[name.start : name.end]
    if len(name.sub) != 1:
        return
    below = name.sub[0]
    if below.isalpha() and inside.endswith(small := _small(below)) and small != below:
        others = [a + b for a in letters for b in letters if a != b] if len(below) == 2 else letters
        for new in (new for new in others if new != below):
            yield Edit("index", _replace(text, [(name.start, name.end, inside.removesuffix(small) + _small(new))]))
    elif len(below) == 2 and below.isalpha() and below in inside:
        for new in (a + b for a in letters for b in letters if a != b and a + b != below):
            yield Edit("index", _replace(text, [(name.start, name.end, inside.replace(below, new))]))
    elif len(below) == 1 and below.isalpha() and f"_{below}" in inside.replace("{", ""):
        at = inside.replace("{", "_").index(f"_{below}") + 1
        for new in (letter for letter in letters if letter != below):
            yield Edit("index", _replace(text, [(name.start, name.end, inside[:at] + new + inside[at + 1 :])]))


def _replace(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _has_exp(e: f.Expression) -> bool:
    return any(isinstance(part, f.Call) and part.function == "exp" for part in f.walk(e))


def _is_matrix(name: f.Name) -> bool:
    word = name.base.rstrip("\u0302\u0303\u0304")
    return len(word) == 1 and word.isalpha() and not (word in "dnmhTLN" and not (name.sub or name.sup)) and word != "d"


_TRANSPOSED = regex(r"(?:\^\s*\{?\s*(?:T|\\top|\\intercal|\\math\w+\s*\{T\})\s*\}?|\^⊤|ᵀ|\.T|')$")


def _bare(text: str, e: f.Expression) -> str:
    """The text of a factor without its mark of a transpose."""
    return _TRANSPOSED.sub("", text[e.start : e.end])


def _grouped(text: str, e: f.Expression) -> str:
    inside = text[e.start : e.end]
    return f"({inside})" if isinstance(e, f.Sum) and not inside.startswith("(") else inside


def is_latex(text: str) -> bool:
    return "\\" in text


def root(inside: str, text: str) -> str:
    """The square root of a piece, spelled as the text spells mathematics."""
    return (
        rf"\sqrt{{{inside}}}" if is_latex(text) else f"sqrt({inside.strip('()')})" if "sqrt" in text else f"√({inside})"
    )


def fraction(above: str, below: str, text: str) -> str:
    return rf"\frac{{{above}}}{{{below}}}" if is_latex(text) else f"({above})/{below}"


def exponential(inside: str, text: str) -> str:
    return rf"\exp({inside})" if is_latex(text) else f"exp({inside})"


def transposed(inside: str, text: str) -> str:
    """The transpose of a piece, with the mark that the text uses."""
    mark = next((m for m in (r"^{\top}", r"^\top", r"^\intercal", "ᵀ", ".T") if m in text), "^T")
    grouped = _GROUP.fullmatch(inside) is not None
    return f"({inside}){mark}" if "^" in inside and not grouped else f"{inside}{mark}"
