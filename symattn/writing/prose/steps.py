"""What a derivation says of its steps: their titles, what they are for, what is shown of them."""

# key: (English, Chinese)
STEPS: dict[str, tuple[str, str]] = {
    # --- what a step is called, what it is for (step.<name> and title.<name>)
    "title.inputs": ("Inputs", "输入"),
    "title.Q": ("Queries", "查询矩阵 Q"),
    "title.K": ("Keys", "键矩阵 K"),
    "title.V": ("Values", "值矩阵 V"),
    "title.scores": ("Scores", "得分"),
    "title.scaled": ("Scaled scores", "缩放后的得分"),
    "title.capped": ("Capped scores", "限幅后的得分"),
    "title.masked": ("Masked scores", "加掩码后的得分"),
    "title.biased": ("Biased scores", "加偏置后的得分"),
    "title.row_max": ("Largest score of each row", "每行的最大得分"),
    "title.shifted": ("Shifted scores", "减去最大值后的得分"),
    "title.exponentials": ("Exponentials", "指数"),
    "title.row_sum": ("Row sums", "每行之和"),
    "title.weights": ("Attention weights", "注意力权重"),
    "title.output": ("Output", "输出"),
    "title.concat": ("Concatenation", "拼接"),
    "title.projection": ("Output projection", "输出投影"),
    "title.other": ("Result", "结果"),
    "title.flow": ("How it flows", "计算流程"),
    "step.inputs": (
        "Each row of {symbol} is one token{tokens}.",
        "{symbol} 的每一行是一个词元{tokens}。",
    ),
    "tokens_are": (": {names}, in this order", "，依次为 {names}"),
    "inputs_given": ("Given are", "已知"),
    "inputs_sizes": (
        "The inputs are matrices of these sizes; nothing else is assumed of them.",
        "输入是以下大小的矩阵，此外不作任何假设。",
    ),
    "step.Q": (
        "A query says what a token looks for; one row for each token that asks.",
        "查询向量表示一个词元想找什么；每个提问的词元占一行。",
    ),
    "step.K": (
        "A key says what a token can be found by; queries are compared with keys.",
        "键向量表示一个词元凭什么被找到；查询要与键逐一比较。",
    ),
    "step.V": (
        "A value is what a token hands over once it is attended to.",
        "值向量是词元被关注之后交出的内容。",
    ),
    "step.scores": (
        "Every query meets every key: entry {entry} is the dot product of token {i}'s query and token {j}'s key.",
        "每个查询与每个键相遇：元素 {entry} 是词元 {i} 的查询与词元 {j} 的键的点积。",
    ),
    "step.scaled": (
        "Dot products grow with the width of the keys; dividing by {below} keeps softmax away from its flat ends.",
        "点积随键的维度增大；除以 {below} 使 softmax 不致落入平坦的两端。",
    ),
    "step.scaled.times": (
        "The scores are multiplied by the scale {factor}.",
        "得分乘以缩放因子 {factor}。",
    ),
    "step.capped": (
        "A smooth cap keeps every score between {low} and {high}.",
        "平滑的限幅使每个得分介于 {low} 与 {high} 之间。",
    ),
    "step.masked": (
        "A query may look at a key only where {condition}; all other scores become {infinity}, "
        "which softmax turns into weight 0.",
        "仅当 {condition} 时查询才可以看该键；其余得分变为 {infinity}，经 softmax 后权重为 0。",
    ),
    "step.biased": (
        "The bias is added to the scores, entry by entry.",
        "把偏置逐元素加到得分上。",
    ),
    "step.row_max": (
        "Softmax does not change when a number is subtracted from a whole row; the largest is chosen, "
        "so that no exponential exceeds 1.",
        "同一行同时减去一个数，softmax 不变；选取最大值，使所有指数不超过 1。",
    ),
    "step.shifted": (
        "Each row less its largest score; the largest becomes 0.",
        "每行减去该行的最大得分；最大者变为 0。",
    ),
    "step.exponentials": (
        "The exponential of each entry: never negative, and at most 1.",
        "逐元素取指数：都不为负，且不超过 1。",
    ),
    "step.row_sum": (
        "What each row adds up to; dividing by it makes the row a distribution.",
        "每行之和；除以它，该行就成为概率分布。",
    ),
    "step.weights": (
        "Softmax turns each row of scores into weights that are never negative and add up to 1: "
        "how token {i} shares out its attention.",
        "softmax 把每行得分变成非负且和为 1 的权重：词元 {i} 如何分配它的注意力。",
    ),
    "step.weights.row": (
        "Softmax does not change when a row's largest score is subtracted first. {row}:",
        "先减去该行的最大得分，softmax 不变。{row}：",
    ),
    "step.weights.divided": (
        "Each row of exponentials divided by its sum: row {i} says how token {i} shares out its attention.",
        "每行指数除以该行之和：第 {i} 行表示词元 {i} 如何分配它的注意力。",
    ),
    "row_less_max": ("Row {name}, less its largest score {top}", "第 {name} 行减去其最大得分 {top}"),
    "rows_likewise": (
        "The other rows are computed in the same way; all of them, as decimals:",
        "其余各行同理；全部写成小数：",
    ),
    "all_rows": ("As decimals:", "写成小数："),
    "every_row": ("Row {name}:", "第 {name} 行："),
    "step.output": (
        "Each output is the average of the values, weighted by the attention that they receive.",
        "每个输出是各个值按所得注意力加权的平均。",
    ),
    "step.concat": (
        "The outputs of the heads stand side by side, one row for each token.",
        "各个头的输出并排拼接，每个词元占一行。",
    ),
    "step.concat.single": (
        "The outputs of the heads stand side by side; a single head has nothing beside it.",
        "各个头的输出并排拼接；只有一个头时就是它的输出。",
    ),
    "title.heads": ("In each head", "每个头中"),
    "title.kv_heads": ("In each key/value head", "每个键值头中"),
    "title.head": ("Head {number}", "第 {number} 个头"),
    "title.kv_head": ("Key/value head {number}", "第 {number} 个键值头"),
    "step.heads": (
        "Each of the heads {running} has projections of its own and does the same with them: "
        "the steps that carry an {letter}.",
        "每个头 {running} 都有自己的投影矩阵，并作同样的计算：即带有 {letter} 的各步。",
    ),
    "step.kv_heads": (
        "Keys and values {running} are shared, each by a group of heads: the steps that carry a {letter}.",
        "键与值 {running} 各由一组头共用：即带有 {letter} 的各步。",
    ),
    "step.heads.numbers": (
        "Each of the heads {running} has projections of its own and does the same with them:",
        "每个头 {running} 都有自己的投影矩阵，并作同样的计算：",
    ),
    "step.kv_heads.numbers": (
        "Keys and values {running} are shared, each by a group of heads:",
        "键与值 {running} 各由一组头共用：",
    ),
    "step.share": (
        "What a head adds to the result: its output times the rows of {matrix} that meet it.",
        "每个头对结果的贡献：其输出乘以 {matrix} 中与之对应的行。",
    ),
    "step.sum": (
        "The contributions of the heads add up to the same, {same}: a row of the concatenation times a column of "
        "{matrix} is a sum over the heads.",
        "各个头的贡献相加，结果相同，{same}：拼接后的一行与 {matrix} 的一列相乘，就是对各个头求和。",
    ),
    "title.share": ("Contribution", "贡献"),
    "title.sum": ("The sum over the heads", "对各个头求和"),
    "step.projection": (
        "A last product mixes the columns and brings the result back to the width of the model.",
        "最后一次乘积混合各列，并变回模型的维度。",
    ),
    "step.other": ("The result:", "结果："),
    "entry_is": ("For example, {chain}.", "例如，{chain}。"),
    "entry_tokens": ("For example, {i} looking at {j}: {chain}.", "例如，{i} 看 {j}：{chain}。"),
    "all_entries": ("All entries:", "全部元素："),
    "otherwise": ("otherwise", "其他情况"),
    "entrywise": ("Entry by entry,", "逐元素写出，"),
    "per_token": ("Token by token,", "逐词元写出，"),
    "elided": (
        "Matrices too large for the page show their first and last rows and columns.",
        "页面放不下的矩阵只显示首尾的行和列。",
    ),
    # --- the same where tokens are columns
    "title.row_max.columns": ("Largest score of each column", "每列的最大得分"),
    "title.row_sum.columns": ("Column sums", "每列之和"),
    "step.inputs.columns": (
        "Each column of {symbol} is one token{tokens}.",
        "{symbol} 的每一列是一个词元{tokens}。",
    ),
    "step.Q.columns": (
        "A query says what a token looks for; one column for each token that asks.",
        "查询向量表示一个词元想找什么；每个提问的词元占一列。",
    ),
    "step.row_max.columns": (
        "Softmax does not change when a number is subtracted from a whole column; the largest is chosen, "
        "so that no exponential exceeds 1.",
        "同一列同时减去一个数，softmax 不变；选取最大值，使所有指数不超过 1。",
    ),
    "step.shifted.columns": (
        "Each column less its largest score; the largest becomes 0.",
        "每列减去该列的最大得分；最大者变为 0。",
    ),
    "step.row_sum.columns": (
        "What each column adds up to; dividing by it makes the column a distribution.",
        "每列之和；除以它，该列就成为概率分布。",
    ),
    "step.weights.columns": (
        "Softmax runs down the columns: it turns each column of scores into weights that are never negative and "
        "add up to 1: how token {i} shares out its attention.",
        "softmax 沿列进行：把每列得分变成非负且和为 1 的权重：词元 {i} 如何分配它的注意力。",
    ),
    "step.weights.row.columns": (
        "Softmax does not change when a column's largest score is subtracted first. {row}:",
        "先减去该列的最大得分，softmax 不变。{row}：",
    ),
    "step.weights.divided.columns": (
        "Each column of exponentials divided by its sum: column {i} says how token {i} shares out its attention.",
        "每列指数除以该列之和：第 {i} 列表示词元 {i} 如何分配它的注意力。",
    ),
    "row_less_max.columns": ("Column {name}, less its largest score {top}", "第 {name} 列减去其最大得分 {top}"),
    "rows_likewise.columns": (
        "The other columns are computed in the same way; all of them, as decimals:",
        "其余各列同理；全部写成小数：",
    ),
    "every_row.columns": ("Column {name}:", "第 {name} 列："),
    "step.concat.columns": (
        "The outputs of the heads stand one below another, one column for each token.",
        "各个头的输出上下拼接，每个词元占一列。",
    ),
    "step.concat.single.columns": (
        "The outputs of the heads stand one below another; a single head has nothing below it.",
        "各个头的输出上下拼接；只有一个头时就是它的输出。",
    ),
    "step.share.columns": (
        "What a head adds to the result: the columns of {matrix} that meet it times its output.",
        "每个头对结果的贡献：{matrix} 中与之对应的列乘以其输出。",
    ),
    "step.sum.columns": (
        "The contributions of the heads add up to the same, {same}: a row of {matrix} times a column of the "
        "concatenation is a sum over the heads.",
        "各个头的贡献相加，结果相同，{same}：{matrix} 的一行与拼接后的一列相乘，就是对各个头求和。",
    ),
    "step.projection.columns": (
        "A last product mixes the rows and brings the result back to the width of the model.",
        "最后一次乘积混合各行，并变回模型的维度。",
    ),
    "title.derivation": ("Attention, step by step", "注意力的逐步推导"),
}
