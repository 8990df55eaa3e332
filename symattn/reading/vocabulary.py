"""Words that articles in several languages use for one thing, as parts of regular expressions."""

# what the result of an addition is called
SUM = (
    r"sum|total|summe|gesamt|somme|suma|soma|somma|totale|toplam|jumlah|сумма|сума|tổng|مجموع"
    r"|总和|總和|总计|總計|合计|合計|합계|総和"
)
