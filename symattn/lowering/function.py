"""A lowered module as a function: made from its own source, called with arrays of any library."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np

from symattn.errors import InputError
from symattn.lowering.arrays import library_of, namespace_of
from symattn.lowering.module import Module, write_module
from symattn.lowering.parts import blocks, checks, plain
from symattn.prose import Sentence
from symattn.steps import Program


class Lowered:
    """A function of arrays (..., rows, columns), with its source.

    Arguments are given by position or by the names of the symbols; the result is an array, or a dict of them by the
    names of the outputs. `source` is a module that needs NumPy alone and does the same for NumPy arrays; other
    libraries' arrays take the plain lines of the same steps.
    """

    def __init__(self, program: Program, outputs: tuple[str, ...], style: str) -> None:
        self.program, self.outputs, self.style = program, outputs, style
        self.module = write_module(program, outputs, style)
        self._function = define(self.module.own, self.module.function, **copied())
        self._names = frozenset(self.module.arguments.values())
        self._options = self.module.options
        self._count = len(self.module.arguments)

    @cached_property
    def plain(self) -> Module:
        """The plain lines of the same steps."""
        return self.module if self.style == "plain" else write_module(self.program, self.outputs, "plain")

    @property
    def source(self) -> str:
        """The text of the module."""
        return self.module.source

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """The outputs for these arrays. Raises TypeError or ValueError that names an argument which cannot be used."""
        count = len(arrays)
        for array in arrays:
            if type(array) is not np.ndarray:
                return self._carefully(arrays, named)
        for name, array in named.items():
            if type(array) is np.ndarray and name in self._names:
                count += 1
            elif name not in self._options:
                return self._carefully(arrays, named)
        return self._function(*arrays, **named) if count == self._count else self._carefully(arrays, named)

    def _carefully(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The same for arrays of other libraries, with what is wrong about the arguments said."""
        symbols = list(self.module.arguments)
        known = ", ".join(symbols)
        if len(arrays) > len(symbols):
            raise InputError(Sentence("too_many_arguments", count=len(arrays), known=known))
        given = dict(zip(symbols, arrays, strict=False))
        options = {k: v for k, v in named.items() if k in self._options}
        for name in named.keys() - self._options:
            if name not in self.module.arguments or name in given:
                raise InputError(Sentence("unknown_argument", name=str(name)[:40], known=known))
            given[name] = named[name]
        for name in symbols:
            if name not in given:
                raise InputError(Sentence("argument_missing", name=name, known=known))
        ordered = {name: given[name] for name in symbols}
        if library_of(ordered) == "numpy":
            return self._function(*(np.asarray(x) for x in ordered.values()), **options)
        return self._elsewhere(list(ordered.values()), options)

    def _elsewhere(self, arrays: list[Any], options: dict[str, Any]) -> Any:
        source = self.plain.source.replace("\nimport numpy as np\n", "\n", 1)
        function = define(source, self.plain.function, np=namespace_of(arrays))
        return function(*arrays, **{k: v for k, v in options.items() if k in self.plain.options})

    def __reduce__(self) -> tuple[Any, ...]:
        return Lowered, (self.program, self.outputs, self.style)

    def __repr__(self) -> str:
        return f"<lowered attention({', '.join(self.module.arguments)})>"


def define(source: str, name: str, **scope: Any) -> Any:
    """The function that a module's source defines: the one place where source is executed, and it is our own."""
    exec(compile(source, "<lowered by symattn>", "exec"), scope)
    return scope[name]


@cache
def copied() -> dict[str, Any]:
    """What the source of a module copies, as it is here already."""
    return {name: x for part in (checks, plain, blocks) for name, x in vars(part).items() if not name.startswith("__")}
