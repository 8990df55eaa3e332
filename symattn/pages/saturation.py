"""What is said of saturated rows: a remark beside the weights, tables of what softmax and the float formats leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symattn.pages.numbers.entries import Inline
from symattn.values import Valuation
from symattn.values.decimals import Shown
from symattn.values.floats.formats import FORMATS, FloatFormat
from symattn.values.saturation.measure import Held, SaturatedRow, weights_rows
from symattn.values.saturation.thresholds import THRESHOLDS
from symattn.writing.document import Block, Chain, Equation, Paragraph, Spelled, Table, list_names, quote_row
from symattn.writing.prose import Sentence

WIDE = ("float64", "float32", "float16", "bfloat16")  # what attention is computed in; eight bits lose far more
MOST_ROWS = 64  # rows that a derivation looks at
MOST_GROUPS = 4
LONGEST_ROW = 6
MOST_LINES = 40
MOST_COLUMNS = 4
REST = Spelled(r"1 - a_{\max}", "1 − a_max")
LARGEST, NORM = Spelled(r"a_{\max}", "a_max"), Spelled(r"\lVert J\rVert_\infty", "‖J‖∞")


# --- a remark


def saturation_remarks(values: Valuation, name: str, tokens: Sequence[str] = (), first: int = 1) -> Iterator[Block]:
    """For the weights `name` of a derivation: which rows are saturated in some format, and what that means.

    A row is, where the largest weight becomes exactly 1 in a format of at least 16 bits. Rows that lose the same in the
    same formats are told together. The first row has the number `first`.
    """
    yield from remarks_of(weights_rows(values, name, 3, most=MOST_ROWS), tokens, first)


def remarks_of(rows: Iterable[SaturatedRow], tokens: Sequence[str] = (), first: int = 1) -> Iterator[Block]:
    """The remarks on those of some rows that are saturated."""
    groups: dict[tuple[tuple[str, ...], ...], list[SaturatedRow]] = {}
    for row in rows:
        several = len(row.exact.shown) > 1  # a key alone takes all by right
        if several and row.exact.may_be_one(FORMATS["bfloat16"]) and any(row.formats[f].one for f in WIDE):
            groups.setdefault(_losses(row), []).append(row)
    for (dead, one, told), alike in list(groups.items())[:MOST_GROUPS]:
        yield Paragraph(tuple(_remark(alike, (dead, one, told), tokens, first)))


def _losses(row: SaturatedRow) -> tuple[tuple[str, ...], ...]:
    """The formats in which no gradient passes, those that lose the rest alone, those that still tell."""
    dead = tuple(f for f, held in row.formats.items() if held.jacobian_zero)
    one = tuple(f for f, held in row.formats.items() if held.one and f not in dead)
    return dead, one, tuple(f for f, held in row.formats.items() if not held.one and f not in dead)


def _remark(
    rows: Sequence[SaturatedRow], losses: tuple[tuple[str, ...], ...], tokens: Sequence[str], first: int
) -> Iterator[Sentence]:
    (dead, one, told), top = losses, rows[0]
    rest = Shown(max(row.exact.to(3).rest_at_most for row in rows))
    if len(rows) == 1:
        key, row = _key(top, tokens, first), _query(top, tokens, first)
        yield Sentence("saturated.row", to=key, row=row, rest=rest)
    else:
        yield Sentence(
            "saturated.rows", rows=join_names([_name(r.row, tokens, first, quoted=True) for r in rows]), rest=rest
        )
    if dead:
        same = len({row.column for row in rows}) == 1
        yield Sentence("saturated.dead", formats=join_names(dead), row=_one_hot(top) if same else Sentence("one_hot"))
    if one:
        yield Sentence("saturated.one", formats=join_names(one))
    if told:
        yield Sentence("saturated.told", formats=join_names(told))
    if len(rows) == 1 and top.places is not None:
        yield Sentence("saturated.places", places=top.places)


def _key(row: SaturatedRow, tokens: Sequence[str], first: int) -> Sentence:
    """The key of the largest weight; tokens name the queries, which in self-attention are the keys too."""
    number = row.column + first - 1
    if row.exact.columns == len(tokens):
        return quote_row(tokens, row.column - 1, number)
    return Sentence("saturated.key", number=number)


def _query(row: SaturatedRow, tokens: Sequence[str], first: int) -> Sentence:
    number = row.row + first - 1
    return (
        quote_row(tokens, row.row - 1, number) if row.row <= len(tokens) else Sentence("saturated.query", number=number)
    )


def _name(row: int, tokens: Sequence[str], first: int = 1, *, quoted: bool = False) -> str | Sentence:
    number = row + first - 1
    if row > len(tokens):
        return str(number)
    if quoted:
        return quote_row(tokens, row - 1, number)
    name = tokens[row - 1]
    return Sentence("unquoted_row", name=name, number=number) if tokens.count(name) > 1 else name


def _one_hot(row: SaturatedRow) -> Spelled | Sentence:
    columns = row.exact.columns
    if columns > LONGEST_ROW:
        return Sentence("one_hot")
    digits = ["1" if j == row.column else "0" for j in range(1, columns + 1)]
    return Spelled("[" + r",\, ".join(digits) + "]", "[" + ", ".join(digits) + "]")


def join_names(names: Sequence[Sentence | str]) -> Sentence | str:
    """ "a, b and c"."""
    *first, last = names
    return Sentence("and_last", first=list_names(first), last=last) if first else last


# --- tables


def saturation_blocks(
    rows: Sequence[SaturatedRow], tokens: Sequence[str] = (), *, remarks: bool = True
) -> Iterator[Block]:
    """A report on rows: their figures, what each format holds of them, and why."""
    ranked = sorted(rows, key=lambda row: row.rest)
    chosen = {id(row) for row in ranked[:MOST_LINES]}
    kept = [row for row in rows if id(row) in chosen]
    several = len({row.exact.name for row in rows}) > 1
    if len(kept) < len(rows):
        yield Paragraph((Sentence("saturation.more", count=len(kept), all=len(rows)),))
    yield figures_table(kept, [label(row, tokens, several) for row in kept])
    jacobian = Spelled(r"J = \mathrm{diag}(a) - a\,a^{\top}", "J = diag(a) − aaᵀ")
    yield Paragraph((Sentence("saturation.legend", largest=LARGEST, norm=NORM, jacobian=jacobian),))
    if remarks:
        yield from remarks_of(kept, tokens)
    yield Paragraph((Sentence("saturation.formats"),))
    few = kept if len(kept) <= MOST_COLUMNS else ranked[:MOST_COLUMNS]
    yield losses_table(few, [label(row, tokens, several) for row in few])
    yield from threshold_blocks()


def label(row: SaturatedRow, tokens: Sequence[str], several: bool, *, quoted: bool = False) -> str | Sentence:
    """What a row is called: its token or number, with its head and part of a calculation where there are several."""
    said: str | Sentence = _name(row.row, tokens, quoted=quoted)
    step = row.exact.values.program[row.exact.name]
    if several and step.members:
        said = Sentence("saturation.head_row", head=row.head, row=said)
    part = step.part or (step.short if step.suffix else "")
    if several and part:
        said = Sentence("saturation.part_row", part=part, row=said)
    return said


def figures_table(rows: Sequence[SaturatedRow], labels: Sequence[str | Sentence]) -> Table:
    """Row by row: the gap, the largest weight, what it leaves, entropy, size of the Jacobian, places needed."""
    header = (
        Sentence("saturation.row"),
        Sentence("saturation.gap"),
        REST,
        Sentence("saturation.entropy"),
        NORM,
        Sentence("saturation.places"),
    )
    return Table(header, tuple((label, *_figures(row)) for label, row in zip(labels, rows, strict=True)))


def _figures(row: SaturatedRow) -> tuple[Inline | str, ...]:
    places = "—" if row.places is None else str(row.places)
    gap = row.exact.to(5).gap
    shown = Inline(Shown(gap) if gap.is_finite() else Spelled(r"\infty", "∞"))
    exact = row.exact.to(3)
    return (shown, *(Inline(Shown(x)) for x in (exact.rest, exact.entropy, exact.jacobian_norm)), places)


def losses_table(rows: Sequence[SaturatedRow], labels: Sequence[str | Sentence]) -> Table:
    """Format by format: what is left of each row."""
    header = (Sentence("saturation.format"), *(Sentence("saturation.of_row", row=label) for label in labels))
    return Table(header, tuple(_losses_line(name, rows) for name in FORMATS))


def _losses_line(name: str, rows: Sequence[SaturatedRow]) -> tuple[Sentence | str, ...]:
    return (name, *(remarks_on(row.formats[name], row.exact.shown) for row in rows))


def remarks_on(held: Held, shown: Sequence[int]) -> Sentence:
    """What a format leaves of a row, in a few words; weights that a mask makes 0 are not lost."""
    lost = [j for j in held.zeros if j - 1 in shown]
    if held.broken:
        return Sentence("held.broken")
    if held.one is not None and len(lost) == len(shown) - 1:
        return Sentence("held.one_hot", column=held.one)
    if held.one is not None:
        return Sentence("held.one", column=held.one) if not lost else Sentence("held.one_some", column=held.one)
    if len(lost) == len(shown):
        return Sentence("held.nothing")
    return Sentence("held.some", count=len(lost)) if lost else Sentence("held.all")


def thresholds_table() -> Table:
    """For each format the gaps at which information dies."""
    header = (Sentence("saturation.format"), *(Sentence(f"threshold.{name}") for name in THRESHOLDS))
    return Table(header, tuple(_thresholds_line(name, form) for name, form in FORMATS.items()))


def _thresholds_line(name: str, form: FloatFormat) -> tuple[Inline | str, ...]:
    return (name, *(Inline(Shown(t.decimal(form, 5))) for t in THRESHOLDS.values()))


def threshold_blocks() -> Iterator[Block]:
    """The thresholds as closed forms, and their values."""
    names = {"zero": "g_0", "one": "g_1", "early": "g_c", "over": r"x_\infty"}
    fields = {
        "gap": Spelled("g", "g"),
        "small": Spelled(r"\frac{1}{1 + e^{g}}", "1/(1 + e^g)"),
        "large": Spelled(r"\frac{1}{1 + e^{-g}}", "1/(1 + e^−g)"),
        "computed": Spelled(r"1/(1 + \mathrm{round}(e^{-g}))", "1/(1 + round(e^−g))"),
        "power": Spelled("e^{x}", "e^x"),
        "p": Spelled("p", "p"),
        "smallest": Spelled(r"\mu", "μ"),
        "most": Spelled(r"\Omega", "Ω"),
    } | {key: Spelled(name, name.replace(r"\infty", "∞")) for key, name in names.items()}
    yield Paragraph((Sentence("thresholds.said", **fields),))
    forms = {
        "zero": Spelled(r"\ln\left(\frac{2}{\mu} - 1\right)", "ln(2/μ − 1)"),
        "one": Spelled(r"\ln\left(2^{p+1} - 1\right)", "ln(2^(p+1) − 1)"),
        "early": Spelled(r"p\ln 2 - \ln\left(1 + 2^{-p}\right)", "p ln 2 − ln(1 + 2^−p)"),
        "over": Spelled(r"\ln \Omega", "ln Ω"),
    }
    yield Equation(tuple(Chain((("", fields[key]), ("=", form))) for key, form in forms.items()))
    yield thresholds_table()
