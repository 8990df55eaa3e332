"""Programs of which every line says what it does: names that are given a value once, prints, and a plain softmax.

What such a program prints follows from what stands in it. Of any other, one that goes round a loop, changes an array in
place or calls what nobody has read, the print may come from numbers that are not there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.patterns import regex
from symattn.reading.articles.scanning.code.statements import Statement

_IMPORT = regex(r"(?:import|from)\s")
_PRINT = regex(r"(?:print|display)\s*\(.*\)\s*;?", re.DOTALL)
_SET = regex(r"(?P<name>[^\W\d]\w*)\s*(?::\s*[\w.]+\s*)?=(?!=)")
_DEF = regex(r"def\s+(?P<name>\w+)\s*\((?P<inside>[^()]*)\)[^:]*:")
_IN_PLACE = regex(
    r"\bout\s*=|\.\w+_\s*\(|\.(?:sort|append|extend|insert|pop|remove|fill|resize|put|update|shuffle)\s*\("
)
_QUOTED = regex(r"\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_WORD = regex(r"[^\W\d]\w*|\d+(?:\.\d+)?")
_WORDS_OF_SOFTMAX = "np numpy torch math exp max sum return axis dim keepdims keepdim True None amax e 1"
_OF_SOFTMAX = frozenset(_WORDS_OF_SOFTMAX.split())
_ALONG_ROWS = regex(r"\b(?:axis|dim)\s*=\s*(?:-1|1|axis|dim)\b")
_WORDS_OF_FUNCTIONS = (
    "softmax relu gelu sigmoid tanh layernorm layer_norm rmsnorm rms_norm dot matmul mean var exp log sqrt"
)
_KNOWN = frozenset(_WORDS_OF_FUNCTIONS.split())
_NESTED = regex(r"\[\s*\[")


def is_plain(statements: Sequence[Statement], printed: str) -> bool:
    """Whether what a program printed follows from what stands in it."""
    names: set[str] = set()
    k = 0
    while k < len(statements):
        code = _QUOTED.sub("''", statements[k].code.text).strip()
        k += 1
        if (defined := _DEF.match(code)) is not None:
            body = [code[defined.end() :]]
            while k < len(statements) and statements[k].body:
                body.append(_QUOTED.sub("", statements[k].code.text))
                k += 1
            if defined["name"].lower() in _KNOWN and not _is_softmax(defined, "\n".join(body), printed):
                return False
            continue
        given = _SET.match(code)
        if given is not None and given["name"] in names:
            return False
        names |= {given["name"]} if given is not None else set()
        said = given is not None or not code.strip("'") or _IMPORT.match(code) or _PRINT.fullmatch(code)
        if not said or _IN_PLACE.search(code):
            return False
    return True


def _is_softmax(defined: re.Match[str], body: str, printed: str) -> bool:
    """Whether a function is softmax of the rows of an array, or of all numbers where there is only one row."""
    parameters = [part.split("=")[0].split(":")[0].strip() for part in defined["inside"].split(",")]
    if defined["name"] != "softmax" or not set(parameters[1:]) <= {"axis", "dim", "keepdims", "keepdim"}:
        return False
    own = set(_WORD.findall(defined["inside"])) | {match["name"] for match in _SET.finditer(body)}
    along = _ALONG_ROWS.search(body) is not None or not ("axis" in body or "dim" in body or _NESTED.search(printed))
    plain = set(_WORD.findall(body)) <= own | _OF_SOFTMAX
    return along and plain and "exp" in body and not re.search(r"\b(?:axis|dim)\s*=\s*0", defined["inside"])
