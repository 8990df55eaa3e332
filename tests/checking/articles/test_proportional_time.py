"""Articles of many like lines: four times as many take about four times as long to check, not sixteen times."""

import pytest

from symattn import check_article
from tests.processor_time import in_proportion

pytestmark = pytest.mark.slow

LINES = {
    "values of functions in one line": ("sin{k}=0.84 cos{k}=1 ", 90),
    "weights with an index": ("$$y_{k} = softmax(Q_{k} K^T)$$\n\n", 50),
    "statements of programs": ("```python\nx{k} = softmax(q{k})\n```\n", 60),
    "one letter defined again and again": ("$y = {k}(a + b)(c + d)$\n\n", 40),
}


@pytest.mark.parametrize(("line", "count"), LINES.values(), ids=LINES)
def test_time_grows_in_proportion(line: str, count: int) -> None:
    quarter, whole = ("".join(line.format(k=k) for k in range(1001, 1001 + size)) for size in (count, 4 * count))
    check_article(line.format(k=1))
    assert in_proportion(check_article, whole, quarter)
