"""A mutant of a function that lives is put in, whatever the collector of garbage has been told to overlook."""

import gc
import inspect
from pathlib import Path

from symattn.reading.articles.scanning import continuation
from tests.mutants.__main__ import _exchange
from tests.mutants.changes import mutants


def test_a_mutant_is_put_in() -> None:
    path = Path(inspect.getfile(continuation)).resolve()
    mutant = next(m for m in mutants(path.read_text(encoding="utf-8")) if m.function[0] == "_ends")
    whole = continuation._ends.__code__
    gc.freeze()
    try:
        _exchange(mutant.put_in(), {mutant.function}, path)
        assert continuation._ends.__code__ is not whole
    finally:
        continuation._ends.__code__ = whole
        gc.freeze()
