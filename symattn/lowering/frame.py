"""The function around its lines: its signature, what it refuses, and what it returns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sympy import MatrixSymbol, Symbol, exp
from sympy.matrices.expressions import Transpose
from sympy.printing.str import StrPrinter

from symattn.lowering.bundle import TITLE
from symattn.lowering.schedule.loops import has_heads
from symattn.lowering.schedule.steps import Output
from symattn.lowering.text.code import Code
from symattn.lowering.text.line_breaks import break_lines
from symattn.lowering.text.names import identifier, word
from symattn.lowering.text.scalars import scalar
from symattn.lowering.text.scope import Scope
from symattn.nodes import (
    CausalMask,
    DistanceBuckets,
    Mapped,
    PaddingMask,
    RotaryEmbedding,
    RotatedBack,
    Stack,
    WindowMask,
)
from symattn.nodes.node import Node
from symattn.program.steps import Program, runs_on

EACH = "int | Any"  # a whole number, or an array with one for each sequence


@dataclass(frozen=True)
class Framed:
    """The text of a function, and its arguments that are no arrays."""

    text: str
    options: frozenset[str]


def frame(program: Program, wanted: Sequence[Output], body: Sequence[str], scope: Scope) -> Framed:
    """The function that has these lines."""
    asked, read = derived_sizes(program, scope)
    checks = list(_number_checks(program, asked, scope))
    head = [*checks, *_checks(program, scope, read, body)]
    head += _leading(program, scope, not scope.fast or not _chains_alone(program, scope, body))
    scope.of_sequences = tuple(name for name, kind in asked.items() if kind == EACH)
    arguments = [scope.arrays[s] for s in program.inputs]
    options = [*asked, *(["threads"] if scope.fast else [])]
    single = ", ".join(f"{x}={x}" for x in [*arguments, *options])
    overflowing = any(" @ " in line or "np.sum(" in line for line in body)
    careful = scope.inputs.upstream is not None or not scope.fast or overflowing
    limit = ["if threads is not None and not limits_threads():"] if scope.fast else []
    limit += [f"    return limit_threads(threads, attention, {single})"] if limit else []
    seen, body = _seen_before(arguments, options, body, scope)
    body = _guarded_features(program, scope, options, body)
    code = [
        *seen,
        *limit,
        *_guard(program, scope, options, careful),
        *_by_sequence(program, wanted, options, scope),
        *head,
        *([""] if head else []),
        *_quiet(_annotated(body, wanted, scope), scope),
        *_returned(wanted, scope),
    ]
    text = [
        *_shapes(scope),
        *_signature(arguments, asked, scope.fast, len(wanted) > 1),
        f'    """{TITLE}"""',
        *(part for line in code for part in break_lines(f"    {line}" if line else "")),
    ]
    return Framed("\n".join(text), frozenset(options))


# --- arguments


def _signature(arguments: Sequence[str], asked: Mapping[str, str], fast: bool, several: bool) -> list[str]:
    parts = [f"{a}: Array" for a in arguments]
    parts += ["*"] if asked or fast else []
    parts += [f"{name}: {kind}" for name, kind in asked.items()]
    parts += ["threads: int | None = None"] if fast else []
    result = "dict[str, Array]" if several else "Array"
    line = f"def attention({', '.join(parts)}) -> {result}:"
    if len(line) <= 88:
        return [line]
    return ["def attention(", *(f"    {p}," for p in parts), f") -> {result}:"]


def _shapes(scope: Scope) -> list[str]:
    """What is expected of each argument, as a constant of the module."""
    if not scope.inputs.operands:
        return []
    out = ["SHAPES: dict[str, tuple[str | int, str | int]] = {"]
    for s in scope.inputs.operands:
        sides = [str(int(x)) if x.is_Integer else f'"{scalar(x, scope.size)}"' for x in s.shape]
        out.append(f'    "{scope.arrays[s]}": ({", ".join(sides)}),')
    return [*out, "}"]


def _checks(program: Program, scope: Scope, read: Sequence[str], body: Sequence[str]) -> list[str]:
    """The lines that refuse arguments that cannot be used, and say how large things are."""
    agreements = [line for s in scope.inputs.operands for line in _sides(s, scope)]
    loose = (s for s in program.inputs if s in scope.inputs.beside)
    agreements += [line for s in loose for line in _meeting(s, program, scope)]
    agreements += _required(program, scope)
    rest = [*read, *agreements]
    return [*_measured(program, scope, [*rest, *body]), *rest] if scope.inputs.operands else rest


def _required(program: Program, scope: Scope) -> Iterator[str]:
    """What sizes must be that the nodes of the steps speak of."""
    nodes = (node for step in program if step.by is None for node in step.expression.atoms(Node))
    counters = {index.letter for step in program for index in step.indices}
    for sign, size, needed in dict.fromkeys(each for node in nodes for each in node.required):
        if not size.is_Integer and not needed.free_symbols & counters:
            text = scalar(size, scope.size)
            yield f'requires("{text}", {text}, "{sign}", {scalar(needed, scope.size)})'


def _number_checks(program: Program, asked: dict[str, str], scope: Scope) -> Iterator[str]:
    """The lines that refuse what is no number of its kind; `asked` learns which may be no whole numbers."""
    counts = {s for x in program.inputs for side in x.shape for s in side.free_symbols}
    counts |= {s for step in program if step.index for s in step.index.count.free_symbols}
    bounds = {s for step in program for x in step.atoms(PaddingMask, WindowMask) for s in x.args[:2]}
    places = {s for step in program for x in step.atoms(CausalMask, WindowMask, PaddingMask) for s in x.free_symbols}
    places |= {s for step in program for x in step.atoms(RotaryEmbedding, RotatedBack) for s in x.args[3].free_symbols}
    places |= {s for step in program for x in step.atoms(DistanceBuckets) for s in x.free_symbols}
    for symbol, name in scope.sizes.items():
        if asked.get(name) != "int":
            continue
        if symbol in counts or symbol in places or symbol.is_integer:
            least = ", 1" if symbol in counts else ", 0" if symbol in bounds else ""
            asked[name] = "int" if symbol in counts or not scope.like else EACH
            yield f'whole("{name}", {name}{least})'
        else:
            asked[name] = "float"
            yield f'{name} = real("{name}", {name})'


def _sides(s: MatrixSymbol, scope: Scope) -> Iterator[str]:
    """What the sides of an operand must agree with, where they are made of sizes."""
    name = scope.arrays[s]
    for axis, size in zip((-2, -1), s.shape, strict=True):
        if not isinstance(size, Symbol) and not size.is_Integer:
            text = scalar(size, scope.size)
            yield f'agree("{name}", {name}, {axis}, {text}, "{text}")'


def _meeting(s: MatrixSymbol, program: Program, scope: Scope) -> Iterator[str]:
    """How a mask or bias meets the scores, and their heads."""
    rows, columns = (scalar(x, scope.size) for x in s.shape)
    name = scope.arrays[s]
    if s in scope.inputs.positions:
        yield f'{name} = places("{name}", {name}, {rows}, {columns})'
        return
    if s in scope.inputs.masks:
        yield f'{name} = as_keep("{name}", {name}, {rows}, {columns})'
    else:
        yield f'meets("{name}", {name}, {scope.like or name}, {rows}, {columns})'
    families = [x.index for x in program if s in x.uses and not runs_on(x)]
    counts = {str(scalar(index.count, scope.size)) for index in families if index is not None}
    yield from (f'meets_heads("{name}", {name}, {scope.like}, {count})' for count in sorted(counts))
    if s in scope.inputs.single_head:
        if any(step.by == s for step in program):
            yield f"{scope.arrays['given', s]} = {name}"
        yield f"{name} = of_one_head({name}, {scope.like})"


def _measured(program: Program, scope: Scope, lines: Sequence[str]) -> list[str]:
    """The line that looks at all operands, and those that give the sizes that are spoken of their names."""
    operands = scope.inputs.operands
    words = set(re.findall(r"\w+", " ".join(lines)))
    sizes = dict.fromkeys(s for x in operands for s in x.shape if isinstance(s, Symbol))
    used = [scope.sizes[s] for s in sizes if s in scope.sizes and scope.sizes[s] in words]
    whole = any(line.startswith("lead = lead or") for line in lines)
    found = ("sizes" if used else "_", "lead" if whole else "_")
    pairs = ", ".join(f'"{scope.arrays[s]}": {scope.arrays[s]}' for s in operands)
    measured = f"measure(SHAPES, {{{pairs}}}{_none_of(program, scope)})"
    first = f"{', '.join(found)} = {measured}" if used or whole else measured
    return [first, *(f'{name} = sizes["{name}"]' for name in used)]


def derived_sizes(program: Program, scope: Scope) -> tuple[dict[str, str], list[str]]:
    """Sizes that are arguments, with their types, and the lines that read others from sides such as h·d_k.

    Where the number of heads must be given, what it tells may be given too.
    """
    real = scope.inputs.operands
    known = {s for symbol in real for s in symbol.shape if isinstance(s, Symbol)}
    for size in (size for symbol in real for size in symbol.shape if not isinstance(size, Symbol)):
        scalar(size, scope.size)  # what sides must agree with is spoken of too
    read = [f"{scope.size(s)} = {value}" for s, value in _told(real, known, scope)]
    asked = {s: "int" for s in list(scope.sizes) if s not in known}
    heads = asked.keys() & {step.index.count for step in program if step.index}
    for s, value in _told(real, known | heads, scope) if heads else ():
        if s in asked:
            asked[s] = "int | None = None"
            read.append(f"{scope.size(s)} = {value} if {scope.size(s)} is None else {scope.size(s)}")
    return {scope.size(s): kind for s, kind in sorted(asked.items(), key=lambda item: len(item[1]))}, read


def _told(real: Sequence[MatrixSymbol], known: set[Symbol], scope: Scope) -> Iterator[tuple[Symbol, Code]]:
    """Sizes that a side tells beside known ones, which they become, and how to read them."""
    for symbol in real:
        for axis, size in zip((-2, -1), symbol.shape, strict=True):
            unknown = size.free_symbols - known
            if len(unknown) == 1:
                (s,) = unknown
                times = (size / s).cancel() if hasattr(size / s, "cancel") else size / s
                if not times.has(s) and (times.is_Integer or times.free_symbols <= known):
                    known.add(s)
                    yield s, Code(f"{scope.arrays[symbol]}.shape[{axis}]") // scalar(times, scope.size)


def _none_of(program: Program, scope: Scope) -> str:
    """Which sizes may be 0: that of the rows of the result, where nothing is summed over them, and those of blocks that
    stand above others, such as a cache, where the letter is not said to be positive.
    """
    forward = [step for step in program if step.by is None]
    rows = forward[-1].shape[0]
    turned = (node for step in forward for node in step.atoms(Transpose))
    summed = {x.shape[1] for x in (*program.inputs, *forward, *turned)} | {x.index.count for x in forward if x.index}
    found = [] if rows in summed or not isinstance(rows, Symbol) else [rows]
    stacked = (X for step in forward for node in step.atoms(Stack) for X in node.args if X in program.inputs)
    found += [X.shape[0] for X in stacked if X.shape[0].is_nonnegative and not X.shape[0].is_positive]
    names = dict.fromkeys(scope.size(size) for size in found if isinstance(size, Symbol))
    return "".join(f', "{name}"' for name in names)


def _guard(program: Program, scope: Scope, options: Sequence[str], careful: bool) -> list[str]:
    """Lines that compute in another type; blocks look after overflow themselves."""
    if not scope.like:
        return []
    masks, operands = scope.inputs.whole, scope.inputs.operands
    real = [scope.arrays[s] for s in program.inputs if s not in masks]
    large = [scope.arrays[s] for s in operands]  # what products are made of
    beside = [scope.arrays[s] for s in program.inputs if s not in masks and s not in operands]
    more = f", beside=({', '.join(beside)},)" if beside else ""
    looked = f"working_type({', '.join(large)}{more})" if careful and large else f"other_type({', '.join(real)})"
    return _retyped(looked, program, scope, options)


def _retyped(looked: str, program: Program, scope: Scope, options: Sequence[str]) -> list[str]:
    """The lines that return what the function makes of its arguments in another type, if there is one."""
    masks = scope.inputs.whole
    cast = ", ".join(f'"{x}": {x}' for x in (scope.arrays[s] for s in program.inputs if s not in masks))
    others = [*(scope.arrays[s] for s in program.inputs if s in masks), *options]
    arguments = ", ".join([f"{{{cast}}}", *(f"{x}={x}" for x in others)])
    return [
        f"if (kind := {looked}) is not None:",
        f"    return computed_in(kind, attention, {arguments})",
    ]


def _guarded_features(program: Program, scope: Scope, options: Sequence[str], body: Sequence[str]) -> list[str]:
    """The lines, and after those of exponential features what looks for a type in which none vanishes."""
    exponential = (
        s for s in program if s.role == "features" and isinstance(s.expression, Mapped) and s.expression.has(exp)
    )
    names = [scope.arrays[s.symbol] for s in exponential if s.symbol in scope.arrays]
    last = max((k for k, line in enumerate(body) for name in names if line.startswith(f"{name} = ")), default=-1)
    if last < 0 or not scope.like:
        return [*body]
    real = [scope.arrays[s] for s in scope.inputs.operands]
    features = f"({', '.join(names)})" if len(names) > 1 else f"({names[0]},)"
    looked = f"features_type({features}, {', '.join(real)})"
    return [*body[: last + 1], *_retyped(looked, program, scope, options), *body[last + 1 :]]


def _seen_before(
    arguments: Sequence[str], options: Sequence[str], body: Sequence[str], scope: Scope
) -> tuple[list[str], Sequence[str]]:
    """Lines that look for the plan of a call alike, and the body, which keeps it: where one call for blocks is all that
    is computed, and shapes alone say how.
    """
    call = r"\w+, _ = attend\((\w+, \w+, \w+), logits, lead, logs=False, threads=threads\)"
    if not scope.keeps_plans or [*options] != ["threads"] or not (found := re.fullmatch(call, body[-1])):
        return [], body
    starts = tuple(line.partition(" = ")[0] for line in body[:-1])
    if starts != ("lead", "logits") or {*found[1].split(", ")} != {*arguments} or "known" in arguments:
        return [], body
    seen = f"if threads is None and (known := attend_again(SHAPES, {found[1]})) is not None:"
    return [seen, "    return known"], [*body[:-1], f"{body[-1][:-1]}, again=SHAPES)"]


def _by_sequence(program: Program, wanted: Sequence[Output], options: Sequence[str], scope: Scope) -> list[str]:
    """Lines for numbers that each sequence has of its own."""
    if not (numbers := scope.of_sequences):
        return []
    heads = scope.inputs.masks_or_biases if has_heads(program) else scope.inputs.single_head
    names = [scope.arrays[s] for s in program.inputs if s in heads]
    given = [f"heads=({', '.join(map(repr, names))},)".replace("'", '"')] if names else []
    if (G := scope.inputs.upstream) is not None:
        by = ", ".join(f'"{word(w.key)}": "{scope.arrays[w.step.by]}"' for w in wanted if w.step.by in program.inputs)
        given += [f'gradient="{scope.arrays[G]}"', f"by={{{by}}}"]
    given += [f"{x}={x}" for x in options if x not in numbers]
    arrays, few = (", ".join(f'"{x}": {x}' for x in xs) for xs in ([scope.arrays[s] for s in program.inputs], numbers))
    arguments = ", ".join(["attention", scope.like, f"{{{arrays}}}", f"{{{few}}}", *given])
    return [f"if several({', '.join(numbers)}):", f"    return by_sequence({arguments})"]


def _leading(program: Program, scope: Scope, all_of_them: bool) -> list[str]:
    """Lines that refuse leading axes that do not fit, where no call for blocks does."""
    leads = {scope.array(s): scope.array(s) for s in program.inputs if s != scope.inputs.upstream}
    for s in (s for s in program.inputs if s in scope.inputs.masks_or_biases) if has_heads(program) else ():
        leads[scope.array(s)] = f"over_heads({scope.array(s)}, {scope.like})[..., 0, :, :]"
    call = f"leading({', '.join(f'{name}={text}' for name, text in leads.items())})"
    if scope.inputs.upstream is None:
        return [call] if all_of_them and len(leads) > 1 else []
    G = scope.array(scope.inputs.upstream)
    return [f'upstream("{G}", {G}, {call})']


def _chains_alone(program: Program, scope: Scope, body: Sequence[str]) -> bool:
    """Whether the leading axes of all inputs are looked at where blocks begin."""
    leads = [line for line in body if line.startswith("lead = ")]
    named = [f"{scope.arrays[s]}={scope.arrays[s]}" for s in program.inputs]
    return bool(leads) and all(name in leads[0] for name in named) and not has_heads(program)


# --- results and what is said


def _annotated(body: Sequence[str], wanted: Sequence[Output], scope: Scope) -> list[str]:
    """The lines, where what is returned is given its type: to type checkers a product of arrays may be anything."""
    start = f"{scope.arrays.get(wanted[0].step.symbol)} = "
    places = [k for k, line in enumerate(body) if line.startswith(start)]
    if len(wanted) > 1 or len(places) != 1:
        return list(body)
    name, rest = start[:-3], body[places[0]][len(start) :]
    return [*body[: places[0]], f"{name}: Array = {rest}", *body[places[0] + 1 :]]


def _quiet(body: Sequence[str], scope: Scope) -> Sequence[str]:
    """The lines, without a warning of what does not count: products with what a mask hides, which may be infinite, and
    features that overflow and are then computed in another type.
    """
    hidden = ['invalid="ignore"'] if scope.veiled and any(" @ " in line for line in body) else []
    exponential = all(any(part in line for line in body) for part in ("features_type(", "np.exp("))
    overflowing = ['over="ignore"'] if exponential else []
    if not (ignored := ", ".join([*hidden, *overflowing])):
        return body
    return [f"with np.errstate({ignored}):", *(f"    {line}" if line else "" for line in body)]


def _returned(wanted: Sequence[Output], scope: Scope) -> list[str]:
    texts = []
    for w in wanted:
        name = scope.arrays[("lse", w.step.symbol)] if w.log_sum else scope.arrays[w.step.symbol]
        if given := scope.arrays.get(("given", w.step.by)):
            name = f"np.reshape({name}, {given}.shape)"
        texts.append(f"{name}[..., {', '.join(map(str, w.member))}, :, :]" if w.member else name)
    if len(wanted) == 1:
        return [f"return {texts[0]}"]
    pairs = [f'"{word(w.key)}": {text}' for w, text in zip(wanted, texts, strict=True)]
    return ["return {", *(f"    {pair}," for pair in pairs), "}"]


class _Formula(StrPrinter):  # type: ignore[misc]
    """Formulas in names that are ours."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def _print_MatrixSymbol(self, symbol: MatrixSymbol) -> str:
        ours = symbol in self.scope.inputs.all or " " in symbol.name  # a step without a letter of its own
        return self.scope.arrays.get(symbol, identifier(symbol.name)) if ours else str(symbol.name)

    def _print_Symbol(self, symbol: Symbol) -> str:
        return symbol.name if symbol.name == identifier(symbol.name) else self.scope.size(symbol)


def documentation(program: Program, scope: Scope) -> list[str]:
    """The steps by their names, and the shapes; nothing in them that could end the text."""
    formula = _Formula(scope)
    names = [scope.arrays.get(step.symbol) or identifier(step.short) for step in program]
    wide = max(map(len, names))
    out = ["Attention of arrays (..., rows, columns), in these steps:", ""]
    for name, step in zip(names, program, strict=True):
        family = "".join(f", {x.letter} = 1, ..., {formula.doprint(x.count)}" for x in step.indices)
        out.append(f"    {name:<{wide}}  {formula.doprint(step.symbol)} = {formula.doprint(step.expression)}{family}")
    out += ["", "Shapes, after any leading axes, which broadcast:", ""] if program.inputs else []
    for symbol in program.inputs:
        rows, columns = (scalar(x, scope.size) for x in symbol.shape)
        out.append(f"    {scope.arrays[symbol]} ({rows}, {columns})")
    for name in scope.of_sequences:
        out.append(f"    {name} (), a whole number, or one for each of the leading axes")
    out += ["", "Raises TypeError or ValueError that names an argument which cannot be used."]
    return [re.sub(r'[\\"\x00-\x1f]', "", line).rstrip() for line in out]
