"""How notes and programs spell online softmax: `tile_max`, `sum(exp(score - m_new) * V)`, m_running beside m_new."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence, Set
from dataclasses import replace

from symattn.checking.formulas.recurrences.states_of_rows import name_states_of_rows
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f

_SCORES = ("score", "scores")
_KINDS = {"max": "m", "sum": "ℓ"}
_WHOSE = regex(r"tile|block|blk|chunk|local|new|old|prev|running")
_RUNNING = regex(r"run(?:ning)?|so far|hist(?:ory)?")
_OF_BLOCK = regex(r"[A-Z]_(?P<step>[a-z])")
_OF_KEYS = ("S", "s", "x", "V", "v", "P", "p", "P̃", "p̃")
_OF_STATES = ("m", "ℓ", "l", "d", "O", "o")
_OF_STEPS = ("m", "ℓ", "l", "O", "Õ")
_LAST = regex(r"\((?:T_?c?|N|n|last|final)\)")
_WEIGHTS = ("p", "P", "p̃", "P̃")


def spell_online(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides with S for score, m_tile for tile_max, row sums and products for sums over the keys of a block,
    m_old for m_running beside m_new."""
    spelled = [rewrite(rewrite(name_states_of_rows(side), _composed), _mark_step) for side in sides]
    spelled = _last_as_whole([rewrite(side, lambda part: _plain_scores(part, spelled)) for side in spelled])
    spelled = [rewrite(rewrite(rewrite(side, _name_block), _name), _gather) for side in spelled]
    named = [part for side in spelled for part in f.walk(side) if isinstance(part, f.Name)]
    above = {mark for name in named if name.base in _OF_STATES for mark in name.sup}
    spelled = [rewrite(side, lambda part: _block_at_step(part, above)) for side in spelled]
    whose = mark_of_block(spelled)
    spelled = [rewrite(side, lambda part: _as_block(part, whose)) for side in spelled]
    marks = {mark for name in named for mark in (*name.sub, *name.sup)}
    if "new" not in marks or "old" in marks:
        return spelled
    step = _step_before_new(named)
    return [rewrite(side, lambda part: _running_as_old(_step_as_old(part, step))) for side in spelled]


def _composed(part: f.Expression) -> f.Expression:
    """Õ as one letter, for O with a tilde above."""
    marked = isinstance(part, f.Name) and part.base in ("O\u0303", "o\u0303")
    return replace(part, base=unicodedata.normalize("NFC", part.base)) if marked and isinstance(part, f.Name) else part


def _mark_step(part: f.Expression) -> f.Expression:
    """m_i^(j−1) of plain text as m_i^{(j−1)}: maxima and sums are raised to no power."""
    match part:
        case f.Power(f.Name(base) as state, f.Name(step, ())) if base in _OF_STEPS:
            mark = step
        case f.Power(f.Name(base) as state, f.Sum((f.Name(step, ()), f.Number("1")), (1, sign))) if base in _OF_STEPS:
            mark = f"{step}{'+' if sign > 0 else '-'}1"
        case _:
            return part
    return replace(state, sup=(*state.sup, f"({mark})"), start=part.start, end=part.end)


def _plain_scores(part: f.Expression, sides: Sequence[f.Expression]) -> f.Expression:
    """S for S̃, the scores of one block, in a line that has no other scores."""
    named = {inner.base for side in sides for inner in f.walk(side) if isinstance(inner, f.Name)}
    tilde = isinstance(part, f.Name) and part.base in ("S\u0303", "s\u0303") and named.isdisjoint(("S", "s", "x"))
    return replace(part, base=part.base[0]) if tilde and isinstance(part, f.Name) else part


