"""The [attention] table of a worksheet -> the options of an attention expression. Every key is a choice or a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, MatrixExpr, MatrixSymbol, S, Symbol

from symattn import nodes
from symattn.errors import InputError, Placed
from symattn.nodes.exact_numbers import ExactRows, read_exact
from symattn.reading.worksheets import keys
from symattn.reading.worksheets.tables import is_stack, read_count, read_matrix, read_shape, read_size, side_by_side
from symattn.writing.choices import choice
from symattn.writing.nearest import hint, nearest
from symattn.writing.prose import Sentence

_RATES: dict[str, Callable[..., Any]] = {
    "linear": nodes.linear_rates,
    "ntk": nodes.ntk_rates,
    "yarn": nodes.yarn_rates,
    "llama3": nodes.llama3_rates,
}
OF_KINDS = {
    "feature": "linear",
    "block": "online",
    "absorbed": "latent",
    "lambda": "differential",
    "gamma": "retention",
}  # options that one kind has


class Options:
    """Reads one table; a bias goes to `values` under its symbol's name, since it is shown like an input."""

    def __init__(self, table: Mapping[str, Any], values: dict[str, ExactRows], bias: str = "B") -> None:
        self.table, self.values, self.bias = table, values, bias

    def kind(self) -> str:
        """What is computed of queries, keys and values. Raises InputError for an option of another kind."""
        kind = str(choice("kind", self.table.get("kind", "softmax"), keys.KINDS, place="attention.kind"))
        if self.has_positions and kind != "softmax":
            raise InputError(Sentence("no_such_option", name="relative", kind=kind), place="attention.relative")
        for key, of in OF_KINDS.items():
            if key in self.table and of != kind:
                raise InputError(Sentence("no_such_option", name=key, kind=kind), place=f"attention.{key}")
        return kind

    def require(self, kind: str) -> None:
        """Refuse inputs of a kind without its name."""
        if self.kind() != kind:
            raise InputError(Sentence("kind_needed", kind=kind), place="attention.kind")

    def feature(self) -> Any:
        """The feature map of linear attention, a formula of z; None for the usual one."""
        given = self.table.get("feature")
        if given is None or (isinstance(given, str) and "".join(given.split()) in ("elu(z)+1", "1+elu(z)")):
            return None
        return self._formula("feature", ("z",))

    def block(self) -> int:
        """How many keys online attention takes at a time."""
        return _whole(self.table.get("block", 1), "attention.block", least=1)

    def taken_off(self) -> Any:
        """What the second weights of differential attention are multiplied by: 4/5 unless it is given."""
        given = self.table.get("lambda", "4/5")
        learned = self._learned("lambda", given, "attention.lambda")
        return self._exact(given, "lambda") if learned is None else learned

    def decay(self) -> Any:
        """What the state of retention decays by: 31/32, as in the first head of the source, unless it is given."""
        given = self.table.get("gamma", "31/32")
        learned = self._learned("gamma", given, "attention.gamma")
        if learned is not None:
            return learned
        if isinstance(given, str) and self._is_letter(given):
            return Symbol(given, positive=True)
        return self._exact(given, "gamma")

    def form(self, state: Any) -> Any:
        """Attention by a state in the form that is stated: token by token, all at once, or in chunks."""
        given = self.table.get("form", "recurrent")
        if given == "recurrent":
            return state
        if isinstance(given, dict) and list(given) == ["chunk"]:
            size = _whole(given["chunk"], "attention.form.chunk", least=1)
            return self._read("form", lambda _: nodes.ChunkedState(state, size))
        if given != "parallel":
            raise InputError(Sentence("bad_form"), place="attention.form")
        return nodes.ChunkedState(state)

    def _formula(self, key: str, letters: Sequence[str]) -> Expr:
        return self._exact(self.table[key], key, {x: Symbol(x) for x in letters})

    def require_only(self, *allowed: str) -> None:
        """Refuse options that the kind of attention does not have."""
        for key in self.table:
            if key not in allowed:
                raise InputError(Sentence("no_such_option", name=key, kind=self.kind()), place=f"attention.{key}")

    def rows(self, gains: Mapping[str, Any], count: Any) -> dict[str, Any]:
        """What is done to so many rows of queries and keys before they meet; `gains` are the inputs ROWS_OF_NORMS."""
        return {"rotary": self._rotary(count), "qk_norm": self._qk_norm(gains)}

    def _qk_norm(self, gains: Mapping[str, Any]) -> Any:
        given = self.table.get("qk_norm")
        if gains and not given:
            raise InputError(Sentence("gain_without_norm", name=next(iter(gains))), place="attention.qk_norm")
        epsilon = None
        if isinstance(given, dict):
            keys.refuse_unknown(given, keys.NORM, "attention.qk_norm", {})
            if "kind" not in given:
                raise InputError(Sentence("bad_qk_norm"), place="attention.qk_norm")
            epsilon = self._exact(given["epsilon"], "qk_norm") if "epsilon" in given else None
            given = given["kind"]
        norm = self._read("qk_norm", lambda _: nodes.as_qk_norm(given))
        if norm is S.false:
            return norm
        g_Q, g_K, beta_Q, beta_K = map(gains.get, keys.ROWS_OF_NORMS)
        return self._read("qk_norm", lambda _: nodes.QKNorm(norm.args[0], g_Q, g_K, epsilon, beta_Q, beta_K))

    def heads(self, found: Mapping[str, int], *, letters: bool) -> tuple[Expr, Expr]:
        """heads and kv_heads: as stated, else as many as matrices were given for W_Q and W_K, else one."""
        heads = read_count(self.table.get("heads", found.get("W_Q", 1)), "heads", letters=letters)
        otherwise = found.get("W_K", found.get("W_V", heads))
        kv_heads = read_count(self.table.get("kv_heads", otherwise), "kv_heads", letters=letters)
        for name, count in found.items():
            wanted = kv_heads if name in ("W_K", "W_V", "b_K", "b_V") else heads
            if wanted != count:
                raise InputError(Sentence("head_matrices", count=count, heads=wanted), place=f"inputs.{name}")
        return heads, kv_heads

    def read(self, shape: tuple[Expr, Expr], sizes: Mapping[str, Expr], heads: Expr) -> dict[str, Any]:
        """Mask, bias, softcap and, if it is stated, scale, for scores of a shape; `sizes` are what a scale may name."""
        softcap = self._number("softcap")
        if softcap is not None and not (softcap.is_zero or softcap.is_positive):
            raise InputError(Sentence("bad_softcap", given=str(softcap)), place="attention.softcap")
        return {
            "mask": self._mask(self.table.get("mask", "none"), "attention.mask", shape),
            "bias": self._bias(shape, heads),
            "softcap": None if softcap is None or softcap.is_zero else softcap,
            "scale": self._scales(sizes, heads) if "scale" in self.table else None,
            "empty_row": self._read("empty_row", nodes.empty_row_rule),
            "sink": self._sink(heads),
            "score_mod": self._formula("score_mod", ("z", "i", "j", "head")) if "score_mod" in self.table else None,
            "weighting": self._weighting({**sizes, **dict(zip("nm", shape, strict=True))}),
        }

    def _weighting(self, sizes: Mapping[str, Expr]) -> Any:
        """How weights are made: a name, or { kind = "sigmoid", bias = "-log(m)" }, m the number of keys."""
        given = self.table.get("weighting")
        if not isinstance(given, dict):
            return None if given is None else choice("weighting", given, nodes.WEIGHTINGS, place="attention.weighting")
        if given.keys() != {"kind", "bias"}:
            raise InputError(Sentence("bad_weighting_table"), place="attention.weighting")
        bias, kind = given["bias"], str(given["kind"])
        learned = self._learned("b", bias, "attention.weighting.bias")
        if learned is not None:
            return self._read("weighting", lambda _: nodes.Weighting(kind, learned))
        return self._read("weighting", lambda _: nodes.Weighting(kind, self._exact(bias, "weighting", sizes)))

    def _scales(self, sizes: Mapping[str, Expr], heads: Expr) -> Any:
        """A number that all heads share, a list with one for each, or what is learned, "1 x 1" or a row."""
        given = self.table["scale"]
        learned = self._learned("c", given, "attention.scale")
        if learned is not None:
            return learned
        if not isinstance(given, list):
            return self.scale(sizes)
        _require_heads(given, heads, "attention.scale")
        return [self._exact(x, "scale", sizes) for x in given]

    def scale(self, sizes: Mapping[str, Expr]) -> Expr:
        """What the scores are multiplied by."""
        given = self.table["scale"]
        letter = isinstance(given, str) and given not in sizes and self._is_letter(given)
        scale = Symbol(given, positive=True) if letter else self._exact(given, "scale", sizes)
        if scale.is_zero:
            raise InputError(Sentence("bad_scale", given="0"), place="attention.scale")
        return scale

    def _number(self, key: str) -> Expr | None:
        return self._exact(self.table[key], key) if key in self.table else None

    def _bias(self, shape: tuple[Expr, Expr], heads: Expr) -> MatrixExpr | None:
        """The matrix that is added to the scores: one for all heads, or one for each, side by side."""
        given = self.table.get("bias")
        if alibi := self.table.get("alibi", False):
            if given is not None:
                raise InputError(Sentence("input_beside", name="bias", start="alibi"), place="attention.bias")
            offset = self._offset(alibi, "alibi")
            return nodes.Alibi(*shape, nodes.alibi_slope(heads, nodes.HEAD if heads != 1 else 1), offset)
        if "relative" in self.table and not self.has_positions:
            if given is not None:
                raise InputError(Sentence("input_beside", name="bias", start="relative"), place="attention.bias")
            return self._relative(shape, heads)
        if given is None:
            return None
        if isinstance(given, str):
            return self._symbol(self.bias, given, "attention.bias")
        if each := is_stack(given):
            _require_heads(given, heads, "attention.bias")
        if self.bias not in self.values:
            read = side_by_side if each else read_matrix
            self.values[self.bias] = read(given, "attention.bias", infinite=True)
        return MatrixSymbol(self.bias, shape[0], heads * shape[1] if each else shape[1])

    def _relative(self, shape: tuple[Expr, Expr], heads: Expr) -> MatrixExpr:
        """A bias from a table, by distance or by places in a window."""
        given, path = self.table["relative"], "attention.relative"
        if not isinstance(given, dict) or "table" not in given or not {"window", "distance", "buckets"} & given.keys():
            raise InputError(Sentence("bad_relative"), place=path)
        table = self._learned("t", given["table"], f"{path}.table")
        if table is None or not table.shape[0].is_Integer:
            raise InputError(Sentence("bad_relative"), place=f"{path}.table")
        with Placed(path, only_unplaced=True):
            buckets = self._buckets(given, int(table.shape[0]), path, ("table",))
            table = table if heads == 1 else nodes.HeadColumns(table, nodes.HEAD, heads)
            return nodes.RelativeBias(table, *shape, buckets)

    @property
    def has_positions(self) -> bool:
        """Whether relative positions have keys, queries or values of their own."""
        given = self.table.get("relative")
        return isinstance(given, dict) and not given.keys().isdisjoint(keys.OF_POSITIONS)

    def of_positions(self, Q: Any, K: Any, V: Any, heads: Expr, options: Mapping[str, Any]) -> Any:
        """Attention that scores queries and keys against relative positions, in each head."""
        given, path = self.table["relative"], "attention.relative"
        made: dict[str, Any] = {}
        for name in (name for name in keys.OF_POSITIONS if name in given):
            width = V.shape[1] if name == "values" else K.shape[1]
            made[name] = self._of_positions(name, given[name], width, heads, f"{path}.{name}")
        with Placed(path, only_unplaced=True):
            count = next((int(x.shape[0]) for name, x in made.items() if name in keys.OF_POSITIONS[:3]), 0)
            buckets = self._buckets(given, count, path, (*keys.OF_POSITIONS, "mirrored"))
            mirrored = given.get("mirrored", False)
            return nodes.RelativeAttention(Q, K, V, buckets, mirrored=mirrored, **made, **options)

    def _of_positions(self, name: str, given: Any, width: Any, heads: Expr, path: str) -> Any:
        """A table for relative positions that all heads share, or of several matrices that of a head."""
        letter = {"content": "u", "position": "v"}.get(name, name[0].upper())
        symbol = self.bias.replace("B", f"{letter}_p", 1)
        if not is_stack(given):
            table = self._learned(f"{letter}_p", given, path)
            if table is None or not table.shape[0].is_Integer:
                raise InputError(Sentence("bad_relative"), place=path)
            return table if isinstance(given, str) else MatrixSymbol(symbol, table.shape[0], width)
        _require_heads(given, heads, path)
        self.values[symbol] = rows = self.values.get(symbol) or side_by_side(given, path)
        return nodes.HeadColumns(MatrixSymbol(symbol, len(rows), heads * width), nodes.HEAD, heads)

    def _buckets(self, given: Mapping[str, Any], count: int, path: str, beside: Sequence[str]) -> Any:
        """So many buckets: T5's or DeBERTa's of distances, clipped ones, or those of a window."""
        usual = "window" if "window" in given else "t5" if "distance" in given else "clipped"
        kind = choice("buckets", given.get("buckets", usual), tuple(keys.BUCKETS), place=f"{path}.buckets")
        keys.refuse_unknown(given, keys.RELATIVE, path, {})
        needed, more = keys.BUCKETS[str(kind)]
        if not needed <= given.keys() or given.keys() - {*needed, *more, *beside, "buckets", "turned"}:
            raise InputError(Sentence("bad_relative"))
        offset = self._count(given.get("offset", 0), f"{path}.offset")
        distance = _whole(given["distance"], f"{path}.distance", least=1) if "distance" in needed else None
        both, turned = given.get("both", True), given.get("turned", False)
        if not isinstance(both, bool) or not isinstance(turned, bool):
            raise InputError(Sentence("bad_relative"))
        if kind == "window":
            if not isinstance(given["window"], list) or len(given["window"]) != 2:
                raise InputError(Sentence("bad_relative"))
            buckets = nodes.GridBuckets(*(_whole(x, f"{path}.window", least=1) for x in given["window"]))
        elif kind == "t5":
            buckets = nodes.t5_buckets(count, distance, both=both, offset=offset)
        elif kind == "clipped":
            buckets = nodes.clipped_buckets(count, offset)
        else:
            buckets = nodes.log_buckets(count, distance, offset)
        return nodes.TurnedBuckets(buckets) if turned else buckets

    def _offset(self, given: Any, key: str) -> Any:
        """Where the first query stands: { offset = 3 }, or 0 for true."""
        if isinstance(given, dict) and given:
            keys.refuse_unknown(given, ("offset",), f"attention.{key}", {})
            return self._count(given["offset"], f"attention.{key}.offset")
        if not isinstance(given, bool):
            raise InputError(Sentence("bad_alibi"), place=f"attention.{key}")
        return Integer(0)

    def _count(self, given: Any, path: str, least: int | None = None) -> Any:
        """A whole number, or a letter for one in a calculation in symbols."""
        if isinstance(given, str) and self._is_letter(given):
            return read_size(given)  # the size of that name, if an input has it
        return _whole(given, path, least)

    def _is_letter(self, given: str) -> bool:
        """Whether a text is a symbol, which calculations in numbers have none of."""
        return not self.values and given.isidentifier() and len(given) <= 20 and given not in ("sqrt", "exp")

    def _learned(self, letter: str, given: Any, path: str) -> MatrixSymbol | None:
        """A learned number, or a row with one for each head: an input by its sizes or its row. None for others."""
        name = self.bias.replace("B", letter, 1)
        if isinstance(given, str) and (" x " in given or "×" in given):
            return self._symbol(name, given, path)
        if not (isinstance(given, list) and given and isinstance(given[0], list)):
            return None
        self.values[name] = rows = self.values.get(name) or read_matrix(given, path)
        return MatrixSymbol(name, len(rows), len(rows[0]))

    def _symbol(self, name: str, given: str, path: str) -> MatrixSymbol:
        """A matrix without values, as "n x m" states it."""
        rows, columns = map(read_size, read_shape(given, path))
        if self.values:
            raise InputError(Sentence("value_missing", name=name), place=path)
        return MatrixSymbol(name, rows, columns)

    def switch(self, key: str, usual: bool) -> bool:
        """An option that is true or false."""
        given = self.table.get(key, usual)
        if not isinstance(given, bool):
            raise InputError(Sentence("not_true_or_false", name=key), place=f"attention.{key}")
        return given

    def _read(self, key: str, read: Callable[[Any], Any]) -> Any:
        """An option that its node reads; the key path goes before what it says."""
        with Placed(f"attention.{key}"):
            return read(self.table.get(key))

    def _sink(self, heads: Expr) -> Any:
        given = self.table.get("sink")
        if given is None:
            return None
        learned = self._learned("s", given, "attention.sink")
        if learned is not None:
            return learned
        if each := isinstance(given, list):
            _require_heads(given, heads, "attention.sink")
        return [self._exact(x, "sink") for x in given] if each else self._exact(given, "sink")

    def _rotary(self, count: Any) -> Any:
        given = self.table.get("rope", False)
        if isinstance(given, bool):
            return nodes.as_rotary(given)
        if not isinstance(given, dict):
            raise InputError(Sentence("bad_rope"), place="attention.rope")
        keys.refuse_unknown(given, keys.ROPE, "attention.rope", {})
        base, width = self._exact(given.get("base", 10000), "rope"), given.get("width")
        if width is not None:
            _whole(width, "attention.rope.width", least=1)
        pairs, positions = given.get("pairs", "interleaved"), given.get("positions")
        if positions is None:
            positions = self._place(given.get("offset", 0))
        elif not isinstance(positions, list | str) or given.keys() & {"offset", "queries", "keys"}:
            raise InputError(Sentence("bad_rope"), place="attention.rope.positions")
        else:
            learned = self._learned("pos", positions, "attention.rope.positions")
            positions = positions if learned is None else MatrixSymbol(learned.name, count, learned.shape[1])
        rates, sections = self._rates(given, base), given.get("sections")
        alternating = given.get("alternating", False)
        if sections is not None:
            if not isinstance(sections, list):
                raise InputError(Sentence("bad_rope"), place="attention.rope.sections")
            sections = [_whole(x, "attention.rope.sections", least=1) for x in sections]
        made = self._read("rope", lambda _: nodes.Rotary(base, pairs, positions, rates, width, sections, alternating))
        if not given.keys() & {"queries", "keys"}:
            return made
        base, pairs, first, *others = made.args
        apart = (self._place(given[key]) if key in given else first for key in ("queries", "keys"))
        return nodes.as_rotary([nodes.Rotary(base, pairs, offset, *others) for offset in apart])

    def _place(self, given: Any) -> Any:
        """The position of a first row."""
        return self._count(given, "attention.rope.offset") if isinstance(given, str) else self._exact(given, "rope")

    def _rates(self, given: Mapping[str, Any], base: Any) -> Any:
        """Rates of one's own, as a list or by a published scaling of so many columns."""
        rates, scaling = given.get("rates"), given.get("scaling")
        if rates is not None and isinstance(rates, list) and scaling is None:
            return [self._exact(x, "rope") for x in rates]
        if rates is not None or scaling is None:
            if rates is scaling is None:
                return None
            raise InputError(Sentence("bad_rope"), place="attention.rope.rates")
        if not isinstance(scaling, dict) or "width" not in given:
            raise InputError(Sentence("bad_scaling"), place="attention.rope.scaling")
        numbers = {key: x if key == "kind" else self._exact(x, "rope") for key, x in scaling.items()}
        kind = str(choice("kind", numbers.pop("kind", ""), tuple(keys.SCALINGS), place="attention.rope.scaling.kind"))
        needed, more = keys.SCALINGS[kind]
        keys.refuse_unknown(numbers, sorted(needed | more), "attention.rope.scaling", {})
        if not needed <= numbers.keys():
            raise InputError(
                Sentence("scaling_keys", kind=kind, needed=", ".join(sorted(needed))), place="attention.rope.scaling"
            )
        return self._read("rope", lambda _: _RATES[kind](given["width"], base=base, **numbers))

    def _exact(self, given: Any, key: str, names: Mapping[str, Expr] | None = None) -> Expr:
        if isinstance(given, list | dict):
            raise InputError(Sentence("not_one_number", name=key), place=f"attention.{key}")
        with Placed(f"attention.{key}"):
            return read_exact(given, names)

    def _mask_of(self, key: Any, given: Any, path: str, shape: tuple[Expr, Expr]) -> Any:
        """The mask of a table with one key; None where it is none."""
        within = f"{path}.{key}"
        match key, given:
            case "causal", _:
                return nodes.CausalMask(self._count(given, within))
            case (("keep" | "hidden"), str()):
                node = nodes.KeepMask if key == "keep" else nodes.HideMask
                return node(self._symbol(self.bias.replace("B", "M", 1), given, path))
            case "top", _:
                return nodes.TopKMask(self._count(given, within, least=1))
            case "hidden", list():
                return nodes.HideMask(_zero_one(given, within, shape))
            case "padding", _:
                return _padding(given if isinstance(given, list) else self._count(given, within), within)
        return None

    def _mask(self, given: Any, path: str, shape: tuple[Expr, Expr]) -> Any:
        match given:
            case "none":
                return None
            case "causal":
                return nodes.CausalMask()
            case {"window": sides, **rest} if rest.keys() <= {"offset"}:
                offset = self._count(rest.get("offset", 0), f"{path}.offset")
                if isinstance(sides, list) and len(sides) == 2:
                    left, right = (_whole(side, f"{path}.window", least=0) for side in sides)
                    return nodes.WindowMask(left, right, offset)
            case {"finite": finite, "of": of, **rest} if not rest and not _is_finite(of):
                return nodes.FiniteMask(self._mask(of, f"{path}.of", shape), self._exact(finite, "mask"))
            case {**alone} if len(alone) == 1 and (made := self._mask_of(*alone.popitem(), path, shape)) is not None:
                return made
        if isinstance(given, list) and given:
            if _is_rows(given):
                return nodes.KeepMask(_zero_one(given, path, shape))
            if not any(isinstance(part, list) and part and not _is_rows(part) for part in given):
                return tuple(self._mask(part, path, shape) for part in given)
        for name in [given] if isinstance(given, str) else given if isinstance(given, dict) else ():
            known = keys.MASKS if isinstance(given, str) else keys.MASK_KEYS
            if nearest(name, known) not in (name, None):
                if isinstance(given, str):
                    choice("mask", given, known, place=path)
                raise InputError(Sentence("unknown_key", name=name[:40], hint=hint(name, known)), place=path)
        if isinstance(given, bool):
            near, said = ("causal", "true") if given else ("none", "false")
            raise InputError(Sentence("mask_near", given=said, near=near), place=path)
        raise InputError(Sentence("mask_choices"), place=path)


