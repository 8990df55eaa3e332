"""A program -> JavaScript that computes its steps in doubles from changed inputs.

What nodes say in `compute` is written down instead of carried out: the operations of `nodes.node.Numbers` become calls
of the functions of the page (`writing/writers/page/recompute.js`). So whatever has a value has its JavaScript, of the
sizes that the inputs have; what masks hide, and rows that see nothing, are settled while it is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr, Lambda, MatrixSymbol, S, Symbol

from symattn.errors import InputError, NotSupportedError
from symattn.lowering.text.scalars import number_text
from symattn.nodes import Keep
from symattn.program.steps import Program
from symattn.values.evaluation import Rows, evaluate_steps
from symattn.writing.prose import Sentence

Places = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Script:
    """The body of a function of `x`, the inputs in order, which returns every step in order."""

    text: str
    fixed: frozenset[str]  # inputs that say what a mask hides, and cannot change


@dataclass(frozen=True)
class Array:
    """A matrix in JavaScript; entries in `hidden` are −∞."""

    text: str
    shape: tuple[int, int]
    hidden: Places = frozenset()
    rows: Rows | None = None  # of an input: what it was


def write_javascript(program: Program, given: Mapping[MatrixSymbol, Rows], sizes: Mapping[Symbol, int]) -> Script:
    """The steps of a program for inputs of these sizes. Raises NotSupportedError where a step has no JavaScript."""
    numbers = _Writing()
    inputs = {s: numbers.input(k, s.name, given[s]) for k, s in enumerate(program.inputs)}
    steps = evaluate_steps(program, {}, sizes, numbers, inputs)
    made = ", ".join(array.text for array in steps.values())
    return Script("\n".join([*numbers.lines, f"return [{made}];"]), frozenset(numbers.fixed))


def _hidden(rows: Rows) -> Places:
    return frozenset((i, j) for i, row in enumerate(rows) for j, x in enumerate(row) if x is S.NegativeInfinity)


@dataclass
class _Writing:
    """A kind of number whose operations are lines of JavaScript."""

    lines: list[str] = field(default_factory=list)
    fixed: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)

    def input(self, number: int, name: str, rows: Rows) -> Array:
        self.names[f"x[{number}]"] = name
        return Array(f"x[{number}]", (len(rows), len(rows[0])), _hidden(rows), rows)

    def _call(self, function: str, shape: tuple[int, int], hidden: Places, *arguments: object) -> Array:
        told = ", ".join(a.text if isinstance(a, Array) else str(a) for a in arguments)
        name = f"v{len(self.lines)}"
        self.lines.append(f"const {name} = {function}({told});")
        return Array(name, shape, hidden)

    def given(self, rows: Sequence[Sequence[Expr]]) -> Array:
        table = ",".join("[" + ",".join(map(_literal, row)) + "]" for row in rows)
        return Array(f"[{table}]", (len(rows), len(rows[0])), _hidden(rows), rows)

    def transpose(self, a: Array) -> Array:
        return self._call("transpose", a.shape[::-1], frozenset((j, i) for i, j in a.hidden), a)

    def matmul(self, a: Array, b: Array) -> Array:
        return self._call("matmul", (a.shape[0], b.shape[1]), frozenset(), a, b)

    def add(self, a: Array, b: Array) -> Array:
        return self._call("add", a.shape, a.hidden | b.hidden, a, b)

    def scale(self, a: Array, factor: Expr) -> Array:
        return self._call("scale", a.shape, a.hidden, a, _literal(factor))

    def add_row(self, a: Array, row: Array) -> Array:
        return self._call("addRow", a.shape, a.hidden, a, row)

    def subtract_column(self, a: Array, column: Array) -> Array:
        return self._call("subtractColumn", a.shape, a.hidden, a, column)

    def divide_rows(self, a: Array, column: Array) -> Array:
        return self._call("divideRows", a.shape, a.hidden, a, column)

    def exp(self, a: Array) -> Array:
        return self._call("exp", a.shape, frozenset(), a)

    def tanh(self, a: Array) -> Array:
        return self._call("tanh", a.shape, frozenset(), a)

    def row_sum(self, a: Array) -> Array:
        return self._call("rowSum", (a.shape[0], 1), frozenset(), a)

    def row_max(self, a: Array) -> Array:
        return self._call("rowMax", (a.shape[0], 1), frozenset(), a)

    def keep(self, mask: Array) -> Keep:
        """What a mask keeps is settled here: its input is fixed."""
        rows = mask.rows
        if rows is None or any(x not in (0, 1) for row in rows for x in row):
            raise NotSupportedError(Sentence("mask_entries"))
        self.fixed.add(self.names.get(mask.text, ""))
        return lambda i, j: rows[i][j] == 1

    def hide(self, a: Array, keep: Keep) -> Array:
        out = sorted((i, j) for i in range(a.shape[0]) for j in range(a.shape[1]) if not keep(i, j))
        return self._call("hide", a.shape, a.hidden | frozenset(out), a, json.dumps(out, separators=(",", ":")))

    def softmax(self, a: Array) -> Array:
        if empty := self.empty_rows(a):
            raise InputError(Sentence("empty_row", row=empty[0] + 1))
        return self._call("softmax", a.shape, frozenset(), a)

    def keep_largest(self, a: Array, count: int) -> Array:
        return self._call("keepLargest", a.shape, a.hidden, a, count)

    def threshold(self, a: Array, power: int) -> Array:
        if empty := self.empty_rows(a):
            raise InputError(Sentence("empty_row", row=empty[0] + 1))
        return self._call("threshold", (a.shape[0], 1), frozenset(), a, power)

    def concat(self, parts: Sequence[Array]) -> Array:
        hidden, left = set(), 0
        for part in parts:
            hidden |= {(i, left + j) for i, j in part.hidden}
            left += part.shape[1]
        told = ", ".join(part.text for part in parts)
        return self._call("concat", (parts[0].shape[0], left), frozenset(hidden), f"[{told}]")

    def times(self, a: Array, b: Array) -> Array:
        return self._call("times", a.shape, a.hidden, a, b)

    def each(self, a: Array, formula: Lambda) -> Array:
        z, i_, j_ = formula.variables
        hidden = a.hidden
        if formula.expr.has(S.NegativeInfinity):
            places = [(i, j) for i in range(a.shape[0]) for j in range(a.shape[1])]
            hidden |= frozenset((i, j) for i, j in places if formula(z, i, j) is S.NegativeInfinity)
        return self._call(
            "each", a.shape, hidden, a, f"(z, i, j) => {_formula(formula.expr, {z: 'z', i_: 'i', j_: 'j'})}"
        )

    def block(self, a: Array, rows: range, columns: range) -> Array:
        hidden = frozenset((i - rows.start, j - columns.start) for i, j in a.hidden if i in rows and j in columns)
        span = (rows.start, rows.stop, columns.start, columns.stop)
        return self._call("block", (len(rows), len(columns)), hidden, a, *span)

    def empty_rows(self, a: Array) -> list[int]:
        return [i for i in range(a.shape[0]) if all((i, j) in a.hidden for j in range(a.shape[1]))]

    def fill_rows(self, a: Array, rows: Sequence[int], value: Expr) -> Array:
        if not rows:
            return a
        hidden = frozenset((i, j) for i, j in a.hidden if i not in rows)
        return self._call("fillRows", a.shape, hidden, a, json.dumps(list(rows)), _literal(value))


def _literal(x: Expr) -> str:
    """The double nearest to a number."""
    if x is S.NaN:
        return "NaN"
    return number_text(x).replace("np.inf", "Infinity")


_FUNCTIONS: Mapping[Any, str] = {
    sympy.exp: "Math.exp",
    sympy.log: "Math.log",
    sympy.tanh: "Math.tanh",
    sympy.sinh: "Math.sinh",
    sympy.cosh: "Math.cosh",
    sympy.sin: "Math.sin",
    sympy.cos: "Math.cos",
    sympy.tan: "Math.tan",
    sympy.Abs: "Math.abs",
    sympy.sign: "Math.sign",
    sympy.floor: "Math.floor",
    sympy.ceiling: "Math.ceil",
    sympy.Max: "Math.max",
    sympy.Min: "Math.min",
    sympy.Pow: "Math.pow",
    sympy.Mod: "mod",
    sympy.erf: "erf",
}
_JOINED: Mapping[Any, str] = {sympy.Add: " + ", sympy.Mul: " * ", sympy.And: " && ", sympy.Or: " || "}


def _formula(x: Any, names: Mapping[Any, str]) -> str:
    """An expression in these symbols; every part in brackets, since nobody reads it.

    >>> z = Symbol("z")
    >>> _formula(sympy.Piecewise((z + 1, z > 0), (sympy.exp(z), True)), {z: "z"})
    '((z > 0) ? (1 + z) : Math.exp(z))'
    """
    write: Callable[[Any], str] = lambda a: _formula(a, names)  # noqa: E731
    if x in names:
        return names[x]
    if x in (S.true, S.false):
        return str(x).lower()
    if isinstance(x, Expr) and not x.free_symbols:
        text = _literal(x)
        return f"({text})" if text.startswith("-") else text
    if x.func in _FUNCTIONS:
        return f"{_FUNCTIONS[x.func]}({', '.join(map(write, x.args))})"
    if x.func in _JOINED:
        return f"({_JOINED[x.func].join(map(write, x.args))})"
    if isinstance(x, sympy.core.relational.Relational):
        sign = {"==": "===", "!=": "!=="}.get(x.rel_op, x.rel_op)
        return f"({write(x.args[0])} {sign} {write(x.args[1])})"
    if isinstance(x, sympy.Piecewise):
        cases = [(write(value), condition) for value, condition in x.args]
        made = "NaN"
        if cases[-1][1] == S.true:
            made = cases.pop()[0]
        for value, condition in reversed(cases):
            made = f"({write(condition)} ? {value} : {made})"
        return made
    raise NotSupportedError(Sentence("no_source", node=type(x).__name__))
