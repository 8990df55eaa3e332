"""A program run backwards: gradients arrive at symbols, are added up, and become steps of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from sympy import MatrixExpr, MatrixSymbol

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import (
    Block,
    ConcatHeads,
    Following,
    HeadColumns,
    HeadRows,
    Member,
    Plus,
    Previous,
    Scaled,
    SinkSoftmax,
    Softmax,
    StackMembers,
    SumGroup,
    SumHeads,
    ending,
    member,
    stem,
)
from symattn.program.gradient.rewrites import whole
from symattn.program.steps import Index, Program, Step, name_apart, runs_on, take_name
from symattn.writing.prose import Sentence

PullBack = Callable[[Any, Any, "Backward"], None]
# the letter of a gradient -> its name, where the letter would not do
_NAMES = {"dhead": "dO", "dS'": "dscaled", "dS^c": "dcapped", "dS~": "dmasked"}


class Arrived(NamedTuple):
    """A gradient at a symbol or block, to be summed over a family if it came from one, and the last rule's reason."""

    over: Index | None
    gradient: MatrixExpr
    because: str


class Backward:
    """The backward pass over a program: what has arrived so far, and the steps that came of it."""

    def __init__(
        self, program: Program, of: Sequence[Step], wanted: Sequence[MatrixSymbol], pull_back: PullBack
    ) -> None:
        self.given, self.of, self.wanted, self.pull_back = program, of, frozenset(wanted), pull_back
        self.program, self.added = whole(program)
        program = self.program
        self.steps: list[Step] = []
        self.index: Index | None = None
        self.because = ""
        self.current: Step = of[-1]
        self._symbols = {s.name for s in _symbols(program)}
        self.upstream = {step.symbol: self._symbol_of(step) for step in of}
        self._names = {step.name for step in program} | {s.name for s in program.inputs}
        self._logits = {
            s.expression.args[0] for s in program if isinstance(s.expression, Softmax) and s.role == "weights"
        }
        self._index_of: dict[Any, Index | None] = {step.symbol: step.index for step in program}
        self._part_of: dict[Any, str] = {s: _own_part(s, program) for s in program.inputs}
        self._part_of |= {step.symbol: step.part for step in program}
        self._arrived: dict[Any, list[Arrived]] = {}
        self._handed: dict[Previous, list[MatrixExpr]] = {}  # to the member before: its gradient, in parts
        self._carried = {p: self._carry(p) for p in dict.fromkeys(p for s in program for p in s.atoms(Previous))}
        self._active = self._depending()

    def run(self, wanted: Sequence[MatrixSymbol]) -> Program:
        """The program with the backward steps after its own."""
        for symbol, G in self.upstream.items():
            self._arrived[symbol] = [Arrived(None, G, "given")]
        before: Step | None = None
        for step in backwards(self.program):
            if before is not None and before.index != step.index:
                self._end_turns(before)
            before = step
            self._blocks_of(step.symbol)
            handed = any(node.args[0] == step.symbol for node in self._handed)  # to the member before by this turn
            if step.symbol in self._arrived or handed:
                self._step_back(step)
        if before is not None:
            self._end_turns(before)
        for symbol in self.program.inputs:
            self._blocks_of(symbol)
        self.index = None
        for symbol in wanted:
            if symbol in self.program.inputs:
                if symbol not in self._arrived:
                    raise InputError(Sentence("no_dependence", name=symbol.name, of=", ".join(s.name for s in self.of)))
                self._add(symbol, *self._total(symbol))
        inputs = (*self.given.inputs, *self.upstream.values())
        return Program(inputs, (*self.given.steps, *self.added, *self.steps))

    def _symbol_of(self, step: Step) -> MatrixSymbol:
        """The gradient by a step that is given: G, or G_A and G_O where there are several."""
        letter = "G" if len(self.of) == 1 else f"G_{stem(step.symbol)}"
        return MatrixSymbol(take_name(letter, self._symbols), *step.shape)

    # --- what rules call

    def give(self, argument: Any, gradient: Callable[[], MatrixExpr], because: str = "") -> None:
        """Hand a gradient on to an argument, if anything wanted lies behind it; a rule may leave the reason."""
        if self.depends(argument):
            before, self.because = self.because, because or self.because
            self.pull_back(argument, gradient(), self)
            self.because = before

    def step(self, role: str, letter: str, expression: MatrixExpr, because: str, by: Any = None) -> MatrixExpr:
        """A step with a name of its own, in the part and family of what it is the gradient by."""
        beside = self.current.symbol if by is None else by
        symbol = MatrixSymbol(take_name(letter, self._symbols, ending(beside)), *expression.shape)
        return self._append(Step(role, symbol, expression, self._part_of.get(beside, ""), self.index, because, by=by))

    def _append(self, step: Step) -> MatrixSymbol:
        if step.index is not None and runs_on(step):
            step = replace(step, index=replace(step.index, back=True))
        self.steps.append(name_apart(step, self._names))
        return step.symbol

    def value_of(self, node: Any) -> Any:
        """The symbol of the step at hand where the node is all of it, so that nothing is computed twice."""
        return self.current.symbol if node == self.current.expression else node

    def known(self, node: Any) -> Any:
        """The symbol of a step that computes the node already; the node itself where there is none."""
        return next((step.symbol for step in self.program if step.expression == node), node)

    def expressions(self) -> dict[Any, Any]:
        """What each step is, forwards and backwards."""
        return {step.symbol: step.expression for step in (*self.program, *self.steps)}

    def made(self, node: Any) -> Any:
        """The symbol of a step of the backward pass that computes the node already; the node where there is none."""
        return next((step.symbol for step in self.steps if step.expression == node and step.index == self.index), node)

    def receive(self, symbol: MatrixSymbol, gradient: MatrixExpr) -> None:
        """What arrives at a symbol; from a family at what all its members share, it is summed over them."""
        own = self._index_of.get(symbol)
        self._arrive(symbol, gradient, None if own == self.index else self.index)

    def receive_member(self, node: Member, gradient: MatrixExpr) -> None:
        """What head i hands to the key/value head that it uses: summed over the heads of one group."""
        family, letter, _ = node.args
        own = self._index_of[family]
        if self.index is None or own is None:
            raise NotSupportedError(Sentence("no_gradient", node=str(node)))
        summed = SumGroup(gradient, self.index.letter, self.index.count, letter, own.count)
        self._arrive(family, summed, because="group")

    def receive_block(self, node: HeadColumns | HeadRows, gradient: MatrixExpr) -> None:
        """What arrives at a block of a matrix that heads share."""
        found = [] if self.index is None else [x for x in self.index.chain if x.letter == node.args[1]]
        if not found:
            raise NotSupportedError(Sentence("no_gradient", node=str(node)))
        self._arrive(node, gradient, None if found[0] == self.index else self.index)
        self._part_of[node], self._index_of[node] = self.current.part, found[0]

    def receive_rows(self, node: Block, gradient: MatrixExpr) -> None:
        """What arrives at the rows of a token or chunk."""
        self._arrive(node, gradient)
        self._part_of[node] = self.current.part

    def hand_back(self, node: Previous, gradient: MatrixExpr) -> None:
        """What a turn hands to the member before it, with all that the turn hands there."""
        self._handed.setdefault(node, []).append(gradient)

    def index_of(self, family: MatrixSymbol) -> Index | None:
        """The index of a family."""
        return self._index_of[family]

    def _arrive(self, leaf: Any, gradient: MatrixExpr, index: Index | None = None, because: str = "") -> None:
        found = Arrived(index, gradient, because or self.because or "same")
        self._arrived.setdefault(leaf, []).append(found)

    def seen_by_head(self, gradient: MatrixExpr, used: Any) -> MatrixExpr:
        """The gradient of a family of groups as a head of a group sees it: G^(j) becomes G^(⌈i g/h⌉)."""
        families = {s: Member(s, i.letter, used) for s, i in self._families() if s in gradient.atoms(MatrixSymbol)}
        return gradient.xreplace(families)

    @contextmanager
    def within(self, index: Index | None) -> Iterator[None]:
        """Inside a sum or a concatenation over heads, gradients are those of head i; outside of them, of all heads."""
        before, self.index = self.index, index
        try:
            yield
        finally:
            self.index = before

    def depends(self, expression: Any) -> bool:
        """Whether anything wanted lies behind an expression."""
        return not self._active.isdisjoint(expression.atoms(MatrixSymbol))

    # --- the walk

    def _step_back(self, step: Step) -> None:
        self.index = step.index
        self._receive_carried(step)
        gradient, because = self._total(step.symbol)
        of_softmax = isinstance(step.expression, Softmax | SinkSoftmax) and not gradient.is_symbol  # told by its name
        if step.symbol in self.upstream or step.symbol in self.wanted or of_softmax or not _is_light(gradient):
            gradient = self._add(step.symbol, gradient, because)
        self.current = step
        self.give(step.expression, lambda: gradient)

    # --- what goes on token by token: back from the last to the first

    def _carry(self, node: Previous) -> MatrixSymbol:
        """The symbol of what a turn hands to the member before it."""
        return MatrixSymbol(take_name("R", self._symbols, ending(node.args[0])), *node.shape)

    def _receive_carried(self, step: Step) -> None:
        """The turn after this one hands its part of the gradient to what it began with."""
        for node, carried in self._carried.items():
            if node.args[0] == step.symbol and step.index is not None:
                following = Following(carried, step.index.letter, step.index.count)
                self._arrive(step.symbol, following, because="turns")

    def _end_turns(self, step: Step) -> None:
        """The last lines of a turn: gradients of the token's rows, of what all tokens share, what is handed back."""
        index = self.index = step.index
        if index is None or not runs_on(step):
            return
        for node in [x for x in self._arrived if isinstance(x, Block)]:
            name = f"d{stem(node.args[0])}"
            symbol = MatrixSymbol(take_name(name, self._symbols, ending(step.symbol)), *node.shape)
            gradient, because = self._total(node)
            self._append(Step(name, symbol, gradient, self._part_of[node], index, because, by=node))
            with self.within(index.within):
                self.give(node.args[0], partial(StackMembers, symbol, index.letter, index.count), "turns.rows")
        for shared, arrived in list(self._arrived.items()):
            own = [x for x in arrived if x.over == index]
            if own:
                name, gradient = f"d{stem(shared)}", Plus(*(x.gradient for x in own))
                symbol = MatrixSymbol(take_name(name, self._symbols, ending(step.symbol)), *shared.shape)
                self._append(Step(name, symbol, gradient, step.part, index, own[0].because, by=shared))
                others = [x for x in arrived if x.over != index]
                self._arrived[shared] = [*others, Arrived(index, symbol, own[0].because)]
        for node, parts in self._handed.items():
            self._append(Step("handed", self._carried[node], Plus(*parts), step.part, index, "handed"))
        self._handed.clear()

    def _blocks_of(self, symbol: MatrixSymbol) -> None:
        """The gradients of the blocks of a matrix, joined to that of the whole before this is needed."""
        for node in [n for n in self._arrived if isinstance(n, HeadColumns | HeadRows) and n.args[0].has(symbol)]:
            _, letter, count = node.args
            self.index, name = self._index_of[node], f"d{stem(node)}"
            block = self.step(name, name, *self._total(node), node)
            self.index = None
            joined = ConcatHeads(block, letter, count) if node.axis else ConcatHeads(block.T, letter, count).T
            self.give(node.args[0], partial(_same, joined), "blocks" if node.axis else "blocks.rows")

    def _add(self, symbol: MatrixSymbol, gradient: MatrixExpr, because: str) -> MatrixExpr:
        name = f"d{stem(symbol)}"
        role = "dS" if symbol in self._logits else _NAMES.get(name, name)  # dS is the key of it, whatever its letter
        return self.step(role, name, gradient, because, symbol)

    def _total(self, leaf: Any) -> tuple[MatrixExpr, str]:
        """All that has arrived at a symbol or block, and why: terms over the same heads stand in one sum."""
        arrived, own = self._arrived.pop(leaf), self._index_of.get(leaf)
        terms: dict[Index | None, list[MatrixExpr]] = {}
        for index, gradient, _ in arrived:
            terms.setdefault(index, []).append(gradient)
        total = Plus(
            *(x for index, found in terms.items() for x in (found if index is None else [_sum(found, index, own)]))
        )
        if len(terms) > 1 or (None in terms and len(arrived) > 1):
            return total, "sum"
        return total, arrived[0].because if None in terms else "heads"

    def _depending(self) -> set[MatrixSymbol]:
        active = set(self.wanted)
        for step in (*self.program, *self.program):  # a recurrence speaks of members before its own
            if not active.isdisjoint(step.uses):
                active.add(step.symbol)
        return active

    def _families(self) -> Iterator[tuple[MatrixSymbol, Index]]:
        yield from ((s.symbol, s.index) for s in (*self.program, *self.steps) if s.index is not None)


