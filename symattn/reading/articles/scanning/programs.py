"""What a program computes, as equations: its statements, and what comments and prints say that they come to.

Of the statements outside of functions those are read that are mathematics: names, numbers, operators and a few
functions. `scores = Q @ K.T`, a comment `# [[1, 0], [0, 9]]` below it and the print of `scores` are three equations.
A loop over rows is read as what it does to the whole matrix.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator, Mapping, Sequence

from symattn.patterns import regex
from symattn.reading.articles.article import Located, has_digits, join
from symattn.reading.articles.scanning.code.echoed import find_echoed
from symattn.reading.articles.scanning.code.frames import framed, read_frame
from symattn.reading.articles.scanning.code.functions import with_calls_written_out
from symattn.reading.articles.scanning.code.plain import is_plain
from symattn.reading.articles.scanning.code.rounded import Shown, without_rounding
from symattn.reading.articles.scanning.code.sessions import exchanges_of
from symattn.reading.articles.scanning.code.statements import (
    Statement,
    docstrings_of,
    one_by_one,
    opens_body,
    parts_between,
    split_remark,
    statements_of,
)
from symattn.reading.articles.scanning.code.triangles import find_triangles, write_masks
from symattn.reading.articles.scanning.finding import Found
from symattn.reading.articles.scanning.matrices import list_end, without_remark, without_wrappers, worked_entries
from symattn.reading.articles.scanning.passages import find_in_line, find_in_lines, lines_of
from symattn.reading.articles.scanning.spoken.vectors import with_bare_vectors

UNSTATED = "unstated"  # what a name is worth that a program gives a value which is not mathematics
_LONGEST = 20_000  # characters of a statement
_MOST_PLAIN = 100  # statements before a comment that are looked through
_TARGET = regex(r"(?:(?:let|const|var)\s+)?(?P<name>[^\W\d]\w*)\s*(?::\s*[\w.]+\s*)?=(?!=)\s*")
_LIBRARY = regex(
    r"\b(?:np|numpy|jnp|torch|F|math|tf(?:\.nn|\.math|\.linalg)?|(?:torch\.)?nn\.functional|scipy\.special)\.(?=[a-z])"
)
_COLUMNS = regex(r"\b([^\W\d]\w*)\.(?:shape\[\s*-?1\s*\]|size\(\s*-1\s*\))")  # how many columns an array has
_TOKEN = regex(
    r"mask_\{j ≤ i\}(?=\()|(?P<dot>\.\s*)?(?P<word>[^\W\d]\w*)(?P<called>\s*\()?|[\s\d.,:()\[\]=≈@*/+\-−·×⊙√ᵀ^_…]"
)
_WORDS_OF_FUNCTIONS = """
    softmax exp sqrt log sin cos tanh relu gelu sigmoid dot matmul mm transpose t sum mean var std max min maximum array
    tensor asarray concatenate cat hstack layernorm rmsnorm ncols
"""
_FUNCTIONS = frozenset(_WORDS_OF_FUNCTIONS.split())
_ATTRIBUTES = frozenset(("T", "mT", "transpose", "t", "softmax", "dot", "matmul"))
_WORDS_OF_PROGRAMS = """
    import from return assert raise yield del pass break continue global lambda not and or in is for if else while
    def class print self as fn
