"""The flow of a program as a diagram: inputs and steps, with an arrow from what each step needs."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Integer, MatrixSymbol

from symattn.nodes import RowNumber
from symattn.pages.gradients import is_backward
from symattn.program.steps import Index, Program
from symattn.writing.document import Cell, Chain, Diagram, Formula, Group, Listed, Place, Row, Symbol

MOST_BOXES = 45  # more of them are drawn as an overview
COUNTED_AS_ROWS = ("token", "block")  # families whose first member is 0 where the first row is
MOST_COUNTED = 3  # heads up to so many are counted one by one
_MARKS = {"'": "scaled", "~": "masked", "^": "of", "_": "_", "(": "", ")": "", ",": "_"}


def flow(program: Program) -> Diagram:
    """The whole flow, or of a large program an overview."""
    return _overview(program) if is_large(program) else _whole(program)


def _whole(program: Program) -> Diagram:
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
    groups = [
        Group(running(replace(index, back=False), index.count), frozenset(keys)) for (_, _, index), keys in frames
    ]
    return Diagram(tuple(nodes), tuple(arrows), tuple(groups))


def is_large(program: Program) -> bool:
    """Whether so many boxes would be drawn that nobody could follow the arrows."""
    return len(program.inputs) + len(program.steps) > MOST_BOXES


def _overview(program: Program) -> Diagram:
    """The flow without the backward pass, each part as one node: its last step."""
    steps = [step for step in program if not is_backward(step)]
    last = {step.part: step for step in steps if step.part}
    inside = {_key(step.symbol): _key(last[step.part].symbol) for step in steps if step.part}
    places: dict[str, Place] = {}
    arrows: dict[tuple[str, str], None] = {}
    inputs = {_key(s): s for s in program.inputs}
    for step in steps:
        key = inside.get(_key(step.symbol), _key(step.symbol))
        for needed in map(_key, step.uses):
            if needed in inputs and not step.part:
                places.setdefault(needed, Place(needed, Symbol(inputs[needed].name)))
            source = inside.get(needed, needed)
            if source in places and source != key:
                arrows[source, key] = None
        shown = last.get(step.part, step)
        sides = (("", Symbol(shown.symbol.name)), *(() if step.part else (("=", Formula(shown.expression)),)))
        places.setdefault(key, Place(key, Chain(sides), shown.name))
    return Diagram(tuple(places.values()), tuple(arrows), ())


def _frame_of(family: tuple[str, str, Index], least: int, frames: list[tuple[tuple[str, str, Index], set[str]]]) -> int:
    """The number of a family's frame, a new one where a step needs what comes after the one that there is."""
    last = next((k for k in reversed(range(len(frames))) if frames[k][0] == family), -1)
    if last < max(least, 0):
        frames.append((family, set()))
        return len(frames) - 1
    return last


def running(index: Index, count: Expr) -> Row:
    """i = 1, 2, 3 or i = 1, …, 8; or from the last on."""
    number = RowNumber if index.family in COUNTED_AS_ROWS else Formula
    numbers: tuple[Cell, ...] = (number(Integer(1)), Symbol("ldots"), number(count))
    if count.is_Integer and count <= MOST_COUNTED:
        numbers = tuple(number(Integer(k)) for k in range(1, int(count) + 1))
    return Row((Formula(index.letter), "=", Listed(numbers[::-1] if index.back else numbers)))


def _key(symbol: MatrixSymbol) -> str:
    """An identifier for the node: letters, digits and underscores only."""
    return "n_" + "".join(c if c.isascii() and c.isalnum() else _MARKS.get(c, f"u{ord(c):x}") for c in symbol.name)
