"""A statement on matrices: refuted by small numbers, proven for every size, or only tried at some."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from symattn.checking.equality.decide import equal
from symattn.checking.equality.indices import Undecided
from symattn.checking.equality.terms import Budget
from symattn.checking.theorems.points import Statement, agree, refute
from symattn.checking.theorems.theorem import Checked, Counterexample, Outcome, Theorem, Unknown
from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence

FIRST_CASES, FIRST_TRIES = 2, 2  # what is tried before anything else
SECONDS = 10.0  # for a link


def decide_links(theorem: Theorem, seed: int, seconds: float = SECONDS) -> Iterator[Outcome]:
    """The outcome of the base and of each link, up to one that fails."""
    for position, (left, right) in enumerate(theorem.statements):
        outcome = _decide(Statement(left, right, theorem.kinds, theorem.cases), position, seed, seconds)
        yield outcome
        if isinstance(outcome, Counterexample):
            return


def _decide(statement: Statement, position: int, seed: int, seconds: float) -> Outcome:
    start = monotonic()
    if not statement.is_small:
        return Unknown(Sentence("unproven.too_large"))
    found = refute(statement, position, start + seconds / 4, FIRST_CASES, FIRST_TRIES)
    if found is not None:
        return refute(statement, position, monotonic() + seconds / 4, FIRST_CASES) or found
    why = _unproven(statement, start + seconds / 2)
    if why is None:
        return Checked("normal_form")
    found = refute(statement, position, start + 3 * seconds / 4)
    if found is not None:
        return found
    if statement.has_large_constant:
        return Unknown(Sentence("unproven.large_constant", number=statement.largest_constant))
    try:
        return agree(statement, position, seed, start + seconds)
    except NotSupportedError:
        return Unknown(why if why.key != "unproven.forms_differ" else Sentence("unproven.no_point"))


def _unproven(statement: Statement, until: float) -> Sentence | None:
    """Why the normal form does not prove a statement; None where it does."""
    if statement.left == statement.right:
        return None
    try:
        if equal(*statement.sides, statement.kinds, Budget(seconds=until - monotonic())):
            return None
    except Undecided as undecided:
        return Sentence(f"unproven.{undecided.reason}", what=undecided.what)
    return Sentence("unproven.forms_differ")
