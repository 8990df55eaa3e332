"""What works with what: kinds, masks and options as rows, passes over a calculation as columns, every cell tried.

A cell holds if the call returns and its numbers agree: digits with the plain NumPy function, gradients of the engine
with lowered ones, fast with plain, several heads with the plain function of them, a worksheet with the node that it
must state, a check with claims that are right and one that is not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from sympy import Basic, Integer, MatrixSymbol, Rational
from table.rows import COLUMNS, NUMBERS, ROWS, D, Row, c, d, e, m, n, r, u

from symattn import check_worksheet, derive, differentiate, lower, measure_saturation
from symattn.nodes import (
    MultiHead,
    Rotary,
    RotaryEmbedding,
)
from symattn.reading.worksheets.worksheet import parse_worksheet


def _values(expression: Any) -> dict[Any, Any]:
    found = {x: NUMBERS.get(x.name) or _weights(x) for x in expression.atoms(MatrixSymbol)}
    columns = {x for x in expression.atoms(MatrixSymbol) if x.shape[1] == 1}
    found |= {x: COLUMNS[x.name] for x in columns if x.name in COLUMNS}
    found |= {x: rows[: x.shape[0]] for x, rows in found.items() if x.shape[0].is_Integer}
    return {x: _of_four(x.name, rows) if x.shape[1] == 4 else rows for x, rows in found.items()}


def _of_four(name: str, rows: Any) -> Any:
    """Rows of four numbers, of queries and keys of two, or of what comes into a layer of three."""
    if name in ("Q", "K"):
        return [row + row[::-1] for row in rows]
    return [[*row, 2] for row in rows] if name == "X" else rows


def _weights(x: MatrixSymbol) -> list[list[int]]:
    """The numbers of a projection of heads of width 2."""
    rows, columns = (max(4, size) if size.is_Integer else 3 if size.is_Symbol else 4 for size in x.shape)
    return [[(2 * k + 3 * t + k * t) % 5 - 2 for t in range(columns)] for k in range(3 if x.name[0] == "W" else rows)]


def _arrays(expression: Any) -> dict[str, Any]:
    return {
        x.name: np.array([[float(Rational(str(y))) for y in row] for row in rows]).astype(
            bool if x.name == "M" else float
        )
        for x, rows in _values(expression).items()
    }


def _known(row: Row, expression: Any) -> Any:
    return expression.xreplace(row.numbers)


# what the columns of a row share is made once: a derivation with its values, a function

_lowered = lru_cache(maxsize=16)(lower)


def _derived(row: Row) -> Any:
    return _of_row(row.name)[0]


def _lettered(row: Row) -> Any:
    return _of_row(row.name)[1]


@lru_cache(maxsize=2)
def _of_row(name: str) -> tuple[Any, Any]:
    row = ROWS[name]
    return derive(_known(row, row.expression), _values(row.expression)), derive(row.expression)


def _called(row: Row, expression: Any, **options: Any) -> Any:
    f = _lowered(expression, **options)
    arrays = _arrays(expression)
    if options.get("gradient"):
        arrays["G"] = np.array(_upstream(_lowered(expression, style="plain")(**arrays, **_named(row)).shape), float)
    return f(**arrays, **_named(row))


def _named(row: Row) -> dict[str, int]:
    return {x.name: value for x, value in row.numbers.items()}


def _upstream(shape: tuple[int, ...]) -> list[list[int]]:
    return [[(3 * a + 2 * b) % 4 - 1 for b in range(shape[1])] for a in range(shape[0])]


def _floats(matrix: Any) -> Any:
    return np.array([[float(x) for x in row] for row in matrix.tolist()])


def _latex(row: Row) -> None:
    assert _lettered(row).to_latex() and _derived(row).to_latex()


def _told(**page: Any) -> Callable[[Row], None]:
    def tell(row: Row) -> None:
        assert _lettered(row).to_latex(**page) and _derived(row).to_text(**page)

    return tell


def _heads(row: Row) -> None:
    if row.heads is None:
        raise NotImplementedError
    options = {name: x for name, x in row.heads.items() if name != "rows"}
    if isinstance(options.get("rotary"), RotaryEmbedding):
        options["rotary"] = _rotary(options["rotary"])
    x = MatrixSymbol("X", row.heads.get("rows", n), D)
    keys = {m: x.shape[0]}
    options = {name: y.xreplace(keys) if isinstance(y, Basic) else y for name, y in options.items()}
    if isinstance(options.get("mask"), tuple):
        options["mask"] = tuple(options["mask"])
    options = {w: MatrixSymbol(w, D, 2 * y) for w, y in (("W_Q", d), ("W_K", d), ("W_V", e))} | options
    layer = MultiHead(x, heads=2, **options)
    found = derive(_known(row, layer), _values(layer))
    plain = _called(row, layer, style="plain")
    np.testing.assert_allclose(_floats(found["concat"].evaluate(20)), plain, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(_called(row, layer), plain, rtol=1e-10, atol=1e-12)


def _rotary(node: RotaryEmbedding) -> Any:
    return Rotary(*node.args[1:])


def _digits(row: Row) -> None:
    name = _lettered(row).families.steps[-1].name
    found = _floats(_derived(row)[name].evaluate(20))
    np.testing.assert_allclose(found, _called(row, row.expression, style="plain"), rtol=1e-10, atol=1e-12)


def _saturation(row: Row) -> None:
    assert measure_saturation(_derived(row)).rows


def _gradient(row: Row) -> None:
    assert differentiate(_lettered(row)).to_latex()
    wanted = _called(row, row.expression, style="plain", gradient=True)
    made = _derived(row)
    G = _upstream(wanted["output"].shape)
    back = differentiate(made, G=G)
    for name in (name for name in wanted if name != "output"):
        np.testing.assert_allclose(_floats(back[name].evaluate(15)), wanted[name], rtol=1e-9, atol=1e-10)


def _plain(row: Row) -> None:
    assert np.asarray(_called(row, row.expression, style="plain")).ndim == 2


def _fast(row: Row) -> None:
    plain = _called(row, row.expression, style="plain")
    np.testing.assert_allclose(_called(row, row.expression), plain, rtol=1e-10, atol=1e-12)


def _fast_gradient(row: Row) -> None:
    plain = _called(row, row.expression, style="plain", gradient=True)
    for name, found in _called(row, row.expression, gradient=True).items():
        np.testing.assert_allclose(found, plain[name], rtol=1e-9, atol=1e-11)


_STATED = (
    "B",
    "M",
    "s",
    "b",
    "c",
    "lambda",
    "gamma",
    "pos",
    "t",
    "K_p",
    "Q_p",
    "V_p",
    "u_p",
    "v_p",
)  # symbols that lines of [attention] state


def _sheet(row: Row) -> str:
    """The worksheet that states the row: in letters where some of it has no numbers."""
    if row.lines is None:
        raise NotImplementedError
    own = [x for x in sorted(row.expression.atoms(MatrixSymbol), key=str) if x.name not in _STATED]
    letters = bool(row.numbers) or "n x m" in row.lines
    lines = [f'{x.name} = "{x.shape[0]} x {x.shape[1]}"' if letters else f"{x.name} = {_values(x)[x]}" for x in own]
    return "\n".join(["[inputs]", *lines, "[attention]", row.lines, ""]).replace("'", '"')


def _worksheet(row: Row) -> None:
    stated = parse_worksheet(_sheet(row)).expression
    alike = (stated, stated.xreplace({m: n}), stated.xreplace({d: Integer(4)}))  # as many keys as queries; four columns
    assert row.expression in alike


def _shapes(row: Row) -> None:
    assert _lettered(row).shapes(batch="b") and _derived(row).shapes(batch=2)


def _costs(row: Row) -> None:
    for costs in (_lettered(row).costs(batch="b"), _derived(row).costs()):
        assert costs.total.numbers and not costs.not_counted


def _check(row: Row) -> None:
    """A worksheet's claims: right ones are right, one that is off by a tenth is wrong."""
    text = _sheet(row)
    if not parse_worksheet(text).values:
        raise NotImplementedError
    name = _lettered(row).families.steps[-1].name
    rows = [[f"{float(x) + 0.0:.2f}" for x in line] for line in _derived(row)[name].evaluate(20).tolist()]
    with tempfile.TemporaryDirectory() as folder:
        for wrong in (False, True):
            rows[0][0] = f"{float(rows[0][0]) + 0.1:.2f}" if wrong else rows[0][0]
            path = Path(folder) / "sheet.toml"
            path.write_text(f"{text}[claims]\n{name} = {rows}\n".replace("'", '"'), encoding="utf-8")
            assert check_worksheet(path).summary.get("wrong", 0) == wrong


