"""The text of a lowered module: imports, the parts that it needs, and the function itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sympy import MatrixSymbol, Symbol
from sympy.matrices.expressions import Transpose
from sympy.printing.str import StrPrinter

from symattn.lowering.bundle import copy_parts, import_lines
from symattn.lowering.schedule.loops import has_heads, runs_on, turn_checks
from symattn.lowering.schedule.ordering import write_body
from symattn.lowering.schedule.steps import Wanted, derived_sizes, start_lines
from symattn.lowering.text.line_breaks import fitted
from symattn.lowering.text.names import identifier
from symattn.lowering.text.scalars import scalar
from symattn.lowering.text.scope import Lines
from symattn.program.steps import Program

STYLES = ("fast", "plain")
TITLE = "Attention, written by symattn."


@dataclass(frozen=True)
class Module:
    """The text of a module's own function, and what is said of it elsewhere."""

    program: Program
    lines: Lines
    own: str
    arguments: dict[str, str]  # the names of symbols -> of arguments
    options: frozenset[str]  # arguments that are no arrays
    function: str = "attention"

    @cached_property
    def source(self) -> str:
        """The whole text: imports, the function, and the parts that it calls."""
        return _assembled(self)


def write_module(
    program: Program, wanted: Sequence[Wanted], style: str, alone: frozenset[MatrixSymbol] = frozenset()
) -> Module:
    """The module that computes what is wanted of a program; `alone` are the masks and biases of a single head."""
    lines = start_lines(program, alone)
    lines.fast = style == "fast"
    body = [*turn_checks(program, lines), *write_body(program, wanted, lines)]
    asked, sizes = derived_sizes(program, lines)
    head = _checks(program, lines, sizes, body)
    arguments = [lines.arrays[s] for s in program.inputs]
    options = [*asked, *(["threads"] if style == "fast" else [])]
    single = ", ".join(f"{x}={x}" for x in [*arguments, *options])
    head += _leading(program, lines, style == "plain" or not chains_alone(program, lines, body))
    signature = _signature(arguments, asked, style, len(wanted) > 1)
    careful = lines.upstream is not None or style == "plain" or any(" @ " in line for line in body)
    guard = _guard(lines, single, careful)
    code = [*guard, *head, *([""] if head else []), *body, *_returned(wanted, lines)]
    text = [
        *signature,
        f'    """{TITLE}"""',
        *(part for line in code for part in fitted(f"    {line}" if line else "")),
    ]
    own = "\n".join([*_shapes(program, lines), *text])
    return Module(program, lines, own, {s.name: lines.arrays[s] for s in program.inputs}, frozenset(options))


def _leading(program: Program, lines: Lines, all_of_them: bool) -> list[str]:
    """Lines that refuse leading axes that do not fit, where no call for blocks does."""
    leads = {lines.array(s): lines.array(s) for s in program.inputs if s != lines.upstream}
    for s in lines.loose if has_heads(program) else ():
        leads[lines.array(s)] = f"over_heads({lines.array(s)}, {lines.anchor})[..., 0, :, :]"
    call = f"leading({', '.join(f'{name}={text}' for name, text in leads.items())})"
    if lines.upstream is None:
        return [call] if all_of_them and len(leads) > 1 else []
    G = lines.array(lines.upstream)
    return [f'upstream("{G}", {G}, {call})']


def _guard(lines: Lines, arguments: str, careful: bool) -> list[str]:
    """Lines that compute in another type; blocks look after overflow themselves."""
    if not lines.like:
        return []
    if not careful:
        return [f"if is_half({lines.like}):", f"    return computed_in(np.float32, attention, {arguments})"]
    real = ", ".join(lines.arrays[s] for s in lines.strict)
    return [
        f"if (kind := working_type({real})) is not None:",
        f"    return computed_in(kind, attention, {arguments})",
    ]


