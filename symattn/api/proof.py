"""The face that users hold of a theorem: its chain with the rule of each link, how it was checked, or why it fails."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symattn.api.page import Page
from symattn.checking.theorems import THEOREMS, Checked, Counterexample, Outcome, Theorem, Unknown, check
from symattn.checking.theorems.statement import find_theorem, names_of, read_chain
from symattn.pages.theorems import theorem_blocks, theorem_title, told_apart
from symattn.writing.document import Document
from symattn.writing.notation import read_notation
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Proof(Page):
    """A theorem with what its check found, link by link; `prove` makes it.

    >>> str(prove("two-keys")).splitlines()[0]
    'two-keys: proven for every size'
    """

    theorem: Theorem
    outcomes: Sequence[Outcome]

    @property
    def status(self) -> str:
        """ "proven" for every size, "refuted", "tried" (true at the sizes tried) or "undecided"."""
        if self.counterexample is not None:
            return "refuted"
        if any(isinstance(o, Unknown) for o in self.outcomes):
            return "undecided"
        return "proven" if all(isinstance(o, Checked) and o.is_proof for o in self.outcomes) else "tried"

    @property
    def holds(self) -> bool:
        """Whether every link is proven, for every size."""
        return self.status == "proven"

    @cached_property
    def counterexample(self) -> Counterexample | None:
        """Small exact numbers at which a link fails."""
        return next((o for o in self.outcomes if isinstance(o, Counterexample)), None)

    @property
    def title(self) -> Sentence:
        return theorem_title(self.theorem)

    def document(self, notation: Any = None) -> Document:
        """The proof, in a notation as `derive` takes it."""
        written = read_notation(notation or {}).fitted(sorted(names_of(self.theorem)), {})
        return Document(
            self.title, tuple(theorem_blocks(self.theorem, self.outcomes, columns=written.columns)), written
        )

    def to_dict(self) -> dict[str, Any]:
        """What is stated, link by link, and what is known of it: plain data."""
        theorem = self.theorem
        stated = [(left, "=", right) for left, right in theorem.base]
        stated += [(left, link.relation, link.side) for left, link in zip(theorem.sides, theorem.links, strict=False)]
        stated = [(*told_apart(theorem, left, right), relation) for left, relation, right in stated]
        return {
            "name": self.theorem.name,
            "title": self.title.text("en"),
            "status": self.status,
            "links": [
                {"left": str(left), "relation": relation, "right": str(right), **_outcome_data(outcome)}
                for (left, right, relation), outcome in zip(stated, self.outcomes, strict=False)
            ],
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def __repr__(self) -> str:
        said = f"{self.theorem.name}: {_STATUS[self.status]}"
        why = next((o.reason.text("en").rstrip(".") for o in self.outcomes if isinstance(o, Unknown)), "")
        return f"{said}; {why}" if why and self.status == "undecided" else said


_STATUS = {
    "proven": "proven for every size",
    "refuted": "does not hold",
    "tried": "true at the sizes tried",
    "undecided": "not decided",
}


def _outcome_data(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Counterexample):
        sizes = {str(s): str(v) for s, v in outcome.sizes.items()}
        values = {str(s.name): [[str(x) for x in row] for row in rows] for s, rows in outcome.values.items()}
        shown = {"sizes": sizes, "values": values, "left": str(outcome.left), "right": str(outcome.right)}
        return {"status": "refuted", "counterexample": shown}
    if isinstance(outcome, Unknown):
        return {"status": "undecided", "reason": outcome.reason.text("en")}
    if outcome.is_proof:
        return {"status": "proven", "method": outcome.method}
    cases = [{str(s): int(v) for s, v in case.items()} for case in outcome.cases]
    chance = None if outcome.chance is None else f"1e-{outcome.chance}"
    return {"status": "tried", "sizes": cases, "seed": outcome.seed, "chance": chance}


def prove(theorem: Any, *sides: Any, seed: int | None = None) -> Proof:
    """Check a theorem that ships, by its name, or that matrix expressions of your own are equal, the chain as given.

    An equation of SymPy's, Eq(A, B), is its two sides; Eq(A, A), which SymPy makes True at once, has none any more.

    Each link is first tried at small exact numbers, which may refute it. Then it is proven for every size, by a normal
    form of the entries. What that does not settle is tried at random points of sizes that differ; `seed` repeats them.
    The time for a link is limited. Raises InputError for an unknown name or one side alone, ShapeError for sides of
    different sizes.

    >>> from sympy import MatrixSymbol, symbols
    >>> from symattn import Softmax
    >>> n, m = symbols("n m", integer=True, positive=True)
    >>> Z = MatrixSymbol("Z", n, m)
    >>> prove("shift-invariance").status, prove(Softmax(Z), Softmax(Z, -2)).status
    ('proven', 'refuted')
    """
    made = find_theorem(theorem) if isinstance(theorem, str) and not sides else read_chain((theorem, *sides))
    return Proof(made, check(made, secrets.randbits(32) if seed is None else seed))


def list_theorems(language: str = "en") -> str:
    """The theorems that ship: a line each, name first."""
    width = max(map(len, THEOREMS))
    titles = {name: Sentence(f"theorem.{name}").text(language) for name in THEOREMS}
    return "".join(f"{name.ljust(width)}  {title}\n" for name, title in titles.items())
