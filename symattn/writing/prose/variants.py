"""What is said of the kinds of attention beyond the plain one: of their steps, and of options that are not valid."""

# key: (English, Chinese)
KINDS: dict[str, tuple[str, str]] = {
    # --- titles
    "title.modified": (
        "Modified scores",
        "修改后的得分",
    ),
    "title.distance": ("Distance bias", "距离偏置"),
    "title.norms": (
        "Norms of the ‹rows› of {operand}",
        "{operand} 各‹行›的范数",
    ),
    "title.normalised": (
        "Normalised {operand}",
        "归一化后的 {operand}",
    ),
    "title.gained": ("Learned gain of {operand}", "{operand} 的可学习增益"),
    "title.rotated": ("{operand} rotated by position", "按位置旋转 {operand}"),
    "title.cached": (
        "{operand}: cached and new ‹rows›",
        "{operand}：缓存的‹行›与新‹行›",
    ),
    "title.features": ("Features of {operand}", "{operand} 的特征"),
    "title.projected": (
        "Projection of {operand} for the scores",
        "计算得分所用的 {operand} 的投影",
    ),
    "title.threshold": ("Threshold of each ‹row›", "各‹行›的阈值"),
    "title.difference": ("Differential weights", "差分权重"),
    "title.lambda": ("The factor λ", "系数 λ"),
    "title.absorbed": ("Queries that absorb the key projection", "吸收键投影的查询"),
    "title.joined": ("Both parts of {operand}", "{operand} 的两部分"),
    "title.selected": ("The largest scores", "最大的若干个得分"),
    "title.portion": ("Part of {operand}", "{operand} 的一部分"),
    "title.C": ("Latent vectors", "潜在向量"),
    "title.Q_R": ("Rotary part of the queries", "查询的旋转部分"),
    "title.K_R": ("Rotary part of the keys", "键的旋转部分"),
    "title.latent": (
        "Weighted sum of the latent vectors",
        "潜在向量的加权和",
    ),
    # --- masks and empty rows
    "step.masked.finite": (
        "A query should attend to a key only where {condition}; to all other scores {value} is added, which "
        "is finite, so that in exact arithmetic no key is fully hidden.",
        "查询只应在 {condition} 时关注该键；其余得分加上 {value}。该数有限，因此在精确计算中没有任何键被完全隐藏。",
    ),
    "step.weights.zero": (
        "Softmax turns each ‹row› of scores into weights that are non-negative and sum to 1: they state how "
        "token {i} distributes its attention. A ‹row› that may attend to no key becomes zeros, as in torch and "
        "ONNX.",
        "softmax 把每‹行›得分变成非负且和为 1 的权重，表示词元 {i} 如何分配注意力。不能关注任何键的‹行›变为 0，与 "
        "torch 和 ONNX 相同。",
    ),
    "step.weights.nan": (
        "Softmax turns each ‹row› of scores into weights that are non-negative and sum to 1: they state how "
        "token {i} distributes its attention. A ‹row› that may attend to no key is not a number (NaN), as the "
        "quotient 0/0 in the formula gives.",
        "softmax 把每‹行›得分变成非负且和为 1 的权重，表示词元 {i} 如何分配注意力。不能关注任何键的‹行›是 NaN，"
        "正如公式给出的 0/0。",
    ),
    "step.weights.uniform": (
        "Softmax turns each ‹row› of scores into weights that are non-negative and sum to 1: they state how "
        "token {i} distributes its attention. A ‹row› that may attend to no key gives all keys the same weight, "
        "as in jax.",
        "softmax 把每‹行›得分变成非负且和为 1 的权重，表示词元 {i} 如何分配注意力。"
        "不能关注任何键的‹行›给所有键相同的权重，与 jax 相同。",
    ),
    "step.weights.sink": (
        "Softmax with one additional key, whose logit is {sink} and whose value is 0: ‹row› {i} states how "
        "token {i} distributes its attention, and the remainder up to 1 goes to the additional key.",
        "softmax 时增加一个键，其 logit 为 {sink}，值为 0：第 {i} ‹行›表示词元 {i} 如何分配注意力，"
        "与 1 的差额归这个键。",
    ),
    "step.weights.sink.row": (
        "Subtracting the same number from the scores of a ‹row› and from the logit {sink} does not change its weights. "
        "{row}:",
        "从一‹行›的各个得分和 logit {sink} 中减去同一个数，权重不变。{row}：",
    ),
    "row_less": (
        "‹Row› {name} after subtracting the largest of these, {top}",
        "第 {name} ‹行›减去其中最大的 {top} 后",
    ),
    "row_less.token": (
        "The ‹row› of {name} after subtracting the largest of these, {top}",
        "{name} 所在的‹行›减去其中最大的 {top} 后",
    ),
    # --- weights otherwise than by softmax
    "step.threshold.1": (
        "Sparsemax subtracts the same threshold from all scores of a ‹row› and keeps what is positive; {symbol} is "
        "the threshold with which the weights of the ‹row› sum to 1. With the {k} largest scores of a ‹row› above it, "
        "it is their sum minus 1, divided by {k}; {k} is as large as it can be with every one of these scores above "
        "the threshold.",
        "sparsemax 从一‹行›的所有得分中减去同一个阈值，只保留正的部分；{symbol} 是使该‹行›权重之和为 1 的阈值。"
        "若该‹行›最大的 {k} 个得分高于阈值，阈值就是它们之和减 1 再除以 {k}；{k} 取这些得分都高于阈值时的最大值。",
    ),
    "step.threshold.2": (
        "Entmax with α = 1.5 halves the scores, subtracts the same threshold from all of a ‹row›, keeps what is "
        "positive and squares it; {symbol} is the threshold with which the weights of the ‹row› sum to 1. With the "
        "{k} largest halved scores above it, whose mean is {M} and whose squared deviations from it sum to {D}, it is "
        "{root}; {k} is as large as it can be with every one of these above the threshold.",
        "α = 1.5 的 entmax 把得分减半，从一‹行›中减去同一个阈值，只保留正的部分并平方；"
        "{symbol} 是使该‹行›权重之和为 1 的阈值。若减半后最大的 {k} 个高于阈值，其平均为 {M}，"
        "与平均之差的平方和为 {D}，则阈值为 {root}；{k} 取它们都高于阈值时的最大值。",
    ),
    "step.threshold.example": ("In ‹row› {i}: {chain}.", "第 {i} ‹行›：{chain}。"),
    "step.threshold.known": ("In ‹row› {i} {known}, so that {chain}.", "第 {i} ‹行›中 {known}，因此 {chain}。"),
    "step.weights.sparsemax": (
        "The weight of a key is the amount by which its score exceeds the threshold of the ‹row›: ‹row› {i} states how "
        "token {i} distributes its attention, and keys whose scores lie below the threshold have weight 0.",
        "得分高出该‹行›阈值的部分就是它的权重：第 {i} ‹行›表示词元 {i} 如何分配注意力，得分低于阈值的键权重为 0。",
    ),
    "step.weights.entmax-1.5": (
        "The square of what lies above the threshold of its ‹row› is the weight of each key: ‹row› {i} states how "
        "token {i} distributes its attention, and keys that lie below the threshold have weight 0.",
        "高出该‹行›阈值的部分的平方就是各键的权重：第 {i} ‹行›表示词元 {i} 如何分配注意力，低于阈值的键权重为 0。",
    ),
    "step.weights.sigmoid": (
        "Each score is taken to a weight between 0 and 1 by the logistic function, for itself: keys do not compete, "
        "and the weights of token {i} need not sum to 1.",
        "logistic 函数把每个得分单独变为 0 与 1 之间的权重：键之间没有竞争，词元 {i} 的权重之和不必为 1。",
    ),
    "step.weights.sigmoid.bias": (
        "{bias} is added to each score, and the logistic function takes the sum to a weight between 0 and 1: keys do "
        "not compete, and the weights of token {i} need not sum to 1.",
        "每个得分加上 {bias}，再由 logistic 函数变为 0 与 1 之间的权重：键之间没有竞争，词元 {i} 的权重之和不必为 1。",
    ),
    "step.difference": (
        "From the weights of the first pair of queries and keys a multiple of those of the second is subtracted, "
        "which cancels what both attend to; entries may be negative.",
        "从第一组查询与键的权重中减去第二组权重的倍数，抵消两者共同关注的部分；元素可以为负。",
    ),
    "step.lambda": (
        "The factor is computed from four learned row vectors and a constant.",
        "该系数由四个可学习的行向量和一个常数得到。",
    ),
    # --- scores
    "step.scores.additive": (
        "A small network compares every query with every key: their projections are added, tanh is applied, "
        "and the last layer sums the result with its weights.",
        "用一个小网络比较每个查询与每个键：投影相加，经 tanh，再以最后一层的权重求和。",
    ),
    "step.scores.block": ("The scores of this block of keys.", "这一块键的得分。"),
    "step.modified": (
        "Every score is changed by score_mod, which gives {symbol}: {z} becomes {formula} ({row} and {column} "
        "count from 0).",
        "每个得分经 score_mod 修改得到 {symbol}：{z} 变为 {formula}（{row}、{column} 从 0 起）。",
    ),
    "step.distance": (
        "ALiBi adds a bias that is proportional to the distance by which a key lies behind its query, with "
        "slope {slope} in this head.",
        "ALiBi：偏置与键落后于查询的距离成正比，本头的斜率为 {slope}。",
    ),
    "step.scaled.by": (
        "The scores are multiplied by a learned number.",
        "得分乘以一个可学习的数。",
    ),
    "step.projected": (
        "A projection to the space in which queries and keys are added.",
        "投影到查询与键相加所在的空间。",
    ),
    # --- queries and keys
    "step.norms.l2": (
        "The norm of each ‹row›: the square root of the sum of its squares. After division by it every ‹row› has "
        "length 1, so that lengths no longer affect the scores.",
        "每‹行›的范数，即平方和的平方根。除以它之后每‹行›的长度都为 1，因此长度不再影响得分。",
    ),
    "step.norms.l2.epsilon": (
        "The norm of each ‹row›: the square root of the sum of its squares, with {epsilon} added under the root, which "
        "keeps a ‹row› of zeros from being divided by 0. After division by it every ‹row› has a length below 1, "
        "close to 1 where the sum of squares is large beside {epsilon}.",
        "每‹行›的范数，即平方和的平方根，根号内加上 {epsilon}，以免全零的‹行›除以 0。除以它之后每‹行›的长度小于 1，"
        "平方和远大于 {epsilon} 时接近 1。",
    ),
    "step.norms.rms": (
        "The root mean square of each ‹row›. After division by it the mean of the squares of every ‹row› is 1, so that "
        "lengths no longer affect the scores.",
        "每‹行›的均方根。除以它之后每‹行›平方的均值都为 1，因此长度不再影响得分。",
    ),
    "step.norms.rms.epsilon": (
        "The root mean square of each ‹row›, with {epsilon} added under the root, which keeps a ‹row› of zeros from "
        "being divided by 0. After division by it the mean of the squares of every ‹row› is below 1, close to 1 where "
        "it was large beside {epsilon}.",
        "每‹行›的均方根，根号内加上 {epsilon}，以免全零的‹行›除以 0。除以它之后每‹行›平方的均值小于 1，"
        "原来的均值远大于 {epsilon} 时接近 1。",
    ),
    "step.normalised": (
        "Each ‹row› is divided by its number in {below}.",
        "每‹行›除以 {below} 中对应的数。",
    ),
    "step.gained": (
        "Each ‹column› is multiplied by its learned gain.",
        "每‹列›乘以可学习的增益。",
    ),
    "step.rotated.interleaved": (
        "RoPE turns neighbouring ‹columns›, {left} and {right}, of the ‹row› at position {position} by the angle "
        "{angle}. ‹Columns› and positions are counted from 0.",
        "RoPE 把位置 {position} 的‹行›中相邻的两‹列› {left} 与 {right} 旋转角度 {angle}。‹列›号与位置都从 0 起计数。",
    ),
    "step.rotated.halves": (
        "RoPE turns ‹columns› {left} and {right}, which are half the width apart, of the ‹row› at position {position} "
        "by the angle {angle}. ‹Columns› and positions are counted from 0.",
        "RoPE 把位置 {position} 的‹行›中相距半个宽度的两‹列› {left} 与 {right} 旋转角度 {angle}。"
        "‹列›号与位置都从 0 起计数。",
    ),
    "step.rotated.same": (
        "{operand} is rotated in the same way, by the same angles.",
        "{operand} 按同样的角度作同样的旋转。",
    ),
    "rotation.first": ("The first ‹row› is at position {first}.", "首‹行›的位置是 {first}。"),
    "rotation.positions": ("Their positions are {positions}.", "各位置是 {positions}。"),
    "rotation.table": ("The positions of the ‹rows› are those of {positions}.", "各‹行›的位置由 {positions} 给出。"),
    "rotation.sections": (
        "The pairs are in sections of {counts}, one after another; the first turns by the first number of a row's "
        "positions, the second by the second, and so on.",
        "各对依次分为 {counts} 个一组的段；第一段按该行位置的第一个数旋转，第二段按第二个数，依此类推。",
    ),
    "rotation.alternating": (
        "The pairs are in sections of {counts} and take turns: the first by the first number of a row's positions, the "
        "second by the second, and so on; where a section has no pairs left, its turns are the first section's.",
        "各对分为 {counts} 个一组的段并轮流取用：第一对按该行位置的第一个数旋转，第二对按第二个数，依此类推；"
        "某段用完后，轮到它的对归第一段。",
    ),
    "rotation.rates": ("The rates {theta} are {rates}, one for each pair.", "各对的速率 {theta} 依次是 {rates}。"),
    "rotation.width": (
        "Only the first {width} components of each row are turned.",
        "每个向量只旋转前 {width} 个分量。",
    ),
    "rotation.matrix": (
        "A pair of ‹columns› is thus multiplied by a rotation matrix:",
        "也就是说，每对‹列›‹右乘›一个旋转矩阵：",
    ),
    "rotation.example": (
        "For example, the first pair of ‹row› {row}, whose angle is {angle} (in radians):",
        "例如，第 {row} ‹行›的第一对，角度为 {angle}（弧度）：",
    ),
    "step.cached": (
        "The ‹rows› kept from earlier steps, followed by the new ones.",
        "前面是此前各步保留的‹行›，后面是新‹行›。",
    ),
    "step.selected": (
        "Of each ‹row› the {count} largest scores stay, of equal ones the first; the others become {infinity}.",
        "每‹行›保留最大的 {count} 个得分，相等时取靠前者；其余变为 {infinity}。",
    ),
    "step.portion": ("A part of the matrix, which is used by itself.", "矩阵的一部分，单独使用。"),
    "step.C": (
        "A low-dimensional ‹row› for each token, from which keys and values are computed; a cache keeps only these "
        "‹rows›.",
        "每个词元对应一个低维‹行›向量，键和值都由它算出；缓存只保存这些‹行›。",
    ),
    "step.Q_R": (
        "The part of the queries that is rotated by position; it is not absorbed into the other projections.",
        "查询中按位置旋转的部分，不参与吸收。",
    ),
    "step.K_R": (
        "The part of the keys that is rotated by position, shared by all heads.",
        "键中按位置旋转的部分，由各头共用。",
    ),
    "step.features": (
        "A feature map, applied to each entry, replaces the exponential: {z} becomes {formula}.",
        "以特征映射代替指数，逐元素作用：{z} 变为 {formula}。",
    ),
    "step.absorbed": (
        "The projection of the keys is moved to the queries, so that the keys need not be computed.",
        "把键的投影移到查询一侧，因此无需算出键。",
    ),
    "step.joined": (
        "The rotary part stands beside the other columns, so that one product gives the sum of both parts of the "
        "scores.",
        "旋转部分与其余各列并排，一次乘积即得到得分两部分之和。",
    ),
    "step.joined.columns": (
        "The rotary part stands below the other rows, so that one product gives the sum of both parts of the scores.",
        "旋转部分接在其余各行之下，一次乘积即得到得分两部分之和。",
    ),
    "step.output.latent": (
        "The projection of the values, applied to these sums, gives the output of each token.",
        "对这些和作值的投影，得到每个词元的输出。",
    ),
    "step.latent": (
        "The latent vectors are summed with the weights first; the projection of the values follows.",
        "先用权重对潜在向量求和，再作值的投影。",
    ),
    # --- options that are none
    "bad_polarity": (
        '"{given}" does not say what true means in a mask; write "attend" (torch scaled_dot_product_attention, ONNX, '
        'jax, Keras) or "hidden" (torch.nn.MultiheadAttention)',
        '“{given}”没有说明掩码中的 true 是什么意思；请写 "attend"'
        '（torch scaled_dot_product_attention、ONNX、jax、Keras）或 "hidden"（torch.nn.MultiheadAttention）',
    ),
    "bad_padding": (
        "padding is the number of keys that are not padding, or the numbers of the padding keys, counted from "
        "1: PaddingMask(3) or PaddingMask(keys=[4, 5])",
        "填充请写非填充键的个数，或填充键的编号（从 1 起）：PaddingMask(3) 或 PaddingMask(keys=[4, 5])",
    ),
    "padding_beyond": (
        "the padding refers to key {given}, but there are {keys} keys; count them from 1",
        "填充提到第 {given} 个键，但只有 {keys} 个键；请从 1 起计数",
    ),
    "bad_finite_mask": (
        "{given} cannot be added to masked scores; write a number below 0, such as −10⁹",
        "{given} 不能加到被掩码的得分上；请写小于 0 的数，例如 −10⁹",
    ),
    "finite_hides_nothing": (
        "a finite mask adds a number and hides nothing; use Penalised(S, mask, value)",
        "有限掩码只是加上一个数，并不隐藏；请用 Penalised(S, mask, value)",
    ),
    "bad_slope": (
        "{given} is not a slope; write a number, or alibi_slope(heads)",
        "{given} 不是斜率；请写一个数，或 alibi_slope(heads)",
    ),
    "bad_rotary": (
        "{given} does not describe a rotary embedding; write True, or Rotary(base, pairs, offset)",
        "{given} 不能描述旋转位置编码；请写 True 或 Rotary(base, pairs, offset)",
    ),
    "bad_rotary_base": (
        "{given} is not a base of rotary angles; write a positive number, such as 10000",
        "{given} 不能作为旋转角的底；请写正数，例如 10000",
    ),
    "bad_rotary_pairs": (
        '"{given}" does not say which columns are rotated together; write "interleaved" (2k and 2k + 1) or '
        '"halves" (k and k + d/2)',
        '“{given}”没有说明哪些列成对旋转；请写 "interleaved"（2k 与 2k + 1）或 "halves"（k 与 k + d/2）',
    ),
    "odd_rotary": (
        "{width} columns cannot be rotated in pairs; a rotary embedding needs an even width",
        "{width} 列不能两两旋转；旋转位置编码需要偶数宽度",
    ),
    "narrow_ntk": (
        "NTK-aware scaling needs 4 columns or more, not {width}: with 2 there is only one rate",
        "NTK 缩放需要 4 列或更多，而不是 {width} 列：2 列只有一个角速度",
    ),
    "bad_norm": (
        '"{given}" is not a norm of rows; write "l2" or "rms"',
        '“{given}”不是行的范数；请写 "l2" 或 "rms"',
    ),
    "bad_qk_kind": (
        '"{given}" is not a norm of queries and keys; use one of {known}',
        "“{given}”不是查询与键的归一化方式；可选：{known}",
    ),
    "bias_of_layer_norm": (
        'a bias was given for the norm "{kind}"; only "layer" has one',
        "为归一化“{kind}”给出了偏置；只有“layer”有偏置",
    ),
    "bad_epsilon": (
        "{given} is not a valid ε; write a number not below 0, such as 10⁻⁶",
        "{given} 不能作为 ε；请写不小于 0 的数，例如 10⁻⁶",
    ),
    "bad_sink": (
        "{given} is not a logit of a sink; write a number (0 for softmax-off-by-one), or a matrix of one entry",
        "{given} 不能作为汇点的 logit；请写一个数（0 即 softmax-off-by-one）或一元矩阵",
    ),
    "one_rotary_part": (
        "the rotary part of latent attention needs both Q_R and K_R; {name} is missing",
        "潜在注意力的旋转部分需要 Q_R 与 K_R；缺少 {name}",
    ),
    "bad_alpha": (
        "{given} is not an α of entmax that is supported; write 2 (sparsemax) or 3/2 (entmax-1.5)",
        "不支持 α = {given} 的 entmax；请写 2（sparsemax）或 3/2（entmax-1.5）",
    ),
    "bad_weighting": (
        '"{given}" is not a way to make weights; use one of {known}',
        "“{given}”不是得到权重的方法；可选：{known}",
    ),
    "bias_of_sigmoid": (
        "a bias was given for {kind}; only sigmoid has one, since the same number added to all scores of a row "
        "changes no weight of {kind}",
        "为 {kind} 给出了偏置；只有 sigmoid 有偏置，因为一行的得分加上同一个数不改变 {kind} 的权重",
    ),
    "option_of_softmax": (
        "{name} is an option of softmax, not of {kind}; leave it out",
        "{name} 是 softmax 的选项，不适用于 {kind}；请去掉它",
    ),
    "empty_row_of_sink": (
        "a row whose keys are all hidden gives its weight to the sink, and is 0; "
        '"{given}" is not possible beside a sink',
        "键全被屏蔽的行把权重全部给汇点，结果为 0；有汇点时不能用“{given}”",
    ),
    "online_softmax": (
        "attention block by block rescales exponentials, which {kind} has none of; leave it out, or use Attention",
        "逐块注意力要重新缩放指数，而 {kind} 没有指数；请去掉它，或使用 Attention",
    ),
    "bad_weighting_table": (
        'write weighting = "sparsemax", "entmax-1.5", "sigmoid" or "softmax-off-by-one", or '
        '{{ kind = "sigmoid", bias = "-log(m)" }}',
        '请写 weighting = "sparsemax"、"entmax-1.5"、"sigmoid" 或 "softmax-off-by-one"，或 '
        '{{ kind = "sigmoid", bias = "-log(m)" }}',
    ),
    "no_key_seen": ("a row with all scores −∞ has no threshold", "全为 −∞ 的行没有阈值"),
    "sign_unknown": (
        "neither digits nor algebra show whether {given} is positive",
        "数值与代数都不能判定 {given} 的符号",
    ),
    "finite_of_what": (
        "a FiniteMask is of masks that hide by position (CausalMask, WindowMask, KeepMask, HideMask, PaddingMask or a "
        "tuple of these), not of {given}",
        "FiniteMask 只能由按位置屏蔽的掩码（CausalMask、WindowMask、KeepMask、HideMask、PaddingMask "
        "或由它们组成的元组）构成，不能由 {given} 构成",
    ),
    "bad_score_mod": (
        "{given} is not a score_mod; give a SymPy Lambda of z, i, j, head or an expression in symbols of these names",
        "{given} 不是 score_mod；请给出关于 z、i、j、head 的 SymPy Lambda 或表达式",
    ),
    "bad_feature": (
        "{given} is not a function of one number; give a SymPy Lambda of z or an expression in a symbol of that name",
        "{given} 不是一元函数；请给出关于 z 的 SymPy Lambda 或表达式",
    ),
    "not_true_or_false": ("{name} is True or False", "{name} 只能是 True 或 False"),
    "bad_block": (
        "blocks of {block} keys do not divide {keys} keys; use a number that does",
        "每块 {block} 个键不能整除 {keys} 个键；请改用能整除的数",
    ),
    "online_without": (
        "attention block by block supports neither a sink nor a rule for empty rows; leave them out, or use Attention",
        "逐块注意力不支持汇点和空行规则；请去掉它们，或使用 Attention",
    ),
    "block_beyond": (
        "a block from {start} to {stop} lies beyond {size}; counted from 0, it must lie within",
        "从 {start} 到 {stop} 的块超出 {size}；从 0 起计数，它必须在范围之内",
    ),
    "bad_scaling": (
        'write width and scaling = {{ kind = "linear" | "ntk" | "yarn" | "llama3", factor = 8, ... }}',
        '请写 width 与 scaling = {{ kind = "linear" | "ntk" | "yarn" | "llama3", factor = 8, ... }}',
    ),
    "scaling_keys": ("{kind} scaling needs {needed}", "{kind} 缩放需要 {needed}"),
    "not_positive": ("{name} is {given}; it must be a positive number", "{name} 为 {given}；它必须是正数"),
    "rates_order": ("high is {high}, which is not above low = {low}", "high 为 {high}，不大于 low = {low}"),
    "rotary_rates": (
        "there are {count} rates for {width} columns; a rotary embedding needs one for each pair",
        "{width} 列却有 {count} 个速率；旋转位置编码的每一对需要一个",
    ),
    "rotary_sections": (
        "the sections have {count} pairs together, but {width} columns are to be rotated",
        "各段共有 {count} 对，而要旋转的是 {width} 列",
    ),
    "alternating_alone": (
        "alternating pairs need sections, as [24, 20, 20]",
        "轮流取用的各对需要分段，例如 [24, 20, 20]",
    ),
    "sections_cannot_alternate": (
        "a section of {count} pairs cannot take turns with the others, of {pairs} in all",
        "含 {count} 对的段无法与其他段轮流（共 {pairs} 对）",
    ),
    "sections_alone": (
        "sections need a matrix of positions, with a column for each of them",
        "分段需要位置矩阵，每段一列",
    ),
    "bad_sections": (
        "{given} are no sections; write how many pairs turn by each column of positions, as [16, 24, 24]",
        "{given} 不是分段；请写出每一列位置对应多少对，例如 [16, 24, 24]",
    ),
    "rotary_width": (
        "{width} columns are to be rotated, but there are {columns}",
        "要旋转 {width} 列，但只有 {columns} 列",
    ),
    "bad_rope": (
        'write rope = true, or a table such as {{ base = 10000, pairs = "halves", offset = 0 }}; it may have positions '
        "(a list, without offset), queries, keys, width, and rates (a list) or scaling too",
        '请写 rope = true，或写 {{ base = 10000, pairs = "halves", offset = 0 }} 这样的表；还可以有 positions'
        "（列表，不与 offset 同用）、queries、keys、width，以及 rates（列表）或 scaling",
    ),
    "bad_alibi": (
        "write alibi = true, or {{ offset = 3 }} where offset is the number of keys before the first query",
        "请写 alibi = true，或写 {{ offset = 3 }}，offset 为第一个查询之前的键数",
    ),
    "bad_qk_norm": (
        'write qk_norm = "l2", "rms" or "layer", or a table such as {{ kind = "rms", epsilon = "1/100000" }}',
        '请写 qk_norm = "l2"、"rms" 或 "layer"，或写 {{ kind = "rms", epsilon = "1/100000" }} 这样的表',
    ),
    "gain_without_norm": (
        '{name} is for normalised rows; write qk_norm = "rms", "l2" or "layer" as well',
        '{name} 用于归一化后的行；请同时写 qk_norm = "rms"、"l2" 或 "layer"',
    ),
    "kind_needed": (
        'these inputs are those of another kind; write kind = "{kind}"',
        '这些输入属于另一种注意力；请写 kind = "{kind}"',
    ),
    "no_such_option": (
        "{kind} attention has no option {name}; leave it out",
        "{kind} 注意力没有 {name} 这个选项；请去掉",
    ),
    "linear_masks": (
        'linear attention supports no mask but "causal"; leave out the others',
        '线性注意力只有 "causal" 掩码；请去掉其他掩码',
    ),
    # --- values
    "divided_by_zero": (
        "row {row} would be divided by 0; give other numbers",
        "第 {row} 行的除数为 0；请换用其他数",
    ),
    "no_number_here": (
        "{formula} is {value} at row {row}, column {column}, which is not a real number; use a formula with "
        "real values",
        "{formula} 在第 {row} 行第 {column} 列为 {value}，不是实数；请使用取实数值的公式",
    ),
}
