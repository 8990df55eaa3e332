"""`symattn grade`: filled sheets against their key."""

from __future__ import annotations

import argparse

from symattn.api.exercise import Grades, answer_files, grade_each
from symattn.checking.grading import Grade
from symattn.cli.complaint import complain
from symattn.cli.output import make, target_of, write
from symattn.pages.data import json_text
from symattn.pages.grades import is_grades
from symattn.writing.choices import GRADE_TARGETS


def grade(options: argparse.Namespace) -> int:
    """The grades; a file that cannot be used is a line on stderr, and the others are graded all the same."""
    target = target_of(options.to, options.output, GRADE_TARGETS, default="text")
    earlier = options.output if options.output is not None and is_grades(options.output) else None
    files = answer_files(options.answers, options.key, earlier)
    found = list(grade_each(options.key, files))
    code = 0
    for error in found:
        if not isinstance(error, Grade):
            code = complain(error.text(options.language))
    grades = Grades(tuple(x for x in found if isinstance(x, Grade)), options.credit)
    if not grades.grades:
        return code
    if target == "csv":
        content: str | bytes = grades.to_csv(language=options.language)
    elif target == "json":
        content = json_text(grades.to_json(language=options.language))
    else:
        content = make(grades, target, language=options.language)
    write(content, options.output, options.key, *files)
    return code