"""
_OF_ONE_NUMBER = regex(r"(?<![\w.])(?:mean|var|std|sum)\(\s*[-−+]?[\d.]+\s*\)")  # a function of another meaning
_SUM_OF_ROWS = r"\b(?:sum|max|min|mean|var|std)\((?:[^()]|\([^()]*\))*,\s*(?:axis|dim)=(?:1|-1)\)"
_SPREADS_A_ROW = regex(  # A / A.sum(axis=1) divides column j by the sum of row j
    rf"[-+*/@]\s*{_SUM_OF_ROWS}(?!\[)|{_SUM_OF_ROWS}\s*[-+*/@]\s*[^\W\d(]"
)
_KEYWORDS = frozenset(_WORDS_OF_PROGRAMS.split())
_PRINT = regex(r"(?:print|display)\s*\((?P<inside>.*)\)\s*;?", re.DOTALL)
_QUOTED = regex(r"(?P<filled>[fF][rR]?)?(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_FILLED = regex(r"\{([^{}:!=]+)(?:[:!=][^{}]*)?\}")
_ARRAY = regex(r"\s*(?:(?:np\.|torch\.)?(?:array|tensor)\(\s*)?")
_LEAD = regex(
    r"\s*(?:e\.g\.,?\s*)?(?P<word>(?!(?:np\.|torch\.)?(?:array|tensor)\()[^\W\d][\w ]{0,30}?)?\s*"
    r"(?P<sign>[:：=≈→]|->|=>)?\s*(?=[^\w\s]|\d|array|tensor|np|torch|$)"
)
_RESULT = regex(r"result|output|print|return|gives|结果|输出|出力|結果", re.IGNORECASE)
_LOOSE = regex(r"e\.g\.|example|sample|such as|might|could|would|hypothet|illustrat|random|例|比如|假设", re.IGNORECASE)
_NUMBER = regex(r"[-−+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.%])")
_ROW = regex(r"(?:[\s\[\](),.;…\d+\-−eE_]|inf|nan|∞)*+(?:,?\s*(?:dtype|grad_fn|device)=[^\[\]\n]{0,60}\))?\)?")
_SHAPE = regex(r"\[\s*\d+(?:\s*,\s*\d+)*\s*\]")
_SHAPE_ALONE = regex(rf"\s*{_SHAPE.pattern}(?![\],])")  # and no row of a matrix
_NAMES_SET = regex(r"(?<![\w.])(?P<name>[^\W\d]\w*)\s*=(?!=)")
_SETTING = regex(r"[^=]+=(?:\s*[^\W\d]\w*\s*=)*\s*[-−+]?[\d.][\d._]*(?:[eE][-+]?\d+)?\s*")
_LOOP = regex(r"for\s+(?P<index>\w+)\s+in\s+range\s*\([^:]*\)\s*:", re.DOTALL)
_LOOP_OF_ROWS = regex(r"for\s+(?P<index>\w+)\s*,\s*(?P<row>\w+)\s+in\s+enumerate\(\s*(?P<rows>\w+)\s*\)\s*:")
_IN_LOOP = regex(r"(?P<name>[^\W\d]\w*)(?P<item>\[[\w\s:,]*\])?\s*(?P<sign>\+?=)(?!=)\s*")
_ALTERED = regex(r"(?P<name>[^\W\d]\w*)\s*(?:(?:\[[^=\n]{0,200}\]\s*)?(?:[-+*/@%&|^]|//|\*\*)?=(?!=)|\.\w{1,40}_\s*\()")
_OF_PROGRAM = regex(r"^\s*(?:import|from|def|class|for|return|print|with|if)\b|\b(?:np|torch|tf|nn|F)\.", re.MULTILINE)
_OF_HANDS = regex(r"^\s*\d+[.)]\s+[^\d\s]|[→⇒↓×·⊙√ᵀ\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", re.MULTILINE)
_NOTED = regex(
    r"(?:\"[^\"\n]{1,80}\"|'[^'\n]{1,80}')\s*:\s*(?=[^\W\d][\w ]{0,30}=\s*[-−]?[\d.])"
)  # `"one": mean=2`: no code
_PRODUCT = regex(r"\s*\*(?!\*)\s*")


def find_in_program(
    lines: Sequence[Located],
    printed: Sequence[Located] = (),
    *,
    run: bool = True,
    masks: Mapping[str, bool] | None = None,
) -> Iterator[Found]:
    """The equations of a program and of what its comments say; `printed` are the lines that it prints.

    Who runs it has what it computed; without `run` the lines may have been typed, as comments are. `masks` are the
    causal masks of all programs of an article, where these are known.

    >>> lines = [Located.whole("A = softmax(S)  # [[0.27, 0.73]]")]
    >>> [found.located.text for found in find_in_program(lines)]
    ['A = softmax(S)', 'A = [[0.27, 0.73]]']
    """
    for text in docstrings_of(lines):
        yield from find_in_lines(lines_of(text), "code")
        yield from (
            _unstated(Located.inserted(name, text.span(len(text.text), len(text.text))[0]))
            for name in _set_in(text.text)
        )
    own = find_triangles("\n".join(line.text for line in lines)) if masks is None else masks
    statements = _singles(write_masks(lines, own))
    shown: list[Shown | None] = []
    prints: list[Located] = []  # one right after the other
    for k, statement in enumerate(statements):
        printing = not statement.body and _PRINT.fullmatch(statement.code.text)
        answered = k > 0 and statements[k - 1].remarks
        prints = [*([] if answered else prints), statement.code] if printing else []
        if (noted := _NOTED.match(statement.code.text)) and not statement.body:
            yield from find_in_line(statement.code.cut(noted.end(), len(statement.code.text)), "code")
            continue
        yield from _equations(statement, statements[k + 1 :])
        said = _said(statement)
        remarks = yield from _echoes(prints, statement.remarks, statements[: k + 1])
        others = yield from _results(said, remarks)
        shapes = [said is not None and _SHAPE_ALONE.match(remark.text) is not None for remark in others]
        yield from find_in_lines([x for x, is_shape in zip(others, shapes, strict=True) if not is_shape], "code")
        if not statement.body:
            shown += _shown(statement, last=k == len(statements) - 1)
    pieces = list(_pieces(printed))
    if pieces and len(pieces) == len(shown):
        kind = "comment" if not run and is_plain(statements, "\n".join(line.text for line in printed)) else "output"
        yield from _printed(shown, pieces, kind)


def find_in_session(lines: Sequence[Located]) -> Iterator[Found]:
    """The equations of a session with an interpreter, and those of its answers.

    >>> lines = [Located.whole(x) for x in (">>> A = softmax(S)", ">>> A", "array([0.27, 0.73])")]
    >>> [found.located.text for found in find_in_session(lines)]
    ['A = softmax(S)', 'A = [0.27, 0.73]']
    """
    exchanges = exchanges_of(lines)
    program = [line for each in exchanges for line in each.typed]
    yield from (_unstated(name) for name in _given_numbers(program))
    yield from find_in_program(program)
    typed: list[Statement] = []
    for each in exchanges:
        statements = _singles(each.typed)
        typed += [statement for statement in statements if _expression(statement.code) is None]
        shown = [x for k, s in enumerate(statements) for x in _shown(s, last=k == len(statements) - 1)]
        pieces = list(_pieces(each.answer))
        if shown and len(shown) == len(pieces):
            kind = "comment" if is_plain(typed, "\n".join(line.text for line in each.answer)) else "output"
            yield from _printed(shown, pieces, kind)


def _singles(lines: Sequence[Located]) -> list[Statement]:
    """The statements of a program, those of one line apart, and those of its functions where it calls them."""
    return with_calls_written_out([single for each in statements_of(lines) for single in one_by_one(each)])


def _printed(shown: Sequence[Shown | None], pieces: Sequence[Located], kind: str) -> Iterator[Found]:
    """That what was shown is what was printed, piece by piece."""
    for expression, piece in zip(shown, pieces, strict=True):
        equation = expression.equation(piece) if expression else None
        if equation is not None:
            yield Found(equation, kind)


def _given_numbers(program: Sequence[Located]) -> Iterator[Located]:
    """The names that are given lists of numbers, whatever they were worth in the text before."""
    for statement in statements_of(program):
        target = _TARGET.match(statement.code.text)
        if (
            target
            and target["name"] != "where"
            and not statement.body
            and _ROW.fullmatch(_bare(statement.code).text, target.end())
        ):
            yield statement.code.cut(*target.span("name"))


def is_program(lines: Sequence[Located]) -> bool:
    """Whether lines that are called a program are one, and no calculation by hand with its steps and arrows.

    >>> is_program([Located.whole("S = Q @ K.T  # 3 × 3")]), is_program([Located.whole("1. the sum: 1 + 0.1 = 1.1")])
    (True, False)
    """
    codes = [_QUOTED.sub("", statement.code.text) for statement in statements_of(lines)]
    return any(map(_OF_PROGRAM.search, codes)) or not any(map(_OF_HANDS.search, codes))


def take_results(lines: Sequence[Located]) -> tuple[list[Found], list[Located]]:
    """The lists over several lines that comments of a calculation by hand say its names to be, and the lines without.

    >>> lines = [Located.whole(x) for x in ("S = QKᵀ/√d  # [[2, 0],", "            #  [0, 2]]")]
    >>> found, rest = take_results(lines)
    >>> [x.located.text for x in found], [x.text for x in rest]
    (['S = [[2, 0],\\n [0, 2]]'], ['S = QKᵀ/√d  ', ''])
    """
    found: list[Found] = []
    taken = dict[int, Located]()
    for said, remarks in _runs_of_remarks(lines):
        made = list(_results(said, [remark for _, _, remark in remarks]))
        if len(made) == 1 and "\n" in made[0].located.text:
            found += made
            taken |= {k: code for k, code, _ in remarks}
    return found, [taken.get(k, line) for k, line in enumerate(lines)]


def _runs_of_remarks(lines: Sequence[Located]) -> Iterator[tuple[Shown, list[tuple[int, Located, Located]]]]:
    """A name that is given a value, and the comments behind it and below: the line of each, its code, the comment."""
    said: Shown | None = None
    run: list[tuple[int, Located, Located]] = []
    for k, line in enumerate(lines):
        code, remark = split_remark(line)
        if code.text.strip():
            if said is not None and len(run) > 1:
                yield said, run
            target = _TARGET.match(code.text)
            said, run = (Shown(code.cut(*target.span("name"))) if target else None), []
        if remark is not None:
            run.append((k, code if code.text.strip() else line.cut(0, 0), remark))
    if said is not None and len(run) > 1:
        yield said, run


def find_equation(code: Located) -> Located | None:
    """Code in a sentence that gives a name a formula, `S = Queries @ Keys.T`."""
    bare = _bare(code)
    named = _TARGET.match(bare.text) and not _SETTING.fullmatch(bare.text)
    return bare if named and is_mathematics(bare.text) else None


def pairs_with(lines: Sequence[Located], printed: Sequence[Located]) -> bool:
    """Whether a program prints as many values as stand in what it printed."""
    statements = _singles(lines)
    shown = [x for k, s in enumerate(statements) if not s.body for x in _shown(s, last=k == len(statements) - 1)]
    return bool(shown) and len(shown) == len(list(_pieces(printed)))


def is_mathematics(text: str) -> bool:
    """Whether code is made of names, numbers, operators and known functions, and nothing else.

    >>> is_mathematics("softmax(Q @ K.T / d)"), is_mathematics("model(x)")
    (True, False)
    """
    if not text.strip() or len(text) > _LONGEST or _OF_ONE_NUMBER.search(text) or _SPREADS_A_ROW.search(text):
        return False
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() != at:
            return False
        at = match.end()
        word = match["word"]
        if word is None:
            continue
        known = word in _ATTRIBUTES if match["dot"] else word not in _KEYWORDS
        if not known or (match["called"] and word not in _FUNCTIONS):
            return False
    return at == len(text)


def _equations(statement: Statement, following: Sequence[Statement]) -> Iterator[Found]:
    """What a statement says: an equation; or that a name has a value which is not said."""
    code = with_bare_vectors(_bare(statement.code))
    if entries := worked_entries(code):
        yield from (Found(entry, "code") for entry in entries)
        return
    target = _TARGET.match(code.text)
    if statement.body:
        if re.match(r"(?:[^\W\d]\w*\s*=\s*)?\[\s*\[\s*[-−+]?(?:\d|\.\d)", code.text) and is_mathematics(code.text):
            yield Found(code, "code")  # a matrix given inside of a function
        return
    if opens_body(statement):
        loop = _unrolled(statement, following)
        if loop is not None:
            yield Found(loop, "code")
        return
    if not target:
        listed = re.match(r"\[\s*\[?\s*[-−+]?(?:\d|\.\d)", code.text)
        if is_mathematics(code.text) and (listed or re.search(r"[^=!<>](?:=|≈)\s*\[", code.text)):
            yield Found(code, "code")
        elif altered := _ALTERED.match(code.text):
            yield _unstated(code.cut(*altered.span("name")))
        return
    if not is_mathematics(code.text[target.start("name") :]):
        yield _unstated(code.cut(*target.span("name")))
        below = _SIDE_BELOW.search(code.text)
        if below and is_mathematics(code.text[below.end() :]):
            yield Found(code.cut(below.end(), len(code.text)), "code")
    elif not _SETTING.fullmatch(code.text) or _is_used(target["name"], following):
        yield Found(code.cut(target.start("name"), len(code.text)), "code")


def _unstated(name: Located) -> Found:
    """That a name has a value by now which is not said."""
    return Found(join([name, Located.inserted(f" = {UNSTATED}", name.span(len(name.text), len(name.text))[0])]), "code")


def _set_in(text: str) -> list[str]:
    """The names that lines of a docstring set: its examples are not those of the program.

    >>> _set_in("Say d_k = 64:\\n    n = 2\\n")
    ['d_k', 'n']
    """
    return list(dict.fromkeys(match["name"] for match in _NAMES_SET.finditer(text)))


def _is_used(name: str, following: Sequence[Statement]) -> bool:
    """Whether mathematics that follows uses a name: settings of a program are not those of an example."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    users = (_bare(s.code).text for s in following[:50] if not s.body and word.search(s.code.text))
    return any(is_mathematics(text) and not _SETTING.fullmatch(text) for text in users)


