"""What is said in reviews and editors, and of the settings of a repository."""

# key: (English, Chinese)
REVIEWS: dict[str, tuple[str, str]] = {
    "problem.number": ("{printed} is wrong: {subject} is {right}", "{printed} 错误：{subject} 应为 {right}"),
    "problem.entry": (
        "{printed} is wrong: entry {places} of {subject} is {right}",
        "{printed} 错误：{subject} 的元素 {places} 应为 {right}",
    ),
    "problem.last_digit": (
        "{printed} is rounded wrongly: the nearest value is {right}",
        "{printed} 舍入有误：最接近的值是 {right}",
    ),
    "review.wrong": ("A printed number is wrong", "数值错误"),
    "review.carried": (
        "A printed number follows from an earlier one that is wrong",
        "数值因前面的错误而错",
    ),
    "review.last-digit": ("A printed number is rounded wrongly", "数值舍入有误"),
    "review.formula": ("A printed formula does not hold", "公式不成立"),
    "settings_no_file": (
        "paths: {pattern} matches no file here; write files, folders or patterns such as docs/**/*.md",
        "paths：{pattern} 在此处没有对应的文件；请写文件、文件夹或 docs/**/*.md 这样的模式",
    ),
    "bad_accepted": (
        "write each accepted finding as path, text (the line as it reads) and printed (the number), "
        'such as {{ path = "a.md", text = "so 2 + 3 = 6", printed = "6" }}',
        "每条已接受的结果请写 path、text（该行原文）和 printed（所印的数），"
        '例如 {{ path = "a.md", text = "so 2 + 3 = 6", printed = "6" }}',
    ),
    "no_pygls": (
        'the language server needs pygls: pip install "symattn[lsp]"',
        '语言服务器需要 pygls：pip install "symattn[lsp]"',
    ),
    "lsp_fix_number": (
        "Correct {printed} to {right}, and what follows from it",
        "把 {printed} 改为 {right}，并改正由它引起的数",
    ),
    "lsp_fix_formula": ("Write the formula as {right}", "把公式写成 {right}"),
    "lsp_fix_all": ("Correct all wrong numbers ({count} edits)", "改正所有错误的数（{count} 处修改）"),
    "check_what": (
        "no FILE to check; name some, or give paths under [tool.symattn] in pyproject.toml or in symattn.toml",
        "没有要检查的文件；请写出文件，或在 pyproject.toml 的 [tool.symattn] 或 symattn.toml 中写 paths",
    ),
}
