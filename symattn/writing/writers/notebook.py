"""Document -> a Jupyter notebook: what the Markdown page says, a cell from heading to heading."""

from __future__ import annotations

import json

from symattn.writing.document import Document
from symattn.writing.writers.markdown import markdown_parts


def write_notebook(document: Document, language: str = "en", *, fragment: bool = False, prefix: str = "") -> str:
    """A notebook of nbformat 4.5 whose cells are the sections of the page; with `fragment` without its title.

    Source: https://nbformat.readthedocs.io/en/latest/format_description.html
    """
    parts = markdown_parts(document, language, fragment, prefix)
    cells = [
        {"cell_type": "markdown", "id": f"part-{k}", "metadata": {}, "source": "\n\n".join(part).splitlines(True)}
        for k, part in enumerate(parts)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    page = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(page, ensure_ascii=False, indent=1) + "\n"
