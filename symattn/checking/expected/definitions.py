"""Which of the formulas before a print it is held against, and which of them say something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.expected.conventions import add_by_entries
from symattn.checking.expected.doubts import is_done_again, is_in_thousands, is_range, said_to_change
from symattn.checking.expected.evidence import are_close, shown_places, telling_places
from symattn.checking.expected.sources import Source
from symattn.checking.naming import rewrite, rewrite_sides, substitute
from symattn.checking.semantics.environment import DECIMAL, FINE, Environment, Stated
from symattn.checking.semantics.evaluation import scalar, try_evaluate
from symattn.checking.semantics.indexed import split_indices, spread
from symattn.checking.semantics.literals import has_digits_cut
from symattn.checking.semantics.orientation import turn_to_columns
from symattn.checking.verdicts import Definition, Printed, agreeing, is_all_right, relation_at, right_places, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import distance, enclose, has_one_digit, round_to, same_values

FINER = Fraction(1, 1000)  # three decimals and more tell that they are more than those of a print before
_RUNNING = frozenset(["i", "j", "k", "t", "pos"])  # letters that count places


def main_definition(definitions: Sequence[Definition], keys: Sequence[f.Expression]) -> Definition:
    """The formula that says most: a later one rather than the call that names it, symbols rather than arithmetic."""
    symbolic = [d for d in definitions if d.symbolic]
    if len(symbolic) > 1 and isinstance(symbolic[0].expression, f.Call) and keys and keys[0] is symbolic[0].expression:
        return symbolic[1]
    return (symbolic or list(definitions))[0]


def without_what_is_anew(definitions: list[Definition], environment: Environment) -> list[Definition]:
    """Without a formula whose names are unknown where it is worked out anew: a - b = 3 - 2, then a - b = 1 - 2."""
    anew = [d for d in definitions if not d.symbolic]
    others = [
        d for d in definitions if not any(is_spelled_otherwise(d, a.expression) and not _near(d, a) for a in anew)
    ]
    if len(others) < len(definitions):
        return others
    whole = [d for d in definitions if d.used == (d.expression,) and _is_worked_out(d.expression, anew)]
    if not anew or not whole or same_values(whole[0].true, anew[0].true):
        return definitions
    return [d for d in definitions if d not in whole or _follows_from_parts(d, environment)]


def _follows_from_parts(known: Definition, environment: Environment) -> bool:
    """Whether a formula that has a value comes to it from the values of its names, too."""
    if isinstance(known.expression, f.Name):
        return False
    parts = try_define(known.expression, environment, by_parts=True)
    return parts is not None and same_values(parts.true, known.true)


def _is_worked_out(formula: f.Expression, anew: Sequence[Definition]) -> bool:
    """Whether a formula is no name, or is one of as many letters as are multiplied in numbers: wx = 0.5 · 4."""
    if not isinstance(formula, f.Name):
        return True
    products = (d.expression for d in anew if isinstance(d.expression, f.Product))
    counts = {len(product.factors) for product in products if all(isinstance(x, f.Number) for x in product.factors)}
    return formula == f.Name(formula.base) and formula.base.isalpha() and len(formula.base) in counts - {1}


def _near(known: Definition, written: Definition) -> bool:
    """Whether a product is written out with rounded numbers, q_2 · k_1 as 0.87 · 2 + 1 · 1."""
    if (
        not isinstance(known.expression, f.Product)
        or not known.true.shape == written.true.shape == (1, 1)
        or known.true.hidden
    ):
        return False
    value, other = (float(d.true.rows[0][0].mid()) for d in (known, written))
    return abs(value - other) <= abs(value) / 50


def without_other_sigma(definitions: list[Definition], printed: Printed) -> list[Definition]:
    """Without σ(1) where it is written out as another function, a softmax, and that is what is printed.

    1/(1 + e) is the same function, of −1: a sign has slipped.
    """

    def is_printed(definition: Definition) -> bool:
        return is_all_right(printed, definition.true)

    def is_sigma(definition: Definition) -> bool:
        return isinstance(definition.expression, f.Call) and definition.expression.function == "sigma"

    others = [d for d in definitions if not is_sigma(d)]
    meant = (
        any(map(is_printed, others))
        and not any(_is_logistic(d.expression) for d in others)
        and not any(map(is_printed, (d for d in definitions if is_sigma(d))))
    )
    return others if meant else definitions


def _is_logistic(expression: f.Expression) -> bool:
    """Whether it is one of two numbers over their sum, one of which is 1: 1/(1 + e), 0.37/(1 + 0.37)."""
    match expression:
        case f.Quotient(above, f.Sum(terms=(first, second))):
            ones = [isinstance(term, f.Number) and term.value == 1 for term in (first, second)]
            return any(ones) and above in (first, second)
    return False


def puts_in_other_sizes(main: Definition, definitions: Sequence[Definition], environment: Environment) -> bool:
    """Whether sizes are put into a formula that are not those given: d × d_ff = 768 × 3072 behind d = 512, d_ff = 2048.

    One size alone may be a slip, but for a number that was printed before.
    """
    names = {part for part in f.walk(main.expression) if isinstance(part, f.Name)}
    known = [environment.stated.get(name) for name in names]
    plain = next((d for d in definitions if not d.symbolic and not f.is_printed(d.expression)), None)
    if plain is None or not names or not all(s is not None and s.given and s.true.shape == (1, 1) for s in known):
        return False
    given = [whole for s in known if s is not None and (whole := s.true.rows[0][0].unique_fmpz()) is not None]
    own = {part.value for part in f.walk(main.expression) if isinstance(part, f.Number)}
    put = {part.value for part in f.walk(plain.expression) if isinstance(part, f.Number)} - own
    if len(given) < len(known) or not put or any(value.denominator > 1 for value in put):
        return False
    others = [size for size in given if int(size) not in put | own]
    if len(others) == len(given) > 1:
        return True
    return bool(others) and all(value in environment.numbers for value in put)


def is_spelled_otherwise(formula: Definition, arithmetic: f.Expression) -> bool:
    """Whether arithmetic shows that a formula is not of the lone numbers that its names would be.

    A product of two entries is no sum of products, so that q_1 · k_1 = 1 · 3 + 2 · 4 is of vectors; s² = 20/3 says what
    s is, and does not use the rounded s.
    """
    match formula.expression, arithmetic:
        case f.Product(factors=(f.Name(), f.Name()) as names), f.Sum(terms=terms):
            entries = formula.true.shape == (1, 1) and not set(names) <= set(formula.used)
            return entries and any(isinstance(term, f.Product) for term in terms)
        case f.Power(f.Name()), f.Quotient() | f.Sum():
            return True
    return False


def as_meant(chain: f.Chain, environment: Environment) -> f.Chain:
    """The chain with softmax down the columns where tokens are columns, and S_ij = Σ_k Q_ik K_jk as what defines S."""
    chain = add_by_entries(turn_to_columns(chain) if environment.columns else chain, environment)
    every = (part for side in chain.sides for part in f.walk(side.expression))
    turned = {part.operand for part in every if isinstance(part, f.Transpose)}  # qK^T is q Kᵀ or (q K)ᵀ
    chain = rewrite_sides(
        _with_powers(chain, environment), lambda part: part if part in turned else _in_two(part, environment)
    )
    first, *sides = chain.sides
    whole: f.Expression = first.expression
    made = []
    if len(sides) > 1 and _is_written_out(sides[0].expression, sides[1].expression):
        sides = sides[1:]  # softmax(S_ij), which says less: the next side may have a further key
    for side in sides if isinstance(whole, f.Name | f.Entry) else ():
        found = spread(first.expression, side.expression, environment.lookup())
        if found is None or environment.knows(found[0]) or environment.lookup()(found[0]) is not None:
            return chain  # where all entries are known, the formula says once more what they are
        if (written := try_define(found[1], environment)) is None or not written.used:
            return chain
        whole = found[0]
        made.append(replace(side, expression=found[1]))
    return replace(chain, sides=(replace(first, expression=whole), *made)) if made else chain


def _is_written_out(e: f.Expression, other: f.Expression) -> bool:
    """Whether softmax(S_ij) is e^{S_ij} / (… + Σ_k e^{S_ik}) behind it: of a row, and of the same scores."""
    match e, other:
        case f.Call("softmax", (f.Name() as score,)), f.Quotient(numerator, denominator):
            split = split_indices(score)
        case _:
            return False
    terms = denominator.terms if isinstance(denominator, f.Sum) else (denominator,)
    sums = [term for term in terms if isinstance(term, f.BigSum)]
    if split is None or len(split[1]) != 2 or len(sums) != 1 or score not in f.walk(numerator):
        return False
    keys = {split[1][1], sums[0].index}
    every = (replace(score, sub=(*score.sub[:-1], split[1][0] + key)) for key in keys)
    return any(sums[0].body == substitute(numerator, score, each) for each in every)


def _in_two(part: f.Expression, environment: Environment) -> f.Expression:
    """A row and a matrix that are written together, hW, where both are known and hW is not; dW is a gradient."""
    if not isinstance(part, f.Name) or len(part.base) != 2 or part.item or environment.knows(part):
        return part
    if part.base[0] in _DIFFERENTIALS:
        return part
    row, matrix = f.Name(part.base[0]), replace(part, base=part.base[1], text=part.base[1])
    if not (row.base.islower() and matrix.base.isupper() and environment.knows(row) and environment.knows(matrix)):
        return part
    left, right = environment.worth(row), environment.worth(matrix)
    fits = (
        left is not None and right is not None and left.shape[0] == 1 < left.shape[1] and left.shape[1] in right.shape
    )
    fits = fits and right is not None and min(right.shape) > 1
    return f.Product((row, matrix), ("",), start=part.start, end=part.end) if fits else part


_DIFFERENTIALS = "dδ∂"  # with which the name of a gradient or of a difference begins


def _with_powers(chain: f.Chain, environment: Environment) -> f.Chain:
    """The chain with T² as a power where T is known to be a lone number, and T² is no name nor transposed."""
    every = [part for side in chain.sides for part in f.walk(side.expression)]
    turned = {part.operand for part in every if isinstance(part, f.Transpose)}  # F^{2T}, the F of 2T tokens

    def read(part: f.Expression) -> f.Expression:
        match part:
            case f.Name(sup=(("2" | "3") as power,), item=()) if part not in turned and not environment.knows(part):
                base = replace(part, sup=(), text=part.base)
                known = environment.lookup()(base) if environment.knows(base) else None
                if known is not None and known.shape == (1, 1):
                    exponent = f.Number(power, Fraction(power), Fraction(1), start=part.start, end=part.end)
                    return f.Power(base, exponent, start=part.start, end=part.end)
        return part

    return rewrite_sides(chain, read) if any(isinstance(part, f.Name) and part.sup for part in every) else chain


def define_once(name: f.Expression, formula: f.Expression, environment: Environment) -> Definition | None:
    """The formula of a name, reckoned anew; w = w − ηg was reckoned from the w before, and is not from its result."""
    of_itself = name in f.walk(formula)
    return try_define(name if of_itself else formula, environment, by_parts=not of_itself)


def root_of_square(names: Sequence[f.Expression], expression: f.Expression, environment: Environment) -> f.Root | None:
    """√σ² where the number put in for it was printed wrong before: σ² = 4.9, and then σ = √4.9."""
    match names, expression:
        case [f.Name() as name, *_], f.Root(f.Number(value=value)):
            two = f.Number("2", Fraction(2), Fraction(1))
            squares = (f.Power(name, two), replace(name, sup=("2",)))
            for square in squares if environment.numbers.get(value) is not None else ():
                stated = environment.stated.get(square)
                if stated is not None and any(
                    p.bad and p.printed.shape == (1, 1) and p.printed.rows[0][0] == scalar(value).rows[0][0]
                    for p in stated.prints
                ):
                    return f.Root(square, start=expression.start, end=expression.end)
    return None


def says_which(expression: f.Expression) -> bool:
    """Whether it is 2i or 2i + 1: printed as a number, it says which place is meant rather than what follows."""
    parts = list(f.walk(expression))
    names = [part for part in parts if isinstance(part, f.Name)]
    plain = all(isinstance(part, (f.Name, f.Number, f.Sum, f.Product)) for part in parts)
    return plain and len(names) == 1 and names[0].base in _RUNNING and not names[0].indices


def put_in_place(old: Printed | None, new: Printed | None) -> dict[Fraction, Fraction]:
    """The numbers that an arrow puts in others' place, with these; a list of which most change is another step's."""
    if old is None or new is None or old.shape != new.shape:
        return {}
    changed = [(i, j) for i, j in new.places() if old.values[i][j] != new.values[i][j]]
    if len(new.places()) > 1 and 2 * len(changed) > len(new.places()):
        return {}
    pairs = ((new.values[i][j], old.values[i][j]) for i, j in changed)
    return {value: before for value, before in pairs if value and before is not None}


def is_of_replaced(
    definition: Definition, printed: Printed, replaced: Mapping[Fraction, Fraction], environment: Environment
) -> bool:
    """Whether a print is what its formula comes to with numbers for which others are written in it: 256 → 512."""
    inner = environment.lookup(whole=definition.expression)

    def before(part: f.Expression) -> Balls | None:
        old = replaced.get(part.value) if isinstance(part, f.Number) else None
        return inner(part) if old is None else scalar(old)

    value = try_evaluate(definition.expression, before) if replaced else None
    fits = ("exact", "rounded")
    return value is not None and all(relation_at(printed, value, place) in fits for place in printed.places())


def is_run_together(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether `d = 512h = 8` is rather d = 512 and h = 8, the words between lost: h is known to be 8."""
    match definition.expression:
        case f.Product(factors=(f.Number(), f.Name() as name), operators=("",)):
            known = environment.lookup()(name)
            return known is not None and is_all_right(printed, known)
    return False