def _require_heads(given: Sequence[Any], heads: Expr, path: str) -> None:
    """Refuse a list that has not one for each head."""
    if len(given) != heads:
        raise InputError(Sentence("head_matrices", count=len(given), heads=heads), place=path)


def names_keys(mask: Any) -> bool:
    """Whether a mask (or one of several) is a matrix, which speaks of so many queries and keys."""
    whole = [mask] if isinstance(mask, dict) or (isinstance(mask, list) and mask and _is_rows(mask)) else mask
    parts = [x.get("of") if isinstance(x, dict) and "of" in x else x for x in whole] if isinstance(whole, list) else []
    return any("hidden" in x if isinstance(x, dict) else isinstance(x, list) and x and _is_rows(x) for x in parts)


def _is_finite(mask: Any) -> bool:
    """Whether a mask is itself one of a finite number."""
    return isinstance(mask, dict) and "of" in mask


def _is_rows(mask: Any) -> bool:
    """Whether a list is the matrix of a mask rather than a list of masks."""
    return isinstance(mask[0], list) and not any(isinstance(x, list | dict) for x in mask[0])


def _zero_one(given: list[Any], path: str, shape: tuple[Expr, Expr]) -> Any:
    rows = read_matrix(given, path)
    with Placed(path):
        nodes.require_size(shape[0], sympy.Integer(len(rows)), "the number of queries", "rows(mask)")
        nodes.require_size(shape[1], sympy.Integer(len(rows[0])), "the number of keys", "columns(mask)")
    if any(x not in (0, 1) for row in rows for x in row):
        raise InputError(Sentence("mask_entries"), place=path)
    return sympy.ImmutableDenseMatrix(rows.rows)


def _padding(given: Any, path: str) -> Any:
    with Placed(path):
        return nodes.PaddingMask(keys=given) if isinstance(given, list) else nodes.PaddingMask(given)


def _whole(value: Any, path: str, least: int | None = None) -> int:
    said = "not_from_one" if least == 1 else "negative_count"
    if not isinstance(value, int) or isinstance(value, bool):
        said = said if least == 1 else "not_an_integer"
    elif least is None or value >= least:
        return value
    raise InputError(Sentence(said, name=path.rpartition(".")[2]), place=path)
