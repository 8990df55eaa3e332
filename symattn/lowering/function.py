"""A lowered module as a function: made from its own source, called with arrays of any library."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
from sympy import MatrixSymbol, Symbol

from symattn.errors import InputError, NotSupportedError
from symattn.lowering.amounts import count_bytes, count_operations, find_shapes
from symattn.lowering.array_api import Namespace, library_of, namespace_of
from symattn.lowering.bundle import PARTS
from symattn.lowering.checked import check_results, refuse_unbounded
from symattn.lowering.dask_blocks import call_in_blocks
from symattn.lowering.execution import define, load_loops
from symattn.lowering.frame import documentation
from symattn.lowering.inputs import masks_of_one_head
from symattn.lowering.kernels.sequences import several
from symattn.lowering.module import LOOPS, STYLES, Module, Style, write_module
from symattn.lowering.schedule.steps import find_outputs, with_gradients
from symattn.program.steps import Program
from symattn.program.unfolding import unfold
from symattn.values.matrices import evaluate_flint, evaluate_mpmath
from symattn.writing.choices import choice
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence

NUMPY = frozenset({np.ndarray})
EVALUATE = {"mpmath": evaluate_mpmath, "flint": evaluate_flint}


class Documentation:
    """The docstring of the class, and of each function its own."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __get__(self, function: Lowered | None, kind: type) -> str:
        return self.text if function is None else function.documentation


