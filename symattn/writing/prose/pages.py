"""What a page says of itself: its outline, and what readers can do with it."""

# key: (English, Chinese)
PAGES: dict[str, tuple[str, str]] = {
    "glyphs_missing": (
        "the fonts of the PDF do not have these characters, which cannot be read in it: {characters}; "
        "write other words, or HTML",
        "PDF 的字体中没有下列字符，它们在其中无法显示：{characters}；请改用其他字，或输出 HTML",
    ),
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
    "page.edit": ("Change the inputs", "修改输入"),
    "page.edit_how": (
        "Type a number (3, -0.5, 2/3, sqrt(2)): every step is computed again in this page.",
        "输入一个数（3、-0.5、2/3、sqrt(2)），本页会重新计算每一步。",
    ),
    "page.not_editable": (
        "The inputs cannot be changed in this page: one of its steps is not computed there.",
        "本页不能修改输入：其中有的步骤无法在页面里计算。",
    ),
    "page.edited": (
        "The inputs were changed. The numbers below are computed in this page in double precision and rounded; they "
        "are not proven. Where something was written about the earlier numbers, the page says that it is left out. For "
        "exact results, derive the worksheet.",
        "输入已修改。下面的数由本页用双精度算出并经过舍入，未经证明；针对原来的数所写的内容已隐去，并在原处注明。"
        "如需精确结果，请用下载的工作表重新推导。",
    ),
    "page.left_out": (
        "Left out here, since it was written about the earlier numbers: {kinds}.",
        "此处隐去针对原来的数所写的内容：{kinds}。",
    ),
    "page.comma": (", ", "、"),
    "page.left_text": ("text", "文字"),
    "page.left_formula": ("formulas", "公式"),
    "page.left_table": ("a table", "表格"),
    "page.left_figure": ("a picture", "图"),
    "page.put_back": ("Put the inputs back", "恢复原来的输入"),
    "page.worksheet": ("Download the worksheet", "下载工作表"),
    "page.no_number": ("Not a number: write 3, -0.5, 2/3 or sqrt(2)", "不是数：请写成 3、-0.5、2/3 或 sqrt(2)"),
    "page.row": ("row", "行"),
    "page.column": ("column", "列"),
    "page.copy": ("Copy LaTeX", "复制 LaTeX"),
    "page.copied": ("Copied", "已复制"),
    "page.not_copied": ("Not copied: the browser does not allow it", "未能复制：浏览器不允许"),
}
