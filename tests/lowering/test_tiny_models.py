"""Logits of tiny models, made once with the transformers library (5.23, float32, its own attention), reproduced.

`tests/data/model_logits.json` has its logits for the tokens and weights of `tiny_models`, row by row.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from sympy import Matrix, MatrixSymbol

from symattn import InputError, Residual, RMSNorm, derive, lower
from symattn.program.unfolding.rules import unfold
from tests.lowering.tiny_models import MODELS, Weights

pytestmark = pytest.mark.slow

LOGITS = json.loads((Path(__file__).parents[1] / "data" / "model_logits.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("name", MODELS)
def test_logits_are_those_of_the_library(name: str, style: str) -> None:
    weights = Weights()
    found = lower(MODELS[name](weights), style=style)(**weights.arrays)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, LOGITS[name], rtol=0, atol=1e-5)


def test_what_appears_often_is_unfolded_once() -> None:
    """Each layer takes what came in twice, so that thirty of them hold it 2³⁰ times."""
    X = MatrixSymbol("X", 2, 2)
    node = X
    for _ in range(30):
        node = Residual(node, RMSNorm(node))
    assert len(unfold(node).steps) == 3 * 30


def test_an_entry_is_no_number_wherever_it_stands() -> None:
    X = MatrixSymbol("X", 2, 2)
    with pytest.raises(InputError, match=r"X\[0, 1\]"):
        derive(Residual(X, X[0, 1] * Matrix([[1, 0], [0, 1]]) * X))
