"""A fault of symattn costs the formula at which it shows, and no other."""

from __future__ import annotations

import pytest

from symattn import check_article
from symattn.checking import faults
from symattn.checking.chains import judging
from symattn.checking.formulas import judging as formulas
from symattn.errors import InputError


@pytest.fixture
def _contain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "CONTAINED", (Exception,))


@pytest.mark.usefixtures("_contain")
def test_the_other_numbers_of_an_article_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = judging.split_run_on

    def fail(chain, *rest):  # type: ignore[no-untyped-def]
        if "3" in chain.sides[-1].expression.text:
            raise IndexError(1)
        return whole(chain, *rest)

    monkeypatch.setattr(judging, "split_run_on", fail)
    report = check_article("1 + 1 = 2.5\n\n1 + 2 = 3.0\n\n2 + 2 = 4.5\n")
    assert [claim.line for claim in report.findings] == [1, 5]
    [listed] = [each for each in report.not_checked if each.line == 3]
    assert "IndexError" in listed.reason.text()


@pytest.mark.usefixtures("_contain")
def test_a_formula_at_which_a_judge_fails_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "SIZE_JUDGES", (lambda statement, context: {}[statement.text],))
    monkeypatch.setattr(formulas, "GENERAL_JUDGES", ())
    report = check_article(r"$$S = Q K^T / \sqrt{d_k}$$" + "\n")
    assert ["KeyError" in each.reason.text() for each in report.not_checked] == [True]


def test_a_function_of_a_name_without_a_value_in_a_table() -> None:
    head = "| gate | of $`\\phi(g)`$ | with $`u=[2,-1],g=[-1,2]`$ |\n"
    row = "| none | $`\\phi(g)=g`$ | $`[2\\times(-1),-1\\times2]=[-2,-2]`$ |\n"
    assert check_article(head + "|---|---|---|\n" + row).summary == {"exact": 2}


def test_letters_with_an_index_in_one_line_and_without_it_in_another() -> None:
    lines = [
        r"\hat{x}_{i,k} = \frac{x_{i,k} - \mu_k}{\sqrt{\sigma_k^2 + \epsilon}}",
        r"\frac{\partial L}{\partial x_i} = \frac{\gamma}{\sqrt{\sigma^2 + \epsilon}}"
        r" \left( \frac{\partial L}{\partial y_i} - \hat{x}_i"
        r"\sum_{j=1}^{m}\frac{\partial L}{\partial y_j}\hat{x}_j \right)",
        r"y = \frac{\gamma}{\sqrt{\sigma^2 + \epsilon}} \odot (x - \mu) + \beta",
    ]
    report = check_article("\n\n".join(f"$${line}$$" for line in lines) + "\n")
    assert [formula.verdict for formula in report.formulas][:1] == ["holds"]


@pytest.mark.usefixtures("_contain")
@pytest.mark.parametrize("error", [InputError("too long"), MemoryError()])
def test_limits_pass_through(error: Exception) -> None:
    with pytest.raises(type(error)), faults.contain_faults():
        raise error


def test_keys_of_a_head_that_others_share() -> None:
    assert check_article(r"$$S_h = Q_h K_{\lceil h/2 \rceil}^{\top}$$" + "\n").formulas == ()


def test_shapes_behind_words_and_a_formula_that_is_made_otherwise() -> None:
    shaped = "The output $\\in \\mathbb{R}^{n \\times d}$ is small.\n\n"
    made = r"$$Q = W_Q H \in \mathbb{R}^{d \times n}$$" + "\n\n" + r"$$Q = X W_Q$$" + "\n\n"
    assert check_article(shaped + made + "1 + 1 = 2.5\n").summary == {"wrong": 1}


@pytest.mark.usefixtures("_contain")
@pytest.mark.parametrize("place", ["TEXT_JUDGES", "find_shapes_read"])
def test_the_numbers_are_judged_where_the_words_cannot_be(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    def fail(context: object) -> list[object]:
        raise IndexError(1)

    monkeypatch.setattr(formulas, place, (fail,) if place == "TEXT_JUDGES" else fail)
    report = check_article("1 + 1 = 2.5\n")
    assert report.summary == {"wrong": 1}
    assert [each.line for each in report.not_checked if "IndexError" in each.reason.text()] == (
        [1] if place == "TEXT_JUDGES" else []
    )
