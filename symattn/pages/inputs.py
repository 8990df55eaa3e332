"""What is said of the inputs beside their numbers or sizes: the blocks that heads take, whose tokens they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sympy import MatrixSymbol

from symattn.nodes import HeadColumns, HeadRows
from symattn.program.steps import Program
from symattn.writing.document import Formula, Listed, Paragraph, Symbol
from symattn.writing.prose import Sentence


def blocks_said(program: Program) -> Iterator[Paragraph]:
    """Which block of a matrix that the heads share is that of one head: W_i^Q of W^Q."""
    found = (block for step in program for block in step.expression.atoms(HeadColumns, HeadRows))
    blocks = [block for block in dict.fromkeys(found) if isinstance(block.args[0], MatrixSymbol)]
    for (kind, number, count), alike in groupby(blocks, key=lambda block: (type(block), *block.args[1:])):
        told = tuple(alike)
        key = "inputs_blocks.rows" if kind is HeadRows else "inputs_blocks"
        wholes = Listed(tuple(Symbol(block.args[0].name) for block in told))
        parts = Listed(tuple(map(Formula, told)))
        yield Paragraph((Sentence(key, wholes=wholes, parts=parts, number=Formula(number), count=Formula(count)),))


def other_tokens_said(program: Program) -> Iterator[Paragraph]:
    """That keys and values are of the tokens of another input than the queries, where they are."""
    rows: dict[str, set[Any]] = {
        role: {s.expression.args[0] for s in program if s.role == role and s.expression.args} for role in "QKV"
    }
    others = [s for s in program.inputs if s in rows["K"] - rows["Q"]] if rows["Q"] else []
    for other in others:
        apart = [s for s in program.inputs if s in rows["V"] - rows["K"] - rows["Q"]]
        symbols = {"symbol": Symbol(other.name)} | ({"values": Symbol(apart[0].name)} if apart else {})
        yield Paragraph((Sentence("inputs_of_keys_and_values" if apart else "inputs_of_keys", **symbols),))
