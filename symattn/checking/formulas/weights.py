"""What softmax leaves alone, and what temperature does: entries that sum to 1, shifts, sharp and flat weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.checking.findings import Formula, FormulaVerdict
from symattn.checking.formulas.definitions.weights import BY_COLUMNS, averages_over, find_normalised
from symattn.checking.formulas.identities.judge import find_bodies
from symattn.checking.formulas.shapes.inference import indices_of
from symattn.checking.formulas.shifts import judge_shift
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.orientation import count_orientations, pairs_in
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.checking.formulas.words.weight_sums import NEAR, WEIGHTS
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

LONGEST = 160  # characters of a clause

_ONE = next(iter(f.parse("1"))).sides[0].expression
_ONES = f.Name("𝟏")
_BOTH_WAYS = regex(r"doubly[- ]stochastic|Sinkhorn|双随机|雙隨機", re.IGNORECASE)  # whose columns sum to 1 too


def judge_weights(statement: Statement, context: Context) -> Formula | None:
    """What is said of weights that sum to 1, and of softmax of shifted or scaled scores."""
    sides = statement.equals
    if len(sides) == 3 and isinstance(sides[0], f.Name):
        sides = sides[1:]  # a_i = softmax(x) = softmax(x + c), where a_i is a name
    if len(sides) != 2:
        return None
    sides = _upright(sides)
    if sides[1] == _ONE and isinstance(sides[0], f.BigSum):
        return _judge_sum(sides[0], statement, context)
    if sides[1] in (_ONE, _ONES):
        return _judge_ones(sides[0], statement, context)
    if all(isinstance(side, f.Call) and side.function == "softmax" and len(side.arguments) == 1 for side in sides):
        return judge_shift(*_in_same_letters(sides[0], sides[1], context), statement)
    return None


def _upright(sides: tuple[f.Expression, ...]) -> tuple[f.Expression, ...]:
    """Aᵀ 𝟏 = 𝟏 for 𝟏ᵀ A = 𝟏ᵀ; other sides as they are."""
    match sides:
        case (f.Product((f.Transpose(f.Name("𝟏")), matrix), ("",)), f.Transpose(f.Name("𝟏") as ones)):
            turned = matrix.operand if isinstance(matrix, f.Transpose) else f.Transpose(matrix)
            return f.Product((turned, ones), ("",)), ones
    return sides


def _in_same_letters(left: f.Expression, right: f.Expression, context: Context) -> tuple[f.Expression, f.Expression]:
    """Both sides with what a line says a letter to be that only one of them has, T = 1/α beside α."""
    made = context.once(find_bodies)
    own = [{part for part in f.walk(side) if isinstance(part, f.Name)} for side in (left, right)]

    def put_in(part: f.Expression) -> f.Expression:
        bodies = made.get(part.symbol, ()) if isinstance(part, f.Name) and part in own[0] ^ own[1] else ()
        return bodies[0] if len(bodies) == 1 else part

    return rewrite(left, put_in), rewrite(right, put_in)


def _judge_ones(left: f.Expression, statement: Statement, context: Context) -> Formula | None:
    """A 𝟏 = 𝟏 of weights, whose rows sum to 1; Aᵀ 𝟏 = 𝟏 says that of their columns."""
    match left:
        case f.Product((f.Name(sub=()) | f.Transpose(f.Name(sub=())) as matrix, ones)) if ones == _ONES:
            rows = isinstance(matrix, f.Name)
            name = matrix if isinstance(matrix, f.Name) else matrix.operand
            if isinstance(name, f.Name) and _is_whole_softmax(name, context):
                return _conclude(rows, name, statement, context)
    return None


def _judge_sum(total: f.BigSum, statement: Statement, context: Context) -> Formula | None:
    """Σ_j a_ij = 1 of weights; over the other index it is false where softmax is defined over j."""
    if _is_softmax_of(total.body, total.index):
        return conclude(statement, "holds", Sentence("formula_rows_sum"))
    name = total.body
    if not isinstance(name, f.Name) or not total.index or total.index not in indices_of(name):
        return None
    over = find_normalised(name, context)
    if over is None and len(indices_of(name)) == 2 and _is_whole_softmax(name, context):
        return _conclude(indices_of(name)[1] == total.index, name, statement, context)
    if over is None:
        text = context.around(statement, NEAR)
        if WEIGHTS.search(text) and name.base in "aAαpPwW" and indices_of(name)[-1] == total.index:
            return conclude(statement, "holds", Sentence("formula_rows_sum"))
        return None
    place = indices_of(name).index(total.index)
    return conclude(statement, "holds" if place == over else "fails", Sentence("formula_rows_sum"))


def _conclude(over_rows: bool, name: f.Name, statement: Statement, context: Context) -> Formula | None:
    """That rows of a softmax(S) sum to 1, where nothing says columns; and that these do not, where rows are said."""
    by_rows, by_columns = context.once(_count_orientations)
    by_rows = by_rows or averages_over(1, context, name.base) or _multiplies(context, name, first=True)
    by_columns = by_columns or averages_over(0, context, name.base) or _multiplies(context, name, first=False)
    if by_columns or context.mentions(_DOWN):
        return None
    said, columns = by_rows or context.mentions(_ROWS), context.mentions(_COLUMNS)
    if over_rows:
        return None if columns and not said else conclude(statement, "holds", Sentence("formula_rows_sum"))
    wished = columns or _WISHED.search(re.split(r"[.!?。；;]\s", statement.before)[-1]) is not None
    return conclude(statement, "fails", Sentence("formula_rows_sum")) if said and not wished else None


_ROWS = regex(r"\brow(?:s\b|-?wise|\b)|zeilen|(?:par|chaque) ligne|每一?行|按行|逐行", re.IGNORECASE)
_COLUMNS = regex(r"\bcolumns?\b|spalten|colonne|列", re.IGNORECASE)
_DOWN = regex(
    r"(?:each|every|down the|per) columns?\b|first axis|(?:axis|dim)\W{0,3}0\b|over (?:the )?(?:experts|slots)"
    r"|\bslots\b|spaltenweise|jede spalte|每一?列|按列|逐列",
    re.IGNORECASE,
)
_WISHED = regex(
    r"\b(?:so that|such|ask(?:s|ed)?|would|could|wish|want|should|loss|encourage\w*|constrain\w*|balanc\w*|requir\w*"
    r"|also|too|when|where)\b|要求|希望|使得|当",
    re.IGNORECASE,
)


def _count_orientations(_: Article, statements: Sequence[Statement]) -> tuple[bool, bool]:
    """Whether products are of tokens in rows, and of such in columns."""
    rows, columns = count_orientations(statements)
    return rows > 0, columns > 0


def _multiplies(context: Context, name: f.Name, *, first: bool) -> bool:
    """Whether weights stand in front of values somewhere, A V, or (not `first`) behind them, V A."""
    whole = replace(name, sub=(), item=(), text="")
    pairs = (pair for each in context.statements for side in each.equals for pair in pairs_in(side))
    found = (other for a, b in pairs for own, other in (((a, b),) if first else ((b, a),)) if own == whole)
    return any(isinstance(other, f.Name) and other != _ONES for other in found)


def _is_whole_softmax(entry: f.Name, context: Context) -> bool:
    """Whether the matrix of an entry A[i, j] is said to be softmax(S), of rows, as nothing else is said."""
    if context.mentions(BY_COLUMNS) or context.mentions(_BOTH_WAYS):
        return False
    whole = replace(entry, sub=(), item=(), text="")
    made = [s.equals[1] for s in context.statements if len(s.equals) > 1 and s.left == whole]
    return bool(made) and all(
        isinstance(e, f.Call) and e.function == "softmax" and not (e.label or e.options) for e in made
    )


def _is_softmax_of(body: f.Expression, index: str) -> bool:
    """Whether this is softmax(x)_i or softmax(x_i), whose entries i are added up."""
    entry = isinstance(body, f.Entry) and body.indices == (index,)
    e = body.operand if isinstance(body, f.Entry) and entry else body
    if not index or not isinstance(e, f.Call) or e.function != "softmax" or len(e.arguments) != 1 or e.label:
        return False
    inside = e.arguments[0]
    return isinstance(inside, f.Name) and (not indices_of(inside) if entry else indices_of(inside) == (index,))


# --- in words

_SYMBOL = r"(?:\\tau\b|τ|\btemperature\b|温度|\bT\b)"
_TEMPERATURE = regex(_SYMBOL)
_TO = r"(?:→|\\to)\s*"
_LOW = regex(
    rf"\blower(?:ing|s|ed)?\b|\blow\b|\bsmall(?:er)?\b|\bdecreas\w+|\breduc\w+|{_TO}0\b|{_SYMBOL}\s*<|>\s*{_SYMBOL}"
    r"|越小|越低|较小|较低|降低|减小|趋于 ?0",
    re.IGNORECASE,
)
_HIGH = regex(
    rf"\bhigh(?:er)?\b|\blarger?\b|\bincreas\w+|\brais(?:e|es|ing)\b|{_TO}(?:∞|\\infty)|{_SYMBOL}\s*>|<\s*{_SYMBOL}"
    r"|越大|越高|较大|较高|升高|增大|趋于 ?∞",
    re.IGNORECASE,
)
_SHARP = regex(r"\bsharp\w*|\bpeak\w*|\bconcentrated\b|\bone-hot\b|尖锐|集中|陡峭|独热", re.IGNORECASE)
_FLAT = regex(r"\bsmooth\w*|\bflat\w*|\buniform\w*|平滑|平坦|均匀|平缓", re.IGNORECASE)
_NO = regex(
    r"\bless\b|\bnot\b|\bno\b|\bnever\b|n't\b|\binverse\b|β|\\beta|不|未|避免|防止|prevent|avoid|逆|learning rate",
    re.IGNORECASE,
)
_CLAUSE = regex(r"[^.;。；\n]+")


def judge_weights_in_words(context: Context) -> Iterator[Formula]:
    """Sentences that say what a temperature does."""
    if not context.mentions(_TEMPERATURE) or not _divides(context):
        return
    for found in _CLAUSE.finditer(context.article.words):
        verdict = _of_temperature(found[0]) if len(found[0]) <= LONGEST else None
        if verdict is not None:
            start = found.end() - len(found[0].lstrip(" \t-*>#").lstrip())
            said = conclude_in_words(context, (start, found.end()), verdict, Sentence("formula_temperature"))
            yield replace(said, text=said.text.rstrip())


def _of_temperature(clause: str) -> FormulaVerdict | None:
    """What a clause says of one direction of temperature and one effect: low is sharp, high is flat."""
    if not _TEMPERATURE.search(clause) or _NO.search(clause):
        return None
    low, high = _LOW.search(clause) is not None, _HIGH.search(clause) is not None
    sharp, flat = _SHARP.search(clause) is not None, _FLAT.search(clause) is not None
    if low == high or sharp == flat:
        return None
    return "holds" if low == sharp else "fails"


def _divides(context: Context) -> bool:
    """Whether the article divides by a temperature inside softmax."""
    for statement in context.statements:
        for side in statement.sides:
            for part in f.walk(side.expression):
                if isinstance(part, f.Call) and part.function in ("softmax", "exp"):
                    below = [q.denominator for q in f.walk(part) if isinstance(q, f.Quotient)]
                    if any(isinstance(each, f.Name) and each.base in ("τ", "T", "temperature") for each in below):
                        return True
    return False
