"""Document -> HTML: one file that asks for nothing else, formulas set beforehand; light or dark as the reader is.

All of it can be read without its script, with which readers explore what every number is made of.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from symattn.patterns import regex
from symattn.writing.document import (
    Block,
    Box,
    Boxes,
    Cell,
    Chain,
    Diagram,
    Document,
    Entries,
    Equation,
    Heading,
    HeatMap,
    Matrix,
    Paragraph,
    Table,
    number_headings,
    sign_of,
    write,
)
from symattn.writing.explored import Editing, Explored
from symattn.writing.prose import Sentence
from symattn.writing.visible import columns
from symattn.writing.writers.boxes import boxes_html, sheet_data
from symattn.writing.writers.latex import BESIDE, INKS, equation_latex, lines_of
from symattn.writing.writers.latex_style import ColouredStyle
from symattn.writing.writers.svg import flow_svg, heat_map_svg
from symattn.writing.writers.text_style import TextStyle
from symattn.writing.writers.told import with_told
from symattn.writing.writers.typeset import MAY_BREAK, NO_BREAK, mark, styles, typeset
from symattn.writing.writers.width import width
from symattn.writing.writers.wording import Wording

PHONE = 24  # digits across a telephone: what is wider scrolls in a box of its own
HELD = 16  # digits of a formula that stays in one line with the punctuation behind it
_ENDS = "</span></span>"  # of a formula, behind its last piece
_BEFORE_PUNCTUATION = regex(rf"\x06([^\x05]*)\x05((?:{_ENDS})?)([,.;:!?)，。；：！？、）”]+)")
LONGEST = 400  # characters of a sum that is spelled out beside the page
MOST_TOLD = 3000  # sums; of a page of more entries the rest only light up what makes them
FILES = Path(__file__).resolve().parent / "page"
WORDS = {  # that the script says
    "hint": "page.hint",
    "numbers": "page.numbers",
    "both": "page.both",
    "exact": "page.exact",
    "decimal": "page.decimal",
    "copy": "page.copy",
    "copied": "page.copied",
    "not_copied": "page.not_copied",
    "edit": "page.edit",
    "edit_how": "page.edit_how",
    "not_editable": "page.not_editable",
    "edited": "page.edited",
    "put_back": "page.put_back",
    "worksheet": "page.worksheet",
    "no_number": "page.no_number",
    "row": "page.row",
    "column": "page.column",
    "comma": "page.comma",
    "left_out": "page.left_out",
    "left_text": "page.left_text",
    "left_formula": "page.left_formula",
    "left_table": "page.left_table",
    "left_figure": "page.left_figure",
}


def write_html(document: Document, language: str = "en", *, fragment: bool = False, prefix: str = "") -> str:
    """A page; with `fragment` its body without the title, styles included, for a page that is there already.

    Steps have anchors, eq-scores, or eq-PREFIX-scores, as headings have: scores, or PREFIX-scores.
    Raises NotSupportedError if quickjs-ng, which runs KaTeX, is not installed.
    """
    style = _MarkingStyle(document.notation, language, objects=document.objects, explored=document.explored)
    steps = [b.step for b in document.blocks if isinstance(b, Equation) and b.step]
    writer = _Writer(style, prefix, {step: k for k, step in enumerate(steps, 1)})
    blocks = [writer.block(b, number) for number, b in number_headings(document)]
    if document.explored is not None and not fragment:
        told = [is_told for _, is_told in with_told(document.blocks)]
        blocks = [f'<div class="told">{b}</div>' if t else b for b, t in zip(blocks, told, strict=True)]
    body = "\n".join(blocks)
    look = f"<style>{styles(body)}{_file('page.css')}{writer.colours()}</style>"
    if fragment:
        return f'<div class="symattn" lang="{language}">{look}\n{body}\n</div>\n'
    title, heading = writer.plain.say(document.title, language), writer.say(document.title)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_file('whole.css')}</style>\n{look}\n</head>\n"
        f'<body>\n<main class="symattn">\n<h1>{heading}</h1>\n{writer.contents(document)}{body}\n</main>\n'
        f"{writer.script()}{writer.sheet(document)}</body>\n</html>\n"
    )


def _file(name: str) -> str:
    return (FILES / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class _MarkingStyle(ColouredStyle):
    """LaTeX whose entries of matrices are marked e=VALUE.ROW.COLUMN, and whose objects are of a class."""

    explored: Explored | None = None
    met: dict[tuple[str, int, int], None] = field(default_factory=dict, compare=False)

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {} if self.explored is None else {name: k for k, name in enumerate(self.explored.makers)}

    def matrix_of(self, entries: Entries, rows: list[list[str]]) -> str:
        cells = [
            row if i is None else [self._marked(x, entries, i, j) for x, j in zip(row, entries.columns, strict=True)]
            for row, i in zip(rows, entries.rows, strict=True)
        ]
        return self.matrix(cells)

    def _marked(self, cell: str, entries: Entries, i: int, j: int | None) -> str:
        if j is None or entries.name not in self.numbers:
            return cell
        at = entries.at(i, j)
        self.met[entries.name, *at] = None
        return mark(cell, "Data", f"e={self.numbers[entries.name]}.{at[0]}.{at[1]}")

    def paint(self, kind: str, written: str) -> str:
        return mark(written, "Class", kind)

    def sides(self, sides: Sequence[tuple[str, Box]], written: list[str]) -> list[str]:
        """An exact matrix and its decimals, if both are there, are of a class: readers choose between them.

        Rounded numbers that both are made of belong to the decimals. A line that is too long for a telephone ends
        before a relation.
        """
        signs = [sign_of(relation, self) for relation, _ in sides]
        written = [sign + NO_BREAK + w.removeprefix(sign) for sign, w in zip(signs, written, strict=True)]
        return [MAY_BREAK + side for side in self._chosen(sides, written)]

    def _chosen(self, sides: Sequence[tuple[str, Box]], written: list[str]) -> list[str]:
        if self.explored is None:
            return written
        names = [side.entries.name if isinstance(side, Matrix) and side.entries else None for _, side in sides]
        exact = names.index(names[-1]) if names and names[-1] is not None else len(names) - 1
        if exact == len(names) - 1 or any(sign != "≈" for sign, _ in sides[exact + 1 : -1]):
            return written
        rounded = [mark(side, "Class", "rounded-side") for side in written[exact + 1 :]]
        return [*written[:exact], mark(written[exact], "Class", "exact-side"), *rounded]


@dataclass
class _Writer:
    style: _MarkingStyle
    prefix: str
    stated: Mapping[str, int] = field(default_factory=dict)  # the number of the equation that states a step
    used: Counter[str] = field(default_factory=Counter)

    @property
    def language(self) -> str:
        return self.style.language

    @cached_property
    def text(self) -> TextStyle:
        return TextStyle(self.style.notation, self.language, accented=True)

    @cached_property
    def wording(self) -> Wording:
        columns = self.style.notation.columns
        return Wording(self._in_line, html.escape, html.escape, columns)

    def _in_line(self, box: Box) -> str:
        """A formula within a sentence; it, or of a long one its last piece, is marked to stay with punctuation."""
        made = typeset(box.write(self.style))
        if width(box, self.text) <= HELD:
            return f"\x06{made}\x05"
        start = made.rfind('<span class="katex-base">')
        return f"{made[:start]}\x06{made[start:].removesuffix(_ENDS)}\x05{_ENDS}" if start > 0 else made

    @cached_property
    def plain(self) -> Wording:
        """What a title or a label says, where nothing can be set."""
        return Wording(lambda box: box.write(self.text), columns=self.style.notation.columns)

    def say(self, text: Sentence | Box | str) -> str:
        return _hold(self.wording.say(text, self.language))

    def block(self, block: Block, number: str) -> str:
        match block:
            case Heading(level, text):
                tag = f"h{level + 1}"
                return f'<{tag} id="{self._anchor(text)}">{number}{self.say(text)}</{tag}>'
            case Paragraph(sentences):
                return f"<p>{_hold(self.wording.paragraph(sentences, self.language))}</p>"
            case Equation():
                return self._equation(block)
            case Table(header, _):
                label = ", ".join(self.plain.say(c, self.language) for c in header)
                return self._box(self._table(block), "table_of", label, "wide")
            case Boxes():
                boxes = boxes_html(block, self._typeset(block.symbol), self._typeset, self.prefix, self.language)
                return self._equation(Equation((block.definition,))) + boxes
            case Diagram():
                drawn = flow_svg(block, self.text, self.stated, self.style.objects)
                return self._box(drawn, "figure_of", Sentence("title.flow").text(self.language), "wide")
            case HeatMap(_, symbol):
                drawn = heat_map_svg(block, self.text, lambda i, j: self._entry(block, i, j))
                explored = " explore" if "data-e=" in drawn else ""
                return self._box(drawn, "figure_of", symbol.write(self.text), f"wide{explored}")

    def _typeset(self, cell: Cell) -> str:
        return typeset(write(cell, self.style))

    def _equation(self, equation: Equation) -> str:
        chains, step = equation.chains, equation.step
        across = sum(width(side, self.text) + 3 for chain in chains for _, side in chain.sides)
        label = ", ".join(chain.first(1).write(self.text) for chain in chains)
        lines = [chains] if step else lines_of(chains, self.style)  # between which a page of paper may end
        inside = "".join(typeset(self._line(line), display=True) for line in lines)
        kinds = ["wide"] * (across > PHONE) + ["explore"] * ("data-e=" in inside)
        box = self._box(inside, "formula_of", label, " ".join(kinds))
        if not step:
            return box
        anchor = html.escape(f"eq-{self.prefix}{step}")
        return f'<div class="stated" id="{anchor}">{box}<span class="number">({self.stated[step]})</span></div>'

    def _line(self, chains: Sequence[Chain]) -> str:
        """Several chains end a line between them and not within one."""
        written = equation_latex(chains, self.style)
        return written if len(chains) == 1 else written.replace(MAY_BREAK, "").replace(BESIDE, BESIDE + MAY_BREAK)

    def _entry(self, shades: HeatMap, i: int, j: int) -> str:
        """The mark of an entry of weights."""
        if self.style.explored is None:
            return ""
        if shades.has_numbers:
            self.style.met[shades.step, i, j] = None
        return f' data-e="{self.style.numbers[shades.step]}.{i}.{j}"'

    def _anchor(self, text: Sentence | str) -> str:
        """An id that is the same in every language: scores, scores-2, ..."""
        name = self.prefix + (text.key.removeprefix("title.") if isinstance(text, Sentence) else _slug(text))
        self.used[name] += 1
        return name if self.used[name] == 1 else f"{name}-{self.used[name]}"

    def _box(self, inside: str, said: str, label: str, kinds: str) -> str:
        """What may be wider than the page scrolls by itself, by keyboard too; what can be explored is reached by it."""
        if not kinds:
            return f"<div>{inside}</div>"
        name = html.escape(Sentence(said, name=label).text(self.language))
        return f'<div class="{kinds}" tabindex="0" role="group" aria-label="{name}">{inside}</div>'

    def _table(self, table: Table) -> str:
        def row(tag: str, cells: tuple[Sentence | Box | str, ...]) -> str:
            kinds = [' class="right"' if table.right(j) else "" for j in range(len(cells))]
            if tag == "td":
                kinds = [kind or self._wordy(c) for kind, c in zip(kinds, cells, strict=True)]
            if tag == "th":  # not all who listen to pages hear a formula in a header
                kinds = [k + self._heard(c) for k, c in zip(kinds, cells, strict=True)]
            inside = "".join(f"<{tag}{kind}>{self.say(c)}</{tag}>" for kind, c in zip(kinds, cells, strict=True))
            return f"<tr>{inside}</tr>"

        body = "\n".join(row("td", cells) for cells in table.rows)
        return f"<table>\n<thead>{row('th', table.header)}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"

    def _wordy(self, cell: Sentence | Box | str) -> str:
        """What has several words needs room, where the page is narrow and the table scrolls anyway."""
        many = isinstance(cell, Sentence) and columns(self.plain.say(cell, self.language)) > 16
        return ' class="words"' if many else ""

    def _heard(self, cell: Sentence | Box | str) -> str:
        formula = hasattr(cell, "write") and not isinstance(cell, Sentence)
        return f' aria-label="{html.escape(self.plain.say(cell, self.language))}"' if formula else ""

    # --- what only a whole page has

    def contents(self, document: Document) -> str:
        """The outline: links to the headings."""
        words = _Writer(self.style, self.prefix)  # which makes the same anchors again
        lines = [
            (b.level, f'<a href="#{words._anchor(b.text)}">{number}{self.say(b.text)}</a>')
            for number, b in number_headings(document)
            if isinstance(b, Heading)
        ]
        if len(lines) < 3:
            return ""
        title = html.escape(Sentence("page.contents").text(self.language))
        links = f'<nav aria-label="{title}">{_nest(lines)}</nav>'
        return f'<details class="contents"><summary>{title}</summary>{links}</details>\n'

    def colours(self) -> str:
        """The colour of an object's entries, as that of its letter."""
        numbers = self.style.numbers
        return "".join(
            f'.symattn [data-e^="{numbers[name]}."]{{color:var(--{kind},#{INKS[kind]})}}'
            for name, kind in self.style.objects.items()
            if name in numbers
        )

    def script(self) -> str:
        """What readers can explore, as data, and the program that shows it."""
        if self.style.explored is None or not self.style.met:
            return ""
        data = f'<script type="application/json" id="explored">{_json(self._explored(self.style.explored))}</script>'
        editing = self.style.explored.editing
        computes = "" if editing is None else f"const compute = (x) => {{\n{editing.script}\n}};\n"
        program = _file("recompute.js") + computes + _file("explore.js") + _file("edit.js")
        return f'{data}\n<script>"use strict";\n{program}</script>\n'

    def sheet(self, document: Document) -> str:
        """The program of boxes that readers fill in."""
        boxes = [b for b in document.blocks if isinstance(b, Boxes) and b.answers]
        if not boxes:
            return ""
        data = f'<script type="application/json" id="sheet">{sheet_data(boxes, self.language)}</script>'
        return f'{data}\n<script>"use strict";\n{_file("exercise.js")}</script>\n'

    def _explored(self, explored: Explored) -> dict[str, Any]:
        numbers = self.style.numbers
        told: dict[str, list[str]] = {}
        for name, i, j in islice(self.style.met, MOST_TOLD):
            exact, shown = (self._spell(chain) for chain in explored.tell(name, i, j))
            told[f"{numbers[name]}.{i}.{j}"] = [shown] if exact in ("", shown) else [shown, exact]
        words = {word: Sentence(key, kinds="{kinds}").text(self.language) for word, key in WORDS.items()}
        makers = [[[numbers[of], how] for of, how in parts] for parts in explored.makers.values()]
        symbols = [self.text.name(explored.symbols.get(name, name)) for name in explored.makers]
        editing = self._editing(explored.editing)
        turns = {numbers[name]: turned._asdict() for name, turned in explored.turns.items()}
        return {
            "words": words,
            "makers": makers,
            "symbols": symbols,
            "turns": turns,
            "told": told,
            "editing": editing,
        }

    def _editing(self, editing: Editing | None) -> dict[str, Any] | None:
        if editing is None:
            return None
        return {
            "names": [self.text.name(name) for name in editing.inputs],
            "inputs": list(editing.inputs.values()),
            "numbers": editing.numbers,
            "fixed": editing.fixed,
            "pieces": editing.pieces,
            "literals": editing.literals,
        }

    def _spell(self, chain: Chain) -> str:
        """A chain as text, of which sides that nobody can read are left out; nothing if that is its last."""
        sides = [chain.first(1).write(self.text)]
        for k, (_, side) in enumerate(chain.sides[1:], 1):
            spelled = Chain((("", side),)).write(self.text)
            if len(spelled) <= LONGEST:
                sides.append(f"{self.text.approx if chain.sides[k][0] == '≈' else self.text.equals} {spelled}")
            elif k == len(chain.sides) - 1:
                return ""
        return " ".join(sides)


def _hold(said: str) -> str:
    """No line begins with a comma or a full stop: browsers would break one between it and a formula."""
    held = _BEFORE_PUNCTUATION.sub(r'<span class="held">\1\3</span>\2', said)
    return held.replace("\x06", "").replace("\x05", "")


def _nest(lines: list[tuple[int, str]]) -> str:
    """Links as lists in lists, by their levels."""
    out, open_at = [], 0
    for level, link in lines:
        if level > open_at:
            out.append("<ul>" * (level - open_at))
        else:
            out.append("</li></ul>" * (open_at - level) + "</li>")
        out.append(f"<li>{link}")
        open_at = level
    return "".join(out) + "</li></ul>" * open_at


def _json(data: Any) -> str:
    """Data within a page: no text in it ends the script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split()) or "part"
