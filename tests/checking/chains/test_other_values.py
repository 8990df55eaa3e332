"""Numbers that a name may have in another case, in a call, or after a program has set it anew."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article
from tests.checking.checked import check


def bad(text: str) -> list[str]:
    return [e.printed for claim in check_article(read_article("a.md", text + "\n")).findings
            for e in claim.entries if e.verdict in ("wrong", "last-digit")]  # fmt: skip


@pytest.mark.parametrize("words", ["If either {} or {}, a factor is infinite.", "wenn {} oder {}.", "如果 {} 或 {}。"])
def test_one_of_two_cases_says_nothing_of_the_other(words: str) -> None:
    assert bad(words.format("$y_n = 0$", "$(1 - y_n) = 0$")) == []
    assert bad("Here $y_n = 0$ and $(1 - y_n) = 0$.") == ["0"]


def test_an_argument_of_a_call_is_no_mean() -> None:
    text = "    sigmas = [0.4, 1., 2., 0.4]\n\nThen\n\n    x = pm.Normal('x', mu=0, tau=1 / 23)"
    assert bad(text) == []


PRINTS = """```
>>> res = conv(g, feat)
>>> print(res)
[[1.0209361  0.22472616]
 [0.7948386  0.17495811]]
>>> res = conv2(g2, feat)
>>> print(res)
[[1.0209361  0.22472616]
 [0.  0.]]
```"""


def test_what_a_program_sets_anew_is_no_rounded_print() -> None:
    assert bad(PRINTS) == []


GIVEN = r"""$$A = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}$$

In the second example,

"""


def test_an_entry_with_a_formula_of_other_names_is_none_of_what_was_given() -> None:
    weight = r"$$A_{21} = \frac{e^{S'_{21}}}{\sum_{k} e^{S'_{2k}}} \approx 0.7405$$"
    report = check_article(read_article("a.md", GIVEN + weight + "\n"))
    assert report.clean and not report.findings
    assert bad(GIVEN + "$$A_{21} = 0.7405$$") == ["0.7405"]


def test_letters_set_together_are_multiplied_anew() -> None:
    text = "$w = 0.5$, $x = 2$: $h = wx = 0.5 \\cdot 2 = 1$.\n\nNow $x = 4$: $h = wx = 0.5 \\cdot 4 = {}$."
    assert bad(text.format(2)) == [] and bad(text.format(1)) == ["1"]


@pytest.mark.parametrize(
    ("formulas", "bad"),
    [
        ((r"\text{MHA}(q) = H W = [[1, 2], [3, 4]] W", "W = [[1, 0], [0, 2]]",
          r"\text{MHA}(q) = [[1, 2], [3, 4]] \cdot [[1, 0], [0, 2]] = [[1, 5], [3, 8]]"), ["5"]),
        ((r"\text{MHA}(q) = H W = [[1, 2], [3, 4]] W", "W = [[1, 0], [0, 2]]",
          r"\text{MHA}(q) = [[1, 2], [3, 4]] \cdot [[1, 0], [0, 2]] = [[1, 4], [3, 8]]"), []),
        (("w_1 x + b = 7", r"w_1 x + b = 2 \cdot 3 + 1 = 8"), ["8"]),
        (("w_1 x + b = 7", r"w_1 x + b = 2 \cdot 4 + 1 = 9"), []),
        (("w_1 x + b = 7", r"w_1 x + b = 9"), []),
    ],
)  # fmt: skip
def test_what_is_known_and_put_in_alike_is_not_set_anew(formulas: tuple[str, ...], bad: list[str]) -> None:
    assert [e.printed for claim in check(*formulas).findings for e in claim.bad] == bad
