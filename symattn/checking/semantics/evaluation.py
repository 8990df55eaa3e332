"""A formula as read -> its value, enclosed, from the values of its names.

What has no value here (an unknown name, a function that is not attention's, sizes that do not fit) raises
NoValueError with the reason, so that it is reported as not checked and never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.semantics.indexed import is_over_letter, write_out
from symattn.checking.semantics.masks import Keep, keep_where
from symattn.checking.semantics.picking import pick
from symattn.checking.semantics.row_functions import OF_ROWS
from symattn.checking.semantics.whole_parts import whole_part
from symattn.reading import formula as f
from symattn.values import functions
from symattn.values.balls import BallNumbers, Balls
from symattn.values.enclosures import raised
from symattn.values.printed import enclose
from symattn.writing.prose import Sentence

Lookup = Callable[[f.Expression], Balls | None]
_NUMBERS = BallNumbers()
LARGEST_IDENTITY = 64
FROM_ZERO = ("first", "0")  # the option of a mask whose queries and keys are counted from 0


class NoValueError(Exception):
    """This expression has no value, for the reason given."""

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.reason = Sentence(key, **fields)


def scalar(x: Fraction) -> Balls:
    return enclose([[x]])


def evaluate(expression: f.Expression, lookup: Lookup) -> Balls:
    """The value of an expression; `lookup` gives that of whatever has been stated before, names first of all."""
    known = lookup(expression)
    if known is not None:
        return known
    if isinstance(expression, f.Unread):
        raise NoValueError(expression.reason.key, **expression.reason.fields)
    rule = _RULES.get(type(expression))
    if rule is None:
        raise NoValueError("not_reckoned", kind=type(expression).__name__.lower())
    return rule(expression, lookup)


def try_evaluate(expression: f.Expression, lookup: Lookup) -> Balls | None:
    """What `evaluate` gives, or None where it raises."""
    try:
        return evaluate(expression, lookup)
    except NoValueError:
        return None


def _number(expression: f.Number, _: Lookup) -> Balls:
    return scalar(expression.value)


def _infinity(expression: f.Infinity, _: Lookup) -> Balls:
    if expression.sign > 0:
        raise NoValueError("not_reckoned", kind="+∞")
    return enclose([[None]])


def _name(expression: f.Name, _: Lookup) -> Balls:
    if expression.base == "I" and len(expression.sub) == 1 and expression.sub[0].isdigit() and not expression.sup:
        size = int(expression.sub[0])
        if 0 < size <= LARGEST_IDENTITY:
            return enclose([[Fraction(i == j) for j in range(size)] for i in range(size)])
    if expression.base == "π" and not expression.indices:
        return functions.circle_constant()
    raise NoValueError("name_unknown", name=expression.text or expression.base)


def _big_sum(expression: f.BigSum, lookup: Lookup) -> Balls:
    written = write_out(expression, lookup)
    if written is None:
        raise NoValueError("not_reckoned", kind="Σ")
    return evaluate(written, lookup)


def _matrix(expression: f.Matrix, lookup: Lookup) -> Balls:
    if expression.brackets in ("|", "‖"):
        raise NoValueError("not_reckoned", kind="determinant")
    blocks = [[_cell(c, lookup) for c in row] for row in expression.rows]
    if any(b.shape != (1, 1) for row in blocks for b in row):
        if len(blocks) == 1 and len({b.shape[0] for b in blocks[0]}) == 1:
            return _side_by_side(blocks[0])
        if {len(row) for row in blocks} == {1} and len({row[0].shape[1] for row in blocks}) == 1:
            return _NUMBERS.transpose(_side_by_side([_NUMBERS.transpose(row[0]) for row in blocks]))
        raise NoValueError("not_reckoned", kind="block matrix")
    rows = tuple(tuple(b.rows[0][0] for b in row) for row in blocks)
    if len({len(row) for row in rows}) != 1:
        raise NoValueError("not_reckoned", kind="ragged matrix")
    hidden = frozenset((i, j) for i, row in enumerate(blocks) for j, b in enumerate(row) if b.hidden)
    return Balls((len(rows), len(rows[0])), None, rows, hidden)


def _side_by_side(parts: Sequence[Balls]) -> Balls:
    whole, hidden, left = _NUMBERS.concat(parts), set(), 0
    for part in parts:
        hidden |= {(i, left + j) for i, j in part.hidden}
        left += part.shape[1]
    return Balls(whole.shape, None, whole.rows, frozenset(hidden))


def _cell(cell: f.Expression, lookup: Lookup) -> Balls:
    if isinstance(cell, f.Dots):
        raise NoValueError("partial_matrix")
    return evaluate(cell, lookup)


def _sum(expression: f.Sum, lookup: Lookup) -> Balls:
    total: Balls | None = None
    for term, sign in zip(expression.terms, expression.signs, strict=True):
        if isinstance(term, f.Infinity):
            term, sign = f.Infinity(sign * term.sign), 1
        if total is not None and isinstance(condition := _last_factor(term), f.Call) and condition.function == "where":
            value = _conditional(term, condition, total.shape, lookup)
        else:
            value = evaluate(_spread_by_sum(term) if len(expression.terms) > 1 else term, lookup)
        if total is not None and isinstance(term, f.Matrix) and isinstance(expression.terms[0], f.Matrix):
            _require_same_size(total, value)  # [3; 1] + [1,1; 0,6] may have decimal commas
        if sign < 0:
            value = _scale(value, scalar(Fraction(-1)))
        total = value if total is None else _add(total, value)
    assert total is not None
    return total


def _conditional(term: f.Expression, where: f.Call, shape: tuple[int, int], lookup: Lookup) -> Balls:
    """A term c [j > i] beside a matrix: c where the condition holds, and 0."""
    holds = _condition(where, lookup)
    table = enclose([[Fraction(holds(i, j)) for j in range(shape[1])] for i in range(shape[0])])
    return evaluate(term, lambda part: table if part is where else lookup(part))


def _last_factor(term: f.Expression) -> f.Expression:
    return term.factors[-1] if isinstance(term, f.Product) else term


def _require_same_size(a: Balls, b: Balls) -> None:
    if a.shape != b.shape and 1 in (a.shape[1], b.shape[1]):
        raise NoValueError("sizes_do_not_fit", left=size_text(a.shape), right=size_text(b.shape), sign="+")


def _add(a: Balls, b: Balls) -> Balls:
    if a.shape != b.shape:
        a, b = (a, b) if a.shape[0] > b.shape[0] or a.shape[1] > b.shape[1] else (b, a)
        of_every_row = b.shape in ((1, a.shape[1]), (a.shape[0], 1), (1, 1))
        if not of_every_row or b.hidden or a.hidden:
            raise NoValueError("sizes_do_not_fit", left=size_text(a.shape), right=size_text(b.shape), sign="+")
        rows, columns = a.shape
        b = Balls(
            a.shape,
            None,
            tuple(tuple(b.rows[i % b.shape[0]][j % b.shape[1]] for j in range(columns)) for i in range(rows)),
        )
    return _NUMBERS.add(a, b)


def _product(expression: f.Product, lookup: Lookup) -> Balls:
    if expression.factors[0] == f.Transpose(_ONES):
        return _product_of_sums(expression, lookup)
    values = [None if factor == _ONES else evaluate(factor, lookup) for factor in expression.factors]
    result = values[0]
    for operator, value in zip(expression.operators, values[1:], strict=True):
        if result is None:
            break
        result = _times_ones(result) if value is None else _times(result, value, operator)
    if result is None:
        raise NoValueError("name_unknown", name="𝟏")
    return result


def _product_of_sums(expression: f.Product, lookup: Lookup) -> Balls:
    """1ᵀ A B: the sums of the columns of A, times what follows."""
    _, first, *others = expression.factors
    result = OF_ROWS["colsum"](evaluate(first, lookup))
    if result is None:
        raise NoValueError("not_reckoned", kind="colsum(−∞)")
    for operator, factor in zip(expression.operators[1:], others, strict=True):
        result = _times(result, evaluate(factor, lookup), operator)
    return result


def _spread_by_sum(term: f.Expression) -> f.Expression:
    """The column δ of a term δ 1ᵀ, the row of 1 δ: a sum spreads it over the other's columns or rows anyway."""
    match term:
        case f.Product((column, f.Transpose(ones)), _) if ones == _ONES:
            return column
        case f.Product((ones, row), _) if ones == _ONES:
            return row
    return term


