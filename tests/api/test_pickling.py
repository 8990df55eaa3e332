"""What users hold can be pickled and copied after it has been used, as between processes."""

import copy
import pickle
from decimal import Decimal

import pytest
from sympy import Matrix, MatrixSymbol

from symattn import Attention, derive, make_exercise, measure_saturation
from symattn.api.worksheets import derive_sheet, worksheet

Q, K, V = (MatrixSymbol(name, rows, 1) for name, rows in (("Q", 1), ("K", 2), ("V", 2)))
again = pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])


@again
def test_a_derivation_and_a_step_that_were_used(again):
    d = derive(Attention(Q, K, V), {Q: [[0]], K: [[5], [7]], V: [[2], [4]]})
    weights = d["weights"]
    assert weights.evaluate(20)[0, 0] == 0.5
    d.to_text()
    assert again(d)["output"].exact == Matrix([[3]]) == again(weights).derivation["output"].exact
    assert again(d).to_text() == d.to_text()


@again
def test_a_saturation_an_exercise_and_a_worksheet_that_were_used(again):
    d = derive(Attention(Q, K, V), {Q: [[0]], K: [[5], [7]], V: [[2], [4]]})
    saturation = measure_saturation(d)
    text = str(saturation)
    assert str(again(saturation)) == text and again(saturation).rows[0].rest == Decimal("0.5")
    exercise = make_exercise(7)
    assert again(exercise).to_markdown() == exercise.to_markdown()
    sheet = derive_sheet(worksheet("hand-calculation"), "brief", "en")
    assert again(sheet).to_text() == sheet.to_text()
