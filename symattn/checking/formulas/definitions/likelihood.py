"""Losses of a language model: −Σ y log p, −(1/N) Σ log p, and perplexity, the exponential of the mean of these."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from symattn.checking.formulas.statements.binary_terms import (
    OtherFormError,
    are_one,
    find_parts,
    is_label,
    is_prediction,
)
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices, split_name
from symattn.checking.formulas.trials.symbols import Key, NotSettledError, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor, join
from symattn.writing.prose import Sentence

_PERPLEXITY = frozenset(["perplexity", "ppl", "pp", "困惑度", "perplejidad", "perplexité"])
_LOSSES = frozenset(["l", "loss", "j", "ce", "nll", "celoss", "crossentropy", "crossentropyloss", "h", "ℓ", "损失"])
_LOSS = regex(
    r"\bloss|cross[- ]?entropy|\bNLL\b|negative log|minimi[sz]"
    r"|损失|交叉熵|最小化|負の対数|損失|손실|교차 ?엔트로피|pérdida|entropía|perda",
    re.I,
)
_LIKELIHOOD = regex(
    r"(?<!negative )(?<!negative-)log[- ]?likelihood|(?<!log[- ])likelihood|maximi[sz]|objective"
    r"|似然|最大化|尤度|우도|최대|verosimil|vraisemblance",
    re.I,
)
_TURNED = regex(r"\(\s*\\?\w+_\s*\{?\s*(?:<|\\lt\b)[^|()]{0,20}(?:\||\\mid\b)")
_NEAR = 200
LENGTHS = (3, 5)  # of a sum over the tokens, and of one inside it over the vocabulary


def define_likelihood(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `L =` or `PPL =` that sums logarithms of probabilities."""
    word = _word(left)
    without_index = side.expression
    side = replace(side, expression=_of_entries(without_index))
    if side.expression != without_index and not isinstance(left, f.Call) and _is_of_p_and_q(side.expression):
        return  # either may be what is predicted
    sums = _sums(side.expression)
    if any(map(_is_of_no_label, sums)):
        return
    if word in _PERPLEXITY and not sums:
        yield from _of_loss(side.expression, context)
    if word not in _PERPLEXITY | _LOSSES or not sums:
        return
    if _TURNED.search(statement.passage.text, side.start, side.end):
        return  # p(x_{<t} | x_t): of the past by what follows
    total = sums[0]
    if _is_divergence(total) or _is_of_labels(total) or _is_of_other_terms(total):
        return
    if word != "h" and word not in _PERPLEXITY and _is_entropy(total):
        return  # −Σ p log p of predictions is no loss against labels
    bound = {big.index: 1 for big in sums if big.index}
    drawn = {key: len(parts) for key, parts in (split_name(n, bound) for n in _letters_of(total))}
    if not drawn or any(not 0 < count < 3 for count in drawn.values()) or len(sums) > 2:
        return
    inside = {(n.start, n.end) for n in names(total)}
    if isinstance(left, f.Call) and word == "h" and not _is_of_second(left, total):
        return  # H(q, p), or no entropy of these
    counts = [n for n in names(side.expression) if (n.start, n.end) not in inside]
    if len({n.base for n in counts} - {"e"}) > 1:
        return

    prepare = _prepare(drawn, sums, counts)

    def surprise(evaluator: Evaluator, *, mean: bool) -> Tensor:
        """The sum of −log p, or its mean over the tokens."""
        found = evaluator.value(total)
        negated = isinstance(total.body, f.Sum) and set(total.body.signs) == {-1}
        found = found if negated else -found
        return found / Tensor.number(LENGTHS[0]) if mean else found

    if word in _PERPLEXITY:
        yield from _of_perplexity(side.expression, total, statement, surprise, prepare)
        return
    words = statement.before[-_NEAR:] + statement.after[:_NEAR]
    loss, likelihood = _is_loss(word, words), _LIKELIHOOD.search(words) is not None
    entropy = word == "h"
    if entropy:  # which is no likelihood
        loss, likelihood = isinstance(left, f.Call) or says_entropy(words), False
    weighted = isinstance(_innermost(total), f.Product | f.Sum)
    for mean in (False, True) if weighted or not entropy else (True,):  # −Σ log p is no entropy

        def value(evaluator: Evaluator, at: Indices, mean: bool = mean) -> Tensor:
            return surprise(evaluator, mean=mean)

        theorem = Sentence("formula.entropy" if entropy else "formula.cross_entropy")
        question = Question(value, prepare, place=lambda scope, printed: _of_entries(printed))
        repairs = loss and not likelihood and not _has_two_logarithms(total)  # that of two classes may be said negated
        yield Variant(question, theorem, repairs=repairs, only=("sign",))
    for mean in (False, True):

        def likely(evaluator: Evaluator, at: Indices, mean: bool = mean) -> Tensor:
            return -surprise(evaluator, mean=mean)

        if not entropy and (likelihood or not (loss or _is_given_negated(left, statement, context))):
            condition = None if likelihood else Sentence("formula.if_likelihood")
            question = Question(likely, prepare, place=lambda scope, printed: _of_entries(printed))
            yield Variant(question, Sentence("formula.log_likelihood"), condition, repairs=False)


