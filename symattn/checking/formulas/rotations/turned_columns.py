"""RoPE row by row: (x_1, x_2, …) ⊙ (cos φ_1, cos φ_1, …) + (−x_2, x_1, …) ⊙ (sin φ_1, sin φ_1, …)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.rotations.judge import accept_turn, is_about_rotations
from symattn.checking.formulas.rotations.turned_pairs import signed
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.symbols import spell
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ELEMENTWISE = frozenset(("⊙", "⊗", "∘", "*", "·"))
_Column = tuple[f.Expression, ...]


@dataclass(frozen=True)
class _Row:
    """x cos φ ± y sin ψ."""

    own: f.Name
    other: f.Name
    sign: int
    cosine: tuple[f.Expression, ...]
    sine: tuple[f.Expression, ...]


def judge_turned_columns(statement: Statement, context: Context) -> Formula | None:
    """The four columns of a rotation: every pair of rows turns by one angle, −x_2 in the first, x_1 in the second."""
    if len(statement.equals) != 2 or not isinstance(statement.equals[1], f.Sum):
        return None
    rows = _read_rows(statement.equals[1])
    if rows is None or not context.once(is_about_rotations):
        return None
    by_own = {row.own: row for row in rows}
    if len(by_own) < len(rows):
        return None
    signs: set[tuple[int, int]] = set()
    for at, row in enumerate(rows):
        if row.other == row.own:
            return _refused(statement, row, "π/2", str(row.sign), "0")
        partner = by_own.get(row.other)
        if partner is None or partner.other != row.own:
            return None  # what pairs there are is not seen from the rows that are printed
        if row.cosine != row.sine or row.cosine != partner.cosine:
            return refuse(statement, Sentence("theorem.turned_pair"))
        if row.sign == partner.sign:
            first, sides = at < rows.index(partner), ("√2", "0")
            return _refused(statement, row, "π/4", *(sides if first == (row.sign == 1) else sides[::-1]))
        signs.add((row.sign, partner.sign) if at < rows.index(partner) else (partner.sign, row.sign))
    if signs in ({(-1, 1)}, {(1, -1)}):
        return accept_turn(statement, clockwise=signs == {(1, -1)})
    return refuse(statement, Sentence("theorem.turned_pair"))


def _refused(statement: Statement, row: _Row, angle: str, printed: str, right: str) -> Formula | None:
    """The row at which a vector of ones in its pair, or in its one feature, is turned wrongly."""
    letters = dict.fromkeys(spell(x.symbol) for x in (row.own, row.other))
    shown = (*((letter, "1") for letter in letters), ("angle", angle))
    return refuse(statement, Sentence("theorem.turned_pair"), None, Counterexample(shown, printed, right))


def _read_rows(e: f.Sum) -> list[_Row] | None:
    """The rows that are printed; None where the two products are not those of features with cosines and with sines."""
    found: dict[str, tuple[_Column, _Column]] = {}
    for term, sign in zip(e.terms, e.signs, strict=True):
        if not isinstance(term, f.Product) or len(term.factors) != 2 or sign != 1:
            return None
        columns = [_column(factor) for factor in term.factors]
        if term.operators[0] not in _ELEMENTWISE or None in columns:
            return None
        for features, angles in (columns, columns[::-1]):
            assert features is not None and angles is not None
            functions = {x.function if isinstance(x, f.Call) else "" for x in angles if not isinstance(x, f.Dots)}
            if functions in ({"cos"}, {"sin"}):
                found[functions.pop()] = features, angles
    if len(found) != 2 or len({len(column) for pair in found.values() for column in pair}) != 1:
        return None
    return _rows(*found["cos"], *found["sin"])


def _rows(own: _Column, cosines: _Column, other: _Column, sines: _Column) -> list[_Row] | None:
    rows: list[_Row] = []
    for x, c, y, s in zip(own, cosines, other, sines, strict=True):
        if any(isinstance(part, f.Dots) for part in (x, c, y, s)):
            continue
        sign, y = signed(y)
        if not isinstance(x, f.Name) or not isinstance(y, f.Name):
            return None
        assert isinstance(c, f.Call) and isinstance(s, f.Call)
        rows.append(_Row(_bare(x), _bare(y), sign, c.arguments, s.arguments))
    return rows if len(rows) > 1 else None


def _bare(name: f.Name) -> f.Name:
    return replace(name, sub=tuple(part.strip("()") for part in name.sub))


def _column(e: f.Expression) -> _Column | None:
    """The cells of one column, or of one row."""
    if isinstance(e, f.Transpose):
        return _column(e.operand)
    if not isinstance(e, f.Matrix) or not (len(e.rows) == 1 or {len(row) for row in e.rows} == {1}):
        return None
    return e.rows[0] if len(e.rows) == 1 else tuple(row[0] for row in e.rows)
