"""Articles of many like lines: four times as many take about four times as long to check, not sixteen times."""

import gc
import time

import pytest

from symattn import check_article

pytestmark = pytest.mark.slow

LINES = {
    "values of functions in one line": ("sin{k}=0.84 cos{k}=1 ", 150),
    "weights with an index": ("$$y_{k} = softmax(Q_{k} K^T)$$\n\n", 50),
    "statements of programs": ("```python\nx{k} = softmax(q{k})\n```\n", 60),
    "one letter defined again and again": ("$y = {k}(a + b)(c + d)$\n\n", 60),
}


def seconds(text: str) -> float:
    gc.collect()
    start = time.process_time()
    check_article(text)
    return time.process_time() - start


@pytest.mark.parametrize(("line", "count"), LINES.values(), ids=LINES)
def test_time_grows_in_proportion(line: str, count: int) -> None:
    quarter, whole = ("".join(line.format(k=k) for k in range(1001, 1001 + size)) for size in (count, 4 * count))
    check_article(line.format(k=1))
    assert seconds(whole) < 8 * seconds(quarter)  # 4 where it is in proportion, 16 with the square
