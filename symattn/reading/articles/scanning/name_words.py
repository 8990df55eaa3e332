"""Words that are names in formulas of plain text, words for what a letter stands for, and short words of prose."""

from __future__ import annotations

_WORDS_OF_NAMES = """
    softmax exp sqrt log ln max min sum attention concat multihead dhead score scores weight weights scaled
    masked output outputs head relu transpose cos sin tanh diag mean inf nan infty infinity array tensor query pos
    key value logits denominator numerator total context dot alpha beta gamma lambda sigma np torch
"""
NAMES = frozenset(_WORDS_OF_NAMES.split())
_WORDS_OF_KINDS = """
    score scores weight weights output outputs head query queries key keys value values logits context total mask
    matrix vector token tokens embedding embeddings input inputs
"""
KINDS = frozenset(_WORDS_OF_KINDS.split())  # of what a letter behind it stands for, `Query Q =`
_WORDS_OF_SHORT_PROSE = """
    a i an as at be by do go he if in is it me my no of on or so to up us we vs ok de la le el en un es
    et du au il lo na da do em os um se the and for are but not you all can has how our out use via per
    let its now was two one GPT LLM NLP BOS EOS PAD CLS SEP API GPU CPU row col the
"""
SHORT_PROSE = frozenset(_WORDS_OF_SHORT_PROSE.split())
