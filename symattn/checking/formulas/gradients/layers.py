"""Layers whose gradients articles print besides attention: normalisation, softmax and its Jacobian, cross-entropy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.gradients.forward import TOKENS, is_partition
from symattn.checking.formulas.gradients.tempered import tempered_of
from symattn.checking.formulas.graphs import reached
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.symbols import declared_shapes
from symattn.checking.models.letters import letter_of
from symattn.checking.models.passes import Definition, Plan, swap_case
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

SIZES = dict.fromkeys(("m", "n", "N", "d", "D", "H", "M", "d_model", "C", "K"), "m")
VECTOR, NUMBER = ("m", "1"), ()
_SOFTMAX = regex(r"soft-?max|e\^\{?\w_\w\}?[^$]{0,60}\\sum[^$]{0,12}e\^", re.IGNORECASE)
_ENTROPY = regex(r"cross[- ]?entropy|交叉熵|交叉エントロピー|교차 엔트로피|entropie croisée", re.IGNORECASE)
PROBABILITIES = ("p", "a", "y\u0302", "p\u0302", "s", "P", "A", "y", "q", "α", "σ")
LOGITS = ("z", "x", "e", "s", "o", "Z")
TARGETS = ("y", "t")


def _read(text: str) -> f.Expression:
    return f.parse(text, algebra=True)[0].sides[0].expression


def norm_plans(
    sides: Sequence[f.Expression], keys: Sequence[str], known: Mapping[str, Definition], source: str
) -> list[Plan]:
    """LayerNorm or RMSNorm of a vector x, where x̂ stands in the statement: what no line defines is the usual."""
    hat = next((key for key in ("x̂", "X̂") if key in keys or key in known), None)
    if hat is None:
        return []
    x = "x" if hat == "x̂" else "X"
    variance, below = rf"\frac{{1}}{{m}} \sum_j ({x}_j - \mu)^2", r"\sigma"
    if _adds_epsilon(keys, known):
        below = r"\sqrt{\sigma^2 + \varepsilon}"
    else:
        variance += r" + \varepsilon"
    gained = {"γ", "g", "w", "β", "b"} & {*keys} or _GAIN.search(source)
    usual = {
        "μ": Definition("μ", (), _read(rf"\frac{{1}}{{m}} \sum_j {x}_j")),
        "σ": Definition("σ", (), _read(rf"\sqrt{{{variance}}}")),
        hat: Definition(hat, ("i",), _read(rf"\frac{{{x}_i - \mu}}{{{below}}}")),
        "y": Definition("y", ("i",), _times_hat(hat) if gained else f.Name(hat, ("i",))),
    }
    made = {**usual, **{k: d for k, d in known.items() if k not in ("L",)}}
    if VARIANCE in keys:
        made = _through_variance(made)
    lengths = {length for d in made.values() for length in _lengths(d.expression)}
    lengths = (lengths | {end for side in sides for end in _ends(side)}) - made.keys()
    sizes = SIZES | dict.fromkeys(lengths, "m")  # of a batch of B too
    greek = any("γ" in d.letters for d in known.values())  # then g is no gain
    plans = []
    for shape in (NUMBER, VECTOR):
        shapes = {x: VECTOR, "ε": NUMBER} | dict.fromkeys("γβ" if greek else "γβgb", shape)
        shapes = {k: s for k, s in shapes.items() if k not in known or not _is_gradient(known[k])}
        definitions = {k: d for k, d in made.items() if k not in shapes}
        plans += [Plan(shapes, definitions, sizes, columns) for columns in (True, False)]
    return plans


_GAIN = regex(r"γ|\\gamma")  # in an article of norms
_RMS = regex(r"RMS-? ?Norm|root mean square", re.IGNORECASE)


def rms_plans(keys: Sequence[str], known: Mapping[str, Definition], source: str) -> list[Plan]:
    """RMSNorm with a root r that a line defines and an output y that none does: y_i = w_i x_i / r, as it is."""
    gains = [key for key in ("w", "γ", "g") if key in keys]
    roots = [k for k, d in known.items() if k in keys and not d.indices and isinstance(d.expression, f.Root)]
    if "y" in known or not {"x", "y"} <= set(keys) or len(gains) != 1 or len(roots) != 1 or not _RMS.search(source):
        return []
    if "x" not in _letters(known[roots[0]]):
        return []
    product = f.Product((f.Name(gains[0], ("i",)), f.Name("x", ("i",))), ("",))
    definitions = {k: d for k, d in known.items() if k not in ("L", "x", gains[0])}
    definitions["y"] = Definition("y", ("i",), f.Quotient(product, f.Name(roots[0])))
    shapes = {"x": VECTOR, gains[0]: VECTOR, "ε": NUMBER}
    return [Plan(shapes, definitions, SIZES, columns) for columns in (True, False)]


VARIANCE = "σ²"  # where there is a gradient by it


def name_variance(side: f.Expression) -> f.Expression:
    """The side with a letter of its own for σ²."""

    def named(part: f.Expression) -> f.Expression:
        return f.Name(VARIANCE, start=part.start, end=part.end) if _is_square(part) else part

    return rewrite(side, named)


def name_softmax(sides: Sequence[f.Expression], known: Mapping[str, Definition]) -> list[f.Expression]:
    """Derivatives of softmax(x)_i, or softmax(x_i) for short, with the letter of the probabilities in their place."""
    slopes = [part for side in sides for part in f.walk(side) if isinstance(part, f.Derivative)]
    own = {_logits_in(part) for slope in slopes for part in f.walk(slope.of)} - {None}
    if len(own) != 1:
        return list(sides)
    [logits] = own
    used = {name.base for side in sides for name in f.walk(side) if isinstance(name, f.Name)}
    said = (k for k, d in known.items() if _is_softmax(d) and d.expression.parts == (f.Name(logits or ""),))
    letter = next(iter((*said, *(x for x in PROBABILITIES if x in used and x != logits), "p")))

    def named(part: f.Expression) -> f.Expression:
        index = _index_of(part) if _logits_in(part) == logits else None
        return part if index is None else f.Name(letter, index, start=part.start, end=part.end)

    return [rewrite(side, named) for side in sides]


def name_jacobian(sides: Sequence[f.Expression], known: Mapping[str, Definition]) -> list[f.Expression]:
    """J_{ij} = p_i (δ_{ij} − p_j) with ∂p_i/∂z_j for J_{ij}, where p is the one softmax of the article."""
    first = sides[0] if sides else None
    own = [(k, made) for k, made in known.items() if _is_softmax(made)]
    if not isinstance(first, f.Name) or first.base != "J" or len(own) != 1:
        return list(sides)
    indices, [(p, made)] = letter_of(first).indices, own
    used = {name.base for side in sides[1:] for name in f.walk(side) if isinstance(name, f.Name)}
    if len(indices) != 2 or p not in used:
        return list(sides)
    of, by = f.Name(p, indices[:1]), f.Name(_logits_of(made) or "", indices[1:])
    return [f.Derivative(of, by, start=first.start, end=first.end), *sides[1:]]


def square_sums(side: f.Expression, known: Mapping[str, Definition]) -> f.Expression:
    """S² as a power where S = Σ_k e^{z_k} is a number: elsewhere it is the second S."""

    def squared(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or len(part.sup) != 1 or not part.sup[0].isdigit() or part.sub:
            return part
        made = known.get(part.base)
        if made is None or not is_partition(made.indices, made.expression):
            return part
        power = f.Number(part.sup[0], Fraction(int(part.sup[0])), Fraction(1), start=part.start, end=part.end)
        return f.Power(f.Name(part.base), power, start=part.start, end=part.end)

    return rewrite(side, squared)


def _logits_in(e: f.Expression) -> str | None:
    """The x of softmax(x)_i and softmax(x_i)."""
    call = e.operand if isinstance(e, f.Entry) else e
    if not isinstance(call, f.Call) or call.function != "softmax" or not isinstance(call.arguments[0], f.Name):
        return None
    name = call.arguments[0]
    return name.base if name.base in LOGITS and not name.sup and bool(name.sub) is not isinstance(e, f.Entry) else None


def _index_of(e: f.Expression) -> tuple[str, ...] | None:
    if isinstance(e, f.Entry):
        return e.indices
    return e.arguments[0].sub if isinstance(e, f.Call) and isinstance(e.arguments[0], f.Name) else None


def _is_square(e: f.Expression) -> bool:
    return (
        isinstance(e, f.Power) and e.base == f.Name("σ") and isinstance(e.exponent, f.Number) and e.exponent.value == 2
    )


def _through_variance(made: Mapping[str, Definition]) -> dict[str, Definition]:
    """The definitions with σ = √σ², so that what is made of σ is made of σ²."""
    deviation = made["σ"].expression
    variance = deviation.radicand if isinstance(deviation, f.Root) else f.Product((deviation, deviation), ("",))
    named = {k: replace(d, expression=name_variance(d.expression)) for k, d in made.items()}
    return {
        **named,
        "σ": replace(made["σ"], expression=f.Root(f.Name(VARIANCE))),
        VARIANCE: Definition(VARIANCE, (), variance),
    }


def _is_gradient(definition: Definition) -> bool:
    """Whether a letter is said to be a gradient, g_i = ∂L/∂y_i."""
    return isinstance(definition.expression, f.Derivative)


def vector_plans(keys: Sequence[str], known: Mapping[str, Definition]) -> list[Plan]:
    """What the article itself makes of a vector, entry by entry and with a mean: y_i = w_i x_i/σ, σ² = (1/n) Σ x_m².

    Letters with one index that no line defines are vectors as long as it; what the mean divides by is that length.
    Beside letters with two, x_{ij}, they are as long as their rows.
    """
    needed = _needed(keys, known)
    lengths = {length for definition in needed.values() for length in _lengths(definition.expression)}
    bodies = [part for d in needed.values() for part in f.walk(d.expression) if isinstance(part, f.Name)]
    free = {letter for name in bodies if (letter := letter_of(name)).key not in known}
    vectors = {letter.key for letter in free if len(letter.indices) == 1}
    rows = {letter.key for letter in free if len(letter.indices) == 2} - {"δ"}
    columns = {letter.indices[1] for letter in free if letter.key in rows and len(letter.indices) == 2}
    of_rows = any(letter.key in vectors and not {*letter.indices[:1]} <= columns for letter in free)
    if rows and (vectors & rows or of_rows):
        return []
    settled = len(lengths) == 1 or (not lengths and any(_is_log_of_sum(d.expression) for d in needed.values()))
    if not settled or not (vectors | rows) & set(keys) or lengths & known.keys():
        return []
    shapes: dict[str, tuple[str, ...]] = (
        dict.fromkeys(rows, ("n", "m")) | dict.fromkeys(vectors, VECTOR) | {"ε": NUMBER}
    )
    return [Plan(shapes, dict(needed), dict.fromkeys(lengths, "m"), upright) for upright in (True, False)]


def _is_log_of_sum(e: f.Expression) -> bool:
    """log Σ_i e^{x_i}, for a vector of any length."""
    match e:
        case f.Call("log", (f.BigSum(body=f.Call("exp", (f.Name(),))),)):
            return True
    return False


def _needed(keys: Sequence[str], known: Mapping[str, Definition]) -> dict[str, Definition]:
    """The definitions of these letters, and of those in them."""
    needed = reached(keys, lambda key: _letters(known[key]) if key in known else ())
    return {key: known[key] for key in needed if key in known}


def _lengths(e: f.Expression) -> Iterator[str]:
    """The n of (1/n) Σ_i x_i."""
    for part in f.walk(e):
        if isinstance(part, f.Product) and any(isinstance(x, f.BigSum) for x in part.factors):
            below = [x.denominator for x in part.factors if isinstance(x, f.Quotient)]
        elif isinstance(part, f.Quotient) and isinstance(part.numerator, f.BigSum):
            below = [part.denominator]
        else:
            continue
        yield from (letter_of(x).key for x in below if isinstance(x, f.Name) and not letter_of(x).indices)


def _ends(e: f.Expression) -> Iterator[str]:
    """The B of Σ_{i=1}^B, a length too."""
    sums = (part for part in f.walk(e) if isinstance(part, f.BigSum))
    yield from (letter_of(part.upper).key for part in sums if isinstance(part.upper, f.Name))


def _adds_epsilon(keys: Sequence[str], known: Mapping[str, Definition]) -> bool:
    """Whether ε is added to σ² where σ is used, σ² + ε: then σ itself is without it."""
    used = [set(keys), *({p.base for p in f.walk(d.expression) if isinstance(p, f.Name)} for d in known.values())]
    return any({"σ", "ε"} <= letters for letters in used)


def _times_hat(hat: str) -> f.Expression:
    """γ x̂ + β."""
    product = f.Product((f.Name("γ"), f.Name(hat, ("i",))), ("",))
    return f.Sum((product, f.Name("β")), (1, 1))


def find_token_axis(_: Article, statements: Sequence[Statement]) -> bool | None:
    """Whether tokens are rows, by the shapes that an article gives them and Q, K or V; None where none tell."""
    shapes = declared_shapes(statements)
    tokens = [shape for (base, _, _), shape in shapes.items() if base in TOKENS and len(shape) == 2]
    others = [shape for (base, _, _), shape in shapes.items() if base in "QKV" and len(shape) == 2]
    shared = {(x[0] == y[0], x[1] == y[1]) for x in tokens for y in others}
    return next(iter(shared))[0] if shared in ({(True, False)}, {(False, True)}) else None


def projection_plans(keys: Sequence[str], known: Mapping[str, Definition], axis: bool | None = None) -> list[Plan]:
    """Q = XW_Q, K = XW_K, V = XW_V, or W_Q X with tokens in columns, where one of these matrices stands.

    The tokens have the letter that the article gives them, and so have the weights and their transposes; `axis` tells
    whether they are rows, where the article does.
    """
    weights = {letter: key for letter in "QKV" for key in keys if key in (f"W_{letter}", f"W_{letter.lower()}")}
    made = {letter: found for letter in "QKV" if (found := _projection(known.get(letter))) is not None}
    tokens = next((token for token, _, _ in made.values()), "X")
    if not weights or not any(key in keys for key in (tokens, *"QKV")):
        return []
    plans = []
    for rows in (True, False) if axis is None else (axis,):
        shapes, definitions = {tokens: ("n", "c") if rows else ("c", "n")}, dict(known)
        for letter, size in zip("QKV", "dde", strict=True):
            _, key, turned = made.get(letter, ("", weights.get(letter, f"W_{letter}"), False))
            shapes[key] = ("c", size) if rows is not turned else (size, "c")
            pair = (_name(tokens), _name(key)) if rows else (_name(key), _name(tokens))
            definitions.setdefault(letter, Definition(letter, (), f.Product(pair, ("",))))
        plans.append(Plan(shapes, {k: d for k, d in definitions.items() if k not in shapes}, {"d_k": "d", "d": "d"}))
    return plans


def _projection(definition: Definition | None) -> tuple[str, str, bool] | None:
    """The tokens and weights of `Q = H W_Q`, and whether the weights are transposed there."""
    e = None if definition is None else definition.expression
    if not isinstance(e, f.Product) or len(e.factors) != 2 or definition is None or definition.indices:
        return None
    names = [(x.operand, True) if isinstance(x, f.Transpose) else (x, False) for x in e.factors]
    found = [(letter_of(x), turned) for x, turned in names if isinstance(x, f.Name)]
    weights = [(x.key, turned) for x, turned in found if x.key.startswith("W_")]
    tokens = [x.key for x, turned in found if not x.key.startswith("W_") and not turned and not x.indices]
    return (tokens[0], *weights[0]) if len(weights) == len(tokens) == 1 else None


def _name(key: str) -> f.Name:
    base, *labels = key.split("_")
    return f.Name(base, tuple(labels))


def linear_plans(keys: Sequence[str], known: Mapping[str, Definition]) -> list[Plan]:
    """Y = XW + b of rows, y = Wx + b of columns, as the article has it, and the cross-entropy of a softmax of these."""
    if "W" not in keys and not any("W" in _letters(d) for d in known.values()):
        return []
    wide = {"X": ("n", "c"), "W": ("c", "d"), "b": ("1", "d")}
    tall = {"X": ("c", "n"), "x": ("c", "1"), "W": ("d", "c"), "b": ("d", "1")}
    made, target = {**known, **_targets(known)}, {_FREE_TARGET: ("d", "1")}
    return [
        Plan(shapes, {k: d for k, d in made.items() if k not in shapes}, {}, columns)
        for shapes, columns in ((wide, False), ({**tall, **target}, True))
    ]


_FREE_TARGET = "free target"


def _targets(known: Mapping[str, Definition], letters: Sequence[str] = TARGETS) -> dict[str, Definition]:
    """The target of a cross-entropy −Σ y log p that a line defines, as any numbers that add up to 1."""
    loss = known.get("L")
    if loss is None or not any(map(_is_softmax, known.values())) or not any(map(_is_logarithm, loss.parts)):
        return {}
    free = [key for key in letters if key in _letters(loss) and key not in known]
    return {key: Definition(key, (), f.Call("softmax", (f.Name(_FREE_TARGET),))) for key in free[:1]}


def _is_logarithm(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "log"


def product_plans(keys: Sequence[str], known: Mapping[str, Definition]) -> list[Plan]:
    """C = AB of two matrices of which nothing else is known."""
    plans = []
    for definition in known.values():
        e = definition.expression
        if definition.indices or not isinstance(e, f.Product) or len(e.factors) != 2:
            continue
        shapes: dict[str, tuple[str, ...]] = {}
        for factor, shape in zip(e.factors, (("n", "c"), ("c", "d")), strict=True):
            name = factor.operand if isinstance(factor, f.Transpose) else factor
            if isinstance(name, f.Name) and not letter_of(name).indices and name.base.isupper() and _is_matrix(name):
                shapes[letter_of(name).key] = shape[::-1] if isinstance(factor, f.Transpose) else shape
        if definition.key[0] in "SEse" and shapes.keys() & known.keys():
            continue  # scores, of which dS may be the gradient once they are scaled
        if len(shapes) == 2 and any(key in keys for key in shapes):
            plans += [Plan(shapes, {definition.key: definition}, {}, columns) for columns in (True, False)]
    return plans


def _is_matrix(name: f.Name) -> bool:
    """Whether its marks are no indices, as those of P_{bhij} are: what they stand for is not settled."""
    return not any(len(mark) > 2 and mark.isalpha() and mark.islower() for mark in name.sub)


def additive_plans(keys: Sequence[str], known: Mapping[str, Definition]) -> list[Plan]:
    """Additive attention, e_i = vᵀ tanh(W_q q + W_k k_i + b), in the article's letters; what it leaves out is usual."""
    hidden = next((k for k, d in known.items() if len(d.indices) == 1 and _has_tanh(d)), None)
    if hidden is None or not {"v", "e"} & {*keys, *known}:
        return []
    shapes: dict[str, tuple[str, ...]] = {"v": ("d", "1"), "b": ("d", "1")}
    products = (part for d in known.values() for part in f.walk(d.expression) if isinstance(part, f.Product))
    for factors in (part.factors for part in products if len(part.factors) == 2):
        letters = [letter_of(x) for x in factors if isinstance(x, f.Name)]
        if len(letters) == 2 and letters[0].key.startswith(("W", "U")) and letters[1].key not in known:
            shapes[letters[0].key] = ("d", "c")
            shapes[letters[1].key] = ("m", "c") if letters[1].indices else ("c", "1")
    if len(shapes) == 2:
        return []
    name = f.Name(hidden, known[hidden].indices)
    score = Definition("e", known[hidden].indices, f.Product((f.Transpose(f.Name("v")), name), ("",)))
    return [Plan(shapes, {"e": score, **{k: d for k, d in known.items() if k not in shapes}}, {}, True)]