def is_more_exact(known: Stated, printed: Printed) -> bool:
    """Whether something is printed once more to more places, of which the print before is the rounding.

    What it was computed from then were rounded numbers, which do not say what the further digits are.
    """
    before = known.prints[-1] if known.prints else None
    if before is None or before.printed.shape != printed.shape:
        return False
    finer = False
    for i, j in printed.places():
        value, unit = printed.values[i][j], printed.units[i][j]
        if value is None or (i, j) in before.printed.hidden or unit > FINER:
            return False
        rounded = round_to(before.printed.rows[i][j], 10 * unit)  # to a place less
        away = distance(before.printed.rows[i][j], value)
        if 2 * away > 10 * float(unit) or distance(before.printed.rows[i][j], rounded) > float(unit) / 1000:
            return False
        finer |= away > 0
    return finer


def other_meaning(
    main: Definition, definitions: Sequence[Definition], printed: Printed, source: Source, environment: Environment
) -> str | None:
    """Which other meaning of a formula or of its numbers would make a print right, as the name of a sentence."""
    if _has_decimal_commas(main, printed, environment):
        return "formula_comma"
    if has_dotted_thousands(main, printed, environment) or _has_names_in_thousands(main, printed, source):
        return "dotted_thousands"
    line = source.before(main.expression.start).rpartition("\n")[2]
    if _is_of_another(main, definitions, printed) or (main.symbolic and is_done_again(line)):
        return "defined_anew"
    return "another_column" if _fits_another_cell(main, printed, source, environment) else None