def _of_entries(e: f.Expression) -> f.Expression:
    return _with_probabilities(rewrite(e, _with_index))


def _with_index(part: f.Expression) -> f.Expression:
    """Σ y log p and sum(y log p) as Σ_i y_i log p_i: a sum without an index runs over the entries of its letters."""
    match part:
        case f.BigSum("", None, None, body, None) | f.Call("sum", (body,), ()):
            if any(len(mark) == 1 for name in names(body) for mark in (*name.sub, *name.sup, *name.item)):
                return part
            where = {"start": part.start, "end": part.end}
            return f.BigSum("i", None, None, rewrite(body, _entry), None, **where)
    return part


def _entry(part: f.Expression) -> f.Expression:
    return replace(part, sub=(*part.sub, "i")) if isinstance(part, f.Name) else part


def _with_probabilities(e: f.Expression) -> f.Expression:
    """The formula with p_i for softmax(x_i) and softmax(x)_i, if p stands for nothing else in it."""
    if any(n.base == "p" for n in names(e)):
        return e

    def named(part: f.Expression) -> f.Expression:
        match part:
            case f.Entry(f.Call("softmax", (f.Name(base, ()),)), (index,)) | f.Call(
                "softmax", (f.Name(base, (index,), ()),)
            ) if base != "y":  # a label
                return f.Name("p", (index,), start=part.start, end=part.end)
        return part

    return rewrite(e, named)


def _is_of_no_label(total: f.BigSum) -> bool:
    """Whether what stands before log p_i is x_i, a logit, or a power, or the logarithm is that of 1 − p_i alone."""
    match _innermost(total):
        case f.Product((weight, f.Call("log", (inside,)))):
            odd = isinstance(inside, f.Sum) and len(inside.terms) == 2 and isinstance(inside.terms[0], f.Number)
            return odd or isinstance(weight, f.Power) or (isinstance(weight, f.Name) and weight.base in ("x", "z"))
    return False


def _is_of_labels(total: f.BigSum) -> bool:
    """Whether the logarithm is that of y where ŷ or p stands in front of it: the label's place, or an entropy of ŷ."""
    match _innermost(total):
        case f.Product(factors):
            logs = [p for p in factors if isinstance(p, f.Call) and p.function == "log"]
            inside = [n for log in logs for n in names(log)]
            front = [n for part in factors if part not in logs for n in names(part)]
            return bool(inside) and all(map(is_label, inside)) and any(map(is_prediction, front))
    return False


def _is_of_other_terms(total: f.BigSum) -> bool:
    """Whether two logarithms are summed that are not those of y log p + (1 − y) log(1 − p)."""
    if not _has_two_logarithms(total):
        return False
    try:
        parts = list(find_parts(_innermost(total), added=True))
    except OtherFormError:
        return False
    return len(parts) == 2 and not (are_one(parts) and parts[0].added is parts[1].added)


def _has_two_logarithms(total: f.BigSum) -> bool:
    return sum(isinstance(part, f.Call) and part.function == "log" for part in f.walk(_innermost(total))) > 1


def _is_of_p_and_q(e: f.Expression) -> bool:
    return {name.base for total in _sums(e) for name in _letters_of(total)} == {"p", "q"}


