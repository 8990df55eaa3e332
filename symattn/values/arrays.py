"""Arrays from files: .npy, .npz and .safetensors, matrix by matrix, so that no more than one head is held.

Nothing in a file is ever run: NumPy's header is parsed as a literal, objects and pickles are refused, a safetensors
header is JSON. Formats: numpy.lib.format; https://github.com/huggingface/safetensors.
"""

from __future__ import annotations

import io
import json
import lzma
import math
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from symattn.errors import InputError, SymattnError
from symattn.values.files import refuse_devices
from symattn.values.floats.formats import FORMATS
from symattn.writing.prose import Sentence
from symattn.writing.reasons import reason_of
from symattn.writing.visible import clip

Array = NDArray[Any]
SUFFIXES = (".npy", ".npz", ".safetensors")
LARGEST_HEADER = 10_000_000  # of safetensors; that of a model with 100,000 tensors
LONGEST_HEADER = 10_000  # of NumPy
ENCRYPTED = 1  # a flag of members of archives
MOST_NUMBERS = 1_000_000  # in a matrix of a derivation
NAMED = 10  # arrays in a message
DAMAGED = (  # what Python's readers of archives raise
    *(OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(NotImplementedError, RuntimeError, RecursionError, KeyError, IndexError),
)
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

    def require(self) -> None:
        """Raise InputError where its header says that it cannot be used."""
        if self.format == "":
            next(self.matrices(), None)

    def matrices(self) -> Iterator[Array]:
        """Each matrix, as bit patterns for formats that NumPy does not know. Raises InputError for a truncated file."""
        try:
            yield from self.opened()
        except SymattnError:
            raise
        except DAMAGED as error:
            raise InputError(Sentence("array_broken", reason=_short(error)), place=self.place) from None


def read_arrays(path: Path) -> dict[str, Stored]:
    """The arrays of a file by key; that of an .npy file is its name. Raises InputError with the file (and the key)."""
    reader = {".npy": _npy, ".npz": _npz, ".safetensors": _safetensors}.get(path.suffix.lower())
    if reader is None:
        raise InputError(Sentence("array_suffix", known=", ".join(SUFFIXES)), place=str(path))
    try:
        if not stat.S_ISREG(refuse_devices(path).st_mode):  # a folder, or a pipe, in which nothing can be looked up
            raise InputError(Sentence("not_ordinary"))
        return reader(path)
    except SymattnError as error:
        raise error if error.place else error.at(str(path)) from None
    except DAMAGED as error:
        if isinstance(error, OSError) and error.strerror:  # the system's; bz2 has some of its own
            raise InputError(Sentence("cannot_open", reason=reason_of(error)), place=str(path)) from None
        raise InputError(Sentence("array_broken", reason=_short(error)), place=str(path)) from None


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__


# --- NumPy's own files


@dataclass(frozen=True)
class _Header:
    """What stands before the numbers of an array, in so many bytes."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]
    length: int

    @property
    def size(self) -> int:
        """The bytes of the header and its numbers."""
        return self.length + math.prod(self.shape) * self.dtype.itemsize


def _header(file: IO[bytes], place: str) -> _Header:
    start = io.BytesIO(file.read(LONGEST_HEADER))  # however long it says that it is
    try:
        version = npy.read_magic(start)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that Python 2 wrote: they are read as well
            shape, fortran, dtype = read(start, max_header_size=LONGEST_HEADER)
    except Exception as error:  # NumPy lets through whatever its tokenizer and literal_eval raise
        raise InputError(Sentence("array_broken", reason=_short(error)), place=place) from None
    if dtype.hasobject or dtype.kind not in KINDS or dtype.itemsize > 8:
        raise InputError(Sentence("array_kind", kind=str(dtype)[:40]), place=place)
    if not _are_sizes(shape):
        raise InputError(Sentence("array_broken", reason="shape"), place=place)
    return _Header(shape, fortran, dtype, start.tell())


def _are_sizes(numbers: Iterable[Any]) -> bool:
    """Whether these are whole numbers that a size or a place in a file can be."""
    return all(type(n) is int and 0 <= n < 1 << 63 for n in numbers)


def _npy(path: Path) -> dict[str, Stored]:
    with path.open("rb") as file:
        header = _header(file, str(path))
    if header.size > path.stat().st_size:
        raise InputError(Sentence("array_truncated"), place=str(path))
    shape = header.shape

    def matrices() -> Iterator[Array]:
        whole = np.memmap(path, header.dtype, "r", header.length, shape, "F" if header.fortran else "C")
        for index in np.ndindex(shape[:-2]):
            yield np.array(whole[index])

    return {path.stem: Stored(str(path), shape, header.dtype.name, matrices)}


def _npz(path: Path) -> dict[str, Stored]:
    found = {}
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            key = member.filename.removesuffix(".npy")
            place = f"{path}: {clip(key)}"
            try:
                header = _member_header(archive, member, place)
            except InputError as error:  # said when that key is asked for
                found[key] = _refuse(place, error)
                continue
            found[key] = Stored(place, header.shape, header.dtype.name, _member(path, member, header))
    return found


def _member_header(archive: zipfile.ZipFile, member: zipfile.ZipInfo, place: str) -> _Header:
    if member.flag_bits & ENCRYPTED:
        raise InputError(Sentence("array_encrypted"), place=place)
    with archive.open(member) as file:
        header = _header(file, place)
    if header.size > member.file_size:
        raise InputError(Sentence("array_truncated"), place=place)
    return header


def _refuse(place: str, error: InputError) -> Stored:
    def refuse() -> Iterator[Array]:
        raise error

    return Stored(place, (0, 0), "", refuse)


def _member(path: Path, member: zipfile.ZipInfo, header: _Header) -> Callable[[], Iterator[Array]]:
    shape, dtype, place = header.shape, header.dtype, f"{path}: {clip(member.filename)}"

    def matrices() -> Iterator[Array]:
        if header.fortran and len(shape) > 2:
            raise InputError(Sentence("array_fortran"), place=place)
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            file.read(header.length)
            count = math.prod(shape[-2:])
            for _ in range(math.prod(shape[:-2])):
                block = file.read(count * dtype.itemsize)
                if len(block) < count * dtype.itemsize:
                    raise InputError(Sentence("array_truncated"), place=place)
                yield np.frombuffer(block, dtype).reshape(shape[-2:], order="F" if header.fortran else "C")

    return matrices


# --- safetensors


def _safetensors(path: Path) -> dict[str, Stored]:
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or not 2 <= length <= min(LARGEST_HEADER, size - 8):
            raise InputError(Sentence("array_truncated"), place=str(path))
        header = json.loads(file.read(length).decode("utf-8"), parse_int=_short_integer)
    if not isinstance(header, dict):
        raise InputError(Sentence("array_broken", reason="header"), place=str(path))
    start, found = 8 + length, {}
    for key, entry in header.items():
        if key != "__metadata__":
            found[key] = _tensor(path, key, entry, start, size)
    return found


def _short_integer(digits: str) -> int:
    """An integer of JSON, which takes time beyond proportion if it is long. Raises ValueError."""
    if len(digits) > 40:
        raise ValueError("integer")
    return int(digits)


def _tensor(path: Path, key: str, entry: Any, start: int, size: int) -> Stored:
    place = f"{path}: {clip(key)}"
    try:
        kind, shape = str(entry["dtype"]), tuple(entry["shape"])
        first, last = entry["data_offsets"]
        if len(shape) > 64 or not _are_sizes((*shape, first, last)):
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
    stored.require()
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
        raise InputError(Sentence("array_key", name=clip(key or ""), known=names_of(arrays)), place=str(place))
    return arrays[key]


def names_of(arrays: Mapping[str, Stored]) -> str:
    """The names of the first of some arrays, for a message."""
    more = ["…"] if len(arrays) > NAMED else []
    return ", ".join([*(clip(name, 40) for name in list(arrays)[:NAMED]), *more]) or "-"


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
    return clip(" x ".join(map(str, shape)), 100) or "()"
