"""Online softmax as a program: its lines are carried out on two blocks of keys, and the last values are looked at.

A note gives a name a new value line by line, `l = l * alpha + sum(p)`, and what one line alone means depends on those
above it. So the lines are carried out as they stand, from the state behind a first block of keys through a second one.
Where maximum, sum and output are then those of both blocks, all lines that lead there hold. Where they are not, and one
line with one slip mended makes all of them right, that line is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import BITS, mend_statement
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate
from symattn.checking.models.rings import Numbers
from symattn.checking.models.tensors import MisfitError, Tensor, Tensors
from symattn.checking.work import OutOfWorkError
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

_LONGEST, _FARTHEST = 200, 4  # characters of a line, and lines from one to the next
_FEWEST, _MOST_LINES, _MOST_PROGRAMS = 2, 16, 12
_LINE = regex(
    r"^[ \t>]*(?:[-*•]\s+)?(?:[^\W\d][\w ]{0,16}[:：]\s*)?"
    r"(?P<left>[^\W\d]\w*)[ \t]*(?P<operator>[-+*/]?=(?!=)|←|:=)[ \t]*(?P<right>[^\n]+)$",
    re.MULTILINE,
)
_COMMENT = regex(r"\s*(?:#|//|<-|\s{2,}←|\s{3,}\().*$|[\s;,.]+$")
_SECOND = regex(r",\s+(?=[^\W\d]\w*\s*=[^=])")  # tile_max = max(S), tile_sum = sum(S)
_NAME = regex(r"[^\W\d]\w*")
_MODULE = regex(r"\b(?:np|jnp|torch|tl|math|F)\.(?=[a-z])")
_LARGEST = regex(r"\b(?:row|block|tile|blk|a)_?max\(|\bmaximum\(|\bmax_row\(")
_TOTAL = regex(r"\b(?:row|block|tile|blk)_?sum\(")
_INITIAL = regex(r"-?\s*(?:\\?inf|∞|0(?:\.0*)?|zeros|full|float)\b|-?∞")

# what a name that has no value yet stands for, in the order in which they are asked
_BLOCK = r"(?:block|tile|blk|ij|j|local|loc|cur|curr|current|chunk)"
_OLD = r"(?:old|prev|previous|i|run|running|so_far)"
_ROLES = {
    "own maximum": rf"(?:m|max|M)_{_BLOCK}|{_BLOCK}_?(?:max|m)|m̃",
    "own sum": rf"(?:l|ℓ|sum|d)_{_BLOCK}|{_BLOCK}_?(?:sum|l)",
    "scores": rf"[sSx]|scores?|qk|logits|[sS]_?{_BLOCK}|scores?_?{_BLOCK}|block|tile|x_{_BLOCK}",
    "values": rf"[vV]|values?|[vV]_?{_BLOCK}|[vV]_i|value_{_BLOCK}",
    "maximum": rf"m|(?:m|max|M)_{_OLD}|{_OLD}_max|row_max|M",
    "sum": rf"[lℓd]|(?:[lℓdZ]|sum|denom)_{_OLD}|{_OLD}_sum|denom|den|denominator|row_sum|Z|sum",
    "output": rf"[oO]|acc|(?:[oO]|acc|out|output)_{_OLD}|[oO]_acc|out|output|accumulator",
}
_OF_ROLES = {role: regex(pattern) for role, pattern in _ROLES.items()}
_STATES = ("maximum", "sum", "output")
_NEW = regex(r"_?(?:new|next|now|final|′)$|'$")

Rows = Sequence[Sequence[Fraction]]
# of the block before, and of the new one
_POINTS: Sequence[Rows] = (  # in which the new block has the larger score, and not
    ((Fraction(2), Fraction(-1), Fraction(3)), (Fraction(7, 2), Fraction(1))),
    ((Fraction(2), Fraction(-1), Fraction(3)), (Fraction(3, 2), Fraction(1))),
)
_VALUES: Sequence[Rows] = tuple(
    tuple(tuple(map(Fraction, row)) for row in rows) for rows in (((1, 3), (-2, 1), (5, -1)), ((3, 7), (-1, 4)))
)


@dataclass(frozen=True)
class _Step:
    """One assignment: the name that it sets, what it sets that to, and where it stands."""

    name: str
    value: f.Expression
    span: tuple[int, int]


@dataclass(frozen=True)
class Said:
    """What is said of the lines of programs, by where they begin: that they hold, or how they should read."""

    holds: Mapping[int, tuple[int, int]]  # the spans of lines
    fails: Mapping[int, str]


def judge_online_program(statement: Statement, context: Context) -> Formula | None:
    """A line of a program of online softmax; nothing of a statement that is none."""
    said = context.once(find_online_programs)
    start = statement.span[0]
    if start in said.fails:
        return refuse(statement, Sentence("theorem.online_fails"), said.fails[start])
    return accept(statement, Sentence("theorem.online_tried")) if start in said.holds else None


def judge_online_steps(context: Context) -> Iterator[Formula]:
    """The lines of such programs that are no equations, `l ← l · α + p`."""
    try:
        said = context.once(find_online_programs)
    except OutOfWorkError:
        return
    for span in said.holds.values():
        yield conclude_in_words(context, span, "holds", Sentence("theorem.online_tried"))


def find_online_programs(article: Article, statements: Sequence[Statement]) -> Said:
    """The programs of an article that come to what they should, and those that do with one slip mended."""
    holds: dict[int, tuple[int, int]] = {}
    fails: dict[int, str] = {}
    known = {statement.span[0]: statement for statement in statements}
    with precision(BITS):
        for program in list(_programs(article.words))[:_MOST_PROGRAMS]:
            slip = None if _is_right(program) else _only_slip(program, known)
            if slip is not None:
                fails[slip[0].span[0]] = slip[1]
            if slip is not None or _is_right(program):
                lines = _leading_to_states(program)
                holds.update({step.span[0]: step.span for step in lines if slip is None or step is not slip[0]})
    return Said(holds, fails)


def _only_slip(program: tuple[_Step, ...], known: Mapping[int, Statement]) -> tuple[_Step, str] | None:
    """The only line that can be mended by one edit so that all comes right, and how it reads then."""
    mended = [
        (step, right)
        for step in program
        if step.span[0] in known and (right := _mend(program, step, known[step.span[0]])) is not None
    ]
    return mended[0] if len(mended) == 1 else None


def _mend(program: Sequence[_Step], step: _Step, statement: Statement) -> str | None:
    """The line as it should read: with one edit, or with a state rescaled by a factor that the program has."""

    def holds(value: f.Expression) -> bool:
        return _is_right(_with(program, step, value))

    found = mend_statement(statement, lambda changed: holds(changed[-1]))
    side = statement.sides[-1]
    own = statement.printed(side)
    factors = [each.name for each in program if _state_of(each.name) is None and role_of(each.name) is None]
    for name in _NAME.finditer(own) if found is None and _state_of(step.name) is not None else ():
        for factor in factors if _state_of(name[0]) is not None else ():
            made = f"{own[: name.end()]} * {factor}{own[name.end() :]}"
            if (value := _read(made)) is not None and holds(value):
                return statement.with_text(made, side).strip()
    return found


def _with(program: Sequence[_Step], step: _Step, value: f.Expression) -> tuple[_Step, ...]:
    return tuple(replace(each, value=value) if each is step else each for each in program)


# --- reading


def _programs(text: str) -> Iterator[tuple[_Step, ...]]:
    """Assignments close below each other, one of which takes the larger of two maxima."""
    held: list[_Step] = []
    for step in _steps(text):
        if held and text.count("\n", held[-1].span[1], step.span[0]) > _FARTHEST:
            yield from _program(held)
            held = []
        held.append(step)
    yield from _program(held)


def _program(held: Sequence[_Step]) -> Iterator[tuple[_Step, ...]]:
    updates = [step for step in held if _is_update(step)]
    if len(updates) == 1 and _FEWEST <= len(held) <= _MOST_LINES:
        yield tuple(held)


def _is_update(step: _Step) -> bool:
    """Whether it is m_new = max(m, …)."""
    match step.value:
        case f.Call("max", (_, _)):
            return True
    return False


def _steps(text: str) -> Iterator[_Step]:
    for found in _LINE.finditer(text):
        if len(found[0]) > _LONGEST:
            continue
        at = found.start("left")
        for part in _split(text[at : found.end()]):
            step = _step(part, at + text[at : found.end()].index(part))
            if step is not None:
                yield step


def _split(line: str) -> list[str]:
    return [part for part in _SECOND.split(_COMMENT.sub("", line)) if part.strip()]


def _step(text: str, at: int) -> _Step | None:
    found = _LINE.match(text)
    if found is None:
        return None
    right = found["right"]
    own = found["operator"].rstrip("=") if found["operator"][0] in "+-*/" else ""
    name, value = _read(found["left"]), _read(f"{found['left']} {own} ({right})" if own else right)
    if not isinstance(name, f.Name) or value is None or _INITIAL.match(right):
        return None
    return _Step(name_of(name), value, (at + found.start("left"), at + len(text.rstrip())))


def _read(text: str) -> f.Expression | None:
    """The tree of an expression as programs and notes write it."""
    plain = _TOTAL.sub("sum(", _LARGEST.sub("max(", _MODULE.sub("", text)))
    try:
        chains = f.parse(plain.replace("exp2(", "exp("))
    except (FormulaError, ValueError):
        return None
    sides = [side for chain in chains for side in chain.sides]
    return sides[0].expression if len(sides) == 1 and not sides[0].relation else None


# --- carrying out


class _Run(Model):
    """The names of a program, each with its latest value; a name that has none yet is that of the first block's state,
    or of the second block's scores and values."""

    def __init__(self, point: Rows, *, divided: bool, one_key: bool) -> None:
        self.tensors = Tensors(Numbers())
        self.known: dict[str, Tensor] = {}
        self.divided = divided
        second = slice(0, 1) if one_key else slice(0, None)
        self.scores = [point[0], point[1][second]]
        self.values = [_VALUES[0], _VALUES[1][second]]

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        text = name_of(name)
        if text not in self.known:
            self.known[text] = self.free(text)
        return self.known[text]

    def free(self, text: str) -> Tensor:
        t = self.tensors
        role = role_of(text)
        if role == "scores":
            return self._row(self.scores[1])
        if role == "values":
            return t.written(self.values[1])
        if role in ("own maximum", "own sum"):
            return self.state(role.removeprefix("own "), [self.scores[1]], [self.values[1]])
        if role in _STATES:
            return self.state(role, self.scores[:1], self.values[:1])
        raise UnsettledError(text)

    def _row(self, scores: Sequence[Fraction]) -> Tensor:
        return self.tensors.written([scores]) if len(scores) > 1 else self.tensors.number(scores[0])

    def state(self, role: str, scores: Rows, values: Sequence[Rows]) -> Tensor:
        """Maximum, sum or output of some blocks."""
        t = self.tensors
        every = [x for block in scores for x in block]
        top = max(every)
        if role == "maximum":
            return t.number(top)
        powers = t.apply("exp", t.written([[x - top for x in every]]))
        total = _as_number(t.total(powers, 1))
        if role == "sum":
            return total
        rows = t.written([row for block in values for row in block])
        output = t.multiply(powers, rows)
        return t.divide(output, total) if self.divided else output

    def after(self, role: str) -> Tensor:
        """The state of both blocks."""
        return self.state(role, self.scores, self.values)

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        """The largest and the sum of a row, and one row of the values, V[c]."""
        match e:
            case f.Call("max", (inside,)):
                x = evaluate(inside, scope)
                return x if x.is_number else _as_number(self.tensors.largest(x))
            case f.Call("sum" | "rowsum", (inside,)) | f.BigSum("", None, None, inside, None):
                x = evaluate(inside, scope)
                return x if x.is_number else _as_number(self.tensors.total(x, 1))
        return None


