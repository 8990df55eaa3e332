"""The [[layer]] tables of a worksheet -> one expression: a stack of layers, from tokens to logits and their loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr, Integer, MatrixSymbol, Symbol

from symattn.errors import InputError, Placed
from symattn.nodes import (
    CrossEntropy,
    Dropout,
    Embedding,
    FeedForward,
    Gated,
    LayerNorm,
    LearnedPositions,
    Part,
    Residual,
    RMSNorm,
    SinusoidalPositions,
    WithPositions,
    member,
    require_size,
)
from symattn.nodes.elementary.logits import AddRow
from symattn.nodes.exact_numbers import ExactRows, read_exact
from symattn.program.shapes import read_sizes
from symattn.reading.worksheets import keys
from symattn.reading.worksheets.inputs import Setting, read_calculation
from symattn.reading.worksheets.tables import is_stack, read_matrix, read_shape, read_size
from symattn.writing.choices import choice
from symattn.writing.prose import Sentence


def read_layers(layers: Any, inputs: Mapping[str, Any], stack: Mapping[str, Any], values: dict[str, ExactRows]) -> Any:
    """The expression of a stack; the rows of its inputs go to `values` under the names of their symbols.

    Raises InputError or ShapeError with the key path for what is missing, does not fit or is no choice.
    """
    keys.refuse_unknown(inputs, tuple(keys.OF_STACK), "inputs", keys.TABLES_OF_STACK)
    keys.refuse_unknown(stack, keys.STACK, "stack", keys.TABLES_OF_STACK)
    return _Stack(inputs, stack, values).expression(layers)


def name_layers(layers: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the layers are called: as they say, else layer1, layer2, ..."""
    return [str(layer.get("name", f"layer{k}")) for k, layer in enumerate(layers, 1)]


