"""Functions of a vector: activations, softmax by its entries, LayerNorm and RMSNorm, soft caps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.gradients.scalar_slopes import find_defined
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import WORDS, Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.functions import FUNCTIONS
from symattn.checking.formulas.trials.indices import Indices, split_name
from symattn.checking.formulas.trials.notation import find_definitions
from symattn.checking.formulas.trials.symbols import Key, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.primes import Defined, written_out
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.reading.formula.spellings import SUBSCRIPTS
from symattn.values.tensors import ENTRYWISE, Tensor
from symattn.writing.prose import Sentence

LENGTH = 5  # of the vectors
# function: its usual forms
FORMS: dict[str, tuple[str, ...]] = {
    "softmax": ("softmax",), "softmax_1": ("softmax_1",), "silu": ("silu",), "swish": ("silu",),
    "gelu": ("gelu", "gelu_tanh"), "relu": ("relu",), "sigmoid": ("sigmoid",), "sigma": ("sigmoid",),
    "tanh": ("tanh",), "layernorm": ("layernorm",), "rmsnorm": ("rmsnorm",), "rms": ("rms",), "softplus": ("softplus",),
    "swish_scaled": ("silu_scaled",), "Φ": ("Φ",), "φ": ("φ",),
}  # fmt: skip
_OF_VECTORS = frozenset(
    ["softmax", "softmax_1", "layernorm", "layernorm_plus", "rmsnorm", "rmsnorm_plus", "rms", "rms_plus"]
)
# forms under a convention, where a number is added to a sum or to a size
_OTHERS = ("softmax_1", "layernorm_unbiased")
_NEAR = {"gelu": "gelu_sigmoid"}  # what a function is said to be near, and not equal to
_CONDITIONS = {"_plus": "formula.if_plus", "_unbiased": "formula.if_unbiased", "softmax_1": "formula.if_sink"}
_THEOREMS = {
    "softmax": "formula.softmax", "softmax_1": "formula.softmax1", "silu": "formula.silu",
    "silu_scaled": "formula.silu", "gelu": "formula.gelu",
    "gelu_tanh": "formula.gelu", "gelu_sigmoid": "formula.gelu",
    "relu": "formula.relu", "sigmoid": "formula.sigmoid", "tanh": "formula.tanh",
    "layernorm": "formula.layernorm", "rmsnorm": "formula.rmsnorm", "rms": "formula.rms",
    "softplus": "formula.softplus", "Φ": "formula.normal", "φ": "formula.normal",
}  # fmt: skip


def define_function(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `softmax(x)_i =`, `SiLU(x) =`, `LayerNorm(x) =`."""
    found = _applied(_as_norm(_with_beta(left, side.expression), side.expression, statement, context))
    if found is None:
        return
    function, argument, letter, scale = found
    if isinstance(side.expression, f.Name) and side.expression.symbol == argument.symbol and len(argument.base) > 1:
        return  # relu(sparse) = sparse says what comes of a kind of array
    if letter and letter.isdigit() and not any(isinstance(part, f.BigSum) for part in f.walk(side.expression)):
        return  # softmax(x)_1 by x_1 and x_2: there may be no other entries
    forms = FORMS.get(function, ())
    if function == "gelu" and context.once(_redefines_normal):
        return
    if function in ("Φ", "φ") and not _is_normal(function, side.expression, statement, context):
        return
    own_lines = context.once(find_defined) if not set(forms) & _OF_VECTORS else {}
    printed, side = side.expression, replace(side, expression=written_out(side.expression, argument, own_lines))
    if not (letter or set(forms) & _OF_VECTORS) and _is_of_entries(argument, side.expression):
        return
    if side.relation == "≈" and function in _NEAR:
        forms = (*forms, _NEAR[function])
    key = (argument.base, argument.sub if letter is None else (), argument.sup)
    sums, totals = context.once(_find_sums), context.once(_find_totals)
    extras = _extras(_with_sums(_with_totals(side.expression, totals), sums), key, letter)
    if function in ("layernorm", "rmsnorm") and not _is_varied(side.expression):
        extras |= {symbol: "gain" for symbol in extras if symbol in _WEIGHTS}
    if not set(forms) & _OF_VECTORS:
        extras = {symbol: role if role == "size" else "other" for symbol, role in extras.items()}
    made = context.once(find_definitions)
    own = any(symbol in made and (role in _OPEN or _is_matrix(made[symbol][1])) for symbol, role in extras.items())
    named = function not in ("layernorm", "sigma") or re.search("layer|LN", statement.text.partition("=")[0], re.I)
    settled = set(extras.values()) <= {"size", "mean", "epsilon", "shift"}  # a gain takes up any factor
    open_ended = own or not (settled and named) or _is_varied(side.expression)
    slips = ("letter",) if "other" in extras.values() else ()  # what is not known is not left out
    plus_forms = tuple(f"{form}_plus" for form in forms if form in ("layernorm", "rmsnorm", "rms"))
    others = [form for form in _OTHERS if form.rpartition("_")[0] in forms and _is_varied(side.expression)]

    def question(form: str, pointed: bool = False, lines: Defined = own_lines) -> Question:
        return Question(
            _expected(form, key, letter, extras, scale),
            _prepare(key, extras, pointed, letter, form not in _OF_VECTORS and letter is None),
            _free(letter),
            place=lambda scope, e: _with_sums(_with_totals(written_out(e, argument, lines), totals), sums),
        )

    by_lines, by_names = ([question(form, lines=lines) for form in forms] for lines in (own_lines, {}))
    if printed != side.expression and _holds(by_names, printed) and not _holds(by_lines, printed):
        return  # x Φ(x), in which nothing is wrong but what another line says of Φ
    for form in (*forms, *(plus_forms if "epsilon" in extras.values() else ()), *others):
        for pointed in (False, True) if form not in ("softmax", "softmax_1") and form in _OF_VECTORS else (False,):
            condition = next((Sentence(key) for mark, key in _CONDITIONS.items() if form.endswith(mark)), None)
            plain = condition is None or form in forms
            theorem = Sentence(_THEOREMS[form if plain else form.rpartition("_")[0]])
            usual = "" if open_ended else _usual(forms[0], argument, letter, set(extras.values()))
            yield Variant(
                question(form, pointed),
                theorem,
                None if plain else condition,
                repairs=plain and not own,
                letters=(argument.text,),
                only=slips,
                without=("transpose", *(("exponential",) if side.relation == "≈" else ())),
                usual=usual,
            )


