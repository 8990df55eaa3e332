"""The face that users hold: a derivation with its steps, their values, and the pages that tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from numbers import Integral
from typing import Any, Unpack

from sympy import Expr, ImmutableDenseMatrix, MatrixExpr, MatrixSymbol, Symbol

from symattn.api.page import Page
from symattn.api.tables import CostTable, ShapeTable
from symattn.errors import InputError, Placed
from symattn.nodes import check_products
from symattn.nodes.exact_numbers import ExactRows, read_exact, read_rows
from symattn.pages.data import report
from symattn.pages.derivation import explain
from symattn.pages.explorer.editing import edit_inputs
from symattn.pages.numbers.equations import Equations
from symattn.pages.options import PageKeywords, PageOptions, fit_notation
from symattn.pages.sizes import cost_blocks, shape_blocks
from symattn.program.costs import costs_of, other_way
from symattn.program.shapes import (
    Measures,
    read_measures,
    read_sizes,
    shapes_of,
    size_symbols,
    substitute_sizes,
)
from symattn.program.steps import Program, Step
from symattn.program.unfolding import unfold
from symattn.program.unrolling import Unrolled, unroll
from symattn.reading.worksheets.template import Template
from symattn.values import Valuation
from symattn.values.valuation import read_digits
from symattn.writing.choices import DETAILS, choice
from symattn.writing.document import Block, Document
from symattn.writing.nearest import listed
from symattn.writing.notation import VASWANI
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip
from symattn.writing.writers import LatexStyle, chain_latex

Rows = Sequence[Sequence[Expr]]


def derive(
    expression: Any,
    values: Mapping[Any, Any] | None = None,
    *,
    detail: str = "brief",
    sum_heads: bool = False,
    batch: Any = None,
    sizes: Mapping[Any, Any] | None = None,
    **page: Unpack[PageKeywords],
) -> Derivation:
    """Unfold an attention expression into its named steps, with or without values for its symbols.

    `values` maps matrix symbols (or their names) to rows of exact numbers: integers, fractions, decimals or roots as
    text, SymPy numbers; Python and NumPy floats are taken as the shortest decimals that print them. It gives other
    letters, such as the offset of a mask, the number that stands for them in the steps. `detail="full"`
    takes softmax apart and shows every row; `sum_heads=True` adds the projection once more, as the sum of
    head_i W_i^O.

    What its pages tell are the other keywords, those of `PageOptions`: `title`; `tokens`, the names of the rows;
    `level="token"` by rows (q_1 · k_2) instead of matrices, `level="index"` by entries (Σ_k Q_ik K_jk); `diagram=True`;
    `figures=True`, the weights as shades and the diagram, which pages of HTML have unless it is False;
    `theorems`, names of theorems that are told after the steps; `study`, a section that compares; `parts`, titles for
    the parts of a calculation by their names; `shapes=True` and `costs=True`, their tables, for a `batch` of so many
    sequences (a number or a name) and with `sizes` that are numbers or formulas, {"n": 16, "d_k": "d_model/h"};
    `notation`, the name of a preset, or a table with `preset`, `symbols` (such as {"X": "H"}), `transpose` ("top",
    "T"), `first_index` (1, 0) and `tokens` ("rows", "columns").
    Raises ShapeError naming both sizes where they differ, InputError where a value is not an exact number.
    Source: Vaswani et al. 2017, section 3.2.

    >>> from sympy import symbols
    >>> from symattn import Attention
    >>> n, d = symbols("n d")
    >>> Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    >>> d = derive(Attention(Q, K, V), {Q: [[0]], K: [[5]], V: [["1/2"]]})
    >>> d["output"].exact
    Matrix([[1/2]])
    """
    choice("detail", detail, DETAILS)
    if isinstance(values, Mapping):
        letters, values = _read_letters(expression, values)
        expression = expression.subs(letters) if letters else expression
    if isinstance(expression, MatrixExpr):
        check_products(expression)
    program = unfold(expression, full=detail == "full", sum_heads=sum_heads)
    given = {} if values is None else _read_values(program, values)
    found = read_sizes({s: (len(rows), len(rows[0])) for s, rows in given.items()})
    page["notation"] = page.get("notation") or VASWANI  # what is not stated is fitted too
    options = PageOptions().update(program, **page)
    rows = next(step for step in reversed(program.steps) if step.role != "loss")  # which has one for all tokens
    queries = substitute_sizes(rows.shape, found)[0]
    if options.tokens and queries.is_Integer and len(options.tokens) != queries:
        raise InputError(Sentence("token_count", count=len(options.tokens), rows=queries))
    measures = read_measures(size_symbols(program.inputs), found, batch, sizes)
    derivation = Derivation(expression, program, given, found, options, measures, detail == "full")
    derivation.program  # noqa: B018  (says so if values are given and the number of heads is not known)
    return derivation


@dataclass(frozen=True)
class DerivedStep:
    """One step of a derivation: its expression over earlier symbols, its shape and its value."""

    step: Step
    derivation: Derivation

    @property
    def name(self) -> str:
        return self.step.name

    @property
    def expression(self) -> MatrixExpr:
        return self.step.expression

    @property
    def shape(self) -> tuple[Expr, Expr]:
        """Rows and columns: numbers where they are known, symbols elsewhere."""
        return substitute_sizes(self.step.shape, self.derivation.sizes)

    @property
    def exact(self) -> ImmutableDenseMatrix:
        """The value in closed form. Raises InputError without values."""
        return self.derivation.values.exact[self.name].to_sympy()

    def evaluate(self, digits: int = 15) -> Any:
        """The value as an mpmath matrix of a local context: every entry is the nearest number of so many digits."""
        return self.derivation.values.mpmath(self.name, digits)

    def to_latex(self, digits: int | None = None) -> str:
        """The step as one chain of equalities: symbol = formula = numbers = exact value ≈ decimals, in full."""
        equations = self.derivation.equations
        asked = equations.digits if digits is None else read_digits(digits)
        chain = replace(equations, digits=asked, elide=False).chain(self.step)
        return chain_latex(chain, self.derivation.style)

    def exact_latex(self) -> str:
        """The exact value alone, in full, as a LaTeX matrix. Raises InputError without values."""
        self.derivation.values  # noqa: B018  (says so if there are none)
        return replace(self.derivation.equations, elide=False).exact_matrix(self.name).write(self.derivation.style)

    def proven_latex(self, row: int, column: int, digits: int = 9, *, enclosure: bool = False) -> str:
        """Entry (row, column), counted from 1, as LaTeX: 1.81784348\\ldots \\times 10^{-15}, cut off, all proven.

        As an enclosure: the two neighbouring decimals of so many digits that it lies between.
        """
        row, column = self.check_place(row, column)
        find = self.derivation.values.between if enclosure else self.derivation.values.begins
        found = find(self.name, row - 1, column - 1, digits)
        return self.derivation.style.minus_infinity if found is None else found.write(self.derivation.style)

    def entry(self, row: int, column: int) -> str:
        """Entry (row, column), counted from 1, spelled out as LaTeX: S_{23} = 9 \\cdot 21 + 13 \\cdot 17 = 410.

        Raises InputError beyond the step's shape.
        """
        row, column = self.check_place(row, column)
        return chain_latex(self.derivation.equations.expansion.entry(self.step, row, column), self.derivation.style)

    def check_place(self, row: int, column: int) -> tuple[int, int]:
        """The numbers of an entry's row and column; a size that is a letter has no last one."""
        for refusal, index, count in zip(("no_row", "no_column"), (row, column), self.shape, strict=True):
            whole = isinstance(index, Integral) and not isinstance(index, bool)
            if not whole or index < 1 or (count.is_Integer and index > count):
                raise InputError(Sentence(refusal, given=str(index)[:20], count=count), place=self.name)
        return int(row), int(column)

    def _repr_html_(self) -> str | None:
        return self.derivation.alone(self.name)._repr_html_()

    def _repr_markdown_(self) -> str:
        return self.derivation.alone(self.name)._repr_markdown_()

    def __repr__(self) -> str:
        return f"{self.step.symbol} = {self.expression}"


