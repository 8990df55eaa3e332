r"""Lines that the field writes in one form: token shifts and averages of RWKV, retention, caches that grow.

What is printed in another form may mean something else, so it is left open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.statements.wording import is_disowned
from symattn.checking.formulas.trials.printed_alike import is_printed_as, without_products
from symattn.patterns import regex
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Line:
    """A form by its sentence: how it is printed, the words the article has, and what may stand for its letters."""

    key: str
    printed: tuple[str, ...]
    about: re.Pattern[str] | None = None
    letters: Mapping[str, str] = field(default_factory=dict)
    unless: re.Pattern[str] | None = None  # words of the article that name another one


_RWKV = regex(r"RWKV|\bwkv\b", re.IGNORECASE)
_SOFTMAX = regex(r"softmax", re.IGNORECASE)
_CACHE = regex(r"cach|缓存|快取|キャッシュ", re.IGNORECASE)
_SUM = r"\sum_{i=1}^{t-1} e^{-(t-1-i)w + k_i}"
_UPSTREAM = r"\frac{\partial L}{\partial s}"
LINES = (
    Line("usual_wkv", (rf"wkv_t = \frac{{{_SUM} v_i + e^{{u + k_t}} v_t}}{{{_SUM} + e^{{u + k_t}}}}",), _RWKV),
    Line(
        "usual_wkv",
        (
            r"wkv_t = \frac{a_{t-1} + e^{u + k_t} v_t}{b_{t-1} + e^{u + k_t}}",
            r"a_t = e^{-w} a_{t-1} + e^{k_t} v_t",
            r"b_t = e^{-w} b_{t-1} + e^{k_t}",
        ),
        _RWKV,
    ),
    Line(
        "usual_token_shift",
        (r"y_t = W_y (\mu_y x_t + (1 - \mu_y) x_{t-1})", r"y_t = \mu x_t + (1 - \mu) x_{t-1}"),
        _RWKV,
        {"y": "r k v x̄"},
    ),
    Line("usual_retention", (r"Retention(Q, K, V) = (Q K^T \odot D) V",)),
    Line(
        "usual_gated_state",
        tuple(
            rf"S_t = {decay} S_{{t-1}} + {gate} {product}"
            for decay, gate in (("a_t", "b_t"), ("a", "b_t"), ("a_t", ""))
            for product in ("k_t v_t^T", "v_t k_t^T")
        ),
        None,
        {"S": "S H M", "a": "α γ λ g", "b": "β η"},
        regex(r"delta|Δ", re.IGNORECASE),
    ),
    Line(
        "usual_growing_cache",
        tuple(
            line.replace("K", whole).replace("k", row)
            for whole, row in ("Kk", "Vv")
            for line in (
                r"K_t = [K_{t-1}; k_t]",
                r"K_{1:t} = [K_{1:t-1}; k_t]",
                r"K_{cache} = concat(K_{cache}, k_{new})",
            )
        ),
        _CACHE,
        {},
        regex(r"window|evict|fixed[- ]size|窗|淘汰|固定大小", re.IGNORECASE),
    ),
    Line(
        "usual_mixture",
        (r"y = \sum_{i=1}^{n} g_i E_i(x)", r"y = \sum_i g_i E_i(x)", r"y = \sum_{i=1}^{n} g_i(x) E_i(x)"),
        regex(r"\bMoE\b|expert|专家|専門家", re.IGNORECASE),
        {"y": "y h o", "g": "g G p w", "E": "E f F", "x": "x h u"},
    ),
    Line(
        "usual_cosine",
        tuple(
            rf"\mathrm{{{name}}}(a, b) = \frac{{{x}}}{{\|a\| \|b\|}}"
            for name in ("sim", "cos")
            for x in ("a b", "a^T b")
        ),
        None,
        {"a": "q x u a A", "b": "k y v b B"},
    ),
    Line(
        "usual_softmax_gradient",
        (
            rf"\frac{{\partial L}}{{\partial z}} = s \odot ({_UPSTREAM} - s^T {_UPSTREAM})",
            rf"\frac{{\partial L}}{{\partial z}} = s \odot ({_UPSTREAM} - (s^T {_UPSTREAM}))",
        ),
        _SOFTMAX,
        {"s": "s p y a", "z": "z x l u"},
        regex(r"log[- ]?softmax", re.IGNORECASE),
    ),
    Line(
        "usual_error",
        (r"\nabla_z L = p - y",),
        regex(r"cross[- ]?entropy|交叉熵|交差エントロピー|\bCE\b", re.IGNORECASE),
        {"L": "CE", "p": "p ŷ", "y": "y t", "z": "z"},
        regex(r"\bMSE\b|squared|focal|temperature|smooth|averag|\bmean\b|温度|平均|平方|平滑", re.IGNORECASE),
    ),
    Line(
        "usual_inner_width",
        (r"d_{ff} = 4 d_{model}",),
        None,
        {},
        regex(r"d_\{?(?:ff|\\text\{ff\})\}?\$?\s*=\s*\$?\d{2}"),
    ),
)


def judge_usual_line(statement: Statement, context: Context) -> Formula | None:
    """An equation that is one of the forms in print."""
    if len(statement.equals) != 2 or is_disowned(statement) or _DENIED.search(_sentence_of(statement)):
        return None
    sides = without_products(statement.equals)
    for line in LINES:
        if line.about is not None and not context.mentions(line.about):
            continue
        if line.unless is not None and context.mentions(line.unless):
            continue
        for printed in line.printed:
            if is_printed_as(printed, sides, line.letters):
                return accept(statement, Sentence(line.key))
    return None


_DENIED = regex(r"\bnot\b|n't|\bnever\b|\bwrong|incorrect|mistak|[?？]|不[是用能]|并非|错误|錯誤|誤り", re.IGNORECASE)
_BREAK = regex(r"[.。;；!?！？\n]")


def _sentence_of(statement: Statement) -> str:
    """What stands around a formula in its sentence, and the mark that ends it."""
    return _BREAK.split(statement.before)[-1] + statement.after.partition("\n")[0].split(". ")[0][:80]
