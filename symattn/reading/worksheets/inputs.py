"""The inputs and options of a worksheet -> the attention expression that they state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr, MatrixSymbol, S, Symbol

from symattn import nodes
from symattn.errors import InputError
from symattn.nodes.elementary.elementwise import as_score_mod
from symattn.nodes.exact_numbers import ExactRows
from symattn.reading.worksheets.keys import ATTENTION, ROWS_OF_NORMS, SIZES
from symattn.reading.worksheets.options import Options, names_keys
from symattn.reading.worksheets.tables import (
    is_stack,
    one_below_another,
    read_matrix,
    read_shape,
    read_size,
    side_by_side,
)
from symattn.writing.prose import Sentence

OF_KIND = {
    "luong": ("W_S",),
    "bahdanau": ("W_S", "U_S", "v_S"),
    "latent": ("C", "U_K", "U_V"),
    "differential": ("Q_2", "K_2"),
    "retention": (),
    "gated-linear": ("alpha",),
    "state-space": ("a",),
    "delta": ("beta",),
    "gated-delta": ("a", "beta"),
}
BY_STATE: dict[str, type[nodes.StateAttention]] = {
    "retention": nodes.Retention,
    "gated-linear": nodes.GatedLinearAttention,
    "state-space": nodes.StateSpaceDuality,
    "delta": nodes.DeltaRule,
    "gated-delta": nodes.GatedDeltaRule,
}
_OF_QUERIES = ("W_Q", "W_O", "b_Q", "U_K", "U_V", "W_QR")  # what every head has columns of (of W_O, rows)
_OF_KEYS = ("W_K", "W_V", "b_K", "b_V", "K_cache", "V_cache")
_OF_PAIRS = ("W_Q", "W_K", "b_Q", "b_K")  # which hold two for each head of differential attention
_OF_KINDS = ("W_S", "U_S", "v_S", "Q_2", "K_2", "U_K", "U_V", "Q_R", "K_R", "W_C", "W_QR", "W_KR", "alpha", "a", "beta")
OF_ONE_HEAD = ("Q", "K", "V", "scores", "scaled")
LETTERS = {"scores": "S", "scaled": "S'"}


@dataclass(frozen=True)
class Setting:
    """Where a calculation stands: in a part of a larger one symbols carry the part's name, and X, Z, U may be given."""

    part: str = ""
    apart: bool = False  # whether its sizes have letters of their own
    sources: Mapping[str, Any] = field(default_factory=dict)  # X, Z, U that are other parts, or inputs of the whole

    def letter(self, name: str) -> str:
        """The name of an input's symbol."""
        letter = LETTERS.get(name, name)
        return nodes.member(letter, self.part) if self.part else letter

    def size(self, text: str) -> Expr:
        """A size of an input."""
        return read_size(nodes.member(text, self.part) if self.apart and not text.isdigit() else text)

    def width(self, name: str) -> Expr | None:
        """How wide the sequence is that a projection is applied to, if it is given."""
        readers = {"W_Q": ("X",), "W_K": ("Z", "X"), "W_V": ("U", "Z", "X")}
        for source in readers.get(name, ()):
            if source in self.sources:
                return self.sources[source].shape[1]
        return None


def read_calculation(
    inputs: Mapping[str, Any], table: Mapping[str, Any], values: dict[str, ExactRows], setting: Setting = Setting()
) -> Any:
    """The expression; the rows of its inputs go to `values`, under the names of their symbols, unless they are there.

    Raises InputError with the key path for what is missing, does not fit or is no choice.
    """
    stacks = {name: len(given) for name, given in inputs.items() if is_stack(given)}
    _require_of_heads(stacks)
    letters = all(isinstance(given, str) for given in inputs.values())
    heads = Options(table, {}).heads(stacks, letters=letters)
    pairs = table.get("kind") == "differential" and "Q_2" not in inputs and "K_2" not in inputs
    counts = {name: _count(name, heads, stacks) * (2 if pairs and name in _OF_PAIRS else 1) for name in inputs}
    relative = table.get("relative")
    fixed = names_keys(table.get("mask")) or (isinstance(relative, dict) and "window" in relative)
    symbols = _symbols(inputs, values, counts, setting, fixed=fixed)
    own = frozenset(stacks)
    options = Options(table, values, setting.letter("B"))
    return _Builder({**setting.sources, **symbols}, options, heads, own).expression()


