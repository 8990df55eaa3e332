"""Products of matrices that are printed as tables of letters: (QKᵀ)_ij = q_i1 k_j1 + q_i2 k_j2 + …, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy
from sympy import Expr, Matrix

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import UnreadError, read_polynomial
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.work import spend
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

MOST_CELLS = 36  # of a table
MOST_PARTS = 40  # of a cell


def judge_tables(statement: Statement, context: Context) -> Formula | None:
    """A product of such matrices beside the table that it is said to be."""
    tables = context.once(_find_tables)
    sides = statement.equals
    product = next((side for side in sides if isinstance(side, f.Product)), None)
    printed = next((found for side in sides if (found := _read_table(side)) is not None), None)
    if not tables or product is None or printed is None:
        return None
    right = _multiply(product, tables)
    if right is None:
        return None
    spend(len(right))
    if right.shape == printed.shape and (right - printed).expand().is_zero_matrix:
        return conclude(statement, "holds", Sentence("formula.entries"))
    if not printed.free_symbols <= right.free_symbols:
        return None  # numbers that other lines give, or more than the product
    return refuse(statement, Sentence("formula.entries"), _written(statement, product, right))


def _find_tables(_: Article, statements: Sequence[Statement]) -> dict[f.Name, Matrix]:
    """The names that are said to be tables of letters, all different, the first time each."""
    found: dict[f.Name, Matrix] = {}
    for statement in statements:
        if len(statement.equals) == 2 and isinstance(statement.left, f.Name):
            table = _read_table(statement.equals[1])
            if table is not None and all(cell.is_Symbol for cell in table) and len(set(table)) == len(table):
                found.setdefault(_bare(statement.left), table)
    return found


def _bare(name: f.Name) -> f.Name:
    return f.Name(name.base, name.sub, name.sup)


def _read_table(e: f.Expression) -> Matrix | None:
    """A matrix whose cells are letters, or sums and products of letters."""
    if not isinstance(e, f.Matrix) or sum(map(len, e.rows)) > MOST_CELLS or len({len(row) for row in e.rows}) != 1:
        return None
    cells = [_read_cell(cell) for row in e.rows for cell in row]
    return None if None in cells or len(e.rows[0]) < 2 else Matrix(len(e.rows), len(e.rows[0]), cells)


def _read_cell(e: f.Expression) -> Expr | None:
    return None if sum(1 for _ in f.walk(e)) > MOST_PARTS else read_polynomial(e, _leaf)


def _leaf(e: f.Expression, _: object) -> Expr | None:
    """Letters with an index; no numbers, and products as signs of multiplication have them."""
    match e:
        case f.Name() if e.sub and not e.sup:
            return sympy.Symbol("_".join((e.base, *e.sub)))
        case f.Product(operators=operators) if all(sign in ("", "·", "*", "×") for sign in operators):
            return None
        case f.Sum():
            return None
    raise UnreadError


def _multiply(product: f.Product, tables: Mapping[f.Name, Matrix]) -> Matrix | None:
    """The product of names of tables, transposed or not; None with another factor, or where sizes do not fit."""
    found: Matrix | None = None
    for factor in product.factors:
        name = factor.operand if isinstance(factor, f.Transpose) else factor
        table = tables.get(_bare(name)) if isinstance(name, f.Name) else None
        if table is None:
            return None
        table = table.T if isinstance(factor, f.Transpose) else table
        if found is not None and found.cols != table.rows:
            return None
        found = table if found is None else found * table
    return found


def _written(statement: Statement, product: f.Product, table: Matrix) -> str:
    """What the first entry of the product is, in the article's letters."""
    text = statement.passage.text
    name = text[product.start : product.end].strip()
    terms = [" ".join(f"{base}_{{{places}}}" for base, _, places in (x.name.partition("_") for x in _ordered(term)))
             for term in sympy.Add.make_args(table[0, 1])]  # fmt: skip
    return f"({name})_{{12}} = {' + '.join(terms)}"


def _ordered(term: Expr) -> list[sympy.Symbol]:
    """The letters of a term, those of the first matrix first."""
    return sorted((x for x in term.free_symbols if isinstance(x, sympy.Symbol)), key=lambda x: x.name, reverse=True)
