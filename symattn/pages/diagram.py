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
    families: dict[tuple[str, str, Index], set[str]] = {}  # by the part of the calculation too
    arrows = []
    for step in program:
        sides = (("", Symbol(step.symbol.name)), ("=", Formula(step.expression)))
        order = [place.key for place in nodes]
        needs = sorted({_key(s) for s in step.uses}, key=order.index)
        key = _key(step.symbol)
        nodes.append(Place(key, Chain(sides), step.name))
        arrows += [(needed, key) for needed in needs]
        if step.index is not None:
            families.setdefault((step.part, step.index.family, step.index), set()).add(key)
    groups = [Group(running(index.letter, index.count), frozenset(keys)) for (_, _, index), keys in families.items()]
    return Diagram(tuple(nodes), tuple(arrows), tuple(groups))


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