CELLS: dict[str, Callable[[Row], None]] = {
    "LaTeX": _latex,
    "token": _told(level="token"),
    "index": _told(level="index"),
    "columns": _told(notation="prince"),
    "heads": _heads,
    "digits": _digits,
    "saturation": _saturation,
    "gradient": _gradient,
    "plain": _plain,
    "fast": _fast,
    "fast gradient": _fast_gradient,
    "worksheet": _worksheet,
    "shapes": _shapes,
    "costs": _costs,
    "check": _check,
}


def try_cell(row: Row, name: str) -> str:
    """Nothing where the cell holds, else what stands in the way."""
    try:
        CELLS[name](row)
    except NotImplementedError:
        return "none"
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
    return ""


# --- the table

EMPTY = {  # why a cell is empty, by row ("" for all of them) and column
    ("softmax over columns", "heads"): "no attention: an expression of its own",
    ("softmax over columns", "worksheet"): "no attention: an expression of its own",
    ("retention", "saturation"): "has no softmax that could saturate",
    ("retention, γ a symbol", "saturation"): "has no softmax that could saturate",
    ("gated linear", "saturation"): "has no softmax that could saturate",
    ("state space", "saturation"): "has no softmax that could saturate",
    ("delta rule", "saturation"): "has no softmax that could saturate",
    ("gated delta rule", "saturation"): "has no softmax that could saturate",
    ("retention, γ a symbol, in chunks", "saturation"): "has no softmax that could saturate",
    ("retention, parallel", "saturation"): "has no softmax that could saturate",
    ("delta rule, in chunks", "saturation"): "has no softmax that could saturate",
    ("linear", "saturation"): "has no softmax that could saturate",
    ("linear, causal", "saturation"): "has no softmax that could saturate",
    ("linear, φ = exp", "saturation"): "has no softmax that could saturate",
    ("sparsemax", "saturation"): "has no softmax that could saturate",
    ("sparsemax, causal", "saturation"): "has no softmax that could saturate",
    ("entmax-1.5", "saturation"): "has no softmax that could saturate",
    ("sigmoid", "saturation"): "has no softmax that could saturate",
    ("sigmoid, −log m", "saturation"): "has no softmax that could saturate",
    ("sigmoid, a symbol", "saturation"): "has no softmax that could saturate",
    ("empty row: nan", "check"): "nan is no number that could be claimed",
    ("block", "heads"): "no attention: all heads share it",
    ("block", "saturation"): "has no softmax of scores",
    ("block", "worksheet"): "stated by `[[layer]]` and `[stack]`, which the tests of stacks try",
    ("block", "check"): "claims of stacks are tried by the tests of stacks",
    ("", "check"): "claims are numbers: a worksheet in letters has none",
}
HEADING = """# What works with what

Kinds, masks and options, and what can be done with them. Every cell is tried by a test (`tests/table`), which keeps
this file as it is: a mark means that the call returns and that its numbers agree, digits with the plain NumPy function,
gradients with each other, fast with plain, several heads with the plain function of them, a worksheet with the node
that it must state, a check with right and wrong claims. An o in the place of ✓ is a fast function that keeps n times m
numbers, as the plain one does. An empty cell has a line below that says why.

LaTeX: with numbers and in letters; token, index: other levels than matrix; columns: tokens as columns; heads: as
options of `MultiHead`; digits: certified; gradient: `differentiate`; plain, fast: `lower`; worksheet: a key of it.
"""


