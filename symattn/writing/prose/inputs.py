"""What is said of inputs that cannot be used: what is wrong, and what would be right."""

# key: (English, Chinese)
INPUTS: dict[str, tuple[str, str]] = {
    # --- exact numbers
    "not_a_number": (
        '"{text}" is not an exact number; write an integer, a fraction, a decimal or a root, such as 3, '
        '"1/3", "0.10" or "sqrt(2)"',
        '“{text}”不是精确的数；请写整数、分数、小数或根式，例如 3、"1/3"、"0.10"、"sqrt(2)"',
    ),
    "not_an_expression": (
        '"{text}" is not an exact expression in {names}; write something like "1/sqrt(d_k)", "1/8" or 0.5',
        '“{text}”不是关于 {names} 的精确表达式；请写成例如 "1/sqrt(d_k)"、"1/8" 或 0.5',
    ),
    "not_a_formula": (
        '"{text}" is not an exact expression in {names}; with + - * / ^, sqrt, exp, log, tanh and abs, '
        'write something like "{example}"',
        "“{text}”不是关于 {names} 的精确表达式；可用 + - * / ^ 与 sqrt、exp、log、tanh、abs，例如“{example}”",
    ),
    "not_an_expression_near": (
        '"{text}" is not an exact expression in {names}; did you mean "{near}"?',
        "“{text}”不是关于 {names} 的精确表达式；是否想写“{near}”？",
    ),
    "number_too_long": (
        "a number of more than {most} digits; write a shorter one",
        "数字超过 {most} 位；请写短一些",
    ),
    # --- expressions
    "sizes_differ": (
        "{leftis} is {left} but {rightis} is {right}; they must be equal",
        "{leftis} 为 {left}，而 {rightis} 为 {right}；两者必须相等",
    ),
    "size_fixed": ("{where} is {given}; it must be {needed}", "{where} 为 {given}；必须为 {needed}"),
    "not_a_matrix": (
        "{role} must be a matrix, not {given}",
        "{role} 必须是矩阵，而不是 {given}",
    ),
    "unfold_first": (
        "{node} has no value of its own; derive(...) unfolds it into steps that have values",
        "{node} 本身没有值；请用 derive(...) 展开成有值的步骤",
    ),
    "use_differentiate": (
        "{node} is not differentiated by SymPy's rules, which are wrong here; "
        "use symattn.differentiate(symattn.derive(expression), wrt=[...])",
        "{node} 不能用 SymPy 的规则求导（结果会出错）；"
        "请用 symattn.differentiate(symattn.derive(expression), wrt=[...])",
    ),
    "bad_axis": (
        "axis {axis}: softmax runs along each row (-1) or each column (-2)",
        "轴 {axis} 无效：softmax 沿每行（-1）或每列（-2）计算",
    ),
    "bad_scale": (
        "{given} is not an exact scale; write an expression such as 1/sqrt(d_k), or a number",
        "{given} 不是精确的缩放因子；请写 1/sqrt(d_k) 这样的表达式或一个数",
    ),
    "bad_softcap": (
        "{given} is not a softcap; write a positive number, or 0 for none",
        "{given} 不能作为 softcap；请写正数，或写 0 表示不用",
    ),
    "mask_entries": (
        "a mask contains only 0 and 1 (1 where the query may attend)",
        "掩码只能包含 0 和 1（1 表示可以关注）",
    ),
    "minus_infinity_here": (
        "−∞ at row {row}, column {column} cannot be multiplied; it may stand in a bias or in scores only, "
        "where softmax hides the entry",
        "第 {row} 行第 {column} 列的 −∞ 不能参与乘法；它只能出现在偏置或得分中，由 softmax 隐藏该项",
    ),
    "bad_mask": (
        "{given} is not a mask; use CausalMask(offset), WindowMask(left, right), KeepMask(matrix), "
        "HideMask(matrix), PaddingMask(length), FiniteMask(mask), TopKMask(k) or a tuple of these",
        "{given} 不是掩码；请用 CausalMask(offset)、WindowMask(left, right)、KeepMask(matrix)、"
        "HideMask(matrix)、PaddingMask(length)、FiniteMask(mask)、TopKMask(k) 或由它们组成的元组",
    ),
    "top_k_is_of_scores": (
        "a TopKMask depends on scores; use Largest(S, k)",
        "TopKMask 取决于得分；请用 Largest(S, k)",
    ),
    "order_unknown": (
        "the order of these scores is not known exactly; their formulas are too long to compare",
        "无法精确得知这些得分的次序；它们的公式太长，不能比较",
    ),
    "bad_kind": (
        "kind must be a function of Q, K and V of a head that makes a matrix expression, not {given}",
        "kind 必须是由一个头的 Q、K、V 得到矩阵表达式的函数，而不是 {given}",
    ),
    "operand_of_outer_kind": (
        "the inner kind uses {name} of the outer kind; pass it to the inner heads as an input",
        "内层 kind 用到了外层 kind 的 {name}；请把它作为内层各头的输入传入",
    ),
    "heads_within_head": (
        "a kind cannot contain {heads} heads whose numbers would be mistaken for those of the outer heads; give the "
        "inner MultiHead heads=1",
        "kind 中不能再有 {heads} 个头：其编号会与外层各头的编号混淆；请让内层 MultiHead 取 heads=1",
    ),
    "option_beside_kind": (
        "{name} is given beside kind, which has options of its own; give it inside the kind",
        "{name} 与 kind 并列，而 kind 有自己的选项；请写在 kind 里",
    ),
    "input_of_groups": (
        "{name} cannot be given where heads share keys in groups; give as many kv_heads as heads, or one",
        "各头分组共用键时不能给出 {name}；请让 kv_heads 与 heads 相同，或取 1",
    ),
    "not_an_integer": ("{name} must be an integer", "{name} 必须是整数"),
    "negative_count": ("{name} must not be negative; it counts tokens", "{name} 不能为负，它是词元的个数"),
    "not_one_number": (
        "{name} is one number, not a list or a table",
        "{name} 是一个数，不能是列表或表格",
    ),
    "not_from_one": (
        "{name} must be a whole number of at least 1",
        "{name} 必须是不小于 1 的整数",
    ),
    "bad_empty_row": (
        '"{given}" is not a rule for empty rows; use one of {known}',
        "“{given}”不是空行的处理方式；可选：{known}",
    ),
    "heads_do_not_divide": (
        "{heads} heads do not divide {width} columns; use a number of heads that does",
        "{heads} 个头不能整除 {width} 列；请改用能整除的头数",
    ),
    "bad_head_count": (
        "{name} must be a positive integer",
        "{name} 必须是正整数",
    ),
    "head_count_limit": (
        "{name} must be a positive integer, at most {most}",
        "{name} 必须是正整数，且不超过 {most}",
    ),
    "heads_unknown": (
        "the number of heads, {heads}, is not known here; give a number",
        "头数为 {heads}，但其值未知；请给出头数",
    ),
    "bad_part_name": (
        "a part is named by a word of letters and digits, such as encoder or layer1; {given} is not one",
        "各部分以字母开头、由字母和数字组成的单词命名，如 encoder、layer1；{given} 不是这样的单词",
    ),
    "part_source": (
        "{given} is neither an input nor an earlier part; use one of {known}",
        "{given} 既不是输入，也不是前面的部分；可选：{known}",
    ),
    "part_twice": (
        "two parts have the name {name}",
        "有两个部分都叫 {name}",
    ),
    "heads_do_not_divide_rows": (
        "{heads} heads do not divide {width} rows; use a number of heads that does",
        "{heads} 个头不能整除 {width} 行；请改用能整除的头数",
    ),
    "head_matrices": (
        "the number of matrices is {count}, that of heads {heads}; give one matrix for each head, or one wide "
        "matrix for all",
        "为 {heads} 个头给出了 {count} 个矩阵；请为每个头给出一个，或给出一个供所有头使用的宽矩阵",
    ),
    "heads_differ": (
        "the matrix of head {head} is {shape}, that of head 1 is {first}; they must have the same shape",
        "第 {head} 个头的矩阵是 {shape}，第 1 个头的是 {first}；两者必须相同",
    ),
    "heads_need_projections": (
        "{heads} heads need X with W_Q, W_K and W_V; Q, K, V or scores given directly belong to a single head",
        "{heads} 个头需要给出 X 以及 W_Q、W_K、W_V；直接给出的 Q、K、V 或得分只属于单个头",
    ),
    "no_such_head": (
        "{whole} has no head {number}; its heads are counted from 1 to {count}",
        "{whole} 中没有第 {number} 个头；头从 1 计到 {count}",
    ),
    "head_uncounted": (
        "head {number} of {whole} stands where {number} counts nothing; give the matrix that joins all heads",
        "{whole} 的第 {number} 个头用在 {number} 不计数的地方；请给出由各头的部分并成的矩阵",
    ),
    "kv_heads_do_not_divide": (
        "{heads} heads cannot share {kvheads} key/value heads evenly; use a number that divides {heads}",
        "{heads} 个头不能平均共用 {kvheads} 个键值头；请改用能整除 {heads} 的数",
    ),
    "projection_missing": (
        "{name} is missing; MultiHead needs W_Q, W_K and W_V",
        "缺少 {name}；MultiHead 需要 W_Q、W_K 和 W_V",
    ),
    "nothing_to_derive": (
        "{given} has no steps; give an expression such as Attention(Q, K, V)",
        "{given} 没有步骤；请给出 Attention(Q, K, V) 这样的表达式",
    ),
    # --- values
    "two_of_one_name": (
        "two different matrices are called {name}: one is {first}, the other {other}; give one of them another name",
        "有两个不同的矩阵都叫 {name}：一个是 {first}，另一个是 {other}；请为其中一个换名",
    ),
    "entry_as_number": (
        "{given} is an entry of a matrix; a number such as a scale must be a number or a symbol of its own",
        "{given} 是矩阵的一项；缩放因子一类的数应为数字或单独的符号",
    ),
    "empty_row": (
        "row {row} may attend to no key, and the softmax of an empty row is undefined; let it attend to at least one",
        "第 {row} 行不能关注任何键，空行的 softmax 没有定义；请至少让它关注一个键",
    ),
    "no_value": (
        "{node} has no value here; use products, sums, transposes and symattn's own nodes",
        "{node} 在这里没有值；请使用乘积、和、转置以及 symattn 自己的节点",
    ),
    "closed_form_too_long": (
        "the exact value has too many terms to be written; ask for decimals",
        "精确值的项数过多，无法写出；请改用小数",
    ),
    "no_enclosure": (
        "{given} cannot be enclosed; use rational numbers, roots and exponentials",
        "{given} 无法给出误差界；请使用有理数、根式和指数",
    ),
    "no_option": ('there is no option "{name}"; {hint}', "没有名为“{name}”的选项；{hint}"),
    "values_without_names": (
        'values are given by their symbols or names, {{"Q": [[1, 2]]}}, not as {given}',
        '数值须按符号或名称给出，如 {{"Q": [[1, 2]]}}，而不是 {given}',
    ),
    "bad_digits": (
        "{digits} digits; ask for a whole number from 1 to {most}",
        "位数 {digits} 无效；请给出 1 到 {most} 之间的整数",
    ),
    "undecided": (
        "the digits of entry ({row}, {column}) cannot be decided: it lies too close to a tie",
        "第 ({row}, {column}) 个元素的数字无法判定：它离舍入的分界太近",
    ),
    "scores_too_far_apart": (
        "the scores of row {row} are too far apart: 1 less the largest weight is smaller than any decimal",
        "第 {row} 行的得分相差过大：1 减去最大权重小于任何可以写出的小数",
    ),
    "on_a_tie": (
        "a number cannot be rounded to {form}: it lies too close to a tie",
        "有一个数无法舍入到 {form}：它离舍入的分界太近",
    ),
    # --- input of a derivation
    "unknown_choice": (
        '"{given}" is not a valid {name}; choose one of {known}',
        "“{given}”不是有效的 {name}；可选：{known}",
    ),
    "token_count": (
        "the number of tokens named, {count}, is not the number of rows, {rows}; name each row or none",
        "给出了 {count} 个词元名，但有 {rows} 行；请为每行命名，或都不命名",
    ),
    "no_row": ("{given} is not a row; rows count from 1 to {count}", "{given} 不是行号；行号从 1 到 {count}"),
    "no_column": (
        "{given} is not a column; columns count from 1 to {count}",
        "{given} 不是列号；列号从 1 到 {count}",
    ),
    "no_step": (
        'there is no step "{name}"; the steps are {known}',
        "没有名为“{name}”的步骤；现有步骤：{known}",
    ),
    "no_typesetter": (
        'HTML is typeset by KaTeX, which needs the package quickjs-ng: pip install "symattn[html]"',
        'HTML 由 KaTeX 排版，需要安装 quickjs-ng：pip install "symattn[html]"',
    ),
    "no_values": (
        "this derivation is symbolic and has no values; give its inputs as numbers to evaluate it",
        "这个推导是符号的，没有数值；请给出输入的数值",
    ),
    "unknown_input": (
        "{name} does not appear in the expression; its symbols are {known}",
        "表达式中没有 {name}；其中的符号是 {known}",
    ),
    "value_missing": (
        "{name} has no value; give one for every symbol, or for none",
        "{name} 没有数值；请给出全部符号的数值，或者都不给",
    ),
    "not_rows": (
        "a matrix is a list of rows with at least one number each, such as [[1, 2], [3, 4]]",
        "矩阵应写成由行组成的列表，每行至少一个数，例如 [[1, 2], [3, 4]]",
    ),
    "ragged": (
        "row {row} is {length} long but the first row is {first} long; all rows must be equally long",
        "第 {row} 行有 {length} 个元素，而第一行有 {first} 个；各行必须等长",
    ),
    "at_entry": ("row {row}, column {column}", "第 {row} 行第 {column} 列"),
    # --- arrays from files
    "array_suffix": (
        "unknown kind of array file; use one of {known}",
        "不支持这种数组文件；请使用 {known}",
    ),
    "array_broken": (
        "is damaged or not an array file: {reason}",
        "已损坏或不是数组文件：{reason}",
    ),
    "array_truncated": (
        "ends in the middle of its data; write the file again",
        "文件不完整，数据提前结束；请重新写入",
    ),
    "array_kind": (
        "contains {kind}; save floats of at most 64 bits or integers (objects and pickles are never loaded)",
        "内容为 {kind}；请保存不超过 64 位的浮点数或整数（对象与 pickle 一概不加载）",
    ),
    "array_fortran": (
        "is in Fortran order, which cannot be read head by head; save np.ascontiguousarray of it",
        "是 Fortran 顺序，无法逐头读取；请保存 np.ascontiguousarray 的结果",
    ),
    "array_key": ('has no "{name}"; it has {known}', "没有“{name}”；其中有 {known}"),
    "bad_key_option": (
        '"{given}" is not a key; write --key Q=NAME',
        "“{given}”不是键；请写 --key Q=NAME",
    ),
    "array_missing": (
        "needs Q and K, or scores; found {known} (name others as --key Q=NAME)",
        "需要 Q 与 K，或 scores；现有 {known}（其他名称请用 --key Q=NAME 指定）",
    ),
    "array_shape": (
        "has shape {shape}; give at least two axes, rows and columns, none of them empty",
        "形状为 {shape}；至少需要行、列两个轴，且都不为空",
    ),
    "array_shapes": (
        "Q of shape {q} does not fit K of shape {k}; all axes but the rows must be equal",
        "Q 的形状 {q} 与 K 的形状 {k} 不匹配；除行以外各轴必须相等",
    ),
    "array_not_finite": (
        "contains {value} at row {row}, column {column}; every number must be finite",
        "第 {row} 行第 {column} 列为 {value}；所有数都必须有限",
    ),
    "array_head": ("head {head}", "头 {head}"),
    "array_heads": (
        "has {count} matrices; at most {most} heads are ranked",
        "共 {count} 个矩阵；至多对 {most} 个头排序",
    ),
    "array_row": (
        "has rows of {count} scores; at most {most} are ranked",
        "每行有 {count} 个得分；至多对 {most} 个得分排序",
    ),
    "array_matrix": (
        "has matrices of {shape}; a head holds at most {most} numbers",
        "每个矩阵为 {shape}；一个头至多 {most} 个数",
    ),
    "array_too_large": (
        "has {count} numbers; a derivation takes at most {most}, `symattn saturation FILE` takes any",
        "有 {count} 个数；推导至多支持 {most} 个，`symattn saturation FILE` 则不限",
    ),
    # --- figures
    "figure_suffix": (
        "unknown kind of figure; use one of {known}",
        "不支持这种图形格式；请使用 {known}",
    ),
    "figure_gap": (
        "the two largest scores of the row are equal, or the row has only one score, so that no factor "
        "saturates it; use --plot weights",
        "该行最大的两个得分相等，或只有一个得分，倍数不会使其饱和；请用 --plot weights",
    ),
    "figure_extra": (
        'figures need matplotlib: pip install "symattn[plot]"',
        '绘图需要 matplotlib：pip install "symattn[plot]"',
    ),
    "figure_kind": (
        "this figure is not available here; choose one of {known}",
        "此处没有这种图；可选：{known}",
    ),
    # --- worksheets and commands
    "toml_without_end": (
        "not valid TOML: what begins here has no end, as a bracket or a quotation mark that is not closed",
        "这不是有效的 TOML：从这里开始的内容没有结束，例如括号或引号没有闭合",
    ),
    "bad_toml": (
        "not valid TOML: {reason}",
        "这不是有效的 TOML：{reason}",
    ),
    "nested_too_deep": (
        "the lists are nested too deeply; a matrix is a list of rows",
        "列表嵌套过深；矩阵是由行组成的列表",
    ),
    "file_too_large": ("the file is larger than {most} MB", "文件超过 {most} MB"),
    "is_device": ("is a device, not a file", "是设备，不是文件"),
    "not_ordinary": ("is a folder or a pipe, not a file", "是文件夹或管道，不是文件"),
    "scores_overflow": (
        "scores of more than 10^18 cannot be ranked; use smaller numbers or a smaller scale",
        "得分超过 10^18，无法排序；请使用较小的数或较小的缩放因子",
    ),
    "pipe_silent": (
        "nothing came through the pipe for {seconds} seconds",
        "管道 {seconds} 秒内没有内容",
    ),
    "array_encrypted": ("is encrypted; write it without a password", "已加密；请不用密码保存"),
    "only_python": ("a NumPy module is written; name the file .py", "写出的是 NumPy 模块；请用后缀 .py"),
    "option_needs": ("{option} has an effect only with {other}", "{option} 只有与 {other} 一起才起作用"),
    "file_exists": (
        "the file exists already, and a new worksheet does not overwrite it",
        "文件已经存在，新工作表不会覆盖它",
    ),
    "own_input": (
        "this file is read as input; give the result another name with -o",
        "该文件是输入文件；请用 -o 为结果另取文件名",
    ),
    "unknown_suffix": (
        'the suffix "{suffix}" is not known; say the format with --to, or use one of {known}',
        "未知的后缀“{suffix}”；请用 --to 指定格式，或使用以下之一：{known}",
    ),
    "no_stdout": ("standard output cannot be written: {reason}", "无法写入标准输出：{reason}"),
    "no_such_sign": (
        "standard output cannot be written: its encoding, {encoding}, has no {sign}; set PYTHONIOENCODING=utf-8, "
        "or write to a file with -o",
        "无法写入标准输出：其编码 {encoding} 中没有 {sign}；请设置 PYTHONIOENCODING=utf-8，或用 -o 写入文件",
    ),
    "typesetting": ("typesetting with LaTeX ...", "正在用 LaTeX 排版……"),
    "pdf_to_terminal": ("a PDF is not text; write it to a file with -o", "PDF 不是文本；请用 -o 写入文件"),
    "no_latex": (
        "a PDF is typeset by LaTeX; install TeX Live or MiKTeX (with {engine}), or tectonic",
        "PDF 由 LaTeX 排版；请安装 TeX Live 或 MiKTeX（含 {engine}），或 tectonic",
    ),
    "latex_failed": ("{engine} could not typeset the page: {reason}", "{engine} 无法排版本页：{reason}"),
    "latex_silent": (
        "{engine} made no PDF and named no error; its exit code was {code}",
        "{engine} 没有生成 PDF，也没有指出错误；其退出码为 {code}",
    ),
    "latex_hangs": (
        "{engine} did not finish within {seconds} seconds",
        "{engine} 未能在 {seconds} 秒内完成",
    ),
    "too_large": (
        "the numbers become too large to compute with; use smaller ones",
        "计算中的数过大，无法处理；请使用较小的数",
    ),
    "over_time": (
        "stopped after {most} s of processor time; --max-seconds {more} allows more",
        "处理器时间达到 {most} 秒，已停止；可用 --max-seconds {more} 放宽",
    ),
    "over_memory": (
        "stopped at {most} MiB of memory; --max-memory {more} allows more",
        "内存达到 {most} MiB，已停止；可用 --max-memory {more} 放宽",
    ),
    "process_stopped": (
        "the process stopped before it was done, perhaps for lack of memory",
        "进程未完成便已中止，可能是内存不足",
    ),
    "not_text": (
        "byte {byte} is not UTF-8; save the file as UTF-8 text",
        "第 {byte} 字节不是 UTF-8；请把文件另存为 UTF-8 文本",
    ),
    "bad_title": (
        'write one text, or one in each language: {{ en = "...", zh = "..." }}',
        '请写成一段文本，或分语言写：{{ en = "...", zh = "..." }}',
    ),
    "bad_quotation": (
        "write values in the text as {{weights[2,1]}}, an entry of a step, or {{weights[2]}}, a row; write a brace "
        "that stands for itself twice",
        "文本中的数值请写成 {{weights[2,1]}}（步骤的一个元素）或 {{weights[2]}}（一行）；花括号本身请写两次",
    ),
    "no_values_to_quote": (
        "there is no value to put here; the page is in symbols",
        "这里没有可写的数值；本页只用符号",
    ),
    "not_words": (
        'write text in quotation marks (for tokens a list of it: ["A", "B"])',
        '请写带引号的文本（tokens 为列表：["A", "B"]）',
    ),
    "notation_symbol": (
        '"{name}" is not a symbol or step of this derivation; did you mean "{near}"?',
        "“{name}”不是本推导中的符号或步骤；是否想写“{near}”？",
    ),
    "notation_name": (
        '"{given}" cannot be typeset as a name; write letters, optionally with a subscript and a superscript, '
        "such as H, Omega_q, W^(q) or d_attn",
        "“{given}”不是可以排版的名称；请写字母，可带上下标，例如 H、Omega_q、W^(q)、d_attn",
    ),
    "notation_clash": (
        "{first} and {second} would both be written {spelled}; give one of them another name under [notation] symbols",
        "{first} 与 {second} 都会写成 {spelled}；请在 [notation] 的 symbols 中给其中一个另起名称",
    ),
    "bad_label_prefix": (
        '"{given}" is not a valid prefix of labels; write letters, digits, "-", "." and ":"',
        "“{given}”不能作为标签前缀；请只用字母、数字、“-”、“.”和“:”",
    ),
    "not_a_table": ("{name} is a table: write [{name}] on a line of its own", "{name} 是一个表：请单独一行写 [{name}]"),
    "not_tables": (
        "{name} is a list of tables: write [[{name}]] above the keys of each",
        "{name} 是表的列表：请在每个表的各键之前写 [[{name}]]",
    ),
    "unknown_key": ('unknown key "{name}"; {hint}', "未知的键“{name}”；{hint}"),
    "did_you_mean": ('did you mean "{name}"?', "是否想写“{name}”？"),
    "belongs_within": ("write {option} = {{ {name} = ... }}", "请写成 {option} = {{ {name} = ... }}"),
    "known_names": ("{known}", "{known}"),
    "known_names_near": ('{known}; did you mean "{near}"?', "{known}；是否想写“{near}”？"),
    "belongs_on_top": (
        "it belongs at the top, before the first [table]",
        "它应写在最上面，第一个 [表] 之前",
    ),
    "belongs_under": ("it belongs under [{table}]", "它应写在 [{table}] 下"),
    "listed_by": ("`{command}` lists them", "请用 `{command}` 查看全部名称"),
    "known_keys": ("known here: {known}", "此处可用：{known}"),
    "no_inputs": (
        "there are no inputs; give X with W_Q, W_K, W_V, or Q, K, V, or scores",
        "没有输入；请给出 X 与 W_Q、W_K、W_V，或 Q、K、V，或 scores",
    ),
    "input_needed": (
        "{name} is missing beside {beside}",
        "给出了 {beside}，但缺少 {name}",
    ),
    "input_beside": (
        "{name} cannot be given together with {start}; leave one of them out",
        "{name} 不能与 {start} 同时给出；请去掉其中之一",
    ),
    "bad_file_entry": (
        'write {{ file = "qkv.npz", key = "X" }}, {{ file = "q.xlsx", range = "B2:D4" }} or rows of numbers',
        '请写 {{ file = "qkv.npz", key = "X" }}、{{ file = "q.xlsx", range = "B2:D4" }} 或数字行',
    ),
    "not_of_this_file": (
        "{name} does not belong here; key is for .npz and .safetensors, range for .csv and .xlsx, sheet for .xlsx",
        "这里不能写 {name}；key 用于 .npz 与 .safetensors，range 用于 .csv 与 .xlsx，sheet 用于 .xlsx",
    ),
    "bad_range": (
        '"{given}" is not a range of cells; write the upper left and the lower right one, such as B2:D4',
        "“{given}”不是单元格区域；请写左上与右下的单元格，如 B2:D4",
    ),
    "empty_cell": (
        "cell {cell} holds no number; write one, or another range (of a formula the saved value is read)",
        "单元格 {cell} 中没有数；请填写，或改用其他区域（公式只读取保存的值）",
    ),
    "no_sheet": ('there is no sheet "{given}"; the sheets are {known}', "没有工作表“{given}”；现有：{known}"),
    "cells_broken": ("is damaged or not a spreadsheet: {reason}", "已损坏或不是电子表格：{reason}"),
    "cells_too_large": ("unpacks to more than {most} MB; save it smaller", "解压后超过 {most} MB；请存为较小的文件"),
    "cells_macros": ("contains macros; save it without them, as .xlsx or .csv", "含有宏；请去掉宏，存为 .xlsx 或 .csv"),
    "cells_extra": (
        'spreadsheets need openpyxl: pip install "symattn[sheets]"',
        '读取电子表格需要 openpyxl：pip install "symattn[sheets]"',
    ),
    "no_folder": (
        "the worksheet was not read from a file, so there is no folder to look in; write the rows of numbers here",
        "工作表不是文件，无从查找数组文件；请在此写出各行数字",
    ),
    "not_sizes": (
        '"{given}" is neither rows of numbers nor sizes; write [[1, 2], [3, 4]], or "n x d_k" for no values',
        '“{given}”既不是数字行也不是大小；请写 [[1, 2], [3, 4]]，或用 "n x d_k" 表示没有数值',
    ),
    "mask_near": (
        'the mask cannot be {given}; did you mean "{near}"?',
        '掩码不能是 {given}；是否想写 "{near}"？',
    ),
    "mask_choices": (
        'unknown mask; write "none", "causal", {{ causal = 1 }}, {{ window = [2, 0] }}, {{ padding = 3 }} '
        "(the number of keys that are not padding) or {{ padding = [4, 5] }} (the padding keys), "
        '{{ finite = -1e9, of = "causal" }}, {{ top = 2 }}, a matrix of 0 and 1 (1 = may attend) or '
        "{{ hidden = matrix }} (1 = may not), or a list of these",
        '未知的掩码；请写 "none"、"causal"、{{ causal = 1 }}、{{ window = [2, 0] }}、'
        "{{ padding = 3 }}（非填充键的个数）或 {{ padding = [4, 5] }}（填充键）、"
        '{{ finite = -1e9, of = "causal" }}、{{ top = 2 }}、0/1 矩阵（1 表示可以关注）、{{ hidden = 矩阵 }}（1 '
        "表示不可关注），或它们的列表",
    ),
    "scale_needed": (
        'd_k cannot be inferred from scores; write the scale as a number, such as "1/sqrt(2)" or "1/8"',
        '仅凭 scores 无法得知 d_k；请把 scale 写成数，例如 "1/sqrt(2)" 或 "1/8"',
    ),
    "scaled_already": (
        "the scores given are already scaled; leave scale out, or give them as scores",
        "给出的得分已经缩放；请去掉 scale，或改用 scores",
    ),
    "no_completion": (
        'scripts for shells are made by shtab: pip install "symattn[completion]"',
        '命令补全脚本由 shtab 生成：pip install "symattn[completion]"',
    ),
    # --- a worksheet to start from
    "starter.title": ("Attention: {tokens} tokens, heads: {heads}", "注意力：{tokens} 个词元，头数 {heads}"),
    "starter.tokens": ("the names of the rows, to be left out or changed", "各行的名称，可删去或改写"),
    "starter.numbers": (
        'numbers, or text for "1/3", "0.10", "sqrt(2)"; sizes as text, "3 x 2", make a derivation in symbols',
        '写数字，或用文本写 "1/3"、"0.10"、"sqrt(2)"；只写大小，如 "3 x 2"，则得到符号推导',
    ),
    "starter.stack": ("what all layers have in common", "各层共有的设置"),
    "starter.network": (
        "a feed-forward network; b_1, b_2 and W_3 may be given",
        "前馈网络；还可给出 b_1、b_2 与 W_3",
    ),
    "starter.mask": (
        "none | causal | {{ window = [2, 0] }} | 0/1 rows (1 = may attend)",
        "none | causal | {{ window = [2, 0] }} | 0/1 矩阵（1 表示可以关注）",
    ),
    "starter.form": (
        'recurrent | "parallel" | {{ chunk = 1 }}, so many tokens at a time',
        'recurrent（逐词元）| "parallel"（并行）| {{ chunk = 1 }}（每次若干词元）',
    ),
    "starter.scale": ("what scores are multiplied by, if it is not this", "得分的缩放因子，若不是此值"),
    "starter.level": ("matrix | token | index", "matrix（矩阵）| token（词元）| index（下标）"),
    "starter.diagram": ("true: draw the flow of the calculation", "true：画出计算流程"),
    "no_such_worksheet": (
        "no such file, and no built-in derivation of that name; {hint}",
        "没有这个文件，也没有同名的内置推导；{hint}",
    ),
    "article_not_worksheet": (
        "this is an article, not a worksheet; to check its numbers: symattn check {name}",
        "这是文章，不是工作表；要检查其中的数：symattn check {name}",
    ),
    "no_such_derivation": (
        "no built-in derivation of that name; {hint}",
        "没有同名的内置推导；{hint}",
    ),
}