def _holds(questions: Iterable[Question], printed: f.Expression) -> bool:
    return any(question.ask(printed).kind == "equal" for question in questions)


def _is_normal(function: str, e: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether Φ is said by erf, or φ by an exponential and π: those of the normal distribution. Other maps have these
    too, so that φ is printed as usual or the words near speak of that distribution."""
    called = {part.function for part in f.walk(e) if isinstance(part, f.Call)}
    if function == "Φ" or called != {"exp"} or not any(n.base == "π" for n in names(e)):
        return function == "Φ" and called == {"erf"} and any(isinstance(part, f.Sum) for part in f.walk(e))
    if _NORMAL.search(context.around(statement, WORDS)):
        return True
    return any(isinstance(part, f.Root) and _is_two_pi(part.radicand) for part in f.walk(e)) and _has_half_square(e)


def _redefines_normal(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a line has Φ for erf itself."""
    return any(
        isinstance(s.left, f.Call) and s.left.function == "Φ" and isinstance(side, f.Call) and side.function == "erf"
        for s in statements
        for side in s.equals[1:]
    )


_NORMAL = regex(
    r"standard (?:normal|Gaussian)|\b[cp]df\b|GELU|\berf\b|(?:N|\\mathcal\s?\{?N\}?)\(0, ?1\)|标准正态", re.I
)


def _is_two_pi(e: f.Expression) -> bool:
    match e:
        case f.Product((f.Number(value=two), f.Name("π"))) if two == 2:
            return True
    return False


def _has_half_square(e: f.Expression) -> bool:
    """Whether it is an exponential of −x²/2 of one number."""
    powers = [part.arguments[0] for part in f.walk(e) if isinstance(part, f.Call)]
    others = {name.symbol for name in names(e) if name.base != "π"}
    squares = [part for part in f.walk(e) if isinstance(part, f.Power) and isinstance(part.base, f.Name)]
    minus = any(isinstance(power, f.Sum) and power.signs == (-1,) for power in powers)
    return minus and len(others) == 1 and len(squares) == 1


_OPEN = ("gain", "shift", "other")


def _is_matrix(e: f.Expression) -> bool:
    """Whether it is made of a transpose or of the identity, C = I − 11ᵀ/d, and no size."""
    return any(isinstance(part, f.Transpose) or part == f.Name("I") for part in f.walk(e))


def _is_of_entries(argument: f.Name, e: f.Expression) -> bool:
    """Whether a side is of z_0 and z_1, and not of z: of which numbers nobody knows."""
    return any(n.base == argument.base and n != argument and "".join(n.sub).isdigit() for n in names(e))


def _with_beta(left: f.Expression, printed: f.Expression) -> f.Expression:
    """Swish_β(x) for the Swish(x) of which β is a parameter that its name leaves out."""
    match left:
        case f.Call("swish", (f.Name() as x,), ()) if {n.symbol for n in names(printed)} == {x.symbol, ("β", (), ())}:
            return replace(left, label=("β",))
    return left


def _as_norm(left: f.Expression, printed: f.Expression, statement: Statement, context: Context) -> f.Expression:
    """RMSNorm(x)_i for the y_i of `y_i = g_i x_i/√(mean(x²) + ε)`, behind words on RMSNorm."""
    start = statement.span[0]
    named = isinstance(left, f.Name) and len(left.base.rstrip("\u0302\u0304\u0303")) == 1
    named = named or (isinstance(left, f.Call) and left.function in ("norm", "rmsnorm"))
    if not named or not _RMSNORM.search(context.article.words[max(start - WORDS, 0) : statement.span[1]]):
        return left
    divided = [part for part in f.walk(printed) if isinstance(part, f.Quotient)]
    if isinstance(left, f.Call):
        letters = {n.sub for n in names(left)} | {n.sub for part in divided for n in names(part.numerator)}
        rooted = any(isinstance(p, f.Root | f.Power) and _takes_mean(p) for q in divided for p in f.walk(q.denominator))
        if letters <= {()} and rooted:
            return replace(left, function="rmsnorm")
    found = {vector for quotient in divided for inner in f.walk(quotient.denominator) if (vector := _of_root(inner))}
    above = [n for quotient in divided for n in names(quotient.numerator) if n.base in found]
    if len(found) != 1 or len({n.sub for n in above}) != 1 or not _takes_mean(printed):
        return left
    call = f.Call("rmsnorm", (f.Name(above[0].base),), start=left.start, end=left.end)
    index = above[0].sub
    if isinstance(left, f.Name) and left.sub not in ((), index):
        return left
    return f.Entry(call, index) if len(index) == 1 else call


def _takes_mean(e: f.Expression) -> bool:
    """Whether a mean stands in it, or a sum with a size beside it: Σ x_j² alone is that of an L2 norm."""
    if any(isinstance(part, f.Call) and part.function in ("rms", "mean") for part in f.walk(e)):
        return True
    summed = any(isinstance(part, f.BigSum) for part in f.walk(e))
    plain = rewrite(e, lambda part: part.body if isinstance(part, f.BigSum) else part)
    return summed and any(name.base in _SIZES for name in names(plain))


def _of_root(e: f.Expression) -> str:
    """The letter of the vector whose root mean square it is, or a part of that; empty for anything else."""
    match e:
        case f.Call("rms", (f.Name(base, ()),)):
            return base
        case f.Call("mean", (f.Power(f.Name(base, ()), f.Number(value=two)),)):
            return base if two == 2 else ""
        case f.BigSum(index, _, _, f.Power(f.Name(base, (at,)), f.Number(value=two))) if index == at:
            return base if two == 2 else ""
    return ""


_RMSNORM = regex(r"(?<![A-Za-z])RMS[\s-]?(?:Layer)?[\s-]?Norm|root[- ]mean[- ]square|RMS normali|均方根", re.IGNORECASE)
_WEIGHTS: frozenset[Key] = frozenset([("W", (), ()), ("w", (), ()), ("weight", (), ())])  # of a norm: its gain


def _find_sums(_: Article, statements: Sequence[Statement]) -> dict[str, tuple[str, f.Expression]]:
    """What an article says a sum so far to be, d_t = Σ_{j ≤ t} e^{x_j − m_t}: its letter, by that of the step."""
    found: dict[str, tuple[str, f.Expression]] = {}
    for statement in statements:
        left, right = (*statement.equals, None, None)[:2]
        if isinstance(left, f.Name) and len(left.sub) == 1 and left.sub[0].isalpha() and isinstance(right, f.BigSum):
            found.setdefault(left.base, (left.sub[0], right))
    return found


def _with_sums(e: f.Expression, sums: Mapping[str, tuple[str, f.Expression]]) -> f.Expression:
    """The formula with the sum for d_n, the last of the d_t."""

    def put_in(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or len(part.sub) != 1 or part.sup or part.base not in sums:
            return part
        step, body = sums[part.base]
        return rewrite(body, lambda inner: _at_step(inner, step, part.sub[0])) if part.sub[0] != step else part

    return rewrite(e, put_in)


def _find_totals(_: Article, statements: Sequence[Statement]) -> dict[f.Name, f.Expression]:
    """The letters without marks that one line each says to be a sum of exponentials or a maximum, d = Σ_i e^{x_i − m};
    each with an index of its own."""
    made: dict[f.Name, list[f.Expression]] = {}
    for statement in statements:
        if len(statement.equals) > 1 and isinstance(statement.left, f.Name):
            made.setdefault(statement.left, []).append(statement.equals[1])
    whole = ((name, sides[0]) for name, sides in made.items() if len(sides) == 1 and not (name.sub or name.sup))
    whole = ((name, side) for name, side in whole if isinstance(side, f.BigSum) or name.base in ("m", "M", "c"))
    named = zip(whole, "uvwrst", strict=False)
    return {name: total for (name, side), letter in named if (total := _with_index(side, letter)) is not None}


def _with_index(e: f.Expression, letter: str) -> f.Expression | None:
    """A sum or a maximum over this letter; None for anything else."""
    match e:
        case f.BigSum(index) if len(index) == 1 and any(
            isinstance(part, f.Call) and part.function == "exp" for part in f.walk(e.body)
        ):
            return replace(e, index=letter, body=rewrite(e.body, lambda part: _at_step(part, index, letter)))
        case f.Call("max", (inside,), (index,)):
            return replace(e, label=(letter,), arguments=(rewrite(inside, lambda part: _at_step(part, index, letter)),))
    return None


def _with_totals(e: f.Expression, totals: Mapping[f.Name, f.Expression]) -> f.Expression:
    """The formula with these sums, and the maxima in them, in the place of their letters."""
    for _ in range(2):
        e = rewrite(e, lambda part: totals.get(part, part) if isinstance(part, f.Name) else part)
    return e


def _at_step(e: f.Expression, step: str, last: str) -> f.Expression:
    if isinstance(e, f.Name) and e.sub == (step,):
        return replace(e, sub=(last,), text="")
    return f.Name(last) if e == f.Name(step) else e


def _is_varied(e: f.Expression) -> bool:
    """Whether a number is added to a sum or to a size, or taken to a power: a sink, n − 1 for n, another base."""
    for part in f.walk(e):
        if isinstance(part, f.Power) and isinstance(part.base, f.Number):
            return True
        terms = part.terms if isinstance(part, f.Sum) else ()
        kinds = set(map(type, terms))
        if f.Number in kinds and not kinds.isdisjoint((f.BigSum, f.Name)):
            return True
    return False


_USUAL = {
    "silu": r"{x}\, \sigma({x})",
    "gelu": r"{x}\, \Phi({x})",
    "relu": r"\max(0, {x})",
    "sigmoid": r"\frac{{1}}{{1 + e^{{-{x}}}}}",
    "tanh": r"\frac{{e^{{{x}}} - e^{{-{x}}}}}{{e^{{{x}}} + e^{{-{x}}}}}",
    "softplus": r"\log(1 + e^{{{x}}})",
    "Φ": r"\frac{{1}}{{2}} \left(1 + \text{{erf}}\left(\frac{{{x}}}{{\sqrt{{2}}}}\right)\right)",
    "φ": r"\frac{{1}}{{\sqrt{{2\pi}}}} e^{{-{x}^2/2}}",
    "layernorm": r"\frac{{{x} - \mu}}{{\sqrt{{\sigma^2{guard}}}}}{gain}{shift}",
    "rmsnorm": r"\frac{{{x}}}{{\sqrt{{\frac{{1}}{{n}} \sum_j {base}_j^2{guard}}}}}{gain}",
    "rms": r"\sqrt{{\frac{{1}}{{n}} \sum_j {base}_j^2{guard}}}",
    "softmax": r"\frac{{e^{{{x}}}}}{{\sum_{{{other}}} e^{{{base}_{other}}}}}",
}


def _usual(form: str, argument: f.Name, letter: str | None, roles: set[str]) -> str:
    """The form as it is written; nothing of one that has no one spelling here."""
    if form not in _USUAL or (form == "softmax" and letter is None):
        return ""
    base = argument.text if not argument.sub else argument.text.partition("_")[0].rstrip("".join(SUBSCRIPTS))
    x = argument.text if argument.sub or letter is None else f"{argument.text}_{letter}"
    guard = r" + \epsilon" if "epsilon" in roles else ""
    gain = r" \cdot \gamma" if "gain" in roles else ""
    shift = r" + \beta" if "shift" in roles else ""
    other = "j" if letter != "j" else "k"
    return _USUAL[form].format(x=x, base=base, other=other, guard=guard, gain=gain, shift=shift)


def _applied(left: f.Expression) -> tuple[str, f.Name, str | None, str] | None:
    """The function on the left, its argument, the letter of the entry, and that of a scale within.

    softmax(x)_i, softmax(x_i), SiLU(x), Swish_β(x)
    """
    letter: str | None = None
    if isinstance(left, f.Entry) and len(left.indices) == 1 and isinstance(left.operand, f.Call):
        letter, left = left.indices[0], left.operand
    if isinstance(left, f.Call) and left.function == "sigma" and letter is not None:
        left = f.Call("softmax", left.arguments)
    if not isinstance(left, f.Call) or len(left.arguments) != 1 or not isinstance(left.arguments[0], f.Name):
        return None
    function, argument = left.function, left.arguments[0]
    if function == "softmax" and left.label:
        if left.label == ("1",):
            function = "softmax_1"
        elif len(left.label) == 1 and len(left.label[0]) == 1:
            letter = left.label[0]
    scale = ""
    if function in ("silu", "swish") and left.label not in ((), ("1",)):
        function, scale = "swish_scaled", left.label[0]
    elif left.label and function in ENTRYWISE and left.label != ("1",):
        return None  # which one of a family it is, nobody says
    if letter is None and len(argument.sub) == 1 and len(argument.sub[0]) == 1 and argument.sub[0].islower():
        letter = argument.sub[0]
    if function in ("softmax", "softmax_1") and not argument.base[:1].islower():
        return None  # of a matrix: its definition
    return function, argument, letter, scale


def _epsilon() -> Tensor:
    """A number far from 0, so that it is seen where it stands."""
    return Tensor.number(1) / Tensor.number(7)


def _free(letter: str | None):  # type: ignore[no-untyped-def]
    return lambda evaluator: {} if letter is None else {letter: range(1, LENGTH + 1)}


def _extras(printed: f.Expression, key: Key, letter: str | None) -> dict[Key, str]:
    """What else stands in a printed side: the mean, the deviation, gain, shift, ε; anything else is another vector."""
    found: dict[Key, str] = {}
    bound = {letter: 1} if letter else {}
    bound |= {part.index: 1 for part in f.walk(printed) if isinstance(part, f.BigSum) and part.index}
    uppers = {
        part.upper.base for part in f.walk(printed) if isinstance(part, f.BigSum) and isinstance(part.upper, f.Name)
    }
    exponents = [part for part in f.walk(printed) if isinstance(part, f.Call) and part.function == "exp"]
    uppers -= {x.base for part in exponents for x in names(part)} - _SIZES  # T of e^{z_i/T} is the temperature
    sums = [part.terms for part in f.walk(printed) if isinstance(part, f.Sum)]
    added = [x for terms in sums if any(isinstance(t, f.Number) for t in terms) for x in terms]
    for name in names(printed):
        symbol, indices = split_name(name, bound)
        own = symbol[0] == key[0] and symbol[2] == key[2] and symbol[1] != ("max",)
        if symbol == key or name.base in (*bound, "π") or own:
            continue
        if name.base == key[0] + "\u0304":
            found[symbol] = "mean"
            continue
        role = _ROLES.get(name.base, "size" if name.base in _SIZES else "other")
        if name.base in uppers and not (name.sub or name.sup or name.item):
            role = "size"  # whatever letter a sum over the entries ends at counts them
        numbered = role == "size" and (indices or name.sub not in ((), ("model",)))
        if numbered or (role == "gain" and name in added):
            # m_n of x_1 to x_n is one number; else a weight of each entry, or a gain that is kept as 1 + γ
            role = "last" if name.sub and name.sub[-1] in uppers else "other"
        found[symbol] = role
    return found


_ROLES = {
    "μ": "mean",
    "σ": "deviation",
    "γ": "gain",
    "g": "gain",
    "β": "shift",
    "b": "shift",
    "ε": "epsilon",
    "eps": "epsilon",
    "α": "gain",
}
_SIZES = frozenset(["d", "n", "N", "H", "D", "K", "C", "m", "k", "d_model", "M", "V"])


def _prepare(key: Key, extras: dict[Key, str], pointed: bool, letter: str | None, single: bool):  # type: ignore[no-untyped-def]
    def prepare(scope: Scope) -> None:
        x = scope.draw(key, () if single else (1, LENGTH)) * scope.number((f"scale of {spell(key)}", (), ()))
        scope.given[key] = x
        scope.length = LENGTH
        scope.drawn = {spell(key): str(x)}
        made = {"mean": x.total("mean"), "deviation": x.total("variance").apply("sqrt"), "epsilon": _epsilon()}
        for symbol, role in extras.items():
            if role == "size":
                scope.sizes[spell(symbol)] = LENGTH
            elif role in ("gain", "shift"):
                scope.given[symbol] = scope.draw((symbol, role), (1, LENGTH) if pointed else ())
            elif role in ("other", "last"):
                number = letter is not None and len(symbol[0]) == 1 and not symbol[2]  # the c of x_i - c, and x_max
                scope.given[symbol] = scope.draw(symbol, () if role == "last" or number else x.shape)
            else:
                scope.given[symbol] = made[role]

    return prepare


def _expected(form: str, key: Key, letter: str | None, extras: dict[Key, str], scale: str):  # type: ignore[no-untyped-def]
    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        scope = evaluator.scope
        if scale:
            x, factor = scope.given[key], (scale, (), ())
            number = scope.given[factor] if factor in scope.given else scope.number(factor)
            return x * (x * (Tensor.number(int(scale)) if scale.isdigit() else number)).apply("sigmoid")
        found = _form(form, scope.given[key], scope, "epsilon" in extras.values())
        for symbol, role in extras.items():
            if role == "gain":
                found = found * scope.given[symbol]
            if role == "shift" and form in ("layernorm", "layernorm_plus", "rmsnorm"):
                found = found + scope.given[symbol]
        return found if letter is None or not found.shape else found.at(0, at[letter] - 1)

    return value


def _form(form: str, x: Tensor, scope: Scope, guarded: bool) -> Tensor:
    tiny = _epsilon() if guarded else Tensor.number(0)
    if form == "layernorm":
        return (x - x.total("mean")) / (x.total("variance") + tiny).apply("sqrt")
    if form == "layernorm_plus":
        return (x - x.total("mean")) / (x.total("variance").apply("sqrt") + tiny)
    if form == "layernorm_unbiased":
        unbiased = x.total("variance") * Tensor.number(LENGTH) / Tensor.number(LENGTH - 1)
        return (x - x.total("mean")) / (unbiased + tiny).apply("sqrt")
    if form == "rmsnorm_plus":
        return x / ((x * x).total("mean").apply("sqrt") + tiny)
    if form == "rms_plus":
        return (x * x).total("mean").apply("sqrt") + tiny
    if form in ("rmsnorm", "rms"):
        root = ((x * x).total("mean") + tiny).apply("sqrt")
        return root if form == "rms" else x / root
    if form == "gelu_sigmoid":
        return x * (x * Tensor.number(Fraction("1.702"))).apply("sigmoid")
    if form == "φ":
        above = (x * x * Tensor.number(Fraction(-1, 2))).apply("exp")
        return above / (Tensor.number(2) * Evaluator(scope).value(f.Name("π"))).apply("sqrt")
    if form == "softplus":
        return (x.apply("exp") + Tensor.number(1)).apply("log")
    return x.apply(form) if form in ENTRYWISE else FUNCTIONS[form](x, scope)


def define_moment(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`μ = (1/d) Σ x_i`, `σ² = (1/d) Σ (x_i − μ)²` and σ, the root of that; with + ε for a norm that divides by σ."""
    squared = isinstance(left, f.Power) and isinstance(left.exponent, f.Number) and left.exponent.value == 2
    name = left.base if isinstance(left, f.Power) and squared else left
    squared = squared or (left == f.Name("σ") and context.once(_roots_sigma))
    sums = [p for p in f.walk(side.expression) if isinstance(p, f.BigSum) and p.index]
    if not isinstance(name, f.Name) or name.base not in ("μ", "σ") or len(sums) != 1:
        return
    letter = sums[0].index
    values = {key for key, parts in (split_name(n, {letter: 1}) for n in names(sums[0].body)) if parts == [letter]}
    if len(values) != 1:
        return
    key = values.pop()
    extras = _extras(side.expression, key, letter)
    if list(extras.values()).count("size") > 1 and not (name.base == "σ" and _adds_mean(sums[0])):
        return  # (1/N) Σ_{j=1}^D: whether N is D, nobody says; but x_j + μ is wrong for any N

    guarded = name.base == "σ" and "epsilon" in extras.values()
    prepare = _prepare(key, extras, False, None, False)

    def question(padding: str = "", unbiased: bool = False) -> Question:
        def value(evaluator: Evaluator, at: Indices) -> Tensor:
            x = evaluator.scope.given[key]
            if name.base == "μ":
                return x.total("mean")
            variance = x.total("variance")
            if unbiased:
                variance = variance * (Tensor.number(LENGTH) / Tensor.number(LENGTH - 1))
            if padding == "inside":
                variance = variance + _epsilon()
            spread = variance if squared else variance.apply("sqrt")
            return spread + _epsilon() if padding == "outside" else spread

        return Question(value, prepare)

    theorem = Sentence("formula.mean" if name.base == "μ" else "formula.variance" if squared else "formula.deviation")
    around = statement.before + statement.after if name.base == "σ" and not squared else context.article.words
    padded = any(isinstance(p, f.Sum) and sums[0] in f.walk(p) and _adds_number(p) for p in f.walk(side.expression))
    known = "other" not in extras.values() and not padded  # 10⁻⁵ is added, or a letter for it
    settled = known and _NORMS.search(around) is not None  # σ may be the variance by another name
    unbiased = Sentence("formula.if_unbiased")
    if guarded:  # the spread that a norm divides by
        theorem = Sentence("formula.spread_padded")
        yield Variant(question("inside"), theorem, repairs=settled)
        yield Variant(question("inside", unbiased=True), theorem, unbiased, repairs=False)
        if not squared:
            yield Variant(question("outside"), theorem, Sentence("formula.if_plus"), repairs=False)
        return
    yield Variant(question(), theorem, repairs=settled)
    if name.base == "σ":
        yield Variant(question(unbiased=True), theorem, unbiased, repairs=False)


def _roots_sigma(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a norm divides by √(σ + ε): σ is the variance then."""
    roots = (x.radicand for s in statements for side in s.equals for x in f.walk(side) if isinstance(x, f.Root))
    return any(isinstance(inside, f.Sum) and f.Name("σ") in inside.terms for inside in roots)


def _adds_mean(e: f.BigSum) -> bool:
    return any(isinstance(p, f.Sum) and f.Name("μ") in p.terms and -1 not in p.signs for p in f.walk(e.body))


def _adds_number(e: f.Sum) -> bool:
    return any(not list(names(term)) for term in e.terms)


_NORMS = regex(r"(?:layer|batch)[ -]?norm|层归一化|标准差|standard deviation|方差|variance", re.I)


def define_softcap(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """c tanh(z/c), for a formula that speaks of a cap."""
    used = list(dict.fromkeys(n.symbol for n in names(side.expression)))
    caps = [key for key in used if "cap" in key[0].lower() or "cap" in "".join(key[1]).lower()]
    if not caps and "cap" in (statement.before + statement.text + statement.after).lower():
        caps = [key for key in used if key[0] in ("c", "C", "s", "τ")]
    tanh = any(isinstance(p, f.Call) and p.function == "tanh" for p in f.walk(side.expression))
    if not tanh or len(caps) != 1 or len(used) != 2:
        return
    cap = caps[0]
    z = next(key for key in used if key != cap)

    def prepare(scope: Scope) -> None:
        scope.number(cap)
        scope.number(z)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        c, x = (evaluator.scope.given[key] for key in (cap, z))
        return c * (x / c).apply("tanh")

    yield Variant(Question(value, prepare), Sentence("formula.softcap"))
