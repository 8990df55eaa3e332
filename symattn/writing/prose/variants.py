"""What is said of the kinds of attention beyond the plain one: of their steps, and of options that are none."""

# key: (English, Chinese)
KINDS: dict[str, tuple[str, str]] = {
    # --- titles
    "title.modified": ("Scores changed one by one", "逐个修改的得分"),
    "title.distance": ("Distance bias", "距离偏置"),
    "title.norms": ("Lengths of the rows", "各行的长度"),
    "title.normalised": ("Rows of one length", "归一化的行"),
    "title.gained": ("Learned gain", "可学习的增益"),
    "title.rotated": ("Rotated by position", "按位置旋转"),
    "title.cached": ("Cache and new rows", "缓存与新行"),
    "title.features": ("Features", "特征"),
    "title.projected": ("Projected for the score", "为打分所作的投影"),
    "title.absorbed": ("Queries that absorb the key projection", "吸收键投影的查询"),
    "title.latent": ("Average of the latent rows", "潜在行的加权平均"),
    "title.state": ("State", "状态"),
    "title.key_sum": ("Sum of the key features", "键特征之和"),
    "title.numerator": ("Numerator", "分子"),
    "title.normaliser": ("Normaliser", "归一化因子"),
    "title.maximum": ("Largest score so far", "目前的最大得分"),
    "title.rescale": ("Factor for what was summed before", "此前各和的缩放因子"),
    "title.accumulated": ("Output so far, not yet divided", "目前的输出（尚未除）"),
    "title.tokens": ("Token by token", "逐个词元"),
    "title.token": ("Token {number}", "词元 {number}"),
    "title.blocks": ("Block by block", "逐块"),
    "title.block": ("Block {number}", "第 {number} 块"),
    # --- masks and empty rows
    "step.masked.finite": (
        "A query should look at a key only where {condition}; to all other scores {value} is added, which is finite: "
        "exactly, nothing is hidden for good.",
        "查询只应在 {condition} 时看该键；其余得分加上 {value}。它是有限的：在精确计算中没有任何键被真正隐藏。",
    ),
    "step.weights.zero": (
        "Softmax turns each row of scores into weights that are never negative and add up to 1: how token {i} shares "
        "out its attention. A row that may look at no key becomes zeros, as in torch and ONNX.",
        "softmax 把每行得分变成非负且和为 1 的权重：词元 {i} 如何分配它的注意力。"
        "不能看任何键的行变为 0，与 torch 和 ONNX 相同。",
    ),
    "step.weights.nan": (
        "Softmax turns each row of scores into weights that are never negative and add up to 1: how token {i} shares "
        "out its attention. A row that may look at no key is not a number, as the plain formula 0/0 has it.",
        "softmax 把每行得分变成非负且和为 1 的权重：词元 {i} 如何分配它的注意力。"
        "不能看任何键的行是 NaN，正如公式给出的 0/0。",
    ),
    "step.weights.uniform": (
        "Softmax turns each row of scores into weights that are never negative and add up to 1: how token {i} shares "
        "out its attention. A row that may look at no key gives all keys the same weight, as in jax.",
        "softmax 把每行得分变成非负且和为 1 的权重：词元 {i} 如何分配它的注意力。"
        "不能看任何键的行给所有键相同的权重，与 jax 相同。",
    ),
    "step.weights.sink": (
        "Softmax beside one more key, whose logit is {sink} and whose value is 0: row {i} says how token {i} shares "
        "out its attention, and what is missing to 1 goes to that key.",
        "softmax 时多一个键，其 logit 为 {sink}，值为 0：第 {i} 行表示词元 {i} 如何分配注意力，与 1 的差额归这个键。",
    ),
    # --- scores
    "step.scores.additive": (
        "Every query meets every key in a small network: their projections are added, bent by tanh, and summed up "
        "with the weights of the last layer.",
        "每个查询与每个键在一个小网络中相遇：投影相加，经 tanh，再以最后一层的权重求和。",
    ),
    "step.scores.block": ("The scores of this block of keys.", "这一块键的得分。"),
    "step.modified": (
        "Every score {symbol} is changed by score_mod: z becomes {formula} ({row} and {column} count from 0).",
        "每个得分经 score_mod 修改得到 {symbol}：z 变为 {formula}（{row}、{column} 从 0 起）。",
    ),
    "step.distance": (
        "ALiBi: a bias that falls with the distance between query and key, with slope {slope} in this head.",
        "ALiBi：偏置随查询与键的距离递减，本头的斜率为 {slope}。",
    ),
    "step.projected": (
        "A projection into the space in which queries and keys are added.",
        "投影到查询与键相加的空间。",
    ),
    # --- queries and keys
    "step.norms.l2": (
        "The length of each row, the root of the sum of its squares.",
        "每行的长度，即平方和的平方根。",
    ),
    "step.norms.l2.epsilon": (
        "The length of each row, the root of the sum of its squares, with {epsilon} added under the root.",
        "每行的长度，即平方和的平方根，根号内加上 {epsilon}。",
    ),
    "step.norms.rms": ("The root of the mean square of each row.", "每行的均方根。"),
    "step.norms.rms.epsilon": (
        "The root of the mean square of each row, with {epsilon} added under the root.",
        "每行的均方根，根号内加上 {epsilon}。",
    ),
    "step.normalised": (
        "Each row divided by its length, so that scores depend on directions only.",
        "每行除以其长度，使得分只取决于方向。",
    ),
    "step.gained": ("Each column times its learned gain.", "每列乘以可学习的增益。"),
    "step.rotated.interleaved": (
        "RoPE turns neighbouring columns {left} and {right} of the row at position {position} (both counted from 0, "
        "the first row is at {first}) by the angle {angle}.",
        "RoPE 把位置 {position} 的行（均从 0 起计数，首行位于 {first}）中相邻的列 {left} 与 {right} 旋转角度 {angle}。",
    ),
    "step.rotated.halves": (
        "RoPE turns columns {left} and {right}, half the width apart, of the row at position {position} (both counted "
        "from 0, the first row is at {first}) by the angle {angle}.",
        "RoPE 把位置 {position} 的行（均从 0 起计数，首行位于 {first}）中"
        "相距半宽的列 {left} 与 {right} 旋转角度 {angle}。",
    ),
    "step.cached": (
        "The rows kept from before, and the new ones below them.",
        "此前保留的行，以及其下的新行。",
    ),
    "step.features": (
        "A feature map of each entry, in the place of the exponential: z becomes {formula}.",
        "以特征映射代替指数，逐元素作用：z 变为 {formula}。",
    ),
    "step.absorbed": (
        "The projection of the keys is moved to the queries, so that keys are never made.",
        "把键的投影移到查询一侧，因此无需算出键。",
    ),
    "step.latent": (
        "The weights average the latent rows first; the projection of the values comes after.",
        "先用权重平均潜在行，再作值的投影。",
    ),
    # --- sums that go on
    "step.state": (
        "What keys hand over, summed up: features of the keys times their values.",
        "各键交出的内容之和：键特征乘以值。",
    ),
    "step.key_sum": ("The features of the keys, summed up.", "键特征之和。"),
    "step.numerator": ("The features of the queries meet that sum.", "查询特征与该和相乘。"),
    "step.normaliser": (
        "What the weights of each row add up to; the row is divided by it.",
        "每行权重之和；该行要除以它。",
    ),
    "step.maximum": (
        "The largest score that each row has seen, so that no exponential exceeds 1.",
        "每行目前见过的最大得分，使所有指数不超过 1。",
    ),
    "step.rescale": (
        "What was summed up before is measured against the new largest score.",
        "此前的和改以新的最大得分为基准。",
    ),
    "step.accumulated": (
        "The values of the block, weighted by their exponentials, are added to what was there.",
        "把这一块的值按指数加权后加到已有的和上。",
    ),
    "step.tokens": (
        "For {running}, one token after another; a letter with {letter} in brackets belongs to token {letter}.",
        "对 {running} 逐个词元进行；带括号 {letter} 的字母属于词元 {letter}。",
    ),
    "step.tokens.numbers": ("For {running}, one token after another:", "对 {running} 逐个词元进行："),
    "step.blocks": (
        "For {running}, one block of keys after another; a letter with {letter} in brackets belongs to block {letter}.",
        "对 {running} 逐块处理键；带括号 {letter} 的字母属于第 {letter} 块。",
    ),
    "step.blocks.numbers": ("For {running}, one block of keys after another:", "对 {running} 逐块处理键："),
    # --- options that are none
    "bad_polarity": (
        '"{given}" does not say what true means in a mask; write "attend" (torch scaled_dot_product_attention, ONNX, '
        'jax, Keras) or "hidden" (torch.nn.MultiheadAttention)',
        '“{given}”没有说明掩码中的 true 是什么意思；请写 "attend"'
        '（torch scaled_dot_product_attention、ONNX、jax、Keras）或 "hidden"（torch.nn.MultiheadAttention）',
    ),
    "bad_padding": (
        "padding is the number of keys that are no padding, or the numbers of those that are, counted from 1: "
        "PaddingMask(3) or PaddingMask(keys=[4, 5])",
        "填充请写非填充键的个数，或填充键的编号（从 1 起）：PaddingMask(3) 或 PaddingMask(keys=[4, 5])",
    ),
    "padding_beyond": (
        "the padding speaks of key {given}, but there are {keys} keys; count them from 1",
        "填充提到第 {given} 个键，但只有 {keys} 个键；请从 1 起计数",
    ),
    "bad_finite_mask": (
        "{given} is no number to add where a mask hides; write one below 0, such as −10⁹",
        "{given} 不能加在被隐藏处；请写小于 0 的数，例如 −10⁹",
    ),
    "finite_hides_nothing": (
        "a finite mask adds a number and hides nothing; use Penalised(S, mask, value)",
        "有限掩码只是加上一个数，并不隐藏；请用 Penalised(S, mask, value)",
    ),
    "bad_slope": (
        "{given} is no slope; write a number, or alibi_slope(heads)",
        "{given} 不是斜率；请写一个数，或 alibi_slope(heads)",
    ),
    "bad_rotary": (
        "{given} does not say how rows are turned; write True, or Rotary(base, pairs, offset)",
        "{given} 没有说明如何旋转；请写 True 或 Rotary(base, pairs, offset)",
    ),
    "bad_rotary_base": (
        "{given} is no base of rotary angles; write a positive number, such as 10000",
        "{given} 不能作为旋转角的底；请写正数，例如 10000",
    ),
    "bad_rotary_pairs": (
        '"{given}" does not say which columns are turned together; write "interleaved" (2k and 2k + 1) or "halves" '
        "(k and k + d/2)",
        '“{given}”没有说明哪些列成对旋转；请写 "interleaved"（2k 与 2k + 1）或 "halves"（k 与 k + d/2）',
    ),
    "odd_rotary": (
        "{width} columns cannot be turned in pairs; rotary embedding needs an even width",
        "{width} 列不能两两旋转；旋转位置编码需要偶数宽度",
    ),
    "bad_norm": (
        '"{given}" is no norm of rows; write "l2" or "rms"',
        '“{given}”不是行的范数；请写 "l2" 或 "rms"',
    ),
    "bad_epsilon": (
        "{given} is no ε; write a number from 0 on, such as 10⁻⁶",
        "{given} 不能作为 ε；请写不小于 0 的数，例如 10⁻⁶",
    ),
    "bad_sink": (
        "{given} is no logit of a sink; write a number (0 for softmax-off-by-one), or a matrix of one entry",
        "{given} 不能作为汇点的 logit；请写一个数（0 即 softmax-off-by-one）或一元矩阵",
    ),
    "bad_score_mod": (
        "{given} is no score_mod; give a SymPy Lambda of z, i, j, head or an expression in symbols of these names",
        "{given} 不是 score_mod；请给出关于 z、i、j、head 的 SymPy Lambda 或表达式",
    ),
    "bad_feature": (
        "{given} is no function of one number; give a SymPy Lambda of z or an expression in a symbol of that name",
        "{given} 不是一元函数；请给出关于 z 的 SymPy Lambda 或表达式",
    ),
    "not_true_or_false": ("{name} is True or False", "{name} 只能是 True 或 False"),
    "bad_block": (
        "blocks of {block} keys do not divide {keys} keys; use a number that does",
        "每块 {block} 个键不能整除 {keys} 个键；请改用能整除的数",
    ),
    "online_without": (
        "attention block by block has neither a sink nor a rule for empty rows; leave them out, or use Attention",
        "逐块注意力不支持汇点和空行规则；请去掉它们，或使用 Attention",
    ),
    "block_beyond": (
        "a block from {start} to {stop} lies beyond {size}; counted from 0, it must lie within",
        "从 {start} 到 {stop} 的块超出 {size}；从 0 起计数，它必须在范围之内",
    ),
    "bad_rope": (
        'write rope = true, or a table such as {{ base = 10000, pairs = "halves", offset = 0 }}',
        '请写 rope = true，或写 {{ base = 10000, pairs = "halves", offset = 0 }} 这样的表',
    ),
    "no_such_option": (
        "{kind} attention has no {name}; leave it out",
        "{kind} 注意力没有 {name} 这个选项；请去掉",
    ),
    "kind_of_one_head": (
        "{kind} attention is of one head without an output projection; leave W_O and heads out, or the kind",
        "{kind} 注意力只支持没有输出投影的单个头；请去掉 W_O 和 heads，或去掉 kind",
    ),
    "linear_masks": (
        'linear attention has no mask but "causal"; leave others out',
        '线性注意力只有 "causal" 掩码；请去掉其他掩码',
    ),
    # --- values
    "divided_by_zero": (
        "row {row} would be divided by 0; give numbers for which it is not",
        "第 {row} 行将除以 0；请给出不会如此的数",
    ),
    "no_number_here": (
        "{formula} is {value} at row {row}, column {column}, which is no real number; use a formula that is one there",
        "{formula} 在第 {row} 行第 {column} 列为 {value}，不是实数；请使用在那里有实数值的公式",
    ),
}