def _is_of_another(main: Definition, definitions: Sequence[Definition], printed: Printed) -> bool:
    """Whether a function is worked out of other numbers than its letter has: LayerNorm(x) of h, where x is known too.

    The numbers put in give all that is printed, and the letter next to nothing of it.
    """
    match main.expression:
        case f.Call(arguments=(f.Name(), *_)) if 2 < len(printed.places()) > 2 * len(right_places(printed, main.true)):
            others = (d for d in definitions if not d.symbolic)
            return any(is_all_right(printed, other.written) for other in others)
    return False


def _fits_another_cell(main: Definition, printed: Printed, source: Source, environment: Environment) -> bool:
    """Whether another number of its row in a table gives what is printed: e^score of the scores less their maximum."""
    if printed.shape != (1, 1):
        return False
    numbers = {part for part in f.walk(main.expression) if isinstance(part, f.Number)}
    for cell in _CELL.findall(source.where.row):
        value = Fraction(cell.replace("−", "-"))
        if value == printed.values[0][0]:
            continue  # the print itself
        number = f.Number(cell.lstrip("-−+"), abs(value), Fraction(1, 10 ** len(cell.partition(".")[2])))
        other = number if value >= 0 else f.Sum((number,), (-1,))
        for old in numbers - {other}:
            found = try_define(_with_number(main.expression, old, other), environment)
            if found is not None and found.true.shape == (1, 1) and right_places(printed, found.true):
                return True
    return False


