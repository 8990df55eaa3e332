"""A derivation -> the same with its backward pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Expr, Integer, MatrixSymbol

from symattn.api.derivation import Derivation
from symattn.errors import InputError, Placed
from symattn.nodes import require_size
from symattn.nodes.exact_numbers import ExactRows, read_rows
from symattn.program.gradient import add_gradients, resolve
from symattn.program.shapes import substitute_sizes
from symattn.program.steps import Program, Step
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip


def differentiate(
    d: Derivation, wrt: Sequence[Any] | None = None, *, G: Any = None, of: str | Sequence[str] | None = None
) -> Derivation:
    """The derivation with its backward pass: the gradients of a loss by what is in `wrt`, from that by the output.

    With L any function of the output O and G = ∂L/∂O, a step dX = ∂L/∂X for every X of the way back:
    dV = AᵀG, dA = GVᵀ, dS = A ∘ (dA − rowsum(A ∘ dA)1ᵀ), dQ = dS K/√d_k, dK = dSᵀQ/√d_k.

    `wrt` holds matrix symbols, their names, or names of steps; left out, it is every input that there is a gradient by.
    `G` gives the rows of the upstream gradient, of the output's shape, or a number where that is one, as a loss is;
    without it the result is symbolic. `of` names the step whose gradient is taken, the last one if left out:
    differentiating d["dQ"] again is a product with the Hessian. Of several steps the gradient is that of the loss
    which depends on all of them, and G has the rows for each by its name. Every gradient has the shape of its
    argument. Raises InputError for what is no Derivation, or does not appear, or is a mask; ShapeError for a G that
    does not fit.
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
        raise InputError(Sentence("not_a_derivation", given=clip(str(d), 40)))
    program = d.families
    names = [program.steps[-1].name] if of is None else [of] if isinstance(of, str) else list(of)
    steps = [_step(program, name) for name in names or [""]]
    backward, upstream = add_gradients(program, steps, resolve(program, wrt, steps))
    inputs = dict(d.inputs)
    if G is None:
        inputs = {}
    else:
        d.values  # noqa: B018  (says so if there are none)
        for step, symbol, rows in zip(steps, upstream, _each(G, steps), strict=True):
            inputs[symbol] = _rows(rows, step, symbol, d)
    title = d.page.title if isinstance(d.page.title, str) else Sentence("title.gradient")
    sizes, page = d.sizes if inputs else {}, replace(d.page, title=title)
    return replace(d, families=backward, inputs=inputs, sizes=sizes, page=page)


def _step(program: Program, name: str) -> Step:
    known = [step.name for step in program if step.index is None]
    if name not in [*known, program.steps[-1].name]:
        raise InputError(Sentence("no_step", name=str(name)[:40], known=listed(name, known)))
    return program[name]


def _each(G: Any, steps: Sequence[Step]) -> list[Any]:
    """The rows for each step. Raises InputError where one has none, or a name is no step of these."""
    if len(steps) == 1 and not isinstance(G, Mapping):
        return [G]
    names = [step.name for step in steps]
    if not isinstance(G, Mapping) or set(G) != set(names):
        raise InputError(Sentence("upstream_of_each", names=", ".join(names)), place="G")
    return [G[name] for name in names]


def _rows(rows: Any, step: Step, symbol: MatrixSymbol, d: Derivation) -> ExactRows:
    """The upstream gradient of a step. Raises ShapeError where it has not its shape."""
    with Placed(symbol.name):
        read = read_rows([[rows]] if isinstance(rows, int | Expr) else rows)
        height, width = substitute_sizes(symbol.shape, d.sizes)
        require_size(height, Integer(len(read)), f"rows({step.name})", "rows(G)")
        require_size(width, Integer(len(read[0])), f"columns({step.name})", "columns(G)")
    return read
