"""What was done to a matrix is seen in its letter: no two matrices of a derivation are written alike."""

import pytest
from table.rows import ROWS

from symattn import derive
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.text_style import TextStyle


@pytest.mark.parametrize("name", ROWS)
def test_no_two_matrices_are_written_alike(name):
    program = derive(ROWS[name].expression).families
    symbols = [*program.inputs, *(step.symbol for step in program)]
    for style in (LatexStyle(), TextStyle(), TextStyle(accented=True)):
        written = [style.name(x.name) for x in dict.fromkeys(symbols)]
        assert len(set(written)) == len(written), [x for x in written if written.count(x) > 1]
