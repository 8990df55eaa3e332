"""The text around a lowered function: what it calls is imported from `symattn.runtime`, or copied from `kernels/`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from symattn.lowering.kernels import backward, checks, forward, plain, pool, sequences, states, variants

PARTS = (checks, sequences, plain, pool, forward, backward, states, variants)  # what lines call, and what that calls
FILES = tuple(part.__name__.rpartition(".")[2] for part in PARTS)  # as they are copied
TITLE = "Attention, written by symattn."
_LOCAL = "symattn"


@dataclass(frozen=True)
class Part:
    """A function, class or constant: its text, the names it speaks of, and its file."""

    text: str
    uses: frozenset[str]
    is_constant: bool


@cache
def _parts() -> tuple[dict[str, Part], dict[str, str]]:
    """Every part by name, in order; and the import that brings each other name."""
    parts: dict[str, Part] = {}
    imports: dict[str, str] = {}
    for file in FILES:
        text = (Path(__file__).parent / "kernels" / f"{file}.py").read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                imports |= _imports(node)
                continue
            name = _name(node)
            if name is None or name == "Array":
                continue
            decorators = getattr(node, "decorator_list", ())
            first = min([node.lineno, *(d.lineno for d in decorators)])
            uses = {x.id for x in ast.walk(node) if isinstance(x, ast.Name)} - {name}
            parts[name] = Part(
                "\n".join(lines[first - 1 : node.end_lineno]),
                frozenset(uses),
                isinstance(node, ast.Assign | ast.AnnAssign),
            )
    return parts, imports


def _name(node: ast.stmt) -> str | None:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) else None


def _imports(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    if isinstance(node, ast.Import):
        return {a.asname or a.name: f"import {a.name}" + (f" as {a.asname}" if a.asname else "") for a in node.names}
    module = node.module or ""
    return {} if module.startswith((_LOCAL, "__future__")) else {a.name: f"from {module}" for a in node.names}


def copy_parts(names: Iterable[str]) -> tuple[list[str], list[str], set[str]]:
    """The constants and the definitions that so many names need, in order, and the names to import for them."""
    parts, imports = _parts()
    wanted: set[str] = set()
    stack = [n for n in names if n in parts]
    while stack:
        name = stack.pop()
        if name not in wanted:
            wanted.add(name)
            stack += [u for u in parts[name].uses if u in parts]
    chosen = [parts[n] for n in parts if n in wanted]
    needed = {u for p in chosen for u in p.uses if u in imports}
    return [p.text for p in chosen if p.is_constant], [p.text for p in chosen if not p.is_constant], needed


def import_lines(names: Iterable[str]) -> list[str]:
    """The imports of the standard library that bring these names, in the order of isort."""
    imports = _parts()[1]
    plain = sorted({imports[n] for n in names if imports[n].startswith("import ") and n != "np"})
    by_module: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda n: (not n.isupper(), n[0].islower(), n)):
        if imports[name].startswith("from "):
            by_module.setdefault(imports[name], []).append(name)
    return plain + [f"{module} import {', '.join(found)}" for module, found in sorted(by_module.items())]


def bundle(own: str, said: Iterable[str], header: str, loops: Mapping[str, str], *, alone: bool) -> str:
    """A module: imports, the function, which has this docstring, and, if it is to run alone, the parts that it calls.

    `loops` are names of parts in whose place compiled ones are called, and the names of these in `symattn.runtime`.
    """
    used = {n.id for n in ast.walk(ast.parse(own)) if isinstance(n, ast.Name)}
    parts = used & {*_parts()[0], *loops}
    linked = parts & loops.keys() if alone else parts
    constants, definitions, imported = copy_parts(used - linked) if alone else ([], [], set())
    lines = [f'"""{header}"""', "", "from __future__ import annotations", ""]
    lines += [*import_lines({*imported, "Any"}), "", "import numpy as np", *_from_runtime(linked, loops), ""]
    lines += ["Array = np.ndarray[Any, np.dtype[Any]]", *constants]
    shapes, _, function = own.rpartition("def attention(")
    text = "\n".join(f"    {line}" if line else "" for line in said).strip()
    function = function.replace(f'    """{TITLE}"""', f'    """{text}\n    """', 1)
    return "\n\n\n".join(["\n".join([*lines, *shapes.splitlines()]), f"def attention({function}", *definitions]) + "\n"


def _from_runtime(names: Iterable[str], loops: Mapping[str, str]) -> list[str]:
    """The import of parts from `symattn.runtime`."""
    plain = sorted((n for n in names if loops.get(n, n) == n), key=lambda n: (not n.isupper(), n[0].islower(), n))
    line = f"from symattn.runtime import {', '.join(plain)}"
    first = [line] if len(line) <= 88 else ["from symattn.runtime import (", *(f"    {n}," for n in plain), ")"]
    others = sorted(f"{loops[n]} as {n}" for n in names if loops.get(n, n) != n)
    return [*(first if plain else []), *(f"from symattn.runtime import {x}" for x in others)]
