"""What is worked out is counted in steps: the same verdicts on a busy machine, and an end for any input."""

import time

import pytest

from symattn.checking import check_article
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.trials.symbols import Scope
from symattn.checking.work import OutOfWorkError, Work, spend, within
from symattn.reading.articles import read_article
from tests.processor_time import takes_at_most

ONE_SLIP = "$$\\mathrm{Attention}(Q, K, V) = \\mathrm{softmax}(\\frac{QK}{\\sqrt{d_k}}) V$$\n"


def test_steps_are_taken_from_every_allowance():
    outer, inner = Work(10), Work(3)
    with within(outer):
        with within(inner), pytest.raises(OutOfWorkError):
            spend(4)
        spend(2)
    spend(100)  # nothing is counted outside
    assert (outer.left, inner.left) == (4, -1)


def test_verdicts_do_not_depend_on_the_clock(monkeypatch):
    def verdicts():
        return [(f.verdict, f.right) for f in check_article(read_article(ONE_SLIP)).formulas]

    expected = verdicts()
    later = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(time, "monotonic", lambda: next(later))
    assert verdicts() == expected
    assert [verdict for verdict, _ in expected] == ["fails"]


def test_what_takes_too_long_in_a_whole_article_is_not_begun_again():
    begun = []

    def collect(article, statements):
        begun.append(1)
        spend(10**9)

    context = Context(read_article("Nothing.\n"), ())
    for _ in range(2):
        with pytest.raises(OutOfWorkError):
            context.once(collect)
    assert begun == [1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "$$y = " + " + ".join(f"a_{{{k}}}" for k in range(10_000)) + "$$\n",
        "$$\\mathrm{softmax}(x)_i = " + "".join(rf"\sum_{{{c}=1}}^{{n}} x_{c} " for c in "jklmrst") + "$$\n",
        "\n".join(f"$$B^{{({k})}} = B^{{({k + 1})}} B^{{({k + 1})}}$$\n" for k in range(40)),
    ],
    ids=["long", "nested", "doubling"],
)
def test_hostile_formulas_are_left_unsettled(text):
    with takes_at_most(20):
        assert check_article(read_article(text)).formulas == ()


def test_a_statement_draws_matrices_for_its_own_letters_alone(monkeypatch):
    drawn = []
    draw = Scope.draw
    monkeypatch.setattr(Scope, "draw", lambda self, key, shape: drawn.append(shape) or draw(self, key, shape))
    others = "".join(f"$U_{{{k}}} = X_{{{k}}} Y_{{{k}}}$\n\n" for k in range(20, 30))
    for text in ("", others):
        drawn.clear()
        check_article(read_article(text + "$C = A B$\n\n$C D = A B D$\n"))
        assert drawn
        assert all(size < 10 for shape in drawn for size in shape)


def test_definitions_that_name_each_other_are_put_in_so_often_and_no_more():
    """Four letters that are sums of eighty of the next would be 40 million when written out."""
    chain = "".join(f"${a} = " + " + ".join([rf"{b} {b}^\top"] * 40) + "$\n\n" for a, b in ("AB", "BC", "CG", "GH"))
    weights = "$P = \\mathrm{softmax}(A)$, $O = \\mathrm{softmax}(A) V$\n\n"
    with takes_at_most(5):  # 0.2 measured, 21 where all is written out
        gradient = "$\\frac{\\partial L}{\\partial V} = P^\\top \\frac{\\partial L}{\\partial O}$\n"
        check_article(read_article(chain + weights + gradient))
