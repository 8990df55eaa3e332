"""Steps that an article names but writes no formula for: "Scaled Scores = [...]" after the scores.

Attention has a fixed order: scores, scaled, masked, weights, output. A printed matrix whose name says which of them it
is, and whose numbers are close to what that step gives, is held against it; any other is taken as given. Two steps ask
for other evidence. The heads' output right after Concat and W_O need only be alike: what else these two are printed
for, nobody says. A residual connection has to be the sum of the last print and an earlier one to the last digit.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.expected.conventions import define_by_conventions
from symattn.checking.expected.evidence import (
    PLAIN,
    Evidence,
    agree,
    agree_all,
    are_alike,
    borne_out,
    evident,
    in_order,
    is_close,
    most_right,
    mostly_right,
    shows_rows,
    telling_places,
    worths,
)
from symattn.checking.expected.implied_vectors import Alike, imply_vector
from symattn.checking.expected.score_calls import find_dot_product
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.picking import pick
from symattn.checking.verdicts import (
    Definition,
    Printed,
    agreeing,
    is_all_right,
    relation_at,
    right_places,
    table_of_prints,
    try_define,
)
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import same_values

_WORDS_OF_STEPS = (
    ("residual", "residual 残差"),
    ("masked", "mask"),
    ("scaled", "scale scaling divid"),
    ("scores", "score"),
    ("weights", "weight softmax probabilit probs 概率 機率"),
    ("concat", "concat"),
    ("projection", "multi-head multihead"),
    ("output", "context head output"),
    ("weights", "attn"),
    ("masked", "掩"),
    ("scaled", "缩放 除以"),
    ("scores", "分数 得分"),
    ("weights", "权重"),
    ("scores", "スコア 점수"),
    ("scaled", "skalier escal échelle スケーリング 스케일"),
    ("masked", "마스크"),
    ("scores", "puntuaci pontua"),
    ("weights", "重み 가중치 gewicht poids peso"),
    ("concat", "拼接"),
    ("projection", "多头"),
    ("output", "上下文 输出"),
)
# a word of a name -> the step that it names; the first that fits counts
WORDS = tuple((word, step) for step, words in _WORDS_OF_STEPS for word in words.split())
AFTERWARDS = regex(r"layer.?norm|& ?norm|normali[sz]ed (?:output|head|multi)|dropout|层归一化")  # no step of these
LETTERS = {"A": "weights", "α": "weights"}
ROOT = f.Root(f.Name("d", sub=("k",)))
_QK = f.Product((f.Name("Q"), f.Transpose(f.Name("K"))), ("",))
_TOKENS = (f.Name("X"), f.Name("E"), f.Name("x"))  # what Q, K and V are projected from
_W_O = (f.Name("W", sub=("O",)), f.Name("W", sup=("O",)))
_B_O = (f.Name("b", sub=("O",)), f.Name("b", sup=("O",)))
ORDER = ("scores", "scaled", "masked", "weights", "output")
_INPUT = regex(
    r"[XxEeWwbBdnNhHLTmMpiQKVqkv]|W[A-Z0-9_]\w{0,8}|[wb]_?[qkvo1-9]|[dn]_\w+|(?:num|seq|batch|vocab|max|min|hidden|embed)_\w+"
    r"|[Hh]eads?|[Ll]ayers?|[Pp]osition|pos|dim\w*|base|eps|epsilon|lr|[εηβγτ]|[Tt]emperature|[Mm]ask|[Bb]ias|[Ee]mbeddings?"
    r"|[Ii]nputs?|[Bb]atch|[Ss]hape"
)
_MEASURED = regex(r"[HL]\([^\W\d]")  # H(p), an entropy
MOST_EARLIER = 32  # what is stated before that may have been added


class Roles:
    """Which of the expressions stated is the latest scores, scaled scores, masked scores, weights."""

    def __init__(self) -> None:
        self.latest: dict[str, f.Expression] = {}
        self.before: tuple[f.Expression, ...] = ()  # the two names stated last
        self.alike = Alike()
        self._of: dict[f.Expression, str] = {}

    def is_past(self, role: str, environment: Environment) -> bool:
        """Whether a step after this one has been printed since the scores."""
        later = ORDER[ORDER.index(role) + 1 :] if role in ORDER[1:] else ()
        known = (environment.stated.get(self.latest[other]) for other in later if other in self.latest)
        return any(stated is not None and (stated.prints or not stated.formulas) for stated in known)

    def is_known(self, role: str, environment: Environment) -> bool:
        """Whether a step was printed or given, and is no formula that waits for its numbers."""
        stated = environment.stated.get(self.latest[role]) if role in self.latest else None
        return role in self.latest and (stated is None or stated.given or bool(stated.prints))

    def is_judged(self, role: str, environment: Environment) -> bool:
        """Whether the latest print of a step was held against its formula; of a given one only the digits are known."""
        stated = environment.stated.get(self.latest[role]) if role in self.latest else None
        return stated is not None and bool(stated.prints)

    def logits(self) -> Iterator[f.Expression]:
        """What softmax may have been taken of, the latest step first."""
        for before in ("masked", "scaled"):
            if before in self.latest:
                yield self.latest[before]
        if "scores" in self.latest and not self.latest.keys() & {"masked", "scaled"}:
            yield f.Quotient(self.latest["scores"], ROOT)

    def note(self, key: f.Expression, formulas: list[f.Expression]) -> None:
        """Remember the role of something stated, by its name or by its formula."""
        role = role_of_name(key) or next((r for e in (key, *formulas) if (r := self.role(e)) is not None), None)
        if isinstance(key, f.Name) and key not in self.before[-1:]:
            self.before = (*self.before[-1:], key)
        if role is not None:
            self._of[key] = role
            self.latest[role] = key
            if role == "scores":  # a new head begins
                for later in ORDER[1:]:
                    self.latest.pop(later, None)

    def role(self, expression: f.Expression) -> str | None:
        """The role of a formula, by its shape."""
        if expression in self._of:
            return self._of[expression]
        if isinstance(expression, f.Call):
            return {"softmax": "weights", "concat": "concat"}.get(expression.function)
        if isinstance(expression, f.Sum):
            roles = {self.role(t) for t in expression.terms}
            return "masked" if roles & {"scaled", "scores"} and len(expression.terms) == 2 else None
        if isinstance(expression, f.Quotient):
            return "scaled" if self.role(expression.numerator) == "scores" else None
        if isinstance(expression, f.Product):
            first, last = expression.factors[0], expression.factors[-1]
            if self.role(first) == "weights":
                return "output"
            if isinstance(last, f.Transpose):
                return "scores"
            return "scaled" if self.role(last) == "scores" and len(expression.factors) == 2 else None
        return None


class RowByRow:
    """softmax of one row of the logits, and then of the next ones, of which only the results are printed."""

    def __init__(self) -> None:
        self._logits: f.Expression | None = None
        self._row = 0

    def note(self, chain: f.Chain, roles: Roles, environment: Environment) -> None:
        """Notice which row a softmax was taken of. Another chain, but for a bare list, ends the series."""
        if len(chain.sides) == 1 and f.is_printed(chain.sides[0].expression):
            return
        self._logits = None
        for side in chain.sides:
            if isinstance(side.expression, f.Call) and side.expression.function == "softmax":
                row = table_of_prints(side.expression.arguments[0])
                if row is not None:
                    self._look_for(row, roles, environment)

    def _look_for(self, row: Printed, roles: Roles, environment: Environment) -> None:
        for logits in roles.logits():
            stated = environment.stated.get(logits)
            for value in (stated.true, *(p.printed for p in stated.prints)) if stated is not None else ():
                for i in range(value.shape[0]):
                    picked = pick(value, (i + 1, ":"))
                    if picked is not None and agreeing(row, picked) == len(row.places()):
                        self._logits, self._row = logits, i + 1
                        return

    def next(self, printed: Printed, environment: Environment) -> Definition | None:
        """The formula of the next row, if the numbers bear it out."""
        if self._logits is None:
            return None
        self._row += 1
        row = f.Entry(self._logits, (str(self._row), ":"))
        definition = try_define(f.Call("softmax", (row,)), environment)
        if definition is not None and any(is_close(value, printed) for value in worths(definition, environment)):
            return definition
        self._logits = None
        return None


def role_of_name(key: f.Expression) -> str | None:
    """The step that a name says it is.

    >>> role_of_name(f.Name("Masked Scores")), role_of_name(f.Name("W", sup=("Q",)))
    ('masked', None)
    """
    if isinstance(key, f.Call) and key.function == "multihead":
        return "projection"
    if not isinstance(key, f.Name):
        return None
    words = " ".join((key.base, *key.sub)).lower()
    if AFTERWARDS.search(words):
        return None
    if len(words) > 1 and (role := next((role for word, role in WORDS if word in words), None)) is not None:
        return role
    return LETTERS.get(key.base) if not any(i.isdigit() for i in key.sub) else None


def is_probability(name: f.Expression) -> bool:
    """Whether a name is what the shares of softmax are called that are no weights: p, probs."""
    return isinstance(name, f.Name) and name.base.lower() in ("p", "prob", "probs", "probabilities", "p̂", "ŷ")


def role_of_words(label: str) -> str | None:
    """The step that words name, the one that they name first."""
    return next((role for word, role in WORDS if word in label), None)


def is_input(key: f.Expression) -> bool:
    """Whether a name is one of those that calculations of attention begin with: embeddings, weights, sizes, positions.

    >>> is_input(f.Name("W", sub=("Q",))), is_input(f.Name("Scores")), is_input(f.Name("seq_len"))
    (True, False, True)
    """
    if not isinstance(key, f.Name) or key.item or is_standardised(key) or _MEASURED.match(key.text):
        return False
    return _INPUT.fullmatch(key.base) is not None


def imply_definition(name: f.Expression, printed: Printed, roles: Roles, environment: Environment) -> Definition | None:
    """The formula of the step that a name says it is, if the numbers bear it out; a name used before asks for more.

    Where a later step was printed since, another head may have begun, and nothing is looked for; nor where a line that
    was not read says what it is: rounded numbers agree with a formula that it is not, and what follows from them tells.
    """
    return None if environment.is_set_unread(name) else _imply_definition(name, printed, roles, environment)


def _imply_definition(
    name: f.Expression, printed: Printed, roles: Roles, environment: Environment
) -> Definition | None:
    if isinstance(name, f.Call) and (dot := find_dot_product(name, printed, environment)) is not None:
        return dot
    role = "masked" if _is_masked(printed) else role_of_name(name)
    first = name not in environment.stated
    if first and role is None:
        vector = None
        if isinstance(name, f.Name):
            vector = imply_vector(name, printed, environment) or roles.alike.copied(name, printed, environment)
        projected = vector or _imply_projection(name, printed, environment)
        return projected or _imply_standardised(name, printed, environment)
    if role is None or (role in ORDER[1:] and role in roles.latest and not first):
        return None
    past = roles.is_past(role, environment)
    if past and role != "masked":
        return None
    formulas = formulas_of(role, printed, roles, environment)
    if role == "masked":
        formulas = itertools.chain(formulas, _masked_of(name, printed, environment))
    if role == "scaled" and isinstance(name, f.Name) and (bare := _bare(name, "scaled")) in environment.stated:
        formulas = itertools.chain(formulas, [(f.Quotient(bare, ROOT), _fits_without_gaps)])
    for definition, bears_out in best_first(formulas, printed, environment):
        bears_out = agree_all if past else bears_out  # a mask may be put on once all is done without
        if bears_out(definition, printed, environment) and (first or evident(definition, printed, environment)):
            return definition
        whole = printed.shape[0] == 1 or (role in ORDER and _has_no_gaps(definition, printed))
        if first and not past and whole and mostly_right(definition, printed, environment):
            return definition
    return None


def _has_no_gaps(definition: Definition, printed: Printed) -> bool:
    """Whether no number of a matrix was made nothing: that is a mask or a dropout, no slip.

    A 0 beside decimals stands for none of the decimals that the others have.
    """
    finest = min(itertools.chain(*printed.units))
    fine = replace(printed, units=tuple(tuple(finest for _ in row) for row in printed.units))
    empty = {(i, j) for i, j in printed.places() if printed.values[i][j] in (None, 0)}
    return empty <= right_places(fine, definition.true)


def _fits_without_gaps(definition: Definition, printed: Printed, environment: Environment) -> bool:
    return _has_no_gaps(definition, printed) and mostly_right(definition, printed, environment)


def _masked_of(
    name: f.Expression, printed: Printed, environment: Environment
) -> Iterator[tuple[f.Expression, Evidence]]:
    """S with a mask for S_masked."""
    mask = _causal_mask(printed)
    if isinstance(name, f.Name) and mask is not None:
        bare = _bare(name, "masked", "mask", "m")
        if bare != name and bare in environment.stated:
            yield f.Sum((bare, mask), (1, 1)), borne_out


def _bare(name: f.Name, *labels: str) -> f.Name:
    """S for S_masked."""
    return replace(name, sub=tuple(x for x in name.sub if x not in labels))


def _imply_projection(name: f.Expression, printed: Printed, environment: Environment) -> Definition | None:
    """X W_Q of the only tokens and the weights stated before, for Q that is printed without a formula.

    Three quarters of the numbers show that, where another of Q, K and V is just what its weights give.
    """
    product = _projection(name, environment) if isinstance(name, f.Name) else None
    definition = None if product is None else try_define(product, environment)
    if definition is None or evident(definition, printed, environment):
        return definition
    near = 4 * agreeing(printed, definition.true) >= 3 * len(printed.places())
    others = (other for other in map(f.Name, "QKV") if other != name)
    return definition if near and any(_is_projected(other, environment) for other in others) else None


def _projection(name: f.Name, environment: Environment) -> f.Product | None:
    letter = name.base if name in map(f.Name, "QKV") else ""
    spelt = [f.Name("W", sub=(x,)) for x in (letter, letter.lower())]
    spelt += [f.Name("W", sup=(x,)) for x in (letter, letter.lower())]
    tokens = [key for key in _TOKENS if key in environment.stated]
    weights = [key for key in spelt if letter and key in environment.stated]
    return f.Product((tokens[0], weights[0]), ("",)) if len(tokens) == len(weights) == 1 else None


def _is_projected(name: f.Name, environment: Environment) -> bool:
    """Whether all that is printed of one of Q, K and V is what its weights give."""
    stated, product = environment.stated.get(name), _projection(name, environment)
    definition = None if product is None else try_define(product, environment)
    if definition is None or stated is None or not stated.prints:
        return False
    return all(same_values(p.printed, definition.true) for p in stated.prints)


def is_standardised(name: f.Expression) -> bool:
    """Whether a name says that it is a vector less its mean, over its deviation.

    >>> is_standardised(f.Name("x", sub=("norm",))), is_standardised(f.Name("x̂")), is_standardised(f.Name("x"))
    (True, True, False)
    """
    if not isinstance(name, f.Name):
        return False
    return (
        name.base in ("x̂", "ĥ", "ẑ")
        or (name.base.lower() in _STANDARDISED and len(name.base) > len("norm"))
        or not _STANDARDISED.isdisjoint(name.sub)
        or _STANDARDISED_X.match(name.text) is not None
    )


def _named_vector(name: f.Name, environment: Environment) -> f.Name | None:
    """The X of normalized_X, norm_X, if it is known."""
    match = _STANDARDISED_X.match(name.text)
    rest = None if match is None else name.text[match.end() :].replace("_", "")
    names = (key for key in environment.stated if isinstance(key, f.Name) and not key.item)
    return next((key for key in names if key.text.replace("_", "") == rest), None)


def _imply_standardised(name: f.Expression, printed: Printed, environment: Environment) -> Definition | None:
    """LayerNorm of what its name says, or of a vector whose mean was printed, for x_norm that has no formula."""
    if not is_standardised(name) or not isinstance(name, f.Name):
        return None
    said = _named_vector(name, environment)
    bare = said or f.Name(name.base[0], sub=tuple(x for x in name.sub if x not in _STANDARDISED))
    vectors = [key for key in reversed(environment.stated) if isinstance(key, f.Name) and key.base in ("h", "x", "z")]
    found: list[Definition] = []
    for vector in [key for key in (bare, *vectors[:MOST_VECTORS]) if key in environment.stated]:
        found += define_by_conventions(f.Call("layernorm", (vector,)), environment)
    found = [d for d in found if d.true.shape == printed.shape]
    shown = [d for d in found if evident(d, printed, environment) or (said is not None and shows_rows(d, printed))]
    shown = shown or list(_by_printed_measures(vectors[:MOST_VECTORS], printed, environment))
    return max(shown, key=lambda d: agreeing(printed, d.true), default=None)


def _by_printed_measures(vectors: Sequence[f.Name], printed: Printed, environment: Environment) -> Iterator[Definition]:
    """(x − μ)/σ with the mean and the deviation as they were printed, right or wrong."""
    means, deviations = ([f.Name(x) for x in names if environment.knows(f.Name(x))] for names in (_MEANS, _DEVIATIONS))
    for vector, mean, deviation in itertools.product(vectors, means, deviations):
        definition = try_define(f.Quotient(f.Sum((vector, mean), (1, -1)), deviation), environment)
        if definition is None or definition.true.shape != printed.shape:
            continue
        if any(is_all_right(printed, value) for value in worths(definition, environment)):
            yield definition


_MEANS, _DEVIATIONS = ("μ", "mu", "mean"), ("σ", "sigma", "std")
_STANDARDISED_X = regex(r"(?:norm|normed|normali[sz]ed|standardi[sz]ed)_(?=\w)", re.IGNORECASE)
_STANDARDISED = frozenset(("norm", "normed", "normalized", "normalised", "standardized", "standardised", "ln", "hat"))
MOST_VECTORS = 4


def formulas_of(
    role: str, printed: Printed, roles: Roles, environment: Environment
) -> Iterator[tuple[f.Expression, Evidence]]:
    """What a step may be computed by, with what the numbers have to show."""
    latest = roles.latest
    if role == "scores":
        yield _QK, evident
        yield f.Quotient(_QK, ROOT), agree  # called scores where they have been scaled already
    if role == "scaled" and "scores" in latest:
        yield f.Quotient(latest["scores"], ROOT), borne_out
    if role == "scaled" and "scores" not in latest:
        yield f.Quotient(_QK, ROOT), evident
    if role == "masked" and (mask := _causal_mask(printed)) is not None:
        for before in ("scaled", "scores"):
            if before in latest:
                yield f.Sum((latest[before], mask), (1, 1)), borne_out
        if "scores" in latest and "scaled" not in latest:
            yield f.Sum((f.Quotient(latest["scores"], ROOT), mask), (1, 1)), borne_out
    if role == "weights" and not is_one_hot(printed):
        shown = in_order if latest.keys() & {"scaled", "masked"} else borne_out
        if "scores" in latest:
            yield f.Call("softmax", (latest["scores"],)), agree_all
        yield from ((f.Call("softmax", (logits,)), shown) for logits in roles.logits())
        yield from _rows_of_weights(printed, roles, environment)
        if not latest.keys() & {"scores", "scaled", "masked"}:
            masked = _last_masked(printed, environment)
            yield f.Call("softmax", (f.Quotient(_QK, ROOT) if masked is None else masked,)), evident
            if (logits := _last_of_shape(printed, environment)) is not None:
                shares = f.Call("softmax", (logits,))
                if _slips_once_a_row(shares, printed, environment):
                    yield shares, mostly_right
    if role == "output" and f.Name("V") in environment.stated and roles.is_judged("weights", environment):
        yield f.Product((latest["weights"], f.Name("V")), ("@",)), evident
    if role == "concat":
        yield from ((f.Call("concat", heads), mostly_right) for heads in _heads(environment))
    if role == "projection" and "concat" in latest and not any(environment.knows(bias) for bias in _B_O):
        for name in _W_O:
            together = {id(environment.stated.get(k)) for k in roles.before} == {
                id(environment.stated.get(k)) for k in (latest["concat"], name)
            }
            yield f.Product((latest["concat"], name), ("@",)), are_alike if together else borne_out
    if role == "residual" and roles.before:
        last = roles.before[-1]
        for earlier in [key for key in environment.stated if isinstance(key, f.Name) and key != last][:MOST_EARLIER]:
            yield f.Sum((earlier, last), (1, 1)), agree


def _last_masked(printed: Printed, environment: Environment) -> f.Expression | None:
    """What was stated last with as many rows and columns as what is printed, and with −∞: scores behind a mask."""
    for key, stated in itertools.islice(reversed(environment.stated.items()), MOST_EARLIER):
        if not stated.stale and stated.true.shape == printed.shape and stated.true.hidden:
            return key
    return None


def _last_of_shape(printed: Printed, environment: Environment) -> f.Name | None:
    """The name stated last that has as many rows and columns as what is printed: the logits."""
    for key, stated in itertools.islice(reversed(environment.stated.items()), MOST_EARLIER):
        if isinstance(key, f.Name) and not stated.stale and stated.true.shape == printed.shape:
            return key
    return None


def _slips_once_a_row(formula: f.Expression, printed: Printed, environment: Environment) -> bool:
    """Whether no row of several has more than one number that a formula does not give, and each one that it does.

    A row with more is another's: masked, padded, or learned.
    """
    definition = try_define(formula, environment)
    if definition is None or printed.shape[0] == 1:
        return definition is not None
    telling = telling_places(printed)

    def slips(value: Balls) -> bool:
        right = {place for place in right_places(printed, value) if relation_at(printed, value, place) != "truncated"}
        rows = [[place for place in printed.places() if place[0] == i] for i in range(printed.shape[0])]
        wrong = [len(right.intersection(row)) < len(row) - 1 for row in rows]
        shown = [not right.isdisjoint(row) for row in ([x for x in row if x in telling] for row in rows) if row]
        return not any(wrong) and all(shown)

    if not _has_no_gaps(definition, printed):
        return False
    return is_all_right(printed, definition.true) or any(slips(value) for value in worths(definition, environment))


def _rows_of_weights(
    printed: Printed, roles: Roles, environment: Environment
) -> Iterator[tuple[f.Expression, Evidence]]:
    """softmax of each row of the logits, where one row alone is printed."""
    for logits in roles.logits() if printed.shape[0] == 1 else ():
        known = environment.stated.get(logits.numerator if isinstance(logits, f.Quotient) else logits)
        for i in range(min(known.true.shape[0], MOST_EARLIER)) if known is not None else ():
            yield f.Entry(f.Call("softmax", (logits,)), (str(i + 1), ":")), mostly_right


def _heads(environment: Environment) -> Iterator[tuple[f.Name, ...]]:
    """The names of one word that are counted from 1, Head1 and Head2 or O_1 and O_2, what was stated last first."""
    counted: dict[str, dict[int, f.Name]] = {}
    for key in environment.stated:
        match key:
            case f.Name(base, sub=(str(number),), sup=(), item=()) if number.isdecimal() and len(number) < 3:
                counted[base] = {**counted.pop(base, {}), int(number): key}
    for heads in reversed(counted.values()):
        if len(heads) > 1 and sorted(heads) == list(range(1, len(heads) + 1)):
            yield tuple(heads[k] for k in sorted(heads))


def spell_out(expression: f.Expression, roles: Roles, environment: Environment) -> f.Expression:
    """The expression with weights that were named but never stated put in: those printed last, or their softmax."""
    if isinstance(expression, f.Name):
        unknown = role_of_name(expression) == "weights" and not environment.knows(expression)
        if unknown and "weights" in roles.latest:
            return roles.latest["weights"]
        logits = next(roles.logits(), None) if unknown and len(expression.base) > 1 else None
        return expression if logits is None else f.Call("softmax", (logits,))
    if isinstance(expression, f.Product):
        return f.Product(tuple(spell_out(x, roles, environment) for x in expression.factors), expression.operators)
    return expression


def _causal_mask(printed: Printed) -> f.Expression | None:
    """0 and −∞ where the print has numbers and −∞, if it hides what comes later and nothing else."""
    causal = all((v is None) == (j > i) for i, row in enumerate(printed.values) for j, v in enumerate(row))
    if not causal or printed.shape[0] < 2:
        return None
    zero = f.Number("0", Fraction(0), Fraction(1))
    return f.Matrix(tuple(tuple(f.Infinity(-1) if v is None else zero for v in row) for row in printed.values))


def _is_masked(printed: Printed) -> bool:
    """Whether numbers other than 0 stand beside −∞: scores with a mask, whatever they are called."""
    values = {value for row in printed.values for value in row}
    return None in values and bool(values - {None, 0})


def is_mask(printed: Printed) -> bool:
    """Whether a print is 0 or 1 and −∞ or 0 alone: a mask itself, and nothing with a mask."""
    return all(value in PLAIN for row in printed.values for value in row)


def is_one_hot(printed: Printed) -> bool:
    """Whether a print is 0 and 1 without decimals: so is any softmax, rounded, and so are many inputs."""
    return all(printed.values[i][j] in (0, 1) and printed.units[i][j] >= 1 for i, j in printed.places())


def best_first(
    formulas: Iterable[tuple[f.Expression, Evidence]], printed: Printed, environment: Environment
) -> list[tuple[Definition, Evidence]]:
    """What several readings of a step come to, those first that more of the printed numbers fit.

    Of softmax(S) and softmax(S/√d_k) both may be near enough to be meant; the nearer one is, and then nothing is wrong.
    """
    found = [(d, evidence) for formula, evidence in formulas if (d := try_define(formula, environment)) is not None]
    return sorted(found, key=lambda each: -most_right(each[0], printed, environment)) if len(found) > 1 else found


def find_shown(role: str, printed: Printed, roles: Roles, environment: Environment) -> Definition | None:
    """The formula of a step that the print itself shows to be its own."""
    found = best_first(formulas_of(role, printed, roles, environment), printed, environment)
    return next((d for d, shows in found if shows(d, printed, environment)), None)
