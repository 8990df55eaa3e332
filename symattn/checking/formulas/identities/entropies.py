"""Entropies written out: H(p) = −Σ_i p_i log p_i, H(p, q) = −Σ_i p_i log q_i, D_KL(p ‖ q) = Σ_i p_i log(p_i/q_i).

Source: Cover and Thomas, Elements of Information Theory, 2nd edition, equations 2.1 and 2.26.
"""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

_OVER = "⋆"  # the index of the sums, which no article uses


def write_out_entropies(e: f.Expression) -> f.Expression:
    """The expression with its entropies and divergences of named distributions as sums.

    >>> [chain] = f.parse("KL(p || q)", algebra=True)
    >>> type(write_out_entropies(chain.sides[0].expression)).__name__
    'BigSum'
    """
    return rewrite(e, _write_out)


def has_entropies(e: f.Expression) -> bool:
    return any(_write_out(part) is not part for part in f.walk(e))


def _write_out(e: f.Expression) -> f.Expression:
    match e:
        case f.Call("kl", (f.Name() as p, f.Name() as q)):
            return _sum(p, f.Quotient(_entry(p), _entry(q)))
        case f.Call("H" | "h" | "entropy", (f.Name() as p, f.Name() as q)):
            return f.Sum((_sum(p, _entry(q)),), (-1,))
        case f.Call("H" | "h" | "entropy", (f.Name() as p,)):
            return f.Sum((_sum(p, _entry(p)),), (-1,))
        case f.Product((f.Name("H", (), ()), f.Name() as p), ("",)) if p.base.islower():
            return f.Sum((_sum(p, _entry(p)),), (-1,))  # `H(p)`
    return e


def _sum(p: f.Name, of: f.Expression) -> f.BigSum:
    return f.BigSum(_OVER, None, None, f.Product((_entry(p), f.Call("log", (of,))), ("",)))


def _entry(p: f.Name) -> f.Name:
    return replace(p, sub=(*p.sub, _OVER), text="")
