"""A statement on matrices: refuted by small numbers, proven for every size, or only tried at some."""

from __future__ import annotations

from collections.abc import Iterator
from time import thread_time

from symattn.checking.equality.decide import equal
from symattn.checking.equality.indices import Undecided
from symattn.checking.equality.terms import Budget
from symattn.checking.theorems.points import TRIES, Limit, Statement, agree, refute
from symattn.checking.theorems.theorem import Checked, Counterexample, Outcome, Theorem, Unknown
from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence

FIRST_CASES, FIRST_TRIES = 2, 2  # what is tried before anything else
FAR_TRIES = 4  # at each assignment of sizes that may have to be large
STEPS, PRODUCTS = 250_000, 10_000  # of points each time, and of the normal form: some seconds
SECONDS = 6.0  # of processor time for a link, where these take longer than they should


def decide_links(theorem: Theorem, seed: int, seconds: float = SECONDS) -> Iterator[Outcome]:
    """The outcome of the base and of each link, up to one that fails."""
    for position, (left, right) in enumerate(theorem.statements):
        outcome = _decide(Statement(left, right, theorem.kinds, theorem.cases), position, seed, seconds)
        yield outcome
        if isinstance(outcome, Counterexample):
            return


def _decide(statement: Statement, position: int, seed: int, seconds: float) -> Outcome:
    until = thread_time() + seconds
    if not statement.is_small:
        return Unknown(Sentence("unproven.too_large"))
    found = refute(statement, position, Limit(STEPS, until), FIRST_CASES, FIRST_TRIES)
    if found is not None:
        return refute(statement, position, Limit(STEPS, until), FIRST_CASES) or found
    why = _unproven(statement, until)
    if why is None:
        return Checked("normal_form")
    tries = FAR_TRIES if statement.has_large_threshold else TRIES
    found = refute(statement, position, Limit(STEPS, until), tries=tries)
    if found is not None:
        return found
    if statement.has_large_threshold:
        return Unknown(Sentence("unproven.large_threshold", number=statement.threshold))
    try:
        return agree(statement, position, seed, Limit(STEPS, until))
    except NotSupportedError as error:
        untried = error.message if isinstance(error.message, Sentence) else why
        return Unknown(why if why.key != "unproven.forms_differ" else untried)


def _unproven(statement: Statement, until: float) -> Sentence | None:
    """Why the normal form does not prove a statement; None where it does."""
    if statement.left == statement.right:
        return None
    try:
        if equal(*statement.sides, statement.kinds, Budget(PRODUCTS, until - thread_time())):
            return None
    except Undecided as undecided:
        return Sentence(f"unproven.{undecided.reason}", what=undecided.what)
    return Sentence("unproven.forms_differ")
