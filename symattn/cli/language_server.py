"""The language server (LSP, on pygls): wrong numbers and formulas of open articles, and corrections as quick fixes.

An article is a text, or a notebook, whose cells are texts of their own; outputs of cells are not sent to a server.

Nothing is checked in this process: other processes do, within limits of time and memory, so that no article keeps an
editor waiting. Columns are converted to the units that the editor counts in.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from symattn.reading.settings import SUFFIXES
from symattn.version import __version__
from symattn.writing.prose import Sentence

DEBOUNCE = 0.1  # seconds without a change until a text is checked
PATIENCE = 10.0  # how long an editor may wait for corrections
LONGEST_LINE = 1 << 28  # bytes of an answer
SEVERITY = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
FIXES = {"number": "lsp_fix_number", "formula": "lsp_fix_formula", "all": "lsp_fix_all"}
ASSISTED = tuple(suffix for suffix in SUFFIXES if suffix != ".ipynb")  # as one text; a notebook is one by its cells
NOTEBOOKS = types.NotebookDocumentSyncOptions([types.NotebookDocumentFilterWithNotebook("jupyter-notebook")])
CELLS = {types.NotebookCellKind.Markup: "markdown", types.NotebookCellKind.Code: "code"}


def serve(seconds: int, memory: int) -> None:
    """Serve one editor, until it says that it ends."""
    whole = types.TextDocumentSyncKind.Full
    server = LanguageServer("symattn", __version__, text_document_sync_kind=whole, notebook_document_sync=NOTEBOOKS)
    articles = _Articles(server, seconds, memory)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(_changed, articles))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(_changed, articles))
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(partial(_closed, articles))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)(partial(_notebook_changed, articles))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(partial(_notebook_changed, articles))
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(partial(_notebook_closed, articles))
    kinds = [types.CodeActionKind.QuickFix]
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))(
        partial(_asked, articles)
    )
    with os.fdopen(os.dup(0), "rb") as from_editor, os.fdopen(os.dup(1), "wb") as to_editor:
        server.start_io(from_editor, to_editor)  # which closes them


async def _changed(articles: _Articles, params: Any) -> None:
    await articles.change(params.text_document.uri)


async def _closed(articles: _Articles, params: Any) -> None:
    articles.show(params.text_document.uri, None, [])


async def _notebook_changed(articles: _Articles, params: Any) -> None:
    for cell in _cells_that_left(params):
        articles.show(cell, None, [])
    await articles.change(params.notebook_document.uri)


async def _notebook_closed(articles: _Articles, params: Any) -> None:
    for cell in params.cell_text_documents:
        articles.show(cell.uri, None, [])


def _cells_that_left(params: Any) -> list[str]:
    """The texts of cells that a change takes out of a notebook."""
    cells = getattr(getattr(params, "change", None), "cells", None)
    return [cell.uri for cell in (cells and cells.structure and cells.structure.did_close) or ()]


async def _asked(articles: _Articles, params: types.CodeActionParams) -> list[types.CodeAction]:
    return await articles.correct(params)


class _Article(NamedTuple):
    """What is open: its texts in their order, as they are now, and what the checker is asked of them."""

    texts: list[Any]
    versions: list[int | None]
    task: dict[str, Any]


class _Articles:
    """The open articles: who checks them, and what the editor is shown."""

    def __init__(self, server: LanguageServer, seconds: int, memory: int) -> None:
        self.server = server
        self.checker, self.corrector = _Checker(seconds, memory), _Checker(seconds, memory)

    def _now(self, uri: str) -> _Article | None:
        """A text or a notebook as it is now, by the name of either or of a cell; None where there is no article."""
        workspace = self.server.workspace
        by_name = workspace.get_notebook_document
        if notebook := by_name(notebook_uri=uri) or by_name(cell_uri=uri):
            texts = [workspace.get_text_document(cell.document) for cell in notebook.cells]
            path = _path(notebook.uri).removesuffix(".ipynb") + ".ipynb"
            kinds = [CELLS[types.NotebookCellKind(cell.kind)] for cell in notebook.cells]
            cells = [{"kind": kind, "text": text.source} for kind, text in zip(kinds, texts, strict=True)]
            return _Article(texts, [text.version for text in texts], {"path": path, "cells": cells})
        text = workspace.text_documents.get(unquote(uri))
        path = _path(uri)
        if text is None or (not path.lower().endswith(ASSISTED) and "." in path.rpartition("/")[2]):
            return None
        return _Article([text], [text.version], {"path": path, "text": text.source})

    async def change(self, uri: str) -> None:
        """Check an article, unless it changes again before its turn comes."""
        before = self._now(uri)
        if before is None:
            return
        await asyncio.sleep(DEBOUNCE)
        async with self.checker.turn:
            now = self._now(uri)
            if now is None or now.versions != before.versions:
                return
            answer = await self.checker.ask(now.task)
        later = self._now(uri)
        if later is not None and later.versions == now.versions:
            for part, text in enumerate(now.texts):
                self.show(text.uri, text.version, self._diagnostics(text, part, answer))
        if answer.get("problems") and self.corrector.process is None:
            async with self.corrector.turn:
                await self.corrector.ask({"path": "a.md", "text": ""})  # it starts before it is needed

    def show(self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Mark these places of a text, and no others."""
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=list(diagnostics))
        )

    def _diagnostics(self, document: Any, part: int, answer: dict[str, Any]) -> list[types.Diagnostic]:
        if "error" in answer:
            first = types.Range(types.Position(0, 0), types.Position(0, 1))
            told = types.DiagnosticSeverity.Information
            return [] if part else [types.Diagnostic(first, answer["error"], severity=told, source="symattn")]
        place = _converter(document)
        return [
            types.Diagnostic(
                range=place(problem["start"][1:], problem["end"][1:]),
                message=problem["message"],
                severity=SEVERITY[problem["severity"]],
                code=problem["rule"],
                source="symattn",
            )
            for problem in answer["problems"]
            if problem["start"][0] == part
        ]

    async def correct(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The corrections of what is marked in a stretch of a text."""
        uri = params.text_document.uri
        marked = [d for d in params.context.diagnostics if d.source == "symattn" and d.code]
        article = self._now(uri)
        if article is None or not marked:
            return []
        part = next(k for k, text in enumerate(article.texts) if text.uri == uri)
        document = article.texts[part]
        lines = document.source.split("\n")
        start = document.position_codec.position_from_client_units(lines, marked[0].range.start)
        task = article.task | {"place": [part, start.line + 1, start.character + 1]}
        async with self.corrector.turn:
            answer = await self.corrector.ask(task, PATIENCE)
        if (now := self._now(uri)) is None or now.versions != article.versions:
            return []
        return [self._action(article, marked[0], fix, answer["language"]) for fix in answer.get("fixes", [])]

    def _action(
        self, article: _Article, marked: types.Diagnostic, fix: dict[str, Any], language: str
    ) -> types.CodeAction:
        words = {"printed": fix.get("printed", ""), "right": fix.get("right", ""), "count": len(fix["edits"])}
        changes = []
        for part, document in enumerate(article.texts):
            place = _converter(document)
            own = [e for e in fix["edits"] if e["part"] == part]
            identifier = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
            edits = [types.TextEdit(place(e["start"], e["end"]), e["text"]) for e in own]
            if edits:
                changes.append(types.TextDocumentEdit(text_document=identifier, edits=list(edits)))
        return types.CodeAction(
            title=Sentence(FIXES[fix["kind"]], **words).text(language),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[marked],
            is_preferred=fix["kind"] != "all",
            edit=types.WorkspaceEdit(document_changes=list(changes)),
        )


def _path(uri: str) -> str:
    return to_fs_path(uri) or uri.rpartition(":")[2]


def _converter(document: Any) -> Callable[[Sequence[int], Sequence[int]], types.Range]:
    """How lines and columns from 1, in characters, become places as the editor counts them."""
    lines, codec = document.source.split("\n"), document.position_codec

    def convert(start: Sequence[int], end: Sequence[int]) -> types.Range:
        places = [types.Position(line - 1, column - 1) for line, column in (start, end)]
        found: types.Range = codec.range_to_client_units(lines, types.Range(*places))
        return found

    return convert


class _Checker:
    """A process that checks texts one after the other; a new one takes the place of one that is gone or too slow."""

    def __init__(self, seconds: int, memory: int) -> None:
        self.limits = ["--max-seconds", str(seconds), "--max-memory", str(memory)]
        self.turn = asyncio.Lock()
        self.process: asyncio.subprocess.Process | None = None

    async def ask(self, task: dict[str, Any], patience: float | None = None) -> dict[str, Any]:
        """What the process answers; an "error" where it does not in time."""
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "symattn", "lsp", "--worker", *self.limits),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
            )
        try:
            return await asyncio.wait_for(self._exchange(self.process, task), patience)
        except BaseException as error:  # a request that is given up too: its answer would be taken for the next one's
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self.process = None
            if not isinstance(error, TimeoutError | OSError | ValueError):
                raise
            return {"error": Sentence("process_stopped").text()}

    async def _exchange(self, process: asyncio.subprocess.Process, task: dict[str, Any]) -> dict[str, Any]:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(task).encode() + b"\n")
        await process.stdin.drain()
        answer: dict[str, Any] = json.loads(await process.stdout.readline())
        return answer
