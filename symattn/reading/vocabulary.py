"""Words that articles in several languages use for one thing, as parts of regular expressions."""

# what the result of an addition is called
SUM = (
    r"sum|total|summe|gesamt|somme|suma|soma|somma|totale|toplam|jumlah|сумма|сума|итого|всего|tổng|مجموع"
    r"|总和|總和|总计|總計|合计|合計|합계|総和"
)

# what more there is than what was named: tokens that are left out, with their share of a total
THE_REST = (
    r"\b(?:remaining|others?|rest|top[- ]?(?:\d|k)|restliche\w*|übrige\w*|otros|demás|autres|reste)\b"
    r"|其余|其他|另外|剩余|その他|나머지"
)

# softmax is named before what it makes: "nach Softmax", and behind its name, "softmax 后"
AFTER = r"after|nach|après|después d[eo]l?|tras|dopo|após|depois d[eo]|после|sau"
AFTERWARDS = r"(?:[之の以]?[后後]|후)"

# words that are names in formulas of plain text, words for what a letter stands for, and short words of prose
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