def _has_tanh(definition: Definition) -> bool:
    return isinstance(definition.expression, f.Call) and definition.expression.function == "tanh"


def _letters(definition: Definition) -> set[str]:
    return {letter_of(part).key for part in f.walk(definition.expression) if isinstance(part, f.Name)}


def softmax_plans(keys: Sequence[str], known: Mapping[str, Definition], source: str) -> list[Plan]:
    """Softmax of a vector, p = softmax(z), or of the rows of Z, and its cross-entropy with a target of sum 1."""
    softmaxes = [k for k, d in known.items() if _is_softmax(d)]
    own = next((k for k in softmaxes if k in keys), next(iter(softmaxes), None))  # P of Z, and no p of z beside it
    warm = next(((k, made) for k in keys if own is None and k in known and (made := tempered_of(known[k]))), None)
    if own is None and warm is None and any(_has_softmax(d) for d in known.values()):
        return []  # weights of what is more than a letter: no other letter is theirs
    logits = _logits_of(known[own]) if own is not None else next((k for k in LOGITS if k in keys), None)
    p = own or next((k for k in PROBABILITIES if k in keys and k != logits), None)
    if warm is not None:
        p, logits = warm[0], warm[1].logits
    elif p is not None and p in known and _logits_of(known[p]) is None:
        return []  # something else
    if logits is None or p is None or (own is None and logits in ("S", "E")):
        return []
    beside = known.get(swap_case(logits))
    if beside is not None and not is_partition(beside.indices, beside.expression):
        return []
    definitions = {k: d for k, d in known.items() if k not in (p, logits)}
    definitions[p] = Definition(p, (), f.Call("softmax", (f.Name(logits) if warm is None else warm[1].argument,)))
    shapes = {logits: VECTOR} if warm is None else {logits: VECTOR, warm[1].temperature: NUMBER}
    used = {*keys, *(_letters(known["L"]) if "L" in known else ())}
    target = next((k for k in TARGETS if k != p and k != logits and k in used), None)
    if target is not None:
        shapes[_FREE_TARGET] = VECTOR
        definitions[target] = Definition(target, (), f.Call("softmax", (f.Name(_FREE_TARGET),)))
        if _ENTROPY.search(source):
            sum_ = _read(r"\sum_k a_k")
            assert isinstance(sum_, f.BigSum)
            logs = f.Call("log", (f.Name(p, ("k",)),))
            body = f.Product((f.Name(target, ("k",)), logs), ("",))
            loss = f.Sum((f.BigSum("k", None, None, body),), (-1,))
            definitions.setdefault("L", Definition("L", (), loss))
    plans = [Plan(shapes, definitions, SIZES, columns) for columns in (True, False)]
    if logits.isupper() and target is None:
        rows = _targets(known, ("Y", "T"))  # of a batch, whose mean may be taken
        free = {logits: ("n", "m"), **dict.fromkeys([_FREE_TARGET] if rows else [], ("n", "m"))}
        plans.append(Plan(free, definitions | rows, SIZES | dict.fromkeys("NBn", "n") if rows else SIZES))
    return plans


