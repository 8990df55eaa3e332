"""What a page tells of a derivation, and how: options that `derive` takes, and a single page in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypedDict

from symattn.nodes import stem
from symattn.pages.studies import STUDIES
from symattn.pages.theorems import names_in
from symattn.program.steps import Program
from symattn.values.valuation import read_digits
from symattn.writing.choices import LEVELS, choice
from symattn.writing.nearest import hint
from symattn.writing.notation import VASWANI, Notation, read_notation
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy
from symattn.writing.visible import clip, visible

TITLE = Sentence("title.derivation")


class PageKeywords(TypedDict, total=False):
    """The keywords of `derive` and of pages for type checkers: the fields of `PageOptions` as users give them."""

    title: Any
    summary: str
    conclusion: str
    tokens: Sequence[str]
    level: Literal["matrix", "token", "index"]
    diagram: bool
    figures: bool | None
    theorems: Any
    study: str
    parts: Mapping[str, Any]
    shapes: bool
    costs: bool
    notation: Any
    step: str | None
    digits: int | None
    decimals: int | None
    exact: bool
    rounded: bool
    explore: bool
    coloured: bool
    elide: bool


@dataclass(frozen=True)
class PageOptions:
    """The options of a page; each is a keyword of `derive` and of `Derivation.document`."""

    title: str | Sentence = TITLE
    summary: str = ""  # what the page begins with: an author's own words, {weights[2,1]} for an entry
    conclusion: str = ""  # what it ends with
    tokens: tuple[str, ...] = ()  # what the rows of queries are called
    level: str = "matrix"  # token: by rows, q_1 · k_2; index: by entries, Σ_k Q_ik K_jk
    diagram: bool = False
    figures: bool | None = None  # weights as shades, and the flow; None: where the page is HTML
    theorems: tuple[str, ...] = ()  # what is proven, or refuted, after the steps
    study: str = ""  # a section at the end that compares
    parts: Mapping[str, Sentence | str] = field(default_factory=dict)  # titles of the parts of a calculation, by name
    shapes: bool = False  # the table of shapes
    costs: bool = False  # the tables of costs
    notation: Notation = VASWANI
    step: str | None = None  # one step alone
    digits: int | None = None  # significant digits of every decimal; None chooses what reads well
    decimals: int | None = None  # places of every decimal; None chooses as few as agree
    exact: bool = False  # roots and exponentials as they are, even where the inputs are decimals
    rounded: bool = True  # decimals beside the exact values; without, every row of these
    explore: bool = False  # what is made of what goes with the page, for readers who point at its numbers
    coloured: bool = True  # queries, keys, values and weights in a colour each, where the format has colours
    elide: bool = True  # dots in the place of what is too large for the page

    def update(self, program: Program, **options: Any) -> PageOptions:
        """The same with other options, for pages about a program; None leaves an option as it is.

        Raises InputError for a level, a study, a theorem or a notation that there is not, TypeError for no option.
        """
        known = [option.name for option in fields(self)]
        for name in options:
            if name not in known:
                raise TypeError(str(Sentence("no_option", name=clip(name, 40), hint=hint(name, known))))
        stated = {name: option for name, option in options.items() if option is not None}
        made = replace(self, **stated)
        digits = None if made.digits is None else read_digits(made.digits)
        choice("level", made.level, LEVELS)
        choice("study", made.study, ("", *STUDIES))
        made = replace(
            made,
            digits=digits,
            title=_visible(made.title or TITLE),
            summary=visible(made.summary),
            conclusion=visible(made.conclusion),
            tokens=tuple(map(visible, made.tokens)),
            parts={name: _visible(title) for name, title in made.parts.items()},
            theorems=tuple(made.theorems),
        )
        if stated.keys().isdisjoint(("notation", "theorems")):
            return made
        return replace(made, notation=fit_notation(made.notation, program, made.theorems))


def _visible(title: str | Sentence) -> str | Sentence:
    """An author's own words, none of which steers a terminal or a typesetter."""
    return title if isinstance(title, Sentence) else visible(title)


def fit_notation(notation: Any, program: Program, theorems: Sequence[str] = ()) -> Notation:
    """A notation as it is stated, for the names of a program and of the theorems that are told after it."""
    steps = {step.short: stem(step.symbol) for step in program}
    matrices = [*program.inputs, *(step.symbol for step in program)]
    sizes = {str(s) for m in matrices for size in m.shape for s in as_sympy(size).free_symbols}
    return read_notation(notation).fitted([*(m.name for m in matrices), *sorted(sizes), *names_in(theorems)], steps)
