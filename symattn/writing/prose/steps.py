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
    "title.row_max": ("Largest score of each ‹row›", "每‹行›的最大得分"),
    "title.shifted": ("Shifted scores", "减去最大值后的得分"),
    "title.exponentials": ("Exponentials", "指数"),
    "title.row_sum": ("‹Row› sums", "每‹行›之和"),
    "title.weights": ("Attention weights", "注意力权重"),
    "title.output": ("Output", "输出"),
    "title.concat": ("Concatenation", "拼接"),
    "title.projection": ("Output projection", "输出投影"),
    "title.other": ("Result", "结果"),
    "title.conclusion": ("Conclusion", "小结"),
    "flow_overview": ("Each part is drawn as one box, its result.", "每个部分画成一个框，即它的结果。"),
    "flow_overview.backward": (
        "Each part is drawn as one box, its result. The backward pass goes against the arrows.",
        "每个部分画成一个框，即它的结果。反向传播逆着箭头进行。",
    ),
    "flow_too_large": (
        "The flow has too many steps to be legible on one page.",
        "流程的步骤太多，画在一页上无法看清。",
    ),
    "title.flow": (
        "Data flow",
        "计算流程",
    ),
    "inputs_tokens": (
        "Each ‹row› of {symbol} is one token: {names}, in this order.",
        "{symbol} 的每一‹行›是一个词元，依次为 {names}。",
    ),
    "inputs_table": (
        "Each ‹row› of {symbol} belongs to one token of the vocabulary. The tokens of the input are {names}, in this "
        "order.",
        "{symbol} 的每一‹行›对应词表中的一个词元。输入的词元依次为 {names}。",
    ),
    "inputs_blocks": (
        "The ‹columns› of {wholes} are cut into {count} blocks of equal size; block {number} is written {parts}.",
        "把 {wholes} 的各‹列›等分为 {count} 块，第 {number} 块记作 {parts}。",
    ),
    "inputs_blocks.rows": (
        "The ‹rows› of {wholes} are cut into {count} blocks of equal size; block {number} is written {parts}.",
        "把 {wholes} 的各‹行›等分为 {count} 块，第 {number} 块记作 {parts}。",
    ),
    "inputs_of_keys": (
        "Keys and values are computed from {symbol}, each ‹row› of which is a token of the other sequence.",
        "键和值由 {symbol} 算出，{symbol} 的每一‹行›是另一序列中的一个词元。",
    ),
    "inputs_of_keys_and_values": (
        "Keys are computed from {symbol} and values from {values}; each ‹row› of both belongs to a token of the other "
        "sequence.",
        "键由 {symbol} 算出，值由 {values} 算出；二者的每一‹行›都对应另一序列中的一个词元。",
    ),
    "inputs_named": ("The tokens are {names}, in this order.", "各词元依次为 {names}。"),
    "inputs_given": (
        "We are given",
        "已知：",
    ),
    "inputs_sizes": (
        "The inputs are matrices of these sizes; nothing else is assumed about them.",
        "输入是以下大小的矩阵，此外不作任何假设。",
    ),
    "step.Q": (
        "A query describes what a token is looking for; there is one ‹row› for each query token.",
        "查询向量表示一个词元要查找的内容；每个提出查询的词元占一‹行›。",
    ),
    "step.K": (
        "A key describes what a token has to offer; every query is compared with it.",
        "键向量表示一个词元可供匹配的特征；查询与各个键逐一比较。",
    ),
    "step.V": (
        "A value is the content that a token passes on when it is attended to.",
        "值向量是词元在被关注时传递出去的内容。",
    ),
    "step.scores": (
        "Every query is compared with every key: entry {entry} is the dot product of the query of token {i} "
        "and the key of token {j}.",
        "每个查询都与每个键比较：元素 {entry} 是词元 {i} 的查询与词元 {j} 的键的点积。",
    ),
    "step.scaled": (
        "The variance of a dot product grows with the width of the keys; dividing by {below} compensates for "
        "it, so that softmax is less likely to saturate.",
        "点积的方差随键的维度增大；除以 {below} 可以抵消这一影响，使 softmax 不易饱和。",
    ),
    "step.scaled.plain": (
        "The variance of a dot product grows with the width of the keys; dividing by {below} compensates for it.",
        "点积的方差随键的维度增大；除以 {below} 可以抵消这一影响。",
    ),
    "step.scaled.divided": (
        "The scores are divided by {below}.",
        "得分除以 {below}。",
    ),
    "step.scaled.times": (
        "The scores are multiplied by the scale {factor}.",
        "得分乘以缩放因子 {factor}。",
    ),
    "step.capped": (
        "A smooth cap keeps every score strictly between {low} and {high}.",
        "平滑的限幅使每个得分介于 {low} 与 {high} 之间。",
    ),
    "step.masked": (
        "Query {i} may attend to key {j} only where {condition}; every other score becomes {infinity}, which softmax "
        "turns into weight 0.",
        "仅当 {condition} 时，查询 {i} 才可以关注键 {j}；其余得分变为 {infinity}，经 softmax 后权重为 0。",
    ),
    "step.masked.plain": (
        "Query {i} may attend to key {j} only where {condition}; every other score becomes {infinity}, and its weight "
        "is 0.",
        "仅当 {condition} 时，查询 {i} 才可以关注键 {j}；其余得分变为 {infinity}，对应的权重为 0。",
    ),
    "step.biased": (
        "The bias is added to the scores entry by entry.",
        "把偏置逐元素加到得分上。",
    ),
    "step.row_max": (
        "Softmax does not change when the same number is subtracted from every entry of a ‹row›; subtracting the "
        "largest keeps all exponentials at most 1.",
        "同一‹行›的各元素减去同一个数，softmax 不变；减去最大值可使所有指数不超过 1。",
    ),
    "step.shifted": (
        "The largest score of each ‹row› is subtracted from that ‹row›; the largest entry becomes 0.",
        "每‹行›减去该‹行›的最大得分，最大的元素变为 0。",
    ),
    "step.exponentials": (
        "The exponential of each entry; it is positive and at most 1, or 0 where the score is minus infinity.",
        "逐元素取指数：结果为正且不超过 1；得分为负无穷处为 0。",
    ),
    "step.row_sum": (
        "The sum of each ‹row›; dividing by it turns the ‹row› into a probability distribution.",
        "每‹行›之和；除以它，该‹行›就成为概率分布。",
    ),
    "step.weights": (
        "Softmax turns each row of scores into weights that are non-negative and sum to 1: they state how "
        "token {i} distributes its attention.",
        "softmax 把每行得分变成非负且和为 1 的权重，表示词元 {i} 如何分配注意力。",
    ),
    "step.weights.row": (
        "Subtracting the largest score of a ‹row› first does not change its softmax. {row}:",
        "先减去该‹行›的最大得分，softmax 不变。{row}：",
    ),
    "step.weights.divided": (
        "Each ‹row› of exponentials is divided by its sum: ‹row› {i} states how token {i} distributes its attention.",
        "每‹行›指数除以该‹行›之和：第 {i} ‹行›表示词元 {i} 如何分配注意力。",
    ),
    "row_less_max": ("‹Row› {name} after subtracting its largest score {top}", "第 {name} ‹行›减去其最大得分 {top} 后"),
    "row_less_max.token": (
        "The ‹row› of {name} after subtracting its largest score {top}",
        "{name} 所在的‹行›减去其最大得分 {top} 后",
    ),
    "rows_likewise": (
        "The other ‹rows› are computed in the same way. All ‹rows› as decimals:",
        "其余各‹行›同理。全部写成小数：",
    ),
    "rows_likewise.some": (
        "The other ‹rows› are computed in the same way. Some of the weights as decimals:",
        "其余各‹行›同理。部分权重写成小数：",
    ),
    "rows_likewise.exact": (
        "The other ‹rows› are computed in the same way. All ‹rows›:",
        "其余各‹行›同理。全部‹行›：",
    ),
    "no_exact_form": (
        "The exact entries of {symbol} are too long to be written here; the decimals stand alone.",
        "{symbol} 的精确值太长，这里只写小数。",
    ),
    "rounded_weights": (
        "These decimals are rounded: a ‹row› of them may not sum to exactly 1, and what is calculated from them may "
        "differ in the last places.",
        "以上小数经过四舍五入：一‹行›之和可能不恰好为 1，由它们算出的数末几位也可能有出入。",
    ),
    "rounded_factors": (
        "These decimals are rounded; what is calculated from them may differ in the last places.",
        "以上小数经过四舍五入，由它们算出的数末几位可能有出入。",
    ),
    "unproven_zero": (
        "All digits computed of a value printed as {zero} are 0; that it is exactly 0 is not proven.",
        "印作 {zero} 的值，算出的各位数字都是 0，但没有证明它恰好等于 0。",
    ),
    "all_rows": ("As decimals:", "写成小数："),
    "every_row": ("‹Row› {name}:", "第 {name} ‹行›："),
    "every_row.token": ("The ‹row› of {name}:", "{name} 所在的‹行›："),
    "step.output": (
        "Each output ‹row› is the sum of the values, weighted by the attention weights of its ‹row›.",
        "输出的每一‹行›是各个值的加权和，权重就是该‹行›的注意力权重。",
    ),
    "step.concat": (
        "The outputs of the heads are ‹placed side by side›, one ‹row› for each token.",
        "各个头的输出‹并排›拼接，每个词元占一‹行›。",
    ),
    "step.concat.single": (
        "The outputs of the heads are ‹placed side by side›; with a single head this is its output.",
        "各个头的输出‹并排›拼接；只有一个头时就是它的输出。",
    ),
    "title.heads": ("In each head", "各个头的计算"),
    "title.kv_heads": ("In each key/value head", "各个键值头的计算"),
    "title.head": ("Head {number}", "第 {number} 个头"),
    "title.kv_head": ("Key/value head {number}", "第 {number} 个键值头"),
    "step.heads": (
        "Each head {running} has its own projections and performs the same calculation, in the steps marked "
        "with {letter}.",
        "每个头 {running} 都有自己的投影矩阵，并作同样的计算，即标有 {letter} 的各步。",
    ),
    "step.kv_heads": (
        "Keys and values {running} are each shared by a group of heads, in the steps marked with {letter}.",
        "键与值 {running} 各由一组头共用，即标有 {letter} 的各步。",
    ),
    "step.heads.numbers": (
        "Each head {running} has its own projections and performs the same calculation:",
        "每个头 {running} 都有自己的投影矩阵，并作同样的计算：",
    ),
    "step.kv_heads.numbers": (
        "Keys and values {running} are each shared by a group of heads:",
        "键与值 {running} 各由一组头共用：",
    ),
    "step.share": (
        "The contribution of a head to the result is its output times the corresponding rows of {matrix}.",
        "每个头对结果的贡献：其输出乘以 {matrix} 中与之对应的行。",
    ),
    "step.sum": (
        "The contributions of the heads sum to the same result, {same}, because a row of the concatenation "
        "times a column of {matrix} is a sum over the heads.",
        "各个头的贡献相加，结果相同，即 {same}：拼接后的一行与 {matrix} 的一列相乘，就是对各个头求和。",
    ),
    "title.share": ("Contribution of each head", "各个头的贡献"),
    "title.sum": ("The sum over the heads", "对各个头求和"),
    "step.projection": (
        "The output projection mixes the ‹columns› and restores the width of the model.",
        "输出投影混合各‹列›，并恢复到模型的维度。",
    ),
    "step.other": ("The result:", "结果："),
    "entry_is": ("For example, {chain}.", "例如，{chain}。"),
    "entry_tokens": (
        "For example, for {i} attending to {j}: {chain}.",
        "例如，{i} 关注 {j}：{chain}。",
    ),
    "all_entries": ("All entries:", "全部元素："),
    "all_entries.some": ("Some of the entries:", "部分元素："),
    "otherwise": ("otherwise", "其他情况"),
    "entrywise": ("Entry by entry,", "逐元素写出："),
    "per_token": ("Token by token,", "逐词元写出："),
    "by_columns": (
        "Here {part} holds columns {first} to {last} of {whole}: a matrix wider than the page is given by columns.",
        "其中 {part} 是 {whole} 的第 {first} 至第 {last} 列：比页面宽的矩阵按列分块给出。",
    ),
    "elided": (
        "Of a matrix that is too large for its line, rows and columns are left out where the dots stand.",
        "一行放不下的矩阵省略部分行和列，以省略号表示。",
    ),
    "inputs_from_0": ("Rows, columns and tokens are numbered from 0.", "行、列和词元从 0 开始编号。"),
    # --- otherwise where tokens are columns
    "inputs_given.columns": (
        "We are given, with one token in each column,",
        "已知（每个词元占一列）：",
    ),
    "step.weights.columns": (
        "Softmax is applied to each column: it turns a column of scores into weights that are non-negative "
        "and sum to 1, which state how token {i} distributes its attention.",
        "softmax 沿列进行：把每列得分变成非负且和为 1 的权重，表示词元 {i} 如何分配注意力。",
    ),
    "step.share.columns": (
        "The contribution of a head to the result is the corresponding columns of {matrix} times its output.",
        "每个头对结果的贡献：{matrix} 中与之对应的列乘以其输出。",
    ),
    "step.sum.columns": (
        "The contributions of the heads sum to the same result, {same}, because a row of {matrix} times a "
        "column of the concatenation is a sum over the heads.",
        "各个头的贡献相加，结果相同，即 {same}：{matrix} 的一行与拼接后的一列相乘，就是对各个头求和。",
    ),
    "title.derivation": ("Attention, step by step", "注意力的逐步推导"),
}
