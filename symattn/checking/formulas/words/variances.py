"""What sentences say of the variance of a product of q and k, and of the sum of the products of their entries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula, FormulaVerdict
from symattn.checking.formulas.moments import INDEPENDENT, NEAR, OTHERWISE, VARIANCE_1, ZERO_MEAN, moments_condition
from symattn.checking.formulas.statements.context import Context
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_SIZE = r"(?P<size>\$?\\?(?:sqrt\{)?√?[dn](?:_(?:\{?\\?(?:text|mathrm)?\{?\w+\}*))?\}?(?:\s?[\^²]\s?2?)?\$?)(?![\w²^])"
_DOT = r"(?:dot[- ]products?|inner products?|q\s?·\s?k|\$q\s?\\cdot\s?k\$|\$q\^(?:T|\\top) ?k\$|点积|內積|内积)"
_ABOUT = r"\s*(?:about |roughly |approximately )?"
_IS = r"(?:是|为|為|等于|变为|变成|会变成|成为|は|은|이|가|=|≈)"
_SPREAD = r"(?:方差|變異數|分散|분산)"
_SPREADS_SAID = (
    regex(rf"{_DOT}[^.;]{{0,80}}?\bvariance\s*(?:of|is|equal to|equals|≈|=|becomes)?{_ABOUT}{_SIZE}"),
    regex(rf"\bvariance of (?:the |their |a )?{_DOT}[^.;]{{0,40}}?(?:\bis\b|equals|=|≈|becomes){_ABOUT}{_SIZE}"),
    regex(rf"{_DOT}(?:(?!{_SPREAD})[^.。；;]){{0,70}}?{_SPREAD}\s*(?:大约|约|就|将)?\s*{_IS}\s*(?:大约|约)?\s*{_SIZE}"),
)
# where the terms q_i k_i stand in front, `each term has variance 1, so their sum has variance d_k`
_SUMS_SAID = (
    regex(rf"求和(?:之)?后的?总?{_SPREAD}\s*{_IS}?\s*{_SIZE}"),
    regex(
        rf"\b[Ss]um(?:ming)? (?:over |of )?(?:all )?(?:the |these )?(?:\S{{1,6}} )?terms "
        rf"(?:gives|has|have) (?:a )?variance{_ABOUT}{_SIZE}"
    ),
)
_EQUATION = regex(r"\$[^$\n]*=[^$\n]*\$[\s,，]*")
_TERMS = regex(r"\$?q_\{?i\}?\s?(?:\\cdot\s?)?k_\{?i\}?")
_BEGINS = regex(r"[.;。；\n]")


def judge_variances_said(context: Context) -> Iterator[Formula]:
    """Sentences that say what the variance of a product of q and k is."""
    source = context.article.words
    for pattern in (*_SPREADS_SAID, *_SUMS_SAID):
        for found in pattern.finditer(source) if context.mentions(pattern) else ():
            size = found["size"].replace("$", "").strip()
            width = re.fullmatch(r"[dn](?:_\{?(?:\\?(?:text|mathrm)\{)?\w+\}*)?", size)
            start = max(
                (m.end() for m in _BEGINS.finditer(source, max(found.start() - 200, 0), found.start())), default=0
            )
            start += len(source[start : found.start()]) - len(source[start : found.start()].lstrip())
            if (formula := _EQUATION.search(source, found.start(), found.end())) is not None:
                start = formula.end()  # which is judged by itself
            near = source[max(found.start() - NEAR, 0) : found.end() + NEAR]
            if OTHERWISE.search(near):
                continue
            if pattern in _SUMS_SAID:
                terms = list(_TERMS.finditer(source, start, found.start()))
                if not terms:
                    continue
                start = terms[-1].start()
            stated = (("independent", INDEPENDENT), ("mean_0", ZERO_MEAN), ("variance_1", VARIANCE_1))
            missing = [key for key, said in stated if not said.search(near)]
            verdict: FormulaVerdict = "fails" if not width else "holds-if" if missing else "holds"
            condition = moments_condition(missing) if verdict == "holds-if" else None
            text = source[start : found.end()]
            yield Formula(
                source.count("\n", 0, start) + 1,
                start - source.rfind("\n", 0, start),
                text,
                verdict,
                Sentence("formula_moments"),
                condition,
                span=(start, found.end()),
            )
