"""What the lines of an article make of its letters: p_i = e^{z_i}/Σ_k e^{z_k}, L = −log p_c, y = σ(z)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import slope_of
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

SIGMA = "sigma"
RUNNING = "ι"  # the index of sums that are not written


@dataclass(frozen=True)
class Line:
    """A formula for a letter: the letters of its indices, and what it is; of a function the name of its argument."""

    indices: tuple[str, ...]
    body: f.Expression
    number: int = -1  # of the statement
    argument: f.Name | None = None


@dataclass(frozen=True)
class Lines:
    """The formulas of letters and of functions, in the order of the text."""

    letters: Mapping[str, Sequence[Line]] = field(default_factory=dict)
    functions: Mapping[str, Sequence[Line]] = field(default_factory=dict)
    sizes: frozenset[str] = frozenset()  # letters up to which sums run
    labels: frozenset[str] = frozenset()  # of probabilities whose logarithms they multiply
    lists: frozenset[str] = frozenset()  # letters that have entries
    slopes: frozenset[tuple[str, int]] = frozenset()  # letters that are said to be derivatives, and how many indices

    chosen: Mapping[str, Line] = field(default_factory=dict)  # another than the nearest

    def of(self, key: str, number: int) -> Line | None:
        """The last formula of a letter before a statement, or else the first behind it, without its own."""
        return self.chosen.get(key) or _nearest(self.letters.get(key, ()), number)

    def of_function(self, name: str, number: int) -> Line | None:
        """The same of a function."""
        return _nearest(self.functions.get(name, ()), number)

    def others(self, keys: Iterable[str], number: int) -> Iterator[Lines]:
        """The same with another formula of one of some letters."""
        for key in keys:
            nearest = self.of(key, number)
            made = {(line.indices, line.body): line for line in self.letters.get(key, ()) if line.number != number}
            for line in made.values():
                if nearest is not None and (line.indices, line.body) != (nearest.indices, nearest.body):
                    yield replace(self, chosen={key: line})

    def is_settled(self, key: str, number: int) -> bool:
        """Whether no two lines give a letter, or a function, different formulas."""
        made = [line for line in (*self.letters.get(key, ()), *self.functions.get(key, ())) if line.number != number]
        return all((line.indices, line.body) == (made[0].indices, made[0].body) for line in made)


def _nearest(made: Sequence[Line], number: int) -> Line | None:
    others = [line for line in made if line.number != number]
    before = [line for line in others if line.number < number]
    return before[-1] if before else others[0] if others else None


def split(name: f.Name) -> tuple[str, tuple[str, ...]]:
    """A letter with its labels, and its indices: single small letters, and numbers.

    >>> split(f.Name("p", ("ic",))), split(f.Name("σ", ("B",)))
    (('p', ('i', 'c')), ('σ_B', ()))
    """
    labels, indices = [], list[str]()
    for part in name.sub:
        small = part.isalpha() and part.islower() and len(part) < 3 and part.isascii()
        if small or part[:1] == RUNNING:
            indices += part
        elif part.isdecimal() and len(part) == 1:
            indices.append(part)
        else:
            labels.append(part)
    return "_".join((name.base, *labels, *(f"^{part}" for part in name.sup))), tuple(indices)


def spelled(side: f.Expression) -> f.Expression:
    """The side with one letter for each σ² and σ_B²."""

    def joined(part: f.Expression) -> f.Expression:
        match part:
            case f.Power(f.Name("σ" | "s") as base, f.Number(value=power)) if power == 2 and not base.sup:
                return replace(base, base=base.base + "²")
            case f.Matrix(rows=((cell,),)):
                return cell
        return part

    return rewrite(side, joined)


def find_lines(_: Article, statements: Sequence[Statement]) -> Lines:
    """The formulas that lines give letters and functions."""
    letters: dict[str, list[Line]] = {}
    functions: dict[str, list[Line]] = {}
    for statement in statements:
        for key, line, of_function in _of_statement(statement):
            (functions if of_function else letters).setdefault(key, []).append(line)
    sums = [x for s in statements for side in s.equals for x in f.walk(side) if isinstance(x, f.BigSum)]
    sizes = (split(x.upper) for x in sums if isinstance(x.upper, f.Name))
    labels = {name for x in sums for name in _labels_in(x)}
    counts = frozenset(key for key, indices in sizes if not indices)
    made = {key for key, lines in letters.items() if any(len(line.indices) == 1 for line in lines)}
    entries = {key for s in statements for side in s.equals for key in _lists_in(spelled(side))}
    sloped = (split(s.left) for s in statements if isinstance(s.left, f.Name) and any(map(_is_slope, s.equals[1:])))
    slopes = {(key, len(indices)) for key, indices in sloped}
    return Lines(letters, functions, counts, frozenset(labels), frozenset(made | entries), frozenset(slopes))


def _is_slope(side: f.Expression) -> bool:
    return any(isinstance(part, f.Derivative) for part in f.walk(side))


def _lists_in(side: f.Expression) -> Iterator[str]:
    """The letters that have one index, those that softmax is taken of, and the w and x of wᵀx."""
    for part in f.walk(side):
        match part:
            case f.Name() if len(split(part)[1]) == 1:
                yield split(part)[0]
            case f.Call("softmax", (f.Name() as name,)):
                yield split(name)[0]
            case f.Product((f.Transpose(f.Name() as a), f.Name() as b)):
                yield from (split(a)[0], split(b)[0])


def of_entries(sides: Sequence[f.Expression], lines: Lines) -> list[f.Expression]:
    """What is said of whole lists, ∇_z L = p − e_y, said of their entries; as it is where it is not of lists alone."""
    if not (isinstance(sides[0], f.Derivative) and isinstance(sides[0].by, f.Name)):
        return list(sides)
    key, indices = split(sides[0].by)
    plain = (f.Derivative, f.Name, f.Number, f.Sum, f.Product, f.Quotient, f.Elementwise)
    parts = [part for side in sides for part in f.walk(side)]
    if indices or key not in lines.lists or not all(isinstance(part, plain) for part in parts):
        return list(sides)
    if any(_lists_of(part, lines) > 1 for part in parts if isinstance(part, f.Product) and "⊙" not in part.operators):
        return list(sides)

    def entry(part: f.Expression) -> f.Expression:
        match part:
            case f.Name("e", (index,), ()) if len(index) == 1:
                return f.Name("δ", (RUNNING + index,))
            case f.Name() if split(part)[0] in lines.lists and not split(part)[1]:
                return replace(part, sub=(*part.sub, RUNNING), text="")
        return part

    return [rewrite(side, entry) for side in sides]


def _lists_of(e: f.Expression, lines: Lines) -> int:
    return sum(
        any(isinstance(part, f.Name) and split(part)[0] in lines.lists for part in f.walk(factor)) for factor in e.parts
    )


def _of_statement(statement: Statement) -> Iterator[tuple[str, Line, bool]]:
    sides = [spelled(side) for side in statement.equals]
    if len(sides) < 2 or statement.head is not None:
        return
    left, body = sides[0], sides[1]
    parts = list(f.walk(body))
    if isinstance(body, f.Name | f.Matrix) or any(isinstance(x, f.Derivative | f.Unread) for x in parts):
        return
    inside = {split(x)[0] if isinstance(x, f.Name) else x.function for x in parts if isinstance(x, f.Name | f.Call)}
    called = left.operand if isinstance(left, f.Entry) else left
    own = split(left)[0] if isinstance(left, f.Name) else called.function if isinstance(called, f.Call) else ""
    if own in inside or not any(isinstance(x, f.Name) and x != f.Name("e") for x in parts):
        return  # an update, or a number
    match left:
        case f.Name() if slope_of(left) is None:
            key, indices = split(left)
            if isinstance(body, f.Call) and body.function == "softmax" and not indices:
                indices, body = ("i",), f.Entry(body, ("i",))  # p = softmax(z)
            if len(set(indices)) == len(indices) and not any(index.isdecimal() for index in indices):
                yield key, Line(indices, body, statement.number), False
        case f.Entry(f.Call(function, (f.Name() as argument,)), (index,)) | f.Call(
            function, (f.Name(sub=(index,)) as argument,)
        ) if _is_softmax(body):
            yield function, Line((index,), body, statement.number, argument), True
        case f.Call(function, (f.Name() as argument,)):
            yield function, Line((), body, statement.number, argument), True


def _is_softmax(body: f.Expression) -> bool:
    match body:
        case f.Quotient(f.Call("exp"), f.BigSum(body=f.Call("exp"))):
            return True
    return False


def _labels_in(e: f.BigSum) -> Iterator[str]:
    """The y of Σ_k y_k log p_k."""
    for part in f.walk(e.body):
        factors = part.factors if isinstance(part, f.Product) else ()
        if any(isinstance(x, f.Call) and x.function == "log" for x in factors):
            yield from (split(x)[0] for x in factors if isinstance(x, f.Name) and split(x)[1])
