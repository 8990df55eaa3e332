"""The language server (LSP, on pygls): wrong numbers and formulas of open articles, and corrections as quick fixes.

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
from typing import Any

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
ASSISTED = tuple(suffix for suffix in SUFFIXES if suffix != ".ipynb")  # whose lines are those of the editor


def serve(seconds: int, memory: int) -> None:
    """Serve one editor, until it says that it ends."""
    server = LanguageServer("symattn", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    articles = _Articles(server, seconds, memory)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(_changed, articles))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(_changed, articles))
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(partial(_closed, articles))
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


async def _asked(articles: _Articles, params: types.CodeActionParams) -> list[types.CodeAction]:
    return await articles.correct(params)


class _Articles:
    """The open articles: who checks them, and what the editor is shown."""

    def __init__(self, server: LanguageServer, seconds: int, memory: int) -> None:
        self.server = server
        self.checker, self.corrector = _Checker(seconds, memory), _Checker(seconds, memory)

    async def change(self, uri: str) -> None:
        """Check a text, unless it changes again before its turn comes."""
        document = self.server.workspace.get_text_document(uri)
        path, version = _path(uri), document.version
        if not path.lower().endswith(ASSISTED) and "." in path.rpartition("/")[2]:
            return
        await asyncio.sleep(DEBOUNCE)
        async with self.checker.turn:
            now = self.server.workspace.text_documents.get(uri)
            if now is None or now.version != version:
                return
            answer = await self.checker.ask({"path": path, "text": now.source})
        if now.version == version:
            self.show(uri, version, self._diagnostics(now, answer))
        if answer.get("problems") and self.corrector.process is None:
            async with self.corrector.turn:
                await self.corrector.ask({"path": path, "text": ""})  # it starts before it is needed

    def show(self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]) -> None:
        """Mark these places of a text, and no others."""
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=list(diagnostics))
        )

    def _diagnostics(self, document: Any, answer: dict[str, Any]) -> list[types.Diagnostic]:
        if "error" in answer:
            first = types.Range(types.Position(0, 0), types.Position(0, 1))
            told = types.DiagnosticSeverity.Information
            return [types.Diagnostic(first, answer["error"], severity=told, source="symattn")]
        place = _converter(document)
        return [
            types.Diagnostic(
                range=place(problem["start"], problem["end"]),
                message=problem["message"],
                severity=SEVERITY[problem["severity"]],
                code=problem["rule"],
                source="symattn",
            )
            for problem in answer["problems"]
        ]

    async def correct(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The corrections of what is marked in a stretch of a text."""
        uri = params.text_document.uri
        marked = [d for d in params.context.diagnostics if d.source == "symattn" and d.code]
        document = self.server.workspace.text_documents.get(uri)
        if document is None or not marked:
            return []
        source, version = document.source, document.version
        start = document.position_codec.position_from_client_units(source.split("\n"), marked[0].range.start)
        task = {"path": _path(uri), "text": source, "line": start.line + 1, "column": start.character + 1}
        async with self.corrector.turn:
            answer = await self.corrector.ask(task, PATIENCE)
        if document.version != version:
            return []
        return [self._action(document, marked[0], fix, answer["language"]) for fix in answer.get("fixes", [])]

    def _action(self, document: Any, marked: types.Diagnostic, fix: dict[str, Any], language: str) -> types.CodeAction:
        place = _converter(document)
        edits = [types.TextEdit(place(e["start"], e["end"]), e["text"]) for e in fix["edits"]]
        words = {"printed": fix.get("printed", ""), "right": fix.get("right", ""), "count": len(edits)}
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
        change = types.TextDocumentEdit(text_document=identifier, edits=list(edits))
        return types.CodeAction(
            title=Sentence(FIXES[fix["kind"]], **words).text(language),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[marked],
            is_preferred=fix["kind"] != "all",
            edit=types.WorkspaceEdit(document_changes=[change]),
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
