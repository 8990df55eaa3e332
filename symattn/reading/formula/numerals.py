"""Printed numbers: their exact value, the worth of their last digit, and which commas are decimal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading.formula.lexer import Commas, Token
from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import Expression, Name, Number, Product, Quotient
from symattn.values.spelling import TINY, WORDS_OF_WORTH, WORTHS
from symattn.writing.prose import Sentence

_THOUSANDS = regex(r"[1-9][0-9]{0,2}(?:\{,\}[0-9]{3})+(?:\.[0-9]+)?")  # 39{,}000, but not 0{,}206
_GROUPED = regex(r"[1-9][0-9]{0,2}\.[0-9]{3}")  # 1.024
_GROUPED_TWICE = regex(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}")  # 8.886.110: no number has two decimal points
MOST_DIGITS = 1000
LARGEST_EXPONENT = 1_000
MOST_DIGITS_OF_POWER = 12  # of a number too small to be kept, with the sign


def read_number(token: Token) -> Number:
    """The number of a token such as `7.07`, `1.`, `.5`, `1e-06`, `1{,}024`, `1\\,024` or, with a decimal comma, `0,34`.

    Raises FormulaError for more than 1,000 digits or an exponent beyond ±1,000.

    >>> read_number(Token("number", "6.0e-06", 0, 7)).places
    Fraction(1, 10000000)
    """
    said = token.value.replace(".", "") if _GROUPED_TWICE.fullmatch(token.value) else token.value
    text = said.replace(r"\,", "").replace("{,}", "" if _THOUSANDS.fullmatch(token.value) else ".")
    mantissa, _, power = text.replace(",", ".").lower().partition("e")
    if len(mantissa) > 1 and mantissa[0] == "0" and mantissa[1] != ".":
        raise FormulaError(Sentence("formula_ambiguous", text=token.value[:12]), token.start, token.end)
    exponent = int(power or "0") if len(power) < 8 else LARGEST_EXPONENT + 1
    if len(mantissa) > MOST_DIGITS or abs(exponent) > LARGEST_EXPONENT:
        raise FormulaError(Sentence("formula_huge_number", text=token.value[:12] + "…"), token.start, token.end)
    value, places = worth(mantissa)
    if exponent:
        value, places = value * power_of_ten(exponent), places * power_of_ten(exponent)
    return Number(token.value, value, places, start=token.start, end=token.end)


@lru_cache(maxsize=1024)  # hand calculations have the same few numbers again and again
def worth(digits: str) -> tuple[Fraction, Fraction]:
    """The value of `-7.07`, `1.` or `.5`, and the worth of its last digit."""
    whole, _, decimals = digits.partition(".")
    places = power_of_ten(-len(decimals))
    return int(whole + decimals) * places, places


def power_of_ten(exponent: int) -> Fraction:
    if -len(_TENTHS) < exponent <= 0:
        return _TENTHS[-exponent]
    return Fraction(10**exponent) if exponent >= 0 else Fraction(1, 10**-exponent)


_TENTHS = tuple(Fraction(1, 10**k) for k in range(20))


def join_decimal_commas(tokens: list[Token], commas: Commas = Commas.UNKNOWN) -> list[Token]:
    """`0` `,` `34` become one number where the commas of this text are proven to be decimal.

    Where those of its article are, only what may be a vector of two whole numbers, `[10,0]`, is a list. Elsewhere the
    proof is a list whose every item, set apart by a comma and a space, is two digit groups joined by a bare comma,
    `[0,34, 0,95]`, or a number such as `0,266` outside of brackets; a decimal point anywhere, here or in the
    article, speaks against it. Raises FormulaError where both readings remain, as in `[1,2, 3]` or `d = 1,024`; and,
    where commas are or may be decimal, in `1.024`, which may be a thousand, and `[1,5; 2,0]`.
    """
    if commas is Commas.POINTED:
        tokens, commas = [_without_thousands(t) for t in tokens], Commas.DECIMAL
    if commas in (Commas.DECIMAL, Commas.DOUBTFUL):
        tokens = _without_points(tokens, proven=commas is Commas.DECIMAL)
        _refuse_grouped(tokens)
    if not any(t.kind == "comma" or (commas is Commas.DECIMAL and t.kind == "semicolon") for t in tokens):
        return tokens
    pointed = any(t.kind == "number" and _has_point(t.value) for t in tokens)
    pointed |= any(t.kind == "grid" and t.pointed for t in tokens)
    if commas is Commas.DECIMAL and not pointed:
        return _join_all(tokens)
    pointed |= commas is Commas.GROUPING
    if commas is Commas.DOUBTFUL:
        _refuse_lists(tokens)
    tokens = _join_thousands(_part_by_commas(tokens) if not pointed else tokens, pointed)
    runs = _runs(tokens)
    if not runs:
        return tokens
    containers: dict[int, list[tuple[int, int]]] = {}
    for container, first, last in runs:
        containers.setdefault(container, []).append((first, last))
    loose = _loose_commas(tokens)
    decimal = not pointed and any(_proves(tokens, c, found, loose.get(c, 0)) for c, found in containers.items())
    joined: dict[int, Token] = {}
    for container, found in containers.items():
        if _is_decimal(tokens, container, found, loose.get(container, 0), decimal, pointed):
            for first, last in found:
                value = tokens[first].value + "," + tokens[last].value
                joined[first] = tokens[first]._replace(value=value, end=tokens[last].end)
    skipped = {i + step for i in joined for step in (1, 2)}
    return [joined.get(i, t) for i, t in enumerate(tokens) if i not in skipped]


def _has_point(number: str) -> bool:
    """Whether a number has a decimal point, or an exponent."""
    whole = number.replace("{,}", "").replace(",", "").isdigit()
    return not (whole or _GROUPED_TWICE.fullmatch(number))


def _without_points(tokens: list[Token], proven: bool) -> list[Token]:
    """An equation of whole numbers alone, 128 × 784 + 128 = 100.480, without the points of their thousands.

    What sums and products of whole numbers come to is whole. With points on both sides, 1.024 × 2 = 2.048, the article
    has to write decimals with commas.
    """
    if any(t.kind not in _WHOLE_ARITHMETIC for t in tokens) or not any(t.kind == "number" for t in tokens):
        return tokens
    grouped = [k for k, t in enumerate(tokens) if t.kind == "number" and _GROUPED.fullmatch(t.value)]
    relations = [k for k, t in enumerate(tokens) if t.kind == "relation"]
    plain = all(t.value.isdigit() or k in grouped for k, t in enumerate(tokens) if t.kind == "number")
    if not (grouped and relations and plain) or any(tokens[k].value in _ABOUT for k in relations):
        return tokens
    named = [k for k, t in enumerate(tokens) if t.kind in ("name", "greek")]
    if named and (named[-1] > relations[0] or any(t.kind in ("times", "sign") for t in tokens[: relations[0]])):
        return tokens  # 2 · π = 6.283; a letter may be the name of the result alone
    first = relations[len(relations) > 1 and relations[0] == 1]  # behind the name of the result
    worked_out = any(t.kind in ("times", "sign") for t in tokens[:first])
    rounded = grouped[0] > first and any(tokens[k].value.endswith(".000") for k in grouped)  # 2 · 4 = 8.000
    if not worked_out or rounded or (grouped[0] < first and not proven):
        return tokens
    return [_without_thousands(t) for t in tokens]


def _without_thousands(token: Token) -> Token:
    """A number without the points of its thousands, 1.024."""
    grouped = token.kind == "number" and _GROUPED.fullmatch(token.value)
    return token._replace(value=token.value.replace(".", "")) if grouped else token


_ABOUT = ("≈", "~", "≃")
_WHOLE_ARITHMETIC = frozenset(["number", "times", "sign", "relation", "open", "close", "word", "name", "greek", "end"])


def _refuse_grouped(tokens: list[Token]) -> None:
    """Refuse `1.024` where commas may be decimal: its point may be one of thousands."""
    for token in tokens:
        if token.pointed or (token.kind == "number" and _GROUPED.fullmatch(token.value)):
            raise FormulaError(Sentence("formula_ambiguous", text=token.value[:12]), token.start, token.end)


def _refuse_lists(tokens: list[Token]) -> None:
    """Refuse `[1,5; 2,0]`: rows of two whole numbers each, or a list of two decimals."""
    containers = _containers(tokens)
    bare = [i for i in range(len(tokens)) if _joins(tokens, i)]
    lists = {containers[i] for i, t in enumerate(tokens) if t.kind == "semicolon"} - {_OUTSIDE}
    lists -= {containers[i] for i in bare if _joins(tokens, i + 2)}
    lists -= {containers[i] for i, t in enumerate(tokens) if t.kind == "comma" and i - 1 not in bare}
    for i in bare:
        if containers[i] in lists:
            raise _ambiguous(tokens[i + 1])


def _ambiguous(comma: Token) -> FormulaError:
    return FormulaError(Sentence("formula_comma"), comma.start, comma.end)


def _join_all(tokens: list[Token]) -> list[Token]:
    """Every bare comma between two whole numbers as a decimal one, but for vectors of two such numbers."""
    containers = _containers(tokens)
    bare = [
        i for i in range(len(tokens)) if _joins(tokens, i) and not _joins(tokens, i + 2) and not _joins(tokens, i - 2)
    ]
    parted = {containers[i] for i, t in enumerate(tokens) if t.kind in ("comma", "semicolon") and i - 1 not in bare}
    several = {c for c, count in Counter(containers[i] for i in bare).items() if count > 1}  # (0,5 + 1,5)
    joined: dict[int, Token] = {}
    for i in bare:
        opening = containers[i]
        if opening == _OUTSIDE or opening in parted | several or _is_one_number(tokens, i, opening):
            value = tokens[i].value + "," + tokens[i + 2].value
            joined[i] = tokens[i]._replace(value=value, end=tokens[i + 2].end)
    inside = {containers[i] for i, t in enumerate(tokens) if t.kind == "semicolon"}
    inside -= {containers[i] for i, t in enumerate(tokens) if t.kind == "comma" and i - 1 not in bare} | {_OUTSIDE}
    skipped = {i + step for i in joined for step in (1, 2)}
    return [
        joined.get(i)
        or (t._replace(kind="comma", value=",") if t.kind == "semicolon" and containers[i] in inside else t)
        for i, t in enumerate(tokens)
        if i not in skipped
    ]


def _is_one_number(tokens: list[Token], i: int, opening: int) -> bool:
    """Whether the only comma in brackets is decimal, (0,05), ln(0,2), e^{0,5}, and not of a vector, [10,0], v = (1,5).

    No entry of a vector is −0, and none ends in + 0, so that (−0,36) and (a + 0,46) are numbers.

    A cell of a matrix is a number. (-1,5) · 1,0 is a product of numbers, as the commas outside of brackets are.

    Raises FormulaError where nobody can tell, max(0,3) or 2 · (1,5).
    """
    decimals, before = tokens[i + 2].value, tokens[opening - 1] if opening else tokens[-1]
    if tokens[opening].kind == "begin":
        return True
    if len(decimals) > 2 or decimals[0] == "0" < decimals or tokens[opening].value == "{":
        return True
    if before.kind in ("up", "root", "fraction") or before.value in _OF_ONE_NUMBER:
        return True
    first = i - 1 if tokens[i - 1].kind == "sign" else i
    if first < i and tokens[i].value == "0":
        return True
    multiplied = "times" in (tokens[i - 1].kind, tokens[i + 3].kind)
    if multiplied and tokens[opening].value == "(" and (before.kind == "close" or before.kind not in _CALLED):
        return True  # (2 * 0,5)
    if first - 1 == opening and tokens[i + 3].kind == "close":
        after = tokens[i + 4]
        if tokens[opening].value == "(" and after.kind in ("up", "supers"):
            return True  # (2,5)²
        signed = first < i or after.kind == "times" or before.kind == "times"
        if tokens[opening].value == "(" and signed and _has_loose_decimals(tokens):
            return True
        if before.kind not in _CALLED and tokens[opening].value != "(":
            return False
        if before.kind in ("relation", "end") and after.kind in ("relation", "end") and len(decimals) == 1:
            return False
    raise _ambiguous(tokens[i + 1])


def _has_loose_decimals(tokens: list[Token]) -> bool:
    """Whether two numbers with a comma or more stand outside of brackets, as factors or results."""
    containers = _containers(tokens)
    return sum(_joins(tokens, i) and containers[i] == _OUTSIDE for i in range(len(tokens))) > 1


_OF_ONE_NUMBER = frozenset(
    ["σ", r"\sigma", "sigmoid", "exp", "ln", "log", "log2", "log10", "sqrt", "tanh", "sin", "cos", "tan"]
)
_CALLED = frozenset(["function", "word", "name", "text", "close"])


def _part_by_commas(tokens: list[Token]) -> list[Token]:
    """Semicolons between numbers with decimal commas, `(0,412; 0,3; 0,288)`, as the commas of that list."""
    containers = _containers(tokens)
    bare = [i for i in range(len(tokens)) if _joins(tokens, i)]
    telling = {containers[i] for i in bare if tokens[i].value == "0" and len(tokens[i + 2].value) > 1}
    commas = {i + 1 for i in bare}
    telling -= {containers[i] for i, t in enumerate(tokens) if t.kind == "comma" and i not in commas}
    telling -= {containers[i] for i in bare if _joins(tokens, i + 2)} | {_OUTSIDE}
    return [
        t._replace(kind="comma", value=",", gap=t.gap) if t.kind == "semicolon" and containers[i] in telling else t
        for i, t in enumerate(tokens)
    ]


def _join_thousands(tokens: list[Token], pointed: bool) -> list[Token]:
    """`154,787,712` outside of lists as one number; `62,832` too, where a decimal point or a longer one proves it.

    Arithmetic proves it as well, `768 × 768 = 589,824`, and what is counted, `524,288 bytes`. In brackets 000 is no
    entry of a list, `(200,000 - 195,000)`.
    """
    grouped = [run for run in _runs(tokens) if _is_grouped(tokens, run)]
    whole = {run[0] for run in grouped if any(t.value.startswith("00") for t in tokens[run[1] : run[2] + 1])}
    runs = [run for run in grouped if run[0] == _OUTSIDE or run[0] in whole]
    short = all(last - first == 2 for _, first, last in runs)
    if not (pointed or not short or any(said(tokens, runs) for said in (_are_worked_out, _are_bytes, _are_products))):
        return tokens
    joined, skipped = {}, set[int]()
    for _, first, last in runs:
        digits = "".join(t.value for t in tokens[first : last + 1 : 2])
        joined[first] = tokens[first]._replace(value=digits, end=tokens[last].end)
        skipped |= set(range(first + 1, last + 1))
    return [joined.get(i, t) for i, t in enumerate(tokens) if i not in skipped]


def _are_bytes(tokens: list[Token], runs: list[tuple[int, int, int]]) -> bool:
    """Whether all that have commas are bytes, which are whole."""
    behind = [tokens[last + 1] for _, _, last in runs]
    return bool(behind) and all(t.kind in ("word", "text") and _WHOLE_BYTES.fullmatch(t.value) for t in behind)


_WHOLE_BYTES = regex(r"\s*(?:[Bb]ytes?|字节)\s*")


def _are_products(tokens: list[Token], runs: list[tuple[int, int, int]]) -> bool:
    """Whether each is what the whole numbers before it come to, 2 × 36 × 2048 = 147,456 = 144 KB, to all its digits."""
    for _, first, last in runs:
        k = first - 2 if tokens[first - 1].kind == "relation" else -1
        k -= k > 0 and tokens[k].kind in ("word", "text") and _WHOLE_BYTES.fullmatch(tokens[k].value) is not None
        factors = []
        while k >= 0 and tokens[k].kind == "number" and tokens[k].value.isdigit():
            factors.append(int(tokens[k].value))
            k -= 2 if k > 1 and tokens[k - 1].kind == "times" else k + 1
        if len(factors) < 2 or math.prod(factors) != int("".join(t.value for t in tokens[first : last + 1 : 2])):
            return False
    return bool(runs)


def _is_grouped(tokens: list[Token], run: tuple[int, int, int]) -> bool:
    """Whether bare commas set off groups of three digits."""
    _, first, last = run
    groups = [t.value for t in tokens[first : last + 1 : 2]]
    return groups[0][0] != "0" and len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])


def _are_worked_out(tokens: list[Token], runs: list[tuple[int, int, int]]) -> bool:
    """Whether the commas of an equation cannot be decimal, or might as well not be.

    Sums and products of whole numbers are whole, so that `64 × 64 + 64 = 4,160` is; 4,000 may be four. In
    `3 × 221,184 = 663,552`, one product of whole numbers and a number with a comma, or `1,280 + 4,160 = 5,440`, it is
    right or wrong whatever the commas mean. Numbers such as (1,5) · (0,75) may be decimals.
    """
    commas = {first: last for _, first, last in runs}
    if len(runs) == 2 and _is_share(tokens, runs[0][2], runs[1][1], runs[1][2]):
        return True
    if any(t.kind not in _ARITHMETIC for t in tokens):
        return False
    if any(tokens[last].value == "000" for last in commas.values()) and not _comes_to_other(tokens, commas):
        return False
    if any(t.kind == "up" and after.kind != "number" for t, after in pairwise(tokens)):
        return False
    if any(_joins(tokens, i) for i in range(len(tokens)) if not any(a <= i <= b for a, b in commas.items())):
        return False
    sides: list[list[Token | None]] = [[]]  # with None for a number that has a comma
    k = 0
    while k < len(tokens) - 1:
        if tokens[k].kind == "relation":
            sides.append([])
        else:
            sides[-1].append(None if k in commas else tokens[k])
        k = commas.get(k, k) + 1
    if len(sides) > 2 and sides[0] != [None] and [t.kind for t in sides[0] if t] in ([], ["word"], ["greek"]):
        sides = sides[1:]  # the name of the result, or nothing
    if len(sides) != 2 or sides[1] != [None] or any(t is not None and t.kind in ("word", "greek") for t in sides[0]):
        return False
    signs = [t.kind for t in sides[0] if t is not None]
    if None in sides[0]:
        one = sides[0].count(None) == 1 and set(signs) <= {"number", "times"}
        return one or set(signs) == {"sign"}
    return bool({"times", "sign", "supers"}.intersection(signs))


def _is_share(tokens: list[Token], end: int, start: int, last: int) -> bool:
    """Whether two numbers with commas are only divided, 614,656 / 38,416 = 16: the same, whatever these mean."""
    divided = start == end + 2 and (tokens[end + 1].kind == "slash" or tokens[end + 1].value in ("÷", r"\div"))
    others = (t.kind for k, t in enumerate(tokens) if k > last or k < end - 2)
    return divided and tokens[last + 1].kind == "relation" and set(others) <= {"word", "relation", "number", "end"}


def _comes_to_other(tokens: list[Token], commas: dict[int, int]) -> bool:
    """Whether `700 × 24 × 30 = 504,000`, a product of whole numbers, does not come to 504: then no comma is decimal."""
    (first,) = commas if len(commas) == 1 else (0,)
    before, whole = tokens[: max(first - 1, 0)], tokens[first].value
    if not before or tokens[first - 1].kind != "relation" or any(t.kind not in ("number", "times") for t in before):
        return False
    factors = [t.value for t in before if t.kind == "number"]
    return all(x.isdigit() for x in factors) and math.prod(map(int, factors)) != int(whole)


_WORDS_OF_ARITHMETIC = "number comma times sign up supers relation open close word greek stop end"
_ARITHMETIC = frozenset(_WORDS_OF_ARITHMETIC.split())
_OUTSIDE = -1  # the container of what stands in no brackets


def _containers(tokens: list[Token]) -> list[int]:
    """For every token the opening bracket it stands in directly."""
    stack, containers = [_OUTSIDE], []
    for i, token in enumerate(tokens):
        if token.kind in ("close", "end") and len(stack) > 1:
            stack.pop()
        containers.append(stack[-1])
        if token.kind in ("open", "begin"):
            stack.append(i)
    return containers


def _runs(tokens: list[Token]) -> list[tuple[int, int, int]]:
    """(container, first, last) of each series of whole numbers joined by bare commas, not counting braces."""
    containers = _containers(tokens)
    runs: list[tuple[int, int, int]] = []
    i = 0
    while i < len(tokens):
        last = i
        while _joins(tokens, last):
            last += 2
        container = containers[i]
        if last > i and (container == _OUTSIDE or tokens[container].value != "{"):
            runs.append((container, i, last))
        i = last + 1
    return runs


def _joins(tokens: list[Token], i: int) -> bool:
    if i + 2 >= len(tokens) or tokens[i + 1].value != "," or tokens[i + 1].kind != "comma":
        return False
    left, comma, right = tokens[i : i + 3]
    digits = left.kind == right.kind == "number" and left.value.isdigit() and right.value.isdigit()
    return digits and comma.end - comma.start == 1 and not comma.gap and not right.gap


def _loose_commas(tokens: list[Token]) -> dict[int, int]:
    """How many commas with a gap behind them stand directly in each container."""
    counts: dict[int, int] = {}
    for i, container in enumerate(_containers(tokens)):
        if tokens[i].kind == "comma" and tokens[i + 1].gap:
            counts[container] = counts.get(container, 0) + 1
    return counts


def _proves(tokens: list[Token], container: int, found: list[tuple[int, int]], loose: int) -> bool:
    if any(last - first != 2 for first, last in found):
        return False
    pairs = [(tokens[first].value, tokens[last].value) for first, last in found]
    if container == _OUTSIDE:
        return any(whole == "0" and len(decimals) > 1 for whole, decimals in pairs)
    if loose == 0 and tokens[container].value == "[" and len(pairs) > 1:  # [ 1,00   0,52 ], and no heads [1,0   0,1]
        wide = all(tokens[first].gap == "wide" for first, _ in found[1:])
        return wide and any(len(decimals) > 1 for _, decimals in pairs)
    return len(pairs) == loose + 1 > 1 and not all(_thousands(*pair) for pair in pairs)


def _thousands(whole: str, decimals: str) -> bool:
    return whole != "0" and len(whole) <= 3 and len(decimals) == 3


def _is_decimal(
    tokens: list[Token],
    container: int,
    found: list[tuple[int, int]],
    loose: int,
    decimal: bool,
    pointed: bool,
) -> bool:
    """Whether the bare commas of this container are decimal; raises where nobody can tell."""
    only_pairs = all(last - first == 2 for first, last in found)
    spaced = loose == 0 and container != _OUTSIDE and all(tokens[first].gap for first, _ in found[1:])
    if decimal and only_pairs and (container == _OUTSIDE or len(found) == loose + 1 > 1 or (spaced and len(found) > 1)):
        return True
    ambiguous = decimal or container == _OUTSIDE or (only_pairs and loose > 0 and not pointed)
    if ambiguous:
        raise _ambiguous(tokens[found[0][0] + 1])
    return False


def read_numeral(p: Parser, token: Token) -> Expression:
    """A number, with `\\times 10^{-6}`, a sign of percent or degrees, or `\\text{M}` where these follow."""
    number = read_number(token)
    if p.at("percent"):
        end = p.take().end
        number = replace(number, value=number.value / 100, places=number.places / 100, end=end)
    elif token.value == "10" and p.at("up") and (power := _read_power_of_ten(p, p.i - 1)):
        number = replace(number, value=power[0], places=power[0])
        p.i = power[1]
    elif p.at("times") and not p.at("times", "@") and (power := _read_power_of_ten(p, p.i + 1, tiny=True)):
        number = replace(number, value=number.value * power[0], places=number.places * power[0] or TINY)
        p.i = power[1]
    if p.at("word") and not p.token.gap and p.token.value.lower().startswith("x") and p.token.value[1:].isdigit():
        p.refuse("formula_ambiguous")  # 3x4
    word = p.token.value.strip()
    if ((p.at("text") and word in WORTHS) or (p.at("word") and word in WORDS_OF_WORTH)) and _ends_number(p):
        worth = WORTHS[p.take().value.strip()]  # 2.4\text{M}, 2.4 million
        number = replace(number, value=number.value * worth, places=number.places * worth)
    number = replace(number, end=p.behind, text=p.text[number.start : p.behind])
    if p.at("degree"):
        return _in_radians(number, p.take().end)
    return replace(number, unit=_byte_unit(p.take().value)) if _at_bytes(p) else number


def _in_radians(degrees: Number, end: int) -> Expression:
    """60° as 60 π / 180, whatever π is printed as."""
    start = degrees.start
    turn = Name("π", sup=("°",), text="π", start=start, end=end)
    half = Quotient(turn, Number("180", Fraction(180), Fraction(1), start=start, end=end), start=start, end=end)
    return Product((degrees, half), ("",), start=start, end=end)


def _at_bytes(p: Parser) -> bool:
    """Whether a unit of bytes stands behind a number, with nothing that it could be multiplied by: `10 GB`."""
    if p.token.kind not in ("word", "text") or not _byte_unit(p.token.value):
        return False
    return _ends_number(p)


def _ends_number(p: Parser) -> bool:
    return p.next.kind in ("end", "relation", "comma", "sign", "times", "close", "slash", "gap")


def _byte_unit(text: str) -> str:
    """The unit of bytes that a text is, alone or for each of something else, `GiB/request`; or nothing."""
    found = _BYTES.fullmatch(text.strip())
    return "" if found is None else found["unit"]


_BYTES = regex(r"(?P<unit>[kKMGTP]i?B|[Bb]ytes?|字节)(?:\s?(?:/|per )\s?[A-Za-z][A-Za-z /-]*)?")
_POWER = regex(r"10\s*(?:\^|[⁰-⁹⁻])|[eE]-")


def read_near_whole(p: Parser, terms: Sequence[Expression], signs: Sequence[int], start: int) -> Number | None:
    """A number told by how far it is from a whole one, `1 - 1.82 \\times 10^{-15}`: one print, not a sum."""
    text = p.text[start : p.behind]
    match terms:
        case [Number(places=1) as whole, Number() as rest] if 0 < rest.value < _NEAR and "(" not in text:
            if whole.value and _POWER.search(rest.text):
                value = signs[0] * whole.value + signs[1] * rest.value
                return Number(text, value, rest.places, start=start, end=p.behind)
    return None


_NEAR = Fraction(1, 100)


def _read_power_of_ten(p: Parser, i: int, *, tiny: bool = False) -> tuple[Fraction, int] | None:
    """The value of `10^{-6}` at token i, and the index behind it; 0 for one too small to be kept, if it may be."""
    tokens = p.tokens
    if tokens[i].value != "10" or tokens[i].kind != "number" or i + 2 >= len(tokens):
        return None
    if tokens[i + 1].kind == "supers":
        written, end = tokens[i + 1].value, i + 2
    elif tokens[i + 1].kind == "up":
        braced = tokens[i + 2].kind == "open" and tokens[i + 2].value == "{"
        end = p.layout.partner[i + 2] + 1 if braced else i + 3 + (tokens[i + 2].kind == "sign")
        content = tokens[i + 3 : end - 1] if braced else tokens[i + 2 : end]
        if not braced and p.latex and len(content) == 1 and len(content[0].value) > 1:
            return None  # set as one digit raised and the others on the line; behind a sign nobody means that
        written = "".join(t.value for t in content)
    else:
        return None
    if not written.lstrip("+-").isdigit() or len(written.lstrip("+-")) < len(written) - 1:
        return None
    if len(written) > 4 or abs(int(written)) > LARGEST_EXPONENT:
        if not (tiny and written[0] == "-" and len(written) <= MOST_DIGITS_OF_POWER):
            p.refuse("formula_huge_number", tokens[i])
        return Fraction(0), end
    return power_of_ten(int(written)), end


def read_raised(p: Parser, token: Token) -> Expression:
    """A number that is written above the line, x² or e⁰·⁵."""
    if len(token.value) > 6:
        p.refuse("formula_huge_number", token)
    value, places = worth(token.value)
    return Number(p.text[token.start : token.end], value, places, start=token.start, end=token.end)