def line_of(row: Row) -> str:
    """The row of the table, every cell tried. Raises AssertionError for an empty cell without a reason."""
    marks = []
    for name in CELLS:
        found = try_cell(row, name)
        reason = _reason(row, name) if found else ""
        assert not found or reason, f"{row.name}, {name}: {found}"
        assert found or (row.name, name) not in EMPTY, f"{row.name}, {name} works: {EMPTY[row.name, name]}"
        marks.append(" " if found else "o" if _keeps_scores(row, name) else "✓")
    return f"| {row.name} | {' | '.join(marks)} |"


def _keeps_scores(row: Row, name: str) -> bool:
    """Whether a fast function has lines for scores of all queries and keys."""
    if not name.startswith("fast") or row.group == "block":  # which has no scores
        return False
    gradient = name == "fast gradient"
    made = _lowered(row.expression, gradient=True) if gradient else _lowered(row.expression)
    keys = {x.shape[0] for x in row.expression.atoms(MatrixSymbol)} - {d, e, c, u, r, Integer(1)}
    scores = any(step.shape[0] == row.expression.shape[0] and step.shape[1] in keys for step in made.program)
    kernels = ("attend_back",) if gradient else ("attend", "running_average")
    return scores and not any(f"{kernel}(" in made.module.own for kernel in kernels)


def _reason(row: Row, name: str) -> str:
    own = EMPTY.get((row.name, name), "")
    own = own or EMPTY.get((row.group, name), "")
    return own or (EMPTY["", name] if ("", name) in EMPTY and _in_letters(row) else "")


def _in_letters(row: Row) -> bool:
    return row.lines is None or not parse_worksheet(_sheet(row)).values


def document(lines: dict[str, str]) -> str:
    """The page, from the rows of the table by their names."""
    out = [HEADING]
    for group in dict.fromkeys(row.group for row in ROWS.values()):
        out += [f"| {group} | {' | '.join(CELLS)} |", f"|{'---|' * (len(CELLS) + 1)}"]
        out += [*(lines[row.name] for row in ROWS.values() if row.group == group), ""]
    out += ["## Why not", ""]
    out += [f"* {row + ', ' if row else ''}{name}: {reason}" for (row, name), reason in EMPTY.items()]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    written = document({row.name: line_of(row) for row in ROWS.values()})
    (Path(__file__).resolve().parents[2] / "docs" / "table.md").write_text(written, encoding="utf-8")
