"""What the letters of an article are defined to be, all of it and without what one statement says."""

from __future__ import annotations

from collections.abc import Iterable

from symattn.checking.formulas.graphs import reached
from symattn.checking.models.passes import Definition, swap_case

MOST_KEPT = 8  # definitions of one letter


class Collected:
    """Definitions by letter in the order in which they are made, each with the mark of the statement that makes it.

    A letter and the one in the other case are looked at together, as o_i is a row of O.
    """

    def __init__(self, said: Iterable[tuple[int, Definition]]) -> None:
        self._said: dict[str, list[tuple[int, int, Definition]]] = {}
        self._letters: dict[int, set[str]] = {}
        for place, (mark, made) in enumerate(said):
            letter = min(made.key, swap_case(made.key))
            self._said.setdefault(letter, []).append((place, mark, made))
            self._letters.setdefault(mark, set()).add(letter)
        self._kept = {letter: _keep(said) for letter, said in self._said.items()}
        self.every = _in_order(self._kept.values())

    def without(self, mark: int) -> dict[str, list[Definition]]:
        """The definitions that no statement with this mark makes."""
        letters = self._letters.get(mark)
        if not letters:
            return self.every
        changed = {letter: _keep([each for each in self._said[letter] if each[1] != mark]) for letter in letters}
        return _in_order((self._kept | changed).values())


_Kept = dict[str, tuple[int, list[Definition]]]  # by letter: where it is defined first, and as what


def _keep(said: Iterable[tuple[int, int, Definition]]) -> _Kept:
    """Of each of the two letters what it is defined to be: one in the other case has lines of its own."""
    kept: _Kept = {}
    for place, _, made in said:
        _, own = kept.setdefault(made.key, (place, []))
        own += [] if len(own) == MOST_KEPT or made in own else [made]
    return kept


def _in_order(kept: Iterable[_Kept]) -> dict[str, list[Definition]]:
    found = sorted((place, key, made) for letters in kept for key, (place, made) in letters.items())
    return {key: made for _, key, made in found}


def without_circles(known: dict[str, Definition]) -> dict[str, Definition]:
    """The definitions without those that only solve earlier ones for a letter, x_i = n y_i behind y_i = x_i/n."""
    kept: dict[str, Definition] = {}
    for key, made in known.items():
        if key not in reached(made.letters & kept.keys(), lambda x: kept[x].letters if x in kept else ()):
            kept[key] = made
    return kept


def without_other_loss(known: dict[str, Definition]) -> dict[str, Definition]:
    """The definitions without L = −Σ y_i log p_i where there is a P and no p: a loss of other letters."""
    if "L" not in known:
        return known
    other = any(key not in known and swap_case(key) in known for key in known["L"].letters)
    return {key: made for key, made in known.items() if key != "L" or not other}
