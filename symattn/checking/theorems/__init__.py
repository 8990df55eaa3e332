"""Theorems of attention as chains of equalities, each link checked by machine; and formulas that fail the check."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symattn.checking.theorems import backward, definition, recurrences, scalars, structure, variants
from symattn.checking.theorems.decision import decide_links
from symattn.checking.theorems.scalars import ScalarTheorem, check_symbolically
from symattn.checking.theorems.theorem import Checked, Counterexample, Link, Outcome, Theorem, Unknown

__all__ = ["THEOREMS", "Checked", "Counterexample", "Link", "Outcome", "Theorem", "Unknown", "check"]

_MADE: tuple[Callable[[], Theorem], ...] = (
    structure.shift_invariance,
    structure.two_keys,
    scalars.softmax_jacobian,
    scalars.jacobian_symmetry,
    scalars.jacobian_rows,
    scalars.jacobian_variance,
    scalars.jacobian_row_bound,
    scalars.jacobian_norm,
    scalars.saturation_bounds,
    scalars.dot_product_variance,
    backward.rows_of_dS,
    backward.query_gradient,
    backward.key_bias,
    backward.key_bias_unseen,
    structure.permutation_equivariance,
    structure.concat_is_sum,
    structure.cached_row,
    structure.block_merging,
    structure.online_softmax,
    structure.rotary_difference,
    variants.rotary_interleaved,
    variants.rotary_halves,
    variants.scale_and_temperature,
    variants.finite_mask,
    variants.grouped_query,
    structure.linear_attention,
    variants.causal_linear_attention,
    structure.latent_absorption,
    structure.softmax_off_by_one,
    backward.value_gradient,
    backward.query_without_jacobian,
    backward.key_without_jacobian,
    backward.weights_times_gradient,
    definition.query_backward,
    definition.key_backward,
    definition.value_backward,
    definition.delta_from_output,
    definition.flash_backward,
    definition.flash_backward_keys,
    definition.flash_backward_values,
    definition.rms_norm_backward,
    definition.layer_norm_backward,
    definition.cross_entropy_backward,
    definition.equal_values,
    recurrences.flash_attention,
    recurrences.linear_attention_state,
    recurrences.gated_state,
    recurrences.gated_linear_attention,
    recurrences.state_space_chunk,
    recurrences.gated_linear_attention_chunk,
    recurrences.state_space_duality,
    recurrences.delta_rule,
    recurrences.delta_rule_with_plus,
    recurrences.delta_rule_system,
    recurrences.gated_delta_rule,
)
# each is made when it is asked for
THEOREMS: Mapping[str, Callable[[], Theorem]] = {make.__name__.replace("_", "-"): make for make in _MADE}


def check(theorem: Theorem, seed: int = 0) -> list[Outcome]:
    """For each link of the chain, up to one that fails, what is known of it.

    Small exact numbers at which its sides differ are looked for first. Scalars are compared symbolically, matrices by a
    normal form of their entries: both for every size. What neither decides is tried at random points of some sizes.
    """
    return check_symbolically(theorem) if isinstance(theorem, ScalarTheorem) else list(decide_links(theorem, seed))