def chains_alone(program: Program, lines: Lines, body: Sequence[str]) -> bool:
    """Whether the leading axes of all inputs are looked at where blocks begin."""
    leads = [line for line in body if line.startswith("lead = ")]
    named = [f"{lines.arrays[s]}={lines.arrays[s]}" for s in program.inputs]
    return bool(leads) and all(name in leads[0] for name in named) and not has_heads(program)


def _returned(wanted: Sequence[Wanted], lines: Lines) -> list[str]:
    texts = []
    for w in wanted:
        name = lines.arrays[("lse", w.step.symbol)] if w.log_sum else lines.arrays[w.step.symbol]
        name = f"np.reshape({name}, {lines.alone[w.step.by]}.shape)" if w.step.by in lines.alone else name
        texts.append(name if w.member is None else f"{name}[..., {w.member}, :, :]")
    if len(wanted) == 1:
        return [f"return {texts[0]}"]
    pairs = [f'"{word(w.key)}": {text}' for w, text in zip(wanted, texts, strict=True)]
    return ["return {", *(f"    {pair}," for pair in pairs), "}"]


def word(key: str) -> str:
    """The name of a step as it may stand in a text: names of steps are ours, but for blocks of inputs."""
    return "".join(c for c in key if c.isalnum() or c in "_.'")


def _checks(program: Program, lines: Lines, read: Sequence[str], body: Sequence[str]) -> list[str]:
    """The lines that refuse arguments that cannot be used, and say how large things are."""
    keeps = lines.keeps
    real = [s for s in program.inputs if s not in lines.loose and s not in keeps]
    loose = [s for s in program.inputs if s in lines.loose]
    agreements = []
    for s in real:
        for axis, size in zip((-2, -1), s.shape, strict=True):
            if not isinstance(size, Symbol) and not size.is_Integer:
                text = scalar(size, lines.size)
                agreements.append(f'agree("{lines.arrays[s]}", {lines.arrays[s]}, {axis}, {text}, "{text}")')
    for s in loose:
        rows, columns = (scalar(x, lines.size) for x in s.shape)
        name = lines.arrays[s]
        if s in keeps:
            agreements.append(f'{name} = as_keep("{name}", {name}, {rows}, {columns})')
        else:
            agreements.append(f'meets("{name}", {name}, {lines.like or name}, {rows}, {columns})')
        families = [x.index for x in program if s in x.uses and not runs_on(x)]
        counts = {str(scalar(index.count, lines.size)) for index in families if index is not None}
        agreements += [f'meets_heads("{name}", {name}, {lines.anchor}, {count})' for count in sorted(counts)]
        if s in lines.alone:
            agreements += [f"{lines.alone[s]} = {name}"] if any(step.by == s for step in program) else []
            agreements.append(f"{name} = of_one_head({name}, {lines.anchor})")
    pairs = ", ".join(f'"{lines.arrays[s]}": {lines.arrays[s]}' for s in real)
    plain = dict.fromkeys(s for x in real for s in x.shape if isinstance(s, Symbol))
    out = []
    if real:
        words = set(re.findall(r"\w+", " ".join([*read, *agreements, *body])))
        used = [lines.sizes[s] for s in plain if s in lines.sizes and lines.sizes[s] in words]
        whole = any(line.startswith("lead = lead or") for line in body)
        found = ("sizes" if used else "_", "lead" if whole else "_")
        measured = f"measure(SHAPES, {{{pairs}}}{_none_of(program, lines)})"
        out.append((f"{', '.join(found)} = " if used or whole else "") + measured)
        out += [f'{name} = sizes["{name}"]' for name in used]
    return [*out, *read, *agreements]


def _none_of(program: Program, lines: Lines) -> str:
    """Which size may be 0: that of the rows of the result, where nothing is summed over them."""
    forward = [step for step in program if step.by is None]
    rows = forward[-1].shape[0]
    turned = (node for step in forward for node in step.atoms(Transpose))
    summed = {x.shape[1] for x in (*program.inputs, *forward, *turned)} | {x.index.count for x in forward if x.index}
    return "" if rows in summed or not isinstance(rows, Symbol) else f', "{lines.size(rows)}"'


