"""The Jacobians of norms, entry by entry.

RMSNorm: ∂y_i/∂x_j = γ_i (δ_ij − x_i x_j/(d r²))/r with r = √(Σ x²/d);
LayerNorm: γ_i (δ_ij − 1/d − x̂_i x̂_j/d)/σ with x̂ = (x − μ)/σ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

LENGTH = 4
_NORMS = {"rmsnorm": "rms", "layernorm": "layer", "ln": "layer"}
_WIDTHS = frozenset(["d", "D", "n", "N", "H", "m"])
_GAINS = ("γ", "g", "gamma")
_KNOWN = frozenset(["x", "δ", "μ", "x\u0304", "σ", "r", "RMS", "x\u0302", "ε", *_WIDTHS, *_GAINS])
_USUAL = {
    "rms": r"\frac{%s1}{\text{RMS}(x)}\left(\delta_{%s%s} - \frac{x_%s x_%s}{d\,\text{RMS}(x)^2}\right)",
    "layer": r"\frac{%s1}{\sigma}\left(\delta_{%s%s} - \frac{1}{d} - \frac{\hat{x}_%s \hat{x}_%s}{d}\right)",
}


def define_norm_slope(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `∂RMSNorm(x)_i/∂x_j =`."""
    found = _entries(left)
    if found is None or any(isinstance(part, f.Derivative) for part in f.walk(side.expression)):
        return
    kind, i, j = found
    if any(name.base not in _KNOWN | {i, j} for name in names(side.expression)):
        return  # nothing says what such a letter is

    def prepare(scope: Scope) -> None:
        x = scope.draw("x", (1, LENGTH))
        rms = (x * x).total("mean").apply("sqrt")
        mean, deviation = x.total("mean"), x.total("variance").apply("sqrt")
        identity = Tensor.of([[int(k == m) for m in range(LENGTH)] for k in range(LENGTH)])
        values = {"x": x, "δ": identity, "μ": mean, "x\u0304": mean, "σ": deviation, "r": rms, "RMS": rms}
        values |= {"x\u0302": x / rms if kind == "rms" else (x - mean) / deviation, "ε": Tensor.number(0)}
        values |= {gain: scope.draw(gain, (1, LENGTH)) for gain in _GAINS}
        scope.given |= {(letter, (), ()): value for letter, value in values.items()}
        scope.drawn = {"x": str(x)}
        for name in names(side.expression):
            if name.base in _WIDTHS and (name.base, (), ()) not in scope.given:
                scope.sizes[spell(name.symbol)] = LENGTH

    gains = [n.base for n in names(side.expression) if n.base in _GAINS]

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        given = evaluator.scope.given
        hat = given["x\u0302", (), ()]
        own, other = at[i] - 1, at[j] - 1
        spread = given["RMS" if kind == "rms" else "σ", (), ()]
        same = Tensor.number(int(own == other))
        width = Tensor.number(LENGTH)
        slope = same - hat.at(0, own) * hat.at(0, other) / width
        if kind == "layer":
            slope = slope - Tensor.number(1) / width
        gain = given[gains[0], (), ()].at(0, own) if gains else Tensor.number(1)
        return gain * slope / spread

    usual = _USUAL[kind] % ("", i, j, i, j)
    if gains:
        usual = rf"\gamma_{i} \cdot {usual}"
    question = Question(
        value,
        prepare,
        free=lambda evaluator: {i: range(1, LENGTH + 1), j: range(1, LENGTH + 1)},
        place=lambda scope, printed: rewrite(printed, _with_index_below),
    )
    yield Variant(question, Sentence("formula.norm_slope"), usual=usual)


def _entries(left: f.Expression) -> tuple[str, str, str] | None:
    """The norm, and the indices of what is differentiated and of x: ∂RMSNorm(x)_i/∂x_j, ∂RMSNorm(x_i)/∂x_j."""
    if not isinstance(left, f.Derivative) or not isinstance(left.by, f.Name) or left.by.base != "x":
        return None
    by = _indices(left.by)
    match left.of:
        case f.Entry(f.Call(function, (f.Name("x", (), ()),)), of):
            pass
        case f.Call(function, (f.Name("x") as inner,)):
            of = _indices(inner)
        case f.Name(function):
            of = _indices(left.of)
        case _:
            return None
    kind = _NORMS.get(function.replace(" ", "").lower())
    if kind is None or len(of) != 1 or len(by) != 1 or of == by:
        return None
    return (kind, of[0], by[0]) if all(len(x) == 1 and x.isalpha() for x in (*of, *by)) else None


def _indices(name: f.Name) -> tuple[str, ...]:
    return (*name.sub, *name.sup)


def _with_index_below(part: f.Expression) -> f.Expression:
    """x^j as x_j, as physicists write entries."""
    if isinstance(part, f.Name) and part.base in ("x", "x\u0302", *_GAINS) and part.sup and not part.sub:
        return replace(part, sub=part.sup, sup=())
    return part
