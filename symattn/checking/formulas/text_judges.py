"""Those who judge what is said in words, lists, tables and lines of programs."""

from __future__ import annotations

from symattn.checking.formulas.amounts.costs import judge_costs
from symattn.checking.formulas.amounts.orders import judge_orders
from symattn.checking.formulas.caches import judge_caches
from symattn.checking.formulas.programs.judge import judge_programs
from symattn.checking.formulas.shapes.judge import judge_shapes_in_text
from symattn.checking.formulas.statements.context import TextJudge
from symattn.checking.formulas.weights import judge_weights_in_words
from symattn.checking.formulas.words.mask_lines import judge_mask_lines
from symattn.checking.formulas.words.mask_triangles import judge_mask_triangles
from symattn.checking.formulas.words.named_caches import judge_named_caches
from symattn.checking.formulas.words.spread import judge_spread
from symattn.checking.formulas.words.variances import judge_variances_said
from symattn.checking.formulas.words.weight_sums import judge_weight_sums

TEXT_JUDGES: tuple[TextJudge, ...] = (
    judge_shapes_in_text,
    judge_variances_said,
    judge_weight_sums,
    judge_weights_in_words,
    judge_caches,
    judge_spread,
    judge_named_caches,
    judge_mask_lines,
    judge_mask_triangles,
    judge_programs,
    judge_costs,
    judge_orders,
)
