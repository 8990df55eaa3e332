"""What is said of the steps of a layer beside its attention, and of what cannot be one."""

# key: (English, Chinese)
LAYERS: dict[str, tuple[str, str]] = {
    "title.source": ("Rows to start from", "作为出发点的各行"),
    "title.embedding": ("Embeddings", "词嵌入"),
    "title.positions": ("Positions", "位置编码"),
    "title.positioned": ("Tokens with their positions", "带位置的词元"),
    "title.residual": ("Residual connection", "残差连接"),
    "title.mean": ("Mean of each ‹row› of {operand}", "{operand} 各‹行›的均值"),
    "title.centred": ("{operand} minus its means", "减去均值后的 {operand}"),
    "title.deviation": ("Standard deviation of each ‹row› of {operand}", "{operand} 各‹行›的标准差"),
    "title.offset": ("Learned bias of {operand}", "{operand} 的可学习偏置"),
    "title.dropout": ("Dropout", "随机失活（dropout）"),
    "title.hidden": ("Hidden layer", "隐藏层"),
    "title.activated": ("Activations", "激活值"),
    "title.gate": ("Gate of the hidden layer", "隐藏层的门控"),
    "title.gated": ("Gated activations", "门控后的激活值"),
    "title.feed_forward": ("Output of the feed-forward network", "前馈网络的输出"),
    "title.opening": ("What opens the gate", "决定门控的量"),
    "title.opened": ("Gate", "门控"),
    "title.let_through": ("What the gate lets through", "通过门控的部分"),
    "title.logits": ("Logits", "logits（未归一化的得分）"),
    "title.probabilities": ("Probabilities", "概率"),
    "title.token_losses": ("Loss of each token", "每个词元的损失"),
    "title.loss": ("Loss", "损失"),
    "step.source": ("The calculation starts from these ‹rows›.", "计算从这些‹行›开始。"),
    "step.embedding": (
        "Each token is looked up in the table {table}, at the ‹row› with its number; ‹rows› are numbered from 0. "
        "Multiplying by a matrix with a single 1 in each ‹row› selects these ‹rows›.",
        "每个词元对应表 {table} 中编号与它相同的一‹行›，第一‹行›编号为 0。‹左乘›每‹行›只有一个 1 的矩阵，"
        "就选出这些‹行›。",
    ),
    "step.positions": (
        "Each position has a learned ‹row› of its own, taken from the table in order from its first ‹row› on.",
        "每个位置都有自己的一‹行›可学习参数，从表的第一‹行›起依次取用。",
    ),
    "step.positions.sinusoidal": (
        "Position {position} is encoded by waves of several lengths: with k counted from 0, ‹column› {left} is the "
        "sine of {angle}, ‹column› {right} the cosine of the same angle; positions and ‹columns› are counted from 0.",
        "位置 {position} 用几种波长的波表示：k 从 0 起计数，第 {left} ‹列›是 {angle} 的正弦，第 {right} ‹列›是同一角的"
        "余弦；位置和‹列›都从 0 起计数。",
    ),
    "step.positioned": (
        "The ‹row› of its position is added to that of each token, so that the order of the tokens counts.",
        "每个词元的‹行›加上其位置的‹行›，词元的次序由此起作用。",
    ),
    "step.residual": (
        "The result is added to the input of the sublayer, which thus only has to compute a correction; gradients pass "
        "through the sum unchanged.",
        "把计算结果加到输入上：它只是一个修正量，梯度也能原样通过这个和。",
    ),
    "step.mean": ("The mean of the entries of each ‹row›.", "每‹行›各元素的均值。"),
    "step.centred": (
        "The mean of each ‹row› is subtracted from it; every ‹row› now sums to 0.",
        "每‹行›减去该‹行›的均值，此后每‹行›之和为 0。",
    ),
    "step.deviation.rms": (
        "The standard deviation of each ‹row›: the root of the mean of the squares of its entries.",
        "每‹行›的标准差：各元素平方的均值的平方根。",
    ),
    "step.deviation.rms.epsilon": (
        "The standard deviation of each ‹row›: the root of the mean of the squares of its entries, with {epsilon} "
        "added under the root, which keeps a ‹row› of equal numbers from being divided by 0.",
        "每‹行›的标准差：各元素平方的均值的平方根，根号内加上 {epsilon}，以免各数相等的‹行›除以 0。",
    ),
    "step.offset": ("A learned bias is added to each ‹row›.", "每‹行›加上可学习的偏置。"),
    "step.dropout": (
        "While the network is trained, each entry is replaced by 0 with probability {probability} and divided by "
        "{kept} otherwise, so that the expected value is the entry itself. Once training is over nothing is "
        "replaced, as here.",
        "训练时，每个元素以概率 {probability} 置为 0，否则除以 {kept}，使其期望等于原来的值；训练结束后"
        "不再置零，此处即是如此。",
    ),
    "step.hidden": (
        "Each ‹row› is projected to the hidden layer, independently of the others.",
        "每‹行›各自投影到隐藏层，与其他‹行›无关。",
    ),
    "step.activated": (
        "The activation function is applied to each entry: {z} becomes {formula}.",
        "逐元素作用激活函数：{z} 变为 {formula}。",
    ),
    "step.gate": (
        "A second projection of the same ‹rows›, by which the activations will be multiplied.",
        "对同样的‹行›再作一次投影，用来与激活值相乘。",
    ),
    "step.gated": ("The two are multiplied entry by entry.", "两者逐元素相乘。"),
    "step.feed_forward": (
        "A second product brings the hidden layer back to the width of the model.",
        "再乘一个矩阵，把隐藏层变回模型的维度。",
    ),
    "step.opening": (
        "A projection decides for each entry how far it is let through.",
        "由一个投影决定每个元素通过多少。",
    ),
    "step.opened": (
        "The gate itself, entry by entry: {z} becomes {formula}.",
        "门控本身，逐元素：{z} 变为 {formula}。",
    ),
    "step.let_through": ("Each entry is multiplied by its gate.", "每个元素乘以对应的门控。"),
    "step.logits": (
        "The logits: one score for each token of the vocabulary.",
        "logits：词表中每个词元一个得分。",
    ),
    "step.probabilities": (
        "Softmax turns each ‹row› of logits into probabilities of the next token.",
        "softmax 把每‹行› logits 变成下一个词元的概率。",
    ),
    "step.token_losses": (
        "The cross-entropy of each position: minus the logarithm of the probability of the right token; the right "
        "tokens of the ‹rows› have the numbers {labels}, the first ‹column› having number 0.",
        "每个位置的交叉熵：正确词元概率的负对数；各‹行›正确词元的编号依次为 {labels}，第一‹列›编号为 0。",
    ),
    "step.loss": (
        "The loss is the mean over the positions.",
        "损失是对各个位置取平均。",
    ),
    # --- gradients
    "step.gradient.chosen": (
        "Each ‹row› of {symbol} receives the sum of the gradients of the tokens that it stands for, in {uses}; a "
        "‹row› that is not used receives 0.",
        "{symbol} 的每一‹行›得到它所代表的各词元的梯度之和：{uses}；没有用到的‹行›梯度为 0。",
    ),
    "step.gradient.cross_entropy": (
        "The derivative of −log softmax with respect to the logits is softmax, minus 1 at the right token; each ‹row› "
        "is multiplied by the gradient of its loss.",
        "−log softmax 对 logits 的导数等于 softmax 在正确词元处减 1；每‹行›再乘以该‹行›损失的梯度。",
    ),
    "title.layer": ("Layer {number}", "第 {number} 层"),
    # --- what cannot be a part of a layer
    "rows_or_tokens": (
        "a stack starts from rows X, or from a table E with the tokens' numbers in [stack] ids, such as [0, 2, 1]",
        "层的堆叠从各行 X 开始，或从表 E 与 [stack] 中的词元编号 ids 开始，例如 [0, 2, 1]",
    ),
    "positions_table": (
        'learned positions need a table P, which others do not have; write positions = "learned", or leave P out',
        '可学习的位置编码需要表 P，其他位置编码没有这个表；请写 positions = "learned"，或去掉 P',
    ),
    "empty_layer": (
        "a layer has attention (W_Q, W_K, W_V), a feed-forward network (W_1, W_2), or both",
        "每层要有注意力（W_Q、W_K、W_V）或前馈网络（W_1、W_2），或两者都有",
    ),
    "norm_without": (
        'norm = "{kind}" has no {name}; leave it out',
        'norm = "{kind}" 没有 {name}；请去掉',
    ),
    "tied_without_table": (
        "tied logits are products with the table E in the place of W_U; give E, and leave W_U out",
        "tied 表示用表 E 代替 W_U 计算 logits；请给出 E，并去掉 W_U",
    ),
    "bad_norm_epsilon": (
        "{given} is not a valid ε of a layer's norm; write a number that is not negative, such as 10⁻⁵ or 0",
        "{given} 不能作为层归一化的 ε；请写不为负的数，例如 10⁻⁵ 或 0",
    ),
    "bad_dropout": (
        "{given} is not a probability of dropout; write a number from 0 up to, but not including, 1",
        "{given} 不是随机失活的概率；请写不小于 0 且小于 1 的数",
    ),
    "bad_activation": (
        '"{given}" is not a known activation; write one of {known}',
        "“{given}”不是已知的激活函数；可选 {known}",
    ),
    "bad_token_numbers": (
        "{given} does not say which tokens; write their numbers from 0, such as [0, 2, 1]",
        "{given} 没有说明是哪些词元；请写出从 0 起的编号，例如 [0, 2, 1]",
    ),
    "no_such_row": (
        "number {number}, at position {position}, is out of range: {what} is {count}, and numbers count from 0",
        "第 {position} 个编号 {number} 超出范围：{what} 为 {count}，编号从 0 起计数",
    ),
    "table_too_short": (
        "{name} is {rows}, but the positions need {needed} rows; use a longer table or fewer tokens",
        "{name} 为 {rows}，而位置编码需要 {needed} 行；请用更长的表或更少的词元",
    ),
    "odd_positions": (
        "{width} columns cannot hold sines and cosines in pairs; sinusoidal positions need an even width",
        "{width} 列放不下成对的正弦和余弦；正弦位置编码需要偶数宽度",
    ),
}