def _is_given_negated(left: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether another line gives what stands on the left with a minus: without it the same is no likelihood."""
    others = [s.equals for s in context.statements if s.number != statement.number]
    given = [sides[1:] for sides in others if sides and sides[0] == left]
    return any(_is_negative(part) for sides in given for side in sides for part in f.walk(side))


def _is_entropy(total: f.BigSum) -> bool:
    """Whether the logarithm is that of what stands in front of it, p log p."""
    match _innermost(total):
        case f.Product((weight, f.Call("log", (inside,)))):
            return weight == inside
    return False


def says_entropy(words: str) -> bool:
    """Whether words name an entropy, and not a negative one."""
    return _ENTROPY.search(words) is not None and _NEGATIVE.search(words) is None


_ENTROPY = regex(r"entrop|энтроп|熵|エントロピー|엔트로피", re.I)
_NEGATIVE = regex(
    r"(?:negative|minus)(?: of)?(?: the| die| der)? entrop|negentrop|负熵|相反数|負のエントロピー|Boltzmann|minimi[sz]",
    re.I,
)


def _is_divergence(total: f.BigSum) -> bool:
    """Whether it is Σ y (log y − x), where x is a logarithm itself: what is summed is no −log p."""
    match total.body:
        case f.Product((*weights, f.Sum(terms))):
            logs = [term for term in terms if isinstance(term, f.Call) and term.function == "log"]
            return len(logs) < len(terms) and any(log.arguments[0] in weights for log in logs)
    return False


def _of_perplexity(
    e: f.Expression,
    total: f.BigSum,
    statement: Statement,
    surprise: Callable[..., Tensor],
    prepare: Callable[[Scope], None],
) -> Iterator[Variant]:
    """`PPL =` the exponential of the mean of −log p, or a power of the logarithm's base."""
    power = next((p.base for p in f.walk(e) if isinstance(p, f.Power) and total in f.walk(p)), None)
    labels = {p.label for p in f.walk(total) if isinstance(p, f.Call) and p.function == "log"}
    base = power.value if isinstance(power, f.Number) else None
    if labels != {()}:
        base = next((Fraction(label[0]) for label in labels if label and label[0].isdigit()), None)
    elif base is not None and "ln" in statement.text:
        return  # the logarithm's base is not that of the power

    def perplexity(evaluator: Evaluator, at: Indices) -> Tensor:
        mean = surprise(evaluator, mean=True)
        return (mean if base is None else mean * Tensor.number(base).apply("log")).apply("exp")

    yield Variant(Question(perplexity, prepare), Sentence("formula.perplexity"), only=("sign", "root"))


def _is_of_second(left: f.Call, total: f.BigSum) -> bool:
    """Whether in H(p, q) the logarithm is that of q."""
    logs = [p.arguments[0] for p in f.walk(total) if isinstance(p, f.Call) and p.function == "log"]
    last = left.arguments[-1]
    return not isinstance(last, f.Name) or all(n.base == last.base for log in logs for n in names(log))


def _of_loss(e: f.Expression, context: Context) -> Iterator[Variant]:
    """`PPL = exp(L)`, or 2 to the entropy in bits; a line that gives L by another logarithm leaves it open.

    Of an L that a line gives without its minus, the mean of log p, it is exp(−L).
    """
    used = list(names(e))
    power = isinstance(e, f.Power) and isinstance(e.base, f.Number) and e.base.value == 2
    if (
        len(used) != 1
        or _word(used[0]) not in _LOSSES
        or not (power or (isinstance(e, f.Call) and e.function == "exp"))
    ):
        return
    key = used[0].symbol
    if _has_another_base(used[0], power, context):
        return
    likely = _is_given_as_likelihood(used[0], context)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        loss = -evaluator.scope.given[key] if likely else evaluator.scope.given[key]
        return (loss * Tensor.number(2).apply("log") if power else loss).apply("exp")

    def prepare(scope: Scope) -> None:
        scope.number(key)

    yield Variant(Question(value, prepare), Sentence("formula.perplexity"), only=("sign",))


def _is_given_as_likelihood(loss: f.Name, context: Context) -> bool:
    """Whether the one line that gives a loss sums logarithms of probabilities, has no minus, and divides by none."""
    given = [s.equals[1:] for s in context.statements if len(s.equals) > 1 and s.equals[0] == loss]
    parts = [part for sides in given[:1] for side in sides for part in f.walk(side)]
    sums = [part for part in parts if isinstance(part, f.BigSum)]
    logs = [part for total in sums for part in f.walk(total) if isinstance(part, f.Call) and part.function == "log"]
    inside = [part for log in logs for argument in log.arguments for part in f.walk(argument)]
    turned = any(isinstance(part, f.Quotient | f.Power) for part in inside) or any(map(_is_negative, parts))
    return len(given) == 1 and bool(logs) and not turned


def _is_negative(part: f.Expression) -> bool:
    match part:
        case f.Sum(signs=signs):
            return -1 in signs
        case f.Number(value=value):
            return value < 0
    return False


def _has_another_base(loss: f.Name, power: bool, context: Context) -> bool:
    """Whether a line gives a loss by ln where it is the exponent of 2, or by log₂ where it is that of e."""
    given = [s for s in context.statements if len(s.equals) > 1 and s.equals[0] == loss]
    logs = [p for s in given for side in s.equals[1:] for p in f.walk(side) if isinstance(p, f.Call)]
    if power:
        return any(re.search(r"(?<![A-Za-z])ln(?![A-Za-z])", s.text) for s in given)
    return any(p.function == "log2" or (p.function == "log" and p.label == ("2",)) for p in logs)


def _prepare(drawn: Mapping[Key, int], sums: Sequence[f.BigSum], counts: Sequence[f.Name]) -> Callable[[Scope], None]:
    """Draw the probabilities, each with its number of indices; set how far sums run and what they are divided by."""

    def prepare(scope: Scope) -> None:
        for key, count in drawn.items():
            cells = [[_probability(scope, key, i, j) for j in range(LENGTHS[1])] for i in range(LENGTHS[0])]
            rows = [join(row, 1) for row in cells]
            scope.given[key] = join(rows, 0) if count == 2 else join([row.at(0, 0) for row in rows], 1)
        for big, length in zip(sums, LENGTHS, strict=False):
            if isinstance(big.upper, f.Name):
                scope.sizes[spell(big.upper.symbol)] = length
        for n in counts:
            if n.base != "e":
                scope.sizes[spell(n.symbol)] = LENGTHS[0]

    return prepare


def names_loss(left: f.Expression) -> bool:
    """Whether the name of a loss or an entropy stands on the left."""
    return _word(left) in _LOSSES


def says_likelihood(words: str) -> bool:
    """Whether words name a likelihood or what is made large."""
    return _LIKELIHOOD.search(words) is not None


def _is_loss(word: str, words: str) -> bool:
    return word not in ("l", "j", "ℓ", "h") or _LOSS.search(words) is not None


def _word(left: f.Expression) -> str:
    """The name on the left, with no marks: `L_{CE}` is ce, `\\text{CE}(y, ŷ)` too."""
    if isinstance(left, f.Call):
        return re.sub(r"[^\w]|_", "", left.function.lower())
    if isinstance(left, f.Product) and isinstance(left.factors[0], f.Name) and left.factors[1:] == (f.Name("θ"),):
        left = left.factors[0]  # ℓ(θ)
    if not isinstance(left, f.Name):
        return ""
    label = "".join(left.sub).lower()
    return label if label in _LOSSES else re.sub(r"[^\w]|_", "", left.base.lower())


def _sums(e: f.Expression) -> list[f.BigSum]:
    """The sums around a logarithm, the outer one first; none where there is a logarithm outside of them."""
    sums = [p for p in f.walk(e) if isinstance(p, f.BigSum)]
    logs = [p for p in f.walk(e) if isinstance(p, f.Call) and p.function == "log"]
    if not sums or not logs or any(p not in f.walk(sums[-1]) for p in logs):
        return []
    nested = all(inner in f.walk(outer) for outer, inner in pairwise(sums))
    plain = all(len(p.arguments) == 1 and _is_probability(p.arguments[0]) for p in logs)
    return sums if nested and plain else []


def _is_probability(e: f.Expression) -> bool:
    """p_i, or 1 − p_i."""
    if isinstance(e, f.Sum) and len(e.terms) == 2 and e.signs == (1, -1):
        return isinstance(e.terms[0], f.Number) and e.terms[0].value == 1 and isinstance(e.terms[1], f.Name)
    return isinstance(e, f.Name)


def _letters_of(total: f.BigSum) -> Iterator[f.Name]:
    """The names that are summed, without those of the bounds."""
    return names(_innermost(total))


def _innermost(e: f.BigSum) -> f.Expression:
    inner = next((p for p in f.walk(e.body) if isinstance(p, f.BigSum)), None)
    return e.body if inner is None else _innermost(inner)


def _probability(scope: Scope, key: Key, i: int, j: int) -> Tensor:
    """A fraction between 0 and 1."""
    drawn = scope.number((f"{spell(key)} {i} {j}", (), ()))
    scope.drawn.pop(f"{spell(key)} {i} {j}", None)
    if not drawn.finite:
        raise NotSettledError(key[0])
    return drawn / (drawn + Tensor.number(1))
