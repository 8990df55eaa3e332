"""Scores by the names that lines of an article give them: S, S_scaled = S/√d_k, S̃ = S + M."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from symattn.checking.formulas.gradients.forward import SCORES
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import names
from symattn.checking.formulas.trials.notation import defined, find_definitions
from symattn.checking.formulas.trials.symbols import Key
from symattn.checking.naming import rewrite
from symattn.reading import formula as f

MASKS = frozenset(["M", "B", "mask", "Mask", "bias"])
_DEEPEST = 3  # lines on lines
_LONGEST = 30  # parts of a line that says what scores are
_WIDTHS = frozenset(["d", "D", "k", "dim", "dk"])
Definitions = Mapping[Key, tuple[tuple[str, ...], f.Expression]]


def with_scores(e: f.Expression, context: Context) -> f.Expression:
    """The formula with the product of queries and keys that lines say scores to be in the place of their names."""
    return _with_scores(e, context.once(find_definitions), _DEEPEST)


def _with_scores(e: f.Expression, made: Definitions, depth: int) -> f.Expression:
    return rewrite(e, lambda part: _scores_of(part, made, depth) if isinstance(part, f.Name) else part)


def _scores_of(name: f.Name, made: Definitions, depth: int) -> f.Expression:
    key, letters = defined(name)
    own, body = made.get(key, ((), None))
    if letters or own or body is None or not depth or name in f.walk(body):
        return name
    if next(islice(f.walk(body), _LONGEST, None), None) is not None:
        return name
    whole = _with_scores(body, made, depth - 1)
    return whole if name.base in SCORES or (_is_alike(whole) and not isinstance(whole, f.Name)) else name


def _is_alike(e: f.Expression) -> bool:
    """Whether it is made of queries and keys, their width and a mask, and of nothing else."""
    bases = {n.base for n in names(e)}
    calls = any(isinstance(part, f.Call | f.BigSum | f.Matrix) for part in f.walk(e))
    return not calls and {"Q", "K"} <= bases <= {"Q", "K"} | _WIDTHS | MASKS