def backwards(program: Program) -> list[Step]:
    """The steps from the last to the first, in a part those far from the inputs first, and Q, K, V in this order."""
    order: dict[MatrixSymbol, tuple[int, int, int, int]] = {}
    parts, before = 0, program.steps[0].part
    for first, turn in _turns(program):
        parts += before != turn[0].part
        before, depth = turn[0].part, 0
        for step in turn:
            depth = min([depth, -1, *(order[s][1] - 1 for s in step.uses if s in order)])
            order[step.symbol] = -parts, depth, first, 0
        for k, step in enumerate(turn):  # those of a turn together
            order[step.symbol] = -parts, depth, first, -k
    return sorted(program, key=lambda step: order[step.symbol])


def _turns(program: Program) -> Iterator[tuple[int, list[Step]]]:
    """The steps one by one, those of a turn of a recurrence together, with the number of the first of them."""
    first = 0
    for _, run in groupby(enumerate(program), key=lambda x: x[1].index if runs_on(x[1]) else x[0]):
        turn = [step for _, step in run]
        yield first, turn
        first += len(turn)


def _own_part(symbol: MatrixSymbol, program: Program) -> str:
    """The part that an input belongs to: encoder of W_Q^(encoder)."""
    parts = {step.part for step in program if step.part}
    return next((part for part in parts if symbol.name == member(stem(symbol), part)), "")


def _same(gradient: MatrixExpr) -> MatrixExpr:
    return gradient


def _sum(terms: Sequence[MatrixExpr], index: Index, own: Index | None) -> MatrixExpr:
    """The sum over the families that a symbol of its own family stands outside of."""
    total = Plus(*terms)
    for over in reversed(index.chain[0 if own is None else len(own.chain) :]):
        total = SumHeads(total, over.letter, over.count)
    return total


def _is_light(gradient: MatrixExpr) -> bool:
    """Whether a gradient is a named matrix, or a multiple of one: not worth a name of its own."""
    return isinstance(gradient.args[0] if isinstance(gradient, Scaled) else gradient, MatrixSymbol)


def _symbols(program: Program) -> set[MatrixSymbol]:
    return set(program.inputs) | {step.symbol for step in program}
