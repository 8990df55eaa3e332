"""Equations between formulas, both sides evaluated: symbols are as the article defines them, of any shape that fits.

`(AB)C = A(BC)`, `qᵀk = cᵀ Wᵀ W c` with q and k as defined above, `o_{ji} = Σ_k P_{jk} V_{ki}` with O = PV.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from symattn.checking.formulas.graphs import reached
from symattn.checking.formulas.identities.amounts import is_amount
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question, constantly
from symattn.checking.formulas.trials.dimensions import Dimensions, Pair
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.notation import defined, find_definitions, find_shapes
from symattn.checking.formulas.trials.proofs import Shape, are_equal, size
from symattn.checking.formulas.trials.standing import as_they_stand
from symattn.checking.formulas.trials.symbols import ENTRIES_OF, ROWS_OF, Key, NotSettledError, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.unknowns import ONE
from symattn.checking.work import spend
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

Named = dict[Key, f.Expression]
_SHOWN, _REFUTED = Sentence("formula.identity"), Sentence("formula.identity_fails")
_OTHER = ("factor", "term", "scale", "root", "square", "letter")  # slips that make another statement of an equation
_OF_FIELD = "QKVAPS"
_COMPOUND = (f.Product, f.Sum, f.Quotient, f.Transpose, f.Elementwise, f.BigSum)


def equate(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> list[Variant]:
    """The questions whether two neighbouring sides agree, if both have a meaning of their own."""
    compound = isinstance(side.expression, _COMPOUND) or _is_trace(side.expression)
    if not compound or not _may_have_meaning(left, statement, context):
        return []
    named = definitions_before(statement, context)
    if is_amount(statement.left) or (isinstance(left, f.Name) and named.get(left.symbol) == side.expression):
        return []  # a line that is printed again is not shown by itself
    if not has_meaning(left, named) or _is_of_indices(left, side.expression):
        return []
    if any(isinstance(part, f.BigSum | f.Entry) for e in (left, side.expression) for part in f.walk(e)):
        return _entries(left, side.expression, context) if isinstance(left, f.Name) else []
    used = {n.symbol for e in (left, side.expression) for n in names(e)}
    own = isinstance(left, f.Name) and left.symbol in named  # given two meanings, neither settled
    settled = not own and (len(used) > 2 or not used.isdisjoint(named))
    whole = as_they_stand(_whole(left, side, named), side, context)
    return [replace(v, repairs=settled, without=_OTHER) for v in whole]


def has_meaning(left: f.Expression, named: Named) -> bool:
    """Whether a left side is more than the name of what is defined here."""
    if isinstance(left, f.Name):
        return left.symbol in named or _is_entry(left)
    return _is_formula(left)


def _is_entry(name: f.Name) -> bool:
    """Whether it has two indices, S_ij; two capitals are a label, L_KD."""
    indices = "".join(name.sub)
    return len(indices) == 2 and not indices.isupper()


def _is_formula(e: f.Expression) -> bool:
    return isinstance(e, _COMPOUND) or _is_log_of_sum(e) or _is_trace(e)


def _is_trace(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function in ("tr", "trace")


def _is_log_of_sum(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "log" and isinstance(e.arguments[0], f.BigSum)


def _is_of_indices(left: f.Expression, right: f.Expression) -> bool:
    """Whether this is about whole numbers, k = 2i and k = 2i + 1: these are cases, and not two definitions of one."""
    parts = [part for e in (left, right) for part in f.walk(e)]
    letters = [part for part in parts if isinstance(part, f.Name)]
    plain = all(n.base in "ijklmnt" and not n.sub and not n.sup for n in letters)
    return plain and all(isinstance(part, f.Name | f.Number | f.Sum | f.Product | f.Quotient) for part in parts)


def _may_have_meaning(left: f.Expression, statement: Statement, context: Context) -> bool:
    """The same, asked before all definitions are gathered: of a name whether the ones in front are alike."""
    if not isinstance(left, f.Name) or _is_entry(left):
        return isinstance(left, f.Name) or _is_formula(left)
    made = context.once(_by_name).get(left.symbol, ())
    bodies = (body for number, body in made if number < statement.number)
    first = next(bodies, None)
    return first is not None and all(body == first for body in bodies)


def _by_name(article: Article, statements: Sequence[Statement]) -> dict[Key, list[tuple[int, f.Expression]]]:
    """The statements that define each symbol."""
    made: dict[Key, list[tuple[int, f.Expression]]] = {}
    for number, (key, body) in find_named(article, statements).items():
        made.setdefault(key, []).append((number, body))
    return made


def find_bodies(article: Article, statements: Sequence[Statement]) -> dict[Key, list[f.Expression]]:
    """What the statements say each symbol to be."""
    return {key: [body for _, body in made] for key, made in _by_name(article, statements).items()}


def find_named(_: Article, statements: Sequence[Statement]) -> dict[int, tuple[Key, f.Expression]]:
    """What each statement defines its left side as, if that is a name."""
    found: dict[int, tuple[Key, f.Expression]] = {}
    for statement in statements:
        sides = statement.equals
        if len(sides) > 1 and isinstance(sides[0], f.Name) and statement.head is None and not f.is_printed(sides[1]):
            name = sides[0]
            found[statement.number] = (name.symbol, sides[1])
    return found


def definitions_before(statement: Statement, context: Context) -> Named:
    """What the statements in front define, those that are defined once."""
    found: Named = {}
    twice: set[Key] = set()
    every = context.once(find_named)
    spend(len(every) // 4)
    for number, (key, body) in every.items():
        if number < statement.number:
            if key in found and found[key] != body:
                twice.add(key)
            found[key] = body
    inside = {key: {name.symbol for name in names(body)} for key, body in found.items()}
    plain: set[Key] = set()  # the symbols of lines in whose order no line uses a later one: most of all
    for key, symbols in inside.items():
        if all(symbol in plain or symbol not in inside for symbol in symbols):
            plain.add(key)
    return {key: body for key, body in found.items() if key not in twice and (key in plain or not _recurs(key, inside))}


def _recurs(key: Key, inside: Mapping[Key, Set[Key]]) -> bool:
    """Whether a symbol is defined by itself, by way of any others."""
    return key in reached(inside[key], lambda symbol: inside.get(symbol, ()))


def _whole(left: f.Expression, side: f.Side, named: Named) -> list[Variant]:
    """The question for formulas without indices: every name is a symbol of its own."""
    questions: list[Variant] = []
    needed = _needed([*names(left), *names(side.expression)], named)
    for columns in (True, False):
        dimensions = Dimensions(columns)
        try:
            for key, body in named.items():
                pair = dimensions.symbols.setdefault(key, dimensions.of(body))
                dimensions.symbols[key] = pair
            dimensions.of(left)
            dimensions.refuse_exchanges(left, side.expression)
            _symbols_of(dimensions, side.expression)
        except NotSettledError:
            continue
        if dimensions.are_flattened():
            continue

        symbols = {key: pair for key, pair in dimensions.symbols.items() if key in needed and key not in named}

        def prepare(scope: Scope, dimensions: Dimensions = dimensions, symbols: dict[Key, Pair] = symbols) -> None:
            known = dimensions.sizes(symbols.values(), 2 + scope.seed % 2)
            scope.definitions |= {key: ((), body) for key, body in named.items()}
            for key, pair in symbols.items():
                shape = () if pair is None else tuple(known[dimensions.root(k)] for k in pair)
                scope.given[key] = scope.draw(key, shape) if shape else scope.number(key)
                scope.drawn[spell(key)] = scope.given[key]

        def proof(printed: f.Expression, dimensions: Dimensions = dimensions) -> bool:
            shapes = {key: _shape(pair, dimensions) for key, pair in dimensions.symbols.items() if key not in named}
            return are_equal(left, printed, shapes, definitions=named)

        questions.append(Variant(Question(constantly(left), prepare), _SHOWN, refuted=_REFUTED, proof=proof))
    return questions


def _needed(used: Sequence[f.Name], named: Named) -> set[Key]:
    """The symbols that a statement may ask for: its own and those that they are made of, and V, which may be left out.

    `q_i` may be a row of Q, `W_1` a member of W.
    """
    found: set[Key] = {("V", (), ())}
    waiting = list(used)
    while waiting:
        name = waiting.pop()
        whole = [(name.base, name.sub[:k], name.sup) for k in range(len(name.sub) + 1)]
        keys = [
            (base, *key[1:])
            for key in whole
            for base in (name.base, ROWS_OF.get(name.base), ENTRIES_OF.get(name.base))
            if base
        ]
        for key in keys:
            if key not in found:
                found.add(key)
                waiting += names(named[key]) if key in named else ()
    return found


def _shape(pair: Pair, dimensions: Dimensions) -> Shape:
    """Sizes of any number, one letter for those that have to be the same."""
    if pair is None:
        return None
    rows, columns = ("1" if dimensions.root(k) == ONE else f"n{dimensions.root(k)}" for k in pair)
    return size(rows), size(columns)


def _symbols_of(dimensions: Dimensions, e: f.Expression) -> None:
    """Every name of the printed side as a symbol; it need not fit."""
    for name in names(e):
        dimensions.symbol(name)


def _entries(left: f.Expression, right: f.Expression, context: Context) -> list[Variant]:
    """The question for formulas with indices, of matrices whose shapes the article states or the field has."""
    shapes = context.once(find_shapes)
    definitions = context.once(find_definitions)
    own = left if isinstance(left, f.Name) else None
    key, letters = defined(own) if own is not None else (("", (), ()), ())
    if own is None or len(letters) != 2:
        return []
    matrix = (key[0].upper(), *key[1:])
    if matrix not in definitions or definitions[matrix][0]:
        return []
    used = {(n.base, (), ()) for n in names(definitions[matrix][1])}
    if not used <= {*shapes, *((base, (), ()) for base in _OF_FIELD)}:
        return []
    if any(isinstance(part, f.Transpose) and isinstance(part.operand, f.Name) for part in f.walk(right)):
        return []  # K_{kj}^T, which may be the entry of K^T

    def prepare(scope: Scope) -> None:
        scope.shapes |= shapes
        scope.any_length = True
        scope.definitions[matrix] = definitions[matrix]

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        return evaluator.value(definitions[matrix][1]).at(at[letters[0]] - 1, at[letters[1]] - 1)

    def free(evaluator: Evaluator) -> dict[str, range]:
        shape = evaluator.value(definitions[matrix][1]).shape
        return {letter: range(1, size + 1) for letter, size in zip(letters, shape, strict=True)}

    return [Variant(Question(value, prepare, free), _SHOWN, refuted=_REFUTED)]