def _as_number(x: Tensor) -> Tensor:
    return Tensor((), lambda: x.at(0, 0))


def name_of(name: f.Name) -> str:
    """A name as one word, m_new; without the index of an entry."""
    return "_".join((name.base, *name.sub, *name.sup))


def role_of(text: str) -> str | None:
    """What a name stands for that has no value yet.

    >>> role_of("m_old"), role_of("tile_max"), role_of("acc"), role_of("lr")
    ('maximum', 'own maximum', 'output', None)
    """
    return next((role for role, pattern in _OF_ROLES.items() if pattern.fullmatch(text)), None)


def _is_right(program: Sequence[_Step]) -> bool:
    """Whether maximum, sum and output come to those of both blocks, however the output is divided."""
    return any(
        all(_may_come_right(program, _Run(point, divided=divided, one_key=one_key)) for point in _POINTS)
        for divided in (False, True)
        for one_key in (False, True)
    )


def _may_come_right(program: Sequence[_Step], run: _Run) -> bool:
    try:
        return _comes_right(program, run)
    except (UnsettledError, MisfitError, ZeroDivisionError):
        return False


def _comes_right(program: Sequence[_Step], run: _Run) -> bool:
    """Whether the last value of each state is right; at least two of them are set, and the maximum is one."""
    last: dict[str, tuple[str, Tensor]] = {}
    for step in program:
        text = step.name
        try:
            made = evaluate(step.value, Scope(run))
        except UnsettledError:
            if _state_of(text) is not None:
                raise
            if role_of(text) != "scores":
                continue
            made = run.free(text)  # S = Q Kᵀ
        run.known[text] = made
        if (role := _state_of(text)) is not None:
            last[role] = text, made
    if not {"maximum"} < last.keys():
        return False
    return all(_is_same(made, _wanted(role, program, run)) for role, (_, made) in last.items())