def name_one_hot(
    sides: Sequence[f.Expression], known: Mapping[str, Definition]
) -> tuple[list[f.Expression], dict[str, Definition]]:
    """L = −log p_t and δ_kt as the cross-entropy −Σ y_k log p_k and y_k of a target y whose entry t alone is 1."""
    p = _one_probability(known["L"].expression) if "L" in known else None
    target = next((letter for letter in TARGETS if p is not None and letter not in (p.base, *known)), None)
    if p is None or target is None:
        return [rewrite(side, lambda part: _as_target(part, known)) for side in sides], dict(known)

    def named(part: f.Expression) -> f.Expression:
        marks = "".join(part.sub) if isinstance(part, f.Name) and part.base == "δ" else ""
        index = marks.replace(p.sub[0], "", 1)
        found = len(marks) == 2 and len(index) == 1
        return f.Name(target, (index,), start=part.start, end=part.end) if found else part

    terms = f.Product((f.Name(target, ("k",)), f.Call("log", (f.Name(p.base, ("k",)),))), ("",))
    loss = f.Sum((f.BigSum("k", None, None, terms),), (-1,))
    return [rewrite(side, named) for side in sides], {**known, "L": Definition("L", (), loss)}


def _as_target(part: f.Expression, known: Mapping[str, Definition]) -> f.Expression:
    """δ_{yl} beside −Σ_j t_j log p_j as t_l: y, which is no other index, is the class that the target has."""
    marks = "".join(part.sub) if isinstance(part, f.Name) and part.base == "δ" else ""
    if len(marks) != 2 or len(set(marks) & {"y", "c"}) != 1 or "L" not in known:
        return part
    own = [x for x in f.walk(known["L"].expression) if isinstance(x, f.Name) and x.base in TARGETS and len(x.sub) == 1]
    index = marks.strip("yc")
    return f.Name(own[0].base, (index,), start=part.start, end=part.end) if own and own[0].base not in marks else part