@dataclass(frozen=True)
class Derivation(Page):
    """A program with the values of its inputs (none, if it is symbolic), and how it is told.

    `families` has one step for all heads, head_i.scores; `program` a step for each, head_1.scores, if their number is
    known. `d["scores"]` is a step with its shape and its exact value; a name that is no step raises InputError.

    >>> from sympy import symbols
    >>> from symattn import Attention
    >>> n, m, d = symbols("n m d")
    >>> derive(Attention(*(MatrixSymbol(x, y, d) for x, y in zip("QKV", (n, m, m)))))["scores"].shape
    (n, m)
    """

    expression: Any
    families: Program
    inputs: Mapping[MatrixSymbol, ExactRows]
    sizes: Mapping[Symbol, int]
    page: PageOptions
    measures: Measures
    full: bool = False
    template: Callable[[], Template] | None = field(default=None, compare=False, repr=False)  # of its worksheet

    def __getstate__(self) -> dict[str, Any]:
        return {stated.name: getattr(self, stated.name) for stated in fields(self)}  # without what has been computed

    @cached_property
    def _unrolled(self) -> Unrolled:
        if all(step.index is None or step.index.count.is_Integer for step in self.families) or not self.symbolic:
            return unroll(self.families, self.sizes)
        return Unrolled(self.families, {})

    @property
    def program(self) -> Program:
        """Every step that can have a value, in order."""
        return self._unrolled.program

    @property
    def given(self) -> Mapping[MatrixSymbol, Rows]:
        """The rows of every input of `program`: what was given, and each head's part of what all heads share."""
        return self._unrolled.inputs(self.inputs)

    @cached_property
    def values(self) -> Valuation:
        """What each step is worth. Raises InputError without values."""
        if self.symbolic:
            raise InputError(Sentence("no_values"))
        return Valuation(self.program, self.given, self.sizes)

    @property
    def symbolic(self) -> bool:
        """Whether there are no values."""
        return bool(self.families.inputs) and not self.inputs

    @property
    def _known(self) -> Valuation | None:
        return None if self.symbolic else self.values

    @property
    def decimal(self) -> bool:
        """Whether any input is written as a decimal; then exact values are written so too."""
        return any(rows.decimal for rows in self.inputs.values())

    @cached_property
    def equations(self) -> Equations:
        """The steps stated as chains of equalities."""
        page = self.page
        return Equations(
            self.program,
            self._known,
            self.decimal,
            page.digits,
            notation=page.notation,
            decimals=page.decimals,
            exact=page.exact,
        )

    @property
    def style(self) -> LatexStyle:
        """How LaTeX spells its formulas."""
        return LatexStyle(self.page.notation)

    @property
    def steps(self) -> tuple[DerivedStep, ...]:
        return tuple(DerivedStep(step, self) for step in self.program)

    def alone(self, step: str) -> Derivation:
        """The same, of which pages tell one step alone."""
        return replace(self, page=replace(self.page, step=step))

    def __iter__(self) -> Iterator[DerivedStep]:
        return iter(self.steps)

    def __getitem__(self, name: str) -> DerivedStep:
        for program in (self.program, self.families):
            if any(step.name == name for step in program):
                return DerivedStep(program[name], self)
        raise _no_step(name, self.program)

    def __contains__(self, name: object) -> bool:
        """Whether a step is called that, as d[name] would give it."""
        return any(step.name == name for program in (self.program, self.families) for step in program)

    def shapes(
        self,
        batch: Any = None,
        sizes: Mapping[Any, Any] | None = None,
        parameters: Iterable[str] | None = None,
    ) -> ShapeTable:
        """The axes of every input, step and view, with batch and heads in front: d.shapes(4)["head_i.Q"].

        `batch` and `sizes` as in `derive`, in whose place they are; `parameters` names the inputs that are learned.
        Raises InputError for what is no size.
        """
        found = shapes_of(self.families, self._measures(batch, sizes), parameters)
        return ShapeTable(**vars(found), notation=self.page.notation)

    def costs(
        self,
        batch: Any = None,
        sizes: Mapping[Any, Any] | None = None,
        parameters: Iterable[str] | None = None,
    ) -> CostTable:
        """What every step takes, as polynomials in the sizes: d.costs("b").total.multiply_adds. Options as in `shapes`.

        Several heads come with `beside`: one head as wide as all, or heads that share no keys and values.
        """
        other = other_way(self.expression)
        program = unfold(self.expression, full=self.full)  # without what states the projection again
        beside = None if other is None else unfold(other, full=self.full)
        found = costs_of(program, self._measures(batch, sizes), parameters, beside)
        return CostTable(**vars(found), notation=self.page.notation)

    def _measures(self, batch: Any, sizes: Mapping[Any, Any] | None) -> Measures:
        stated = self.measures
        made = read_measures(size_symbols(self.families.inputs), self.sizes, batch, sizes)
        if sizes is None:
            made = replace(made, relations=stated.relations, numbers=stated.numbers)
        return replace(made, batch=stated.batch) if batch is None else made

    def document(self, **page: Any) -> Document:
        """The neutral document that the writers write, with page options in the place of those of the derivation.

        `step` tells one step alone, `digits` asks for so many significant digits in every decimal, `decimals` for so
        many places, `exact=True` for roots and exponentials beside the decimals where the inputs are decimals too,
        `rounded=False` for exact values alone, `elide=False` for matrices in full however large; others are as in
        `derive`.
        """
        options = self.page.update(self.families, **page)
        if options.step is not None:
            self[options.step]
        tables: list[Block] = []
        if options.shapes:
            tables += shape_blocks(self.shapes())
        if options.costs:
            tables += cost_blocks(self.costs(), sums_again=any(step.role == "sum" for step in self.families))
        known, decimal = self._known, self.decimal
        told: dict[str, Any] = {"decimal": decimal, "full": self.full, "tables": tables}
        if options.explore and known is not None:
            told["editing"] = edit_inputs(self._unrolled, self.inputs, self.sizes, self.template and self.template())
        return explain(self.families, self.program, known, options, **told)

    def to(self, target: str, **options: Any) -> str:
        """The page, as `Page.to` says; with `plain=True` without colours, figures of HTML and what can be explored."""
        plain, html = options.pop("plain", False), target == "html"
        if plain:
            options["coloured"] = False
        if html and not plain and self.page.figures is None:
            options.setdefault("figures", True)
        return super().to(target, explore=html and not plain, **options)

    def to_json(self, *, language: str = "en", digits: int | None = None, notation: Any = "vaswani") -> dict[str, Any]:
        """Every step with its equation chain, shape and values, as plain data for JSON.

        The chain and the definition are in the default notation unless another is asked for; shapes and values are
        always those of rows.
        """
        written = fit_notation(notation, self.families, self.page.theorems)
        title = self.page.title
        said = title.text(language) if isinstance(title, Sentence) else title
        equations = replace(self.equations, digits=digits or self.page.digits, elide=False, notation=written)
        return report(said, equations, self.sizes, LatexStyle(written))

    def _repr_latex_(self) -> str:
        lines = [chain_latex(self.equations.chain(step), self.style) for step in self.program]
        return "$$\\begin{gathered}\n" + " \\\\\n".join(lines) + "\n\\end{gathered}$$"

    def __repr__(self) -> str:
        return "\n".join(f"{s.name}: {s!r}" for s in self.steps)


