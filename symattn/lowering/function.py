"""A lowered module as a function: made from its own source, called with arrays of any library."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np
from sympy import MatrixSymbol

from symattn.errors import InputError, NotSupportedError
from symattn.lowering.array_api import Namespace, library_of, namespace_of
from symattn.lowering.bundle import PARTS
from symattn.lowering.dask_blocks import call_in_blocks
from symattn.lowering.execution import define
from symattn.lowering.module import Module, write_module
from symattn.lowering.schedule.steps import find_outputs, with_gradients
from symattn.program.steps import Program
from symattn.values.matrices import evaluate_flint, evaluate_mpmath
from symattn.writing.prose import Sentence

EVALUATE = {"mpmath": evaluate_mpmath, "flint": evaluate_flint}


class Lowered:
    """A function of arrays (..., rows, columns), with its source.

    Arguments are given by position or by the names of the symbols; the result is an array, or a dict of them by the
    names of the outputs. `source` is a module that needs NumPy alone and does the same for NumPy arrays; other
    libraries' arrays take the plain lines of the same steps, Dask's the module for every block.
    """

    def __init__(
        self,
        program: Program,
        outputs: tuple[str, ...],
        style: str,
        gradient: bool = False,
        alone: frozenset[MatrixSymbol] = frozenset(),
    ) -> None:
        self.given, self.gradient, self.alone = (program, outputs, style, gradient, alone), gradient, alone
        self.program, self.style = program, style
        if gradient:
            self.program, self.wanted = with_gradients(program, outputs, fast=style == "fast")
        else:
            self.wanted = find_outputs(program, outputs or (program.steps[-1].name,))
        self.module = write_module(self.program, self.wanted, self.style, alone)
        self._function = define(self.module.own, self.module.function, **copy_function())
        self._names = frozenset(self.module.arguments.values())
        self._options = self.module.options
        self._count = len(self.module.arguments)
        self._made: dict[Namespace, Any] = {}  # the plain lines for other libraries

    @cached_property
    def plain(self) -> Module:
        """The plain lines of the same steps."""
        plain = self.style == "plain"
        return self.module if plain else write_module(self.program, self.wanted, "plain", self.alone)

    @property
    def source(self) -> str:
        """The text of the module."""
        return self.module.source

    def __call__(self, /, *arrays: Any, **named: Any) -> Any:
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
        options = {k: v for k, v in named.items() if k in self._options - self.module.arguments.keys()}
        given = self._bound(arrays, {k: v for k, v in named.items() if k not in options})
        library = library_of(given)
        if library == "numpy":
            return self._function(*(np.asarray(x) for x in given.values()), **options)
        if library == "dask":
            made = call_in_blocks(self.program, self.wanted, self.module, given, options)
            return made if len(made) > 1 else made[self.wanted[0].key]
        if library in EVALUATE:
            return self._without_loss(EVALUATE[library], given)
        return self._elsewhere(list(given.values()), options)

    def _bound(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        """The arguments by the names of the symbols, in order."""
        symbols = list(self.module.arguments)
        known = ", ".join(symbols)
        if len(arrays) > len(symbols):
            raise InputError(Sentence("too_many_arguments", count=len(arrays), known=known))
        given = dict(zip(symbols, arrays, strict=False))
        for name, array in named.items():
            if name not in self.module.arguments or name in given:
                raise InputError(Sentence("unknown_argument", name=str(name)[:40], known=known))
            given[name] = array
        for name in symbols:
            if name not in given:
                raise InputError(Sentence("argument_missing", name=name, known=known))
        return {name: given[name] for name in symbols}

    def _elsewhere(self, arrays: list[Any], options: dict[str, Any]) -> Any:
        """The plain lines on another library's arrays."""
        namespace = namespace_of(arrays)
        if namespace not in self._made:
            source = self.plain.source.replace("\nimport numpy as np\n", "\n", 1)
            self._made[namespace] = define(source, self.plain.function, np=namespace)
        return self._made[namespace](*arrays, **{k: v for k, v in options.items() if k in self.plain.options})

    def _without_loss(self, evaluate: Any, matrices: dict[str, Any]) -> Any:
        """The outputs as matrices of mpmath or flint; of a family of heads a tuple of them."""
        made = {}
        for wanted in self.wanted:
            if wanted.log_sum:
                raise NotSupportedError(Sentence("no_exact_log_sum", name=wanted.key))
            index = wanted.step.index
            if index is None:
                (made[wanted.key],) = evaluate(self.program, matrices, [wanted.step.name])
                continue
            count = range(1, int(index.count) + 1) if wanted.member is None else [wanted.member + 1]
            members = evaluate(self.program, matrices, [wanted.step.name_of(k) for k in count])
            made[wanted.key] = tuple(members) if wanted.member is None else members[0]
        return made if len(self.wanted) > 1 else next(iter(made.values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Lowered, self.given

    def _repr_markdown_(self) -> str:
        """A notebook shows the source."""
        return f"```python\n{self.source.rstrip()}\n```"

    def __repr__(self) -> str:
        return f"<lowered attention({', '.join(self.module.arguments)})>"


@cache
def copy_function() -> dict[str, Any]:
    """What the source of a module copies, as it is here already."""
    return {name: x for part in PARTS for name, x in vars(part).items() if not name.startswith("__")}