def _last_as_whole(sides: list[f.Expression]) -> list[f.Expression]:
    """O_i and ℓ_i for O_i^{(T_c)} and ℓ_i^{(T_c)}, the states behind the last block, beside a result without a mark."""
    if not sides:
        return sides
    left, *others = sides
    states = [part for side in others for part in f.walk(side) if isinstance(part, f.Name) and part.base in _OF_STEPS]
    marks = {name.sup for name in states}
    if not isinstance(left, f.Name) or left.sup or len(marks) != 1 or not all(map(_LAST.fullmatch, *marks)):
        return sides
    return [left, *(rewrite(side, lambda part: replace(part, sup=()) if part in states else part) for side in others)]


def _name_block(part: f.Expression) -> f.Expression:
    """`exp(block - m_new)`: the scores of a block."""
    match part:
        case f.Call(
            "exp", (f.Sum((f.Name(("block" | "tile" | "chunk"), (), ()) as block, f.Name() as top), (1, -1)) as less,)
        ):
            scores = f.Name("S", start=block.start, end=block.end)
            taken = f.Sum((scores, top), less.signs, start=less.start, end=less.end)
            return f.Call("exp", (taken,), start=part.start, end=part.end)
    return part


def _block_at_step(part: f.Expression, above: Set[str]) -> f.Expression:
    """S^{(j)} and V^{(j)} for the block S_{:,j}, V_{j,:} or S_{B_j}, where states have their step above, m^{(j)}."""
    if not isinstance(part, f.Name) or part.base not in _OF_KEYS or part.sup:
        return part
    blocks = [found["step"] for mark in part.sub if (found := _OF_BLOCK.fullmatch(mark)) is not None]
    steps = [mark for mark in part.sub if mark != ":"] if ":" in part.sub else blocks
    step = f"({steps[0]})" if len(steps) == 1 else ""
    return replace(part, sub=(), sup=(step,)) if step in above else part


def mark_of_block(sides: Sequence[f.Expression]) -> str:
    """The b of m_b beside m_new and the state before, m or m_old: that of the block; empty where it is not the only
    one."""
    named = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    marks = {(name.sub, name.sup) for name in named if name.base in _OF_STEPS or name.base == "o"}
    before = {(name.sub, name.sup) for name in named if name.base == "m"} & _MARKS_OF_OLD
    others = marks - _MARKS_OF_OLD - _MARKS_OF_NEW
    if not before or len(others) != 1 or marks.isdisjoint(_MARKS_OF_NEW):
        return ""
    [(sub, sup)] = others
    return sub[0] if not sup and len(sub) == 1 and len(sub[0]) == 1 else ""


_MARKS_OF_NEW = {(("new",), ()), ((), ("new",)), ((), ("′",))}
_MARKS_OF_OLD = {((), ()), *(((mark,), ()) for mark in ("old", "prev")), *(((), (mark,)) for mark in ("old", "prev"))}


def _as_block(part: f.Expression, whose: str) -> f.Expression:
    if not whose or not isinstance(part, f.Name) or not (part.base in _OF_STEPS or part.base == "o"):
        return part
    return replace(part, sub=("block",)) if (part.sub, part.sup) == ((whose,), ()) else part


def _step_before_new(named: Sequence[f.Name]) -> str:
    """The j of m_j and ℓ_j beside m_new and S^{(j+1)}, the step before the new block; empty where there is none."""
    above = {mark for name in named if name.base in _OF_KEYS for mark in name.sup}
    below = {mark for name in named if name.base in _OF_STATES for mark in name.sub if mark != "new"}
    if len(above) != 1 or len(below) != 1:
        return ""
    [step], [next_step] = below, above
    return step if step.isalpha() and next_step.strip("()") == f"{step}+1" else ""


def _step_as_old(part: f.Expression, step: str) -> f.Expression:
    if not step or not isinstance(part, f.Name):
        return part
    if part.base in _OF_STATES and part.sub == (step,):
        return replace(part, sub=("old",))
    return replace(part, sup=()) if part.base in _OF_KEYS else part


