"""The JSON Schema of worksheets, by which editors complete keys and mark what is none: made of the readers' own tables.

It says what a key may hold; what sizes must agree, only reading a worksheet finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from symattn.nodes.elementary.softmax import EMPTY_ROWS
from symattn.nodes.layers.activation import ACTIVATIONS
from symattn.nodes.layers.qk_norm import QK_NORMS
from symattn.nodes.weights.weighting import KINDS as WEIGHTINGS
from symattn.reading.worksheets.keys import (
    ARRAY,
    BUCKETS,
    GRADIENT,
    KEYS,
    KINDS,
    LAYER_CHOICES,
    MANNER,
    MEASURES,
    NAMED,
    OF_LAYER,
    OF_POSITIONS,
    OF_STACK,
    OPTIONS,
    POSITIONS,
    ROPE,
    SCALINGS,
    SHOW,
    SIZES,
    SOURCES,
    STACK,
    THEOREMS,
    UPSTREAM,
)
from symattn.reading.worksheets.tables import SIZE
from symattn.writing.notation import CHOICES as NOTATION
from symattn.writing.prose import LANGUAGES

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TRUE_OR_FALSE: Schema = {"type": "boolean"}
_WHOLE: Schema = {"type": "integer"}


def worksheet_schema() -> Schema:
    """The schema, draft 2020-12, as JSON has it.

    >>> "mask" in worksheet_schema()["properties"]["attention"]["properties"]
    True
    """
    properties = {key: _top()[key] for key in KEYS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A worksheet of symattn",
        **_table(properties),
        "required": ["inputs"],
        "if": {"required": ["layer"]},
        "then": _only((*OF_STACK, UPSTREAM)),
        "else": {"if": {"required": ["part"]}, "then": _only((*SOURCES, UPSTREAM)), "else": _only((*SIZES, UPSTREAM))},
        "$defs": _definitions(),
    }


def _top() -> Mapping[str, Schema]:
    """What stands under each key of a worksheet."""
    inputs = {**OF_STACK, **SIZES, UPSTREAM: ("rows of the result", "its columns")}
    return {
        "title": _said("what it is called"),
        "summary": _said("what the page begins with"),
        "conclusion": _said("what the page ends with; {weights[2,1]} is an entry of a step"),
        "tokens": {**_list(_TEXT), "description": "a name for each row"},
        "inputs": {**_inputs(inputs), "minProperties": 1},
        "attention": _table(_options()),
        "part": {**_list(_part()), "minItems": 1, "description": "attentions that take each other's outputs"},
        "stack": _table(_stack()),
        "layer": {**_list(_layer()), "minItems": 1, "description": "the layers of a stack, from below"},
        "gradient": _table(dict.fromkeys(GRADIENT, _list(_TEXT))),
        "claims": {
            **_claims(_any([_ref("matrix"), _claims(_ref("matrix"))])),
            "description": "printed numbers, by step",
        },
        "show": _table(_show()),
        "notation": _table(_notation()),
    }


def _claims(what: Schema) -> Schema:
    """By step; those of a head are a table of their own."""
    return {"type": "object", "additionalProperties": what}


def _definitions() -> dict[str, Schema]:
    number: Schema = {"type": ["number", "string"], "description": 'a number, or text for "1/3", "0.10", "sqrt(2)"'}
    matrix = {**_list(_list(_ref("number"), 1), 1), "description": "rows of numbers"}
    each = {**_list(_ref("matrix"), 1), "description": "a matrix for each head"}
    mask: Schema = {
        "description": "who may look at whom",
        "anyOf": [
            {"enum": ["none", "causal"]},
            _table({"causal": _count()}, needed=["causal"]),
            _table({"window": {**_list(_WHOLE), "minItems": 2, "maxItems": 2}, "offset": _count()}, needed=["window"]),
            _table({"padding": {"anyOf": [_count(), _list(_WHOLE)]}}, needed=["padding"]),
            _table({"hidden": {"anyOf": [_ref("matrix"), _ref("shape")]}}, needed=["hidden"]),
            _table({"keep": _ref("shape")}, needed=["keep"]),
            _table({"top": _count()}, needed=["top"]),
            _table({"finite": _ref("number"), "of": _ref("mask")}, needed=["finite", "of"]),
            _ref("matrix"),
            _list(_ref("mask"), 1),
        ],
    }
    return {
        "number": number,
        "matrix": matrix,
        "shape": {
            "type": "string",
            "pattern": rf"^\s*{SIZE}\s*[x×]\s*{SIZE}\s*$",
            "description": 'sizes in place of values: "n x d_k"',
        },
        "array": _table(dict.fromkeys(ARRAY, _TEXT), needed=["file"]),
        "input": _any([_ref("matrix"), _list(_ref("number"), 1), each, _ref("shape"), _ref("array")]),
        "words": {"anyOf": [_TEXT, _table(dict.fromkeys(LANGUAGES, _TEXT))]},
        "mask": mask,
    }


def _options() -> dict[str, Schema]:
    """The keys of [attention], which stand in parts and layers too."""
    rope = {
        "base": _ref("number"),
        "pairs": {"enum": ["interleaved", "halves"]},
        "positions": {"anyOf": [_list(_ref("number")), _ref("matrix"), _ref("shape")]},
        "sections": _list(_WHOLE),
        "alternating": _TRUE_OR_FALSE,
        "width": _WHOLE,
        "rates": _list(_ref("number")),
        "scaling": {"anyOf": [_scaling(kind) for kind in SCALINGS]},
        **dict.fromkeys(("offset", "queries", "keys"), _ref("number")),
    }
    norm = {"enum": list(QK_NORMS)}
    one = [_ref("number"), _ref("matrix")]  # a number, or the row of one that is learned
    learned = [*one, _list(_ref("number"))]
    options: dict[str, Schema] = {
        "heads": {**_count(), "description": "how many heads share wide matrices"},
        "kv_heads": {**_count(), "description": "how many heads of keys and values they share"},
        "scale": _any(learned, 'what scores are multiplied by; usually "1/sqrt(d_k)"'),
        "mask": _ref("mask"),
        "bias": {"anyOf": [_ref("matrix"), _list(_ref("matrix"), 1), _ref("shape"), _ref("array")]},
        "softcap": {**_ref("number"), "description": "c tanh(z/c)"},
        "empty_row": {"enum": list(EMPTY_ROWS), "description": "what a row without keys becomes"},
        "kind": {"enum": list(KINDS)},
        "sink": {"anyOf": learned, "description": "the logit of a key without a value"},
        "alibi": {"anyOf": [_TRUE_OR_FALSE, _table({"offset": _count()}, needed=["offset"])]},
        "relative": {
            "anyOf": [_table({"table": {"anyOf": [_ref("matrix"), _ref("shape")]}, **_buckets()}, needed=["table"])]
            + [_table({**_of_positions(), **_buckets()}, needed=[name]) for name in OF_POSITIONS[:3]],
            "description": "by relative position: a bias from a table, or what queries and keys score",
        },
        "rope": {"anyOf": [_TRUE_OR_FALSE, _table({key: rope[key] for key in ROPE})]},
        "qk_norm": _any([{"const": False}, norm, _table({"kind": norm, "epsilon": _ref("number")}, needed=["kind"])]),
        "score_mod": {**_TEXT, "description": "a formula of a score z, its row i and column j (from 0) and its head"},
        "feature": {**_TEXT, "description": "the feature map of linear attention, a formula of z"},
        "block": {**_WHOLE, "minimum": 1, "description": "how many keys online attention takes at a time"},
        "absorbed": _TRUE_OR_FALSE,
        "lambda": {"anyOf": one, "description": "how much differential attention takes off"},
        "gamma": {"anyOf": one, "description": "what the state of retention is multiplied by at every token"},
        "form": _any(
            [{"enum": ["recurrent", "parallel"]}, _table({"chunk": _WHOLE}, needed=["chunk"])],
            "how a state is computed: token by token, all tokens at once, or so many at a time",
        ),
        "weighting": _any(
            [
                {"enum": list(WEIGHTINGS)},
                _table({"kind": {"const": "sigmoid"}, "bias": _any(one)}, needed=["kind", "bias"]),
            ],
            "what makes weights in the place of softmax",
        ),
    }
    return {key: options[key] for key in OPTIONS}


def _buckets() -> dict[str, Schema]:
    return {
        "buckets": {"enum": list(BUCKETS)},
        "distance": _WHOLE,
        "both": _TRUE_OR_FALSE,
        "offset": _count(),
        "window": {**_list(_WHOLE), "minItems": 2, "maxItems": 2},
        "turned": _TRUE_OR_FALSE,
    }


def _of_positions() -> dict[str, Schema]:
    """Tables and rows that heads share, or one for each of them."""
    table = {"anyOf": [_ref("matrix"), _list(_ref("matrix"), 1), _ref("shape")]}
    return {**dict.fromkeys(OF_POSITIONS, table), "mirrored": _TRUE_OR_FALSE}


def _scaling(kind: str) -> Schema:
    needed, more = SCALINGS[kind]
    keys = {key: _ref("number") for key in sorted(needed | more)}
    return _table({"kind": {"const": kind}, **keys}, needed=["kind", *sorted(needed)])


def _part() -> Schema:
    of_part = _inputs({**SIZES})["properties"]
    of_part |= {key: {"anyOf": [_TEXT, *of_part[key]["anyOf"]], "description": "an earlier part"} for key in SOURCES}
    return _table({**_named(), **of_part, **_options()}, needed=["name"])


def _layer() -> Schema:
    return _table({**_named(), **_inputs(OF_LAYER)["properties"], **_options(), **_manner()})


def _named() -> dict[str, Schema]:
    return {key: _TEXT if key == "name" else _ref("words") for key in NAMED}


def _manner() -> dict[str, Schema]:
    manner: dict[str, Schema] = {key: {"enum": list(known)} for key, known in LAYER_CHOICES.items()}
    manner |= dict.fromkeys(("epsilon", "dropout"), _ref("number"))
    manner["activation"] = {"enum": list(ACTIVATIONS)}
    return {key: manner[key] for key in MANNER}


def _stack() -> dict[str, Schema]:
    of_stack = {
        **_manner(),
        "ids": {**_list(_WHOLE, 1), "description": "rows of E, from 0"},
        "positions": {"enum": list(POSITIONS)},
        "labels": _list(_WHOLE, 1),
        "tied": _TRUE_OR_FALSE,
    }
    return {key: of_stack[key] for key in STACK}


def _show() -> dict[str, Schema]:
    size: Schema = {"type": ["integer", "string"]}
    measures: dict[str, Schema] = {"batch": size, "sizes": {"type": "object", "additionalProperties": size}}
    chosen: dict[str, Schema] = {key: {"enum": list(known)} for key, known in SHOW.items()}
    return {**chosen, **{key: measures[key] for key in MEASURES}, THEOREMS: _list(_TEXT)}


def _notation() -> dict[str, Schema]:
    symbols = {"type": "object", "additionalProperties": _TEXT}
    return {key: {"enum": list(known)} if known else symbols for key, known in NOTATION.items()}


# --- pieces


def _table(properties: Mapping[str, Schema], needed: Iterable[str] = ()) -> Schema:
    """A table of these keys and no others."""
    made = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**made, "required": list(needed)} if needed else made


def _inputs(sizes: Mapping[str, tuple[str, str]]) -> Schema:
    spelled = {name: f"{name}: {rows} × {columns}" for name, (rows, columns) in sizes.items()}
    return _table({name: {"anyOf": [_ref("input")], "description": said} for name, said in spelled.items()})


def _only(names: Iterable[str]) -> Schema:
    return {"properties": {"inputs": {"propertyNames": {"enum": list(names)}}}}


def _list(items: Schema, least: int = 0) -> Schema:
    return {"type": "array", "items": items, **({"minItems": least} if least else {})}


def _any(schemas: list[Schema], description: str = "") -> Schema:
    """One of several."""
    return {"anyOf": schemas, **({"description": description} if description else {})}


def _said(description: str) -> Schema:
    return {**_ref("words"), "description": description}


def _count() -> Schema:
    """A whole number, or a letter where sizes are letters."""
    return {"type": ["integer", "string"]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}
