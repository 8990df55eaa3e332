"""Which state of online softmax a name is of: before a block, after it, the block's own, or that of a merge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from symattn.checking.models.blocks import AFTER, BEFORE, MERGED, OWN, WHOLE, Conventions
from symattn.patterns import regex
from symattn.reading import formula as f

LETTERS = {
    "S": "S", "s": "S", "x": "S", "V": "V", "v": "V", "P̃": "P̃", "p̃": "P̃", "P": "P", "p": "P", "m": "m", "m̃": "m̃",
    "ℓ": "ℓ", "l": "ℓ", "d": "ℓ", "ℓ̃": "ℓ̃", "l̃": "ℓ̃", "O": "O", "o": "O", "Õ": "Õ", "õ": "Õ", "out": "O",
    "y": "O", "acc": "O", "lse": "lse", "LSE": "lse", "L": "lse",
}  # fmt: skip
OF_BLOCKS = ("S", "V", "P̃", "m̃", "ℓ̃")
OF_RESULTS = ("m", "ℓ", "lse", "O", "Õ")
OF_STATES = ("m", "ℓ", "lse", "m̃", "ℓ̃")
_STEP = regex(r"\(?(?P<letter>[a-zA-Z](?:_[a-z])?)?(?P<offset>[-+]?[0-9]+)?\)?")
OLD = regex(r"old|prev(?:ious)?|pre|past")
NEW = regex(r"new|now|cur(?:rent)?|next")
OTHER = "other"
BLOCK = regex(r"(?:(?:cur(?:rent)?|new|this)[ _]?)?(?:block|blk|tile|chunk|分?块|區塊)|loc(?:al)?|part(?:ial)?")
_FRESH = regex(r"cur(?:rent)?|now|next|new|[a-z]{2}")  # may mark the state after the block, or the block's own
_SLICE = regex(r"(?::,?)?:[a-z]")
Step = tuple[str, int]


def are_marked_apart(sides: Sequence[f.Expression]) -> bool:
    """Whether blocks have their step above and states theirs below, and no word."""
    names = names_in(sides)
    above = [n for n in names if LETTERS[n.base] in OF_BLOCKS and any(step_in(mark) for mark in n.sup)]
    below = [n for n in names if LETTERS[n.base] in OF_STATES and not n.sup and any(step_in(mark) for mark in n.sub)]
    return bool(above and below)


def are_marked_in_two_ways(sides: Sequence[f.Expression]) -> bool:
    """Whether one state is an old one and another has a step, or scores have the numbers of single keys, S_{12}."""
    names = names_in(sides)
    marks = {mark for n in names if LETTERS[n.base] in (*OF_RESULTS, *OF_STATES) for mark in (*n.sup, *n.sub)}
    words = any(map(OLD.fullmatch, marks))
    steps = any((found := _STEP.fullmatch(mark)) is not None and found["letter"] for mark in marks)
    pairs = any(LETTERS[n.base] == "S" and len(n.sub) == 1 and re.fullmatch(r"\d,?\d", n.sub[0]) for n in names)
    return (words and steps) or pairs


def are_of_two_queries(sides: Sequence[f.Expression]) -> bool:
    """Whether states with their step above have two letters below, ℓ_j^{(t)} and ℓ_i^{(t)}: rows of two queries."""
    states = [n for n in names_in(sides) if LETTERS[n.base] in OF_RESULTS]
    below = {n.sub[0] for n in states if len(n.sub) == 1 and len(n.sub[0]) == 1 and n.sub[0].isalpha()}
    return len(below) > 1 and any(step_in(mark) for n in states for mark in n.sup)


def is_marked(name: f.Name, pattern: re.Pattern[str]) -> bool:
    return any(pattern.fullmatch(mark) for mark in (*name.sub, *name.sup))


def is_of_slices(sides: Sequence[f.Expression]) -> bool:
    """Whether the keys so far are one block, as S_{:j} writes them."""
    return any(_SLICE.fullmatch(",".join(name.sub)) for name in names_in(sides))


def states_in(
    sides: Sequence[f.Expression], conventions: Conventions, whole: bool
) -> Callable[[f.Name], tuple[str, str] | None]:
    """Which quantity and state each name of a statement is.

    `ℓ^{(j)}` and `ℓ^{(j-1)}`, `d_i` and `d_{i-1}`, `m^{new}` and `m`: the last one is the state after the new block.
    """
    names = names_in(sides)
    own = _own_in(names, conventions.fresh)
    merge = merge_in(sides)
    above = any(step_in(mark) for name in names for mark in name.sup)
    worded = any(is_marked(name, NEW) for name in _states_of(names) if name not in own)
    primed = _is_primed(names)
    worded = (worded or primed) and merge is None
    begins = any(is_marked(name, OLD) for name in names)
    steps = {name: AFTER if primed and "′" in name.sup else step_of(name, above, worded) for name in names}
    order = sorted({step for step in steps.values() if isinstance(step, tuple)}, key=lambda step: step[1])
    last = order[-1] if order else None

    def state(name: f.Name) -> tuple[str, str] | None:
        if name not in steps:
            return None
        letter, step = LETTERS[name.base], steps[name]
        if name in own:
            return letter, OWN
        if merge is not None and letter in OF_RESULTS:
            result, first, second = merge
            if step in (None, AFTER) or (name.sub, name.sup) == (result.sub, result.sup):
                return letter, MERGED
            return (letter, BEFORE if step == first else AFTER) if step in (first, second) else None
        if isinstance(step, str):
            return None if step == OTHER else (letter, step)
        if whole:
            return letter, WHOLE
        if step is None and any(is_marked(each, BLOCK) for each in own) and letter in OF_BLOCKS:
            return letter, AFTER  # P̃ = exp(S − m_block), of the scores of that block
        if step is None:
            if last is not None and letter in ("m̃", "ℓ̃", "P̃"):
                return letter, AFTER  # m̃ = rowmax(S_b), of the one block that is named
            if worded and not above:
                return letter, AFTER if letter in OF_BLOCKS else BEFORE
            return letter, AFTER if begins else WHOLE
        if step == last and not (len(order) == 1 and step == ("", 1)):
            return letter, AFTER
        earlier = last is not None and step[0] == last[0] and step[1] == last[1] - 1
        return (letter, BEFORE) if step == last or earlier else None

    return state


def merge_in(sides: Sequence[f.Expression]) -> tuple[f.Name, Step, Step] | None:
    """What two blocks' own quantities are put together to, ℓ or ℓ_new, and the blocks: ℓ_i and ℓ_{i+1}, ℓ_a and ℓ_b."""
    result = next((side for side in sides if isinstance(side, f.Name)), None)
    if result is None or LETTERS.get(result.base) not in OF_RESULTS:
        return None
    marked = is_marked(result, NEW) or "′" in result.sup
    if not marked and isinstance(step_of(result), tuple):
        return None
    others = [name for name in names_in(sides) if name != result and LETTERS[name.base] == LETTERS[result.base]]
    steps = sorted({step for name in others if "′" not in name.sup and isinstance(step := step_of(name), tuple)})
    if len(steps) != 2:
        return None
    (letter, offset), (other, next_offset) = steps
    consecutive = letter == other and next_offset == offset + 1
    return (result, steps[0], steps[1]) if consecutive or (letter != other and offset == next_offset == 0) else None


