"""What is said of articles: what could not be read, and why."""

# key: (English, Chinese)
ARTICLES: dict[str, tuple[str, str]] = {
    # --- formulas
    "formula_empty": ("there is no formula here", "这里没有公式"),
    "formula_too_long": (
        "the formula is longer than {limit} characters; split it",
        "公式超过 {limit} 个字符；请拆开",
    ),
    "formula_unknown": ("{text} is not known here", "不认识 {text}"),
    "formula_unclosed": ("{text} is never closed", "{text} 没有闭合"),
    "formula_unopened": (
        "nothing was opened that {text} could close",
        "{text} 没有对应的开头",
    ),
    "formula_unexpected": ("{text} is not expected here", "此处不应有 {text}"),
    "formula_incomplete": ("the formula stops before it is complete", "公式不完整"),
    "formula_too_deep": (
        "brackets, superscripts and subscripts are nested more than {limit} deep; split the formula",
        "括号与上下标嵌套超过 {limit} 层；请把公式拆开",
    ),
    "formula_huge_number": (
        "{text} has more than 1,000 digits or an exponent beyond ±1,000",
        "{text} 超过 1000 位数字，或指数超出 ±1000",
    ),
    "formula_comma": (
        "this comma may be a decimal comma, a thousands separator or a separator in a list; write a decimal point, "
        "or a space after each comma of a list",
        "此逗号可能是小数点、千位分隔符或列表分隔符；请用小数点，或在列表逗号后加空格",
    ),
    "formula_neighbours": (
        "it does not say whether {text} is multiplied by what stands before it; "
        "write · between factors and commas in a list",
        "看不出 {text} 是否与前面的内容相乘；相乘请写 ·，列表请用逗号",
    ),
    "with_identity": (
        "it is right where the number stands for that multiple of the identity matrix",
        "若该数表示单位矩阵的相应倍数，则它是对的",
    ),
    "other_arithmetic": (
        "it is right in the arithmetic that the words around it name: a number format, a modulus, degrees",
        "按前后文所说的算术（数值格式、模运算或角度制）它是对的",
    ),
    "another_base": (
        "it is right only with a logarithm of another base than the same function has before",
        "该函数前面的对数用的是另一个底；只有换底，这个数才对",
    ),
    "other_norm": (
        "bars may mean another norm, or how many entries there are, and then it is right",
        "若竖线表示另一种范数或元素个数，这个数就是对的",
    ),
    "other_gains": (
        "the γ and β that the text speaks of are not printed; with γ = 1 and β = 0 it is another number",
        "文中提到的 γ 和 β 没有给出数值；若 γ = 1、β = 0，则是别的数",
    ),
    "dotted_thousands": (
        "its points may part thousands, and then it is right; write 7,850 or 7850 for 7.850",
        "其中的点可能是千位分隔符，那样就是对的；请把 7.850 写作 7,850 或 7850",
    ),
    "formula_ambiguous": (
        "{text} can be read in more than one way; write the sign or the brackets that are meant",
        "{text} 有多种读法；请写出所指的符号或括号",
    ),
    "formula_application": (
        "{text} in front of brackets may be a function or a factor; write · if they are multiplied",
        "括号前的 {text} 可能是函数，也可能是因数；若是相乘，请写 ·",
    ),
    "formula_several_names": (
        "several names stand before one relation; write one equation for each",
        "一个等号前有多个名称；请分别写出等式",
    ),
    "formula_ragged": (
        "row {row} has {found} numbers and the first row {expected}; all rows of a matrix are equally long",
        "第 {row} 行有 {found} 个数，第一行有 {expected} 个；矩阵各行的个数应相同",
    ),
    "formula_blank_cell": (
        "an entry of the matrix is missing; write its value, or 0",
        "矩阵缺少一个元素；请写出它的值，或写 0",
    ),
    "formula_no_matrix": (
        "{text} holds no rows of numbers or symbols; write rows such as [[1, 2], [3, 4]]",
        "{text} 中没有数或符号的行；请写成 [[1, 2], [3, 4]] 这样的行",
    ),
    # --- reading articles
    "article_archive": (
        "this is an archive, not text; `symattn check NAME.xlsx` and `check_spreadsheet` read spreadsheets",
        "这是压缩包，不是文本；电子表格用 `symattn check NAME.xlsx` 或 `check_spreadsheet` 读取",
    ),
    "article_pdf": (
        "PDF is not read; give its LaTeX, Markdown or HTML source, or its text by -",
        "不能读取 PDF；请给出它的 LaTeX、Markdown 或 HTML 源文件，或用 - 输入其中的文字",
    ),
    "not_utf8": (
        "this is not UTF-8; save the file as UTF-8",
        "此处不是 UTF-8；请把文件存为 UTF-8",
    ),
    "article_not_text": (
        "this byte is zero, so the file is not text; give Markdown, LaTeX, a notebook, HTML or plain text",
        "此处字节为零，文件不是文本；请给出 Markdown、LaTeX、notebook、HTML 或纯文本",
    ),
    "article_too_large": (
        "the file has {size} bytes, and at most {most} are read; split the article",
        "共 {size} 字节，超过可读的 {most} 字节；请把文章拆开",
    ),
    "no_such_file": (
        "no such file; give the path of an article, or - for a pasted text",
        "没有这个文件；请给出文章的路径，或用 - 读入粘贴的文本",
    ),
    "stdin_closed": (
        "standard input is closed; give the text through a pipe, or the path of an article",
        "标准输入已关闭；请通过管道给出文本，或给出文章的路径",
    ),
    "no_article_inside": (
        "no article and no spreadsheet is in this folder",
        "这个文件夹里没有文章，也没有电子表格",
    ),
    "file_not_readable": (
        "the file cannot be read: {why}",
        "文件无法读取：{why}",
    ),
    "not_json": (
        "the notebook is not valid JSON: {why}; save it again from Jupyter",
        "这个 notebook 不是 JSON：{why}；请在 Jupyter 中重新保存",
    ),
    "not_a_notebook": (
        "the JSON has no list of cells; give a notebook of format 3 or later",
        "这个 JSON 没有单元格列表；请给出格式 3 以上的 notebook",
    ),
    "endless_macro": (
        "the macro {name} expands without end, so the formula was not read",
        "宏 {name} 无限展开，因此没有读取这个公式",
    ),
    "formula_not_closed": (
        "{mark} opens a formula that is never closed",
        "{mark} 开始了一个公式，但没有结束",
    ),
    "line_too_long": (
        "a line has more than {most} characters; put the formula between delimiters such as $$",
        "一行超过 {most} 个字符；请把公式放在 $$ 之类的定界符之间",
    ),
    "mathml_without_tex": (
        "MathML without its TeX source is not read; add an annotation of encoding application/x-tex",
        "没有附带 TeX 源码的 MathML 不读；请加上 encoding 为 application/x-tex 的 annotation",
    ),
    # --- why something was not checked
    "not_reckoned": ("{kind} is not computed here", "此处不计算 {kind}"),
    "name_unknown": (
        "{name} has no value yet; state its value before this line",
        "{name} 还没有值；请先说明它的值",
    ),
    "partial_matrix": ("some entries of the matrix are left out", "矩阵省略了元素"),
    "sizes_do_not_fit": (
        "the sizes {left} and {right} do not match for {sign}",
        "大小 {left} 与 {right} 不能作 {sign} 运算",
    ),
    "infinite_product": ("−∞ times a number is undefined here", "−∞ 与数相乘在此没有定义"),
    "matrix_below": ("the denominator is a {size} matrix", "分母是 {size} 矩阵"),
    "value_too_large": ("its value has more than 3,000 digits", "其值超过 3000 位"),
    "division_by_zero": ("it divides by zero", "除数为零"),
    "empty_softmax_row": ("all entries of row {row} are −∞", "第 {row} 行全是 −∞"),
    "printed_size": (
        "{found} is printed where the formula gives {expected}",
        "文中是 {found}，而公式给出 {expected}",
    ),
    "relation_unchecked": (
        "what follows {relation} is not an equality",
        "{relation} 之后不是等式",
    ),
    "shapes_side_by_side": (
        "these may be shapes, of which one size is multiplied",
        "这可能是形状，其中只有一个维度乘以该数",
    ),
    "run_together": (
        "it may be two equations run together",
        "可能是两个等式连在了一起",
    ),
    "stale_name": (
        "it uses something computed from a symbol that has been given new numbers since",
        "其中用到的量由某个符号算出，而该符号后来又给了新的数",
    ),
    "from_unit": (
        "it uses something that was printed in a unit, or may have been; in which it goes on here is not said",
        "其中用到的量是带单位写出的，或可能带有单位；这里按哪个单位继续算，没有说明",
    ),
    "partial_sum": (
        "whether the entries computed before are all the terms of this sum is not known",
        "不清楚前面算出的元素是否就是该和式的全部各项",
    ),
    "printed_otherwise": (
        "a program printed something other than what this formula gives, so another formula or value was meant",
        "程序输出的数与此式所得不同，可见所用的是另一式或另一值",
    ),
    "stated_behind": (
        "new values for what it is computed from stand behind it; state them before",
        "计算所用的新数值写在它的后面；请写在前面",
    ),
    "more_digits": (
        "it was calculated from more digits than were printed",
        "计算时所用的位数多于所显示的位数",
    ),
    "numbers_unnamed": (
        "nothing says what these numbers are computed from",
        "没有说明这些数由什么算出",
    ),
    "taken_as_given": (
        "{name} is taken as given: no formula for it was understood",
        "{name} 按给定处理：没有读懂它的公式",
    ),
    "line_unread": (
        "no equation that can be checked was understood here",
        "此处没有读懂可检查的等式",
    ),
    "table_unread": (
        "nothing that was understood says how the numbers of this table are computed",
        "没有读懂这张表的数由什么算出",
    ),
    "output_unread": (
        "a program printed this, and what it printed was not understood",
        "这是程序的输出，没有读懂它输出的是什么",
    ),
    "shares_printed_wrong": (
        "shares that were printed wrong before are added; as they are printed they do not come to 1",
        "相加的份额前面已有印错的；按印出的数相加不等于 1",
    ),
    "terms_unread": (
        "its terms do not match what stands before it",
        "各项与前面的式子对不上",
    ),
    "range_unread": ("it may be a range rather than a difference", "这可能是范围而不是差"),
    "half_an_expression": (
        "it is part of an expression that was not read whole",
        "它属于一个没有读全的式子",
    ),
    "earlier_example": (
        "it uses numbers of an earlier example, which may not be meant here",
        "其中用到前一个例子的数，此处未必还是它们",
    ),
    "scaled_before": (
        "it is the product divided by √d_k, as others before it are; whether the line means that is not said",
        "这是除以 √d_k 之后的乘积，与前面几个一样；这一行并未说明是否如此",
    ),
    "given_elsewhere": (
        "it uses a number given under another heading, which may be different here",
        "其中用到另一节给出的数，此处未必还是它",
    ),
    "put_in_another": (
        "a matrix is written out here that is not the one its name stood for",
        "此处写出的矩阵与其符号先前所代表的不同",
    ),
    "other_list": (
        "it may be about the list printed before, and not about the one of that name",
        "所说的可能是前面刚写出的一组数，而不是该符号先前所代表的那组",
    ),
    "order_of_magnitude": (
        "a power of ten alone is an order of magnitude, and this is another one",
        "单独一个 10 的幂表示数量级，此处的数量级不同",
    ),
    "to_be_solved": (
        "an equation to be solved says nothing about the values that its letters had before",
        "待求解的方程并不涉及其中字母先前的取值",
    ),
    "one_case": (
        "it is said in general, or under a condition that the words beside it name",
        "这是一般的说法，或只在旁边所说的条件下才如此",
    ),
    "other_case": (
        "it is another case than the one before it",
        "这是与前一种情形并列的另一种情形",
    ),
    "unit_unread": (
        "a unit or a word follows the number that may change what it counts",
        "数后面的单位或字可能改变它的含义",
    ),
    "weights_not_one": (
        "it uses weights that do not add up to 1 as they are given",
        "其中用到的权重之和不是 1",
    ),
    "said_of_two": (
        "two things stand before the sign and two numbers behind it; write an equation for each",
        "符号前有两个量，符号后有两个数；请各写一个等式",
    ),
    "said_to_be_wrong": (
        "the words around it say that it is a mistake, or ask about it",
        "前后文说这是一个错误，或是在发问",
    ),
    "uses_replacement": (
        "it uses a number that the text puts in the place of another",
        "其中用到了文中替换另一数的数",
    ),
    "another_column": (
        "another number of its row gives this one; which of them is meant is not said",
        "由同一行的另一个数可以得到此数，未说明用的是哪一个",
    ),
    "defined_anew": (
        "{name} is printed again with other numbers; they are taken as given",
        "{name} 再次出现但数值不同，按新值处理",
    ),
    "too_many_formulas": ("only the first {most} formulas are checked", "只检查前 {most} 个公式"),
    # --- findings
    "findings.claim": ("Line {line}, column {column}: {subject}", "第 {line} 行第 {column} 列：{subject}"),
    "findings.claim_cell": ("{cell}: {subject}", "{cell}：{subject}"),
    "findings.cell_of": ("Cell {cell}", "单元格 {cell}"),
    "findings.output_of": ("Output of cell {cell}", "单元格 {cell} 的输出"),
    "findings.line": ("line {line}", "第 {line} 行"),
    "findings.mark.right": ("right", "正确"),
    "findings.mark.close": ("right within rounding", "在舍入范围内正确"),
    "findings.mark.near": ("rounded wrongly, with the nearest value", "舍入有误，旁为最接近的值"),
    "findings.mark.carried": ("follows from a wrong number, with the right value", "由错误的数引起，旁为正确值"),
    "findings.mark.wrong": ("wrong, with the right value", "错误，旁为正确值"),
    "findings.verdict.right": ("right", "正确"),
    "findings.verdict.close": ("right within rounding", "在舍入范围内正确"),
    "findings.verdict.near": ("rounded wrongly", "舍入有误"),
    "findings.verdict.carried": ("follows from a wrong number", "由错误的数引起"),
    "findings.verdict.wrong": ("wrong", "错误"),
    "findings.with_value": ("{verdict}; the value is {right}", "{verdict}；正确的值是 {right}"),
    "findings.page_hint": (
        "Point at a marked number, or go to it with Tab, to see its right value and what it follows from.",
        "将鼠标指向有标记的数，或按 Tab 键移到它，即可看到正确的值以及错误的来源。",
    ),
    "findings.mark.accepted": ("wrong, but accepted, with the right value", "错误但已接受，旁为正确值"),
    "findings.verdict.accepted": ("wrong, but accepted", "错误但已接受"),
    "findings.mark.formula_accepted": ("false, but accepted", "不成立但已接受"),
    "findings.accepted": ("accepted though wrong: {numbers}", "错误但已接受：{numbers}"),
    "findings.accepted_count": ("{count} accepted", "{count} 个已接受"),
    "findings.mark.open": ("not checked, with the reason", "未检查，附原因"),
    "findings.cell": ("cell {cell}, line {line}", "单元格 {cell} 第 {line} 行"),
    "findings.output": ("cell {cell}, line {line} of its output", "单元格 {cell} 输出的第 {line} 行"),
    "findings.cause_cell": ("{places} of {subject} in {cell}", "{cell}的 {subject} 的 {places}"),
    "findings.cells": ("Cells {subject}", "单元格 {subject}"),
    "findings.step": ("Step {subject}", "步骤 {subject}"),
    "findings.wrong_number": ("wrong: it is {right}", "错误：应为 {right}"),
    "findings.wrong_entry": ("wrong: entry {places} is {right}", "错误：元素 {places} 应为 {right}"),
    "findings.wrong_entries": ("wrong: entries {places} are {right}", "错误：元素 {places} 应为 {right}"),
    "findings.wrong_many": (
        "wrong: {count} entries, with the right values beside them",
        "错误：{count} 个元素，正确值列在一旁",
    ),
    "findings.reading": ("the numbers fit another reading: {reading}", "这些数符合另一种算法：{reading}"),
    "findings.carried": ("carried: follows from {cause}", "连带：由{cause} 引起"),
    "findings.carried_entries": ("carried: {places}, from {cause}", "连带：{places} 由{cause} 引起"),
    "findings.cause": ("{places} of {subject} at line {line}", "第 {line} 行 {subject} 的 {places}"),
    "findings.cause_here": ("{places} above", "上面的 {places}"),
    "findings.cause_sheet": ("{subject}", " {subject}"),
    "findings.cause_step": ("{places} of {subject}", " {subject} 的 {places}"),
    "findings.intermediate": (
        "right with earlier rounded values as printed: {numbers}",
        "若用文中前面的舍入值计算则正确：{numbers}",
    ),
    "findings.truncated": ("cut off instead of rounded: {numbers}", "被截断而不是四舍五入：{numbers}"),
    "findings.input-rounding": (
        "right within the rounding of the numbers given: {numbers}",
        "在所给数的舍入误差之内是对的：{numbers}",
    ),
    "findings.last-digit": ("rounded wrongly: {numbers}", "舍入有误：{numbers}"),
    "findings.should_be": ("{printed}, nearest {right}", "{printed}，最接近的是 {right}"),
    "findings.title": ("What the checker found", "检查结果"),
    "findings.place": ("place", "位置"),
    "findings.formula": ("formula", "公式"),
    "findings.reason": ("reason", "原因"),
    "findings.one": ("{text}", "{text}"),
    "findings.pair": ("{first}, {last}", "{first}、{last}"),
    "findings.colon": (": ", "："),
    "findings.semicolon": ("; ", "；"),
    "findings.then": ("{first}; {last}", "{first}；{last}"),
    "findings.and": ("{first} and {last}", "{first} 和 {last}"),
    "findings.nothing_wrong": ("nothing wrong: {counts}", "没有发现错误：{counts}"),
    "findings.nothing_judged": (
        "no number could be checked, so nothing can be said about this file",
        "没有可以检查的数，因此对此文件不作结论",
    ),
    "findings.no_claims": (
        "there are no [claims] to check; a worksheet states what it claims under [claims]",
        "没有 [claims] 可供检查；工作表须在 [claims] 下写出所主张的数",
    ),
    "findings.number_wrong_at": ("1 number wrong at line {line}", "第 {line} 行 1 个数错误"),
    "findings.numbers_wrong_at": ("{count} numbers wrong at line {line}", "第 {line} 行 {count} 个数错误"),
    "findings.number_wrong_in": ("1 number wrong in {line}", "{line} 中 1 个数错误"),
    "findings.numbers_wrong_in": ("{count} numbers wrong in {line}", "{line} 中 {count} 个数错误"),
    "findings.wrong_at_too": ("{count} at {line}", "第 {line} 行 {count} 个"),
    "findings.wrong_in_too": ("{count} in {line}", "{line} 中 {count} 个"),
    "findings.wrong_elsewhere": ("{count} further on", "其后还有 {count} 个"),
    "findings.carried_count": ("{count} carried", "{count} 个连带"),
    "findings.last_digit_count": ("{count} rounded wrongly", "{count} 个舍入有误"),
    "findings.right_count": ("{count} right", "{count} 个正确"),
    "findings.unchecked_formula": ("1 formula not checked", "1 个公式未检查"),
    "findings.unchecked_formulas": ("{count} formulas not checked", "{count} 个公式未检查"),
    "findings.unchecked_number": ("1 number not checked", "1 个数未检查"),
    "findings.unchecked_numbers": ("{count} numbers not checked", "{count} 个数未检查"),
    "findings.not_checked": ("Not checked", "未检查"),
    "findings.not_checked_because": ("not checked: {reason}", "未检查：{reason}"),
    "findings.also_named": ("; {count} more like it: {places}", "；类似的还有 {count} 处：{places}"),
    "findings.also": ("; {count} more like it, {places}", "；类似的还有 {count} 处，见{places}"),
    "findings.one_line": ("line {places}", "第 {places} 行"),
    "findings.more_lines": ("lines {places}", "第 {places} 行"),
    "findings.one_cell": ("cell {places}", "单元格 {places}"),
    "findings.more_cells": ("cells {places}", "单元格 {places}"),
    "findings.pair_of": ("{first}{last}", "{first}{last}"),
    "findings.more_unchecked": (
        "{count} more not checked (--verbose lists them)",
        "另有 {count} 处未检查（--verbose 可列出）",
    ),
    "findings.files": (
        "{files} files: {bad} with wrong numbers, {clean} with nothing wrong, {unjudged} without a number checked",
        "共 {files} 个文件：{bad} 个有错误，{clean} 个没有发现错误，{unjudged} 个没有检查任何数",
    ),
    "findings.files_failed": ("{count} could not be read", "{count} 个无法读取"),
    "findings.progress": ("{done} of {all} files", "{all} 个文件中的第 {done} 个"),
    "check_failed": (
        "could not be checked ({kind}); this is a fault in symattn, please report it with the file",
        "检查失败（{kind}）；这是 symattn 的缺陷，请附上文件报告",
    ),
    "fault_here": (
        "not judged because of a fault in symattn ({kind}); please report it with the file",
        "因 symattn 的缺陷（{kind}）未能判断；请附上文件报告",
    ),
    # --- patches
    "patch_left": (
        "{printed} stays as it is: its right value {right} cannot be put in its place safely",
        "{printed} 保持不变：无法安全地换成正确值 {right}",
    ),
    "patch_elsewhere": (
        "not in the current folder; patch -d {root} -p1 applies the patch",
        "不在当前文件夹内；请用 patch -d {root} -p1 应用补丁",
    ),
    "patch_spreadsheet": (
        "spreadsheets are not patched; compute the sheet again, or write the right values listed by check",
        "电子表格不生成补丁；请重新计算，或按 check 列出的正确值修改",
    ),
    "patch_worksheet": (
        "worksheets are not patched; write the right values listed by check",
        "工作表不生成补丁；请按 check 列出的正确值修改",
    ),
    # --- claims of worksheets
    "claim_not_number": (
        '"{text}" is not a printed number; write digits such as "0.10" or "-inf", as printed',
        '“{text}”不是数；请按文中的写法填写，例如 "0.10" 或 "-inf"',
    ),
    "claim_size": (
        "{found} numbers are claimed, but the step is {expected}",
        "所给的数是 {found}，而该步骤是 {expected}",
    ),
    "claim_symbolic": (
        "claims need inputs with values; give numbers under [inputs]",
        "有 claims 就需要数值输入；请在 [inputs] 下给出数",
    ),
    # --- readings
    "reading.transpose_left_out": ("{name} without its transpose", "{name} 漏了转置"),
    "reading.transpose_added": ("{name} transposed where it should not be", "{name} 多了转置"),
    "reading.transpose_moved": ("{now} transposed instead of {meant}", "转置了 {now}，而不是 {meant}"),
    "reading.transposed": ("the transpose of the result", "结果的转置"),
    "reading.scores_transposed": ("softmax of the transposed scores", "对转置后的得分做 softmax"),
    "reading.elementwise": (
        "an elementwise product instead of the matrix product",
        "用逐元素乘积代替了矩阵乘积",
    ),
    "reading.scale_left_out": ("the scale left out: scores not divided", "漏了缩放：得分没有除以缩放因子"),
    "reading.scores_divided": ("scores divided by {below}", "得分除以 {below}"),
    "reading.scores_multiplied": ("scores multiplied by {by}", "得分乘以 {by}"),
    "reading.result_divided": ("the result divided by {below}", "结果除以 {below}"),
    "reading.result_multiplied": ("the result multiplied by {by}", "结果乘以 {by}"),
    "reading.softmax_columns": ("softmax down the columns instead of along the rows", "按列而不是按行做 softmax"),
    "reading.softmax_rows": ("softmax along the rows instead of down the columns", "按行而不是按列做 softmax"),
    "reading.not_normalised": ("exponentials not divided by the sum of their row", "指数没有除以所在行的和"),
    "reading.mask_left_out": ("the mask left out", "漏了掩码"),
    "reading.mask_after": (
        "the mask applied to the weights after softmax, which leaves rows that do not sum to 1",
        "先做 softmax 再掩码，行和不再为 1",
    ),
    "reading.mask_zero": ("masked scores set to 0 instead of −∞", "被掩码的得分设为 0，而不是 −∞"),
    "reading.head_order": ("heads concatenated in the order {order}", "各头按 {order} 的顺序拼接"),
    "reading.swapped_entries": ("the entries {first} and {second} swapped", "元素 {first} 与 {second} 互换"),
    "reading.swapped_transpose": (
        "the transpose of the result, {first} and {second} swapped",
        "结果的转置，即元素 {first} 与 {second} 互换",
    ),
    "reading.swapped_rows": ("rows {first} and {second} swapped", "第 {first} 行与第 {second} 行互换"),
    "reading.bent_rows": (
        "last digits adjusted so that the row sums to exactly 1 (row {rows})",
        "改动了末位数字，使该行之和恰为 1（第 {rows} 行）",
    ),
}
