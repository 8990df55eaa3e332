"""The worst files that were found: each is refused in one line of bounded length, within time and memory."""

import io
import json
import os
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from measuring import measure

from tests.processor_time import slowness

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
SHEET = "[inputs]\nQ = [[1, 2], [3, 4]]\nK = [[1, 2], [3, 4]]\nV = [[1, 0], [0, 1]]\n"
LONG = 4_000_000  # digits
SECONDS, MEBIBYTES = 10, 700


def sheet(text: str) -> Callable[[], object]:
    return lambda: Path("w.toml").write_text(text)


def npy(header: str, numbers: bytes = bytes(8)) -> bytes:
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + numbers


def array(values: object) -> bytes:
    held = io.BytesIO()
    np.save(held, np.asarray(values, dtype=float))
    return held.getvalue()


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return held.getvalue()


def encrypted() -> bytes:
    data = bytearray(archive({"scores.npy": array(np.eye(2))}))
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def damaged(method: int) -> bytes:
    data = bytearray(archive({"scores.npy": array(np.random.default_rng(1).random((300, 300)))}, method))
    middle = len(data) // 2
    data[middle : middle + 8] = bytes(byte ^ 0x5A for byte in data[middle : middle + 8])
    return bytes(data)


def endless() -> bytes:
    """A member whose header says that it is 4 GB long, and packs 50 MB of blanks into little."""
    start = b"\x93NUMPY\x02\x00" + struct.pack("<I", 4_000_000_000)
    return archive({"scores.npy": start + b" " * 50_000_000}, zipfile.ZIP_DEFLATED)


def tensors(header: bytes) -> bytes:
    return struct.pack("<Q", len(header)) + header + bytes(8)


def saved(name: str, data: bytes | Callable[[], bytes]) -> Callable[[], object]:
    return lambda: Path(name).write_bytes(data if isinstance(data, bytes) else data())


def linked(name: str) -> Callable[[], object]:
    return lambda: os.symlink("/dev/zero", name)


