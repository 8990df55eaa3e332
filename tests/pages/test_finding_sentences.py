"""How findings are said: where several numbers, lines, causes and formulas come together in one sentence."""

from __future__ import annotations

from fractions import Fraction

from symattn.checking.findings import Cause, Claim, Counterexample, Finding, Findings, Formula, NotChecked
from symattn.pages.findings.sentences import cause_remark, formula_remarks
from symattn.pages.findings.text import findings_text
from symattn.values.enclosures import bounds
from symattn.values.printed import enclose
from symattn.writing.prose import Sentence


def entry(column: int, verdict: str, because: Cause | None = None) -> Finding:
    """Where 2 is printed and 3 is right."""
    right = bounds(enclose([[Fraction(3)]]).rows[0][0])
    return Finding(1, column, "2", Fraction(1), right, verdict, because)  # type: ignore[arg-type]


def claim(line: int, *entries: Finding) -> Claim:
    return Claim(line, 1, f"x_{line}", "2", entries, (1, len(entries)))


def said(*claims: Claim, formulas: tuple[Formula, ...] = ()) -> str:
    return findings_text(Findings("a.md", claims, (), None, formulas), "en")


def test_many_entries_are_cut_short() -> None:
    assert "(1,1), (1,2)" in said(claim(1, *(entry(k, "wrong") for k in range(1, 4))))
    assert "(1,12)" not in (text := said(claim(1, *(entry(k, "wrong") for k in range(1, 15))))) and "…" in text


def test_lines_beyond_the_fourth_are_counted() -> None:
    last = said(*(claim(line, entry(1, "wrong")) for line in range(1, 7))).strip().split("\n")[-1]
    assert last == "a.md: 1 number wrong at line 1, 1 at 2, 1 at 3, 1 at 4, 2 further on"


def test_entries_that_follow_from_several_numbers() -> None:
    first, second = claim(1, entry(1, "wrong")), claim(2, entry(1, "wrong"))
    carried = (entry(1, "carried", Cause(1, "x_1", 1, 1)), entry(2, "carried", Cause(2, "x_2", 1, 1)))
    text = said(first, second, claim(3, *carried))
    assert "(1,1)" in text and "x_1 at line 1" in text and "x_2 at line 2" in text
    own = claim(4, entry(1, "wrong"), entry(2, "carried", Cause(4, "x_4", 1, 1)))
    remark = cause_remark(own.entries[1], own, Findings("a.md", (own,), ()))
    assert remark is not None and "(1,1)" in str(remark)
    assert cause_remark(own.entries[0], own, Findings("a.md", (own,), ())) is None


def test_formulas_with_conditions_and_counterexamples() -> None:
    shown = Sentence("formula.identity")
    holds = Formula(1, 1, "a = b", "holds-if", Sentence("condition.row_sums", name="D"), None, shown)
    assert len(list(formula_remarks(holds))) == 2
    tried = Counterexample((("x", "2"), ("at", "(1,2)")), "3", "4")
    fails = Formula(2, 1, "a = c", "fails", None, "a = d", shown, tried)
    remarks = [remark.say("en") if hasattr(remark, "say") else str(remark) for remark in formula_remarks(fails)]
    assert any("a = d" in text for text in remarks) and any("x = 2" in text for text in remarks)
    assert any("(1,2)" in text for text in remarks)
    plain = Formula(3, 1, "a = c", "fails", None, None, shown, Counterexample((), "3", "4"))
    assert not any("x = " in str(remark) for remark in formula_remarks(plain))
    text = said(claim(1, entry(1, "exact")), formulas=(holds, fails))
    assert "1 formula right under a condition" in text


def test_places_are_listed_as_each_language_does() -> None:
    reason = Sentence("taken_as_given", name="Q")
    items = tuple(NotChecked(line, 1, "Q", reason) for line in (1, 3, 3, 5))
    for last, english, chinese in (
        (2, "1 more like it, line 3", "类似的还有 1 处，见第 3 行"),
        (3, "2 more like it, line 3", "类似的还有 2 处，见第 3 行"),
        (4, "3 more like it, lines 3, 5", "类似的还有 3 处，见第 3、5 行"),
    ):
        report = Findings("a.md", (), items[:last])
        assert f"{english}\n" in findings_text(report, "en") and f"{chinese}\n" in findings_text(report, "zh")
    false = [Formula(line, 1, "a = c", "fails", None, None, Sentence("formula.identity"), None) for line in (2, 2, 7)]
    assert "2 formulas false, line 2\n" in said(formulas=tuple(false[:2]))
    report = Findings("a.md", (), (), None, tuple(false))
    assert "3 formulas false, lines 2, 7\n" in findings_text(report, "en")
    assert "3 个公式不成立，见第 2、7 行\n" in findings_text(report, "zh")
