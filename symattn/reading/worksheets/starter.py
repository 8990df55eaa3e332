"""A commented worksheet of the shapes asked for, with small numbers, to be changed into one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symattn.errors import InputError
from symattn.reading.worksheets.draws import Draws
from symattn.reading.worksheets.inputs import OF_KIND
from symattn.reading.worksheets.template import write_toml
from symattn.writing.prose import Sentence

SEED = 3


def write_starter(
    tokens: int, width: int, heads: int, layers: int, *, causal: bool, language: str = "en", kind: str = ""
) -> str:
    """A worksheet that derives as it is: one attention, or a stack of layers.

    `width` is d_k, the columns of each head; the rows have d_model = heads × width columns. `kind` is one of attention
    by a state, in the place of softmax with a mask. Raises InputError for layers of it.

    >>> print(write_starter(1, 2, 1, 0, causal=False).partition("[inputs]")[2].splitlines()[1].partition("#")[2])
     1 x 2
    """

    def said(key: str) -> str:
        return "# " + Sentence(key).text(language)

    if kind and layers:
        raise InputError(Sentence("input_beside", name="--layers", start="--kind"))
    model, draws = heads * width, Draws(SEED)
    title = Sentence("starter.title", tokens=tokens, heads=heads).text(language)
    mask = f"mask = {write_toml('causal' if causal else 'none')}  {said('starter.mask')}"
    lines = [
        f"title = {write_toml(title)}",
        f"tokens = {write_toml([f't{k}' for k in range(1, tokens + 1)])}  {said('starter.tokens')}",
        "",
        said("starter.numbers"),
        "[inputs]",
        write_matrix("X", [_uneven(row) for row in draws.rows(tokens, model, 0, 2)]),
    ]
    if layers:
        lines += ["", said("starter.stack"), "[stack]", 'norm = "layer"  # layer | rms | none']
        lines += ['order = "pre"  # pre | post', 'activation = "relu"  # relu | gelu | silu | tanh | ...']
    for layer in range(layers):
        lines += ["", "[[layer]]", f'name = "layer{layer + 1}"']
        lines += [*_attention(draws, model, width, heads, out=True), mask, said("starter.network")]
        lines += [write_matrix("W_1", draws.rows(model, 2 * model, -1, 1))]
        lines += [write_matrix("W_2", draws.rows(2 * model, model, -1, 1))]
    if not layers:
        lines += _attention(draws, model, width, heads, out=heads > 1)
    if kind:
        lines += _gates(kind, tokens, width)
        lines += ["", "[attention]", f'kind = "{kind}"', f'form = "recurrent"  {said("starter.form")}']
        lines += ['gamma = "31/32"'] if kind == "retention" else []
    elif not layers:
        lines += ["", "[attention]", mask]
        lines += [f'# scale = "1/sqrt(d_k)"  {said("starter.scale")}']
    lines += ["", "[show]", f'level = "matrix"  {said("starter.level")}', f"diagram = false  {said('starter.diagram')}"]
    return "\n".join(lines) + "\n"


def _uneven(row: Sequence[int]) -> list[int]:
    """A row that is not the same throughout, which layer norm would make nothing."""
    return [row[0] + 1, *row[1:]] if len(set(row)) == 1 else list(row)


def _attention(draws: Draws, model: int, width: int, heads: int, *, out: bool) -> Iterator[str]:
    for name in ("W_Q", "W_K", "W_V"):
        yield write_matrices(name, [draws.rows(model, width, -1, 1) for _ in range(heads)])
    if out:
        yield write_matrix("W_O", [[int(i == j) for j in range(model)] for i in range(model)])


def _gates(kind: str, tokens: int, width: int) -> Iterator[str]:
    """What decays and writes, which all heads share: 1/2, 2/3, 3/4, and again."""
    for name in OF_KIND[kind]:
        columns = width if name == "alpha" else 1
        yield write_matrix(name, [[f"{t % 3 + 1}/{t % 3 + 2}"] * columns for t in range(tokens)])


def write_matrix(name: str, rows: Sequence[Sequence[Any]]) -> str:
    """A line of TOML, with the shape behind it.

    >>> write_matrix("V", [[1, 0]])
    'V = [[1, 0]]  # 1 x 2'
    """
    return f"{name} = {write_toml(rows)}  # {len(rows)} x {len(rows[0])}"


def write_matrices(name: str, each: Sequence[Sequence[Sequence[int]]]) -> str:
    """The same of a matrix for each head; of one head as one matrix."""
    if len(each) == 1:
        return write_matrix(name, each[0])
    return f"{name} = {write_toml(each)}  # {len(each)} x ({len(each[0])} x {len(each[0][0])})"
