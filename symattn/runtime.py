"""What lowered modules call: checks of their arguments, and attention by blocks; it needs NumPy, and never SymPy.

The names with `compiled` and `auto`, and `Terms`, are loops that Numba compiles, loaded when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symattn.lowering.execution import load_loops
from symattn.lowering.kernels.backward import attend_back
from symattn.lowering.kernels.checks import (
    agree,
    as_keep,
    computed_in,
    features_type,
    leading,
    measure,
    meets,
    meets_heads,
    other_type,
    places,
    real,
    upstream,
    whole,
    working_type,
)
from symattn.lowering.kernels.forward import Logits, attend
from symattn.lowering.kernels.plain import (
    above_threshold,
    additive_scores,
    below,
    beside,
    divide_rows,
    elu_plus_one,
    entmax,
    erf,
    hide,
    in_groups,
    join_groups,
    join_heads,
    keep_largest,
    log_sum_exp,
    of_one_head,
    one_hot,
    over_heads,
    penalise,
    rotate,
    row_norm,
    rows_at,
    sigmoid,
    sinusoidal,
    softmax,
    softmax_with_sink,
    split_groups,
    split_heads,
    split_rows,
    sum_products,
    sum_to,
    take_off,
    threshold,
    token_losses,
    weigh,
    weigh_each,
)
from symattn.lowering.kernels.pool import limit_threads, limits_threads
from symattn.lowering.kernels.sequences import by_sequence, several
from symattn.lowering.kernels.states import run_state
from symattn.lowering.kernels.variants import (
    add_by_distance,
    additive_block,
    at_buckets,
    at_distances,
    bucket_row_sums,
    by_bucket,
    by_distance,
    distance_row_sums,
    distance_sums,
    grid_buckets,
    grid_sums,
    running_average,
    running_product,
    running_sum,
    slant,
    solve_below,
)

if TYPE_CHECKING:
    from symattn.lowering.compiled.attention import (
        Terms,
        attend_again,
        attend_auto,
        attend_back_auto,
        attend_back_compiled,
        attend_compiled,
    )

__all__ = [
    "Logits",
    "Terms",
    "above_threshold",
    "add_by_distance",
    "additive_block",
    "additive_scores",
    "agree",
    "as_keep",
    "at_buckets",
    "at_distances",
    "attend",
    "attend_again",
    "attend_auto",
    "attend_back",
    "attend_back_auto",
    "attend_back_compiled",
    "attend_compiled",
    "below",
    "beside",
    "bucket_row_sums",
    "by_bucket",
    "by_distance",
    "by_sequence",
    "computed_in",
    "distance_row_sums",
    "distance_sums",
    "divide_rows",
    "elu_plus_one",
    "entmax",
    "erf",
    "features_type",
    "grid_buckets",
    "grid_sums",
    "hide",
    "in_groups",
    "join_groups",
    "join_heads",
    "keep_largest",
    "leading",
    "limit_threads",
    "limits_threads",
    "log_sum_exp",
    "measure",
    "meets",
    "meets_heads",
    "of_one_head",
    "one_hot",
    "other_type",
    "over_heads",
    "penalise",
    "places",
    "real",
    "rotate",
    "row_norm",
    "rows_at",
    "run_state",
    "running_average",
    "running_product",
    "running_sum",
    "several",
    "sigmoid",
    "sinusoidal",
    "slant",
    "softmax",
    "softmax_with_sink",
    "solve_below",
    "split_groups",
    "split_heads",
    "split_rows",
    "sum_products",
    "sum_to",
    "take_off",
    "threshold",
    "token_losses",
    "upstream",
    "weigh",
    "weigh_each",
    "whole",
    "working_type",
]

_LOOPS = ("Terms", "attend_again", "attend_auto", "attend_back_auto", "attend_back_compiled", "attend_compiled")


if not TYPE_CHECKING:  # to a type checker every name would be one

    def __getattr__(name: str) -> Any:
        if name not in _LOOPS:
            raise AttributeError(f"module 'symattn.runtime' has no attribute {name!r}")
        return getattr(load_loops(), name)
