"""Patterns are compiled when they are first used; here all of them are."""

import importlib
import pkgutil
import re

import pytest

import symattn
from symattn.patterns import _Uncompiled, is_found_by, regex


def patterns_in(value):
    """The patterns that a value of a module is or holds."""
    if type(value).__name__ == _Uncompiled.__name__:  # of a package that another test may have loaded anew
        yield value
    elif isinstance(value, tuple | list | frozenset):
        for each in value:
            yield from patterns_in(each)
    elif isinstance(value, dict):
        yield from patterns_in(list(value.values()))


def test_every_pattern_of_the_package_compiles():
    found = pkgutil.walk_packages(symattn.__path__, "symattn.")
    modules = [importlib.import_module(each.name) for each in found if not each.name.endswith("__main__")]
    values = [value for module in modules for name, value in vars(module).items() if not name.startswith("__")]
    patterns = list(patterns_in(values))
    assert len(patterns) > 1000
    for each in patterns:
        assert each.groups >= 0, each.pattern  # asks the compiled one


def test_a_pattern_is_what_re_compiles():
    lazy, eager = regex(r"(?P<row>d)_\w+", re.IGNORECASE), re.compile(r"(?P<row>d)_\w+", re.IGNORECASE)
    text = "over D_k and d_v"
    assert [m.span() for m in lazy.finditer(text)] == [m.span() for m in eager.finditer(text)]
    assert lazy.sub("w", text) == eager.sub("w", text)
    assert (lazy.pattern, lazy.flags, lazy.groupindex) == (eager.pattern, eager.flags, eager.groupindex)
    assert is_found_by(lazy.search(text), lazy)
    assert not is_found_by(lazy.search(text), regex("d"))


def test_a_pattern_that_is_none_is_refused_when_it_is_used():
    with pytest.raises(re.error, match="unterminated"):
        regex("(").search("(")
