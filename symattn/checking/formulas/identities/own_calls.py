"""Functions that an article defines, MHA(X) = … and R(θ) = [[…]], put in where they are applied to something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.inference import LIST
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

MOST_PARTS = 400  # of a side with all functions put in
DEEPEST = 4  # functions within functions
# what has a meaning of its own, whatever a line says that it is
_FIXED = frozenset(("exp", "log", "tanh", "sin", "cos", "softmax", "max", "min", "sum", "diag", "inner", "norm", "abs"))
_FIXED |= {"sqrt", "concat", "rowsum", "rowmax", "tr", "trace", "attention", LIST}
Key = tuple[str, ...]


@dataclass(frozen=True)
class OwnFunction:
    """What a function is said to be of its parameters, `parameters` ↦ `body`."""

    parameters: tuple[f.Expression, ...]
    body: f.Expression
    number: int = field(default=0, compare=False)  # of the statement that says so

    def of(self, arguments: Sequence[f.Expression]) -> f.Expression:
        """The body with these arguments.

        >>> OwnFunction((f.Name("x"),), f.Transpose(f.Name("x"))).of([f.Name("y")]).operand.base
        'y'
        """
        given = dict(zip(self.parameters, arguments, strict=True))
        return rewrite(self.body, lambda part: given.get(part, part))


Functions = Mapping[Key, OwnFunction]


def find_own_functions(_: Article, statements: Sequence[Statement]) -> Functions:
    """The functions that one line each defines, by what they are called."""
    found: dict[Key, OwnFunction] = {}
    counts: Counter[Key] = Counter()
    for statement in statements:
        sides = statement.equals
        applied = _applied(sides[0]) if len(sides) > 1 and statement.head is None else None
        if applied is None:
            continue
        key, arguments = applied
        if not _is_called(sides[0], statement.passage.text) or key[0] in _FIXED:
            continue
        body = rewrite(sides[1], lambda part, text=statement.passage.text: _as_list(part, text))  # type: ignore[misc]
        made = _with_parameters(arguments, body)
        if made is None:
            counts[key] += _are_names(arguments) and key not in found  # a constant; behind another it may be a slip
        elif found.get(key) != made:
            counts[key] += 1
            found[key] = replace(made, number=statement.number)
    return {key: made for key, made in found.items() if counts[key] == 1}


def _applied(e: f.Expression) -> tuple[Key, tuple[f.Expression, ...]] | None:
    """What is called and of what: MHA(X), and R(θ), which is read as a product."""
    match e:
        case f.Call(function, arguments, label, ()):
            return (function, *label), arguments
        case f.Product((f.Name() as name, argument), ("",)):
            return (name.base, *name.sub, *name.sup), _arguments_of(argument)
    return None


def _arguments_of(argument: f.Expression) -> tuple[f.Expression, ...]:
    is_row = isinstance(argument, f.Matrix) and len(argument.rows) == 1
    return argument.rows[0] if is_row else (argument,)  # type: ignore[attr-defined]


def _is_called(e: f.Expression, text: str) -> bool:
    """Whether what is read as a product of two names is written with brackets, R(θ)."""
    if isinstance(e, f.Call):
        return True
    assert isinstance(e, f.Product)
    name, argument = e.factors
    row = isinstance(argument, f.Matrix) and text[argument.start : argument.start + 1] == "("
    return row or text[name.end : argument.start].strip() in ("(", r"\left(", "（")


def _with_parameters(arguments: tuple[f.Expression, ...], body: f.Expression) -> OwnFunction | None:
    """The function of some arguments, names or a sum of them that the body holds as a whole, PE(t + k)."""
    if any(isinstance(part, f.Unread | f.Dots) for part in f.walk(body)):
        return None
    names = [part for x in arguments for part in f.walk(x) if isinstance(part, f.Name)]
    plain = all(isinstance(x, f.Name | f.Sum) for x in arguments) and not any(x.item for x in names)
    if not plain or len(set(names)) != len(names) or not names:
        return None
    made = OwnFunction(arguments, body)
    rest = made.of([_ANYTHING] * len(arguments))
    held = any(part == _ANYTHING for part in f.walk(rest))
    return made if held and not any(part in names for part in f.walk(rest)) else None


def _as_list(part: f.Expression, text: str) -> f.Expression:
    """A row in plain brackets as a list of its cells."""
    if not isinstance(part, f.Matrix) or len(part.rows) != 1 or text[part.start : part.start + 1] not in ("[", "("):
        return part
    return f.Call(LIST, part.rows[0], start=part.start, end=part.end)


def defines_own(statement: Statement, functions: Functions) -> bool:
    """Whether a statement is the line that says what a function is, or one of several such lines, p(x) = 1/2."""
    applied = None if statement.head is not None else _applied(statement.left)
    if applied is not None and isinstance(statement.left, f.Product) and applied[0] not in functions:
        return _are_names(applied[1]) and _is_called(statement.left, statement.passage.text)
    return any(made.number == statement.number for made in functions.values())


def _are_names(arguments: Sequence[f.Expression]) -> bool:
    return all(isinstance(x, f.Name) and not x.item for x in arguments)


def apply_own(e: f.Expression, functions: Functions) -> f.Expression:
    """The expression with what own functions are, as far as it stays short."""
    for _ in range(DEEPEST if functions else 0):
        changed = rewrite(e, lambda part: _put_in(part, functions))
        if changed is e or sum(1 for _ in f.walk(changed)) > MOST_PARTS:
            return e
        e = changed
    return e


def _put_in(part: f.Expression, functions: Functions) -> f.Expression:
    if isinstance(part, f.Call):
        made = functions.get((part.function, *part.label))
        fits = made is not None and len(made.parameters) == len(part.arguments) and not part.options
        return made.of(part.arguments) if made is not None and fits else part
    if not isinstance(part, f.Product):
        return part
    factors, operators = [part.factors[0]], list[str]()
    for operator, factor in zip(part.operators, part.factors[1:], strict=True):
        whole = _called(factors[-1], factor, functions) if operator == "" else None
        if whole is not None:
            factors[-1] = whole
        else:
            factors.append(factor)
            operators.append(operator)
    if len(factors) == len(part.factors):
        return part
    return factors[0] if len(factors) == 1 else replace(part, factors=tuple(factors), operators=tuple(operators))


def _called(name: f.Expression, argument: f.Expression, functions: Functions) -> f.Expression | None:
    """What R(θ) is, whose brackets are read as a factor, or its transpose."""
    if isinstance(argument, f.Transpose):
        inner = _called(name, argument.operand, functions)
        return None if inner is None else replace(argument, operand=inner)
    made = functions.get((name.base, *name.sub, *name.sup)) if isinstance(name, f.Name) else None
    arguments = _arguments_of(argument)
    return None if made is None or len(made.parameters) != len(arguments) else made.of(arguments)


_ANYTHING = f.Name("ˣ")
