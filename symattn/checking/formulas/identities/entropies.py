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
    return rewrite(rewrite(rewrite(e, _at_values), _of_capital), _write_out)


def _of_capital(e: f.Expression) -> f.Expression:
    """H(P), which is read as a product as H P is."""
    match e:
        case f.Product((f.Name("H", (), ()) as h, f.Name() as p), ("",)) if p.base.isupper() and p.start == h.end + 1:
            return f.Call("H", (p,), start=e.start, end=e.end)
    return e


def _at_values(e: f.Expression) -> f.Expression:
    """Σ_x p(x) log q(x) as Σ_x p_x log q_x, if x stands nowhere else in it."""
    match e:
        case f.BigSum(index, None, None, body, _) if len(index) == 1 and index.isalpha():
            x = f.Name(index)
            of_x = rewrite(rewrite(body, lambda part: _shown_at(part, x)), lambda part: _multiplied_at(part, x))
            of_x = rewrite(of_x, lambda part: _raised_at(part, index))
            if of_x != body and x not in f.walk(of_x):
                return f.BigSum(index, None, None, of_x, start=e.start, end=e.end)
    return e


def _shown_at(part: f.Expression, x: f.Name) -> f.Expression:
    """The p of log p(x), whose argument stands in its text alone."""
    if isinstance(part, f.Name) and not part.sub and part.text == f"{part.base}({x.base})":
        return replace(part, sub=(x.base,), text="")
    return part


def _raised_at(part: f.Expression, index: str) -> f.Expression:
    """The entry p^{(i)} as p_i."""
    if isinstance(part, f.Name) and part.sup == (f"({index})",):
        return replace(part, sub=(*part.sub, index), sup=(), text="")
    return part


def _multiplied_at(part: f.Expression, x: f.Name) -> f.Expression:
    """p(x), which is read as a product."""
    if not isinstance(part, f.Product) or x not in part.factors[1:]:
        return part
    factors, operators = [part.factors[0]], list[str]()
    for operator, factor in zip(part.operators, part.factors[1:], strict=True):
        last = factors[-1]
        if factor == x and operator == "" and isinstance(last, f.Name) and last != x and not last.sub:
            factors[-1] = replace(last, sub=(x.base,), text="")
        elif factor == x and operator == "" and (log := _log_at(last, x)) is not None:
            factors[-1] = log
        else:
            factors.append(factor)
            operators.append(operator)
    return factors[0] if len(factors) == 1 else replace(part, factors=tuple(factors), operators=tuple(operators))


def _log_at(e: f.Expression, x: f.Name) -> f.Expression | None:
    """log Q_i for the log Q of `\\log Q(i)`."""
    match e:
        case f.Call("log", (f.Name(_, ()) as q,)) if q != x:
            return replace(e, arguments=(replace(q, sub=(x.base,), text=""),))
    return None


def has_entropies(e: f.Expression) -> bool:
    return any(_write_out(part) is not part for part in f.walk(e))


def usual_divergence(left: f.Expression, right: f.Expression) -> str:
    """D_KL(p ‖ q) as it is written, beside a sum of the same two letters: whatever else that is, it is false."""
    match left:
        case f.Call("kl", (f.Name(p, (), ()), f.Name(q, (), ()))):
            names = {part.base for part in f.walk(right) if isinstance(part, f.Name) and part.base not in "ijkx"}
            sums = [part for part in f.walk(right) if isinstance(part, f.BigSum) and part.index]
            if names == {p, q} and len(sums) == 1:
                index = sums[0].index
                return rf"\sum_{index} {p}_{index} \log \frac{{{p}_{index}}}{{{q}_{index}}}"
    return ""


def is_of_measures(e: f.Expression) -> bool:
    """Whether it is the divergence of any positive numbers, Σ_i (p_i log(p_i/q_i) − p_i + q_i).

    Source: Lee and Seung, Algorithms for Non-negative Matrix Factorization (2001), equation 3.
    """
    sums = [part.body for part in f.walk(e) if isinstance(part, f.BigSum)]
    terms = [part.terms for body in sums for part in f.walk(body) if isinstance(part, f.Sum)]
    return any(sum(isinstance(term, f.Name) for term in each) > 1 for each in terms)


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
