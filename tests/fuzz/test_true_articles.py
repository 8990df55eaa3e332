"""A small sample of true articles: none of their numbers is called wrong, and slips planted in them are found.

`python -m tests.fuzz.true_articles` runs as many as one likes.
"""

import pytest

from tests.fuzz.true_articles import KINDS, tally, tally_slips
from tests.sampling import EVERY

COUNT = 3_000 if EVERY else 6 * len(KINDS)
JUDGED, FOUND = 0.8, 0.6  # shares that a sample does not fall below


@pytest.mark.slow
def test_no_number_of_a_true_article_is_called_wrong() -> None:
    counted = tally(COUNT, first=0, kinds=None, verbose=True)
    assert not counted["alarms"] and not counted["formulas called false"]
    assert counted["judged"] >= JUDGED * counted["results"]


@pytest.mark.slow
def test_one_wrong_step_is_found_and_nothing_else_called_wrong() -> None:
    counted = tally_slips(COUNT, first=0, kinds=None, verbose=True)
    assert not counted["alarms"] and not counted["patches that break"]
    assert counted["articles found"] >= FOUND * counted["articles"]
