"""From a file to an Article: mathematics found and located, whatever the format."""

from symattn.reading.articles.reader import read_article

__all__ = ["read_article"]
