"""Mutants of a module: each with one small change inside a function, as an abstract syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


class Mutant(NamedTuple):
    """A changed module: the function that is changed (`Class.method` and its first line), where, and how it reads."""

    function: tuple[str, int]
    line: int
    change: str
    put_in: Callable[[], ast.Module]  # the changed module


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    for function, name in _functions(tree.body, ""):
        for node in (n for statement in function.body for n in ast.walk(statement)):
            for new in _changes(node):
                line = node.target.lineno if isinstance(node, ast.comprehension) else node.lineno
                yield Mutant(name, line, f"{_short(node)}  →  {_short(new)}", partial(_with, tree, node, new))


def telling_calls(source: str, name: str) -> ast.Module:
    """A module whose functions first call the one of a name, with their own names and first lines."""
    tree = ast.parse(source)
    for function, (own, line) in _functions(tree.body, ""):
        function.body[:0] = ast.parse(f"{name}({own!r}, {line})").body
    return tree


def _functions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[ast.FunctionDef, tuple[str, int]]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield node, (prefix + node.name, min(n.lineno for n in (node, *node.decorator_list)))


def _short(node: ast.AST) -> str:
    lines = ast.unparse(node).splitlines() or [""]
    return lines[0][:100] + (" …" if len(lines) > 1 else "")


def _with(tree: ast.Module, old: ast.AST, new: ast.AST) -> ast.Module:
    """A copy of a tree with one node in the place of another; the nodes of the tree itself are kept."""

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else super().visit(node)

        def generic_visit(self, node: ast.AST) -> ast.AST:
            return super().generic_visit(_own_lists(node))

    return ast.fix_missing_locations(Replace().visit(tree))


def _own_lists(node: ast.AST) -> ast.AST:
    """A copy whose lists of children may be changed."""
    twin = copy.copy(node)
    for name, value in ast.iter_fields(twin):
        if isinstance(value, list):
            setattr(twin, name, list(value))
    return twin


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""

    def changed(**fields: object) -> ast.AST:
        twin = copy.copy(node)
        for name, value in fields.items():
            setattr(twin, name, value)
        return twin

    match node:
        case ast.Compare(ops=[op, *rest]):
            yield from (changed(ops=[other(), *rest]) for other in COMPARED[type(op)])
        case ast.BoolOp(op=op, values=values):
            yield changed(op=ast.Or() if isinstance(op, ast.And) else ast.And())
            for k in range(len(values)):
                kept = values[:k] + values[k + 1 :]
                yield changed(values=kept) if len(kept) > 1 else kept[0]
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(op=op) if type(op) in REPLACED:
            yield changed(op=REPLACED[type(op)]())
        case ast.Constant(value=bool() as value):
            yield changed(value=not value)
        case ast.Constant(value=int() as value):
            yield changed(value=value + 1)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare):
            yield changed(test=ast.UnaryOp(ast.Not(), test))
        case ast.comprehension(ifs=[_, *_] as ifs):
            for k in range(len(ifs)):
                yield changed(ifs=ifs[:k] + ifs[k + 1 :])
        case ast.Call(func=ast.Name(id="max" | "min")):
            return  # in any order the same
        case ast.Call(args=[first, second, *rest]) if not isinstance(first, ast.Starred | ast.GeneratorExp):
            yield changed(args=[second, first, *rest])
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
        case ast.AugAssign() | ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) not in ("None", "False"):
            yield changed(value=ast.Constant(None))
