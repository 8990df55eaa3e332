"""Arrays from files: .npy, .npz and .safetensors, matrix by matrix, so that no more than one head is held.

Nothing in a file is ever run: NumPy's header is parsed as a literal, objects and pickles are refused, a safetensors
header is JSON. Formats: numpy.lib.format; https://github.com/huggingface/safetensors.
"""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from symattn.errors import InputError, SymattnError
from symattn.values.floats.formats import FORMATS
from symattn.writing.prose import Sentence

Array = NDArray[Any]
SUFFIXES = (".npy", ".npz", ".safetensors")
LARGEST_HEADER = 100_000_000  # as safetensors itself has it
MOST_NUMBERS = 1_000_000  # in a matrix of a derivation
KINDS = "fiu"  # floats and integers, by NumPy's letters
# name in a safetensors header: the dtype that holds its bytes, and how these are read if that is not all
STORED = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "F8_E4M3": "u1", "F8_E5M2": "u1",
}  # fmt: skip
PATTERNS = {"BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2"}


@dataclass(frozen=True)
class Stored:
    """An array in a file: its shape, and its matrices (the last two axes) one after another."""

    place: str  # file: key
    shape: tuple[int, ...]
    format: str  # of its numbers
    opened: Callable[[], Iterator[Array]]

    @property
    def heads(self) -> int:
        """How many matrices there are."""
        return math.prod(self.shape[:-2])

    def matrices(self) -> Iterator[Array]:
        """Each matrix, as bit patterns for formats that NumPy does not know. Raises InputError for a truncated file."""
        try:
            yield from self.opened()
        except SymattnError:
            raise
        except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
            raise InputError(Sentence("array_broken", reason=_short(error)), place=self.place) from None


def read_arrays(path: Path) -> dict[str, Stored]:
    """The arrays of a file by key; that of an .npy file is its name. Raises InputError with the file (and the key)."""
    reader = {".npy": _npy, ".npz": _npz, ".safetensors": _safetensors}.get(path.suffix.lower())
    if reader is None:
        raise InputError(Sentence("array_suffix", known=", ".join(SUFFIXES)), place=str(path))
    try:
        return reader(path)
    except SymattnError:
        raise
    except OSError as error:
        raise InputError(Sentence("cannot_open", reason=error.strerror or _short(error)), place=str(path)) from None
    except (ValueError, EOFError, zipfile.BadZipFile, NotImplementedError, RecursionError) as error:
        raise InputError(Sentence("array_broken", reason=_short(error)), place=str(path)) from None


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__


# --- NumPy's own files