NUMBER = ["derive", "w.toml"]
CASES: dict[str, tuple[Callable[[], object], list[str], str]] = {
    "digits in an entry": (sheet(f"[inputs]\nQ = [[{'7' * LONG}]]\n"), NUMBER, "more than 1000 digits"),
    "digits in a title": (sheet(f"title = {'7' * LONG}\n{SHEET}"), NUMBER, "more than 1000 digits"),
    "digits of 16": (sheet(f"title = 0x{'f' * LONG}\n{SHEET}"), NUMBER, "more than 1000 digits"),
    "some digits of 16": (sheet(f"title = 0x{'f' * 9000}\n{SHEET}"), NUMBER, "more than 1000 digits"),
    "a dotted key": (sheet(".".join("a" * 100_000) + f" = 1\n{SHEET}"), NUMBER, "nested too deeply"),
    "a dotted table": (sheet("[" + " . ".join("a" * 100_000) + f"]\n{SHEET}"), NUMBER, "nested too deeply"),
    "nested tables": (sheet(f"title = {'{a=' * 100_000}\n{SHEET}"), NUMBER, "nested too deeply"),
    "a mask of an integer": (
        sheet(f"{SHEET}[attention]\nmask = {{ finite = -1e9, of = 5 }}\n"), NUMBER, "unknown mask",
    ),
    "a device": (linked("w.toml"), NUMBER, "is a device, not a file"),
    "a device as an article": (linked("a.md"), ["check", "a.md"], "is a device, not a file"),
    "a device as arrays": (linked("a.npz"), ["saturation", "a.npz"], "is a device, not a file"),
    "a pipe as arrays": (lambda: os.mkfifo("a.npz"), ["saturation", "a.npz"], "is a folder or a pipe"),
    "a long name": (lambda: None, ["derive", "x" * 5000 + ".toml"], "no built-in derivation"),
    "a long name of an article": (lambda: None, ["check", "x" * 5000 + ".md"], "too long"),
    "a long name to write": (sheet(SHEET), [*NUMBER, "-o", "x" * 5000 + ".md"], "too long"),
    "a long step": (sheet(SHEET), [*NUMBER, "--step", "x" * 100_000], "the steps are"),
    "an encrypted archive": (saved("a.npz", encrypted), ["saturation", "a.npz"], "is encrypted"),
    "an endless header": (saved("a.npz", endless), ["saturation", "a.npz"], "damaged or not an array file"),
    "a shape of truths": (
        saved("a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (True, True)}")),
        ["saturation", "a.npy"], "damaged or not an array file: shape",
    ),
    "a complex scale": (
        saved("a.npz", archive({"Q.npy": array(np.eye(8)), "K.npy": array(np.eye(8))})),
        ["saturation", "a.npz", "--scale", "sqrt(3-d_k)"], "is not an exact scale",
    ),
    "entries of 1e308": (
        saved("a.npy", array([[1e308, -1e308], [1e308, 1e307]])), ["saturation", "a.npy", "--scale", "100"],
        "scores of more than 10^18",
    ),
    "scores of 1e100": (
        saved("a.npy", lambda: array(np.random.default_rng(0).standard_normal((16, 16)) * 1e100)),
        ["saturation", "a.npy"], "scores of more than 10^18",
    ),
    "a row of 2 million": (
        saved("a.npy", lambda: array(np.zeros((1, 2_000_000)))), ["saturation", "a.npy"], "at most 262144 are ranked",
    ),
    "200,000 heads": (
        saved("a.npy", lambda: array(np.zeros((200_000, 1, 1)))), ["saturation", "a.npy"], "at most 50000 heads",
    ),
    "digits in a header": (
        saved("a.safetensors", tensors(b'{"Q": {"shape": [' + b"7" * LONG + b"]}}")),
        ["saturation", "a.safetensors"], "damaged or not an array file",
    ),
    "long names of arrays": (
        saved("a.npz", archive({"x" * 50_000 + f"{k}.npy": array([[1]]) for k in range(20)})),
        ["saturation", "a.npz"], "needs Q and K, or scores",
    ),
}  # fmt: skip
CASES |= {
    f"a damaged archive ({method})": (
        saved("a.npz", lambda method=method: damaged(method)), ["saturation", "a.npz"], "is damaged",
    )
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("write", "arguments", "said"), CASES.values(), ids=CASES)
def test_it_is_refused(
    write: Callable[[], object], arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write()
    done = measure(tmp_path, *arguments)
    assert done.code == 2 and done.err.count("\n") == 1 and len(done.err) < 1100
    assert said in done.err
    assert done.seconds < SECONDS * slowness() and done.mebibytes < MEBIBYTES


@pytest.mark.slow
def test_a_notebook_with_a_long_number_is_checked(tmp_path: Path) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["$2 + 3 = 6$"]}]
    text = json.dumps({"cells": cells, "nbformat": 4})
    (tmp_path / "a.ipynb").write_text(f'{text[:-1]}, "x": {"7" * LONG}}}')
    done = measure(tmp_path, "check", "a.ipynb")
    # four million characters are gone through for words by some hundred patterns
    assert done.code == 1 and "1 number wrong" in done.out and done.seconds < 2 * SECONDS * slowness()


@pytest.mark.parametrize("name", ["a\nb.md", "2 = 3\n", "a b.md", "a\x1b[31m.md"])
def test_a_strange_name_is_that_of_a_file(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("$2 + 3 = 6$\n")
    done = measure(tmp_path, "check", name)
    assert done.code == 1 and "1 number wrong" in done.out and "\x1b" not in done.out + done.err


def test_symbols_without_claims_have_nothing_to_judge(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text('[inputs]\nQ = "n x d"\nK = "n x d"\nV = "n x d"\n')
    done = measure(tmp_path, "check", "w.toml")
    assert done.code == 0 and "fault" not in done.err


def test_numpy_warns_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(array(np.full((4, 4), 1e17)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert measure(tmp_path, "saturation", "a.npy").code == 0