def _bare(code: Located) -> Located:
    """Code without the names of libraries, and lists without the functions that make arrays of them."""
    if (target := _TARGET.match(code.text)) is not None:
        code = join([code.cut(0, target.end()), framed(code.cut(target.end(), len(code.text)))])
    named = without_wrappers(code).substitute(_LIBRARY, lambda _: "").substitute(_SAME, lambda _: "")
    named = named.substitute(_METHOD, _called)
    named = named.substitute(_FILLED_WITH, _filled).substitute(_FOR_EACH, _of_all).substitute(_MEAN, _mean)
    return named.substitute(_COLUMNS, lambda m: f"ncols({m[1]})").strip(" \t\r\n;")


def _called(method: re.Match[str]) -> str:
    """A method of an array as the function that it is, `A.sum(-1)` as sum(A, axis=-1)."""
    how = method["how"]
    named = how if "=" in how.partition(",")[0] or not how else f"axis={how}"
    return f"{method['called']}({method['of']}{', ' * bool(how)}{named})"


def _filled(made: re.Match[str]) -> str | None:
    """A small array of zeros or ones, or with ones on its diagonal, written out: `zeros((1, 2))` is [[0, 0]]."""
    sizes = [int(size) for size in made["sizes"].replace(",", " ").split()]
    if made["with"] == "eye":
        sizes = sizes * 2 if len(sizes) == 1 else [0]
    if not 0 < math.prod(sizes) <= _MOST_FILLED or len(sizes) > 2:
        return None
    number = "0" if made["with"] == "zeros" else "1"
    rows = [[number if made["with"] != "eye" or i == j else "0" for j in range(sizes[-1])] for i in range(sizes[0])]
    lists = [f"[{', '.join(row)}]" for row in rows]
    return lists[0] if len(sizes) == 1 else f"[{', '.join(lists)}]"


