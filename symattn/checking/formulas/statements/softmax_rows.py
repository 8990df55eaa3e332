"""The entry of a row of weights, P_ij = softmax(S_i)_j, as the softmax over j of S_ij that it is."""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.reading import formula as f


def chain_with_softmax_rows(chain: f.Chain) -> f.Chain:
    """The chain with `softmax_j(S_ij)` for `softmax(S_i)_j` and `softmax(S)_ij`, where it begins with an entry P_ij.

    >>> [chain] = f.parse(r"P_{ij} = \\text{softmax}(S_i)_j", algebra=True)
    >>> chain_with_softmax_rows(chain).sides[1].expression.label
    ('j',)
    """
    match chain.sides[0].expression:
        case f.Name(sub=marks) if len(pair := "".join(marks).replace(",", "")) == 2 and pair.isalpha():
            pass
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
