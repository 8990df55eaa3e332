"""What stands right before a formula may belong to it: then its right side is not held against the formula alone."""

import pytest

from tests.checking.checked import report

PARTS = """\
9 divided by $\\sqrt3$ = 5.20.
5 times √3 = 8.66. 9 minus √25 = 4. Twice √3 = 3.46. Half of √3 = 0.866. Minus ln 3 = −1.099.
The square of $2+3$ = 25. The root of $16+9$ = 5. The log of 2·4 = 2.079. The sigmoid of 3 − 3 = 0.5.
The sum of 2 and 2·4 = 10. 10% of 2·4 = 0.8. Three times 2·4 = 24. 4 more than 2·3 = 10.
Dividing 9 by √3 = 5.20. Adding 2 to 2·4 = 10. e to the power of 1 + 1 = 7.39.
9 除以 √3 = 5.20。 5 乘以 2 × 3 = 30。
9 geteilt durch √3 = 5.20. Die Hälfte von √3 = 0.866. El cuadrado de $2+3$ = 25.
A total of 2 + $4 \\cdot 5$ = 22. –$\\sqrt{9}$ = −3. 3($2+3$) = 15. 3$\\sqrt3$ = 5.20. 9/$\\sqrt9$ = 3.
$5 \\cdot 2$ − $4 \\cdot 2$ = 2. ln($2 \\cdot 2$) = 1.39. $\\ln$ $2 \\cdot 2$ = 1.39.
9 divided by √9 = 3. Twice 2 · 4 = 8. The logarithm of 2 · 5 = 10. 9 minus 2 · 3 = 6."""


@pytest.mark.parametrize("text", PARTS.split("\n"))
def test_parts_of_what_is_meant_are_neither_wrong_nor_right(text: str) -> None:
    assert not report(text).findings


WHOLE = """\
12, divided by √4 = 2, is 6.
把 8 除以 $\\sqrt4 = 2$ 得 4。
We divide by $\\sqrt4 = 2$.
The score $q_1 \\cdot k_1$ divided by $\\sqrt4 = 2$ is small.
The pair – $1 + 1 = 2$ – is odd.
- $1 + 1$ = 2
+ $1 + 1$ = 2
1. $1 + 1$ = 2
The size of 1 + 1 = 2.
In step 5 $1 + 1$ = 2.
A square of √4 = 2 by 3.
6 tokens, times 1 + 1 = 2, is 12."""


@pytest.mark.parametrize("text", WHOLE.split("\n"))
def test_formulas_beside_other_words_and_signs_are_judged(text: str) -> None:
    assert [[e.verdict for e in c.entries] for c in report(text).findings] == [["exact"]]
    wrong = report(text.replace("= 2", "= 7"))
    assert [[e.verdict for e in c.entries] for c in wrong.findings] == [["wrong"]]