_ONES = f.Name("𝟏")


def _times_ones(value: Balls) -> Balls:
    """The sums of the rows; a number stays what is taken from each entry."""
    if value.shape == (1, 1):
        return value
    if value.shape[1] == 1 or value.hidden:
        raise NoValueError("name_unknown", name="𝟏")
    return _NUMBERS.row_sum(value)


def _times(a: Balls, b: Balls, operator: str) -> Balls:
    if a.shape == (1, 1):
        return _scale(b, a)
    if b.shape == (1, 1):
        return _scale(a, b)
    if a.hidden or b.hidden:
        raise NoValueError("infinite_product")
    if a.shape[1] == b.shape[0]:
        return _NUMBERS.matmul(a, b)
    if operator in ("@", "", "·", "×") and b.shape == (1, a.shape[1]) and (a.shape[0] > 1 or operator == "@"):
        return _NUMBERS.transpose(_NUMBERS.matmul(a, _NUMBERS.transpose(b)))
    if operator == "*" and a.shape == b.shape and a.shape[1] == 1:  # of two columns it is a program's
        return _by_entry(a, b)
    if operator in ("·", "*") and a.shape == b.shape and 1 in a.shape:  # q · k of two rows is their dot product
        return _NUMBERS.row_sum(_by_entry(a, b)) if a.shape[0] == 1 else _NUMBERS.matmul(_NUMBERS.transpose(a), b)
    raise NoValueError("sizes_do_not_fit", left=size_text(a.shape), right=size_text(b.shape), sign=operator or "×")


