"""Printed equations without numbers: definitions, identities, gradients, shapes and costs, and whether they hold."""

from symattn.checking.formulas.judging import judge_formulas

__all__ = ["judge_formulas"]
