"""A derivation -> the same with its backward pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sympy import Integer

from symattn.api.derivation import Derivation
from symattn.errors import InputError, SymattnError
from symattn.nodes import require_size
from symattn.nodes.exact_numbers import read_rows
from symattn.program.gradient import add_gradients, resolve
from symattn.program.shapes import substitute_sizes
from symattn.writing.prose import Sentence


def differentiate(
    d: Derivation, wrt: Sequence[Any] | None = None, *, G: Any = None, of: str | None = None
) -> Derivation:
    """The derivation with its backward pass: the gradients of a loss by what is in `wrt`, from that by the output.

    With L any function of the output O and G = ∂L/∂O, a step dX = ∂L/∂X for every X of the way back:
    dV = AᵀG, dA = GVᵀ, dS = A ∘ (dA − rowsum(A ∘ dA)1ᵀ), dQ = dS K/√d_k, dK = dSᵀQ/√d_k.

    `wrt` holds matrix symbols, their names, or names of steps; left out, it is every input that there is a gradient by.
    `G` gives the rows of the upstream gradient, of the output's shape; without it the result is symbolic. `of` names
    the step whose gradient is taken, the last one if left out: differentiating d["dQ"] again is a product with the
    Hessian. Every gradient has the shape of its argument. Raises InputError for what is no Derivation, or does not
    appear, or is a mask; ShapeError for a G that does not fit.
    Source: Griewank and Walther 2008, chapter 3; Dao et al. 2022, appendix B.2.

    >>> from sympy import MatrixSymbol, symbols
    >>> from symattn import Attention, derive
    >>> n, m, d = symbols("n m d")
    >>> Q, K, V = (MatrixSymbol(x, k, d) for x, k in zip("QKV", (n, m, m)))
    >>> values = {Q: [[0]], K: [[1], [1]], V: [[2], [4]]}
    >>> back = differentiate(derive(Attention(Q, K, V, scale=1), values), [Q, V], G=[[6]])
    >>> back["dV"].exact, back["dQ"].exact
    (Matrix([
    [3],
    [3]]), Matrix([[0]]))
    """
    if not isinstance(d, Derivation):
        raise InputError(Sentence("not_a_derivation", given=str(d)[:40]))
    program = d.families
    if of is not None and of not in {step.name for step in program if step.index is None}:
        raise InputError(Sentence("no_step", name=of, known=", ".join(s.name for s in program if s.index is None)))
    step = program.steps[-1] if of is None else program[of]
    backward, upstream = add_gradients(program, step, resolve(program, wrt, step))
    inputs = dict(d.inputs)
    if G is None:
        inputs = {}
    else:
        d.values  # noqa: B018  (says so if there are none)
        try:
            inputs[upstream] = read_rows(G)
            rows, columns = substitute_sizes(upstream.shape, d.sizes)
            require_size(rows, Integer(len(inputs[upstream])), f"rows({step.name})", "rows(G)")
            require_size(columns, Integer(len(inputs[upstream][0])), f"columns({step.name})", "columns(G)")
        except SymattnError as error:
            raise error.at(upstream.name) from None
    title = d.page.title if isinstance(d.page.title, str) else Sentence("title.gradient")
    sizes, page = d.sizes if inputs else {}, replace(d.page, title=title)
    return replace(d, families=backward, inputs=inputs, sizes=sizes, page=page)