def _header(file: IO[bytes], place: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read(file, max_header_size=10_000)
    except Exception as error:  # NumPy lets through whatever its tokenizer and literal_eval raise
        raise InputError(Sentence("array_broken", reason=_short(error)), place=place) from None
    if dtype.hasobject or dtype.kind not in KINDS or dtype.itemsize > 8:
        raise InputError(Sentence("array_kind", kind=str(dtype)[:40]), place=place)
    return shape, fortran, dtype


def _npy(path: Path) -> dict[str, Stored]:
    with path.open("rb") as file:
        shape, fortran, dtype = _header(file, str(path))
        start = file.tell()
    if math.prod(shape) * dtype.itemsize > path.stat().st_size - start:
        raise InputError(Sentence("array_truncated"), place=str(path))

    def matrices() -> Iterator[Array]:
        whole = np.memmap(path, dtype, "r", start, shape, "F" if fortran else "C")
        for index in np.ndindex(shape[:-2]):
            yield np.array(whole[index])

    return {path.stem: Stored(str(path), shape, dtype.name, matrices)}


def _npz(path: Path) -> dict[str, Stored]:
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            key = name.removesuffix(".npy")
            with archive.open(name) as file:
                place = f"{path}: {key}"
                try:
                    shape, fortran, dtype = _header(file, place)
                except InputError as error:  # said when that key is asked for
                    found[key] = _refuse(place, error)
                    continue
            found[key] = Stored(place, shape, dtype.name, _member(path, name, shape, fortran, dtype))
    return found


def _refuse(place: str, error: InputError) -> Stored:
    def refuse() -> Iterator[Array]:
        raise error

    return Stored(place, (0, 0), "", refuse)


def _member(
    path: Path, name: str, shape: tuple[int, ...], fortran: bool, dtype: np.dtype[Any]
) -> Callable[[], Iterator[Array]]:
    def matrices() -> Iterator[Array]:
        if fortran and len(shape) > 2:
            raise InputError(Sentence("array_fortran"), place=f"{path}: {name}")
        with zipfile.ZipFile(path) as archive, archive.open(name) as file:
            _header(file, str(path))
            count = math.prod(shape[-2:])
            for _ in range(math.prod(shape[:-2])):
                block = file.read(count * dtype.itemsize)
                if len(block) < count * dtype.itemsize:
                    raise InputError(Sentence("array_truncated"), place=f"{path}: {name}")
                yield np.frombuffer(block, dtype).reshape(shape[-2:], order="F" if fortran else "C")

    return matrices


# --- safetensors


def _safetensors(path: Path) -> dict[str, Stored]:
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or not 2 <= length <= min(LARGEST_HEADER, size - 8):
            raise InputError(Sentence("array_truncated"), place=str(path))
        header = json.loads(file.read(length).decode("utf-8"))
    if not isinstance(header, dict):
        raise InputError(Sentence("array_broken", reason="header"), place=str(path))
    start, found = 8 + length, {}
    for key, entry in header.items():
        if key != "__metadata__":
            found[key] = _tensor(path, key, entry, start, size)
    return found


def _tensor(path: Path, key: str, entry: Any, start: int, size: int) -> Stored:
    place = f"{path}: {key[:60]}"
    try:
        kind, shape = str(entry["dtype"]), tuple(entry["shape"])
        first, last = entry["data_offsets"]
        if not all(type(n) is int and n >= 0 for n in (*shape, first, last)):
            raise ValueError("shape")
    except (TypeError, KeyError, ValueError):
        raise InputError(Sentence("array_broken", reason="header"), place=place) from None
    if kind not in STORED:
        return _refuse(place, InputError(Sentence("array_kind", kind=kind[:40]), place=place))
    dtype = np.dtype(STORED[kind])
    if last - first != math.prod(shape) * dtype.itemsize:
        raise InputError(Sentence("array_broken", reason="data_offsets"), place=place)
    if start + last > size:
        raise InputError(Sentence("array_truncated"), place=place)

    def matrices() -> Iterator[Array]:
        whole = np.memmap(path, dtype, "r", start + first, shape)
        for index in np.ndindex(shape[:-2]):
            yield np.array(whole[index])

    return Stored(place, shape, PATTERNS.get(kind, dtype.name), matrices)


def matrix_from(place: Path, key: str | None) -> list[list[Any]]:
    """The rows of a matrix in a file, each number as NumPy has it.

    Raises InputError where it is no matrix of numbers, or holds more than a derivation takes.
    """
    stored = pick(read_arrays(place), key, place)
    if len(stored.shape) != 2 or not all(stored.shape):
        raise InputError(Sentence("array_shape", shape=by(stored.shape)), place=stored.place)
    if math.prod(stored.shape) > MOST_NUMBERS:
        raise InputError(
            Sentence("array_too_large", count=math.prod(stored.shape), most=MOST_NUMBERS), place=stored.place
        )
    (matrix,) = stored.matrices()
    numbers = numbers_of(stored, matrix)
    return [list(row) for row in numbers]


def pick(arrays: dict[str, Stored], key: str | None, place: Path) -> Stored:
    """The array of that key, or the only one. Raises InputError that names those there are."""
    if key is None and len(arrays) == 1:
        return next(iter(arrays.values()))
    if key is None or key not in arrays:
        known = ", ".join(list(arrays)[:20]) or "-"
        raise InputError(Sentence("array_key", name=key or "", known=known), place=str(place))
    return arrays[key]


def numbers_of(stored: Stored, matrix: Array) -> Array:
    """A matrix with its bit patterns decoded. Raises InputError where a number is not finite, naming its place."""
    pattern = stored.format in PATTERNS.values()
    numbers = FORMATS[stored.format].decode(matrix) if pattern else matrix
    if numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
        i, j = np.argwhere(~np.isfinite(numbers))[0]
        value, row, column = str(numbers[i, j]), int(i) + 1, int(j) + 1
        raise InputError(Sentence("array_not_finite", value=value, row=row, column=column), place=stored.place)
    return numbers


def by(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "()"
