"""Random examples are new at every run, except in CI, where a run must mean the same tomorrow; none is timed."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

# a file is compiled once, not by each process of the tests and of the command line that they start; before Hypothesis,
# whose eighty files pytest writes anew otherwise
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

from hypothesis import settings  # noqa: E402

gc.disable()  # while tests are collected: they all stay

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True, scope="session")
def _see_faults() -> Iterator[None]:
    """An exception that the checker does not expect fails the test, where users have it listed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symattn.checking.faults.CONTAINED", ())
        yield


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """The tests of one file are not worth several processes."""
    return 0 if len(config.args) == 1 and config.args[0].partition("::")[0].endswith(".py") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Files of tests are not looked through for examples, of which only what they share has any."""
    found = yield
    return [each for each in found if not (isinstance(each, DoctestModule) and file_path.name.startswith("test_"))]


def pytest_collection_finish() -> None:
    """Sixteen thousand tests stay to the end: the collector need not look through them again and again."""
    gc.freeze()
    gc.set_threshold(200_000, 10, 20)
    gc.enable()
