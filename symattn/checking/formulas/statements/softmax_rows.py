"""Entries of softmax: P_ij = softmax(S_i)_j as the softmax over j of S_ij, and softmax(z) beside e^{z_i}/Σ_j e^{z_j} as
its entry i."""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.models.spelling import open_indices
from symattn.checking.naming import rewrite
from symattn.reading import formula as f


def chain_with_softmax_rows(chain: f.Chain) -> f.Chain:
    """The chain with `softmax_j(S_ij)` for `softmax(S_i)_j` and `softmax(S)_ij` behind an entry P_ij, and with
    `softmax(z)_i` for `softmax(z)` beside an entry.

    >>> [chain] = f.parse(r"P_{ij} = \\text{softmax}(S_i)_j", algebra=True)
    >>> chain_with_softmax_rows(chain).sides[1].expression.label
    ('j',)
    """
    match chain.sides[0].expression:
        case f.Name(sub=marks) if len(pair := "".join(marks).replace(",", "")) == 2 and pair.isalpha():
            pass
        case f.Call("softmax", (f.Name(_, (), ()) as row,), ()) as whole:
            return _at_entry(chain, whole, row)
        case _:
            return chain

    def entry(part: f.Expression) -> f.Expression:
        match part:
            case f.Entry(f.Call("softmax", (f.Name(sub=own) as scores,), ()) as call, last) if not scores.sup:
                given = "".join((*own, *last)).replace(",", "").replace(":", "")
                named = replace(scores, sub=(pair,))
                return replace(call, arguments=(named,), label=(pair[1],)) if given == pair else part
        return part

    sides = (replace(side, expression=rewrite(side.expression, entry)) for side in chain.sides)
    return replace(chain, sides=tuple(sides))


def _at_entry(chain: f.Chain, whole: f.Call, row: f.Name) -> f.Chain:
    """The chain with the i-th entry of a softmax, where each other side is e^{z_i} over a sum of such."""
    indices = set[frozenset[str]]()
    for side in chain.sides[1:]:
        match side.expression:
            case f.Quotient(f.Call("exp", (f.Name(base, (_,), ()),)), f.BigSum(body=f.Call("exp"))) if base == row.base:
                indices.add(open_indices(side.expression))
            case _:
                return chain
    if len(indices) != 1 or len(index := indices.pop()) != 1:
        return chain
    entry = f.Entry(whole, tuple(index), start=whole.start, end=whole.end)
    return replace(chain, sides=(replace(chain.sides[0], expression=entry), *chain.sides[1:]))
