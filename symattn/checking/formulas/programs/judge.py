"""All that is said of lines of programs."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.programs.blocks import judge_blocks
from symattn.checking.formulas.programs.einsums import judge_einsums
from symattn.checking.formulas.programs.gradients import judge_gradients
from symattn.checking.formulas.programs.masks import judge_masks
from symattn.checking.formulas.programs.norms import judge_norm_lines
from symattn.checking.formulas.programs.online import judge_online_steps
from symattn.checking.formulas.programs.outputs import judge_outputs
from symattn.checking.formulas.programs.scores import judge_scores
from symattn.checking.formulas.statements.context import Context


def judge_programs(context: Context) -> Iterator[Formula]:
    """What each reader of lines says, in an article that has programs of attention at all."""
    for judge in (
        judge_scores,
        judge_outputs,
        judge_masks,
        judge_blocks,
        judge_online_steps,
        judge_gradients,
        judge_norm_lines,
        judge_einsums,
    ):
        yield from judge(context)
