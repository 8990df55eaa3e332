"""A program and its values -> a document: each step as one chain, formula = numbers = result, and why it is taken."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from typing import Any

import sympy
from sympy.matrices.expressions import MatMul

from symattn.nodes import (
    WITHOUT_SOFTMAX,
    AddRow,
    Constant,
    Embedding,
    Node,
    RotaryEmbedding,
    RowNorm,
    RowThreshold,
    Scaled,
    SinkSoftmax,
    Softmax,
    Stack,
    StackMembers,
    divisor,
    mask_parts,
)
from symattn.pages.author import quote
from symattn.pages.explorer.exploration import explore, name_objects
from symattn.pages.gradients import folded, forms, is_backward, purpose
from symattn.pages.inputs import blocks_said, other_tokens_said
from symattn.pages.numbers.cells import MinusInfinity
from symattn.pages.numbers.entries import Expansion, Inline, name_of
from symattn.pages.numbers.equations import Equations, Sized
from symattn.pages.numbers.wide import by_columns
from symattn.pages.options import PageOptions
from symattn.pages.pictures.diagram import COUNTED_AS_ROWS, flow, is_large
from symattn.pages.pictures.diagram import running as count_of
from symattn.pages.pictures.heat_maps import heat_map
from symattn.pages.rotation import ANGLE, turn_pairs
from symattn.pages.rounding import comes_out, exact_form_missed, rounding_said, zeros_said
from symattn.pages.saturation import saturation_remarks
from symattn.pages.studies import STUDIES
from symattn.pages.theorems import theorem_sections
from symattn.pages.thresholds import tell_threshold
from symattn.pages.titles import differs, kind_of, title_of
from symattn.program.steps import Index, Program, Step, runs_on
from symattn.values import Valuation
from symattn.values.decimals import Shown
from symattn.writing.document import (
    Block,
    Chain,
    Document,
    Dotted,
    Equation,
    Formula,
    Heading,
    Listed,
    Paragraph,
    Row,
    Symbol,
    has_dots,
    list_names,
    quote_row,
    quote_token,
)
from symattn.writing.explored import Editing
from symattn.writing.prose import Sentence
from symattn.writing.prose.sentences import SENTENCES


def explain(
    families: Program,
    program: Program,
    values: Valuation | None,
    page: PageOptions,
    *,
    decimal: bool = False,
    full: bool = False,
    tables: Sequence[Block] = (),
    editing: Editing | None = None,
) -> Document:
    """The document of a derivation: of the members of its families one by one; without values in symbols alone.

    A step that is asked for by its name is found in either program. `decimal` writes exact numbers as decimals, as the
    input is; `full` shows every row of every exact value. `tables` come after the steps.
    """
    alone = page.step is not None and page.step in {step.name for step in families}
    told = families if values is None and (page.step is None or alone) else program
    teller = Teller(families, told, values, page, decimal, full)
    blocks = tuple(teller.blocks())
    if values is not None and page.elide:
        blocks = tuple(by_columns(blocks, teller.equations))
    if any(has_dots(side) for b in blocks if isinstance(b, Equation) for c in b.chains for _, side in c.sides):
        blocks = (*blocks, Paragraph((Sentence("elided"),)))
    explored = explore(teller.equations, editing) if page.explore and values is not None else None
    objects = name_objects(families, program) if page.coloured else {}
    after = () if page.step else (*tables, *teller.conclusion())
    return Document(page.title, (*blocks, *after), page.notation, explored, objects)


@dataclass
class Teller:
    """Tells a derivation step by step."""

    families: Program
    program: Program
    known: Valuation | None
    page: PageOptions
    decimal: bool
    full: bool

    @cached_property
    def equations(self) -> Equations:
        p = self.page
        return Equations(
            self.program,
            self.known,
            self.decimal,
            p.digits,
            p.rounded,
            p.elide,
            p.notation,
            decimals=p.decimals,
            exact=p.exact,
        )

    def conclusion(self) -> Iterator[Block]:
        """What the author ends the page with."""
        if self.page.conclusion:
            yield Heading(1, Sentence("title.conclusion"))
            yield Paragraph((quote(self.page.conclusion, self.equations, "conclusion"),))

    @property
    def values(self) -> Valuation:
        return self.equations.values

    @property
    def expansion(self) -> Expansion:
        return self.equations.expansion

    def blocks(self) -> Iterator[Block]:
        if self.page.step is not None:
            yield from self._step(self.program[self.page.step])
            return
        if self.page.summary:
            yield Paragraph((quote(self.page.summary, self.equations, "summary"),))
        if self.program.inputs:  # none where every matrix is written out in the expression
            yield Heading(1, Sentence("title.inputs"))
            yield from self._inputs()
        for (part, of_inputs), steps in groupby(self._in_order(), key=self._section):
            told = tuple(steps)
            if part:
                yield Heading(1, self._part_title(part, of_inputs, is_backward(told[0])))
            level = 2 if part else 1
            yield from self._grouped(told, level)
        if self.page.diagram or self.page.figures:
            yield Heading(1, Sentence("title.flow"))
            if is_large(self.families):
                backward = any(map(is_backward, self.families))
                yield Paragraph((Sentence("flow_overview.backward" if backward else "flow_overview"),))
            yield flow(self.families)
        if self.page.study and self.known is not None:
            yield from STUDIES[self.page.study](self.expansion, self.page.tokens)
        yield from theorem_sections(self.page.theorems, columns=self.page.notation.columns)

    def _in_order(self) -> Sequence[Step]:
        """The steps as they are told: gradients with respect to inputs come last, those of a part together."""
        order = {part: k for k, part in enumerate(dict.fromkeys(step.part for step in self.families))}
        last = [step for step in self.families if self._section(step)[1]]
        first = [step for step in self.families if not self._section(step)[1]]
        return [*first, *sorted(last, key=lambda step: order[step.part])]

    def _section(self, step: Step) -> tuple[str, bool]:
        """The part of a step, and whether it is a gradient with respect to an input."""
        return step.part, step.by is not None and step.by not in self._computed and not runs_on(step)

    @cached_property
    def _computed(self) -> Collection[Any]:
        return {step.symbol for step in self.families}

    def _part_title(self, part: str, of_inputs: bool, backward: bool) -> Sentence | str:
        title = self.page.parts.get(part, part)
        if not backward:
            return title
        return Sentence("title.part_inputs" if of_inputs else "title.part_backward", part=title)

    def _grouped(self, steps: Iterable[Step], level: int, numbers: tuple[int, ...] = ()) -> Iterator[Block]:
        """Steps, and families of them; `numbers` say in which member of what they stand within."""
        for index, found in groupby(steps, key=lambda step: next(iter(step.indices[len(numbers) :]), None)):
            run = tuple(found)
            if index is not None:
                yield from self._family(index, run, level, numbers)
            elif numbers:
                yield from self._of_member(run, level, numbers)
            else:
                yield from self._single(run, level)

    def _single(self, steps: Iterable[Step], level: int) -> Iterator[Block]:
        """Steps of all heads; what a step is for is said in the first part of a calculation that takes it."""
        for step in steps:
            yield Heading(level, title_of(step))
            first = next(s for s in self.families if kind_of(s) == kind_of(step))
            yield from self._step(self.program[step.name], said=not step.part or step is first or differs(step))

    # --- several heads

    def _family(self, index: Index, steps: Sequence[Step], level: int, numbers: tuple[int, ...]) -> Iterator[Block]:
        """What every head does, once; with values then head by head, what a step is for at the first alone."""
        count = index.count.xreplace({s: sympy.Integer(v) for s, v in self.sizes.items()})
        family = index.family
        running = count_of(index, count)
        if self.known is None:
            yield Paragraph((Sentence(f"step.{family}s", running=running, letter=Formula(index.letter)),))
            for inner, found in groupby(steps, key=lambda step: step.index):
                run = tuple(found)
                yield from self._single(run, level) if inner == index else self._family(inner, run, level, numbers)
            return
        numbered = index.numbers(int(count))
        if len(steps) == 1:
            yield Heading(level, title_of(steps[0]))
            for number in numbered:
                made = self._member(steps[0], (*numbers, number))
                yield from self._step(made, said=number == numbered[0])
            return
        key = f"step.{family}s.numbers.back" if index.back else f"step.{family}s.numbers"
        yield Heading(level, Sentence(f"title.{family}s"))
        yield Paragraph((Sentence(key, running=running, letter=Formula(index.letter)),))
        yield Equation(tuple(self.equations.definition(step) for step in steps))
        for number in numbered:
            shown = self.page.notation.index(str(number)) if family in COUNTED_AS_ROWS else number
            yield Heading(level, Sentence(f"title.{family}", number=shown))
            yield from self._grouped(steps, level + 1, (*numbers, number))

    def _of_member(self, steps: Iterable[Step], level: int, numbers: tuple[int, ...]) -> Iterator[Block]:
        """Steps of one member of a family."""
        for step in steps:
            made = self._member(step, numbers)
            yield Heading(level, title_of(made))
            yield from self._step(made, said=set(numbers) == {1})

    def _member(self, step: Step, numbers: tuple[int, ...]) -> Step:
        return self.program[step.name_of(*numbers)]

    @property
    def sizes(self) -> Mapping[sympy.Symbol, int]:
        return {} if self.known is None else self.known.sizes

    # --- inputs

    def _inputs(self) -> Iterator[Block]:
        if self.known is None:
            yield Paragraph((Sentence("inputs_sizes"),))
            yield Equation(tuple(Chain((("", Sized(s)),)) for s in self.program.inputs))
            yield from blocks_said(self.program)
            yield from other_tokens_said(self.program)
            return
        yield Paragraph((self._tokens_said() if self.page.tokens else Sentence("inputs_given"),))
        yield Equation(self.equations.given())
        if self.page.notation.first_index == 0:
            yield Paragraph((Sentence("inputs_from_0"),))
        yield from other_tokens_said(self.program)

    def _tokens_said(self) -> Sentence:
        """Which tokens there are: the rows of the first input, unless it has a row for each token of a vocabulary."""
        first = self.program.inputs[0]
        names = list_names([*map(quote_token, self.page.tokens)])
        tables = [step.expression.args[0] for step in self.program if isinstance(step.expression, Embedding)]
        own_rows = self.values.exact[first.name].shape[0] == len(self.page.tokens)
        key = "inputs_table" if first in tables else "inputs_tokens" if own_rows else "inputs_named"
        return Sentence(key, symbol=Symbol(first.name), names=names)

    # --- one step

    def _step(self, step: Step, *, said: bool = True) -> Iterator[Block]:
        yield from self._told(step, said=said)
        yield from exact_form_missed(step, self.equations)
        if said and isinstance(step.expression, RotaryEmbedding) and not self._turned_before(step):
            yield from turn_pairs(step, self.expansion)
        if self.page.figures and self.known is not None and step.role == "weights":
            drawn = heat_map(step, self.known, self.page.tokens, self.page.notation.first_index)
            yield from () if drawn is None else (drawn,)

    def _told(self, step: Step, *, said: bool) -> Iterator[Block]:
        if said:
            yield Paragraph((self._purpose(step), *folded(step, self.program)))
        if is_backward(step):
            chain = self.equations.chain(step)
            yield Equation((chain,), step.name)
            if chain.sides[-1][0] == "≈":
                yield from rounding_said(step, self.equations)
            yield from self._zeros_said(chain)
            if said:
                yield from forms(step, self.expansion)
                yield from self._gradient_example(step)
            return
        if self.page.level == "token":
            yield from self._by_token(step)
            yield from self._rounding_of(step)
            return
        if self.page.level == "index":
            yield from self._by_index(step)
            yield from self._rounding_of(step)
            return
        average = self.known is not None and self.equations.is_average(step)
        in_rows = average and self.page.exact and self.equations.exact_side(step) is None
        every_row = self.full or not self.page.rounded or in_rows
        if self.known is not None and kind_of(step) == "weights" and self.equations.is_worked(step):
            entrywise = self.expansion.entry(step, "i", "j").first(2)
            told = (entrywise,) if len(entrywise.sides) > 1 else ()
            yield Equation((self.equations.definition(step), *told), step.name)
            yield from self._rows(step, every_row)
        else:
            chain = self.equations.chain(step)
            yield Equation((chain,), step.name)
            if chain.sides[-1][0] == "≈":
                yield from rounding_said(step, self.equations)
                yield from self._zeros_said(chain)
            if self.known is None:
                yield from self._in_symbols(step)
            elif isinstance(step.expression, RowThreshold):
                yield from tell_threshold(step, self.expansion)
            elif average and every_row:
                yield from self._rows(step, every_row)
            elif said:
                yield from self._example(step)

    def _purpose(self, step: Step) -> Sentence:
        if is_backward(step):
            return purpose(step, self.program)
        ending = step.expression.spoken[0] if isinstance(step.expression, Node) else ""
        key = f"step.{step.because or kind_of(step)}"
        if key in ("step.scaled", "step.masked") and not self._has_softmax:
            key = f"{key}.plain"
        key = f"{key}{ending}" if f"{key}{ending}" in SENTENCES else key
        key = "step.rotated.same" if self._turned_before(step) else key
        return Sentence(key, symbol=Symbol(step.symbol.name), i=Symbol("i"), j=Symbol("j"), **self._blanks(step))

    @cached_property
    def _has_softmax(self) -> bool:
        """Whether weights are made by softmax, which saturates, or not at all."""
        weights = [s.expression for s in self.program if s.role == "weights"]
        return not weights or not all(isinstance(e, WITHOUT_SOFTMAX) for e in weights)

    def _turned_before(self, step: Step) -> bool:
        """Whether an earlier step rotates by the same angles."""
        if not isinstance(step.expression, RotaryEmbedding):
            return False
        same = [s for s in self.program if s.role == step.role and s.expression.args[1:] == step.expression.args[1:]]
        return step != same[0]

    def _blanks(self, step: Step) -> dict[str, Any]:
        """What goes into the blanks of the sentence about a step."""
        e = step.expression
        match step.because or step.role:
            case "scaled" | "scaled.divided":
                return {"below": Formula(divisor(e.factor))}
            case "scaled.times":
                return {"factor": Formula(e.factor)}
            case "capped":
                return {"low": Formula(-e.args[1]), "high": Formula(e.args[1])}
            case "masked" | "masked.finite":
                condition = Listed(tuple(Formula(p) for p in mask_parts(e.args[1])))
                return {"condition": condition, "infinity": MinusInfinity(), "value": Formula(e.args[-1])}
            case "normalised":
                return {"below": Formula(e.args[1])}
            case "scores":
                return {"entry": Symbol(step.symbol.name, ("i", "j"))}
            case "share":
                return {"matrix": Symbol("W_O")}
            case "sum":
                whole = next(s for s in self.program if s.role == "projection" and s.part == step.part)
                same = Row((Symbol(step.symbol.name), "=", Symbol(whole.symbol.name)))
                return {"same": same, "matrix": Symbol("W_O")}
        blanks = e.spoken[1] if isinstance(e, Node) else {}
        said: dict[str, Any] = {name: Formula(value) for name, value in blanks.items()}
        if "rate" in said:
            turned = Dotted(said["position"], said.pop("rate"))
            said |= {"angle": Chain((("", Formula(ANGLE)), ("=", turned))), "operand": Symbol(step.operand)}
        return said

    def _in_symbols(self, step: Step) -> Iterator[Block]:
        row = self.expansion.row(step, "i")
        if row is not None:
            yield Paragraph((Sentence("per_token"),))
            yield Equation((row,))
            return
        entry = self.expansion.entry(step, "i", "j")
        if len(entry.sides) > 1:
            yield Paragraph((Sentence("entrywise"),))
            yield Equation((entry,))

    def _example(self, step: Step) -> Iterator[Block]:
        """One entry in full, so that a reader can check the rest."""
        if kind_of(step) not in ("Q", "scores", "scaled", "output", "projection", "norms"):
            return
        i, j = self._example_place(step)
        chain = self.expansion.entry(step, i, j)
        summed = isinstance(step.expression, AddRow | MatMul | RowNorm | Scaled)
        if len(chain.sides) < 2 or self.known is None or not summed:
            return
        value = self.values.exact[step.name]
        rounded = any(sign == "≈" for sign, _ in chain.sides[1:-1])
        plain = self.equations.cells.entry_is_plain(step.name, i - 1, j - 1)
        if not (value.by_hand or rounded or plain) or value.undefined(i - 1, j - 1):
            return  # nothing that could be checked by hand
        tokens = self.page.tokens
        if kind_of(step) == "scores" and self.values.exact[step.name].shape == (len(tokens), len(tokens)):
            query, key = self._token(i - 1), self._token(j - 1)
            yield Paragraph((Sentence("entry_tokens", i=query, j=key, chain=chain),))
        else:
            yield Paragraph((Sentence("entry_is", chain=chain),))

    def _gradient_example(self, step: Step) -> Iterator[Block]:
        """One entry of a gradient in numbers, where it is made of sums and products that come out as printed."""
        if self.known is None or not comes_out(step, self.equations):
            return
        i, j = self._example_place(step)
        chain = self.expansion.by_index(step, "" if step.shape[0] == 1 else i, j)
        if chain is not None and self.expansion.numbers(step, i - 1, j - 1):
            yield Paragraph((Sentence("entry_is", chain=chain),))

    def _example_place(self, step: Step) -> tuple[int, int]:
        """Where an entry shows something: visible under a mask to come, not 0 or 1, and an average that is rounded."""
        value = self.values.exact[step.name]
        rows, columns = value.shape
        average = kind_of(step) in ("output", "projection")
        hidden = self._hidden_later(step)

        def telling(place: tuple[int, int]) -> int:
            i, j = place[0] - 1, place[1] - 1
            surd = value.closed(i, j)
            if (i, j) in hidden:
                return 0
            if surd is not None and surd.integer in (0, 1):
                return 1
            short = self.equations.cells.entry_is_plain(step.name, i, j) or self._terms(step, i) < 2
            return 2 if average and short else 3

        if average:
            return max(((i, 1) for i in range(1, rows + 1)), key=telling)
        return max(product([*range(2, rows + 1), 1], range(columns, 0, -1)), key=telling)

    def _terms(self, step: Step, i: int) -> int:
        """How many terms the sums of row i, counted from 0, have: entries of the left factor that are not 0."""
        factor = step.expression.args[0]
        if not isinstance(step.expression, MatMul) or not isinstance(factor, sympy.MatrixSymbol):
            return 2  # not the product of a matrix that has a name
        left = self.values.exact[name_of(self.program, factor)]
        row = (left.closed(i, k) for k in range(left.shape[1]))
        return sum(surd is None or surd.integer != 0 for surd in row)

    def _hidden_later(self, step: Step) -> Collection[tuple[int, int]]:
        """Where masks hide what is made of the step entry by entry."""
        made, hidden = {step.symbol}, set(self.values.exact[step.name].hidden)
        for later in self.program:
            if isinstance(later.expression, Node) and later.expression.args[0] in made and later.shape == step.shape:
                made.add(later.symbol)
                hidden |= self.values.exact[later.name].hidden
        return hidden

    def _rows(self, step: Step, every_row: bool) -> Iterator[Block]:
        """Exponentials over their sum, row by row; then, for weights, all rows as decimals."""
        count = self.values.exact[step.name].shape[0]
        telling = next(i for i in range(count) if self.equations.row_is_worked(step, i))
        for i in range(count) if every_row else [telling]:
            said = isinstance(step.expression, Softmax | SinkSoftmax) and i == (0 if every_row else telling)
            yield Paragraph((self._shift_said(step, i) if said else self._row_said(i),))
            yield Equation((self.equations.row(step, i),))
        if self.page.rounded and kind_of(step) == "weights":
            if count > 1:
                yield from self._all_rows(step, every_row)
            yield from rounding_said(step, self.equations)
            if self.equations.is_average(step):
                first = self.page.notation.first_index
                yield from saturation_remarks(self.values, step.name, self.page.tokens, first)

    def _all_rows(self, step: Step, every_row: bool) -> Iterator[Block]:
        """Weights as a matrix of decimals, after exact ones where these are asked for and do not stand above."""
        if self.page.exact and not every_row and self.equations.exact_side(step) is not None:
            yield Paragraph((Sentence("rows_likewise.exact"),))
            yield Equation((self.equations.values_alone(step),))
            return
        rounded = self.equations.rounded_matrix(step.name)
        whole = self.equations.stands_whole(step.name, rounded)
        likewise = "rows_likewise" if whole else "rows_likewise.some"
        yield Paragraph((Sentence("all_rows" if every_row else likewise),))
        yield Equation((Chain((("", Symbol(step.symbol.name)), rounded)),))

    def _rounding_of(self, step: Step) -> Iterator[Block]:
        """The same of a step that is told row by row or entry by entry."""
        if self.known is not None and self.page.rounded and not self.equations.cells.is_plain(step.name):
            yield from rounding_said(step, self.equations)

    def _zeros_said(self, chain: Chain) -> Iterator[Block]:
        if self.page.decimals is None:  # where an author asks for 0.00, it says no such thing
            yield from zeros_said(chain)

    def _shift_said(self, step: Step, i: int) -> Sentence:
        softmax = step.expression
        scores: Any = self.values.exact[name_of(self.program, softmax.args[0])]
        seen = next((j for j in range(scores.shape[1]) if (i, j) not in scores.hidden), None)
        if seen is None:  # an empty row, which became what `empty_row` or a sink makes of it
            return self._row_said(i)
        top = self._subtracted(step, i, seen)
        if top is None:  # the scores of this row are neither exact nor plain decimals: 1 − 10⁻²⁶
            return self._row_said(i)
        if isinstance(softmax, SinkSoftmax):
            row = Sentence("row_less.token" if self._is_named(i) else "row_less", name=self._token(i), top=Inline(top))
            return Sentence("step.weights.sink.row", row=row, sink=Formula(softmax.logit))
        key = "row_less_max.token" if self._is_named(i) else "row_less_max"
        row = Sentence(key, name=self._token(i), top=Inline(top))
        return Sentence("step.weights.row", row=row)

    def _subtracted(self, step: Step, i: int, seen: int) -> Any:
        """What is subtracted from the scores of row i, from 0: the largest, or a sink's logit; None if it has no form.

        Key `seen` is one that the row may attend to.
        """
        told = [x for x in self.expansion.row_in_decimals(step, i) if x is not None]
        if told:
            return Shown(max(told))
        scores: Any = self.values.exact[name_of(self.program, step.expression.args[0])]
        if not isinstance(step.expression, SinkSoftmax):
            largest = scores.row_max()[i]
        elif self.equations.is_average(step):
            average: Any = self.values.exact[step.name]
            largest = scores.closed(i, seen).minus(average.logits.closed(i, seen))
        else:
            largest = None
        return None if largest is None else self.equations.cells.surd(largest)

    # --- token by token

    def _by_token(self, step: Step) -> Iterator[Block]:
        rows = self.values.exact[step.name].shape[0] if self.known is not None else 0
        general = self.expansion.by_index(step) if rows and step.role == "masked" else None
        if general is not None:  # without it nothing says why an entry is hidden
            yield Equation((general,))
        shown: Sequence[Any] = [*range(1, rows + 1)] if rows else ["i"]
        in_turns = step.family in ("token", "block") or isinstance(step.expression, Constant | StackMembers | Stack)
        if in_turns and self.expansion.row(step, shown[0]) is None:
            yield Equation((self.equations.chain(step),), step.name)
            return
        for i in shown:
            row = self.expansion.row(step, i)
            if row is not None:
                yield Equation((row,), step.name if i == shown[0] else "")
                continue
            columns = self.values.exact[step.name].shape[1] if self.known is not None else 0
            for j in range(1, columns + 1) if columns else ["j"]:
                first = i == shown[0] and j in (1, "j")
                yield Equation((self.expansion.entry(step, i, j),), step.name if first else "")

    # --- entry by entry

    def _by_index(self, step: Step) -> Iterator[Block]:
        """Entry (i, j) as a formula, one entry in numbers, then all of them."""
        general = self.expansion.by_index(step)
        stated = self.equations.chain(step) if general is None else general
        yield Equation((stated,), step.name)
        if self.known is None or general is None:
            return
        example = self.expansion.by_index(step, *self._example_place(step))
        if example is not None:
            yield Paragraph((Sentence("entry_is", chain=example),))
        chain = self.equations.values_alone(step)
        whole = self.equations.stands_whole(step.name, chain.sides[-1])
        yield Paragraph((Sentence("all_entries" if whole else "all_entries.some"),))
        yield Equation((chain,))

    # --- matrices

    def _row_said(self, i: int) -> Sentence:
        return Sentence("every_row.token" if self._is_named(i) else "every_row", name=self._token(i))

    def _is_named(self, i: int) -> bool:
        return i < len(self.page.tokens)

    def _token(self, i: int) -> Sentence | str:
        number = self.page.notation.index(str(i + 1))
        return quote_row(self.page.tokens, i, number) if self._is_named(i) else number
