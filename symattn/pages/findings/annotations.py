"""Problems -> workflow commands of GitHub Actions, which shows them beside the lines of a pull request.

Source: GitHub, Workflow commands for GitHub Actions; what is escaped is what its runner decodes.
"""

from __future__ import annotations

from collections.abc import Iterable

TYPE_CHECKING = False  # type checkers take it as true; what checks is loaded by the processes that check
if TYPE_CHECKING:
    from symattn.pages.findings.problems import Problem


def annotate(path: str, problems: Iterable[Problem]) -> str:
    """A line for each problem.

    >>> annotate("a,b.md", []), annotate_line("error", {"file": "a,b.md", "line": 3}, "5% off\\nby 1")
    ('', '::error file=a%2Cb.md,line=3::5%25 off%0Aby 1\\n')
    """
    return "".join(_annotation(path, problem) for problem in problems)


def annotate_line(level: str, where: dict[str, str | int], message: str) -> str:
    """One workflow command."""
    told = ",".join(f"{name}={_escape(str(value), within=True)}" for name, value in where.items())
    return f"::{level}{' ' if told else ''}{told}::{_escape(message)}\n"


def _annotation(path: str, problem: Problem) -> str:
    where: dict[str, str | int] = {"file": path}
    if problem.start is not None and problem.end is not None:
        (line, column), (end_line, end_column) = problem.start, problem.end
        where |= {"line": line, "endLine": end_line, "col": column, "endColumn": end_column}
    return annotate_line(problem.severity, where | {"title": "symattn"}, problem.message)


def _escape(text: str, *, within: bool = False) -> str:
    """What would end a command, or within its properties one of these, by its code."""
    for sign, code in [("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), *([(":", "%3A"), (",", "%2C")] if within else [])]:
        text = text.replace(sign, code)
    return text
