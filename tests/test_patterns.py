"""Patterns are compiled when they are first used; here all of them are."""

import gc
import importlib
import pkgutil
import re

import pytest

import symattn
from symattn.patterns import _Uncompiled, is_found_by, regex


def test_every_pattern_of_the_package_compiles():
    for module in pkgutil.walk_packages(symattn.__path__, "symattn."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    patterns = [each for each in gc.get_objects() if isinstance(each, _Uncompiled)]
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
