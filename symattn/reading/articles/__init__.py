"""From a file to an Article: mathematics found and located, whatever the format."""

from symattn.reading.articles.reader import load, read_article

__all__ = ["load", "read_article"]
