"""Sessions with an interpreter in a page: what was typed is a program, what stands below it is what it showed."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

GIVEN = ">>> Q = np.array([[1., 0.], [0., 2.]])\n>>> K = np.array([[1., 1.], [0., 1.]])\n"
FENCES = ("", "```python\n", "```\n", "    ")


def equations(page: str) -> list[str]:
    return [passage.text for passage in read_article("a.md", page).passages]


def verdicts(page: str) -> dict[str, set[str]]:
    found = dict[str, set[str]]()
    for claim in check_article(read_article("a.md", page)).findings:
        found.setdefault(claim.subject, set()).update(entry.verdict for entry in claim.entries)
    return found


@pytest.mark.parametrize("fence", FENCES)
def test_an_answer_belongs_to_what_was_typed_above_it(fence: str) -> None:
    typed = f"{GIVEN}>>> Q @ K.T\narray([[1., 0.],\n       [2., 2.]])\n"
    page = typed.replace("\n", f"\n{fence}") if fence == "    " else f"{fence}{typed}```\n" if fence else typed
    assert verdicts(page) == {"Q @ K.T": {"exact"}}


def test_a_name_may_be_given_another_value() -> None:
    rows = "[[12, 38, 42], [{}, 10, 36]]"
    session = (
        f">>> x = np.array({rows.format(42)})\n>>> f(x)\n1\n\nOr\n\n>>> x = np.array({rows.format(37)})\n>>> f(x)\n2\n"
    )
    assert "wrong" not in set().union(*verdicts(session).values())


def test_a_wrong_answer_is_wrong() -> None:
    page = ">>> x = np.array([1, 2])\n>>> np.exp(x)\narray([2.718, {}])\n"
    assert verdicts(page.format(7.389)) == {"exp(x)": {"rounded"}}
    assert verdicts(page.format(8.389)) == {"exp(x)": {"rounded", "wrong"}}


def test_arguments_on_the_lines_of_a_call_are_no_statements() -> None:
    page = ">>> ax.set(title='a',\n...        xlim=(0, 50))\n>>> ax.set(title='b',\n...        xlim=(0, 1))\n"
    assert equations(page) == []


def test_an_array_of_three_axes_has_blank_lines() -> None:
    page = ">>> f(x)\narray([[[0, 1],\n        [2, 3]],\n\n       [[0, 1],\n        [1, 0]]])\n\nSo $x = 3$.\n"
    assert equations(page) == ["x = 3"]


def test_what_is_quoted_three_times_is_prose() -> None:
    assert equations(">>> They said that $x = [1, 2]$ was the row.\n") == ["x = [1, 2]"]


def test_a_name_that_is_a_word_of_sentences() -> None:
    given = ">>> where = np.array({})\n>>> f(where)\n2\n"
    page = given.format("[[1, 0], [0, 1]]") + "\n" + given.format("[[0, 1], [1, 0]]")
    assert "wrong" not in set().union(*verdicts(page).values())


def test_a_name_that_an_equation_in_prose_is_about() -> None:
    page = ">>> b = f([1., 4.])\n\nThis solves `a @ x = b`:\n\n>>> b = np.array({})\n>>> solve(a, b)\n1.0\n"
    assert "wrong" not in set().union(*verdicts(page.format("[14., 16.]")).values())