def _no_step(name: str, program: Program) -> InputError:
    return InputError(Sentence("no_step", name=name, known=listed(name, (s.name for s in program))))


def _read_letters(expression: Any, values: Mapping[Any, Any]) -> tuple[dict[Symbol, Expr], dict[Any, Any]]:
    """The numbers of the letters in an expression that are neither inputs nor sizes; and all other values."""
    known = {s.name: s for s in getattr(expression, "free_symbols", ()) if isinstance(s, Symbol)}
    letters: dict[Symbol, Expr] = {}
    rest: dict[Any, Any] = {}
    for key, value in values.items():
        if (letter := known.get(str(key))) is None:
            rest[key] = value
            continue
        with Placed(letter.name):
            letters[letter] = read_exact(value)
    return letters, rest


def _read_values(program: Program, values: Mapping[Any, Any]) -> dict[MatrixSymbol, ExactRows]:
    """Exact rows for every input; none where nothing is given."""
    if not isinstance(values, Mapping):
        raise InputError(Sentence("values_without_names", given=clip(str(values), 40)))
    if not values:
        return {}
    by_name = {str(key): rows for key, rows in values.items()}
    unknown = by_name.keys() - {s.name for s in program.inputs}
    if unknown:
        name = min(unknown)
        raise InputError(Sentence("unknown_input", name=name, known=listed(name, (s.name for s in program.inputs))))
    found: dict[MatrixSymbol, ExactRows] = {}
    for symbol in program.inputs:
        if symbol.name not in by_name:
            raise InputError(Sentence("value_missing", name=symbol.name))
        with Placed(symbol.name):
            found[symbol] = read_rows(by_name[symbol.name])
    return found
