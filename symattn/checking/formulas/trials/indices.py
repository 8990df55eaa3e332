"""Indices of names: `ij`, `t-1`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from symattn.checking.formulas.trials.symbols import Key, NotSettledError
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f

_MARKED = regex(r"[^\W\d_]′*")

Indices = Mapping[str, int]  # index letters and their values, from 1


def split_name(name: f.Name, at: Indices) -> tuple[Key, list[str]]:
    """The symbol in a name and its indices: what stands below or above and is bound, a number or a colon."""
    parts: list[str] = []
    below: list[str] = []
    for part in name.sub:
        found = split_indices((part,), at)
        if found and all(_is_index(x, at) for x in found):
            parts += found
        else:
            below.append(part)
    above: list[str] = []
    for part in name.sup:
        inside = part.strip("()")
        if _is_index(inside, at) and not inside.isdigit():
            parts.append(inside)
        else:
            above.append(part)
    for part in name.item:
        parts += split_indices((part,), at)
    return (name.base, tuple(below), tuple(above)), parts


def split_indices(parts: Sequence[str], at: Indices) -> list[str]:
    """The indices in `ij`, `i,j`, `i1`, `t-1`, each by itself."""
    found: list[str] = []
    for part in parts:
        run = part.replace(" ", "")
        marked = _MARKED.findall(run) if "′" in run else []
        if len(marked) > 1 and "".join(marked) == run and all(mark in at for mark in marked):
            found += marked  # the j′ of ij′
        elif len(run) > 1 and run.isalnum() and not run.isdigit() and all(c in at or c.isdigit() for c in run):
            found += list(run)
        else:
            found.append(run.strip("()") if run not in at else run)
    return found


def _is_index(part: str, at: Indices) -> bool:
    if part in at or part == ":" or (part.isdigit() and part.isascii()):
        return True
    letters = {c for c in part if c.isalpha()}
    return bool(letters) and letters <= set(at) and any(c in "+-−⌊/·" for c in part)


@lru_cache(maxsize=512)
def read_index(text: str) -> f.Expression:
    """An index that is a calculation."""
    try:
        chains = f.parse(text, algebra=True)
    except FormulaError:
        raise NotSettledError(text) from None
    if len(chains) != 1 or len(chains[0].sides) != 1:
        raise NotSettledError(text)
    return chains[0].sides[0].expression


def is_in_label(letter: str, body: f.Expression) -> bool:
    """Whether a letter stands in a run of letters below a name, which are indices that are not told apart."""
    runs = {part for n in f.walk(body) if isinstance(n, f.Name) for part in n.sub if len(part) > 2 and part.islower()}
    return any(letter in run for run in runs)


def counted_from_one(e: f.BigSum, at: Indices) -> f.BigSum:
    """Σ_{r=1}^T x_r for Σ_{r=0}^{T−1} x_r, where r only tells entries apart, and T is no index, as of causal sums."""
    match e.lower, e.upper:
        case f.Number(value=zero), f.Sum((f.Name() as count, f.Number(value=one)), (1, -1)):
            pass
        case f.Number(value=zero), f.Name(base=last) | f.Sum((f.Name(base=last), f.Number()), (1, 1)):
            if zero == 0 and last not in at:
                raise NotSettledError("bound")  # Σ_{r=0}^T: T is the last label, or the number of entries
            return e
        case _:
            return e
    used = [name for name in f.walk(e.body) if isinstance(name, f.Name)]
    told = all(name.base != e.index and all(map(str.isalpha, _marks(name))) for name in used)
    if zero != 0 or one != 1 or count.base in at or not told:
        return e
    return replace(e, lower=f.Number("1", one, one), upper=count)


def _marks(name: f.Name) -> tuple[str, ...]:
    """All that stands at a name, x_r; nothing else than letters says r + 1, or an entry that is counted from 0."""
    return tuple(mark.replace(",", "") for mark in (*name.sub, *name.sup, *name.item))
