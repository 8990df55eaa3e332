"""What is joined of parts: a cache and one more row, K_t = [K_{t−1}; k_t], and parts of vectors, [k^C_t; k^R_t]."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.inference import key_of
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_JOINS = frozenset(("concat", "cat", "concatenate", "append"))
_ROLES = frozenset("qkv")
_SHARED = regex(
    r"\bshar(?:e|ed|es|ing)\b|\btied?\b|\bK\s*=\s*[VQ]\b|\bV\s*=\s*K\b|\bserves? as\b"
    r"|\bsame (?:as|vector|matrix|projection)|共享|共用",
    re.IGNORECASE,
)


def judge_joined(statement: Statement, context: Context) -> Formula | None:
    """Queries, keys or values that are joined of others of their kind: a part of another kind is a slip."""
    match statement.equals:
        case (f.Name(base, (*_, step)) as left, joined) if base.lower() in _ROLES:
            cells = _cells(joined)
        case _:
            return None
    if len(cells) != 2 or not (_is_cache(left, cells, step) or _are_parts(left, cells)):
        return None
    theorem = Sentence("formula.joined")
    other = [cell for cell in cells if cell.base.lower() != base.lower()]
    if _is_cache(left, cells, step) and _is_stacked_otherwise(left, joined, statement, context):
        return None
    if not other:
        return conclude(statement, "holds", theorem)
    if len(other) > 1 or (_is_cache(left, cells, step) and context.mentions(_SHARED)):
        return None
    (cell,) = other
    text = statement.passage.text
    own = base.lower() if cell.base.islower() else base.upper()
    made = text[cell.start : cell.end].replace(cell.base, own, 1)
    right = text[statement.start : cell.start] + made + text[cell.end : statement.chain.end]
    return refuse(statement, theorem, right)


def _cells(e: f.Expression) -> Sequence[f.Name]:
    """The parts of [a; b], [a, b] and Concat(a, b), where they are names of queries, keys or values."""
    match e:
        case f.Matrix(rows) if len(rows) == 1 or all(len(row) == 1 for row in rows):
            parts = [cell for row in rows for cell in row]
        case f.Call(function, arguments) if function in _JOINS:
            parts = [cell for each in arguments for cell in (_cells(each) if isinstance(each, f.Matrix) else (each,))]
        case _:
            return ()
    names = [part for part in parts if isinstance(part, f.Name) and part.base.lower() in _ROLES]
    return names if len(names) == len(parts) else ()


def _is_cache(left: f.Name, cells: Sequence[f.Name], step: str) -> bool:
    """Whether it is K_{t−1} and then the row of step t."""
    before, new = cells
    return (
        left.base.isupper()
        and before.base.isupper()
        and (*left.sub[:-1], f"{step}-1") == before.sub
        and new.sub == left.sub
        and left.sup == before.sup == new.sup
    )


def _is_stacked_otherwise(left: f.Name, joined: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether a stated shape has the steps in columns where `;` stacks rows, or in rows where `,` sets columns."""
    shapes = context.once(collect)
    found = shapes.fit(left, None, statement.span[0]).shape if key_of(left) in shapes.declared else None
    if found is None or len(found) != 2 or not isinstance(joined, f.Matrix):
        return False
    counted = ["t" in map(str, axis.free_symbols) or str(axis) in ("n", "N", "T", "L", "S") for axis in found]
    return counted[0] != counted[1] and counted[1] == (len(joined.rows) > 1)


def _are_parts(left: f.Name, cells: Sequence[f.Name]) -> bool:
    """Whether they are two parts with a label each, k^C_{t,i} and k^R_t: all heads may share one."""
    own = {*left.sub, *left.sup}
    marks = [{*cell.sub, *cell.sup} for cell in cells]
    labels = [each - own for each in marks]
    return [len(each) for each in labels] == [1, 1] and labels[0] != labels[1] and all(each & own for each in marks)
