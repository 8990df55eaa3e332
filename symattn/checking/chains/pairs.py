"""What is said of two things in words, `distance of a and b = 2.83`: the list b does not become that number."""

from __future__ import annotations

from symattn.checking.expected.sources import Source
from symattn.checking.semantics.environment import Environment
from symattn.patterns import regex
from symattn.reading import formula as f

_AFTER_ANOTHER = regex(
    r"(?<![=\w])[$`*]*[A-Za-z]\w{0,3}[$`*]*\s*(?:(?:and|or|vs\.?|to|und|zu|et|ou|y|e|à|и)\s|[与和到、,→↔–]|\\(?:to|rightarrow)\b)"
    r"[\s$`*]*$"
)


def is_second_of_pair(chain: f.Chain, source: Source, environment: Environment) -> bool:
    """Whether a list that stands behind another name would become a lone number."""
    match [side.expression for side in chain.sides]:
        case [f.Name() as name, f.Number()] if environment.knows(name):
            known = environment.lookup()(name)
            return (
                known is not None
                and known.shape != (1, 1)
                and _AFTER_ANOTHER.search(source.before(chain.sides[0].start)[-40:]) is not None
            )
    return False