class Lowered:
    __doc__: Any = Documentation(
        """A function of arrays (..., rows, columns), with its source.

    Arguments are given by position or by the names of the symbols; the result is an array, or a dict of them by the
    names of the outputs, and is also put into `out` if that is given. `source` is a module that does the same for NumPy
    arrays, `standalone` one that runs without symattn; other libraries' arrays take the plain lines of the same steps,
    Dask's the module for every block.
    """
    )

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
        self._function = define(
            self.module.own, self.module.function, **{**copy_function(), **compiled_functions(style)}
        )
        self._names = frozenset(self.module.arguments.values())
        self._options = self.module.options
        self._count = len(self.module.arguments)
        self._made: dict[Namespace, Any] = {}  # the plain lines for other libraries
        self.__name__ = self.__qualname__ = self.module.function

    @cached_property
    def plain(self) -> Module:
        """The plain lines of the same steps."""
        plain = self.style == "plain"
        return self.module if plain else write_module(self.program, self.wanted, "plain", self.alone)

    @property
    def source(self) -> str:
        """The text of the module, which imports `symattn.runtime`."""
        return self.module.source

    @property
    def standalone(self) -> str:
        """The text of the module with all that it calls."""
        return self.module.standalone

    @cached_property
    def documentation(self) -> str:
        """The steps as formulas, and the shapes of the arguments."""
        return "\n".join(documentation(self.module.program, self.module.scope))

    @property
    def __signature__(self) -> inspect.Signature:
        """The arguments by the names that Python can spell, sizes and `threads` by name."""
        own = inspect.signature(self._function)
        if "out" in own.parameters:
            return own
        out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
        return own.replace(parameters=[*own.parameters.values(), out])

    @property
    def shapes(self) -> dict[str, tuple[Any, ...]]:
        """The last axes of every argument and output, by name: {"Q": (n, d_k), ...}; leading ones broadcast."""
        return find_shapes(self.program, self.wanted)

    def flops(self, batch: Any = None, **sizes: Any) -> Any:
        """Floating-point operations of the products, two for each multiply-add, in full whatever a mask hides.

        An integer where all sizes are given, else a polynomial in the others: f.flops(n=512, m=512, d_k=64, d_v=64).
        `batch` is how many sequences there are. Raises InputError for what is no size here.
        """
        return count_operations(self.program, batch, sizes)

    def memory(self, batch: Any = None, *, dtype: Any = "float64", threads: int = 1, **sizes: Any) -> Any:
        """Bytes of the arrays that a call makes, results among them, for numbers of a type: those of every step or, in
        the place of scores and weights that are computed by blocks, what the blocks of so many threads have at most.
        """
        return count_bytes(self.program, self.module, np.dtype(dtype).itemsize, threads, batch, sizes)

    def __call__(self, /, *arrays: Any, **named: Any) -> Any:
        """The outputs for these arrays. Raises TypeError or ValueError that names an argument which cannot be used."""
        if not named and len(arrays) == self._count and NUMPY.issuperset(map(type, arrays)):
            return self._function(*arrays)
        count = len(arrays) if NUMPY.issuperset(map(type, arrays)) else -1
        for name, array in named.items():
            if type(array) is np.ndarray and name in self._names:
                count += 1
            elif name not in self._options:
                return self._carefully(arrays, named)
        return self._function(*arrays, **named) if count == self._count else self._carefully(arrays, named)

    def _carefully(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The same for all other arguments, with what is wrong about them said."""
        symbols = self.module.arguments
        out = named.pop("out", None) if "out" not in {*symbols, *self._names} else None
        options = {k: v for k, v in named.items() if k in self._options - symbols.keys()}
        rest = {k: v for k, v in named.items() if k not in options}
        made = self._computed(self._bound(arrays, rest), options)
        return made if out is None else self._put(made, out)

    def _computed(self, given: dict[str, Any], options: dict[str, Any]) -> Any:
        """The outputs, by the library of the arrays."""
        library = library_of(given)
        if library == "numpy":
            return self._function(*given.values(), **options)
        if library == "dask":
            if own := [x for x in self.module.scope.of_sequences if several(options.get(x))]:
                raise InputError(Sentence("numbers_beside_dask", name=own[0]))
            made = call_in_blocks(self.program, self.wanted, self.module, given, options)
            return made if len(made) > 1 else made[self.wanted[0].key]
        if library in EVALUATE:
            letters = {s: options[name] for s, name in self.module.scope.sizes.items() if name in options}
            return self._without_loss(EVALUATE[library], given, letters)
        return self._elsewhere(list(given.values()), options)

    def _put(self, made: Any, out: Any) -> Any:
        """Results into the arrays that are to have them, once all of these can take theirs."""
        several = isinstance(made, dict)
        results: dict[str, Any] = made if several else {self.wanted[0].key: made}
        places = out if several and isinstance(out, dict) else {self.wanted[0].key: out}
        for name, place in places.items():
            if name not in results:
                raise InputError(Sentence("out_name", name=str(name)[:40], known=", ".join(results)))
            result = results[name]
            shape = str(tuple(getattr(result, "shape", ())))
            if several != isinstance(out, dict) or not isinstance(place, np.ndarray):
                raise InputError(Sentence("no_out", given=type(place).__name__, shape=shape))
            if place.shape != result.shape:
                raise InputError(Sentence("out_shape", name=name, given=str(tuple(place.shape)), shape=shape))
            if not np.can_cast(result.dtype, place.dtype, "same_kind"):
                raise InputError(Sentence("out_type", name=name, given=place.dtype, made=result.dtype))
            if not place.flags.writeable:
                raise InputError(Sentence("out_read_only", name=name))
        for name, place in places.items():
            place[...] = results[name]
        return out

    def _bound(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        """The arguments by the names of the symbols, in order."""
        symbols = list(self.module.arguments)
        known = ", ".join(symbols) or "()"
        if len(arrays) > len(symbols):
            raise InputError(Sentence("too_many_arguments", count=len(arrays), known=known))
        given = dict(zip(symbols, arrays, strict=False))
        spelled = {spelled: name for name, spelled in self.module.arguments.items()}
        for name, array in named.items():
            name = name if name in self.module.arguments else spelled.get(name, name)
            if name not in self.module.arguments or name in given:
                meant = known if name in given else listed(name, symbols)
                raise InputError(Sentence("unknown_argument", name=str(name)[:40], known=meant))
            given[name] = array
        for name in symbols:
            if name not in given:
                raise InputError(Sentence("argument_missing", name=name, known=known))
        return {name: given[name] for name in symbols}

    def _elsewhere(self, arrays: list[Any], options: dict[str, Any]) -> Any:
        """The plain lines on another library's arrays."""
        namespace = namespace_of(arrays)
        if namespace not in self._made:
            source = self.plain.standalone.replace("\nimport numpy as np\n", "\n", 1)
            self._made[namespace] = define(source, self.plain.function, np=namespace)
        return self._made[namespace](*arrays, **{k: v for k, v in options.items() if k in self.plain.options})

    def _without_loss(self, evaluate: Any, matrices: dict[str, Any], letters: dict[Symbol, Any]) -> Any:
        """The outputs as matrices of mpmath or flint; of a family of heads a tuple of them."""
        made = {}
        for wanted in self.wanted:
            if wanted.log_sum:
                raise NotSupportedError(Sentence("no_exact_log_sum", name=wanted.key))
            counts = [range(int(index.count)) for index in wanted.step.indices]
            numbers = [wanted.member] if wanted.member else product(*counts)
            names = [wanted.step.name_of(*(k + 1 for k in each)) for each in numbers]
            members = evaluate(self.program, matrices, names, letters)
            made[wanted.key] = tuple(members) if counts and not wanted.member else members[0]
        return made if len(self.wanted) > 1 else next(iter(made.values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.given

    def _repr_markdown_(self) -> str:
        """A notebook shows the function; `source` has what it calls, too."""
        _, head, rest = self.source.partition(f"def {self.module.function}(")
        return f"```python\n{head}{rest.partition(chr(10) * 3)[0].rstrip()}\n```"

    def __repr__(self) -> str:
        return f"<lowered attention({', '.join(self.module.arguments)})>"


class CheckedFunction(Lowered):
    """A lowered function that holds what it returns against exact values, within the proven bound of its error."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        refuse_unbounded(self.program, self.wanted, self.gradient)

    def _computed(self, given: dict[str, Any], options: dict[str, Any]) -> Any:
        made = super()._computed(given, options)
        if library_of(given) == "numpy":
            check_results(self.program, self.wanted, self.module, given, options, made)
        return made

    def __call__(self, /, *arrays: Any, **named: Any) -> Any:
        """The outputs. Raises SymattnError that names an entry which is further from the exact value than it may be."""
        return self._carefully(arrays, named)


def compiled_functions(style: str) -> dict[str, Any]:
    """What a module calls in the place of parts if it is compiled. Raises NotSupportedError where Numba is missing."""
    if style not in LOOPS:
        return {}
    loops = load_loops()
    return {name: getattr(loops, own) for name, own in LOOPS[style].items()}


@cache
def copy_function() -> dict[str, Any]:
    """What the source of a module copies, as it is here already."""
    return {name: x for part in PARTS for name, x in vars(part).items() if not name.startswith("__")}


def lower(
    expression: Any,
    *,
    outputs: Sequence[str] = (),
    style: Style = "fast",
    gradient: bool = False,
    check: bool = False,
) -> Lowered:
    """A NumPy function for an attention expression or a Derivation, with its `.source`.

    Its arguments are named as the symbols, and positional in the order of their first appearance: arrays
    (..., rows, columns) whose leading axes broadcast. The result is an array, the last step's, or with several
    `outputs` (names of steps, and "lse" for the log-sum-exp of the rows) a dict by these names. `style="plain"` has
    one line or a few for each step; "fast" computes the same by blocks of rows, so that memory is O(n) for each
    thread, of which `threads=` says how many. With `gradient` it also takes G, the gradient of a loss by the last
    step, and of its shape, and returns a dict of the outputs ("output" if none are named) and of the gradients by all
    inputs but masks, "dQ", "dK", ...: each of its argument's shape, summed over what was broadcast. With `check` every
    call on NumPy arrays holds the results for the first and the last of the leading axes against exact values of the
    steps, and raises SymattnError where one is further away than the proven bound of its rounding errors
    (docs/error-bounds.md). Raises InputError for a name that is no step or style, NotSupportedError for a node that has
    no rule, or no bound.
    Source: Dao et al. 2022 for the blocks; Blanchard, Higham and Higham 2021 for the softmax.

    >>> from sympy import MatrixSymbol, symbols
    >>> from symattn import Attention
    >>> n, d = symbols("n d")
    >>> f = lower(Attention(*(MatrixSymbol(x, n, d) for x in "QKV")), style="plain")
    >>> import numpy as np
    >>> f(Q=np.zeros((1, 1)), K=np.ones((1, 1)), V=np.array([[7.0]]))
    array([[7.]])
    """
    choice("style", style, STYLES)
    if style == "auto" and find_spec("numba") is None:
        style = "fast"
    names = (outputs,) if isinstance(outputs, str) else tuple(outputs)
    program = expression.families if hasattr(expression, "families") else unfold(expression)
    alone = masks_of_one_head(getattr(expression, "expression", expression))
    return (CheckedFunction if check else Lowered)(program, names, style, gradient, alone)
