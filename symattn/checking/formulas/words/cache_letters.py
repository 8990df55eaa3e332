"""Tables of what a token takes in the cache, in letters: MHA 2 n_h d_h l, GQA 2 n_g d_h l, MQA 2 d_h l.

MLA keeps one latent for keys and values both, and one rotary key: (d_c + d_h^R) l. Source: DeepSeek-V2, table 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from symattn.checking.findings import Formula
from symattn.checking.formulas.counts import ours_of
from symattn.checking.formulas.shapes.sizes import read_size
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.trials.repairs import read_side
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

NEAR = 300  # characters above a table that say what it is of
_ROW = r"^[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z)"
_TABLE = regex(rf"(?:{_ROW}){{3,}}", re.MULTILINE)
_LINE = regex(_ROW, re.MULTILINE)
_CELL = regex(
    r"^\W*(?:[\w -]*(?:[Aa]ttention|注意力)\s*[(（]\s*)?(?P<kind>MHA|GQA|MQA|MLA)\b[^\w|\n]*"  # and no more words
    r"\|[^|$\n]*\$(?P<amount>[^$|\n]+?)(?:\\approx[^$|\n]*)?\$"
)
_ABOUT = regex(r"cache|缓存|緩存|キャッシュ|캐시", re.IGNORECASE)
_SHARE = regex(r"per[- ]token|(?:each|every|one|a) token|每个?\s?(?:token|词元)|トークンあたり|토큰당", re.IGNORECASE)
_BYTES = regex(r"bytes?\b|[KMG]i?B\b|字节|バイト|바이트", re.IGNORECASE)
_HEADS = {"MHA": "h", "GQA": "g", "MQA": None}
_GROUPS = frozenset(["n_g", "n_groups", "G"])
_LATENT, _ROTARY = regex(r"d_c|d_latent|r_?kv|kv_lora_rank"), regex(r"d_h_R|d_R|d_rope|d_r|d_h\^R|qk_rope_head_dim")


@dataclass(frozen=True)
class _Cell:
    """What a row says one kind of attention keeps: where it stands, whether it is so, and what it leaves out."""

    kind: str
    span: tuple[int, int]
    right: bool
    factor: Expr | None  # of what is printed to what is right, if that is a number


def judge_cache_letters(context: Context) -> Iterator[Formula]:
    """The rows of a table with one amount each. A row is false only beside one that is right, which tells how the
    table counts; not one of MLA, which counts keys and values together anyhow."""
    source = context.article.words
    for table in _TABLE.finditer(source):
        around = source[max(table.start() - NEAR, 0) : table.end()]
        if not (_ABOUT.search(around) and _SHARE.search(around)) or _BYTES.search(around):
            continue
        if any(line.count("$") > 2 for line in table[0].splitlines()):
            continue
        cells = list(_cells(table[0], table.start()))
        known = any(cell.right and cell.kind != "MLA" for cell in cells)
        for cell in cells if known else ():
            if cell.right or cell.factor is not None:
                theorem = Sentence("formula_cache_latent" if cell.kind == "MLA" else "formula_cache")
                yield conclude_in_words(context, cell.span, "holds" if cell.right else "fails", theorem)


def _cells(table: str, start: int) -> Iterator[_Cell]:
    for line in _LINE.finditer(table):
        found = _CELL.match(line[0])
        side = None if found is None else read_side(found["amount"])
        count = None if side is None else read_size(side)
        if found is None or count is None:
            continue
        made = _expected(found["kind"], count)
        if made is not None:
            ratio = sympy.cancel(count / made)
            at = start + line.start()
            span = at + found.start("amount"), at + found.end("amount")
            yield _Cell(found["kind"], span, ratio == 1, ratio if ratio.is_Rational else None)


def _expected(kind: str, count: Expr) -> Expr | None:
    """What this kind keeps, in the letters of a printed count; None where one of them is missing or not known."""
    roles: dict[str, Expr] = {}
    for letter in count.free_symbols:
        roles.setdefault(_role(letter.name, kind), letter)
    wanted = {"layers", "latent", "rotary"} if kind == "MLA" else {"layers", "d_k"}
    heads = _HEADS.get(kind)
    wanted |= {heads} if heads is not None else set()
    if set(roles) != wanted or len(roles) != len(count.free_symbols):
        return None
    if kind == "MLA":
        return roles["layers"] * (roles["latent"] + roles["rotary"])
    return 2 * sympy.Mul(*roles.values())


def _role(name: str, kind: str) -> str:
    if kind == "MLA" and (_LATENT.fullmatch(name) or _ROTARY.fullmatch(name)):
        return "latent" if _LATENT.fullmatch(name) else "rotary"
    return "g" if name in _GROUPS else str(ours_of(name))
