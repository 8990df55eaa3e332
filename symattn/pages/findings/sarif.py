"""Problems -> SARIF 2.1.0, the format in which code-review sites take what a checker found.

The log is one run. Its head and its end are written before and after the results of the files, which come one by one.
Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from symattn.pages.findings.severities import RULES
from symattn.version import __version__
from symattn.writing.prose import Sentence

TYPE_CHECKING = False  # type checkers take it as true; what checks is loaded by the processes that check
if TYPE_CHECKING:
    from typing import Any

    from symattn.pages.findings.problems import Problem

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_opening(language: str = "en") -> str:
    """The head of a log, up to its results."""
    rules = [
        {
            "id": rule,
            "shortDescription": {"text": Sentence(said).text(language)},
            "defaultConfiguration": {"level": level},
        }
        for rule, level, said in RULES
    ]
    tool = {"driver": {"name": "symattn", "version": __version__, "rules": rules}}
    run = {"tool": tool, "language": language, "columnKind": "unicodeCodePoints", "results": []}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False).removesuffix("]}]}") + "\n"


def sarif_results(path: str, problems: Iterable[Problem]) -> str:
    """The results of a file, with commas between them."""
    return ",\n".join(json.dumps(_result(path, problem), ensure_ascii=False) for problem in problems)


def sarif_closing(complaints: Sequence[str]) -> str:
    """The end of a log: whether all files could be used, and what was said of those that could not."""
    notes = [{"level": "error", "message": {"text": line}} for line in complaints]
    invocation = {"executionSuccessful": not complaints, "toolExecutionNotifications": notes}
    return f'\n], "invocations": [{json.dumps(invocation, ensure_ascii=False)}]}}]}}\n'


def _result(path: str, problem: Problem) -> dict[str, Any]:
    index = [rule for rule, *_ in RULES].index(problem.rule)
    where: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if problem.start is not None and problem.end is not None:
        (line, column), (end_line, end_column) = problem.start, problem.end
        where["region"] = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {
        "ruleId": problem.rule,
        "ruleIndex": index,
        "level": problem.severity,
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": where}],
    }


def _uri(path: str) -> str:
    """A path as a reference: relative ones stay so, since a log is read where the repository lies elsewhere."""
    if os.path.isabs(path):
        return f"file://{quote(path.replace(os.sep, '/'))}"
    return quote(os.path.normpath(path).replace(os.sep, "/")).replace(":", "%3A")
