"""Sums whose index does not occur in what is summed while another one stands there that nothing binds: Σ_i φ(k_j); and
sums over the index of what they are, o_i = Σ_i a_ij v_j."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_INDEX = regex(r"[ijklmnrstu]")
_LETTERS = regex(r"(?<![a-zA-Z])(?:[a-zA-Z]{1,2}|[ijkl]+)(?![a-zA-Z])")  # three and more, as in pmf, are a word
_LABELLED = frozenset("WbdnNTLDBCHhRMc")  # letters below which i or k may be the name of a head, a matrix or a size


def judge_sum_index(statement: Statement, context: Context) -> Formula | None:
    """A sum over i of terms that have an index j, of which the equation knows nothing else."""
    known = set().union(*(_indices(side) | _places(side) for side in statement.equals[:1]))
    for side in statement.equals[1:]:
        for total, bound in _sums(side, frozenset()):
            inside = _indices(total.body)
            free = inside - known - bound - {total.index}
            strange = {i for i in free if not _is_bound_in(total.body, i)}
            own = total.index in inside and _is_index_of(total.index, statement.left)  # c_i = Σ_i a_ij v_j takes its i
            if (
                not _INDEX.fullmatch(total.index)
                or (total.index in inside | _labels(total.body) and not own)
                or len(strange) != 1
                or _has_row(total.body)
                or _is_shared(side, strange)
            ):
                continue
            (other,) = strange
            point = Counterexample((("sum", statement.printed(total)),), total.index, other)
            key = "theorem.sum_of_own_index" if own else "theorem.sum_index"
            theorem = Sentence(key, index=total.index, other=other)
            return refuse(statement, theorem, None, point)
    return _judge_free_index(statement)


def _judge_free_index(statement: Statement) -> Formula | None:
    """softmax(z)_i = e^{z_j} / Σ_j e^{z_j}: what stands outside of the sum has its index, and not that of the left."""
    own = _indices(statement.left) | _places(statement.left)
    for side in statement.equals[1:]:
        sums = [total for total, _ in _sums(side, frozenset())]
        inside = {id(name) for total in sums for name in f.walk(total) if isinstance(name, f.Name)}
        names = [part for part in f.walk(side) if isinstance(part, f.Name) and id(part) not in inside]
        strange = set().union(*map(_indices, names)) - own - _shared_labels(names, sums)
        missing = own - _indices(side)
        if len(strange) == len(missing) == 1 and strange <= {total.index for total in sums}:
            (other,), (index,) = strange, missing
            theorem = Sentence("theorem.free_index", index=index, other=other)
            return refuse(statement, theorem, None, Counterexample((("side", statement.printed(side)),), index, other))
    return None


def _shared_labels(names: Sequence[f.Name], sums: Sequence[f.BigSum]) -> set[str]:
    """The letters in brackets above names outside of sums as well as inside: the (k) of W^(k) and b^(k), for keys."""
    outside = {mark for name in names for mark in name.sup}
    inside = {mark for total in sums for part in f.walk(total) if isinstance(part, f.Name) for mark in part.sup}
    return {letter for mark in outside & inside for letter in mark.strip("()") if mark.startswith("(")}


def _places(e: f.Expression) -> set[str]:
    """The indices of entries, softmax(z)_i."""
    entries = (part for part in f.walk(e) if isinstance(part, f.Entry))
    return {mark for entry in entries for mark in entry.indices if _INDEX.fullmatch(mark)}


def _is_index_of(letter: str, left: f.Expression) -> bool:
    return isinstance(left, f.Name) and not left.sup and left.sub == (letter,)


def _sums(e: f.Expression, bound: frozenset[str]) -> Iterator[tuple[f.BigSum, frozenset[str]]]:
    """The sums in an expression, each with the indices that sums around it bind."""
    if isinstance(e, f.BigSum):
        yield e, bound
        bound |= {e.index}
    for part in e.parts:
        yield from _sums(part, bound)


def _indices(e: f.Expression) -> set[str]:
    """The index letters of the names in it, and those that stand by themselves."""
    found: set[str] = set()
    for part in f.walk(e):
        if not isinstance(part, f.Name):
            continue
        if part.base not in _LABELLED:
            found |= {letter for mark in letter_of(part).indices for letter in mark if _INDEX.fullmatch(letter)}
        for mark in (*part.sup, *(mark for mark in part.sub if len(mark) > 2)):
            found |= {letter for run in _LETTERS.findall(mark) for letter in run if _INDEX.fullmatch(letter)}
        if _INDEX.fullmatch(part.base) and not part.sub:
            found.add(part.base)
    return found


def _labels(e: f.Expression) -> set[str]:
    """The letters that stand below or above names, indices or not: l of the B_{kl} of three matrices."""
    return {
        letter for part in f.walk(e) if isinstance(part, f.Name) for mark in (*part.sub, *part.sup) for letter in mark
    }


def _has_row(e: f.Expression) -> bool:
    """Whether the row O_{i,:} is in it, over whose entries a sum may run without naming their index."""
    return any(isinstance(part, f.Name) and any(":" in mark for mark in part.sub) for part in f.walk(e))


def _is_bound_in(e: f.Expression, letter: str) -> bool:
    return any(isinstance(part, f.BigSum) and part.index == letter for part in f.walk(e))


def _is_shared(side: f.Expression, letters: set[str]) -> bool:
    """Whether such an index stands outside of sums too, so that the equation is meant for each of its values."""
    sums = [part for part in f.walk(side) if isinstance(part, f.BigSum)]
    inside = {id(name) for total in sums for name in f.walk(total) if isinstance(name, f.Name)}
    outside = [part for part in f.walk(side) if isinstance(part, f.Name) and id(part) not in inside]
    return any(letters & _indices(name) for name in outside)
