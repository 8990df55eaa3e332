"""Sums over the heads of a family, or over those that share a key/value head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.printing.precedence import PRECEDENCE

from symattn.errors import NotSupportedError
from symattn.nodes.boxes import Brackets
from symattn.nodes.elementary.families import OverMembers, Plus, at
from symattn.nodes.node import At
from symattn.writing.document import Box, Formula, Signed, Style
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class OverHeads:
    """A sum over heads of something written; of those that use a key/value head only, if that is given."""

    heads: OverMembers
    body: Box
    limits: bool = False  # from 1 to their number

    def write(self, style: Style) -> str:
        _, index, count, *group = self.heads.args
        under, above = style.expression(index), ""
        if group:
            used = style.notation.counter(str(sympy.ceiling(index * group[1] / count)))
            under = f"{under}: {used} = {style.expression(group[0])}"
            if style.target == "latex":
                under = under.replace("⌈", r"\lceil ").replace("⌉", r" \rceil").replace(": ", r" :\, ")
        elif self.limits:
            under, above = f"{under}=1", style.expression(count)
        return style.summed(under, above, self.body.write(style))


def over_heads(heads: OverMembers, written: Callable[[Any], Box | None]) -> Box | None:
    """The sum of what the terms of a head are written as; None where one of them has no such form."""
    body = heads.args[0]
    terms = [written(term) for term in (body.args if isinstance(body, Plus) else (body,))]
    sums = tuple(("+", OverHeads(heads, term)) for term in terms if term is not None)
    return Signed(sums) if len(sums) == len(terms) else None


class SumMembers(OverMembers):
    """The sum of the members of a family. Shape: that of every term."""

    precedence = PRECEDENCE["Add"]  # in brackets inside a product

    def written(self, at: At, i: str, j: str) -> Box | None:
        return over_heads(self, lambda term: at(term, i, j))

    def joined(self) -> Any:
        return Plus(*self.members())


class SumHeads(SumMembers):
    """A sum over the heads: Σ_i head_i W_i^O. Shape: that of every term."""

    def formula(self) -> Box:
        return OverHeads(self, _term(self.args[0]), limits=True)


class SumGroup(SumMembers):
    """A sum over the heads i that use key/value head j, the i-th h/g of them: Σ_{⌈i g/h⌉ = j} body_i.

    Shape: that of every term. Source: Ainslie et al. 2023, section 2.2 (contiguous groups).
    """

    def members(self) -> list[Any]:
        body, index, count, group, groups = self.args
        size = count / groups
        if not (size.is_Integer and group.is_Integer):
            raise NotSupportedError(Sentence("heads_unknown", heads=count))
        return [at(body, index, k) for k in range(int((group - 1) * size) + 1, int(group * size) + 1)]

    def formula(self) -> Box:
        return OverHeads(self, _term(self.args[0]))


def _term(body: Any) -> Box:
    """What a sum sign stands before: a sum of its own in brackets."""
    return Brackets(Formula(body)) if isinstance(body, Plus) else Formula(body)
