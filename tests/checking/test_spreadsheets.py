"""`check` of an .xlsx file: what its formulas show, against exact values worked out by hand."""

from __future__ import annotations

import json
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest

from symattn.api.check import check_spreadsheet
from symattn.checking.spreadsheets import check_book
from symattn.cli.main import run
from symattn.reading.spreadsheets.workbook import Formula, read_book
from tests.samples_xlsx import Cell, write_book

pytestmark = pytest.mark.slow

pytest.importorskip("openpyxl")
Q_AND_K: list[Cell] = [
    ("A1", "", "Q", "General"), ("D1", "", "K", "General"),
    ("A2", "", 1, "General"), ("B2", "", 5, "General"), ("D2", "", 5, "General"), ("E2", "", 1, "General"),
    ("A3", "", 9, "General"), ("B3", "", 13, "General"), ("D3", "", 13, "General"), ("E3", "", 9, "General"),
]  # fmt: skip


def verdicts(path: Path) -> dict[str, tuple[str, str]]:
    """Of each cell what is printed, what is said of it."""
    found = check_spreadsheet(path).to_json()
    return {
        f"{claim['subject'].partition('!')[0]}!{e['at']}": (e["printed"], e["verdict"])
        for claim in found["claims"]
        for e in claim["entries"]
    }


def one(path: Path, formula: str, value: object, code: str = "0.00", cells: list[Cell] | None = None) -> str:
    """The verdict on one formula in Z9."""
    book = write_book(path / "one.xlsx", {"S": [*(cells or []), ("Z9", formula, value, code)]})
    return verdicts(book)["S!Z9"][1]


def attention(path: Path, scores: tuple[int, int, int, int], weights: tuple[float, float]) -> Path:
    """QKᵀ as an array, divided cell by cell, a softmax of the first row."""
    a, b, c, d = scores
    scaled = [x / 2**0.5 for x in scores]
    cells: list[Cell] = [
        *Q_AND_K,
        ("A5", "{A5:B6}MMULT(A2:B3,TRANSPOSE(D2:E3))", a, "0"), ("B5", "", b, "0"),
        ("A6", "", c, "0"), ("B6", "", d, "0"),
        ("A8", "A5/SQRT(2)", scaled[0], "0.00"), ("B8", "B5/SQRT(2)", scaled[1], "0.00"),
        ("A9", "A6/SQRT(2)", scaled[2], "0.00"), ("B9", "B6/SQRT(2)", scaled[3], "0.00"),
        ("A11", "EXP((A8-MAX($A8:$B8))/10)", weights[0], "0.000"), ("B11", "A11/SUM($A11:$A11)", weights[1], "0%"),
    ]  # fmt: skip
    return write_book(path / "a.xlsx", {"Scores": cells})


def test_a_right_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # QKᵀ = [[10, 58], [58, 234]]; (10 − 58)/√2/10 = −3.3941…, e to it 0.03357…
    path = attention(tmp_path, (10, 58, 58, 234), (0.03357, 1))
    assert {verdict for _, verdict in verdicts(path).values()} == {"exact", "rounded"}
    assert verdicts(path)["Scores!A8"] == ("7.07", "rounded") and verdicts(path)["Scores!B11"] == ("100%", "exact")
    assert run(["check", str(path)]) == 0
    assert "nothing wrong" in capsys.readouterr().out.lower()


