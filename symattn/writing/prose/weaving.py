"""What is said of placeholders in articles, and of what fills them."""

# key: (English, Chinese)
WEAVING: dict[str, tuple[str, str]] = {
    "placeholder_words": (
        "{words} does not say what to insert; write a worksheet and a step (mine.toml scores), an entry "
        "(mine.toml scores[1,2]), table or figure before a step (mine.toml table weights), or theorem and its name",
        "“{words}”没有指明内容；请写工作表和步骤（mine.toml scores）、元素（mine.toml scores[1,2]）、"
        "步骤前加 table 或 figure（mine.toml table weights），或者 theorem 加定理名",
    ),
    "placeholder_quote": ("{words} has a quotation mark that is not closed", "“{words}”中的引号没有闭合"),
    "placeholder_flag": (
        "--{option} takes no value; write --{option} alone",
        "--{option} 不带值；请只写 --{option}",
    ),
    "not_that_many": (
        "{name} {given} is not a whole number from {least} to {most}",
        "{name} {given} 不是 {least} 到 {most} 之间的整数",
    ),
    "placeholder_nested": (
        "this placeholder begins inside the one that begins {line}; close that one first",
        "占位符位于另一个占位符（{line}）之内；请先结束前一个",
    ),
    "placeholder_not_opened": (
        "/symattn has no placeholder to close; write symattn WORKSHEET STEP before it, or delete it",
        "/symattn 没有对应的占位符；请在前面写 symattn 工作表 步骤，或删去它",
    ),
    "placeholder_not_closed": (
        "this placeholder is not closed; write /symattn in a comment after it",
        "这个占位符没有结束；请在其后的注释中写 /symattn",
    ),
    "placeholder_comment": ("this comment is not closed; write --> after it", "这个注释没有结束；请在其后写 -->"),
    "placeholder_macro": (
        r"\symattn needs three arguments in braces: worksheet, what is asked for, and the value that stands there",
        r"\symattn 需要三个花括号参数：工作表、所求内容、该处的值",
    ),
    "placeholder_inline": (
        "a {kind} does not fit in a line; put both marks on lines of their own",
        "{kind} 不能放在行内；请让两个标记各占一行",
    ),
    "placeholder_no_markdown": (
        "the tag belongs to a Markdown cell; this is another kind of cell",
        "这个标签应加在 Markdown 单元格上；这里是另一种单元格",
    ),
    "placeholder_marks": (
        "what would fill this placeholder contains placeholder marks itself; change the texts of its worksheet",
        "填入占位符的内容本身含有占位符标记；请修改工作表中的文字",
    ),
    "table_too_large": (
        "a table of {rows} rows and {columns} columns is larger than a page; at most {most} of each",
        "{rows} 行 {columns} 列的表格超出一页；行列最多各 {most}",
    ),
    "no_weights_to_draw": (
        "only weights (numbers from 0 to 1, at most {most} rows and columns) can be drawn as a heat map",
        "只有权重（0 到 1 之间的数，行列最多各 {most}）才能画成热图",
    ),
    "no_picture_here": (
        "heat maps need LaTeX or HTML; in Markdown and plain text write table instead of figure",
        "权重的热图需要 LaTeX 或 HTML；在 Markdown 和纯文本中请把 figure 改为 table",
    ),
    "write_protected": (
        "is write-protected and was not changed; make it writable, for example with chmod u+w",
        "有写保护，未作改动；请允许写入，例如用 chmod u+w",
    ),
    "changed_meanwhile": (
        "was changed while it was being read and was not rewritten; run the command again",
        "在读取期间被修改，未作改动；请重新运行命令",
    ),
    "weave_stdin": (
        "standard input cannot be written back; name the file",
        "标准输入无法写回；请写出文件名",
    ),
    "weave_stale": ("{request}: is {before}, would be {after}", "{request}：现为 {before}，应为 {after}"),
    "weave_empty": ("empty", "空"),
    "weave_done": ("{count} placeholders, {stale} refreshed", "{count} 个占位符，更新了 {stale} 个"),
    "weave_done_one": ("1 placeholder, {stale} refreshed", "1 个占位符，更新了 {stale} 个"),
    "weave_checked": ("{count} placeholders, {stale} stale", "{count} 个占位符，{stale} 个已过时"),
    "weave_checked_one": ("1 placeholder, {stale} stale", "1 个占位符，{stale} 个已过时"),
}
