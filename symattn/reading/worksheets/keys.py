"""What may stand in a worksheet: tables, their keys, what is chosen by name. The readers and the schema share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symattn.errors import InputError
from symattn.writing.choices import LEVELS, STATES
from symattn.writing.nearest import hint
from symattn.writing.notation import CHOICES as NOTATION
from symattn.writing.prose import Sentence

KEYS = (
    *("title", "summary", "conclusion", "tokens", "inputs", "attention", "part", "stack", "layer"),
    *("gradient", "claims", "show", "notation"),
)

# every input with the names of its rows' and columns' sizes
SIZES = {
    "X": ("n", "d_model"), "Z": ("m", "d_model"), "U": ("m", "d_model"),
    "W_Q": ("d_model", "d_k"), "W_K": ("d_model", "d_k"), "W_V": ("d_model", "d_v"), "W_O": ("d_v", "d_out"),
    "b_Q": ("1", "d_k"), "b_K": ("1", "d_k"), "b_V": ("1", "d_v"), "b_O": ("1", "d_out"),
    "Q": ("n", "d_k"), "K": ("m", "d_k"), "V": ("m", "d_v"),
    "W_S": ("d_k", "d_s"), "U_S": ("d_k", "d_s"), "v_S": ("d_s", "1"),
    "Q_2": ("n", "d_k"), "K_2": ("m", "d_k"), "Q_R": ("n", "d_r"), "K_R": ("m", "d_r"),
    "W_C": ("d_model", "d_c"), "W_QR": ("d_model", "d_r"), "W_KR": ("d_model", "d_r"),
    "C": ("m", "d_c"), "U_K": ("d_c", "d_k"), "U_V": ("d_c", "d_v"),
    "K_cache": ("p", "d_k"), "V_cache": ("p", "d_v"), "g_Q": ("1", "d_k"), "g_K": ("1", "d_k"),
    "beta_Q": ("1", "d_k"), "beta_K": ("1", "d_k"),
    "alpha": ("n", "d_k"), "a": ("n", "1"), "beta": ("n", "1"),
    "scores": ("n", "m"), "scaled": ("n", "m"),
}  # fmt: skip
ROWS_OF_NORMS = ("g_Q", "g_K", "beta_Q", "beta_K")  # gains and biases of queries and keys, once normalised
UPSTREAM = "G"  # of [inputs] too: the gradient with respect to the result
SOURCES = ("X", "Z", "U")  # what a part may take from the inputs and the parts before it

OPTIONS = (
    *("heads", "kv_heads", "scale", "mask", "bias", "softcap", "empty_row"),
    *("kind", "sink", "alibi", "relative", "rope", "qk_norm", "score_mod"),
    *("feature", "block", "absorbed", "weighting", "lambda", "gamma", "form"),
)
KINDS = (*("softmax", "linear", "luong", "bahdanau", "latent", "online", "differential"), *STATES)
MASKS = ("none", "causal")
MASK_KEYS = ("causal", "window", "padding", "hidden", "keep", "finite", "of", "offset", "top")
NORM = ("kind", "epsilon")  # of qk_norm
OF_POSITIONS = ("keys", "queries", "values", "content", "position")  # of relative, in the place of a table
RELATIVE = (*("table", "buckets", "distance", "both", "offset", "window", "turned", "mirrored"), *OF_POSITIONS)
BUCKETS: dict[str, tuple[set[str], set[str]]] = {  # with what they need, and may be told
    "t5": ({"distance"}, {"both", "offset"}),
    "clipped": (set(), {"offset"}),
    "log": ({"distance"}, {"offset"}),
    "window": ({"window"}, set()),
}
ROPE = (
    *("base", "pairs", "offset", "positions", "sections", "alternating", "width", "rates", "scaling"),
    *("queries", "keys"),
)
SCALINGS = {  # with what they need, and may be told
    "linear": ({"factor"}, set()),
    "ntk": ({"factor"}, set()),
    "yarn": ({"factor", "length"}, {"fast", "slow"}),
    "llama3": ({"factor", "low", "high", "length"}, set()),
}

# the inputs of a stack and of a layer, with the names of their rows' and columns' sizes
OF_STACK = {
    "X": ("n", "d_model"), "E": ("v", "d_model"), "P": ("p", "d_model"),
    "gamma": ("1", "d_model"), "beta": ("1", "d_model"), "W_U": ("d_model", "v"), "b_U": ("1", "v"),
}  # fmt: skip
ATTENTION = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")
OF_LAYER = {
    **{name: SIZES[name] for name in ATTENTION},
    "W_O": ("d_v", "d_model"), "b_O": ("1", "d_model"), "W_G": ("d_model", "d_g"), "b_G": ("1", "d_g"),
    "gamma_1": ("1", "d_model"), "beta_1": ("1", "d_model"), "gamma_2": ("1", "d_model"), "beta_2": ("1", "d_model"),
    "W_1": ("d_model", "d_ff"), "b_1": ("1", "d_ff"), "W_2": ("d_ff", "d_model"), "b_2": ("1", "d_model"),
    "W_3": ("d_model", "d_ff"),
}  # fmt: skip
LAYER_CHOICES: dict[str, tuple[Any, ...]] = {"norm": ("layer", "rms", "none"), "order": ("pre", "post")}
MANNER = (*LAYER_CHOICES, "epsilon", "activation", "dropout")  # of a layer, or of all in [stack]
POSITIONS = ("none", "learned", "sinusoidal")
STACK = (*MANNER, "ids", "positions", "labels", "tied")
NAMED = ("name", "title")  # of a part and of a layer

STUDIES = ("saturation", "scaling", "temperature", "finite-mask", "float-softmax", "cached-row", "positions")
SHOW: dict[str, tuple[Any, ...]] = {
    "level": LEVELS,
    "study": STUDIES,
    **dict.fromkeys(("diagram", "figures", "sum_heads", "shapes", "costs", "exact"), (True, False)),
}
MEASURES = ("batch", "sizes")  # of [show]: what shapes and costs are stated in
THEOREMS = "theorems"  # of [show]: which are told with it
GRADIENT = ("wrt",)
ARRAY = ("file", "key", "sheet", "range")  # an input that stands in a file of arrays or a spreadsheet

TABLES: Mapping[str, Sequence[str]] = {  # where a key is known that stands elsewhere
    "inputs": (*SIZES, UPSTREAM),
    "attention": OPTIONS,
    "show": (*SHOW, *MEASURES, THEOREMS),
    "notation": tuple(NOTATION),
    "stack": STACK,
    "gradient": GRADIENT,
}
TABLES_OF_STACK = {**TABLES, "inputs": (*OF_STACK, UPSTREAM), "[layer]": (*OF_LAYER, *OPTIONS)}


WITHIN = {"mask": MASK_KEYS, "rope": ROPE, "relative": RELATIVE, "qk_norm": NORM}  # options that may be tables


def refuse_unknown(
    table: Mapping[str, Any], known: Sequence[str], path: str, tables: Mapping[str, Sequence[str]] = TABLES
) -> None:
    """Refuse a key that is not known, with the table that it belongs to or one that is near. Raises InputError."""
    elsewhere = {name: keys for name, keys in tables.items() if name != path}
    if path in tables:  # a key of the whole, written below the head of a table
        elsewhere[""] = KEYS
    for key in table:
        if key not in known:
            option = next(
                (x for x, inside in WITHIN.items() if path == "attention" and x in known and key in inside), ""
            )
            said = Sentence("belongs_within", name=key, option=option) if option else hint(key, known, elsewhere)
            raise InputError(Sentence("unknown_key", name=key[:40], hint=said), place=path)
