"""Unknown sizes, some of which are found to be the same."""

from __future__ import annotations

from dataclasses import dataclass, field

ONE = 0  # the number of the size 1


@dataclass
class Unknowns:
    """Unknowns by number, in classes of equal ones; the root of a class is its lowest."""

    parent: list[int] = field(default_factory=lambda: [ONE], kw_only=True)

    def new(self) -> int:
        """One more, of which nothing is known."""
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def root(self, unknown: int) -> int:
        """The one that stands for all that are equal to it."""
        while self.parent[unknown] != unknown:
            unknown = self.parent[unknown]
        return unknown
