"""From a file to an Article: mathematics found and located, whatever the format."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from symattn.errors import InputError
from symattn.reading.articles import html, markdown, notebook, tex
from symattn.reading.articles.article import Article
from symattn.reading.articles.scanning.decoding import MOST_BYTES, decode, encoding_of, refuse_size
from symattn.values.files import read_bytes, refuse_devices
from symattn.writing.prose import Sentence
from symattn.writing.reasons import reason_of

_READERS: dict[str, Callable[[str, str], Article]] = {
    ".md": markdown.read,
    ".markdown": markdown.read,
    ".mdx": markdown.read,
    ".tex": tex.read,
    ".ipynb": notebook.read,
    ".html": html.read,
    ".htm": html.read,
}


def read_article(where: str | os.PathLike[str], source: str | bytes | None = None) -> Article:
    r"""The article at a path (`-` is standard input), or in a text, given as `source` or in place of the path.

    The suffix of the path chooses the reader; anything unknown is read as plain text. Raises InputError
    with the file and the line and column (or the byte) for what cannot be read.

    >>> read_article("QK^T = [[1, 2]]\n").passages[0].text
    'QK^T = [[1, 2]]'
    >>> read_article("2 + 3 = 5").passages[0].text
    '2 + 3 = 5'
    >>> read_article("note.tex", "Then $d_k = 2$.").passages[0].text
    'd_k = 2'
    """
    path = os.fspath(where)
    if source is None and isinstance(where, str) and is_text(where):
        path, source = "text", where
    data = load(path) if source is None else source
    content = decode(data, path) if isinstance(data, bytes) else _checked(data, path)
    article = _READERS.get(Path(path).suffix.lower(), markdown.read)(content, path)
    return replace(article, encoding=encoding_of(data)) if isinstance(data, bytes) else article


_LONGEST_NAME = 255  # characters of a file's, on all usual systems


def is_text(where: str) -> bool:
    """Whether a string is an article and not the path of one: it has several lines, or an equation and no such file.

    Where a name would be longer than any file's, it is none.
    """
    if "\n" in where or max(map(len, where.split("/"))) > _LONGEST_NAME:
        return True
    named = Path(where).suffix.lower() in _READERS or os.path.exists(where)
    return not named and any(sign in where for sign in ("=", "≈", "→", r"\approx"))


def load(path: str) -> bytes:
    """The bytes of the article at a path, or of standard input. Raises InputError where they cannot be read."""
    if path == "-":
        if sys.stdin is None:
            raise InputError(Sentence("stdin_closed"), place=path)
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        refuse_size(refuse_devices(path).st_size, path)
        return read_bytes(path, MOST_BYTES)
    except InputError as error:
        raise error if error.place else error.at(path) from None
    except (FileNotFoundError, ValueError):
        raise InputError(Sentence("no_such_file"), place=path) from None
    except OSError as error:
        raise InputError(Sentence("file_not_readable", why=reason_of(error)), place=path) from None


def _checked(content: str, path: str) -> str:
    refuse_size(len(content), path)
    if "\0" in content:
        offset = content.index("\0")
        raise InputError(Sentence("article_not_text"), place=f"{path}: byte {offset}")
    return content