def _symbols(
    inputs: Mapping[str, Any],
    values: dict[str, ExactRows],
    counts: Mapping[str, Expr],
    setting: Setting,
    *,
    fixed: bool,
) -> dict[str, MatrixSymbol]:
    """A symbol for each input, the rows of those that have them to `values`; `fixed`: sizes n and m as numbers.

    What is stated for each head becomes one matrix for all: columns side by side, rows of W_O one below another.
    """
    symbols, rows, known = {}, None, SIZES | _of_other_widths(inputs)
    for name, given in inputs.items():
        path = f"inputs.{name}"
        sizes = known[name]
        if isinstance(given, str):
            sizes = read_shape(given, path)
        elif isinstance(given, dict):
            raise InputError(Sentence("bad_file_entry"), place=path)
        else:
            letter = setting.letter(name)
            rows = values[letter] = values.get(letter) or _rows(name, given, path, counts[name])
            _require_division(rows, name, counts[name])
            if fixed:
                given = (str(len(rows)), str(len(rows[0])))
                sizes = (given[0] if sizes[0] in "nm" else sizes[0], given[1] if sizes[1] in "nm" else sizes[1])
        shape = _of_all_heads(
            name, (setting.width(name) or setting.size(sizes[0]), setting.size(sizes[1])), counts[name]
        )
        symbols[name] = MatrixSymbol(setting.letter(name), *shape)
    missing = [n for n in inputs if setting.letter(n) not in values]
    if missing and (values or rows is not None):
        raise InputError(Sentence("value_missing", name=missing[0]), place=f"inputs.{missing[0]}")
    return symbols


