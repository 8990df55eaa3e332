"""What its author has accepted is told as accepted, and nothing beside it."""

from symattn.checking import check_article
from symattn.checking.acceptance import accept
from symattn.reading.articles import read_article
from symattn.reading.settings import Accepted

SUMS = "$2 + 3 = 6$ and $1 + 1 = 3$ and $3 + 3 = 6$"
FALSE = r"$A = \mathrm{softmax}(QK/\sqrt{d_k})$"
OTHER = r"$B = \mathrm{softmax}(Q^TK/\sqrt{d_k}) V$"


def accepted(text, line, printed):
    report = accept(check_article(read_article("a.md", text)), [Accepted("a.md", line, printed)])
    return [e.verdict for c in report.findings for e in c.entries], [x.verdict for x in report.formulas]


def test_one_number_of_a_line_is_accepted():
    assert accepted(SUMS, SUMS, "6")[0] == ["accepted", "wrong", "exact"]
    assert accepted(SUMS, SUMS, "3")[0] == ["wrong", "accepted", "exact"]


def test_one_formula_of_two_is_accepted():
    text = f"{FALSE}\n\n{OTHER}\n"
    assert accepted(text, FALSE, FALSE.strip("$"))[1] == ["accepted", "fails"]