def _state_of(text: str) -> str | None:
    """Of which state a name is that is set: m_new and m of the maximum."""
    role = role_of(_NEW.sub("", text)) or role_of(text)
    return role if role in _STATES else None


def _wanted(role: str, program: Sequence[_Step], run: _Run) -> Tensor:
    """The state of both blocks; of an output that is made of another one in the end, that over the sum."""
    made = run.after(role)
    outputs = [s for s in program if _state_of(s.name) == "output" and not isinstance(s.value, f.Name)]
    if role != "output" or run.divided or not outputs:
        return made
    apart = len({s.name for s in outputs}) > 1 or _divides(outputs[-1].value)
    return run.tensors.divide(made, run.after("sum")) if apart else made


def _divides(value: f.Expression) -> bool:
    """Whether it is acc / l."""
    match value:
        case f.Quotient(f.Name() as above, f.Name() as below):
            return (_state_of(name_of(above)), _state_of(name_of(below))) == ("output", "sum")
    return False


def _is_same(a: Tensor, b: Tensor) -> bool:
    if a.shape != b.shape:
        return False
    return all(a.at(*place).overlaps(b.at(*place)) for place in a.places)


def _leading_to_states(program: Sequence[_Step]) -> list[_Step]:
    """The lines on which a state depends, without those that say what scores are and those that keep a state."""
    needed: set[str] = set()
    found: list[_Step] = []
    for step in reversed(program):
        if _state_of(step.name) is None and step.name not in needed:
            continue
        names = {name_of(part) for part in f.walk(step.value) if isinstance(part, f.Name)}
        needed |= names
        if not isinstance(step.value, f.Name) and (role_of(step.name) != "scores" or step.name in names):
            found.append(step)
    return found