def _shapes(program: Program, lines: Lines) -> list[str]:
    """What is expected of each argument, as a constant of the module."""
    keeps = lines.keeps
    real = [s for s in program.inputs if s not in lines.loose and s not in keeps]
    if not real:
        return []
    out = ["SHAPES: dict[str, tuple[str | int, str | int]] = {"]
    for s in real:
        sides = [str(int(x)) if x.is_Integer else f'"{scalar(x, lines.size)}"' for x in s.shape]
        out.append(f'    "{lines.arrays[s]}": ({", ".join(sides)}),')
    return [*out, "}"]


def _signature(arguments: Sequence[str], asked: Mapping[str, str], style: str, several: bool) -> list[str]:
    parts = [f"{a}: Array" for a in arguments]
    parts += ["*"] if asked or style == "fast" else []
    parts += [f"{name}: {kind}" for name, kind in asked.items()]
    parts += ["threads: int | None = None"] if style == "fast" else []
    result = "dict[str, Array]" if several else "Array"
    line = f"def attention({', '.join(parts)}) -> {result}:"
    if len(line) <= 88:
        return [line]
    return ["def attention(", *(f"    {p}," for p in parts), f") -> {result}:"]


def _assembled(module: Module) -> str:
    tree = ast.parse(module.own)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    constants, definitions, imported = copy_parts(used)
    header = [f'"""{TITLE}"""', "", "from __future__ import annotations", ""]
    header += [
        *import_lines({*imported, "Any"}),
        "",
        "import numpy as np",
        "",
        "Array = np.ndarray[Any, np.dtype[Any]]",
    ]
    shapes, _, function = module.own.rpartition("def attention(")
    said = "\n".join(f"    {line}" if line else "" for line in _documentation(module.program, module.lines))
    function = function.replace(f'    """{TITLE}"""', f'    """{said.strip()}\n    """', 1)
    header += [*constants, *shapes.splitlines()]
    return "\n\n\n".join(["\n".join(header), "def attention(" + function, *definitions]) + "\n"


class _Formula(StrPrinter):  # type: ignore[misc]
    """Formulas in names that are ours."""

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        self.lines = lines

    def _print_MatrixSymbol(self, symbol: MatrixSymbol) -> str:
        return self.lines.arrays[symbol] if symbol in self.lines.given else str(symbol.name)

    def _print_Symbol(self, symbol: Symbol) -> str:
        return symbol.name if symbol.name == identifier(symbol.name) else self.lines.size(symbol)


def _documentation(program: Program, lines: Lines) -> list[str]:
    """The steps by their names, and the shapes; nothing in them that could end the text."""
    formula = _Formula(lines)
    names = [lines.arrays.get(step.symbol) or identifier(step.name.rpartition(".")[2]) for step in program]
    wide = max(map(len, names))
    out = ["Attention of arrays (..., rows, columns), in these steps:", ""]
    for name, step in zip(names, program, strict=True):
        family = f", {step.index.letter} = 1, ..., {formula.doprint(step.index.count)}" if step.index else ""
        out.append(f"    {name:<{wide}}  {formula.doprint(step.symbol)} = {formula.doprint(step.expression)}{family}")
    out += ["", "Shapes, after any leading axes, which broadcast:", ""]
    for symbol in program.inputs:
        rows, columns = (scalar(x, lines.size) for x in symbol.shape)
        out.append(f"    {lines.arrays[symbol]} ({rows}, {columns})")
    out += ["", "Raises TypeError or ValueError that names an argument which cannot be used."]
    return [re.sub(r'[\\"\x00-\x1f]', "", line).rstrip() for line in out]