def _one_probability(e: f.Expression) -> f.Name | None:
    """The p_t of −log p_t."""
    match e:
        case f.Sum((f.Call("log", (f.Name(base, (mark,), ()) as p,)),), (-1,)) if base in PROBABILITIES:
            return p if len(mark) == 1 and mark.isalpha() else None
    return None


def weights_of(plan: Plan) -> str:
    """The letter that a plan says to be a softmax."""
    return next(key for key, made in plan.definitions.items() if _is_softmax(made) or tempered_of(made))


def speaks_of_softmax(known: Mapping[str, Definition], source: str) -> bool:
    """Whether the article's words or lines have a softmax in them."""
    said = _SOFTMAX.search(source) is not None or any(map(_is_softmax, known.values()))
    return said or any(tempered_of(made) is not None for made in known.values())


def _is_softmax(definition: Definition) -> bool:
    e = definition.expression
    if isinstance(e, f.Call) and e.function == "softmax" and isinstance(e.arguments[0], f.Name):
        return True
    return _logits_of(definition) is not None and len(definition.indices) == 1


def _has_softmax(definition: Definition) -> bool:
    return any(isinstance(part, f.Call) and part.function == "softmax" for part in f.walk(definition.expression))


def _logits_of(definition: Definition) -> str | None:
    """The z of softmax(z), or of e^{z_i} / Σ_j e^{z_j}."""
    e = definition.expression
    if isinstance(e, f.Call) and e.function == "softmax" and isinstance(e.arguments[0], f.Name):
        return e.arguments[0].base
    if isinstance(e, f.Quotient) and isinstance(e.numerator, f.Call) and e.numerator.function == "exp":
        inside = e.numerator.arguments[0]
        if isinstance(inside, f.Name) and len(letter_of(inside).indices) == 1:
            return letter_of(inside).key
    return None