def _name(part: f.Expression) -> f.Expression:
    if not isinstance(part, f.Name):
        return part
    if part.base in _SCORES:
        return replace(part, base="S")
    if len(part.sub) == 1 and not part.sup:
        for kind, whose in ((part.base, part.sub[0]), (part.sub[0], part.base)):
            if kind in _KINDS and _WHOSE.fullmatch(whose):
                return replace(part, base=_KINDS[kind], sub=(whose,))
    return part


def _running_as_old(part: f.Expression) -> f.Expression:
    if not isinstance(part, f.Name):
        return part
    sub, sup = (tuple("old" if _RUNNING.fullmatch(mark) else mark for mark in x) for x in (part.sub, part.sup))
    return replace(part, sub=sub, sup=sup)


def _gather(part: f.Expression) -> f.Expression:
    """`sum(p)` and Σ p as the row sum, `sum(p * V)` and pᵀ V as the product of a row of weights and the values."""
    match part:
        case f.Call("sum", (inside,)) | f.BigSum("", None, None, inside, None) if _has_weights(inside):
            if isinstance(inside, f.Product) and len(inside.factors) == 2 and _is_values(inside.factors[1]):
                return replace(inside, operators=("",))
            return f.Call("rowsum", (inside,), start=part.start, end=part.end)
        case f.Product((f.Transpose(f.Name(("p" | "p̃")) as row), values)) if _is_values(values):
            return replace(part, factors=(row, values))
    return part


def _has_weights(inside: f.Expression) -> bool:
    """Whether it is weights of the keys, p or e^{S − m}, or these times the values."""
    match inside:
        case f.Product((weights, values)):
            return _is_values(values) and _has_weights(weights)
        case f.Name(base):
            return base in _WEIGHTS
        case f.Call("exp", (f.Sum((f.Name(("S" | "s" | "x")), f.Name("m" | "m̃")), (1, -1)),)):
            return True
    return False


def _is_values(e: f.Expression) -> bool:
    return isinstance(e, f.Name) and e.base in ("V", "v")


def rescales_in_place(sides: Sequence[f.Expression], letter: str) -> bool:
    """Whether `O = α O` is a line of its own, after which O_old is the output at the new maximum already."""
    match sides:
        case (f.Name(base) as left, f.Product(factors)) if base == letter:
            return left in factors
    return False


def rescales(side: f.Expression, steps: Sequence[str] = ()) -> bool:
    """Whether e^{m_old − m_new} is in it, of the maxima of two steps; the first of them is one of `steps`, if any."""
    powers = [part.arguments[0] for part in f.walk(side) if isinstance(part, f.Call) and part.function == "exp"]
    sums = [power for power in powers if isinstance(power, f.Sum) and sorted(power.signs) == [-1, 1]]
    pairs = [x.terms for x in sums if all(isinstance(term, f.Name) and term.base == "m" for term in x.terms)]
    return any(a != b and (not steps or (isinstance(a, f.Name) and set(a.sub) & set(steps))) for a, b in pairs)


def dot_by_entry(part: f.Expression) -> f.Expression:
    """`e^{m - m_new} · ℓ · O` as a product by entries, of a number for every query; weights times values are none."""
    if not isinstance(part, f.Product) or not {"·", "*", "×"} & set(part.operators):
        return part
    *others, last = part.factors
    if not _is_values(last):
        return f.Elementwise(part.factors, start=part.start, end=part.end)
    if len(others) == 1:
        return part
    return replace(part, factors=(f.Elementwise(tuple(others)), last), operators=part.operators[-1:])


def with_tilde(part: f.Expression) -> f.Expression:
    return replace(part, base=part.base + "\u0303") if isinstance(part, f.Name) and part.base in ("P", "p") else part


def is_rescaled_before(letter: str, statement: Statement, context: Context) -> bool:
    """Whether a line before a statement has rescaled its letter already, O = α O."""
    return any(rescales_in_place(each.equals, letter) for each in context.statements[: statement.number])
