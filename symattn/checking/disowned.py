"""What an article calls wrong, naive or somebody's belief, or asks about: that is no claim of its own."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.writing.prose import Sentence

_DISOWNED = regex(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|naive|naïve|mistaken?|mistakes|erroneous|typo|misprint|slip|pitfall|buggy|false|invalid"
    r"|tempting|myth|misconception|untrue|instead of|rather than|not|erratum|errata|replaced?"
    r"|doc(?:s|umentation)? (?:says?|has|have)"
    r"|(?:often|sometimes|commonly|frequently) (?:writ\w+|see[ns]?|claim\w*|stat\w+))\b"
    r"|❌|✗|✘|错误|有误|错写|误写|笔误|誤植|不正确|不对|朴素|而不是|而非|잘못|틀린|誤り|間違",
    re.I,
)
# "relative positions, not absolute ones": what is not meant is no formula
_CONTRASTED = regex(
    r"\b(?:not|instead of|rather than)(?: (?:on|the|their|its|by|just|only))* absolute\b|(?:而不是|而非|不是)绝对",
    re.IGNORECASE,
)
_SAID_WRONG = (
    r"(?:(?:false|wrong|incorrect|falsch|faux|incorrecto|incorreto|sbagliato|неверно|ошибочно)(?![\w-])"
    r"|错误?|錯誤?|不对|不正确|틀린|間違|誤り)"
)
_CROSS = "[✗✘❌✕✖☒]"
_ANSWER = regex(
    r"[\s$*`.:,，。：—–-]*(?:(?:the )?(?:answer|solution|antwort|réponse|respuesta|答案|答)(?: is)?[\s*:：]*)?"
    rf"(?:{_SAID_WRONG}|[(（]\s*{_SAID_WRONG}\s*[)）])"
    rf"|[ \t$*`.:,，。：—–-]*(?:\|[ \t*]*{_SAID_WRONG}|{_CROSS}|[(（]\s*(?:{_CROSS}|×)\s*[)）])",
    re.I,
)
# a number that is said instead: it ends what is said, in contrast to 5 times more, 4 wide and 16 的倍数
_INSTEAD_OF_IT = (
    r"[\s$`*]*(?:\[|约?[-−]?\d(?:[\d.,]*\d)?[\s$`*%]*(?:[KMGT]?i?B\b[\s$`*]*)?"
    r"(?:[.,;:!?)\]，。；：！？）」”\"—–]|- |\n|\Z|(?:not|instead|rather|because|since|as|so|but|and|if)\b|[个個而不]))"
)
# right behind it: "it should read", "应改为"; "should be" only with a number that is no check of a sum of weights
_MENDED = regex(
    r"[ \t$*`.,;:(，。；：（)—–-]*\n?(?:(?:but|and|where|which|what|this|that|it|here) ){0,3}"
    r"(?:(?:should|ought to|must)(?: (?:really|actually|rather))? (?:read\b|have (?:been|read)\b"
    rf"|be(?=[\s$`*])(?![\s$`*]*[01](?![.,]?\d)){_INSTEAD_OF_IT})"
    r"|correct(?:ed|ion)?:|richtig (?:ist|wäre)\b|(?:il )?fallait (?:lire|écrire)\b|deb(?:e|ería) (?:decir|leerse)\b"
    rf"|(?:这里|此处|其?实际?上?)?应(?:改为|(?:为|该是|当是|是){_INSTEAD_OF_IT})|正确的?(?:是|应|写法|结果|答案))",
    re.I,
)
_QUIZ = regex(
    r"(?:true or false|right or wrong|richtig oder falsch|vrai ou faux|verdadero o falso|判断(?:题|正误|对错))\W*$"
    r"|(?:^|[.;!?。；]\s|[-*•]\s)\W*(?:false|falsch|faux|falso|错)\s?[:：—–]\W*$",
    re.I | re.MULTILINE,
)
_MARK = regex(rf"(?P<cross>{_CROSS})|[✓✔✅☑]")
_WHOSE = regex(  # "✗ Wrong:", "✗ Pupil 1:" are of mistakes, "✗ Slow:" is of what it costs
    rf"{_SAID_WRONG}|\b(?:this|that|like|write|not?|never|bad|don['’]t|mistakes?|naive|naïve|incorrectly|wrongly"
    r"|(?:student|pupil|answer|attempt|claim|solution|option|guesse?|reply|response|result|example|line|step)s?)\b"
    r"|学生|答案|回答|尝试|选项|结果",
    re.I,
)
_WORDS = regex(r"\||[^\W\d_]{3}|[\u4e00-\u9fff]{2}")
_TICKED = regex(r"[\s$*`.]*[✓✔✅☑][^=\n]*(?:\n|$)")
_QUOTED = regex(
    rf"[”」』\"][^\n]{{0,60}}?[(（]\s*(?:{_SAID_WRONG}|{_CROSS})\s*[)）]", re.I
)  # "1 + 1 = 3" → reward 0.2 (incorrect)
CONVENTION = regex(r"\b(?:muP|maximal update)\b|[µμ]P\b", re.I)  # another scale on purpose
_ENDS = regex(r"[.。!?！？;；\n](?=\s|$)|\n")
# of a number: less is enough to leave a formula alone, since it may hold in one convention and not in another
_FAULT = regex(
    r"incorrect|wrong|mistak|erroneous|naive|naïve|instead of|not equal|fallacy|pitfall|falsch"
    r"|erróneo|erreur|错误|錯誤|误以为|而不是|ошиб|間違|틀린",
    re.IGNORECASE,
)
# "Instead of a softmax, we have 2 · 3 = 6": what is said then is meant
_INSTEAD = regex(r"\binstead of\b[^,;:.=\d]{0,60}?(?:,|\b(?:we|you|I|one|they)\b)", re.IGNORECASE)
_BELIEVED = regex(
    r"\b(?:tempt(?:ing|ed)|misconception|myth|(?:one|you|we|they) (?:might|may|could) (?:be led to )?"
    r"(?:think|believe|guess|expect|assume|suppose|conclude)"
    r"|(?:students?|pupils?|beginners?|newcomers?|novices?|readers?|people|some(?:one|body)?|many|colleague|critics?)"
    r"(?: \w+){0,2}? (?:claim|think|believe|sa(?:y|id)|wr[io]te|compute|assert|guess|answer|argue|conclude|get)\w*)\b"
    r"|(?:有人|有些人|初学者|新手|很多人|学生)[^，。]{0,6}(?:以为|认为|说|声称|写|算|觉得)",
    re.IGNORECASE,
)
_FORBIDDEN = regex(  # right before it
    r"\b(?:do not|don['’]t|never|(?:must|should|can) ?not|(?:shouldn|mustn|can)['’]t|not (?:true|the case|so|right))"
    r"(?: \w+){0,3}[\s:$`*(\[\\]*$",
    re.IGNORECASE,
)
_CALLED_SO = regex(
    r"\b(?:by mistake|mistaken(?:ly)?"
    r"|(?:is|are|was|were|would be) (?:wrong|false|incorrect|not (?:true|right|correct|so)))\b"
    r"|(?:是错的|是不对的|是错误的|不对|不成立)",
    re.IGNORECASE,
)
_WRITTEN = regex(  # what stood somewhere else, which the next words put right
    r"(?:\b(?:was|were|had been|is) (?:\w+ )?(?:written|printed|logged|recorded|stated|reported|given|copied)"
    r"|\bwurden? (?:\w+ ){0,3}(?:geschrieben|gedruckt|angegeben)|\b(?:était|est) (?:écrit|imprimé|noté)"
    r"|\b(?:estaba|fue|está|estava|foi) (?:escrit[oa]|impres[oa])|было (?:написано|записано)"
    r"|(?:写|記|记|印)(?:成了?|作|为|為))(?: as| with)?[\s:：$`*“\"]*$",
    re.IGNORECASE,
)
_PUT_RIGHT = regex(
    r"[\s$`*”\")\].,;:，。；—–-]*(?:(?:but|and) )?(?:it is(?! (?:also|used|then|the|a)\b)|mathematically"
    r"|actually|correctly|in fact|really|tatsächlich|richtig|en (?:fait|réalité)|en realidad|na verdade|на самом деле"
    r"|实际上?|其实|应)",
    re.IGNORECASE,
)
_ASKED = regex(r"[\s$`*)\]\\]*[?？]")
_SENTENCE = regex(r"(?<=[.!?;])(?=\s)|(?<=[。！？；])|\n\s*\n")
_FAR = 200  # characters


def disowns(before: str, after: str) -> bool:
    """Whether the words around a formula call it wrong, naive or what is not meant: in its sentence or on its line."""
    if CONVENTION.search(before[-120:] + " " + after[:120]) or _ANSWER.match(after):
        return True
    sentence = _CONTRASTED.sub("", _ENDS.split(before.rstrip(" \n$*`"))[-1])
    following = _CONTRASTED.sub("", _ENDS.split(after.lstrip("$* `"))[0][:80])
    return (
        _DISOWNED.search(sentence[-120:]) is not None
        or _DISOWNED.search(following) is not None
        or _believes(before, after)
    )


def said_to_be_a_fault(label: str, before: str, after: str) -> Sentence | None:
    """Why a number is no claim: what precedes and follows it says that it is a mistake or a belief, or it is asked for.

    `label` are the words that stand right before it, perhaps in a sentence of their own.
    """
    if (
        _FAULT.search(_INSTEAD.sub("", label))
        or _ANSWER.match(after)
        or _QUOTED.match(after)
        or _believes(before, after)
        or (_WRITTEN.search(before[-_FAR:]) and _PUT_RIGHT.match(after))
    ):
        return Sentence("said_to_be_wrong")
    if _is_second_of_two(before, after):
        return Sentence("said_of_two")
    if _WORDS_IN_CODE.search(before[-_FAR:]) and _END_OF_CODE.match(after):
        return Sentence("line_unread")
    return None


# `ana says 5+8=14.`, what a program wrote, in a table
_WORDS_IN_CODE = regex(
    r"^[ \t]*\|[^\n]*(?<!`)`(?:(?!(?:is|are|sum|total|result|score)\b)[^\W\d_]+[ ,]{1,2}){2,8}$",
    re.IGNORECASE | re.MULTILINE,
)
_END_OF_CODE = regex(r"[.!?]?`(?!`)")


_MARKS = r"\s*(?:\$|`|\\[()])?\s*"  # around formulas in a sentence
_AND = r"(?P<word>vs\.?|versus|and|or|und|oder|et|ou|y|e|和|与|或)"
_ONE_AND = regex(rf"(?P<one>[^\n]*[^\s$`\\]){_MARKS}{_AND}{_MARKS}$")
_AND_ANOTHER = regex(rf"{_MARKS}{_AND}{_MARKS}(?:[-−]?\.?\d|\[)")
_EQUALITY = regex(r"[=≈]|\\approx")


def _is_second_of_two(before: str, after: str) -> bool:
    """Whether two things are said to be two numbers, `e⁵ vs e³ = 148 vs 20`: the first number is not of the second."""
    one, another = _ONE_AND.search(before[-_FAR:]), _AND_ANOTHER.match(after)
    if one is None or another is None or one["word"] != another["word"]:
        return False
    return _EQUALITY.search(re.split(r"[,;，；：:] ", one["one"])[-1]) is None


def _is_crossed(before: str, after: str) -> bool:
    """Whether a line marks in front of what is wrong and what is right, ✗ 7 · 8 = 54 ✓ 7 · 8 = 56: this is wrong."""
    line = before[-_FAR:].rpartition("\n")[2]
    marks = list(_MARK.finditer(line))
    in_front = bool(marks) and bool(marks[-1]["cross"]) and "=" not in line[: marks[0].start()]
    said = _WHOSE.sub("", line[marks[-1].end() :]) if in_front else ""
    return in_front and not _WORDS.search(said) and not _TICKED.match(after)


def _believes(before: str, after: str) -> bool:
    own, following = _SENTENCE.split(before[-_FAR:])[-1], _SENTENCE.split(after[:_FAR])[0]
    if _MENDED.match(after) or _QUIZ.search(before[-_FAR:]) or _is_crossed(before, after):
        return True
    return bool(
        _BELIEVED.search(own) or _FORBIDDEN.search(own) or _CALLED_SO.search(following) or _ASKED.match(following)
    )
