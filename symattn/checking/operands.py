"""Formulas that are only part of what is meant, because of what stands right before them in the text.

In "6 divided by √4 = 3" the left side begins at 6. A formula that is only put in, with a comma before it or a verb
behind it, says what it says: "14, divided by √4 = 2, is 7", "6 divided by √4 = 2 gives 3".
"""

from __future__ import annotations

import re

from symattn.patterns import regex

FARTHEST = 160  # characters before a formula that are looked at
_FULL = 50  # characters of a line that was broken because it was full

# what two numbers are joined by; the first of them stands before it
_JOINS = regex(
    r"(?:(?:divided|multiplied|scaled) by|times|plus|minus|less|over|mod(?:ulo)?|geteilt durch|dividiert durch"
    r"|multipliziert mit|mal|hoch|dividido (?:por|entre)|multiplicado por|por|más|menos|divisé par|multiplié par|fois"
    r"|(?:more|less|fewer|greater|larger|bigger|smaller|higher|lower) than|times as (?:much|many|large|big) as"
    r"|moins|vezes|mais|diviso|per|più|meno|(?:раз)?делить на|дел[её]нное на|умножить на|умноженное на|плюс|минус"
    r"|除以|乘以|乘上|乘|加上|加|减去|減去|减|減|倍的?)\Z",
    re.IGNORECASE,
)
_OPERAND = regex(  # a number, but no index of a name; a bracket; a fraction
    r"(?:(?<![\w{}.,^])\d(?:[\d.,]*\d)?(?:\{,\}\d+)*[²³⁴%]?|[)\]]|\\d?frac\{\w+\}\{\w+\}"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|hundred))[$*_`\s]*\Z",
    re.IGNORECASE,
)
# what one number is made another by
_FUNCTIONS = (
    r"squares?|cubes?|(?:square |cube )?roots?|log|ln|(?:natural )?logarithm|exp|exponential|sigmoid|tanh|relu|gelu"
    r"|softplus|inverse|reciprocal|negative|opposite|negation|absolute value|modulus|magnitude|factorial|floor|ceiling"
    r"|sine|cosine|tangent|double|triple|half|third|quarter|fifth|tenth"
)
_OF = regex(
    rf"(?:(?<!\ba )(?<!\ban )\b(?:{_FUNCTIONS}) (?:of|from)"
    r"|\bthe (?:mean|average|variance|norm|length|derivative) of|\b(?:raised )?to the power(?: of)?"
    r"|\b(?:twice|thrice|double|triple|half|minus|negative|moins|menos|минус|doppelte|percent of|per cent of)"
    r"|%(?: of|的)|\b(?:Hälfte|Doppelte|Quadrat|Wurzel|Logarithmus|Kehrwert) (?:von|aus)"
    r"|\b(?:two|three|four|five|six|seven|eight|nine)[ -]?(?:thirds|quarters|fifths|fold|tenths)(?: of)?"
    r"|\b(?:mitad|doble|triple|cuadrado|raíz|logaritmo|moitié|double|carré|racine|logarithme|metade|dobro|quadrado"
    r"|raiz|metà|doppio|quadrato|radice) (?:cuadrada |carrée |quadrada |quadrata )?(?:de|di)"
    r"|(?:половина|квадрат|корень(?: из)?|логарифм)|(?:两倍|一半|平方根|负|負|根号|对数))\Z",
    re.IGNORECASE,
)
_OF_TWO = regex(
    r"\b(?:sum|product|difference|quotient|ratio|maximum|minimum|max|min|mean|average) (?:of|between)\b[^.;:=]{1,40}"
    r"(?:,| and)\Z",
    re.IGNORECASE,
)
_GOES_ON = regex(
    r"[$*_`)\s]*(?:(?:(?:which |that |it )?(?:gives?|yields?|is|are|makes?|equals|becomes?|leaves?|comes to"
    r"|results? in)|ergibt|ist|macht|da|es|queda|donne|est|dá|fica|fa|даёт|равно)\b|得|等于|為|为)",
    re.IGNORECASE,
)
_DONE = regex(
    r"\b(?:(?:divid|multipl|scal)\w+ (?P<by>.{1,20}) by|(?:add|subtract)\w* (?P<to>.{1,20}) (?:to|from))\Z", re.I
)
_FACTOR = regex(  # − (q × k) before sin 2θ; an (a) or (1) behind a dash is a label
    r"[\w)\]}]\s?[-−–+×·*/]\s?[(\[][^()\[\]\n]{0,40}[-−–+×·*/][^()\[\]\n]{0,40}[)\]][ \t]?\Z"
)
_MARKS = regex(r"[ \t$*_`\\]*\Z")
_CALLS = r"\b(?:ln|log|exp|sqrt|tanh|sigmoid|relu|gelu|sin|cos|max|min|abs)|σ"
_SIGN = regex(  # right before the mark of a formula; a dash between words is none
    r"(?:(?:[×·∙⋅÷/^√+]|(?<=[\d)\]}²³$]) ?[-−–]) ?|(?<!\S)[−–-]|\d|\d ?\("
    rf"|(?:{_CALLS})(?: ?\(|\$? )?)\$\Z"
)
_BULLET = regex(r"[\s>]*[-+*]\s+\$")
_RELATED = regex(r"\$\)? ?(?:[=≈]|\\approx)")


def is_part(before: str, after: str) -> bool:
    """Whether a formula is only part of what is meant, by what stands before and after it in the file.

    >>> is_part("The theory has a − (q × k) ", "."), is_part("1 - (a) ", ".")
    (True, False)
    """
    return _FACTOR.search(before[-FARTHEST:]) is not None or is_operand(before, after) or is_touched(before, after)


def is_operand(before: str, after: str) -> bool:
    """Whether a formula stands right behind a word of operation and is what that is done with.

    >>> is_operand("6 divided by $", "."), is_operand("14, divided by ", ", is 7"), is_operand("把 6 除以 $", "$ 得 3")
    (True, False, False)
    >>> is_operand("Twice ", "."), is_operand("The square of $", "."), is_operand("We get a square of ", ".")
    (True, True, False)
    """
    if _GOES_ON.match(after):
        return False
    above, _, line = before[-FARTHEST:].rpartition("\n")
    said = _MARKS.sub("", line)
    if not said and len(above.rpartition("\n")[2]) > _FULL:
        said = _MARKS.sub("", above)
    joined = _JOINS.search(said)
    if joined is not None and _OPERAND.search(said[: joined.start()]):
        return True
    done = _DONE.search(said)
    if done is not None and _OPERAND.search(done["by"] or done["to"]):
        return True
    return _OF.search(said) is not None or _OF_TWO.search(said) is not None


def is_touched(before: str, after: str) -> bool:
    """Whether a sign or a digit belongs to a formula between marks that it stands before, with `=` behind these.

    >>> is_touched("3 + $", "$ = 23"), is_touched("2($", "$) = 14")
    (True, True)
    >>> is_touched("so – $", "$ = 23"), is_touched("- $", "$ = 6")
    (False, False)
    """
    line = before[-FARTHEST:].rpartition("\n")[2]
    signed = _RELATED.match(after) is not None and _SIGN.search(line) is not None
    return signed and _BULLET.fullmatch(line) is None
