"""Weights of a head on the right of its tokens, Attention(Q W_i^Q, …) or X W_i^Q: as many rows as these have columns.

A head takes d_model numbers of each token to d_k: there W_i^Q is d_model × d_k, and d_k × d_model on the left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sympy import Expr, Symbol

from symattn.checking.formulas.shapes.declared import Claim, declares
from symattn.checking.formulas.shapes.inference import Shape, key_of
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f

_OF_HEAD = regex(r"d_?(?:k|v|q|h|head)|head_?(?:dim|size)")
_OF_MODEL = regex(r"[dD]|d_?(?:model|emb\w*|in)|hidden_?(?:size|dim)|n_?embd|(?:model|emb\w*)_?dim")


def find_turned(
    claims: Sequence[Claim], statements: Sequence[Statement], declared: Mapping[str, Sequence[tuple[int, Shape]]]
) -> Iterator[tuple[Claim, bool]]:
    """Declarations of such weights with their sizes exchanged, and whether the tokens' own shape says so, too."""
    tokens = {key: token for statement in statements for side in statement.equals for key, token in _products(side)}
    others = {key for statement in statements for side in statement.equals for key in _on_the_left(side)}
    tokens = {key: token for key, token in tokens.items() if key not in others}
    widths = {shape[-1] for token in set(tokens.values()) for _, shape in declared.get(token, ()) if shape}
    for claim in claims if tokens else ():
        mine = any(key in tokens for key, _ in declares(claim))
        if mine and len(claim.axes) == 2 and _is_exchanged(claim.axes):
            yield claim, widths == {claim.axes[1]}


def _products(side: f.Expression) -> Iterator[tuple[str, str]]:
    """The weights and the tokens on their left in the arguments of an attention, or alone."""
    match side:
        case f.Product((f.Name(base="X" | "H") as token, f.Name("W") as weights)):
            yield key_of(weights), key_of(token)
        case f.Call("attention" | "attn", (_, _, _) as arguments):
            for each in arguments:
                match each:
                    case f.Product((f.Name() as token, f.Name("W") as weights)):
                        yield key_of(weights), key_of(token)


def _on_the_left(side: f.Expression) -> Iterator[str]:
    """The weights that stand in front of something somewhere, or turned behind it."""
    for part in f.walk(side):
        match part:
            case f.Product((f.Name("W") as weights, f.Name())) | f.Product(
                (f.Name(), f.Transpose(f.Name("W") as weights))
            ):
                yield key_of(weights)


def _is_exchanged(axes: Sequence[Expr]) -> bool:
    rows, columns = axes
    letters = isinstance(rows, Symbol) and isinstance(columns, Symbol)
    return letters and bool(_OF_HEAD.fullmatch(str(rows)) and _OF_MODEL.fullmatch(str(columns)))
