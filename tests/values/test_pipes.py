"""Files and pipes are read to their end, within a limit; a pipe that stays silent is not waited for."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from symattn.errors import InputError
from symattn.values import files

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def piped(path: Path, data: bytes) -> threading.Thread:
    """A pipe into which a thread writes as soon as somebody reads."""
    os.mkfifo(path)

    def write() -> None:
        with suppress(BrokenPipeError), open(path, "wb") as pipe:  # the reader may have enough
            pipe.write(data)

    made = threading.Thread(target=write, daemon=True)
    made.start()
    return made


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    data = bytes(range(256)) * 10_000  # 2.56 MB: more than a pipe holds at once
    writer = piped(tmp_path / "pipe", data)
    assert files.read_bytes(tmp_path / "pipe", 10_000_000) == data
    writer.join(10)


def test_no_more_is_read_than_one_byte_above_the_limit(tmp_path: Path) -> None:
    piped(tmp_path / "pipe", b"x" * 5000)
    assert files.read_bytes(tmp_path / "pipe", 1000) == b"x" * 1001
    (tmp_path / "file").write_bytes(b"x" * 5000)
    assert files.read_bytes(tmp_path / "file", 1000) == b"x" * 1001


def test_a_silent_pipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    os.mkfifo(tmp_path / "pipe")
    held = os.open(tmp_path / "pipe", os.O_RDWR)
    try:
        with pytest.raises(InputError, match=r"0\.05"):
            files.read_bytes(tmp_path / "pipe", 1000)
    finally:
        os.close(held)
