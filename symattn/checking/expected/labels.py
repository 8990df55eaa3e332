"""What the words before a matrix say that it is: "The attention weights are:" or "The scores are $QK^T$:".

Words are no equation, so the numbers have to bear them out: each close to what the step gives, half of them right, 0
and 1 apart, which softmax gives to anybody. A step that was printed already is not looked for again, nor is what an
author only assumes.
"""

from __future__ import annotations

import html
import re
import unicodedata

from symattn.checking.expected.evidence import mostly_right
from symattn.checking.expected.implied_steps import AFTERWARDS, ORDER, WORDS, Roles, best_first, formulas_of, is_mask
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed
from symattn.patterns import regex
from symattn.reading import formula as f

LONGEST = 200  # characters of a label
SHOWN = 60  # of them in a report
STEPS = (*ORDER, "projection", "residual")
_ASSUMED = regex(
    r"assum|suppos|imagin|let'?s say|say,|example|e\.g\.|hypothet|random|ideal|target|instead|without|before|not "
    r"|假设|假定|例如|比如|随机|期望|理想|之前",
    re.IGNORECASE,
)
_LETTER = regex(r"(?:^|[\s(*`\"'])(?P<letter>[QKVXqkvx])_?(?P<index>[0-9₀-₉]{0,2})\)?[*`]*\s*[:：]?[*`]*\s*$")
_MARKS = regex(r"^[\s#>*+-]+|[\s$*:：\\\[]+$")
_FENCE = regex(r"^[\s>]*(?:`{3,}|~{3,})[ \t]*[\w.+-]*\s*$")  # the marks of a block of code are no words
_WRAPPER = regex(r"(?:\b\w+\.)?\b(?:tensor|array)\(\s*$")  # what a program prints around a matrix
_SENTENCE = regex(r"[。！？；]|\.\s")
_TAG = regex(r"<[^<>]{0,200}>")
_ANNOUNCES = regex(
    r"[\s$*_)\]\\(`]*(?:is|are|gives?|yields?|becomes?|equals?|as|为|是|得到?|等于|如下|"
    r"(?:,\s(?:(?:or|i\.e\.|that is|which (?:is|gives)|soit|also|es decir|ossia|ou seja),?)?\s?"
    r"(?:about|approximately|roughly|around|etwa|rund|environ|aproximadamente|circa)?|，(?:也就是|即|约|約|大约|近似)[为為]?))?"
    r"[\s*_]*[:：]?[\s$*_\[\\>`]*"
)


def label_in(source: str) -> str:
    """The last line of a text that has words in it, or its last sentence if it is long: what stands before a formula.

    >>> label_in("Then we are done.\\n\\nThe <b>weights</b> are:\\n\\n$$")
    'The weights are'
    >>> label_in("Softmax gives\\n`")
    'Softmax gives'
    """
    lines = (_MARKS.sub("", _WRAPPER.sub("", _FENCE.sub("", line))) for line in reversed(source.split("\n")))
    said = _TAG.sub("", next((line for line in lines if line.strip("`")), ""))
    if len(said) > LONGEST:
        said = _SENTENCE.split(said)[-1]
    return said if len(said) <= LONGEST else ""


def subject_of(label: str) -> str:
    """What a label is shown as: without the signs that end what stands before it, and of a long one the last sentence.

    >>> subject_of("; weights"), subject_of("We take " + "$d = 1. 5$ and " * 5 + "go on. The weights $A")
    ('weights', 'The weights $A$')
    """
    said = html.unescape(label).lstrip(" ,;:，；：。、)）")
    if len(said) > SHOWN:
        ends = [m.end() for m in _SENTENCE.finditer(said) if said.count("$", 0, m.start()) % 2 == 0]
        said = said[max((end for end in ends if said[end:].strip()), default=0) :].strip()
        said += "$" * (said.count("$") % 2)
    return said


def announces(between: str) -> bool:
    """Whether there is nothing between a formula and a matrix but a colon or a verb."""
    return len(between) <= LONGEST and bool(_ANNOUNCES.fullmatch(between)) and any(c not in " \t\r\n$" for c in between)


def is_assumed(label: str) -> bool:
    """Whether words say that numbers are only assumed, or are others than those of a step: "without softmax"."""
    return _ASSUMED.search(label) is not None


def find_labelled_step(
    label: str, printed: Printed, roles: Roles, environment: Environment
) -> tuple[str, Definition | None] | None:
    """The step that a label names, with its formula if the numbers bear one out; else the step if it names only one."""
    if is_assumed(label) or AFTERWARDS.search(label.lower()):
        return None
    named = list(dict.fromkeys(role for word, role in WORDS if word in label.lower() and role in STEPS))
    if "masked" in named and is_mask(printed):
        return None
    open_ = [
        role
        for role in named
        if role == "scores" or not (roles.is_known(role, environment) or roles.is_past(role, environment))
    ]
    if "projection" in open_ and not roles.is_judged("concat", environment):
        open_.remove("projection")
    for role in open_:
        known = environment.stated
        formulas = formulas_of(role, printed, roles, environment)
        fresh = ((x, shows) for x, shows in formulas if not (x in known and known[x].prints))
        for definition, _ in best_first(fresh, printed, environment):
            if mostly_right(definition, printed, environment):
                return role, definition
    done = [role for role in ("masked", "scaled") if role in named][:1]  # to the scores, of "scaled scores"
    meant = [role for role in named if role in done or role not in ORDER[:3]] if done else named
    return (meant[0], None) if len(meant) == 1 and meant[0] in open_ else None


def letter_in(label: str) -> f.Name | None:
    """The letter of queries, keys, values or tokens that the words right before a list end in.

    >>> letter_in("Query vector (q1)") == letter_in("q₁:") == f.Name("q", ("1",)), letter_in("the other keys")
    (True, None)
    """
    match = _LETTER.search(label)
    if match is None:
        return None
    index = unicodedata.normalize("NFKC", match["index"])
    return f.Name(match["letter"], (index,) if index else (), text=match["letter"] + (f"_{index}" if index else ""))


def symbol_in(label: str) -> f.Name | None:
    """The capital letter that words right before a matrix call it by, "Full S (rows are queries)", "The matrix S:".

    >>> symbol_in("Full S (rows = query)") == symbol_in("S matrix") == f.Name("S"), symbol_in("Step A")
    (True, None)
    """
    match = _SYMBOL.fullmatch(_IN_BRACKETS.sub("", label).strip())
    return None if match is None else f.Name(match["letter"] or match["other"])


def symbol_behind(label: str) -> f.Name | None:
    """The capital letter that stands in brackets behind the words before a matrix.

    >>> symbol_behind("Attention matrix (A)") == f.Name("A"), symbol_behind("final output (see A)")
    (True, None)
    """
    match = _BEHIND.search(label)
    return None if match is None else f.Name(match["letter"])


_BEHIND = regex(r"[^\W\d_]\s*[(（](?P<letter>[A-Z])[)）][\s*:：-]*$")
_IN_BRACKETS = regex(r"\s*\([^()]{0,100}\)\W*$")
_SYMBOL = regex(
    r"(?:(?:[Tt]he|[Ff]ull|[Ww]hole|[Cc]omplete|[Ee]ntire|[Mm]atrix)\s+){1,3}(?P<letter>[A-Z])"
    r"|(?:[Tt]he\s+)?(?P<other>[A-Z])\s+matrix"
)


def find_labelled_name(role: str) -> f.Name:
    """The name under which a step is known that has only a label."""
    return f.Name(role, sup=("labelled",))