def _of_all(each: re.Match[str]) -> str | None:
    """What is done to each number of a list as done to the list, `[(x - m) / s for x in v]` is (v − m)/s."""
    word = re.compile(rf"\b{each['word']}\b")
    if len(word.findall(each["done"])) != 1:
        return None
    done = word.sub(each["list"], each["done"])
    return f"sum({done})" if each["called"] else f"({done})"


def _mean(sum_: re.Match[str]) -> str | None:
    """A sum over what it has as many terms as, `sum(v)/len(v)`."""
    return f"mean({sum_['terms']})" if re.search(rf"(?<!\w){re.escape(sum_['list'])}(?!\w)", sum_["terms"]) else None


_DONE = r"[^\W\d_()\[\]][^()\[\]]*|(?:[^()\[\]]|\((?:[^()]|\([^()]*\))*\))+?"
_FOR_EACH = regex(
    rf"(?:(?P<called>\bsum)\(\[?|\[)(?P<done>{_DONE})\s+for\s+(?P<word>[^\W\d]\w*)\s+in\s+"
    r"(?P<list>[^\W\d]\w*(?:\[\d+\])?)(?(called)\]?\)|\])"
)
_MEAN = regex(r"\bsum\((?P<terms>(?:[^()]|\((?:[^()]|\([^()]*\))*\))+)\)\s*/\s*len\((?P<list>[^\W\d]\w*(?:\[\d+\])?)\)")
_METHOD = regex(
    r"(?<![\w.)\]])(?P<of>[^\W\d]\w*(?:\((?:[^()]|\([^()]*\))*\))?|\((?:[^()]|\([^()]*\))*\)(?=\.\w+\(\)))\."
    r"(?P<called>sum|mean|var|std|max|min)\((?P<how>(?:(?:axis|dim)=)?-?\d(?:,\s*keepdims?=True)?|)\)"
)
_FILLED_WITH = regex(
    r"\b(?P<with>zeros|ones|eye)\(\s*[(\[]?(?P<sizes>\d{1,2}(?:\s*,\s*\d{1,2})*),?\s*[)\]]?\s*(?:,\s*dtype=[\w.]+)?\)"
)
_MOST_FILLED = 64