class _Stack:
    """Reads the parts of a stack from below."""

    def __init__(self, inputs: Mapping[str, Any], stack: Mapping[str, Any], values: dict[str, ExactRows]) -> None:
        self.inputs, self.stack, self.values = inputs, stack, values
        self.width: Expr | None = None

    def expression(self, layers: Sequence[Mapping[str, Any]]) -> Any:
        X = self._first_rows()
        self.width = X.shape[1]
        made: dict[str, Any] = {}
        first = () if isinstance(X, MatrixSymbol) else (X,)  # its steps come before those of the layers
        for name, table in zip(name_layers(layers), layers, strict=True):
            if name in made or name in keys.OF_STACK:
                raise InputError(Sentence("part_twice", name=name), place=f"layer.{name[:20]}")
            with Placed(f"layer.{name[:20]}"):
                X = made[name] = Part(self._layer(X, name, table), name, *first, *made.values())
        return self._with_loss(self._last_norm(X))

    # --- from tokens to rows

    def _first_rows(self) -> Any:
        ids = self.stack.get("ids")
        if ("X" in self.inputs) == ("E" in self.inputs) or ("E" in self.inputs) != (ids is not None):
            raise InputError(Sentence("rows_or_tokens"), place="inputs")
        X = self._declared("X", self.inputs) if ids is None else self._at("ids", self._embedding, ids)
        positions = self.stack.get("positions", "learned" if "P" in self.inputs else "none")
        choice("positions", positions, keys.POSITIONS, place="stack.positions")
        if (positions == "learned") != ("P" in self.inputs):
            raise InputError(Sentence("positions_table"), place="stack.positions")
        if positions == "none":
            return X
        n, width = X.shape
        table = None if positions == "sinusoidal" else self._declared("P", self.inputs)
        read = SinusoidalPositions if table is None else LearnedPositions
        added = self._at("positions", read, *((n, width) if table is None else (table, n)))
        require_size(width, added.shape[1], "columns(X)", "columns(P)")
        return WithPositions(X, added)

    def _embedding(self, ids: Any) -> Any:
        return Embedding(self._declared("E", self.inputs), ids)

    def _at(self, key: str, read: Any, *arguments: Any) -> Any:
        """What a node makes of a key of [stack]; the key path goes before what it says."""
        with Placed(f"stack.{key}"):
            return read(*arguments)

    # --- one layer

    def _layer(self, X: Any, name: str, table: Mapping[str, Any]) -> Any:
        known = (*keys.OF_LAYER, *keys.OPTIONS, *keys.MANNER)
        keys.refuse_unknown(table, (*keys.NAMED, *known), "", keys.TABLES_OF_STACK)
        manner = {**{key: self.stack[key] for key in keys.MANNER if key in self.stack}, **table}
        if not any(key in table for key in ("W_Q", "W_1")):
            raise InputError(Sentence("empty_layer"), place="")
        if "W_Q" in table:
            X = self._around(X, name, table, manner, "1", self._attention)
        if "W_1" in table:
            X = self._around(X, name, table, manner, "2", self._feed_forward)
        return X

    def _around(self, X: Any, name: str, table: Any, manner: Any, number: str, part: Any) -> Any:
        """One of the two parts of a layer with its norm and its residual connection."""
        for key, known in keys.LAYER_CHOICES.items():
            choice(key, manner.get(key, known[0]), known, place=key)
        before = manner.get("order", "pre") == "pre"
        made = part(self._norm(X, name, table, manner, number) if before else X, name, table, manner)
        if manner.get("dropout", 0) != 0:
            made = Dropout(made, manner["dropout"])
        added = Residual(X, made)
        return added if before else self._norm(added, name, table, manner, number)

    def _norm(self, X: Any, name: str, table: Any, manner: Any, number: str) -> Any:
        suffix = f"_{number}" if number else ""
        rows = {x: self._declared(f"{x}{suffix}", table, name) for x in ("gamma", "beta")}
        kind = manner.get("norm", "layer")
        for x in {"none": ("gamma", "beta"), "rms": ("beta",)}.get(kind, ()):
            if rows[x] is not None:
                raise InputError(Sentence("norm_without", kind=kind, name=f"{x}{suffix}"))
        if kind == "none":
            return X
        options = {"epsilon": self._number(manner["epsilon"], "epsilon")} if "epsilon" in manner else {}
        return RMSNorm(X, rows["gamma"], **options) if kind == "rms" else LayerNorm(X, *rows.values(), **options)

    def _number(self, given: Any, key: str) -> Expr:
        with Placed(key):
            return read_exact(given)

    def _attention(self, X: Any, name: str, table: Mapping[str, Any], _manner: Any) -> Any:
        """The attention of a layer; with a gate this stands before the output projection."""
        gated = "W_G" in table
        inside = [key for key in keys.ATTENTION if key in table and not (gated and key in ("W_O", "b_O"))]
        for key in inside:
            self._require_width(key, table[key])
        options = {key: table[key] for key in keys.OPTIONS if key in table}
        stated = any(isinstance(table[key], str) for key in inside)  # as letters that layers share
        setting = Setting(name, not stated, {"X": X})
        made = self._sized(read_calculation({key: table[key] for key in inside}, options, self.values, setting))
        if not gated:
            return made
        made = Gated(made, X, *(self._declared(key, table, name) for key in ("W_G", "b_G")))
        W_O, b_O = (self._declared(key, table, name) for key in ("W_O", "b_O"))
        made = made if W_O is None else _product(made, W_O)
        return made if b_O is None else AddRow(made, b_O)

    def _sized(self, expression: Any) -> Any:
        """The expression with the sizes that values have in the place of letters."""
        values = self.values
        symbols = [s for s in expression.atoms(MatrixSymbol) if s.name in values]
        sizes = read_sizes({s: (len(values[s.name]), len(values[s.name][0])) for s in symbols})
        return expression.xreplace({letter: Integer(size) for letter, size in sizes.items()})

    def _feed_forward(self, X: Any, name: str, table: Mapping[str, Any], manner: Any) -> Any:
        W_1, b_1, W_2, b_2, W_3 = (self._declared(x, table, name) for x in ("W_1", "b_1", "W_2", "b_2", "W_3"))
        if W_2 is None:
            raise InputError(Sentence("input_needed", name="W_2", beside="W_1"))
        return FeedForward(X, W_1, W_2, b_1, b_2, manner.get("activation", "gelu" if W_3 is None else "silu"), W_3)

    # --- from rows to the loss

    def _last_norm(self, X: Any) -> Any:
        """A stack that normalises before each part ends in a norm, if this has a gain or there are logits."""
        pre = self.stack.get("order", "pre") == "pre" and self.stack.get("norm", "layer") != "none"
        ends = "gamma" in self.inputs or "beta" in self.inputs or "W_U" in self.inputs or self.stack.get("tied", False)
        return self._norm(X, "", self.inputs, self.stack, "") if pre and ends else X

    def _with_loss(self, X: Any) -> Any:
        tied, labels = self.stack.get("tied", False), self.stack.get("labels")
        if not isinstance(tied, bool):
            raise InputError(Sentence("not_true_or_false", name="tied"), place="stack.tied")
        W_U, b_U = (self._declared(key, self.inputs) for key in ("W_U", "b_U"))
        if tied and (W_U is not None or "E" not in self.inputs):
            raise InputError(Sentence("tied_without_table"), place="stack.tied")
        if tied:
            W_U = self._declared("E", self.inputs).T
        if W_U is None:
            if labels is not None or b_U is not None:
                raise InputError(Sentence("input_needed", name="W_U", beside=", ".join(self.inputs)), place="inputs")
            return X
        Z = _product(X, W_U)
        Z = Z if b_U is None else AddRow(Z, b_U)
        return Z if labels is None else self._at("labels", CrossEntropy, Z, labels)

    # --- inputs

    def _declared(self, key: str, table: Mapping[str, Any], part: str = "") -> Any:
        """The symbol of an input, whose rows go to `values`; None where it is not given."""
        if key not in table:
            return None
        letter = member(key, part) if part else key
        given, sizes = table[key], {**keys.OF_STACK, **keys.OF_LAYER}[key]
        if isinstance(given, str):
            return MatrixSymbol(letter, *map(read_size, read_shape(given, key)))
        if isinstance(given, list) and given and not isinstance(given[0], list) and sizes[0] == "1":
            given = [given]
        rows = self.values[letter] = self.values.get(letter) or read_matrix(given, key if part else f"inputs.{key}")
        self._require_width(key, given)
        return MatrixSymbol(letter, len(rows), len(rows[0]))

    def _require_width(self, key: str, given: Any) -> None:
        """Refuse a matrix that meets the rows of the stack and has not their width."""
        width = self.width
        if width is None or isinstance(width, Symbol) or not isinstance(given, list) or not given or is_stack(given):
            return
        shape = (len(given), len(given[0])) if isinstance(given[0], list) else (1, len(given))
        for name, count, side in zip(
            keys.OF_LAYER.get(key, keys.OF_STACK.get(key, ())), shape, ("rows", "columns"), strict=True
        ):
            if name == "d_model":
                require_size(width, Integer(count), "the width of the rows", f"{side}({key})")


def _product(X: Any, W: Any) -> Any:
    require_size(X.shape[1], W.shape[0], "the width of the rows", f"rows({W})")
    return X * W
