"""What the inputs of a program are: operands of its products, or masks and biases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import MatrixSymbol

from symattn.nodes import (
    Biased,
    HideMask,
    KeepMask,
    Masked,
    MultiHead,
    Penalised,
    RotaryEmbedding,
    RotatedBack,
    mask_parts,
)
from symattn.program.steps import Program


@dataclass(frozen=True)
class Inputs:
    """The inputs in order, and those of each kind."""

    symbols: tuple[MatrixSymbol, ...]
    operands: tuple[MatrixSymbol, ...]  # those that are more than masks and biases
    masks: frozenset[MatrixSymbol]
    positions: frozenset[MatrixSymbol]  # of rows that are turned
    lone_biases: frozenset[MatrixSymbol]  # biases by themselves
    single_head: frozenset[MatrixSymbol]  # masks and biases of a single head
    upstream: MatrixSymbol | None  # the gradient by the last step

    @cached_property
    def masks_or_biases(self) -> frozenset[MatrixSymbol]:
        """Those that may have an axis of heads of their own."""
        return self.beside - self.positions

    @cached_property
    def beside(self) -> frozenset[MatrixSymbol]:
        """Those that are no operands of products."""
        return self.all - set(self.operands)

    @cached_property
    def all(self) -> frozenset[MatrixSymbol]:
        return frozenset(self.symbols)

    @property
    def model(self) -> MatrixSymbol | None:
        """The one whose type the numbers have, with all leading axes but that of heads."""
        return next(iter(self.operands or (s for s in self.symbols if s not in self.whole)), None)

    @cached_property
    def whole(self) -> frozenset[MatrixSymbol]:
        """Those whose type is their own: masks and positions."""
        return self.masks | self.positions


def find_inputs(program: Program, single_head: frozenset[MatrixSymbol] = frozenset()) -> Inputs:
    """The inputs of a program by what its steps do with them."""
    symbols, made = program.inputs, {step.symbol for step in program}
    masks, positions = _masks(program), _positions(program)
    multiplied = _multiplied(program) - masks - positions
    operands = tuple(s for s in symbols if s in multiplied)
    known = frozenset(symbols)
    loose = known - set(operands)
    biases = {b.args[1] for step in program for b in step.atoms(Biased)}
    upstream = next((s.expression for s in program if s.by in made and s.expression in known), None)
    return Inputs(symbols, operands, masks, positions, loose & biases, loose & single_head, upstream)


def _masks(program: Program) -> frozenset[MatrixSymbol]:
    """The inputs that say which keys may be looked at."""
    nodes = [node for step in program for node in step.atoms(Masked, Penalised)]
    parts = [part for node in nodes for part in mask_parts(node.args[1]) if isinstance(part, KeepMask | HideMask)]
    return frozenset(s for part in parts for s in part.args[0].atoms(MatrixSymbol)) & set(program.inputs)


def _positions(program: Program) -> frozenset[MatrixSymbol]:
    """The inputs that say where rows stand."""
    turned = (node for step in program for node in step.atoms(RotaryEmbedding, RotatedBack))
    return frozenset(s for node in turned for s in node.args[3].atoms(MatrixSymbol)) & set(program.inputs)


def _multiplied(program: Program) -> set[MatrixSymbol]:
    """What is used other than as a bias."""
    used = set()
    for step in program:
        biases = {b.args[1] for b in step.atoms(Biased)}
        stack: list[Any] = [step.expression]
        while stack:
            node = stack.pop()
            if isinstance(node, MatrixSymbol):
                used.add(node)
            elif node not in biases:
                stack += [a for a in node.args if a not in biases]
    return used


def masks_of_one_head(expression: Any) -> frozenset[MatrixSymbol]:
    """What masks and biases of layers with one head are read from: they may have its axis all the same."""
    layers = [layer for layer in expression.atoms(MultiHead) if layer.heads == 1]
    return frozenset(s for layer in layers for x in (layer.mask, layer.bias) for s in x.atoms(MatrixSymbol))