def _with_number(expression: f.Expression, old: f.Number, new: f.Expression) -> f.Expression:
    return rewrite(expression, lambda part: new if part == old else part)


_CELL = regex(r"(?<=\|)[ *$`]*([-−+]?\d{1,9}(?:\.\d{1,12})?)[ *$`]*(?=\|)")


def _has_decimal_commas(main: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether commas taken for those of thousands are decimal: √3 = 1{,}732, 2 / (1{,}000 · 2{,}000) = 1{,}000.

    Read so, every number is right.
    """
    taken = [printed.values[i][j] for i, j in printed.places() if _ONE_COMMA.fullmatch(printed.texts[i][j])]
    if not any(value is not None and abs(value) >= 1000 for value in taken):
        return False
    other = try_define(rewrite(main.expression, _in_thousandths), environment)
    return other is not None and all(
        value is not None
        and (i, j) not in other.true.hidden
        and distance(other.true.rows[i][j], value / (1000 if _ONE_COMMA.fullmatch(printed.texts[i][j]) else 1))
        <= _THOUSANDTH
        for i, j in printed.places()
        for value in (printed.values[i][j],)
    )


def _in_thousandths(part: f.Expression) -> f.Expression:
    if isinstance(part, f.Number) and _ONE_COMMA.fullmatch(part.text):
        return replace(part, value=part.value / 1000, places=part.places / 1000)
    return part


_THOUSANDTH = 0.001
_ONE_COMMA = regex(r"[-−+]?[1-9][0-9]{0,2}(?:,|\{,\})[0-9]{3}")


def has_dotted_thousands(main: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether points taken for decimal ones part thousands: 784 · 10 + 10 = 7.850. Read so, every number is right."""
    numbers = [part.text for part in f.walk(main.expression) if isinstance(part, f.Number)]
    if right_places(printed, main.written):
        return False  # it is right as it stands, and follows from what was wrong before
    grouped = [text for text in numbers if _MANY.fullmatch(text)]
    if any("." in text for text in numbers if text not in grouped):
        return False  # 1.024 × 0.5
    parted = len(grouped) > 1 or any(_MANY.fullmatch(printed.texts[i][j]) for i, j in printed.places())
    other = try_define(rewrite(main.expression, _in_thousands), environment) if grouped or parted else None
    if other is None or other.true.shape != printed.shape:
        return False
    if not parted:  # 50.176² ≈ 2.5 · 10⁹; a 1250 would have its point, too
        return printed.units[0][0] > 100 and is_all_right(printed, other.true)
    values = [
        [None if v is None else v * _worth_of_points(text) for v, text in zip(row, texts, strict=True)]
        for row, texts in zip(printed.values, printed.texts, strict=True)
    ]
    return same_values(other.true, enclose(values))


def _has_names_in_thousands(main: Definition, printed: Printed, source: Source) -> bool:
    """Whether thousands are parted twice in a number, 100.000.000, and once in names before it, s = 400.000."""
    parted = main.symbolic and printed.texts[0][0].count(".") > 1 and is_in_thousands(printed, main.true)
    return parted and _GIVEN_IN_THOUSANDS.search(source.before(main.expression.start)) is not None


_GIVEN_IN_THOUSANDS = regex(r"= ?[1-9][0-9]{0,2}\.[0-9]{3}(?![\d.])")


def _in_thousands(part: f.Expression) -> f.Expression:
    if isinstance(part, f.Number) and (worth := _worth_of_points(part.text)) > 1:
        return replace(part, value=part.value * worth, places=part.places * worth)
    return part


def _worth_of_points(text: str) -> int:
    """What a number with points is worth that part its thousands; two are never read as decimal ones."""
    return 1_000 if _GROUPED.fullmatch(text) else 1


_GROUPED = regex(r"[-−+]?[1-9][0-9]{0,2}\.[0-9]{3}")
_MANY = regex(r"[-−+]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")


def is_increment(
    definition: Definition, keys: Sequence[f.Expression], printed: Printed, environment: Environment
) -> bool:
    """Whether the 5 of `total += 2 + 3 = 5` is what is added, not the total."""
    match definition.expression:
        case f.Sum(terms=(f.Name() as name, added)) if name in keys:
            value = try_define(added, environment)
            return value is not None and is_all_right(printed, value.true)
    return False


def is_range_at(definition: Definition, source: Source) -> bool:
    """Whether a difference in plain text is rather from one number to another, `heads = 4-8`."""
    written = source.text[definition.expression.start : definition.expression.end]
    return source.where.kind not in ("inline", "display") and is_range(written)


def is_rising(formula: f.Expression) -> bool:
    """Whether a difference is rather from a smaller decimal to a larger one, `T = 0.5 - 0.8`."""
    match formula:
        case f.Sum((f.Number() as low, f.Number() as high), (1, -1)):
            return 0 < low.value < high.value and low.places == high.places < 1
    return False


def is_worth(formula: f.Expression, stated: Stated | None, environment: Environment) -> bool:
    """Whether a formula may go on with a chain of another line: what is far from it has lost its own left side."""
    if stated is None or f.is_printed(formula):
        return True
    definition = try_define(formula, environment)
    value = None if definition is None else definition.written
    return value is None or value.shape != stated.true.shape or are_close(value, stated.true)


def is_as_large(value: Balls, printed: Printed) -> bool:
    """Whether a print has the size of a value; a vector may be printed as a row or as a column."""
    return value.shape == printed.shape or (1 in printed.shape and value.shape == printed.shape[::-1])


def is_given_anew(stated: Stated | None, printed: Printed, known: Balls) -> bool:
    """Whether an input is stated in other numbers than before: it is given twice, and neither print is wrong.

    It is a slip in copying only where half of the numbers are the same, three of three digits or more among them, which
    is no chance.
    """
    if stated is None or not stated.given:
        return False
    if printed.shape == known.shape == (1, 1):
        return relation_at(printed, known, (0, 0)) not in ("exact", "rounded")
    right, every = right_places(printed, known), printed.places()
    telling = [(i, j) for i, j in right if sum(c.isdigit() for c in printed.texts[i][j].lstrip("-−0.")) > 2]
    return len(right) < len(every) and (len(telling) < 3 or 2 * len(right) < len(every))


def is_number_anew(formula: f.Expression, printed: Printed, known: Balls) -> bool:
    """Whether a name that stood for a fraction or a root of numbers, p = 1/4, is given a number far from it, p = 3."""
    match formula:
        case f.Quotient(f.Number(), f.Number()) | f.Root(f.Number()):
            return printed.shape == known.shape and not are_close(printed.as_given, known)
    return False


def is_index(sides: Sequence[f.Side]) -> bool:
    """Whether sides say which of several is meant, `j = 0`."""
    match [side.expression for side in sides]:
        case [f.Name(), f.Number(value=value)]:
            return value.denominator == 1
    return False


def is_counted_from_zero(known: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether an entry or a span is not what it would be counted from 1, and is what it would be counted from 0."""
    other = environment.counted_from_zero(known.expression)
    every = len(printed.places())
    if other is None or agreeing(printed, known.true) == every:
        return False
    return agreeing(printed, other) == every or (not is_same(known.true, printed, "") and is_same(other, printed, ""))


def is_same(known: Balls, printed: Printed, label: str) -> bool:
    """Whether numbers printed anew are those that are known, a slip or two apart: all of them, or most of many.

    Zeros and ones count for little, since other matrices have them too, and words may say that it has changed. Where a
    share is made nothing, what is printed is another result: that of a mask.
    """
    if known.shape != printed.shape:
        return False
    every, telling = printed.places(), telling_places(printed)
    right = right_places(printed, known) if len(every) == 1 else shown_places(printed, known)
    changes = said_to_change(label)
    if len(right) == len(every):
        value, unit = printed.values[0][0], printed.units[0][0]
        relation = relation_at(printed, known, every[0])
        if len(every) == 1 and relation == "truncated" and unit >= 1:
            return False  # an entropy of 1 is not 1.577 again
        rough = len(every) == 1 and value is not None and has_one_digit(value, unit)  # 10¹² is not 8.16 · 10¹¹ again
        return not (rough and changes) or relation == "exact"
    made_nothing = {(i, j) for i, j in set(every) - right - known.hidden if not printed.values[i][j]}
    if changes or any(known.rows[i][j].unique_fmpz() is None for i, j in made_nothing):
        return False
    most = len(telling) > 2 and 2 * len(right.intersection(telling)) > len(telling)
    return most or (len(every) > 3 and 4 * len(right) >= 3 * len(every))


def reckon_ranges(definition: Definition, environment: Environment, *, loose: bool = False) -> Balls | None:
    """The value for all that inputs may be which are rounded prints themselves; None where none is.

    With `loose`, whatever was given in decimals may be one.
    """
    used = ((k, environment.stated[k]) for k in definition.used if k in environment.stated)
    choice = {k: r for k, s in used if (r := (s.loose if loose else None) or s.ranged) is not None}
    literals = [p for p in f.walk(definition.expression) if isinstance(p, f.Number)]
    # several ranges in one formula widen each other, and would excuse real errors; unless they are said to be ranges
    evident = [p for p in literals if p.places <= FINE]
    lone = len(evident) == 1 and has_digits_cut(evident[0])
    fine = DECIMAL if definition.rounded else FINE if lone else None
    if not choice and fine is None:
        return None
    return definition.reckoned(environment, choice, ranged=fine)
