"""Articles of many like lines: four times as many take about four times as long to check, not sixteen times."""

import gc
import time

import pytest

from symattn import check_article

LINES = {
    "values of functions in one line": ("sin{k}=0.84 cos{k}=1 ", 150),
}


def seconds(text: str) -> float:
    gc.collect()
    start = time.process_time()
    check_article(text)
    return time.process_time() - start


@pytest.mark.parametrize(("line", "count"), LINES.values(), ids=LINES)
def test_time_grows_in_proportion(line: str, count: int) -> None:
    quarter, whole = ("".join(line.format(k=k) for k in range(1, size + 1)) for size in (count, 4 * count))
    check_article(line.format(k=1))
    assert seconds(whole) < 7 * seconds(quarter)