def _said(statement: Statement) -> Shown | None:
    """What a statement gives a value to, or shows: what a comment behind it may say the value of."""
    if statement.body:
        return None
    target = _TARGET.match(statement.code.text)
    if target:
        return Shown(statement.code.cut(*target.span("name")))
    if _PRINT.fullmatch(statement.code.text):
        shown = [x for x in _shown(statement, last=False) if x is not None]
        return shown[0] if len(shown) == 1 else None
    return _expression(statement.code)


def _echoes(
    prints: Sequence[Located], remarks: Sequence[Located], statements: Sequence[Statement]
) -> Generator[Found, None, list[Located]]:
    """The equations of comments that repeat what prints write, one after the other; returns the other comments.

    They are a run's: what other lines have made of a name, nobody knows for certain.
    """
    left, others = list(prints), list[Located]()
    for remark in remarks:
        k, found = next(((k, x) for k, each in enumerate(left) if (x := find_echoed(each, remark))), (0, None))
        shown = _expression(found[0]) if found is not None and _is_computed(found[0].text, statements) else None
        equation = None if found is None or shown is None else shown.equation(found[1])
        if equation is None or not is_plain(statements, remark.text):
            others.append(remark)
        else:
            left = left[k + 1 :]
            yield Found(equation, "output")
    return others


