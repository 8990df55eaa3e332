"""Tokens of one name are told apart by their numbers, wherever one of them is spoken of."""

from __future__ import annotations

from symattn import measure_saturation
from tests.samples import derived

# the second “is” asks for “sequence” alone: its scores are 0, 0, 40
SHEET = """tokens = ["is", "sequence", "is"]
[inputs]
Q = [[1, 0], [0, 1], [0, 40]]
K = [[1, 0], [0, 1], [1, 0]]
V = [[1, 2], [3, 4], [5, 6]]
[attention]
scale = 1
"""


def test_a_token_whose_name_another_has_is_told_with_its_number() -> None:
    page = derived(SHEET).to_markdown()
    assert "“sequence” receives all but" in page
    assert "of the attention of “is” (token 3)." in page
    assert "The row of “is” (token 1) after subtracting" in page
    assert "for “is” (token 3) attending to “sequence”" in page
    assert "“is”（词元 3）的注意力" in derived(SHEET).to_markdown(language="zh")
    assert "“is” (token 2)." in derived(SHEET + "[notation]\nfirst_index = 0\n").to_markdown()
    assert "is (token 3)" in measure_saturation(derived(SHEET)).to_text()


def test_a_name_that_one_token_has_stands_alone() -> None:
    page = derived(SHEET.replace('"sequence", "is"', '"sequence", "last"')).to_markdown()
    assert "of the attention of “last”." in page
    assert "(token" not in page


def test_keys_that_are_other_tokens_are_not_called_by_the_names_of_queries() -> None:
    crossed = SHEET.replace('["is", "sequence", "is"]', '["x", "y"]').replace("Q = [[1, 0], ", "Q = [")
    page = derived(crossed).to_markdown()
    assert "key 2 receives all but" in page
    assert "of the attention of “y”." in page