def test_a_wrong_number_and_what_follows_from_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = attention(tmp_path, (10, 58, 58, 244), (0.03357, 1))
    found = verdicts(path)
    assert found["Scores!B6"] == ("244", "wrong") and found["Scores!B9"] == ("172.53", "carried")
    assert {v for k, (_, v) in found.items() if k not in ("Scores!B6", "Scores!B9")} == {"exact", "rounded"}
    assert run(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert "Scores!A5:B6" in out and "entry B6 is 234" in out and "follows from B6 of Scores!A5:B6" in out
    assert run(["check", "--to", "sarif", str(path)]) == 1
    said = [r["message"]["text"] for r in json.loads(capsys.readouterr().out)["runs"][0]["results"]]
    assert said[0] == "244 is wrong: entry B6 of Scores!A5:B6 is 234"


@pytest.mark.parametrize(
    ("formula", "value", "code", "verdict"),
    [
        ("1/3", 1 / 3, "General", "rounded"),
        ("1/3", 0.33, "0.00", "rounded"),
        ("1/3", 0.34, "0.00", "last-digit"),
        ("2/3", 0.66, "0.00", "truncated"),
        ("-2^2", 4, "0", "exact"),
        ("2^3^2", 64, "0", "exact"),
        ("50%", 0.5, "0%", "exact"),
        ("1E+20+1-1E+20", 0, "0", "wrong"),  # doubles lose it
        ("SUM(A1:A3)", 6, "0", "exact"),
        ("SUMPRODUCT(A1:A3,B1:B3)", 32, "0", "exact"),
        ("SUMPRODUCT(A1:A3*B1:B3)", 32, "0", "exact"),
        ("MMULT(TRANSPOSE(A1:A3),B1:B3)", 32, "0", "exact"),
        ("SUM({1,2;3,4})", 10, "0", "exact"),
        ("AVERAGE(A1:A3)+STDEV.P(A1:A3)", 2.8165, "0.0000", "rounded"),  # 2 + √(2/3)
        ("_xlfn.STDEV.S(A1:A3)*MIN(B1:B3)", 4, "0", "exact"),
        ("'S'!A1+$B$2-s!C9", 6, "0", "exact"),  # an empty cell is 0
        ("ROUND(2.5,0)", 3, "0", "exact"),
        ("10^60+1-10^60", 1, "0", "exact"),  # what cancels takes more bits
        ("(1+1E-50-1)*1E+50", 1, "0", "exact"),
        ("SIN(1E+300)", -0.98575, "0.00000", "rounded"),
        ("1/(10^60+1-10^60)", 1, "0", "exact"),
        ("SQRT(10^60+4-10^60)+LN(10^60+1-10^60)", 2, "0", "exact"),
        ("(0.1-0.1)^2", 0, "0", "exact"),
        ("STDEV.P({0.1,0.1,0.1})", 0, "0", "exact"),
        ("+".join(["1"] * 4000), 4000, "0", "exact"),
        ("*".join(["1"] * 4000) + "%" * 100, 0, "0", "rounded"),
        ("1-2*(" * 60 + "1" + ")" * 60, 1, "0", "wrong"),  # (1 - (-2)^61)/3
        ("EXP(-1000000000)", 0, "0.00", "rounded"),
        ("LN(EXP(2))+LOG(1000)+LOG10(10)+ABS(-1)+PI()", 10.14159, "0.00000", "rounded"),
        ("TANH(0.5)", 0.46212, "#,##0.00000;[Red]-#,##0.00000", "rounded"),
        ("1234567.891", 1234567.891, "#,##0.0", "rounded"),
        ("1/80", 1.25e-2, "0.00E+00", "exact"),
        ("-1/4", -0.25, '0.0%_);"minus "0.0%', "exact"),
        ("IF(A1>0,1,2)", 1, "0", "exact"),
        ("IF(A2<=A1,A2,-1E+9)", -1e9, "0", "exact"),
        ("IF(C9=0,0,A1/C9)", 0, "0", "exact"),  # the other branch has no value
        ("IF(A1<>1,5)+TRUE", 1, "0", "exact"),
        ("{Z9}SUM(IF(A1:A3>=2,B1:B3,0))", 11, "0", "exact"),
        ("{Z9}SUM(IF(NOT(A1:A3>1),A1:A3,0))", 1, "0", "exact"),
        ("IF(TRUE>FALSE,1,2)", 1, "0", "exact"),
        ("D9", 0, "0", "exact"),  # an empty cell that is looked up
        ("SUMPRODUCT((A1:A3>1)*B1:B3)", 11, "0", "exact"),
        ("SUMPRODUCT(--(A1:A3>1),B1:B3)", 11, "0", "exact"),
        ("SUMPRODUCT(A1:A3>1,B1:B3)", 0, "0", "exact"),  # what is true is no number
        ("IF(AND(A1=1,OR(A2<0,NOT(A3=4))),7,8)", 7, "0", "exact"),
        ("IF(C9,1,2)", 2, "0", "exact"),
        ("SQRT(2)+IF(SQRT(2)<1.5,1,0)", 2.41, "0.00", "rounded"),
        ("-2-(-3)*--1", 1, "0", "exact"),
        ("ROUND(-0.4,0)+ROUND(-2.5,0)+ROUND(1234,-2)", 1197, "0", "exact"),
        ("(-2)^3+(-2)^-1+4^0.5+2^-1+3^0", -5, "0", "exact"),
    ],
)
def test_formulas(formula: str, value: float, code: str, verdict: str, tmp_path: Path) -> None:
    given: list[Cell] = [
        (f"{x}{i}", "", n, "General") for i in (1, 2, 3) for x, n in (("A", i), ("B", i + 3))
    ]  # fmt: skip
    assert one(tmp_path, formula, value, code, given) == verdict


@pytest.mark.parametrize(
    ("formula", "value", "reason"),
    [
        ("VLOOKUP(A1,A1:B3,2)", 1, "VLOOKUP is not known"),
        ("IF(A1>0,1,2,3)", 1, "too many"),
        ("IF(T1=1,1,2)", 1, "the text “b”"),
        ("IF(1/3=0.333333333333333333,1,2)", 1, "may not tell them apart"),
        ("IF(SQRT(2)^2=2,1,2)", 1, "cannot be determined"),
        ("IF(0.1+0.2>0.3,1,2)", 2, "cannot be determined"),
        ("IF((1<2)=1,10,20)", 20, "true or false for a number"),
        ("IF(1<2<3,10,20)", 20, "true or false for a number"),
        ("SUM(A1>0,A2>0)", 2, "true or false for a number"),
        ("MAX(TRUE,0)", 1, "true or false for a number"),
        ("AND(Z1)", 1, "no value"),
        ("NOT(1,0)", 1, "too many"),
        ("A1>0", 7, "gives no number"),
        ("xyz1+1", 1, "“xyz1”"),
        ("A2000000+1", 1, "“A2000000”"),
        ("Nothing+1", 2, "“Nothing”"),
        ("A1/0", "#DIV/0!", "no value"),
        ("Z9+1", 1, "refers to itself"),
        ("A1+1", None, "no value was saved"),
        ("A1:A3*2", 2, "several values"),
        ("MMULT(A1:A3,A1:A3)", 1, "do not fit"),
        ("A1&A2", "12", "“&”"),
        ("SQRT(0-1)", 1, "no value"),
        ("10^(10^10)", 1, "no value"),
        ("T1+1", 1, "the text “b”"),
        ("SUM(A:A)", 1, "are not read"),
        ("[1]S!A1", 1, "are not read"),
        ("SUM(A1:XFD1048576)", 1, "more than"),
        ("(" * 100 + "1" + ")" * 100, 1, "are not read"),
        ("1+", 1, "are not read"),
        ("A2", 1.5, "shows no plain digits"),
        ("1/(0.1*3-0.3)", 1, "cannot be determined"),
        ("(0.1*3-0.3)*10^999*10^999*10^999*10^99", 0, "cannot be determined"),
        ("1", 10**400, "shows no number"),
        ("T2+1", 2, "the text “inf”"),
        ("1E+999999999", 1, "“1E+999999999” are not read"),
        ("SUM({1E-99999999})", 1, "“1E-99999999” are not read"),
        ("None!A1", 0, 'no sheet "None"'),
        ("SUM()", 0, "SUM is given too few arguments"),
        ("SUMPRODUCT(A1:A2,A1:B2)", 5, "do not fit"),
        ("SUM(A1:A2*A1:A3)", 5, "do not fit"),
        ("MMULT(A1:A2,B1:C1)", 0, "no value"),  # of empty cells
        ("(0-2)^0.5", 0, "no value"),
        ("0^0", 1, "no value"),
        ("0^-1", 0, "no value"),
        ("LN(0)", 0, "no value"),
        ("ROUND(1.5,0.5)", 2, "no value"),
        ("ROUND(SQRT(2)*SQRT(2)+0.5,0)", 3, "too close to a tie"),
        ("IF(SQRT(2)-SQRT(2),1,2)", 2, "cannot be determined"),
    ],
)
def test_what_is_not_checked_is_listed(formula: str, value: object, reason: str, tmp_path: Path) -> None:
    code = "# ?/?" if value == 1.5 else "0"
    cells: list[Cell] = [
        ("A1", "", 1, "0"),
        ("T1", "", "b", "0"),
        ("A2", "", 2, "0"),
        ("T2", "", Decimal("1E+999"), "0"),
    ]
    path = write_book(tmp_path / "b.xlsx", {"S": [*cells, ("Z9", formula, value, code)]})
    report = check_spreadsheet(path)
    (left,) = report.not_checked
    assert reason in str(left.reason) and left.text.startswith("S!Z9 =")
    assert report.clean and not report.findings


def test_names_stand_for_areas_in_their_sheet_before_the_book(tmp_path: Path) -> None:
    import openpyxl
    from openpyxl.workbook.defined_name import DefinedName

    made = openpyxl.Workbook()
    one = made.active
    other = made.create_sheet("Other")
    for sheet, first in ((one, 2), (other, 5)):
        for k in range(3):
            sheet.cell(k + 1, 1, first + k)
    made.defined_names["Scores"] = DefinedName("Scores", attr_text=f"{one.title}!$A$1:$A$3")
    other.defined_names["scores"] = DefinedName("scores", attr_text="Other!$A$1:$A$3")
    made.defined_names["near"] = DefinedName("near", attr_text=f"{one.title}!A1")  # of one cell left and one up, say
    made.defined_names["xyz1"] = DefinedName("xyz1", attr_text=f"{one.title}!$A$1")
    made.defined_names["Odd"] = DefinedName("Odd", attr_text="OFFSET(Sheet!A1,1,1)")
    made.save(tmp_path / "names.xlsx")
    book = read_book((tmp_path / "names.xlsx").read_bytes())
    for place, text, saved in (
        ((one.title, 5, 1), "=SUM(Scores)", 9),
        (("Other", 5, 1), "=SUM(SCORES)", 9),
        (("Other", 6, 1), "=Odd+1", 9),
        (("Other", 7, 1), "=near+1", 9),
        (("Other", 8, 1), "=xyz1+1", 3),
    ):
        book.formulas[place], book.values[place], book.formats[place] = Formula(text), saved, "0"
    found = check_book("names.xlsx", book)
    assert [(c.subject, c.entries[0].verdict) for c in found.findings] == [
        ("Sheet!A5", "exact"), ("Other!A5", "wrong"), ("Other!A8", "exact"),
    ]  # fmt: skip
    assert [n.text for n in found.not_checked] == ["Other!A6 =Odd+1", "Other!A7 =near+1"]


def test_what_was_not_computed_counts_as_given(tmp_path: Path) -> None:
    cells: list[Cell] = [("A1", "VLOOKUP(1,2,3)", 3, "0"), ("A2", "A1*2", 7, "0"), ("A3", "A2*2", 14, "0")]
    found = verdicts(write_book(tmp_path / "b.xlsx", {"S": cells}))
    assert found == {"S!A2": ("7", "wrong"), "S!A3": ("14", "carried")}


@pytest.mark.parametrize(
    ("formula", "value", "right"), [("7*2", 13, "14"), ("7/4", 2, "1.75"), ("1/3", 1, "0.333333333")]
)
def test_the_general_format_writes_no_zeros_behind(formula: str, value: int, right: str, tmp_path: Path) -> None:
    path = write_book(tmp_path / "b.xlsx", {"S": [("A1", formula, value, "General")]})
    (entry,) = check_spreadsheet(path).to_json()["claims"][0]["entries"]
    assert (entry["decimal"], entry["verdict"]) == (right, "wrong")


def test_what_a_number_follows_from_stands_apart_in_chinese(tmp_path: Path) -> None:
    cells: list[Cell] = [("A1", "7*2", 13, "0"), ("A2", "A1*2", 26, "0")]
    report = check_spreadsheet(write_book(tmp_path / "b.xlsx", {"S": cells}))
    assert "由 S!A1 引起" in report.to_text(language="zh")


def test_copies_of_a_formula_are_one_claim_and_sheets_are_told_apart(tmp_path: Path) -> None:
    first: list[Cell] = [("A1", "", 2, "0"), ("B1", "", 3, "0")]
    second: list[Cell] = [("C3", "Data!A1*2", 4, "0"), ("D3", "Data!B1*2", 6, "0"), ("C4", "SUM(C3:D3)", 10, "0")]
    report = check_spreadsheet(write_book(tmp_path / "b.xlsx", {"Data": first, "Doubled": second}))
    assert [(c.subject, c.shape, c.text) for c in report.findings] == [
        ("Doubled!C3:D3", (1, 2), "=Data!A1*2"),
        ("Doubled!C4", (1, 1), "=SUM(C3:D3)"),
    ]


def test_a_patch_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = attention(tmp_path, (10, 58, 58, 244), (0.03357, 1))
    before = path.read_bytes()
    assert run(["check", "--patch", str(path)]) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and "not patched" in told.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("target", ["text", "markdown", "html", "json", "github"])
def test_every_format_names_sheet_and_cell(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = attention(tmp_path, (10, 58, 58, 244), (0.03357, 1))
    assert run(["check", "--to", target, str(path)]) == 1
    out = capsys.readouterr().out
    assert "Scores!A5:B6" in out.replace("\\", "") and "B6" in out


def test_formulas_that_look_at_too_many_cells_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.checking.spreadsheets.MOST_LOOKED_AT", 1000)
    cells: list[Cell] = [(f"A{k}", f"SUM(B$1:B$400)+{k}", k, "0") for k in range(1, 5)]
    report = check_spreadsheet(write_book(tmp_path / "b.xlsx", {"S": cells}))
    assert report.clean and report.summary == {"exact": 2}
    assert str(report.not_checked[-1].reason).endswith("too many cells")


@pytest.mark.parametrize(
    ("part", "content", "said"),
    [
        ("xl/vbaProject.bin", b"x", "macros"),
        ("xl/much.xml", b" " * 100_000_001, "unpacks to more than 100 MB"),
        ("xl/entities.xml", b"<!DOCTYPE a>", "damaged"),
    ],
)
def test_bombs_and_macros_are_one_line(
    part: str, content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = attention(tmp_path, (10, 58, 58, 234), (0.03357, 1))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(part, content)
    assert run(["check", str(path)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and said in told.err


def test_what_is_no_spreadsheet_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.xlsx").write_text("a,b")
    assert run(["check", str(tmp_path / "b.xlsx"), str(tmp_path / "none.xlsx")]) == 2
    assert capsys.readouterr().err.count("\n") == 2