def _scale(a: Balls, by: Balls) -> Balls:
    factor = by.rows[0][0]
    if a.hidden and not factor > 0:
        raise NoValueError("infinite_product")
    if by.hidden:
        raise NoValueError("infinite_product")
    return Balls(a.shape, None, tuple(tuple(x * factor for x in row) for row in a.rows), a.hidden)


def _by_entry(a: Balls, b: Balls) -> Balls:
    if a.shape != b.shape:
        raise NoValueError("sizes_do_not_fit", left=size_text(a.shape), right=size_text(b.shape), sign="⊙")
    if a.hidden or b.hidden:
        raise NoValueError("infinite_product")
    pairs = zip(a.rows, b.rows, strict=True)
    return Balls(a.shape, None, tuple(tuple(x * y for x, y in zip(p, q, strict=True)) for p, q in pairs))


def _elementwise(expression: f.Elementwise, lookup: Lookup) -> Balls:
    values = [evaluate(factor, lookup) for factor in expression.factors]
    result = values[0]
    for value in values[1:]:
        result = _by_entry(result, value)
    return result


def _quotient(expression: f.Quotient, lookup: Lookup) -> Balls:
    above, below = evaluate(expression.numerator, lookup), evaluate(expression.denominator, lookup)
    if below.shape != (1, 1) and not below.hidden and below.shape in (above.shape, (above.shape[0], 1)):
        if any(x.contains(0) for row in below.rows for x in row) or above.hidden:
            raise NoValueError("division_by_zero")
        each = (zip(a, b * (len(a) // len(b)), strict=True) for a, b in zip(above.rows, below.rows, strict=True))
        return Balls(above.shape, None, tuple(tuple(x / y for x, y in row) for row in each))
    if below.shape != (1, 1):
        raise NoValueError("matrix_below", size=size_text(below.shape))
    divisor = below.rows[0][0]
    if below.hidden or divisor.contains(0):
        raise NoValueError("division_by_zero")
    return _scale(above, Balls((1, 1), None, ((1 / divisor,),)))


def _root(expression: f.Root, lookup: Lookup) -> Balls:
    value = evaluate(expression.radicand, lookup)
    if 1 not in value.shape or value.hidden or any(x < 0 for row in value.rows for x in row):
        raise NoValueError("not_reckoned", kind="root")
    return Balls(value.shape, None, tuple(tuple(x.sqrt() for x in row) for row in value.rows))  # of a vector by entries


def _power(expression: f.Power, lookup: Lookup) -> Balls:
    exponent = expression.exponent
    if expression.base == f.Name("e") and lookup(expression.base) is None:  # e_1 is no Euler's number
        return _NUMBERS.exp(evaluate(exponent, lookup))
    if isinstance(expression.base, f.Call) and expression.base.function == "diag":  # of which each entry is raised
        entries = replace(expression, base=expression.base.arguments[0])
        return evaluate(replace(expression.base, arguments=(entries,)), lookup)
    base = evaluate(expression.base, lookup)
    power = evaluate(exponent, lookup)
    if 1 not in base.shape or power.shape != (1, 1) or base.hidden or power.hidden:
        raise NoValueError("not_reckoned", kind="power of a matrix")
    rows = tuple(tuple(raised(x, power.rows[0][0]) for x in row) for row in base.rows)  # of a vector by entries
    if not all(x.is_finite() for row in rows for x in row):
        raise NoValueError("not_reckoned", kind="power")
    return Balls(base.shape, None, rows)


def _transpose(expression: f.Transpose, lookup: Lookup) -> Balls:
    return _NUMBERS.transpose(evaluate(expression.operand, lookup))


def transposed(value: Balls) -> Balls:
    return _NUMBERS.transpose(value)


def _entry(expression: f.Entry, lookup: Lookup) -> Balls:
    value = evaluate(expression.operand, lookup)
    numbers = tuple(int(i) if i.isascii() and i.isdigit() else ":" if i == ":" else None for i in expression.indices)
    picked = pick(value, numbers)
    if picked is None:
        raise NoValueError("not_reckoned", kind="entry")
    return picked


def softmax(value: Balls, down: bool = False) -> Balls:
    """Of each row; down the columns where asked, and for a lone column, which is one vector."""
    if down or (value.shape[1] == 1 and value.shape[0] > 1):
        return _NUMBERS.transpose(softmax(_NUMBERS.transpose(value)))
    for i in range(value.shape[0]):
        if all((i, j) in value.hidden for j in range(value.shape[1])):
            raise NoValueError("empty_softmax_row", row=i + 1)
    return _NUMBERS.softmax(value)


def _diagonal(value: Balls) -> Balls:
    """The matrix with the numbers of a row or column on its diagonal."""
    if 1 not in value.shape or value.hidden:
        raise NoValueError("not_reckoned", kind="diag")
    numbers = [x for row in value.rows for x in row]
    rows = tuple(tuple(x if i == j else x * 0 for j in range(len(numbers))) for i, x in enumerate(numbers))
    return Balls((len(numbers), len(numbers)), None, rows)


def _softmax_of_numbers(arguments: Sequence[f.Expression], lookup: Lookup) -> Balls:
    """softmax(1, 0) of a row without brackets."""
    values = [evaluate(a, lookup) for a in arguments]
    if any(value.shape != (1, 1) for value in values):
        raise NoValueError("not_reckoned", kind="softmax")  # softmax(S, 1) has an axis
    return softmax(_side_by_side(values))


def _call(expression: f.Call, lookup: Lookup) -> Balls:
    """A named function: one of matrices, by its own rule, else one of each entry, of each row or of all entries."""
    if any(isinstance(a, f.Dots) for a in expression.arguments):
        raise NoValueError("partial_matrix")
    rule = _FUNCTIONS.get(expression.function)
    if rule is not None and not _change_nothing(expression.function, expression.options):
        raise NoValueError("not_reckoned", kind=expression.function)
    expression = _by_entries(expression)
    value = rule(expression, lookup) if rule is not None else None
    if value is not None:
        return value
    if len(expression.arguments) == 1 and expression.label in ((), ("2",), ("10",)):
        return _function(expression, lookup)
    raise NoValueError("not_reckoned", kind=expression.function)


def takes_entries(part: f.Expression) -> bool:
    """Whether this is max(|w|) or another function of all entries between strokes."""
    return isinstance(part, f.Call) and _by_entries(part) is not part


def _by_entries(call: f.Call) -> f.Call:
    """A function of all the entries of |w| takes those of w without their signs; |w| alone is a length."""
    match call:
        case f.Call("max" | "min" | "mean" | "sum", (f.Call("length", inside) as bars,)):
            return replace(call, arguments=(replace(bars, function="abs", arguments=inside),))
    return call


def _change_nothing(function: str, options: Sequence[tuple[str, str]]) -> bool:
    """Whether a program's keyword arguments leave a value as it is, or the function's own rule looks at them."""
    last = {("axis", "-1"), ("axis", "1"), ("dim", "-1"), ("dim", "1")} if function in ("norm", "concat") else ()
    own = function in ("softmax", "mask", "attention", "max", "min")
    return own or all(option in last or option[0] in _UNCHANGING for option in options)


_UNCHANGING = ("keepdims", "keepdim", "dtype", "eps", "out")


def _softmax(call: f.Call, lookup: Lookup) -> Balls | None:
    options = dict(call.options)
    if len(call.arguments) != 1:
        matrix = any(isinstance(a, f.Matrix) for a in call.arguments[:1])
        return None if matrix or options or call.label else _softmax_of_numbers(call.arguments, lookup)
    axis = options.get("dim", options.get("axis", "-1"))
    if axis not in ("-1", "0", "1") or set(options) - {"dim", "axis"} or call.label not in ((), ("row",)):
        raise NoValueError("not_reckoned", kind="softmax")
    value = evaluate(call.arguments[0], lookup)
    if value.shape == (1, 1) and not isinstance(call.arguments[0], f.Matrix):
        raise NoValueError("not_reckoned", kind="softmax")  # of one score: the others of its row are meant too
    if call.label and value.shape[axis != "0"] == 1:  # of each row, or column, though it has one number
        return (
            _NUMBERS.transpose(_NUMBERS.softmax(_NUMBERS.transpose(value))) if axis == "0" else _NUMBERS.softmax(value)
        )
    return softmax(value, down=axis == "0" and value.shape[0] > 1)


def _tanh(argument: Balls) -> Balls:
    if argument.hidden:
        raise NoValueError("not_reckoned", kind="tanh(−∞)")
    return _NUMBERS.tanh(argument)


def _measure(call: f.Call, lookup: Lookup) -> Balls | None:
    """A norm or a length, of which 2 is the only one that is known."""
    plain = len(call.arguments) == 1 and call.label in ((), ("2",))
    return _length(evaluate(call.arguments[0], lookup), call.function) if plain else None


def _whole_part(call: f.Call, lookup: Lookup) -> Balls | None:
    if len(call.arguments) != 1:
        return None
    whole = whole_part(call.function, call.arguments[0], evaluate(call.arguments[0], lookup), lookup)
    if whole is None:
        raise NoValueError("not_reckoned", kind=call.function)
    return whole


def _masked(call: f.Call, lookup: Lookup) -> Balls | None:
    if len(call.arguments) != 1 or not call.label:
        return None
    return _NUMBERS.hide(evaluate(call.arguments[0], lookup), _condition(call, lookup))


def _condition(call: f.Call, lookup: Lookup) -> Keep:
    """Where the condition of a mask holds, rows and columns counted from 0."""
    matrices: list[str] = []  # that the condition reads, whose rows are counted by no letter

    def matrix(named: str) -> Balls | None:
        matrices.append(named)
        return lookup(f.Name(named))

    keep = keep_where(call.label[0], matrix)
    if keep is None:
        raise NoValueError("not_reckoned", kind="mask")
    down = ("axis", "0") in call.options  # the queries stand in columns
    first = 1 if FROM_ZERO in call.options and not matrices else 0
    return lambda i, j: keep(j - first, i - first) if down else keep(i - first, j - first)


def _concat(call: f.Call, lookup: Lookup) -> Balls:
    parts = [evaluate(a, lookup) for a in _list_names(call.arguments)]
    if len({p.shape[0] for p in parts}) != 1:
        sizes = {"left": size_text(parts[0].shape), "right": size_text(parts[-1].shape)}
        raise NoValueError("sizes_do_not_fit", **sizes, sign="Concat")
    return _side_by_side(parts)


def _extreme(call: f.Call, lookup: Lookup) -> Balls | None:
    """The largest or the smallest of numbers, or over a letter; of two also entry by entry of matrices."""
    if is_over_letter(call):
        written = write_out(call, lookup)
        return None if written is None else evaluate(written, lookup)
    if len(call.arguments) < 2 or call.label or call.options:
        return None
    sign = scalar(Fraction(1 if call.function == "max" else -1))
    values = [evaluate(a, lookup) for a in call.arguments]
    if len(values) > 2 and any(value.shape != (1, 1) for value in values):
        return None
    finite = [value for value in values if value.shape != (1, 1) or not value.hidden]
    if call.function == "max" and len(finite) == 1:
        return finite[0]  # max(−∞, x)
    kept = finite if call.function == "max" and finite else values
    largest: Balls | None = _scale(kept[0], sign)
    for value in kept[1:]:
        largest = None if largest is None else functions.largest_of(largest, _scale(value, sign))
    return None if largest is None else _scale(largest, sign)


def _clamped(call: f.Call, lookup: Lookup) -> Balls | None:
    """x within the two others, the smaller of which stands first."""
    if len(call.arguments) != 3 or call.options or call.label:
        return None
    x, low, high = call.arguments
    bounds = evaluate(low, lookup), evaluate(high, lookup)
    if any(each is None or each.shape != (1, 1) or each.hidden for each in bounds):
        return None
    if not bounds[0].rows[0][0] <= bounds[1].rows[0][0]:
        return None
    return _extreme(f.Call("max", (low, f.Call("min", (high, x)))), lookup)


def _weighted(call: f.Call, lookup: Lookup) -> Balls | None:
    plain = len(call.arguments) == 3 and not call.options
    return _attention(*(evaluate(a, lookup) for a in call.arguments)) if plain else None


def _of_one(rule: Callable[[Balls], Balls | None]) -> Callable[[f.Call, Lookup], Balls | None]:
    """The rule of a function with one argument."""
    return lambda call, lookup: rule(evaluate(call.arguments[0], lookup)) if len(call.arguments) == 1 else None


# by the names of functions; None where these arguments are none of theirs
_FUNCTIONS: Mapping[str, Callable[[f.Call, Lookup], Balls | None]] = {
    "softmax": _softmax,
    "exp": _of_one(_NUMBERS.exp),
    "tanh": _of_one(_tanh),
    "diag": _of_one(_diagonal),
    **{name: _of_one(rule) for name, rule in OF_ROWS.items()},
    "ncols": _of_one(lambda value: scalar(Fraction(value.shape[1]))),
    "sqrt": lambda call, lookup: _root(f.Root(call.arguments[0]), lookup) if len(call.arguments) == 1 else None,
    "norm": _measure,
    "length": _measure,
    "floor": _whole_part,
    "ceil": _whole_part,
    "round": _whole_part,
    "clamp": _clamped,
    "clip": _clamped,
    "mask": _masked,
    "concat": _concat,
    "max": _extreme,
    "min": _extreme,
    "attention": _weighted,
}


def _function(expression: f.Call, lookup: Lookup) -> Balls:
    """A function of each entry, of each row or of all entries."""
    options = {key: text for key, text in expression.options if key not in ("keepdims", "keepdim", "eps")}
    axis = options.pop("axis", options.pop("dim", None))
    name = expression.function + "".join(expression.label)
    if options or axis not in (None, "-1", "0", "1"):
        raise NoValueError("not_reckoned", kind=name)
    argument = evaluate(expression.arguments[0], lookup)
    if name == "sigma" and argument.shape[1] > 1:
        raise NoValueError("not_reckoned", kind="σ")  # of a row: the logistic function of each, or their softmax
    value = functions.apply(name, argument, axis)
    if value is None:
        raise NoValueError("not_reckoned", kind=name)
    return value


def _length(value: Balls, name: str) -> Balls:
    """‖x‖ of a row or a column, |x| of a number or of these; of each row of a matrix only where a program says so."""
    if 1 in value.shape:
        value = _NUMBERS.transpose(value) if value.shape[1] == 1 else value
    elif name == "length":
        raise NoValueError("not_reckoned", kind="|·|")  # a determinant, or as many as there are
    found = functions.apply("norm", value, None)
    if found is None:
        raise NoValueError("not_reckoned", kind=name)
    return found


def _list_names(arguments: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """Concat(a, b) and Concat([a, b]) are the same."""
    if len(arguments) == 1 and isinstance(arguments[0], f.Matrix) and len(arguments[0].rows) == 1:
        return arguments[0].rows[0]
    return arguments


def _attention(Q: Balls, K: Balls, V: Balls) -> Balls:
    if Q.shape[1] != K.shape[1] or K.shape[0] != V.shape[0]:
        raise NoValueError("sizes_do_not_fit", left=size_text(Q.shape), right=size_text(K.shape), sign="Attention")
    root = Balls((1, 1), None, ((1 / scalar(Fraction(K.shape[1])).rows[0][0].sqrt(),),))
    return _NUMBERS.matmul(softmax(_scale(_NUMBERS.matmul(Q, _NUMBERS.transpose(K)), root)), V)


def size_text(shape: tuple[int, int]) -> str:
    return f"{shape[0]}×{shape[1]}"


_RULES: Mapping[type, Callable[..., Balls]] = {
    f.Number: _number,
    f.Infinity: _infinity,
    f.Name: _name,
    f.Matrix: _matrix,
    f.Sum: _sum,
    f.BigSum: _big_sum,
    f.Product: _product,
    f.Elementwise: _elementwise,
    f.Quotient: _quotient,
    f.Root: _root,
    f.Power: _power,
    f.Transpose: _transpose,
    f.Entry: _entry,
    f.Call: _call,
}
