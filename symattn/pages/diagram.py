"""The flow of a program as a diagram: inputs and steps, with an arrow from what each step needs."""

from __future__ import annotations

from sympy import Expr, MatrixSymbol
from sympy import Symbol as SympySymbol

from symattn.program.steps import Index, Program
from symattn.writing.document import Chain, Diagram, Formula, Group, Listed, Place, Row, Symbol

MOST_COUNTED = 3  # heads up to so many are counted one by one
_MARKS = {"'": "scaled", "~": "masked", "^": "of", "_": "_", "(": "", ")": "", ",": "_"}


def flow(program: Program) -> Diagram:
    """One node for each input and step, in order; a family of steps is one node, families stand in a frame."""
    nodes = [Place(_key(s), Symbol(s.name)) for s in program.inputs]
    frames: list[tuple[tuple[str, str, Index], set[str]]] = []  # a family of a part, and its steps
    depth: dict[str, int] = {place.key: -1 for place in nodes}  # the last frame that a node needs
    arrows = []
    for step in program:
        sides = (("", Symbol(step.symbol.name)), ("=", Formula(step.expression)))
        order = [place.key for place in nodes]
        needs = sorted({_key(s) for s in step.uses} & set(order), key=order.index)  # what is made of itself comes later
        key = _key(step.symbol)
        nodes.append(Place(key, Chain(sides), step.name))
        arrows += [(needed, key) for needed in needs]
        depth[key] = max((depth[needed] for needed in needs), default=-1)
        if step.index is not None:
            depth[key] = _frame_of((step.part, step.index.family, step.index), depth[key], frames)
            frames[depth[key]][1].add(key)
    groups = [Group(running(index.letter, index.count), frozenset(keys)) for (_, _, index), keys in frames]
    return Diagram(tuple(nodes), tuple(arrows), tuple(groups))


def _frame_of(family: tuple[str, str, Index], least: int, frames: list[tuple[tuple[str, str, Index], set[str]]]) -> int:
    """The number of a family's frame, a new one where a step needs what comes after the one that there is."""
    last = next((k for k in reversed(range(len(frames))) if frames[k][0] == family), -1)
    if last < max(least, 0):
        frames.append((family, set()))
        return len(frames) - 1
    return last


def running(letter: SympySymbol, count: Expr) -> Row:
    """i = 1, 2, 3 or i = 1, …, 8."""
    if count.is_Integer and count <= MOST_COUNTED:
        numbers = Listed(tuple(str(k) for k in range(1, int(count) + 1)))
    else:
        numbers = Listed(("1", Symbol("cdots"), Formula(count)))
    return Row((Formula(letter), "=", numbers))


def _key(symbol: MatrixSymbol) -> str:
    """An identifier for the node: letters, digits and underscores only."""
    return "n_" + "".join(c if c.isascii() and c.isalnum() else _MARKS.get(c, f"u{ord(c):x}") for c in symbol.name)
