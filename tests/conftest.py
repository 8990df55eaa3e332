"""Random examples are new at every run, except in CI, where a run must mean the same tomorrow; none is timed."""

import os

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """The tests of one file are not worth several processes."""
    return 0 if len(config.args) == 1 and config.args[0].partition("::")[0].endswith(".py") else None
