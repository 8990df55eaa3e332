"""The flow of a program as a diagram: inputs and steps, with an arrow from what each step needs."""

from __future__ import annotations

from sympy import MatrixSymbol

from symattn.document import Chain, Diagram, Formula, Symbol
from symattn.steps import Program


def flow(program: Program) -> Diagram:
    """One node for each input and step, in order."""
    nodes = [(_key(s), Symbol(s.name)) for s in program.inputs]
    arrows = []
    for step in program:
        label = Chain((("", Symbol(step.symbol.name)), ("=", Formula(step.expression))))
        nodes.append((_key(step.symbol), label))  # type: ignore[arg-type]
        needs = sorted(step.expression.atoms(MatrixSymbol), key=lambda s: [k for k, _ in nodes].index(_key(s)))
        arrows += [(_key(s), _key(step.symbol)) for s in needs]
    return Diagram(tuple(nodes), tuple(arrows))


def _key(symbol: MatrixSymbol) -> str:
    """An identifier for the node: letters and digits only."""
    marks = {"'": "scaled", "~": "masked", "^": "cap"}
    return "n_" + "".join(c if c.isalnum() else marks.get(c, "_") for c in symbol.name)