def _is_computed(written: str, statements: Sequence[Statement]) -> bool:
    """Whether a name, or what is made of names, was worked out, so that its number is no setting."""
    if len(statements) > _MOST_PLAIN or any(_AUGMENTED.search(each.code.text) for each in statements):
        return False
    given = [each.code.text for each in statements if (m := _TARGET.match(each.code.text)) and m["name"] == written]
    return not given or _LETTER.search(given[-1].partition("=")[2]) is not None


_AUGMENTED = regex(r"[\w)\]]\s*(?:[-+*/@%]|\*\*|//)=(?!=)")
_LETTER = regex(r"[^\W\d_]")


def _results(said: Shown | None, remarks: Sequence[Located]) -> Generator[Found, None, list[Located]]:
    """The equations that comments make, `# Output: [0.27, 0.73]`; returns the comments that are none.

    What is said to be an example only is a print like those of any run.
    """
    others: list[Located] = []
    remarks = [without_remark(remark) for remark in remarks]
    k = 0
    while k < len(remarks):
        goes_on = k > 0 and others[-1:] == [remarks[k - 1]] and _continues(remarks[k - 1].text, remarks[k].text)
        piece, end = _result(remarks, k) if said is not None and not goes_on else (None, k + 1)
        equation = said.equation(piece) if said is not None and piece is not None else None
        if equation is None:
            others += remarks[k:end]
        else:
            loose = any(_LOOSE.search(remark.text) for remark in (remarks[k], remarks[end - 1]))
            yield Found(equation, "output" if loose else "comment")
        k = end
    return others