def _is_primed(names: Sequence[f.Name]) -> bool:
    """Whether a prime marks the state after the step, as m' beside m where no m_new is."""
    if any(is_marked(name, NEW) for name in _states_of(names)):
        return False
    marked = {LETTERS[name.base] for name in names if name.sup == ("′",) and not name.sub}
    plain = {LETTERS[name.base] for name in names if not name.sup and not name.sub}
    return not marked.isdisjoint(OF_STATES) and not (marked & plain).isdisjoint(OF_STATES)


def names_in(sides: Sequence[f.Expression]) -> list[f.Name]:
    return [part for side in sides for part in f.walk(side) if isinstance(part, f.Name) and part.base in LETTERS]


def _states_of(names: Sequence[f.Name]) -> list[f.Name]:
    """The names but those of scores and values: of s_new, the scores of the new block, there is one state alone."""
    return [name for name in names if LETTERS[name.base] not in ("S", "V")]


def _own_in(names: Sequence[f.Name], fresh: bool) -> set[f.Name]:
    """The names that are the new block's own: m_block; with `fresh` m_cur beside m_new, m_new beside m_old and m."""
    worded = any(is_marked(name, NEW) for name in _states_of(names))
    own = {name for name in names if is_marked(name, BLOCK) or (worded and name.sup == ("′",))}
    if fresh:
        pairs = {name for name in names if any(len(x) == 2 and x.isalpha() for x in (*name.sub, *name.sup))}
        own |= pairs or _fresh_in(names)  # m_ij beside m and m_new
    return own


def depends_on_fresh(sides: Sequence[f.Expression]) -> bool:
    """Whether some names are the new block's own only where fresh marks say so."""
    names = names_in(sides)
    return _own_in(names, fresh=True) != _own_in(names, fresh=False)


def _fresh_in(names: Sequence[f.Name]) -> set[f.Name]:
    """The names with a mark that may be that of the state after the block, and is not."""
    plain = any(not name.sub and not name.sup and LETTERS[name.base] not in OF_BLOCKS for name in names)
    new = any("new" in (*name.sub, *name.sup) for name in names)
    fresh = (name for name in names if is_marked(name, _FRESH))
    return {name for name in fresh if ("new" not in (*name.sub, *name.sup) if new and not plain else plain)}


def step_of(name: f.Name, above: bool = False, worded: bool = False) -> Step | str | None:
    """The step that a name is marked with, (letter, offset); a state that is said in a word; None without a mark."""
    for mark in (*name.sup, *name.sub):
        if OLD.fullmatch(mark):
            return BEFORE
        if NEW.fullmatch(mark):
            return AFTER
        if re.fullmatch(r"[a-z]{3,}", mark):
            return OTHER
    marks = [mark for mark in name.sup if mark.strip("′")]
    if marks:
        return step_in(marks[0]) or OTHER
    below = ",".join(name.sub)
    if _SLICE.fullmatch(below):
        return WHOLE
    if above:  # the query's block stands below, and the key's below K and V
        return step_in(below) if LETTERS[name.base] in ("V",) else None
    if worded or (len(below) == 2 and below.isalpha()):
        return None
    return step_in(below)


def step_in(mark: str) -> Step | None:
    found = _STEP.fullmatch(mark)
    stated = found is not None and bool(found["letter"] or found["offset"])
    return (found["letter"] or "", int(found["offset"] or 0)) if found is not None and stated else None