def _of_other_widths(inputs: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """The sizes of Z and U that are not as wide as X, and of what they are multiplied by."""
    widths = {x: len(inputs[x][0]) for x in ("X", "Z", "U") if _is_matrix(inputs.get(x))}
    if "X" not in widths:
        return {}
    letters = {widths["X"]: "d_model"}
    for x in ("Z", "U"):
        if x in widths:
            letters.setdefault(widths[x], f"d_{x}")
    keys = letters[widths.get("Z", widths["X"])]
    values = letters[widths["U"]] if "U" in widths else keys
    rows = {"W_K": keys, "W_C": keys, "W_KR": keys, "W_V": values}
    return {"Z": ("m", keys), "U": ("m", values)} | {name: (letter, SIZES[name][1]) for name, letter in rows.items()}


def _is_matrix(given: Any) -> bool:
    return isinstance(given, list) and bool(given) and isinstance(given[0], list)


def _require_of_heads(stacks: Mapping[str, int]) -> None:
    """Refuse a matrix for each head where heads have none. Raises InputError."""
    for name, count in stacks.items():
        if name not in (*_OF_QUERIES, *_OF_KEYS, "W_S", "U_S", "v_S"):
            said = Sentence("heads_need_projections", heads=count) if name in OF_ONE_HEAD else Sentence("not_rows")
            raise InputError(said, place=f"inputs.{name}")


def _rows(name: str, given: Any, path: str, count: Expr) -> ExactRows:
    if is_stack(given):
        return one_below_another(given, path) if name == "W_O" else side_by_side(given, path)
    if (name.startswith("b_") or name in ROWS_OF_NORMS) and isinstance(given, list) and given:
        if not isinstance(given[0], list):
            given = [given]
        elif name.startswith("b_") and len(given) > 1 and count % len(given) == 0:
            rows = read_matrix(given, path)
            return ExactRows([[x for row in rows for x in row]], rows.decimal)  # one bias for each head
    return read_matrix(given, path)


def _count(name: str, heads: tuple[Expr, Expr], stacks: Collection[str]) -> Expr:
    """How many heads share the columns (of W_O: the rows) of an input."""
    if name in _OF_QUERIES or (name in stacks and name not in _OF_KEYS):
        return heads[0]
    return heads[1] if name in _OF_KEYS else sympy.Integer(1)


def _of_all_heads(name: str, shape: tuple[Expr, Expr], count: Expr) -> tuple[Expr, Expr]:
    """The shape of one head's matrix -> that of the matrix that all heads share."""
    rows, columns = shape
    return (count * rows, columns) if name == "W_O" else (rows, count * columns)


def _require_division(rows: Any, name: str, count: Expr) -> None:
    width = len(rows) if name == "W_O" else len(rows[0])
    if not count.is_Integer:
        raise InputError(Sentence("heads_unknown", heads=count), place="attention.heads")
    if width % int(count):
        key = "heads_do_not_divide_rows" if name == "W_O" else "heads_do_not_divide"
        raise InputError(Sentence(key, heads=count, width=width), place=f"inputs.{name}")


class _Builder:
    """The attention expression that the inputs and options of a worksheet state."""

    def __init__(
        self,
        symbols: Mapping[str, MatrixSymbol],
        options: Options,
        heads: tuple[Expr, Expr],
        own: frozenset[str] = frozenset(),
    ) -> None:
        self.symbols, self.options, self.heads = symbols, options, heads
        self.own = own  # inputs that are given for each head

    def expression(self) -> Any:
        s = self.symbols
        if "X" not in s and self.heads != (1, 1):
            raise InputError(Sentence("heads_need_projections", heads=self.heads[0]), place="attention.heads")
        if "scores" in s or "scaled" in s:
            return self._from_scores()
        if "C" in s:
            self.options.require("latent")
        if "Q" in s or "K" in s or "V" in s or ("C" in s and "X" not in s):
            return self._from_rows()
        return self._from_sequences()

    def _from_rows(self) -> Any:
        """One head of queries, keys and values, or of queries and the rows that keys and values are made of."""
        s = self.symbols
        if "C" in s or self.options.kind() == "latent":
            self._need("Q", *OF_KIND["latent"])
            self._refuse_beside("C", *(SIZES.keys() - {"Q", "Q_R", "K_R", *OF_KIND["latent"]}))
            return self._latent(s["Q"])
        self._need("Q", "K", "V")
        self._refuse_beside("Q", "X", "Z", "U", *ATTENTION)
        rows = self._rows()
        Q, K, V = (s[x] for x in "QKV")
        if rows["rotary"].has(MatrixSymbol):  # positions of all rows: there are as many keys as queries
            K, V = (_alike(x, 0, Q.shape[0]) for x in (K, V))
        Q, K = (nodes.prepare(x, name, rows["rotary"], rows["qk_norm"]) for name, x in zip("QK", (Q, K), strict=True))
        return self._attention(Q, K, V)

    def _from_sequences(self) -> Any:
        """Heads over the projections of sequences."""
        s, kind, (heads, kv_heads) = self.symbols, self.options.kind(), self.heads
        latent = kind == "latent"
        self._need("X", "W_Q", *(() if latent else ("W_K", "W_V")))
        X = s["X"]
        Z = s.get("Z", X)
        stated: dict[str, Any] = {name: s.get(name) for name in ATTENTION}
        stated |= {"X": X, "Z": Z, "U": s.get("U", Z), "heads": heads, "kv_heads": kv_heads}
        in_parts = latent or (kind == "differential" and "Q_2" not in s)
        stated |= {} if in_parts else self._rows()
        several = "W_O" in s or "b_O" in s or heads != 1
        plain = kind == "softmax" and not self.options.has_positions
        if plain and several and "K_cache" not in s and "V_cache" not in s:
            self._refuse_beside("X", *_OF_KINDS)
            first = nodes.MultiHead(**stated).head()
            return nodes.MultiHead(**stated, **self._options(*first.args[:3]))
        made = nodes.MultiHead(**stated, kind=lambda Q, K, V: self._latent(Q) if latent else self._attention(Q, K, V))
        return made if several else made.head()

    def _rows(self) -> dict[str, Any]:
        """What is done to the rows of queries and keys."""
        gains = {name: self.symbols[name] for name in ROWS_OF_NORMS if name in self.symbols}
        return self.options.rows(gains, self.symbols["Q" if "Q" in self.symbols else "X"].shape[0])

    def _of_head(self, name: str) -> Any:
        """An input, or the columns of any head where every head has its own."""
        heads, kv_heads = self.heads
        if name in _OF_KEYS and kv_heads not in (1, heads):
            raise InputError(Sentence("input_of_groups", name=name), place=f"inputs.{name}")
        if name in _OF_KEYS:
            return nodes.HeadColumns(self.symbols[name], nodes.HEAD, kv_heads)
        wide = name in _OF_QUERIES or name in self.own
        return nodes.HeadColumns(self.symbols[name], nodes.HEAD, heads) if wide else self.symbols[name]

    def _latent(self, Q: Any) -> Any:
        """Keys and values that are made of one narrow matrix, which all heads share."""
        s = self.symbols
        self._refuse_beside('kind = "latent"', "W_S", "U_S", "v_S", "K_cache", "V_cache", *ROWS_OF_NORMS)
        if "qk_norm" in self.options.table:
            raise InputError(Sentence("no_such_option", name="qk_norm", kind="latent"), place="attention.qk_norm")
        C, parts = self._narrow() if "X" in s else (s["C"], {x: s[x] for x in ("Q_R", "K_R") if x in s})
        rotary = self._rows()["rotary"]
        turned = {x: nodes.prepare(part, x[0], rotary, S.false) for x, part in parts.items()}
        if rotary is not S.false and not turned:
            raise InputError(Sentence("one_rotary_part", name="Q_R"), place="attention.rope")
        U_K, U_V = self._of_head("U_K"), self._of_head("U_V")
        absorbed = self.options.switch("absorbed", True)
        return nodes.LatentAttention(Q, C, U_K, U_V, absorbed, **turned, **self._options_of_head(Q, C, U_V))

    def _narrow(self) -> tuple[Any, dict[str, Any]]:
        """The narrow rows, and the parts of queries and keys that are turned, of sequences."""
        s = self.symbols
        self._need("U_K", "U_V", *(() if "C" in s else ("W_C",)))
        self._refuse_beside("X", "Q_R", "K_R", "W_K", "W_V", "b_K", "b_V", "U", *(("W_C",) if "C" in s else ()))
        keys = s.get("Z", s["X"])
        C = s["C"] if "C" in s else keys * s["W_C"]
        if "C" in s and "Z" not in s:  # as many rows as the sequence
            C = _alike(C, 0, keys.shape[0])
        sources = {"W_QR": s["X"], "W_KR": keys}
        return C, {f"{w[2]}_R": x * self._of_head(w) for w, x in sources.items() if w in s}

    def _attention(self, Q: Any, K: Any, V: Any) -> Any:
        """The attention of one head, of the kind that is stated, over the keys and values of a cache too."""
        s, kind = self.symbols, self.options.kind()
        used = OF_KIND.get(kind, ()) if "Q_2" in s or kind != "differential" or "X" not in s else ()
        self._need(*used)
        self._refuse_beside(f'kind = "{kind}"', *(x for x in _OF_KINDS if x not in used))
        if "K_cache" in s or "V_cache" in s:
            self._need("K_cache", "V_cache")
            K, V = nodes.Stack(self._of_head("K_cache"), K), nodes.Stack(self._of_head("V_cache"), V)
        if kind in BY_STATE:
            return self._by_state(BY_STATE[kind], Q, K, V, [self._of_head(name) for name in used])
        if kind == "linear":
            self.options.require_only("heads", "kv_heads", "kind", "mask", "rope", "qk_norm", "feature")
            mask = self.options.read((Q.shape[0], K.shape[0]), {}, self.heads[0])["mask"]
            if mask not in (None, nodes.CausalMask()):
                raise InputError(Sentence("linear_masks"), place="attention.mask")
            if mask is not None:  # as many keys as queries
                K, V = (_alike(x, 0, Q.shape[0]) for x in (K, V))
            return nodes.LinearAttention(Q, K, V, self.options.feature(), causal=mask is not None)
        if kind == "differential":
            pairs = self._pairs(Q, K)
            options = self._options_of_head(pairs[0], pairs[1], V)
            taken_off = _of_row(self.options.taken_off(), self.heads[0])
            return nodes.DifferentialAttention(*pairs, V, taken_off, **options)
        if kind == "online":
            return nodes.OnlineAttention(Q, K, V, self.options.block(), **self._options_of_head(Q, K, V))
        if kind == "luong":
            return nodes.LuongAttention(
                Q, K, V, _alike(self._of_head("W_S"), 1, K.shape[1]), **self._options_of_head(Q, K, V)
            )
        if kind == "softmax" and self.options.has_positions:
            return self.options.of_positions(Q, K, V, self.heads[0], self._options_of_head(Q, K, V))
        node = nodes.BahdanauAttention if kind == "bahdanau" else nodes.Attention
        return node(Q, K, V, *map(self._of_head, used), **self._options_of_head(Q, K, V))

    def _pairs(self, Q: Any, K: Any) -> tuple[Any, ...]:
        """Q, K, Q_2, K_2 of differential attention: both halves of what a head has, or of one head as given."""
        rows = self._rows()
        if "Q_2" in self.symbols:
            return Q, K, *(nodes.prepare(self.symbols[f"{x}_2"], x, rows["rotary"], rows["qk_norm"]) for x in "QK")
        halves = [nodes.Block(X, 0, X.shape[0], k * (X.shape[1] / 2), X.shape[1] / 2) for k in (0, 1) for X in (Q, K)]
        return tuple(nodes.prepare(X, x, rows["rotary"], rows["qk_norm"]) for X, x in zip(halves, "QKQK", strict=True))

    def _by_state(self, node: type[nodes.StateAttention], Q: Any, K: Any, V: Any, used: list[Any]) -> Any:
        """Attention by a state, of as many keys as queries."""
        self.options.require_only("heads", "kv_heads", "kind", "rope", "qk_norm", "gamma", "form")
        K, V = (_alike(x, 0, Q.shape[0]) for x in (K, V))
        made = node(Q, K, V, *([_of_row(self.options.decay(), self.heads[0])] if node is nodes.Retention else used))
        return self.options.form(made)

    def _from_scores(self) -> Any:
        start = "scores" if "scores" in self.symbols else "scaled"
        self._refuse_beside(start, *(k for k in SIZES if k not in (start, "V")))
        if self.options.has_positions:
            raise InputError(Sentence("input_beside", name="relative", start=start), place="attention.relative")
        scores, V = self.symbols[start], self.symbols.get("V")
        stated = "scale" in self.options.table
        if start == "scores" and not stated:
            raise InputError(Sentence("scale_needed"), place="attention.scale")
        if start == "scaled" and stated:
            raise InputError(Sentence("scaled_already"), place="attention.scale")
        options = self.options.read(scores.shape, {}, self.heads[0])
        mask, bias = nodes.as_mask(options["mask"]), options["bias"]
        bias = sympy.ZeroMatrix(*scores.shape) if bias is None else bias
        softcap = S.Infinity if options["softcap"] is None else options["softcap"]
        changed = S.false if options["score_mod"] is None else as_score_mod(options["score_mod"])
        Z = nodes.logits(scores, mask, bias, options["scale"] if stated else S.One, softcap, changed)
        sink = S.false if options["sink"] is None else options["sink"]
        sink, weighting = nodes.read_weighting(options["weighting"], sink, options["empty_row"])
        A = nodes.weights(Z, options["empty_row"], sink, weighting)
        return A if V is None else A * V

    def _need(self, *names: str) -> None:
        for name in names:
            if name not in self.symbols:
                raise InputError(Sentence("input_needed", name=name, beside=", ".join(self.symbols)), place="inputs")

    def _refuse_beside(self, start: str, *names: str) -> None:
        for name in names:
            if name in self.symbols:
                raise InputError(Sentence("input_beside", name=name, start=start), place=f"inputs.{name}")

    def _options(self, Q: Any, K: Any, V: Any) -> dict[str, Any]:
        matrices = [m for m in (Q, K, V, self.symbols.get("X")) if m is not None]
        sizes = {size.name: size for m in matrices for size in m.shape if isinstance(size, Symbol)}
        sizes.setdefault("d_k", K.shape[1])
        return self.options.read((Q.shape[0], K.shape[0]), sizes, self.heads[0])

    def _options_of_head(self, Q: Any, K: Any, V: Any) -> dict[str, Any]:
        """The options of one head of a kind, in which the number of the head may stand."""
        made, heads = self._options(Q, K, V), self.heads[0]
        for name in ("sink", "scale"):
            made[name] = _of_row(made[name], heads)
        if made["bias"] is not None and made["bias"].shape[1] != K.shape[0]:
            made["bias"] = nodes.HeadColumns(made["bias"], nodes.HEAD, heads)
        if made["score_mod"] is not None:
            made["score_mod"] = made["score_mod"].xreplace({Symbol("head"): nodes.HEAD})
        return made


def _of_row(given: Any, heads: Expr) -> Any:
    """The number of one head, of a row or a list of them; what all heads share as it is."""
    row = sympy.ImmutableDenseMatrix([given]) if isinstance(given, list) else given
    return nodes.HeadColumns(row, nodes.HEAD, heads) if nodes.is_matrix(row) and row.shape[1] != 1 else row


def _alike(matrix: Any, axis: int, size: Expr) -> Any:
    """The matrix with a letter for one of its sizes replaced by what that must be."""
    letter = matrix.shape[axis]
    return matrix.xreplace({letter: size}) if isinstance(letter, Symbol) else matrix