def _continues(before: str, text: str) -> bool:
    """Whether a comment is a further side of the calculation in the one above: `# 2/1.41, 0`, then `# = [1.41, 0]`."""
    unfinished = _BEGUN.search(before) is not None and before.rstrip()[-1:] not in (":", "：", ",", "")
    return _SIDE.match(text) is not None and unfinished


_SIDE = regex(r"\s*[=≈]\s")
_SIDE_BELOW = regex(r"\n\s*=\s*(?=[^\n=≈]*[=≈][^=])")  # m_t = b*m_{t-1} + …, and below it = 0.9 * 0.5 = 0.45
_BEGUN = regex(r"[\w)\]]\s*[-+*/×·@^]\s*[\w(\[]|softmax\(|[=≈]\s*\S")


def _result(remarks: Sequence[Located], k: int) -> tuple[Located | None, int]:
    """The value that begins with a comment, if it does, and the comment after it."""
    lead = _LEAD.match(remarks[k].text)
    if lead is None:
        return None, k + 1
    rest = remarks[k].cut(lead.end(), len(remarks[k].text))
    spoken = bool(lead["word"] and _RESULT.search(lead["word"]))
    if lead["word"] and not spoken:
        return None, k + 1
    whole = join([rest, *remarks[k + 1 : k + 60]], "\n")
    start = whole.text.find("[")
    if start < 0 or not _ARRAY.fullmatch(whole.text[:start]):
        number = _NUMBER.match(rest.text)
        led = number is not None and (lead["sign"] or spoken or "." in number[0])
        fits = number is not None and led and not rest.text[number.end() :].strip(" .")
        return (rest.cut(*number.span()), k + 1) if fits and number is not None else (None, k + 1)
    end = list_end(whole.text, start)
    piece = whole.cut(start, end)
    worked = lead["sign"] and is_mathematics(piece.text) and _OPERATION.search(piece.text)  # [[0.5 * 0.2], [0.1]]
    if _INDEX.match(whole.text, end) and remarks[k].text[: lead.end()].rstrip().isidentifier():
        return None, k + 1  # output[1] = …
    if not end or not (worked or _ROW.fullmatch(piece.text)) or not has_digits(piece.text):
        return None, k + 1
    if factor := _CALCULATED.match(whole.text, end):  # [1, 2] * 3 is what it is made of
        fits = bool(lead["sign"]) and factor.end() == len(remarks[k].text) - lead.end()
        return (rest, k + 1) if fits else (None, k + 1)
    if _SHAPE.fullmatch(piece.text) and not lead["sign"] and not spoken:
        return None, k + 1
    return piece, k + 1 + whole.text[:end].count("\n")


_INDEX = regex(r"[ \t]*[=≈](?!=)")
_OPERATION = regex(r"[\d)]\s*[-+*/×·]\s*[-−\d.(]")
_CALCULATED = regex(r"[ \t]*[-+*/@×·][ \t]*[-−\d.(\[][^=≈→\n]*")
_SAME = regex(r"\.(?:copy|clone|detach|cpu|numpy|item|tolist)\(\)")  # methods that keep the values


def _expression(code: Located) -> Shown | None:
    """Code that is an expression alone, without the names of libraries, and without the rounding of what is shown."""
    if "^" in code.text:
        return None  # the exclusive or of Python
    code, places = without_rounding(framed(code))
    bare = _bare(code)
    single = "=" not in bare.text.replace("axis=", "").replace("dim=", "").replace("keepdims=", "")
    return Shown(bare, places) if single and is_mathematics(bare.text) else None


