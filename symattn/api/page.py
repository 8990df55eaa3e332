"""What all results that users hold can do: be written as a page in every format, and show themselves in notebooks."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, Unpack

from symattn.errors import InputError, NotSupportedError
from symattn.pages.options import PageKeywords
from symattn.writing.choices import choice
from symattn.writing.document import Document
from symattn.writing.pdf import compile_pdf
from symattn.writing.prose import LANGUAGES, Sentence
from symattn.writing.writers import WRITERS


class WriterKeywords(PageKeywords, total=False):
    """The keywords of `to_latex` and the others, for type checkers; not every page takes each of them."""

    language: str
    fragment: bool
    label_prefix: str
    width: int | None
    verbose: bool
    colour: bool
    plain: bool


class Page(ABC):
    """A result that can be read: subclasses say in `document` what there is to say, and the writers how."""

    @abstractmethod
    def document(self, *_: Any, **options: Any) -> Document:
        """The neutral document that the writers write."""

    def to(
        self,
        target: str,
        *,
        language: str = "en",
        fragment: bool = False,
        label_prefix: str = "",
        width: int | None = None,
        **options: Any,
    ) -> str:
        """The page as "latex", "markdown", "notebook", "text" or "html"; other options as in `document`.

        With fragment=True it is the body, without title and preamble. What has a name, as the steps of a derivation
        have, is labelled eq:scores in LaTeX (for \\eqref) and has the anchor eq-scores in Markdown and HTML; a
        `label_prefix` keeps those of several pages apart: eq:PREFIX-scores. Plain text is at most `width` columns wide,
        80 if left out, but for matrices and words that are wider. Raises InputError for what it does not
        know, NotSupportedError for HTML without quickjs-ng.
        """
        write = WRITERS[choice("to", target, WRITERS)]
        choice("language", language, LANGUAGES)
        if re.fullmatch(r"[A-Za-z0-9.:-]{0,60}", label_prefix) is None:
            raise InputError(Sentence("bad_label_prefix", given=label_prefix[:60]))
        prefix = label_prefix and f"{label_prefix}-"
        columns = {"width": width} if target == "text" and width is not None else {}
        return write(self.document(**options), language, fragment=fragment, prefix=prefix, **columns)

    def to_latex(self, **options: Unpack[WriterKeywords]) -> str:
        """A complete LaTeX article; with fragment=True its body. Options as in `to`."""
        return self.to("latex", **options)

    def to_markdown(self, **options: Unpack[WriterKeywords]) -> str:
        """A Markdown page with LaTeX mathematics. Options as in `to`."""
        return self.to("markdown", **options)

    def to_notebook(self, **options: Unpack[WriterKeywords]) -> str:
        """A Jupyter notebook, its cells the sections of the Markdown page. Options as in `to`."""
        return self.to("notebook", **options)

    def to_text(self, **options: Unpack[WriterKeywords]) -> str:
        """Plain text for a terminal. Options as in `to`."""
        return self.to("text", **options)

    def to_html(self, **options: Unpack[WriterKeywords]) -> str:
        """An HTML page in one file; with fragment=True its body. Options as in `to`."""
        return self.to("html", **options)

    def to_pdf(self, **options: Unpack[WriterKeywords]) -> bytes:
        """A PDF, typeset by the LaTeX engine that is installed. Options as in `to`.

        Raises NotSupportedError without an engine, InputError with its first error where it fails.
        """
        options["fragment"] = False
        return compile_pdf(self.to("latex", **options))

    def _repr_html_(self) -> str | None:
        try:
            return self.to_html(fragment=True)
        except NotSupportedError:  # the notebook takes the Markdown instead
            return None

    def _repr_markdown_(self) -> str:
        return self.to_markdown(fragment=True)
