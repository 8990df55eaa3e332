"""Layers whose gradients articles print besides attention: normalisation, softmax and its Jacobian, cross-entropy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from symattn.checking.models.passes import Definition, Plan, swap_case
from symattn.reading import formula as f

SIZES = dict.fromkeys(("m", "n", "N", "d", "D", "H", "M", "d_model", "C", "K"), "m")
VECTOR, NUMBER = ("m", "1"), ()
_SOFTMAX = re.compile(r"soft-?max", re.IGNORECASE)
_ENTROPY = re.compile(r"cross[- ]?entropy|交叉熵|交叉エントロピー|교차 엔트로피|entropie croisée", re.IGNORECASE)
PROBABILITIES = ("p", "a", "ŷ", "s", "P", "A", "y", "q", "α", "σ")
LOGITS = ("z", "x", "e", "s", "o", "Z")
TARGETS = ("y", "t")


def _read(text: str) -> f.Expression:
    return f.parse(text, algebra=True)[0].sides[0].expression


def norm_plans(keys: Sequence[str], known: Mapping[str, Definition]) -> list[Plan]:
    """LayerNorm or RMSNorm of a vector x, where x̂ stands in the statement: what no line defines is the usual."""
    hat = next((key for key in ("x̂", "X̂") if key in keys or key in known), None)
    if hat is None:
        return []
    x = "x" if hat == "x̂" else "X"
    usual = {
        "μ": Definition("μ", (), _read(rf"\frac{{1}}{{m}} \sum_j {x}_j")),
        "σ": Definition("σ", (), _read(rf"\sqrt{{\frac{{1}}{{m}} \sum_j ({x}_j - \mu)^2 + \varepsilon}}")),
        hat: Definition(hat, ("i",), _read(rf"\frac{{{x}_i - \mu}}{{\sigma}}")),
        "y": Definition("y", ("i",), _times_hat(hat)),
    }
    made = {**usual, **{k: d for k, d in known.items() if k not in ("L",)}}
    plans = []
    for shape in (NUMBER, VECTOR):
        shapes = {x: VECTOR, "γ": shape, "β": shape, "g": shape, "b": shape, "ε": NUMBER}
        definitions = {k: d for k, d in made.items() if k not in shapes}
        plans += [Plan(shapes, definitions, SIZES, columns) for columns in (True, False)]
    return plans


def _times_hat(hat: str) -> f.Expression:
    """γ x̂ + β."""
    product = f.Product((f.Name("γ"), f.Name(hat, ("i",))), ("",))
    return f.Sum((product, f.Name("β")), (1, 1))


def softmax_plans(keys: Sequence[str], known: Mapping[str, Definition], source: str) -> list[Plan]:
    """One row of softmax, p = softmax(z), and its cross-entropy with a target of sum 1."""
    if not _SOFTMAX.search(source) and not any(_is_softmax(d) for d in known.values()):
        return []
    own = next((k for k, d in known.items() if _is_softmax(d)), None)
    logits = _logits_of(known[own]) if own is not None else next((k for k in LOGITS if k in keys), None)
    p = own or next((k for k in PROBABILITIES if k in keys and k != logits), None)
    if logits is None or p is None or logits in ("S", "E") or swap_case(logits) in known:
        return []
    definitions = {k: d for k, d in known.items() if k not in (p, logits)}
    definitions[p] = Definition(p, (), f.Call("softmax", (f.Name(logits),)))
    shapes = {logits: VECTOR}
    target = next((k for k in TARGETS if k != p and k != logits and (k in keys or "L" in known)), None)
    if target is not None:
        shapes["free target"] = VECTOR
        definitions[target] = Definition(target, (), f.Call("softmax", (f.Name("free target"),)))
        if _ENTROPY.search(source):
            sum_ = _read(r"\sum_k a_k")
            assert isinstance(sum_, f.BigSum)
            logs = f.Call("log", (f.Name(p, ("k",)),))
            body = f.Product((f.Name(target, ("k",)), logs), ("",))
            loss = f.Sum((f.BigSum("k", None, None, body),), (-1,))
            definitions.setdefault("L", Definition("L", (), loss))
    return [Plan(shapes, definitions, SIZES, columns) for columns in (True, False)]


def _is_softmax(definition: Definition) -> bool:
    e = definition.expression
    if isinstance(e, f.Call) and e.function == "softmax" and isinstance(e.arguments[0], f.Name):
        return True
    return _logits_of(definition) is not None and len(definition.indices) == 1


def _logits_of(definition: Definition) -> str | None:
    """The z of softmax(z), or of e^{z_i} / Σ_j e^{z_j}."""
    e = definition.expression
    if isinstance(e, f.Call) and e.function == "softmax" and isinstance(e.arguments[0], f.Name):
        return e.arguments[0].base
    if isinstance(e, f.Quotient) and isinstance(e.numerator, f.Call) and e.numerator.function == "exp":
        inside = e.numerator.arguments[0]
        if isinstance(inside, f.Name) and len(inside.sub) == 1 and len(inside.sub[0]) == 1:
            return inside.base
    return None
