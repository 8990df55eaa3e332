"""What a page says of itself: its outline, and what readers can do with it."""

# key: (English, Chinese)
PAGES: dict[str, tuple[str, str]] = {
    "page.contents": ("Contents", "目录"),
    "page.hint": (
        "Point at a number of a matrix, or touch it, to see how it is computed. By keyboard: Tab to a formula, then "
        "the arrow keys.",
        "将鼠标指向或触摸矩阵中的数，即可看到它是怎样算出的。用键盘：按 Tab 键移到公式，再按方向键。",
    ),
    "page.numbers": ("Numbers", "数的写法"),
    "page.both": ("as printed", "与正文相同"),
    "page.exact": ("exact", "精确值"),
    "page.decimal": ("decimals", "小数"),
    "page.copy": ("Copy LaTeX", "复制 LaTeX"),
    "page.copied": ("Copied", "已复制"),
    "page.not_copied": ("Not copied: the browser does not allow it", "未能复制：浏览器不允许"),
}
