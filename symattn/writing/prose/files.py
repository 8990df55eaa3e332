"""What is said of files that cannot be read or written, and why the system refuses."""

# key: (English, Chinese)
FILES: dict[str, tuple[str, str]] = {
    "cannot_open": ("cannot be read: {reason}", "无法读取：{reason}"),
    "folder_missing": ("there is no folder {folder}; make it first", "没有文件夹 {folder}；请先建立"),
    "folder_is_file": (
        "{folder} is a file and no folder; give the name of a file in a folder",
        "{folder} 是文件而不是文件夹；请写文件夹中的文件名",
    ),
    "no_reader": (
        "nobody reads from this pipe; start its reader first, or name a file",
        "没有程序读取这个管道；请先启动读取它的程序，或改写到文件",
    ),
    "cannot_write": ("cannot be written: {reason}", "无法写入：{reason}"),
    "system.missing": ("No such file or directory", "没有这个文件"),
    "system.folder": ("it is a folder", "这是文件夹"),
    "system.forbidden": ("Permission denied", "没有权限"),
    "system.full": ("No space left on device", "设备上没有空间"),
    "system.long_name": ("File name too long", "名称太长"),
    # --- cells of spreadsheets whose formulas are not judged
    "spreadsheet.sign": ("formulas with “{token}” are not read", "无法读取含有“{token}”的公式"),
    "spreadsheet.large": ("it refers to more than 100,000 cells", "引用了超过 100,000 个单元格"),
    "spreadsheet.much": ("the formulas together refer to too many cells", "所有公式引用的单元格过多"),
    "spreadsheet.function": ("the function {name} is not known here", "不支持函数 {name}"),
    "spreadsheet.arguments": (
        "the function {name} is given too few arguments or too many",
        "函数 {name} 的参数过少或过多",
    ),
    "spreadsheet.wide": ("so much cancels in it that its digits cannot be determined", "相消过多，无法确定各位数字"),
    "spreadsheet.no_value": ("it has no value, or one beyond 10^1000", "没有值，或超过 10^1000"),
    "spreadsheet.no_number": ("it gives no number, though one was saved", "结果不是数，而保存的是数"),
    "spreadsheet.logical": (
        "it takes true or false for a number, in which spreadsheet programs differ",
        "把逻辑值当作数使用，不同的电子表格程序对此处理不同",
    ),
    "spreadsheet.near": (
        "it compares numbers so near to each other that doubles may not tell them apart",
        "所比较的数过于接近，双精度浮点数可能无法区分",
    ),
    "spreadsheet.text": ("it computes with the text “{text}”", "用文本“{text}”参与计算"),
    "spreadsheet.sizes": ("the sizes of its areas do not fit", "各区域的大小不匹配"),
    "spreadsheet.one_cell": ("it gives several values for one cell", "一个单元格得到多个值"),
    "spreadsheet.round": ("it rounds a number that lies too close to a tie", "被舍入的数恰在舍入边界上"),
    "spreadsheet.circle": ("it refers to itself", "公式循环引用自身"),
    "spreadsheet.unsaved": (
        "no value was saved; open the file in a spreadsheet program and save it",
        "没有保存的值；请用电子表格程序打开并保存",
    ),
    "spreadsheet.shows_text": ("the cell shows no number but “{text}”", "单元格显示的不是数，而是“{text}”"),
    "spreadsheet.format": ("the format “{code}” shows no plain digits", "格式“{code}”不显示普通数字"),
    # --- TOML
    "toml.full_width": (
        'not valid TOML: "{sign}" is not a sign of TOML; write "{meant}"',
        "这不是有效的 TOML：“{sign}”是全角符号或其他符号；请改用半角的“{meant}”",
    ),
    "toml.key": (
        "not valid TOML: a key is written in the letters A to Z, such as title, tokens or inputs",
        "这不是有效的 TOML：键名只能用英文字母书写，例如 title、tokens、inputs",
    ),
    "toml.array": ("unclosed array", "数组没有闭合，或缺少逗号"),
    "toml.inline_table": ("unclosed inline table", "内联表没有闭合，或缺少逗号"),
    "toml.statement": ("invalid statement", "此处应为“键 = 值”或“[表名]”"),
    "toml.value": ("invalid value", "此处不是有效的值"),
    "toml.equals": ("expected '=' after a key in a key/value pair", "键的后面缺少等号“=”"),
    "toml.newline": ("expected newline or end of document after a statement", "语句之后应换行"),
    "toml.header": ("expected ']' at the end of a table declaration", "表名后面缺少“]”"),
    "toml.character": ("illegal character", "有不允许的字符，或字符串没有结束"),
    "toml.backslash": ("unescaped '\\' in a string", "字符串中的“\\”需写成“\\\\”"),
    "toml.twice": ("cannot overwrite a value", "这个键重复了"),
    "toml.quote": (
        'not valid TOML: write {given} in quotation marks: "{given}"',
        '这不是有效的 TOML：请给 {given} 加上引号："{given}"',
    ),
    "toml.write": ("not valid TOML: write {meant}, not {given}", "这不是有效的 TOML：请写 {meant}，而不是 {given}"),
    "toml.table_again": (
        "not valid TOML: [{name}] stands in line {line} already; write its keys there",
        "这不是有效的 TOML：第 {line} 行已有 [{name}]；请把各键写在那里",
    ),
    "toml.table_twice": ("cannot declare a table twice", "这个表重复了"),
}