def _shown(statement: Statement, last: bool) -> list[Shown | None]:
    """What a statement prints, text apart; None for what is no mathematics. The last expression is shown as well."""
    printing = _PRINT.fullmatch(statement.code.text)
    if printing is None:
        bare = statement.code
        if not last or _TARGET.match(bare.text) or not bare.text.strip() or statement.body or opens_body(statement):
            return []
        return [_expression(bare)]
    shown: list[Shown | None] = []
    for argument in parts_between(statement.code.cut(*printing.span("inside")), ","):
        quoted = _QUOTED.fullmatch(argument.text)
        if quoted is None:
            if not re.match(r"(?:end|sep|file|flush)\s*=", argument.text):
                shown.append(_expression(argument))
        elif quoted["filled"]:
            shown += [_expression(argument.cut(*m.span(1))) for m in _FILLED.finditer(argument.text)]
    return shown


def _pieces(printed: Sequence[Located]) -> Iterator[Located]:
    """The values in what a program printed: lists over one or several lines, and numbers that stand alone."""
    k = 0
    while k < len(printed):
        text = printed[k].text
        if (frame := read_frame(printed, k)) is not None:
            yield frame[0]
            k = frame[1]
            continue
        start = text.find("[")
        if start >= 0:
            whole = join(printed[k : k + 500], "\n")
            end = list_end(whole.text, start)
            if end and _ROW.fullmatch(whole.text[start:end]) and has_digits(whole.text[start:end]):
                yield whole.cut(start, end)
                k += whole.text[:end].count("\n")
        elif match := re.fullmatch(rf"(?:.*[:=]\s*)?(?:tensor\()?(?P<n>{_NUMBER.pattern})\)?\s*", text):
            yield printed[k].cut(*match.span("n"))
        k += 1


def _equation(left: Located, right: Located) -> Located:
    return join([left, right.led_by(" = ")])


def _unrolled(loop: Statement, following: Sequence[Statement]) -> Located | None:
    """What a loop over rows does to the matrix: `for i in range(n): A[i] = softmax(S[i])` is A = softmax(S)."""
    by_index = _LOOP.match(loop.code.text)
    by_row = _LOOP_OF_ROWS.match(loop.code.text)
    match = by_index or by_row
    if match is None:
        return None
    body = []
    for statement in following:
        if not statement.body:
            break
        body.append(statement.code)
    index = match["index"]
    rows = {by_row["row"]: by_row["rows"]} if by_row else {}
    for code in body[:-1]:
        local = re.fullmatch(rf"(\w+)\s*=\s*(\w+)\[\s*{index}\s*(?:,\s*:\s*)?\]", code.text)
        if local is None:
            return None
        rows[local[1]] = local[2]
    return _of_all_rows(body[-1], index, rows) if body else None


def _of_all_rows(code: Located, index: str, rows: dict[str, str]) -> Located | None:
    """A statement about row `index` as one about all of them."""
    target = _IN_LOOP.match(code.text)
    if target is None or (target["sign"] == "=") == (target["item"] is None):
        return None
    if target["item"] and not re.fullmatch(rf"\[\s*{index}\s*(?:,\s*:\s*)?\]", target["item"]):
        return None
    value = code.cut(target.end(), len(code.text)).substitute(_LIBRARY, lambda _: "")
    value = value.substitute(re.compile(rf"\[\s*{index}\s*(?:,\s*:\s*)?\]"), lambda _: "")
    if rows:
        value = value.substitute(re.compile(rf"\b(?:{'|'.join(rows)})\b"), lambda m: rows[m[0]])
    if target["sign"] == "+=":
        value = value.substitute(_PRODUCT, lambda _: " @ ")
    if not is_mathematics(value.text) or re.search(rf"\b{index}\b", value.text):
        return None
    return _equation(code.cut(*target.span("name")), value)
