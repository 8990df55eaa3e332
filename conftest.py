"""A module is asked for its doctests only if there is a prompt in it: most have none, and each costs an import."""

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    found = yield
    if not any(isinstance(each, DoctestModule) for each in found) or b">>>" in file_path.read_bytes():
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]
