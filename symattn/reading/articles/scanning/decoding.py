"""Bytes to text, or a refusal that names the byte."""

from __future__ import annotations

from symattn.errors import InputError
from symattn.writing.prose import Sentence

MOST_BYTES = 20_000_000  # an article of this size has some hundred thousand formulas


ARCHIVE = b"PK\x03\x04"  # what .xlsx and .zip begin with
PDF = b"%PDF-"


def decode(data: bytes, path: str) -> str:
    """The text of a file: UTF-8, or UTF-16 with a byte order mark. The mark and the line ends are kept.

    Raises InputError, which names the offset of the first byte that is wrong, for other encodings, for
    binary data and for more than 20 MB.

    >>> decode("√2".encode(), "a.txt")
    '√2'
    """
    refuse_size(len(data), path)
    if data.startswith(ARCHIVE):
        raise InputError(Sentence("article_archive"), place=path)
    if data.startswith(PDF):
        raise InputError(Sentence("article_pdf"), place=path)
    try:
        text = data.decode(encoding_of(data))
    except UnicodeDecodeError as error:
        raise InputError(Sentence("not_utf8"), place=f"{path}: byte {error.start}") from None
    if "\0" in text:
        offset = data.index(b"\0")
        raise InputError(Sentence("article_not_text"), place=f"{path}: byte {offset}")
    return text


def encoding_of(data: bytes) -> str:
    """What the byte order mark says; UTF-8 without one."""
    return {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(data[:2], "utf-8")


def refuse_size(size: int, path: str) -> None:
    """Raise InputError where a file is larger than what is read, before it is read."""
    if size > MOST_BYTES:
        raise InputError(Sentence("article_too_large", size=size, most=MOST_BYTES), place=path)
