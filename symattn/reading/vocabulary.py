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
