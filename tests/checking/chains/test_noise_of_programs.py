"""What cancels in floating point leaves 2.8e-17 for 0: a program printed it, and it is right."""

import pytest
from checking.checked import judged, report

PROGRAM = """```python
import numpy as np
Q = np.array([[0.1, 0.2], [0.3, -0.1]])
K = np.array([[2.0, -1.0], [1.0, 3.0]])
print(Q @ K.T)
```

```
[[ 0.00000000e+00  7.00000000e-01]
 [ 7.00000000e-01 {}]]
```
"""


@pytest.mark.parametrize("noise", ["-2.77555756e-17", "5.55111512e-17", "1.49011612e-08", " 0.00000000e+00"])
def test_it_stands_for_nothing(noise):
    assert [bad for *_, bad in judged(PROGRAM.format(noise))] == [[]]


def test_in_a_formula():
    assert [bad for *_, bad in judged("$0.3 - 0.1 - 0.2 = -2.77555756e-17$")] == [[]]


def test_what_is_larger_is_wrong_and_the_right_number_is_0():
    (claim,) = report(PROGRAM.format("2.77555756e-02")).findings
    assert [(e.printed, e.decimal) for e in claim.bad] == [("2.77555756e-02", "0.00000000e+00")]
